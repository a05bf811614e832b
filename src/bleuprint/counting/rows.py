"""Rows of integers, one for each segment, in one block of memory."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import ClassVar, Generic, Protocol, overload

from bleuprint.counting.layout import Layout, Stats
from bleuprint.counting.sums import Sums
from bleuprint.errors import BleuprintError, unknown_name
from bleuprint.native_kernel import find_kernel
from bleuprint.text.faults import Faults


class HasRow(Protocol):
    """The statistics of a segment, under any metric."""

    def to_row(self) -> Sequence[int]:
        """Return the numbers as a row."""


class StatsTable(Sequence[Stats], Generic[Stats]):
    """One row of statistics per segment, in one block of 64-bit integers that NumPy sees without a copy.

    >>> from bleuprint.metrics.bleu.counting import BleuStats, bleu_layout
    >>> table = StatsTable(bleu_layout(1))
    >>> table.append(BleuStats((1,), (2,), 2, 3))
    >>> table.columns, list(table.row(0))
    (('candidate_length', 'reference_length', 'matches_1', 'totals_1'), [2, 3, 1, 2])
    """

    __slots__ = ("_numbers", "layout", "width")

    layout: Layout[Stats]
    width: int

    def __init__(self, layout: Layout[Stats], numbers: Iterable[int] = ()) -> None:
        self.layout, self.width = layout, layout.width
        self._numbers = array("q", numbers)
        if len(self._numbers) % self.width:
            raise _misfit(f"rows of {self.width} numbers", f"{len(self._numbers)} numbers")

    @classmethod
    def zeros(cls, layout: Layout[Stats], rows: int) -> StatsTable[Stats]:
        """Make a table of zeros, for an engine to fill."""
        table = cls(layout)
        table._numbers = array("q", [0]) * (rows * table.width)
        return table

    @property
    def numbers(self) -> memoryview:
        """The block itself, row after row. The table cannot grow while a view of it exists."""
        return memoryview(self._numbers)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.layout.columns

    def append(self, stats: HasRow) -> None:
        """Add the statistics of one more segment."""
        self.append_row(stats.to_row())

    def append_row(self, row: Sequence[int]) -> None:
        """Add the row of one more segment."""
        if len(row) != self.width:
            raise _misfit(f"a row of {self.width} numbers", f"a row of {len(row)}")
        self._numbers.extend(row)

    def extend(self, other: StatsTable[Stats]) -> None:
        """Add all rows of another table."""
        if other.layout != self.layout:
            raise _misfit(f"rows of {self.layout}", f"rows of {other.layout}, counted with other options")
        self._numbers.extend(other._numbers)

    def truncate(self, rows: int) -> None:
        """Keep only the first rows."""
        del self._numbers[rows * self.width :]

    def row(self, index: int) -> array[int]:
        """Return one row as plain integers."""
        position = range(len(self))[index]
        return self._numbers[position * self.width : (position + 1) * self.width]

    def list_rows(self) -> list[list[int]]:
        """Return all rows as plain lists, for JSON."""
        numbers = self._numbers.tolist()
        return [numbers[start : start + self.width] for start in range(0, len(numbers), self.width)]

    def pick(self, indices: Iterable[int]) -> StatsTable[Stats]:
        """Return a table of the rows at these indices."""
        return StatsTable(self.layout, (number for index in indices for number in self.row(index)))

    def column(self, name: str) -> array[int]:
        """Return one column as plain integers."""
        if name not in self.columns:
            raise unknown_name("column", name, self.columns)
        return self._numbers[self.columns.index(name) :: self.width]

    def sum_row(self) -> tuple[int, ...]:
        """Sum every column."""
        kernel = find_kernel()
        if kernel:
            with suppress(OverflowError):  # beyond 64 bits
                return tuple(kernel.sum_rows(self._numbers, self.width))
        return tuple(sum(self._numbers[column :: self.width]) for column in range(self.width))

    def total(self) -> Stats:
        """Sum all rows. Return the numbers by name."""
        return self.layout.read(self.sum_row())

    def census(self) -> tuple[int, ...]:
        """Count the rows, and those below each threshold of the layout."""
        thresholds = [threshold[1:] for threshold in self.layout.thresholds]
        kernel = find_kernel()
        if kernel:
            return (len(self), *kernel.take_census(self._numbers, self.width, thresholds))
        return (
            len(self),
            *(sum(n < bound for n in self._numbers[column :: self.width]) for column, bound in thresholds),
        )

    def sums(self, skipped: Faults | None = None) -> Sums[Stats]:
        """Return the sum of the rows with their census."""
        return Sums(self.layout, self.sum_row(), self.census(), skipped)

    def sum_groups(self, groups: Sequence[int], count: int) -> tuple[StatsTable[Stats], array[int]]:
        """Sum the rows of each of ``count`` groups. ``groups`` has the number of the group of every row.

        Return the sums, and the numbers of each group's census, one group after the other.
        """
        wide = len(self.layout.census_columns)
        sums, census = StatsTable.zeros(self.layout, count), array("q", [0]) * (count * wide)
        thresholds = [threshold[1:] for threshold in self.layout.thresholds]
        kernel = find_kernel()
        if kernel:
            numbers = groups if isinstance(groups, memoryview) else array("q", groups)
            kernel.sum_groups(self._numbers, self.width, thresholds, numbers, sums.numbers, census)
            return sums, census
        if len(groups) != len(self):
            raise ValueError("every row needs a group")
        for index, group in enumerate(groups):
            if not 0 <= group < count:
                raise ValueError("there are not so many groups")
            row = self.row(index)
            for column, number in enumerate(row):
                sums._numbers[group * self.width + column] += number
            census[group * wide] += 1
            for entry, (column, bound) in enumerate(thresholds, start=1):
                census[group * wide + entry] += row[column] < bound
        return sums, census

    def __len__(self) -> int:
        return len(self._numbers) // self.width

    @overload
    def __getitem__(self, index: int) -> Stats: ...
    @overload
    def __getitem__(self, index: slice) -> StatsTable[Stats]: ...
    def __getitem__(self, index: int | slice) -> Stats | StatsTable[Stats]:
        if isinstance(index, slice):
            chosen = range(len(self))[index]
            if chosen.step == 1:  # for one segment after the other
                return StatsTable(self.layout, self._numbers[chosen.start * self.width : chosen.stop * self.width])
            return self.pick(chosen)
        return self.layout.read(self.row(range(len(self))[index]))

    def __iter__(self) -> Iterator[Stats]:
        return (self.layout.read(self.row(index)) for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StatsTable) and (self.layout, self._numbers) == (other.layout, other._numbers)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __copy__(self) -> StatsTable[Stats]:
        """Copy the rows as well, because a copy may grow."""
        return StatsTable(self.layout, self._numbers)

    def __repr__(self) -> str:
        return f"<StatsTable of {len(self)} segments, {self.layout}>"

    @property
    def __array_interface__(self) -> dict[str, object]:
        return {
            "version": 3,
            "shape": (len(self), self.width),
            "typestr": array_type(),
            # while an array uses this memoryview, growing the block fails with BufferError
            "data": memoryview(self._numbers),
        }


class LazyTable(StatsTable[Stats]):
    """A table whose rows are counted when they are first read. Until then, the sums of an engine were enough."""

    __slots__ = ("_count",)

    def __init__(self, layout: Layout[Stats], count: Callable[[], StatsTable[Stats]]) -> None:
        self.layout: Layout[Stats] = layout
        self.width: int = layout.width
        self._count = count

    def __getattr__(self, name: str) -> array[int]:
        if name != "_numbers":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        numbers = self._numbers = self._count()._numbers
        return numbers

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the rows."""
        return StatsTable, (self.layout, self._numbers)


def _misfit(expected: str, got: str) -> BleuprintError:
    return BleuprintError(f"expected {expected}, got {got}.", "Count with the same recipe.", where="StatsTable")


def array_type() -> str:
    """Name the table's number type the way NumPy does, in this machine's byte order."""
    return _byte_order() + "i8"


def float_type() -> str:
    """Name 64-bit floats the way NumPy does."""
    return _byte_order() + "f8"


def _byte_order() -> str:
    return "<" if array("H", [1]).tobytes() == b"\x01\x00" else ">"
