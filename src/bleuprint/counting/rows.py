"""Statistics: the whole numbers that a score is made of. They add, and everything at scale rests on that."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import overload

from bleuprint.errors import BleuprintError, name_list, quote
from bleuprint.native_kernel import find_kernel


@dataclass(frozen=True, slots=True)
class BleuStats:
    """Clipped matches and totals per order, and the two lengths, of a segment or of a whole corpus.

    >>> BleuStats((5, 3), (5, 4), 5, 6) + BleuStats((2, 1), (2, 1), 2, 2)
    BleuStats(matches=(7, 4), totals=(7, 5), candidate_length=7, reference_length=8)
    """

    matches: tuple[int, ...]
    totals: tuple[int, ...]
    candidate_length: int
    reference_length: int

    @classmethod
    def zero(cls, order: int) -> BleuStats:
        """The statistics of no text at all, the zero of addition."""
        return cls((0,) * order, (0,) * order, 0, 0)

    @property
    def order(self) -> int:
        """The highest order counted."""
        return len(self.matches)

    def __add__(self, other: BleuStats) -> BleuStats:
        if self.order != other.order:
            raise BleuprintError(
                where="BleuStats",
                wanted=f"statistics of order {self.order} to add",
                got=f"order {other.order}",
                next_step="Count with the same order; up_to(order) shortens statistics.",
            )
        return BleuStats(
            tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            self.candidate_length + other.candidate_length,
            self.reference_length + other.reference_length,
        )

    def up_to(self, order: int) -> BleuStats:
        """Keep the orders up to ``order``: the statistics for BLEU-1 are part of those for BLEU-4."""
        return BleuStats(self.matches[:order], self.totals[:order], self.candidate_length, self.reference_length)

    def to_row(self) -> tuple[int, ...]:
        """Lay the numbers out as a row: candidate length, reference length, matches, totals."""
        return (self.candidate_length, self.reference_length, *self.matches, *self.totals)

    @classmethod
    def from_row(cls, row: Sequence[int]) -> BleuStats:
        """Read a row back."""
        order = (len(row) - 2) // 2
        return cls(tuple(row[2 : 2 + order]), tuple(row[2 + order :]), row[0], row[1])


@dataclass(frozen=True, slots=True)
class Census:
    """How many segments there were, and how many of them are a reason for a note."""

    segments: int
    short: tuple[int, ...]
    """For each order, the segments whose candidate has fewer tokens than that."""
    empty_candidates: int = 0
    empty_references: int = 0
    """Segments whose chosen reference length is 0."""

    @classmethod
    def zero(cls, order: int) -> Census:
        """The census of no segments at all."""
        return cls(0, (0,) * order)

    @classmethod
    def of_segment(cls, stats: BleuStats) -> Census:
        """The census of one segment."""
        short = tuple(int(stats.candidate_length < n) for n in range(1, stats.order + 1))
        return cls(1, short, short[0], int(stats.reference_length == 0))

    def __add__(self, other: Census) -> Census:
        return Census(
            self.segments + other.segments,
            tuple(a + b for a, b in zip(self.short, other.short, strict=True)),
            self.empty_candidates + other.empty_candidates,
            self.empty_references + other.empty_references,
        )


class StatsTable(Sequence[BleuStats]):
    """One row of statistics per segment, in one block of 64-bit integers that NumPy sees without a copy.

    >>> table = StatsTable(1)
    >>> table.append(BleuStats((1,), (2,), 2, 3))
    >>> table.columns, list(table.row(0))
    (('candidate_length', 'reference_length', 'matches_1', 'totals_1'), [2, 3, 1, 2])
    """

    __slots__ = ("_numbers", "order")

    def __init__(self, order: int, numbers: Iterable[int] = ()) -> None:
        self.order = order
        self._numbers = array("q", numbers)
        if order < 1 or len(self._numbers) % self.width:
            raise BleuprintError(
                where="StatsTable",
                wanted="an order from 1 on, and rows of 2 numbers and 2 for each order",
                got=f"order {order} and {len(self._numbers)} numbers",
                next_step="BleuStats.to_row gives such a row.",
            )

    @classmethod
    def zeros(cls, order: int, rows: int) -> StatsTable:
        """Make a table of zeros, for an engine to fill."""
        table = cls(order)
        table._numbers = array("q", [0]) * (rows * table.width)
        return table

    @property
    def numbers(self) -> memoryview:
        """The block itself, row after row; while it is looked at the table cannot grow."""
        return memoryview(self._numbers)

    @property
    def width(self) -> int:
        """The number of columns."""
        return 2 + 2 * self.order

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        orders = range(1, self.order + 1)
        counts = [f"{kind}_{n}" for kind in ("matches", "totals") for n in orders]
        return ("candidate_length", "reference_length", *counts)

    def append(self, stats: BleuStats) -> None:
        """Add the statistics of one more segment."""
        self._check_order(stats.order)
        self._numbers.extend(stats.to_row())

    def extend(self, other: StatsTable) -> None:
        """Add all rows of another table."""
        self._check_order(other.order)
        self._numbers.extend(other._numbers)

    def truncate(self, rows: int) -> None:
        """Keep the first rows alone."""
        del self._numbers[rows * self.width :]

    def _check_order(self, order: int) -> None:
        if order != self.order:
            raise BleuprintError(
                where="StatsTable",
                wanted=f"statistics of order {self.order}",
                got=f"order {order}",
                next_step="Count with the same order; up_to(order) shortens statistics.",
            )

    def row(self, index: int) -> array[int]:
        """Return one row as plain integers."""
        place = range(len(self))[index]
        return self._numbers[place * self.width : (place + 1) * self.width]

    def pick(self, places: Iterable[int]) -> StatsTable:
        """Return a table of the rows at these places."""
        return StatsTable(self.order, (number for place in places for number in self.row(place)))

    def column(self, name: str) -> array[int]:
        """Return one column as plain integers."""
        if name not in self.columns:
            raise BleuprintError(
                where="StatsTable.column",
                wanted=name_list(self.columns),
                got=quote(name),
                next_step="Choose one of these.",
            )
        return self._numbers[self.columns.index(name) :: self.width]

    def total(self) -> BleuStats:
        """Sum all rows."""
        kernel = find_kernel()
        if kernel:
            with suppress(OverflowError):  # beyond 64 bits
                return BleuStats.from_row(kernel.sum_rows(self._numbers, self.width))
        return BleuStats.from_row([sum(self._numbers[place :: self.width]) for place in range(self.width)])

    def census(self) -> Census:
        """Count segments, and those with a short or empty candidate or a chosen reference length of 0."""
        kernel = find_kernel()
        if kernel:
            *short, empty_references = kernel.take_census(self._numbers, self.order)
            return Census(len(self), tuple(short), short[0], empty_references)
        lengths = self.column("candidate_length")
        exact = [lengths.count(length) for length in range(self.order)]
        return Census(len(self), tuple(accumulate(exact)), exact[0], self.column("reference_length").count(0))

    def sum_groups(self, groups: Sequence[int], count: int) -> tuple[StatsTable, array[int]]:
        """Sum the rows of each of ``count`` groups; ``groups`` tells for every row in which group it is.

        Beside the sums come the numbers of each group's census, one after the other: how many segments, for each
        order how many of them are shorter, and how many have a chosen reference length of 0.
        """
        sums, census = StatsTable.zeros(self.order, count), array("q", [0]) * (count * (2 + self.order))
        kernel = find_kernel()
        if kernel:
            places = groups if isinstance(groups, memoryview) else array("q", groups)
            kernel.sum_groups(self._numbers, self.order, places, sums.numbers, census)
            return sums, census
        if len(groups) != len(self):
            raise ValueError("every row needs a group")
        for group, stats in zip(groups, self, strict=True):
            if not 0 <= group < count:
                raise ValueError("there are not so many groups")
            for column, number in enumerate(stats.to_row()):
                sums._numbers[group * self.width + column] += number
            own = Census.of_segment(stats)
            for column, number in enumerate((1, *own.short, own.empty_references)):
                census[group * (2 + self.order) + column] += number
        return sums, census

    def __len__(self) -> int:
        return len(self._numbers) // self.width

    @overload
    def __getitem__(self, index: int) -> BleuStats: ...
    @overload
    def __getitem__(self, index: slice) -> StatsTable: ...
    def __getitem__(self, index: int | slice) -> BleuStats | StatsTable:
        if isinstance(index, slice):
            return self.pick(range(*index.indices(len(self))))
        return BleuStats.from_row(self.row(range(len(self))[index]))

    def __iter__(self) -> Iterator[BleuStats]:
        return (BleuStats.from_row(self.row(index)) for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StatsTable) and (self.order, self._numbers) == (other.order, other._numbers)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> StatsTable:
        """Copy the rows, too: a copy grows on its own."""
        return StatsTable(self.order, self._numbers)

    def __repr__(self) -> str:
        return f"<StatsTable of {len(self)} segments, orders 1 to {self.order}>"

    @property
    def __array_interface__(self) -> dict[str, object]:
        return {
            "version": 3,
            "shape": (len(self), self.width),
            "typestr": array_type(),
            # a memoryview keeps the block where it is while an array looks at it: growing then fails with BufferError
            "data": memoryview(self._numbers),
        }


def array_type() -> str:
    """Name the table's number type the way NumPy does, in this machine's byte order."""
    return _byte_order() + "i8"


def float_type() -> str:
    """Name 64-bit floats the way NumPy does."""
    return _byte_order() + "f8"


def _byte_order() -> str:
    return "<" if array("H", [1]).tobytes() == b"\x01\x00" else ">"
