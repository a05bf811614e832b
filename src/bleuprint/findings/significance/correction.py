"""Correction: the more comparisons are made, the more of them look significant by luck alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence


def correct_holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, after Holm (1979): the chance of even one false alarm stays below the level.

    >>> correct_holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


def fewest_for(tests: int, level: float, lowest: Callable[[int], float]) -> int:
    """Find the size from which the best of so many tests can be significant after Holm's correction.

    ``lowest`` gives the lowest p-value that a size allows; it must fall as the size grows.

    >>> fewest_for(66, 0.05, lambda trials: 1 / (trials + 1))
    1319
    """

    def suffices(size: int) -> bool:
        return tests * lowest(size) <= level

    most = 1
    while not suffices(most):
        most *= 2
    return bisect_left(range(most + 1), True, lo=1, key=suffices)
