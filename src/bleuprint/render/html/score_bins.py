"""Bins for scores of segments: the scale of a metric in equal parts, the last one open where scores go beyond."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bleuprint.metrics.metric import Metric

SCORE_BINS = 10
"""Into so many equal parts the scale of a metric is cut."""


class ScoreBins(NamedTuple):
    """Where bins begin, what they are called, and what stands below their histogram."""

    starts: tuple[float, ...]
    labels: tuple[str, ...]
    ends: tuple[str, str, str]
    """at the beginning of the axis, in its middle, at its end"""

    def find(self, score: float) -> int:
        """Find the bin of a score."""
        return find_bin(score, self.starts)


def bin_scores(metric: Metric, scores: Iterable[float]) -> ScoreBins:
    """Make the bins for some scores of a metric."""
    width = (metric.highest - metric.lowest) / SCORE_BINS
    starts = tuple(metric.lowest + place * width for place in range(SCORE_BINS))
    labels = [f"{start:g} to {start + width:g}" for start in starts]
    beyond = any(score > metric.highest for score in scores)
    if beyond:
        labels[-1] = f"{starts[-1]:g} and more"
    middle = (metric.lowest + metric.highest) / 2
    ends = (f"{metric.lowest:g}", f"{middle:g}", f"{metric.highest:g}{'+' if beyond else ''}")
    return ScoreBins(starts, tuple(labels), ends)


def find_bin(value: float, starts: Sequence[float]) -> int:
    """Find the bin of a value; what is below the first belongs to it."""
    return max(0, bisect_right(starts, value) - 1)


def count_bins(values: Iterable[float], starts: Sequence[float]) -> list[int]:
    """Count values in bins that begin at ``starts``.

    >>> count_bins([0, 9.9, 10, 100], [0, 10, 20])
    [2, 1, 1]
    """
    counts = [0] * len(starts)
    for value in values:
        counts[find_bin(value, starts)] += 1
    return counts
