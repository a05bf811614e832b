"""Verdicts: what a comparison decided, as data; and what it would have needed where it could decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from bleuprint.findings.significance.bootstrap import MARGIN, lowest_bootstrap_p
from bleuprint.findings.significance.correction import fewest_for
from bleuprint.findings.significance.randomisation import lowest_swap_p, share_p

FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 10_000_000
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
