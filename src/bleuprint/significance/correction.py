"""Correction: the more comparisons are made, the more of them look significant by luck alone."""

from __future__ import annotations

from collections.abc import Sequence


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
