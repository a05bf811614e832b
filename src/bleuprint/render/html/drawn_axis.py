"""Axes for figures: from which number to which, and where round numbers stand between them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from bleuprint.metrics.metric import Metric
from bleuprint.wording import write_decimals

STRIP_MARGIN = 10.0
"""Room at either end of a strip, in percent of its width, which is the table's to choose."""
MOST_TICKS = 3
"""On a short axis."""
MORE_TICKS = 5
"""On a long one."""
EQUAL_ROOM = 0.005
"""So much of the scale of a metric is shown at either side of numbers that are equal."""


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

    def place(self, number: float) -> str:
        """Say where a number stands."""
        share = (number - self.low) / (self.high - self.low)
        return f"{STRIP_MARGIN + (100 - 2 * STRIP_MARGIN) * share:.2f}%"


def lay_axis(given: Iterable[float], metric: Metric, *, zero: bool = False, most: int = MOST_TICKS) -> DrawnAxis:
    """Make an axis that has room for all numbers, and for 0 if asked; those that the metric holds equal are amid it."""
    numbers = [*given, *([0.0] if zero else [])]
    low, high = min(numbers), max(numbers)
    if high - low <= metric.margin:
        room = max(EQUAL_ROOM * (metric.highest - metric.lowest), metric.margin)
        low, high = low - room, high + room
    bare = DrawnAxis(low, high, (), None)
    ticks = tuple(Tick(bare.place(number), label) for number, label in list_ticks(low, high, most))
    return bare._replace(ticks=ticks, zero=bare.place(0.0) if zero and low <= 0 <= high else None)


def list_ticks(low: float, high: float, most: int = MOST_TICKS) -> list[tuple[float, str]]:
    """List the round numbers from one number to another, each with how it is written.

    >>> list_ticks(31.2, 33.9)
    [(32.0, '32'), (33.0, '33')]
    """
    step = find_step(high - low, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step)))
    return [(number * step, _write(number * step, digits)) for number in range(first, last + 1)]


def find_step(span: float, most: int = MOST_TICKS) -> float:
    """Find the round step that gives a handful of ticks.

    >>> find_step(10), find_step(3), find_step(0.04)
    (5.0, 1.0, 0.02)
    """
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if span / (factor * power) <= most + 1e-9)


def _write(number: float, digits: int) -> str:
    text = write_decimals(abs(number), digits)
    return f"\u2212{text}" if number < 0 and float(text) else text
