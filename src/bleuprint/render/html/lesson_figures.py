"""Geometry of a lesson's figures: the curve of the brevity penalty, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.render.html.drawn_axis import MORE_TICKS, list_ticks

LEFT, RIGHT, TOP, BOTTOM = 38.0, 392.0, 22.0, 190.0
"""The edges of the curve's field, in a picture of 400 by 230."""
HIGHEST_BAR = 100.0


class Point(NamedTuple):
    """A place in a picture."""

    x: str
    y: str


class Mark(NamedTuple):
    """A place in a picture, and what is written there."""

    x: str
    y: str
    label: str


class BrevityFigure(NamedTuple):
    """The curve of the brevity penalty, its axes, the reference's length and the candidate's point."""

    path: str
    lengths: tuple[Mark, ...]
    penalties: tuple[Mark, ...]
    reference_x: str
    point: Point
    is_before: bool
    """whether the words on the point stand before it, where there is room"""


def plot_brevity(curve: Sequence[tuple[float, float]], reference: int, candidate: int, penalty: float) -> BrevityFigure:
    """Lay out the curve, which begins at length 0 and ends at the longest."""
    longest = curve[-1][0]

    def x(length: float) -> float:
        return LEFT + (RIGHT - LEFT) * length / longest

    def y(value: float) -> float:
        return BOTTOM + (TOP - BOTTOM) * value

    points = [f"{x(length):.1f} {y(value):.1f}" for length, value in curve]
    ticks = [(length, label) for length, label in list_ticks(0, longest, MORE_TICKS) if length == int(length)]
    return BrevityFigure(
        path="M" + "L".join(points),
        lengths=tuple(Mark(f"{x(length):.1f}", f"{BOTTOM:g}", label) for length, label in ticks),
        penalties=tuple(Mark(f"{LEFT:g}", f"{y(value):.1f}", label) for value, label in list_ticks(0, 1, MORE_TICKS)),
        reference_x=f"{x(reference):.1f}",
        point=Point(f"{x(candidate):.1f}", f"{y(penalty):.1f}"),
        is_before=x(candidate) > (LEFT + RIGHT) / 2 - 20,
    )


class UprightBar(NamedTuple):
    """A bar that stands on the ground of a picture that is 100 high."""

    y: str
    height: str


def stand_bar(value: float, whole: float = 1.0) -> UprightBar:
    """Let a bar stand up; what is more than the whole fills it."""
    height = HIGHEST_BAR * min(1.0, value / whole)
    return UprightBar(f"{HIGHEST_BAR - height:.2f}", f"{height:.2f}")
