"""Distances: the edits that are left between two texts, and those that would be left if words of the one were moved.

The numbers are those of ``alignment.py``, but a row of the table is two whole numbers (Myers 1999, Hyyrö 2003):
neighbouring distances differ by one at most, so a bit for each column says whether the distance grows there, another
whether it falls. A few operations on such numbers then make the next row, however wide the beam is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from bleuprint.metrics.ter.alignment import beam_columns

BitRow = tuple[int, int, int]
"""The distance before the first column that the row has, and the columns at which it rises and falls by one."""


class Band(NamedTuple):
    """Which columns a row has, as bits, the first one lowest."""

    skipped: int
    """how many columns of the row above are left behind"""
    lost: int
    """these columns in the row above"""
    page: int
    offset: int
    """where the columns stand among the places of the target's words"""
    below: int
    """columns that have a cell diagonally above, so that a match helps"""
    new: int
    """columns that have no cell above"""
    all: int


class Distances:
    """The rows of a text, from which those of the text after a move are made."""

    def __init__(self, words: Sequence[str], target: Sequence[str]) -> None:
        self._words, self._length = words, len(target)
        beam = beam_columns(len(words), len(target))
        self._size = max((len(columns) for columns in beam), default=0) + 1
        self._bands = list(_list_bands(beam, self._size))
        self._places = _list_places(target, self._size, set(words))
        start = (1 << (beam[0].stop - 1 if beam else 0)) - 1
        self._rows: list[BitRow] = [(0, start, 0)]
        self._rows += self._make_rows(0, words)

    @property
    def left(self) -> int:
        """The edits that make the text the target."""
        return self._last(self._rows[-1]) if self._words else self._length

    def measure(self, first: int, moved: Sequence[str], limit: int) -> int:
        """Count the edits that would be left if these words stood in the places from ``first`` on.

        Where as many as ``limit`` are left, any number from there on may be given: a row that is nowhere lower than the
        known one by more than some number is followed by rows that are not, either.
        """
        last, left = first + len(moved), self.left
        made: BitRow = self._rows[first]
        for row, made in enumerate(self._make_rows(first, chain(moved, self._words[last:])), start=first + 1):
            if row >= last:
                least, most = _compare(made, self._rows[row])
                if left + least >= limit or least == most:
                    return left + least
        return self._last(made)

    def move(self, words: Sequence[str], first: int, last: int) -> None:
        """Take another text, in which other words stand from place ``first`` up to ``last``."""
        self._words = words
        for row, made in enumerate(self._make_rows(first, words[first:]), start=first + 1):
            least, most = _compare(made, self._rows[row])
            if row >= last and least == most:
                self._rows[row:] = [(value + least, rises, falls) for value, rises, falls in self._rows[row:]]
                return
            self._rows[row] = made

    def _make_rows(self, first: int, words: Iterable[str]) -> Iterator[BitRow]:
        """Give the rows after a known one, for the words that come next."""
        value, rises, falls = self._rows[first]
        for (skipped, lost, page, offset, below, new, every), word in zip(self._bands[first:], words, strict=True):
            if skipped:
                value += (rises & lost).bit_count() - (falls & lost).bit_count()
                rises >>= skipped
                falls >>= skipped
            rises |= new
            equal = self._places[page].get(word, 0) >> offset & below
            # Where the distance is that of the cell diagonally above; less than above; more than above.
            level = (((equal & rises) + rises) ^ rises) | equal | falls
            less = (level & rises) << 1
            more = (falls | ~(level | rises)) << 1 | 1
            rises = (less | ~(level | more)) & every
            falls = level & more & every
            value += 1
            yield value, rises, falls

    @staticmethod
    def _last(row: BitRow) -> int:
        value, rises, falls = row
        return value + rises.bit_count() - falls.bit_count()


def _compare(made: BitRow, known: BitRow) -> tuple[int, int]:
    """Give by how much a row differs from another of the same columns, at least and at most."""
    apart = made[0] - known[0]
    least = most = apart
    changed = made[1] ^ known[1] | made[2] ^ known[2]
    while changed:
        column = changed & -changed
        apart += bool(made[1] & column) - bool(made[2] & column) - bool(known[1] & column) + bool(known[2] & column)
        least, most = min(least, apart), max(most, apart)
        changed ^= column
    return least, most


def _list_bands(beam: Sequence[range], size: int) -> Iterator[Band]:
    """Give the columns of each row; counted is from the last column before them on that the row above has, too."""
    before, above = 0, range(beam[0].stop) if beam else range(0)
    for columns in beam:
        start = max(above.start, columns.start - 1)
        count, shared = columns.stop - 1 - start, above.stop - 1 - start
        every = (1 << count) - 1
        page, offset = divmod(start, size)
        yield Band(
            start - before,
            (1 << (start - before)) - 1,
            page,
            offset,
            ((1 << shared + 1) - 1) & every,
            every & ~((1 << shared) - 1),
            every,
        )
        before, above = start, columns


def _list_places(target: Sequence[str], size: int, wanted: set[str]) -> list[dict[str, int]]:
    """Give the places of words as bits: page by page, each with the places of the next page, too."""
    places: list[dict[str, bytearray]] = [{} for _ in range(len(target) // size + 1)]
    room = size // 4 + 1
    for place, word in enumerate(target):
        if word in wanted:
            page, offset = divmod(place, size)
            _set_bit(places[page].setdefault(word, bytearray(room)), offset)
            if page:
                _set_bit(places[page - 1].setdefault(word, bytearray(room)), offset + size)
    return [{word: int.from_bytes(bits, "little") for word, bits in own.items()} for own in places]


def _set_bit(bits: bytearray, place: int) -> None:
    bits[place // 8] |= 1 << place % 8
