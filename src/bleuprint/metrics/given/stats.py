"""What given scores add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.values import Value, keep


class GivenStats(Value):
    """What given scores add up to."""

    __match_args__ = ("row", "segments")
    __slots__ = __match_args__
    row: tuple[int, ...]
    segments: int

    def __init__(self, row: Sequence[int], segments: int | None = None) -> None:
        keep(self, "row", tuple(row))
        keep(self, "segments", row[-1])

    def to_row(self) -> tuple[int, ...]:
        """Lay the numbers out as a row."""
        return self.row


class GivenCensus(NamedTuple):
    """How many segments there were."""

    segments: int
