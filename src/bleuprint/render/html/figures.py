"""Geometry of the figures; drawing them is the templates' business."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bleuprint.findings.reconciliation.results import Reconciliation, axis_name, signed
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


WATERFALL_HEIGHT = 220.0
LABEL_ROOM = 18.0


def waterfall(way: Reconciliation) -> list[Fall]:
    """Lay out the two scores and the steps between them; a step is at least a hair high."""
    scores = [way.start.score, *(step.after.score for step in way.steps), way.end.score]
    top = max(*scores, 1e-9)
    columns = len(way.steps) + 2
    slot = WIDTH / columns
    room = WATERFALL_HEIGHT - LABEL_ROOM

    def height_of(score: float) -> float:
        return room * score / top

    def place(column: int, kind: str, name: str, label: str, low: float, high: float) -> Fall:
        tall = max(1.5, height_of(high) - height_of(low))
        y = WATERFALL_HEIGHT - height_of(low) - tall
        return Fall(
            kind, name, label, f"{column * slot + 0.1 * slot:.2f}", f"{y:.2f}", f"{0.8 * slot:.2f}", f"{tall:.2f}",
            f"{(column + 0.5) * slot:.2f}", f"{y - 5:.2f}",
        )  # fmt: skip

    falls = [place(0, "score", "start", way.start.printed, 0.0, way.start.score)]
    for column, step in enumerate(way.steps, start=1):
        before, after = step.before.score, step.after.score
        kind = "rise" if after > before else "fall" if after < before else "same"
        low, high = min(before, after), max(before, after)
        falls.append(place(column, kind, axis_name(step.axis), signed(step.points), low, high))
    return [*falls, place(columns - 1, "score", "end", way.end.printed, 0.0, way.end.score)]
