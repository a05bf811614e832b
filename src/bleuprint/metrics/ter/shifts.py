"""Shifts: words that stand together are moved to where the other text has them, at the cost of a single edit.

Which shifts are best is too much to find out, so TER searches greedily (Snover et al. 2006): it tries moves of words
that the other text has elsewhere, makes the one after which the fewest edits are left, and begins again, until no move
saves an edit. Limits and ties are those of tercom, as sacreBLEU carries them on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from bleuprint.metrics.ter.alignment import DELETION, FAR, INSERTION, MATCH, Aligner, EditStep, trace
from bleuprint.metrics.ter.distances import Distances

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

    def changed(self, length: int) -> tuple[int, int]:
        """Give the places, from the first up to the last, at which a text of so many words changes."""
        if self.to < self.start:
            return self.to, self.start + self.length
        end = self.to if self.to > self.start + self.length else self.to + self.length
        return self.start, min(end, length)

    def rearrange(self, words: Sequence[Word]) -> list[Word]:
        """Give the words that stand in these places after the move."""
        first, last = self.changed(len(words))
        end = self.start + self.length
        block = words[self.start : end]
        return [*block, *words[first : self.start]] if self.to < self.start else [*words[end:last], *block]

    def apply(self, words: Sequence[Word]) -> list[Word]:
        """Give the text after the move."""
        first, last = self.changed(len(words))
        return [*words[:first], *self.rearrange(words), *words[last:]]


class ShiftSearch(NamedTuple):
    """What a search found."""

    shifts: tuple[Shift, ...]
    left: tuple[int, ...]
    """how many insertions, deletions and substitutions were left, before any shift and after each of them"""
    steps: tuple[EditStep, ...]
    """from the text, after its shifts, to the target"""
    tried: int

    @property
    def gave_up(self) -> bool:
        """Whether so many moves were tried that the search ended before it was through."""
        return self.tried >= MOST_TRIED


def search_shifts(words: Sequence[str], target: Sequence[str], longest: int) -> ShiftSearch:
    """Move words of a text to fit the target, and align what is left.

    A round that reaches the limit makes no move, so its moves are listed before the first of them is measured.
    """
    aligner, distances, listing = Aligner(target, len(words)), Distances(words, target), _Listing(target, longest)
    rows = aligner.align(words)
    shifts: list[Shift] = []
    left, tried, fewest = [distances.left], 0, _fewest_edits(words, target)
    while left[-1] > fewest:
        moves = listing.list_shifts(words, trace(rows), MOST_TRIED - tried)
        tried += len(moves)
        best = None if tried >= MOST_TRIED else _find_best(words, distances, moves, fewest)
        if best is None:
            break
        shifts.append(best)
        words = best.apply(words)
        changed = best.changed(len(words))
        distances.move(words, *changed)
        aligner.realign(words, rows, *changed)
        left.append(distances.left)
    return ShiftSearch(tuple(shifts), tuple(left), tuple(trace(rows)), tried)


def _fewest_edits(words: Sequence[str], target: Sequence[str]) -> int:
    """Count the edits that no order of the words saves."""
    return max(len(words), len(target)) - (Counter(words) & Counter(target)).total()


def _find_best(words: Sequence[str], distances: Distances, moves: Sequence[Shift], fewest: int) -> Shift | None:
    """Find the move after which the fewest edits are left, if it saves any.

    Of moves that save the same the longest goes first, then the one from furthest left, then that to furthest left.
    """
    best, least = None, distances.left
    for shift in sorted(set(moves), key=lambda one: (-one.length, one.start, one.to)):
        first, _ = shift.changed(len(words))
        left = distances.measure(first, shift.rearrange(words), least)
        if left < least:
            best, least = shift, left
            if least == fewest:
                break
    return best


class _Listing:
    """Lists moves that are worth a try: of words that are wrong where they are, to where the target lacks them."""

    def __init__(self, target: Sequence[str], longest: int) -> None:
        self._target, self._longest = target, longest
        self._places: dict[str, list[int]] = {}
        for place, word in enumerate(target):
            self._places.setdefault(word, []).append(place)

    def list_shifts(self, words: Sequence[str], steps: Sequence[EditStep], most: int) -> list[Shift]:
        """List the moves, one as often as there is a reason for it; no further than to so many."""
        alignment = _Alignment(steps)
        found: list[Shift] = []
        for start, word in enumerate(words):
            right = alignment.next_wrong[start] - start
            if right >= self._longest:
                continue
            goals = self._places.get(word, [])
            for goal in goals[bisect_left(goals, start - FURTHEST) : bisect_right(goals, start + FURTHEST)]:
                # Some word must be wrong, and some be lacking; and where the first is to go, none of them may stand.
                shortest = max(right, alignment.next_lacking[goal] - goal) + 1
                behind = alignment.before[goal + 1]
                longest = min(self._longest, behind - start) if behind >= start else self._longest
                if shortest > longest:
                    continue
                for length in range(shortest, self._count_common(words, start, goal, longest) + 1):
                    after = dict.fromkeys(alignment.before[goal : goal + length + 1])
                    found += [Shift(start, length, place + 1) for place in after]
                    if len(found) >= most:
                        return found
        return found

    def _count_common(self, words: Sequence[str], start: int, goal: int, most: int) -> int:
        """Count the words from here on that both texts have, up to so many."""
        most = min(most, len(words) - start, len(self._target) - goal)
        length = 1
        while length < most and words[start + length] == self._target[goal + length]:
            length += 1
        return min(length, most)


class _Alignment:
    """Which words of two texts belong together."""

    def __init__(self, steps: Sequence[EditStep]) -> None:
        wrong: list[bool] = []
        lacking: list[bool] = []
        self.before: list[int] = [-1]
        """by the number of words of the target, the last word of the text that belongs to them; -1 for none"""
        for step in steps:
            if step is not INSERTION:
                wrong.append(step is not MATCH)
            if step is not DELETION:
                lacking.append(step is not MATCH)
                self.before.append(len(wrong) - 1)
        self.next_wrong: list[int] = _find_next(wrong)
        """for each word of the text, the next from there on that does not match; far away if there is none"""
        self.next_lacking: list[int] = _find_next(lacking)
        """the same for the target"""


def _find_next(marked: Sequence[bool]) -> list[int]:
    """Give for each place the next that is marked, itself included."""
    found, place = [], FAR
    for here in range(len(marked) - 1, -1, -1):
        place = here if marked[here] else place
        found.append(place)
    found.reverse()
    return found
