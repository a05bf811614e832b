"""Shifts: words that stand together are moved to where the other text has them, at the cost of a single edit.

Which shifts are best is too much to find out, so TER searches greedily (Snover et al. 2006): it tries moves of words
that the other text has elsewhere, makes the one after which the fewest edits are left, and begins again, until no move
saves an edit. Limits and ties are those of tercom, as sacreBLEU carries them on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from bleuprint.metrics.ter.alignment import Aligner, DistanceRow, EditStep, trace

Word = TypeVar("Word")
FURTHEST = 50
"""How many places a word may be away from where the other text has it."""
MOST_TRIED = 1000
"""When this many moves were tried, the search ends, and the move that was to be chosen is not made."""


class Shift(NamedTuple):
    """A move: ``length`` words from the place ``start`` on go before the place ``to``, in the text before the move.

    Where ``to`` lies within the words themselves, they go as many places to the right as it lies after their start.
    """

    start: int
    length: int
    to: int

    def apply(self, words: Sequence[Word]) -> list[Word]:
        """Give the text after the move."""
        start, length, to = self
        block = words[start : start + length]
        if to < start:
            return [*words[:to], *block, *words[to:start], *words[start + length :]]
        end = to if to > start + length else to + length
        return [*words[:start], *words[start + length : end], *block, *words[end:]]

    @property
    def first_changed(self) -> int:
        """The first place at which another word may stand after the move."""
        return min(self.start, self.to)


class ShiftSearch(NamedTuple):
    """What a search found."""

    shifts: tuple[Shift, ...]
    steps: tuple[EditStep, ...]
    """from the text, after its shifts, to the target"""
    tried: int

    @property
    def gave_up(self) -> bool:
        """Whether so many moves were tried that the search ended before it was through."""
        return self.tried >= MOST_TRIED


def search_shifts(words: Sequence[str], target: Sequence[str], longest: int) -> ShiftSearch:
    """Move words of a text to fit the target, and align what is left."""
    aligner = Aligner(target, len(words))
    shifts: list[Shift] = []
    tried = 0
    while True:
        rows = aligner.align(words)
        best, now = _find_best(words, rows, aligner, longest, MOST_TRIED - tried)
        tried += now
        if best is None or tried >= MOST_TRIED:
            return ShiftSearch(tuple(shifts), tuple(trace(rows)), tried)
        shifts.append(best)
        words = best.apply(words)


def _find_best(
    words: Sequence[str], rows: list[DistanceRow], aligner: Aligner, longest: int, most: int
) -> tuple[Shift | None, int]:
    """Try moves, and give the one that saves most edits, if any does, and how many were tried.

    Of moves that save the same the longest goes first, then the one from furthest left, then that to furthest left.
    """
    best: tuple[int, int, int, int] | None = None
    tried = 0
    for shifts in _list_shifts(words, aligner.target, trace(rows), longest):
        for shift in shifts:
            moved = aligner.align(shift.apply(words), rows[: shift.first_changed + 1])
            saved = rows[-1].distances[-1] - moved[-1].distances[-1]
            rank = (saved, shift.length, -shift.start, -shift.to)
            best = rank if best is None else max(best, rank)
        tried += len(shifts)
        if tried >= most:
            break
    if best is None or best[0] <= 0:
        return None, tried
    return Shift(-best[2], best[1], -best[3]), tried


def _list_shifts(
    words: Sequence[str], target: Sequence[str], steps: Sequence[EditStep], longest: int
) -> Iterator[list[Shift]]:
    """List the moves that are worth a try: of words that are wrong where they are, to where the target lacks them."""
    alignment = _Alignment(steps)
    for start, goal, length in _find_common(words, target, longest):
        stands_right = not any(alignment.wrong[start : start + length])
        is_there = not any(alignment.lacking[goal : goal + length])
        if not (stands_right or is_there or start <= alignment.before[goal + 1] < start + length):
            after = alignment.before[goal : goal + length + 1]
            yield [Shift(start, length, place + 1) for place in dict.fromkeys(after)]


def _find_common(words: Sequence[str], target: Sequence[str], longest: int) -> Iterator[tuple[int, int, int]]:
    """Find words that stand together in both texts: where they start in each, and how many."""
    for start in range(len(words)):
        for goal in range(max(0, start - FURTHEST), min(len(target), start + FURTHEST + 1)):
            most = min(longest, len(words) - start, len(target) - goal)
            for length in range(1, most + 1):
                if words[start + length - 1] != target[goal + length - 1]:
                    break
                yield start, goal, length


class _Alignment:
    """Which words of two texts belong together."""

    def __init__(self, steps: Sequence[EditStep]) -> None:
        self.wrong: list[bool] = []
        """for each word of the text, whether it does not match"""
        self.lacking: list[bool] = []
        """the same for the target"""
        self.before: list[int] = [-1]
        """by the number of words of the target, the last word of the text that belongs to them; -1 for none"""
        for step in steps:
            if step is not EditStep.INSERTION:
                self.wrong.append(step is not EditStep.MATCH)
            if step is not EditStep.DELETION:
                self.lacking.append(step is not EditStep.MATCH)
                self.before.append(len(self.wrong) - 1)
