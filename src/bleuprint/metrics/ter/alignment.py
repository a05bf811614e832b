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


class DistanceRow(NamedTuple):
    """The cells of one row: the first column, and from there on the distance and the last step of the way there."""

    first: int
    distances: list[int]
    steps: list[EditStep]

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
        self._beam = [_near_diagonal(row, length, len(target)) for row in range(1, length + 1)]

    def align(self, words: Sequence[str], known: Sequence[DistanceRow] = ()) -> list[DistanceRow]:
        """Fill the table; ``known`` are the rows of a text that begins with the same words."""
        rows = list(known) or [self._first_row()]
        for row in range(len(rows), len(words) + 1):
            rows.append(self._next_row(rows[-1], words[row - 1], self._beam[row - 1]))
        return rows

    def count_edits(self, words: Sequence[str]) -> int:
        """Count the edits that make a text the target."""
        return self.align(words)[-1].distances[-1]

    def _first_row(self) -> DistanceRow:
        columns = len(self.target) + 1
        return DistanceRow(0, list(range(columns)), [EditStep.INSERTION] * columns)

    def _next_row(self, above: DistanceRow, word: str, columns: range) -> DistanceRow:
        """Take one more word; of steps that cost the same a match or substitution goes first, then a deletion."""
        diagonal, *rest = above.distances_over(range(columns.start - 1, columns.stop))
        left = FAR
        distances, steps = [], []
        for column, over in zip(columns, rest, strict=True):
            if column and word == self.target[column - 1]:
                best, step = diagonal, EditStep.MATCH
            else:
                best, step = diagonal + 1, EditStep.SUBSTITUTION
            if over + 1 < best:
                best, step = over + 1, EditStep.DELETION
            if left + 1 < best:
                best, step = left + 1, EditStep.INSERTION
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
        row -= step is not EditStep.INSERTION
        column -= step is not EditStep.DELETION
    steps.reverse()
    return steps


def _near_diagonal(row: int, length: int, target_length: int) -> range:
    """Give the columns of a row that are looked at; in the last row all from there to the end."""
    ratio = target_length / length
    width = math.ceil(ratio / 2 + BEAM_WIDTH) if ratio / 2 > BEAM_WIDTH else BEAM_WIDTH
    middle = math.floor(row * ratio)
    last = target_length if row == length else min(target_length, middle + width - 1)
    return range(max(0, middle - width), last + 1)
