"""Alignment: the fewest insertions, deletions and substitutions that make one text the other, word by word.

The usual table of distances between beginnings of the two texts (Levenshtein 1966), but of each row only the cells near
the diagonal are looked at, as tercom does. Where texts are long and differ much, the distance is then not the smallest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

BEAM_WIDTH = 25
"""How far from the diagonal cells are looked at, to either side; further where the other text is 50 times as long."""
FAR = 1 << 60
"""The distance in cells that nobody looks at."""


class EditStep(StrEnum):
    """What becomes of a word on the way from one text to the other."""

    MATCH = "match"
    SUBSTITUTION = "substitution"
    DELETION = "deletion"
    INSERTION = "insertion"


MATCH, SUBSTITUTION, DELETION, INSERTION = EditStep
"""Found faster than by way of the class, in loops over millions of cells."""


class DistanceRow(NamedTuple):
    """The cells of one row: the first column, and from there on the distance and the last step of the way there."""

    first: int
    distances: list[int]
    steps: list[EditStep]

    def is_parallel(self, other: DistanceRow) -> bool:
        """Whether another row of the same columns differs by the same number everywhere."""
        apart = other.distances[0] - self.distances[0]
        return all(distance + apart == its for distance, its in zip(self.distances, other.distances, strict=True))

    def distances_over(self, columns: range) -> list[int]:
        """Give the distances in these columns, far where there is no cell."""
        before = min(max(self.first - columns.start, 0), len(columns))
        start = max(columns.start - self.first, 0)
        found = [FAR] * before + self.distances[start : start + len(columns) - before]
        return found + [FAR] * (len(columns) - len(found))


class Aligner:
    """Aligns texts of one length with another text, the target."""

    def __init__(self, target: Sequence[str], length: int) -> None:
        self.target: Sequence[str] = target
        self._beam = beam_columns(length, len(target))

    def align(self, words: Sequence[str]) -> list[DistanceRow]:
        """Fill the table."""
        rows = [self._first_row()]
        for word, columns in zip(words, self._beam, strict=True):
            rows.append(self._next_row(rows[-1], word, columns))
        return rows

    def realign(self, words: Sequence[str], rows: list[DistanceRow], first: int, last: int) -> None:
        """Fill the table again for a text in which other words stand from place ``first`` up to ``last``.

        After a row that is parallel to the one before, all take the same steps, and are left as they are. From there on
        distances are then right but for a number that is the same everywhere.
        """
        for row in range(first + 1, len(words) + 1):
            known, rows[row] = rows[row], self._next_row(rows[row - 1], words[row - 1], self._beam[row - 1])
            if row >= last and known.is_parallel(rows[row]):
                return

    def _first_row(self) -> DistanceRow:
        columns = len(self.target) + 1
        return DistanceRow(0, list(range(columns)), [INSERTION] * columns)

    def _next_row(self, above: DistanceRow, word: str, columns: range) -> DistanceRow:
        """Take one more word; of steps that cost the same a match or substitution goes first, then a deletion."""
        diagonal, *rest = above.distances_over(range(columns.start - 1, columns.stop))
        left = FAR
        distances, steps = [], []
        for column, over in zip(columns, rest, strict=True):
            if column and word == self.target[column - 1]:
                best, step = diagonal, MATCH
            else:
                best, step = diagonal + 1, SUBSTITUTION
            if over + 1 < best:
                best, step = over + 1, DELETION
            if left + 1 < best:
                best, step = left + 1, INSERTION
            distances.append(best)
            steps.append(step)
            diagonal, left = over, best
        return DistanceRow(columns.start, distances, steps)


def trace(rows: Sequence[DistanceRow]) -> list[EditStep]:
    """Read off the steps from the first words to the last."""
    row, column = len(rows) - 1, rows[-1].first + len(rows[-1].distances) - 1
    steps = []
    while row or column:
        step = rows[row].steps[column - rows[row].first]
        steps.append(step)
        row -= step is not INSERTION
        column -= step is not DELETION
    steps.reverse()
    return steps


def beam_columns(length: int, target_length: int) -> list[range]:
    """Give the columns that are looked at, for the row of each word; in the last row all from there to the end."""
    if not length:
        return []
    ratio = target_length / length
    width = math.ceil(ratio / 2 + BEAM_WIDTH) if ratio / 2 > BEAM_WIDTH else BEAM_WIDTH
    middles = [math.floor(row * ratio) for row in range(1, length + 1)]
    ends = [min(target_length, middle + width - 1) + 1 for middle in middles[:-1]] + [target_length + 1]
    return [range(max(0, middle - width), end) for middle, end in zip(middles, ends, strict=True)]
