"""The evidence of an explanation: the words of one segment, each shift as a move, and what becomes of each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.metrics.ter.counts import Edits, Words, count_edits, split_reference, split_text, trace_words
from bleuprint.metrics.ter.shifts import Shift, ShiftSearch
from bleuprint.metrics.ter.stats import TerCounting, ter_layout
from bleuprint.text.segments import Segment, Text

if TYPE_CHECKING:
    from bleuprint.metrics.metric import Tracer


@dataclass(frozen=True, slots=True)
class Move:
    """One shift: the words that move, from where to where, and the text before and after it."""

    start: int
    length: int
    to: int
    """before which place the words go, counted in the text before the move; within them: that far to the right"""
    before: tuple[str, ...]
    after: tuple[str, ...]
    edits_before: int
    """insertions, deletions and substitutions that were left before the move"""
    edits_after: int
    """and those after it"""

    @property
    def saved(self) -> int:
        """How many edits it saved, at the cost of one for itself."""
        return self.edits_before - self.edits_after

    @property
    def words(self) -> tuple[str, ...]:
        """The words that move."""
        return self.before[self.start : self.start + self.length]

    @property
    def lands(self) -> int:
        """The place at which the first of them stands after the move."""
        first, last = Shift(self.start, self.length, self.to).changed(len(self.before))
        return first if self.to < self.start else last - self.length


@dataclass(frozen=True, slots=True)
class AlignedWord:
    """One line of the alignment: a word of the candidate, one of the reference, or both."""

    step: EditStep
    """what makes the candidate the reference here"""
    candidate_word: str | None
    reference_word: str | None
    candidate_place: int | None
    """where the word stands in the candidate before any shift"""
    reference_place: int | None
    moved_by: tuple[int, ...]
    """the shifts that moved it, by their number from 0"""


@dataclass(frozen=True)
class ReferenceAlignment:
    """How the candidate becomes one of the references."""

    candidate: Words
    reference: Words
    search: ShiftSearch
    counting: TerCounting

    @property
    def edits(self) -> Edits:
        """How many edits of each kind there are."""
        return count_edits(self.search, self.counting)

    @property
    def moves_reference(self) -> bool:
        """Whether it is the words of the reference that are moved."""
        return self.counting.shifted == "reference"

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The shifts, one after the other."""
        words = tuple(self.reference if self.moves_reference else self.candidate)
        moves = []
        for shift, edits in zip(self.search.shifts, pairwise(self.search.left), strict=True):
            after = tuple(shift.apply(words))
            moves.append(Move(*shift, words, after, *edits))
            words = after
        return tuple(moves)

    @cached_property
    def lines(self) -> tuple[AlignedWord, ...]:
        """The words of both texts side by side, after the shifts; each with what is to be done."""
        if not self.search.steps:
            return ()
        moved = self.reference if self.moves_reference else self.candidate
        places: Sequence[int] = range(len(moved))
        moved_by: dict[int, list[int]] = {}
        for number, shift in enumerate(self.search.shifts):
            for place in places[shift.start : shift.start + shift.length]:
                moved_by.setdefault(place, []).append(number)
            places = shift.apply(places)
        return tuple(
            self._line(step, place, other, tuple(moved_by.get(-1 if place is None else place, ())))
            for step, place, other in _walk(self.search.steps, places)
        )

    def _line(self, step: EditStep, place: int | None, other: int | None, moved_by: tuple[int, ...]) -> AlignedWord:
        """Turn a step around where the reference was edited into the candidate."""
        if self.moves_reference:
            place, other = other, place
            step = {EditStep.INSERTION: EditStep.DELETION, EditStep.DELETION: EditStep.INSERTION}.get(step, step)
        return AlignedWord(
            step,
            None if place is None else self.candidate[place],
            None if other is None else self.reference[other],
            place,
            other,
            moved_by,
        )


@dataclass(frozen=True)
class TerEvidence:
    """Everything that one segment shows: texts, words, and how the candidate becomes each reference."""

    candidate: Text
    references: tuple[Text, ...]
    counting: TerCounting
    trace: Tracer = field(repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """Leave the engine behind: whoever reads this back traces alike, though perhaps not as fast."""
        return {**vars(self), "trace": trace_words}

    @cached_property
    def candidate_words(self) -> Words:
        """The candidate's words."""
        return split_text(self.candidate, self.counting)

    @cached_property
    def reference_words(self) -> tuple[Words, ...]:
        """The words of each reference."""
        return tuple(split_reference(text, self.counting) for text in self.references)

    @cached_property
    def alignments(self) -> tuple[ReferenceAlignment, ...]:
        """The edits to each reference."""
        searches = self.trace(self.candidate_words, self.reference_words, ter_layout(self.counting))
        return tuple(
            ReferenceAlignment(self.candidate_words, words, search, self.counting)
            for words, search in zip(self.reference_words, searches, strict=True)
        )

    @cached_property
    def chosen(self) -> int:
        """The reference that needs the fewest edits, the first of such."""
        edits = [sum(alignment.edits) for alignment in self.alignments]
        return edits.index(min(edits))

    @property
    def alignment(self) -> ReferenceAlignment:
        """The edits that count: those to the chosen reference."""
        return self.alignments[self.chosen]


def gather(segment: Segment, counting: TerCounting, trace: Tracer) -> TerEvidence:
    """Prepare the evidence of a segment; the work is done as it is read."""
    return TerEvidence(segment.candidate, segment.references, counting, trace)


def _walk(steps: Sequence[EditStep], places: Sequence[int]) -> Iterator[tuple[EditStep, int | None, int | None]]:
    """Give for each step the place of the word that it takes from the one text, and from the other."""
    own = other = 0
    for step in steps:
        takes, gives = step is not EditStep.INSERTION, step is not EditStep.DELETION
        yield step, places[own] if takes else None, other if gives else None
        own += takes
        other += gives
