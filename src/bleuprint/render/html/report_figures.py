"""Geometry of the report's figures: intervals on a common axis, bars, histograms."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bleuprint.findings.significance.bootstrap import Interval

STRIP_MARGIN = 10.0
"""Room at either end of an interval's strip, in percent of its width, which is the table's to choose."""
MOST_TICKS = 3
HISTOGRAM = (260.0, 90.0)


class Tick(NamedTuple):
    """A number on an axis."""

    x: str
    label: str


class DrawnAxis(NamedTuple):
    """An axis for strips that stand below each other."""

    low: float
    high: float
    ticks: tuple[Tick, ...]
    zero: str | None
    """where 0 is, if it is on the axis"""


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


def make_axis(intervals: Iterable[Interval], values: Iterable[float], *, zero: bool = False) -> DrawnAxis:
    """Make an axis that has room for all intervals, and for 0 if asked."""
    numbers = [bound for one in intervals for bound in (one.low, one.high)]
    numbers += [*values, *([0.0] if zero else [])]
    low, high = min(numbers), max(numbers)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    step = find_step(high - low)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step)))
    ticks = [_tick(number * step, digits, low, high) for number in range(first, last + 1)]
    on_axis = low <= 0 <= high and zero
    return DrawnAxis(low, high, tuple(ticks), _place(0.0, low, high) if on_axis else None)


def find_step(span: float) -> float:
    """Find the round step that gives a handful of ticks.

    >>> find_step(10), find_step(3), find_step(0.04)
    (5.0, 1.0, 0.02)
    """
    power = 10.0 ** math.floor(math.log10(span / MOST_TICKS))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if span / (factor * power) <= MOST_TICKS + 1e-9)


def make_strip(axis: DrawnAxis, interval: Interval, value: float) -> Strip:
    """Place an interval on its axis."""
    low, high = sorted((interval.low, interval.high))
    return Strip(*(_place(number, axis.low, axis.high) for number in (low, high, value)))


def count_bins(values: Iterable[float], starts: Sequence[float]) -> list[int]:
    """Count values in bins that begin at ``starts``; what is below the first belongs to it.

    >>> count_bins([0, 9.9, 10, 100], [0, 10, 20])
    [2, 1, 1]
    """
    counts = [0] * len(starts)
    for value in values:
        counts[max(0, bisect_right(starts, value) - 1)] += 1
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


def _tick(number: float, digits: int, low: float, high: float) -> Tick:
    text = f"{abs(number):.{digits}f}"
    return Tick(_place(number, low, high), f"\u2212{text}" if number < 0 and float(text) else text)


def _place(number: float, low: float, high: float) -> str:
    return f"{STRIP_MARGIN + (100 - 2 * STRIP_MARGIN) * (number - low) / (high - low):.2f}%"
