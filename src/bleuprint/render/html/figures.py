"""Geometry of the figures: axes, bars, bins and their histograms; drawing them is the templates' business."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from bleuprint.findings.reconciliation.results import DialectGroup, DialectGroups, Reconciliation, axis_name, signed
from bleuprint.metrics.metric import Metric
from bleuprint.wording import format_difference, format_score

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
    return [(number * step, format_difference(number * step, digits)) for number in range(first, last + 1)]


def find_step(span: float, most: int = MOST_TICKS) -> float:
    """Find the round step that gives a handful of ticks.

    >>> find_step(10), find_step(3), find_step(0.04)
    (5.0, 1.0, 0.02)
    """
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if span / (factor * power) <= most + 1e-9)


TICKS = 4
"""So many steps between numbers an axis has; half as many on each scale, where it goes on behind its end."""


def make_scale(metric: Metric, most: float) -> dict[str, Any]:
    """Make the axis of a metric; one that has no upper end goes on for as long again, and what is above stands there.

    >>> from bleuprint import Recipe
    >>> scale = make_scale(Recipe.named("ter").metric, 130.0)
    >>> scale["low"], scale["high"], scale["ticks"][-1]
    (0.0, 150.0, ('100.00%', '0.00%', '150'))
    """
    low, high = metric.lowest, metric.highest
    longer = most > high
    step = (high - low) / TICKS * (1 + longer)
    if longer:
        high = min(2 * high - low, low + step * math.ceil((most - low) / step))
    count = round((high - low) / step)
    labels = [f"{low + place * step:g}" for place in range(count + 1)]
    if most > high:
        labels[-1] += "+"
    places = [100 * place / count for place in range(count + 1)]
    ticks = [(f"{own:.2f}%", f"{100 - own:.2f}%", label) for own, label in zip(places, labels, strict=True)]
    return {"low": low, "high": high, "ticks": ticks}


WIDTH = 600.0


class Bar(NamedTuple):
    """One part of a bar."""

    kind: str
    name: str
    points: str
    x: str
    width: str


def stack_bars(parts: Iterable[tuple[str, str, float]], whole: float) -> list[Bar]:
    """Lay parts of a whole side by side, each with its kind, its name and its points: together they fill the bar."""
    bars, x = [], 0.0
    for kind, name, points in parts:
        width = WIDTH * max(0.0, points) / whole
        bars.append(Bar(kind, name, format_score(points), f"{x:.2f}", f"{width:.2f}"))
        x += width
    return bars


class Fall(NamedTuple):
    """One column of a waterfall: a score that stands on the ground, or a step that hangs between two scores."""

    kind: str
    name: str
    label: str
    x: str
    y: str
    width: str
    height: str
    middle: str
    """where its words stand"""
    label_y: str


class Level(NamedTuple):
    """A round number on the axis of a waterfall."""

    y: str
    label: str


class Waterfall(NamedTuple):
    """The two scores and the steps that change something, on an axis that shows them."""

    falls: list[Fall]
    levels: list[Level]
    ground: float
    """the number that the axis begins with: not 0 where the steps would be too small to see"""


WATERFALL_HEIGHT = 220.0
LABEL_ROOM = 18.0
AXIS_ROOM = 36.0
NARROW_SPAN = 0.5
"""Where all scores lie within less than this share of the highest, the axis begins above 0."""


def waterfall(way: Reconciliation) -> Waterfall:
    """Lay out the two scores and the steps between them that change the score; a step is at least a hair high."""
    telling = [step for step in way.steps if step.tells]
    scores = [way.start.score, *(step.after.score for step in telling), way.end.score]
    ground, top = _choose_ends(scores)
    columns = [("score", "start", way.start.printed, ground, way.start.score)]
    for step in telling:
        before, after = step.before.score, step.after.score
        kind = "rise" if after > before else "fall" if after < before else "same"
        columns.append((kind, axis_name(step.axis), signed(step.points), min(before, after), max(before, after)))
    columns.append(("score", "end", way.end.printed, ground, way.end.score))
    slot, scale = (WIDTH - AXIS_ROOM) / len(columns), (WATERFALL_HEIGHT - LABEL_ROOM) / (top - ground)
    falls = []
    for place, (kind, name, label, low, high) in enumerate(columns):
        height = max(1.5, scale * (high - low))
        x, y = AXIS_ROOM + place * slot, WATERFALL_HEIGHT - scale * (low - ground) - height
        numbers = (x + 0.1 * slot, y, 0.8 * slot, height, x + 0.5 * slot, y - 5)
        falls.append(Fall(kind, name, label, *(f"{number:.2f}" for number in numbers)))
    ticks = list_ticks(ground, top, MORE_TICKS)
    levels = [Level(f"{WATERFALL_HEIGHT - scale * (number - ground):.2f}", label) for number, label in ticks]
    return Waterfall(falls, levels, ground)


def _choose_ends(scores: Sequence[float]) -> tuple[float, float]:
    """Choose where the axis begins, at a round number, and where it ends."""
    low, top = min(scores), max(scores)
    span = top - low
    if top <= 0:
        return 0.0, 1.0
    if not 0 < span < NARROW_SPAN * top:
        return 0.0, top
    step = find_step(span, MORE_TICKS)
    return max(0.0, step * math.floor((low - 0.2 * span) / step)), top


class Dot(NamedTuple):
    """Dialects that agree, as a dot."""

    group: DialectGroup
    x: str


class DotPlot(NamedTuple):
    """Groups of dialects on one axis."""

    axis: DrawnAxis
    dots: tuple[Dot, ...]


def plot_dots(groups: DialectGroups) -> DotPlot:
    """Place groups of dialects by their scores."""
    metric = groups[0].score.recipe.metric
    axis = lay_axis((group.score.score for group in groups), metric, most=MORE_TICKS)
    return DotPlot(axis, tuple(Dot(group, axis.place(group.score.score)) for group in groups))


SCORE_BINS = 10
"""Into so many equal parts the scale of a metric is cut."""
HISTOGRAM = (260.0, 90.0)
"""How wide and how high a histogram is."""


class HistogramBar(NamedTuple):
    """A bar of a histogram."""

    label: str
    size: int
    x: str
    y: str
    width: str
    height: str


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
        box = (f"{number:.2f}" for number in (place * slot, height - tall, slot - 1.5, tall))
        columns.append(HistogramBar(label, count, *box))
    return columns
