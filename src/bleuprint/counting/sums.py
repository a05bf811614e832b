"""Sums: what rows add up to. The one value that batches, processes, machines and files exchange."""

from __future__ import annotations

from typing import Any, Generic

from bleuprint.counting.layout import Layout, Stats
from bleuprint.errors import BleuprintError
from bleuprint.text.faults import NO_FAULTS, Faults
from bleuprint.values import Value, keep


class Sums(Value, Generic[Stats]):
    """A row, the census of the segments behind it, and what was left out on the way. Sums add."""

    __match_args__ = ("layout", "row", "census", "skipped")
    __slots__ = __match_args__
    layout: Layout[Stats]
    row: tuple[int, ...]
    census: tuple[int, ...]
    """How many segments, and how many of them are below each threshold of the layout."""
    skipped: Faults

    def __init__(
        self, layout: Layout[Stats], row: tuple[int, ...], census: tuple[int, ...], skipped: Faults | None = None
    ) -> None:
        keep(self, "layout", layout)
        keep(self, "row", row)
        keep(self, "census", census)
        keep(self, "skipped", NO_FAULTS if skipped is None else skipped)

    @classmethod
    def zero(cls, layout: Layout[Stats]) -> Sums[Stats]:
        """The sums of nothing."""
        return cls(layout, (0,) * layout.width, (0,) * len(layout.census_columns))

    @property
    def segments(self) -> int:
        """How many segments there were."""
        return self.census[0]

    @property
    def stats(self) -> Stats:
        """The row, its numbers by name."""
        return self.layout.read(self.row)

    @property
    def is_possible(self) -> bool:
        """Whether some texts could have these numbers."""
        stats: Any = self.stats
        fits = max(self.census) <= self.segments and (self.segments > 0 or not any(self.row))
        return fits and bool(stats.is_possible(self.segments))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Row and census in a line, as they travel."""
        return (*self.row, *self.census)

    @classmethod
    def from_numbers(
        cls, layout: Layout[Stats], numbers: tuple[int, ...], skipped: Faults | None = None
    ) -> Sums[Stats]:
        """Read such a line back."""
        return cls(layout, numbers[: layout.width], numbers[layout.width :], skipped)

    @staticmethod
    def names(layout: Layout[Stats]) -> tuple[str, ...]:
        """Name the numbers of such a line."""
        return (*layout.columns, *layout.census_columns)

    def __add__(self, other: Sums[Stats]) -> Sums[Stats]:
        if other.layout is not self.layout and other.layout != self.layout:
            raise BleuprintError(
                f"Sums of {self.layout} and of {other.layout} cannot be added.", "Count both with the same recipe."
            )
        return Sums(
            self.layout,
            tuple(a + b for a, b in zip(self.row, other.row, strict=True)),
            tuple(a + b for a, b in zip(self.census, other.census, strict=True)),
            self.skipped if other.skipped is NO_FAULTS else self.skipped + other.skipped,
        )
