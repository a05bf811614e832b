"""The sums of rows: the one value that batches, processes, machines and files exchange."""

from __future__ import annotations

from typing import Any, Generic

from bleuprint.counting.layout import Layout, Stats
from bleuprint.errors import BleuprintError
from bleuprint.text.faults import NO_FAULTS, Faults
from bleuprint.values import Value, keep


class Sums(Value, Generic[Stats]):
    """A sum of rows, the census of their segments, and the rows that were skipped. Sums add."""

    __match_args__ = ("layout", "row", "census", "skipped")
    __slots__ = __match_args__
    layout: Layout[Stats]
    row: tuple[int, ...]
    census: tuple[int, ...]
    """The number of segments, and how many of them are below each threshold of the layout."""
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
        """Return the sums of no segments."""
        return cls(layout, (0,) * layout.width, (0,) * len(layout.census_columns))

    @property
    def segments(self) -> int:
        """The number of segments."""
        return self.census[0]

    @property
    def stats(self) -> Stats:
        """The numbers of the row by name."""
        return self.layout.read(self.row)

    @property
    def is_possible(self) -> bool:
        """Whether any texts could have these numbers."""
        stats: Any = self.stats
        fits = max(self.census) <= self.segments and (self.segments > 0 or not any(self.row))
        return fits and bool(stats.is_possible(self.segments))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The row, then the census, as one tuple of integers for files and other processes."""
        return (*self.row, *self.census)

    @classmethod
    def from_numbers(
        cls, layout: Layout[Stats], numbers: tuple[int, ...], skipped: Faults | None = None
    ) -> Sums[Stats]:
        """Read such a tuple back."""
        return cls(layout, numbers[: layout.width], numbers[layout.width :], skipped)

    @staticmethod
    def names(layout: Layout[Stats]) -> tuple[str, ...]:
        """Return the names of the numbers of such a tuple."""
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
