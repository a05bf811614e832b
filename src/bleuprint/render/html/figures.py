"""Geometry of the figures; drawing them is the templates' business."""

from __future__ import annotations

from typing import NamedTuple

from bleuprint.explanation.arithmetic import Arithmetic
from bleuprint.render.phrases import loss_name
from bleuprint.wording import format_score

WIDTH = 600.0


class Bar(NamedTuple):
    """One part of the bar that adds up to 100 points."""

    kind: str
    name: str
    points: str
    x: str
    width: str


def loss_bars(arithmetic: Arithmetic) -> list[Bar]:
    """Lay the score and what was lost side by side: together they fill the bar."""
    parts = [("score", "BLEU", arithmetic.score)]
    parts += [(loss.name, loss_name(loss.name), loss.points) for loss in arithmetic.losses]
    bars, x = [], 0.0
    for kind, name, points in parts:
        width = WIDTH * max(0.0, points) / 100
        bars.append(Bar(kind, name, format_score(points), f"{x:.2f}", f"{width:.2f}"))
        x += width
    return bars
