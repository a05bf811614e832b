"""Sums: what rows add up to. The one value that batches, processes, machines and files exchange."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from bleuprint.counting.layout import Layout, Stats
from bleuprint.errors import BleuprintError
from bleuprint.text.faults import Faults


@dataclass(frozen=True, slots=True)
class Sums(Generic[Stats]):
    """A row, the census of the segments behind it, and what was left out on the way. Sums add."""

    layout: Layout[Stats]
    row: tuple[int, ...]
    census: tuple[int, ...]
    """How many segments, and how many of them are below each threshold of the layout."""
    skipped: Faults = field(default_factory=Faults)

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
    def numbers(self) -> tuple[int, ...]:
        """Row and census in a line, as they travel."""
        return (*self.row, *self.census)

    @classmethod
    def from_numbers(
        cls, layout: Layout[Stats], numbers: tuple[int, ...], skipped: Faults | None = None
    ) -> Sums[Stats]:
        """Read such a line back."""
        return cls(layout, numbers[: layout.width], numbers[layout.width :], skipped or Faults())

    @staticmethod
    def names(layout: Layout[Stats]) -> tuple[str, ...]:
        """Name the numbers of such a line."""
        return (*layout.columns, *layout.census_columns)

    def __add__(self, other: Sums[Stats]) -> Sums[Stats]:
        if other.layout != self.layout:
            raise BleuprintError(
                where="Sums",
                wanted=f"sums of {self.layout}, counted alike",
                got=f"sums of {other.layout}",
                next_step="Only counts made by one recipe can be added.",
            )
        return Sums(
            self.layout,
            tuple(a + b for a, b in zip(self.row, other.row, strict=True)),
            tuple(a + b for a, b in zip(self.census, other.census, strict=True)),
            self.skipped + other.skipped,
        )
