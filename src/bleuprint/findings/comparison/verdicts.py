"""Verdicts: what the p-values of many pairs decide together, and what it would have taken where they decide nothing.

The more comparisons are made, the more of them look significant by luck alone: so p-values are corrected for their
number first. From pairs that differ follow clusters: one ends where every system above differs significantly from
every one below. So systems of two clusters always differ significantly. Within a cluster some may and some may not, but
no cut parts it so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from bleuprint.findings.significance import MARGIN, lowest_bootstrap_p, lowest_swap_p, share_p

LOWEST_P = {"randomisation": lowest_swap_p, "bootstrap": lowest_bootstrap_p}
"""For every test the lowest p-value that a number of segments allows, however many resamples there are."""


class PairVerdict(StrEnum):
    """Whether two systems differ."""

    SIGNIFICANT = "significant"
    NOT_SIGNIFICANT = "not-significant"
    UNDECIDED = "undecided"
    """no difference, however large, could have been significant"""


class Verdict(StrEnum):
    """Which of the systems differ."""

    ONE_SYSTEM = "one-system"
    """there was nothing to compare"""
    UNDECIDED = "undecided"
    """no difference, however large, could have been significant"""
    NONE_DIFFER = "none-differ"
    SOME_DIFFER = "some-differ"
    ALL_DIFFER = "all-differ"


class Needed(NamedTuple):
    """The least with which a difference between two of the systems can be significant."""

    resamples: int
    segments: int


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


def find_needed(pairs: int, test: str, level: float) -> Needed:
    """Find how many resamples and segments so many corrected comparisons need.

    >>> find_needed(66, "randomisation", 0.05)
    Needed(resamples=1319, segments=12)
    """
    resamples = fewest_for(pairs, level, lambda trials: share_p(0, trials))
    return Needed(resamples, fewest_for(pairs, level, LOWEST_P[test]))


def judge_pair(difference: float, p_holm: float, level: float, decidable: bool, margin: float = MARGIN) -> PairVerdict:
    """Say whether two systems differ, by the corrected p-value; equal scores never do."""
    if p_holm <= level:
        return PairVerdict.SIGNIFICANT
    return PairVerdict.NOT_SIGNIFICANT if decidable or abs(difference) < margin else PairVerdict.UNDECIDED


def judge_all(verdicts: Sequence[PairVerdict]) -> Verdict:
    """Say of all pairs what each was found to be."""
    if not verdicts:
        return Verdict.ONE_SYSTEM
    if PairVerdict.UNDECIDED in verdicts:
        return Verdict.UNDECIDED
    parted = verdicts.count(PairVerdict.SIGNIFICANT)
    if not parted:
        return Verdict.NONE_DIFFER
    return Verdict.ALL_DIFFER if parted == len(verdicts) else Verdict.SOME_DIFFER


def cluster_systems(ordered: Sequence[str], beats: Callable[[str, str], bool]) -> list[tuple[str, ...]]:
    """Part systems, best first, wherever every one above beats every one below.

    >>> better = {("a", "c"), ("b", "c")}
    >>> cluster_systems(["a", "b", "c"], lambda one, other: (one, other) in better)
    [('a', 'b'), ('c',)]
    """
    clusters, start = [], 0
    for cut in range(1, len(ordered) + 1):
        above, below = ordered[start:cut], ordered[cut:]
        if all(beats(one, other) for one in above for other in below):
            clusters.append(tuple(above))
            start = cut
    return clusters


def possible_ranks(name: str, names: Sequence[str], beats: Callable[[str, str], bool]) -> tuple[int, int]:
    """Give the best and the worst place that a system may have: below all that beat it, above all that it beats."""
    others = [other for other in names if other != name]
    better, worse = sum(beats(other, name) for other in others), sum(beats(name, other) for other in others)
    return 1 + better, len(names) - worse
