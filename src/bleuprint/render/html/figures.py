"""Geometry of the figures; drawing them is the templates' business."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bleuprint.findings.reconciliation.results import DialectGroup, DialectGroups, Reconciliation, axis_name, signed
from bleuprint.render.html.drawn_axis import MORE_TICKS, DrawnAxis, find_step, lay_axis, list_ticks
from bleuprint.wording import format_score

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

    falls: tuple[Fall, ...]
    levels: tuple[Level, ...]
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
    columns = len(telling) + 2
    slot = (WIDTH - AXIS_ROOM) / columns
    room = WATERFALL_HEIGHT - LABEL_ROOM

    def height_of(score: float) -> float:
        return room * (score - ground) / (top - ground)

    def place(column: int, kind: str, name: str, label: str, low: float, high: float) -> Fall:
        tall = max(1.5, height_of(high) - height_of(low))
        y, x = WATERFALL_HEIGHT - height_of(low) - tall, AXIS_ROOM + column * slot
        return Fall(
            kind, name, label, f"{x + 0.1 * slot:.2f}", f"{y:.2f}", f"{0.8 * slot:.2f}", f"{tall:.2f}",
            f"{x + 0.5 * slot:.2f}", f"{y - 5:.2f}",
        )  # fmt: skip

    falls = [place(0, "score", "start", way.start.printed, ground, way.start.score)]
    for column, step in enumerate(telling, start=1):
        before, after = step.before.score, step.after.score
        kind = "rise" if after > before else "fall" if after < before else "same"
        low, high = min(before, after), max(before, after)
        falls.append(place(column, kind, axis_name(step.axis), signed(step.points), low, high))
    falls.append(place(columns - 1, "score", "end", way.end.printed, ground, way.end.score))
    levels = (
        Level(f"{WATERFALL_HEIGHT - height_of(number):.2f}", label)
        for number, label in list_ticks(ground, top, MORE_TICKS)
    )
    return Waterfall(tuple(falls), tuple(levels), ground)


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
