"""Geometry of the report's figures: intervals on a common axis, bars, histograms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bleuprint.findings.significance.bootstrap import Interval
from bleuprint.metrics.metric import Metric
from bleuprint.render.html.drawn_axis import DrawnAxis, lay_axis

HISTOGRAM = (260.0, 90.0)


class Strip(NamedTuple):
    """An interval on its axis: where it begins and ends, and where the value itself is."""

    low: str
    high: str
    value: str


class HistogramBar(NamedTuple):
    """A bar of a histogram."""

    x: str
    y: str
    width: str
    height: str
    label: str
    size: int


def make_axis(
    intervals: Iterable[Interval], values: Iterable[float], metric: Metric, *, zero: bool = False
) -> DrawnAxis:
    """Make an axis that has room for all intervals, and for 0 if asked."""
    return lay_axis([*(bound for one in intervals for bound in (one.low, one.high)), *values], metric, zero=zero)


def make_strip(axis: DrawnAxis, interval: Interval, value: float) -> Strip:
    """Place an interval on its axis."""
    low, high = sorted((interval.low, interval.high))
    return Strip(axis.place(low), axis.place(high), axis.place(value))


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
