"""Bins for scores of segments: equal parts of a metric's scale, the last one open at its end; and their histogram."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bleuprint.metrics.metric import Metric

SCORE_BINS = 10
"""Into so many equal parts the scale of a metric is cut."""
HISTOGRAM = (260.0, 90.0)
"""How wide and how high a histogram is."""


class HistogramBar(NamedTuple):
    """A bar of a histogram."""

    x: str
    y: str
    width: str
    height: str
    label: str
    size: int


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


def make_histogram(counts: Sequence[int], labels: Sequence[str], most: int) -> list[HistogramBar]:
    """Draw counts as bars; ``most`` is the height of the figure, the same for figures side by side."""
    width, height = HISTOGRAM
    slot = width / len(counts)
    columns = []
    for place, (count, label) in enumerate(zip(counts, labels, strict=True)):
        tall = height * count / max(1, most)
        columns.append(
            HistogramBar(
                f"{place * slot:.2f}", f"{height - tall:.2f}", f"{slot - 1.5:.2f}", f"{tall:.2f}", label, count
            )
        )
    return columns
