"""Geometry of a lesson's figures: the curve of the brevity penalty, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.render.html.figures import MORE_TICKS, list_ticks

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


class PointLabel(NamedTuple):
    """Where the words on a point stand, and whether they end there."""

    x: str
    y: str
    ends: bool


class BrevityFigure(NamedTuple):
    """The curve of the brevity penalty, its axes, the reference's length and the candidate's point."""

    path: str
    lengths: tuple[Mark, ...]
    penalties: tuple[Mark, ...]
    reference_x: str
    point: Point
    label: PointLabel


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
        label=_place_label(x(candidate), y(penalty), candidate < reference),
    )


def _place_label(x: float, y: float, is_short: bool) -> PointLabel:
    """Put the words where the curve is not: before the point on its rise, below the line where it is flat."""
    if not is_short:
        return PointLabel(f"{RIGHT:g}", f"{y + 26:.1f}", True)
    if x > (LEFT + RIGHT) / 2 - 20:
        return PointLabel(f"{x - 12:.1f}", f"{y + 5:.1f}", True)
    return PointLabel(f"{x + 12:.1f}", f"{min(y + 22, BOTTOM - 6):.1f}", False)


class UprightBar(NamedTuple):
    """A bar that stands on the ground of a picture that is 100 high."""

    y: str
    height: str


def stand_bar(value: float, whole: float = 1.0) -> UprightBar:
    """Let a bar stand up; what is more than the whole fills it."""
    height = HIGHEST_BAR * min(1.0, value / whole)
    return UprightBar(f"{HIGHEST_BAR - height:.2f}", f"{height:.2f}")
