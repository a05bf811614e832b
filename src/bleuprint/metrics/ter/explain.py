"""Explain a TER score: its arithmetic, the evidence of a segment, and both as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from bleuprint.counting.layout import Layout
from bleuprint.engines import find_engine
from bleuprint.metrics.marks import MATCHED, MOVED, UNMATCHED, Marks
from bleuprint.metrics.score import as_data
from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.metrics.ter.counting import (
    Edits,
    TerCounting,
    TerStats,
    Words,
    count_edits,
    split_reference,
    split_text,
    ter_layout,
)
from bleuprint.metrics.ter.formula import TerSettled, divide
from bleuprint.metrics.ter.recipe import TerRecipe
from bleuprint.metrics.ter.score import TerScore
from bleuprint.metrics.ter.shifts import Shift, ShiftSearch
from bleuprint.text.segments import Segment, Text
from bleuprint.text.shown_tokens import text_data
from bleuprint.text.tokenizers.spans import Span, locate_tokens


@dataclass(frozen=True, slots=True)
class EditLine:
    """One kind of edit: how many there are, and how many points of the score they make."""

    name: str
    count: int
    points: float


@dataclass(frozen=True, slots=True)
class TerArithmetic:
    """How the score was computed: edits over the length of the reference."""

    kinds: tuple[EditLine, ...]
    edits: int
    candidate_length: int
    reference_length: float
    fraction: float
    score: float
    settled: TerSettled
    """why the score was settled without the division, ``TerSettled.NONE`` where it was not"""


def work_out(score: TerScore) -> TerArithmetic:
    """Lay out the arithmetic of a score."""
    stats, settled = score.stats, score.combination.settled
    return TerArithmetic(
        kinds=tuple(
            EditLine(name, count, 0.0 if settled else 100.0 * divide(count, stats))
            for name, count in stats.kinds.items()
        ),
        edits=stats.edits,
        candidate_length=stats.candidate_length,
        reference_length=stats.reference_length,
        fraction=score.fraction,
        score=score.score,
        settled=settled,
    )


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
        searches = find_engine().trace(self.candidate_words, self.reference_words, ter_layout(self.counting))
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


def gather(segment: Segment, score: TerScore) -> TerEvidence:
    """Return the evidence of a segment, which is computed lazily."""
    return TerEvidence(segment.candidate, segment.references, score.recipe.counting)


def _walk(steps: Sequence[EditStep], places: Sequence[int]) -> Iterator[tuple[EditStep, int | None, int | None]]:
    """Give for each step the place of the word that it takes from the one text, and from the other."""
    own = other = 0
    for step in steps:
        takes, gives = step is not EditStep.INSERTION, step is not EditStep.DELETION
        yield step, places[own] if takes else None, other if gives else None
        own += takes
        other += gives


def describe_arithmetic(arithmetic: TerArithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
    """Return the arithmetic as plain data."""
    names = ("edits", "candidate_length", "reference_length", "fraction", "score", "settled")
    return {
        "kinds": [as_data(line, "name", "count", "points") for line in arithmetic.kinds],
        **as_data(arithmetic, *names),
    }


def describe_evidence(evidence: TerEvidence) -> dict[str, object]:
    """Return texts, words, and how the candidate becomes each reference, as plain data."""
    return {
        "candidate": {"text": text_data(evidence.candidate), "words": list(evidence.candidate_words)},
        "references": [
            {"text": text_data(text), "words": list(alignment.reference), **_describe_alignment(alignment)}
            for text, alignment in zip(evidence.references, evidence.alignments, strict=True)
        ],
        "chosen_reference": evidence.chosen,
    }


def describe_stats(stats: TerStats) -> dict[str, object]:
    """Return the counts of a segment as plain data."""
    return {"edits": stats.edits, **stats.kinds, **as_data(stats, "candidate_length", "reference_length")}


def _describe_alignment(alignment: ReferenceAlignment) -> dict[str, object]:
    move = ("words", "start", "length", "to", "lands", "before", "after", "edits_before", "edits_after", "saved")
    line = ("step", "candidate_word", "reference_word", "candidate_place", "reference_place", "moved_by")
    return {
        "edits": {**alignment.edits._asdict(), "together": sum(alignment.edits)},
        "moved": alignment.counting.shifted,
        "moves": [as_data(one, *move) for one in alignment.moves],
        "search_ended": alignment.search.gave_up,
        "alignment": [as_data(one, *line) for one in alignment.lines],
    }


class TerMarker:
    """The references of one segment; each candidate is held against the one that needs the fewest edits."""

    def __init__(self, references: Sequence[Words], counting: TerCounting) -> None:
        self._references, self._counting = references, counting

    def mark(self, candidate: Words) -> Marks:
        """Mark the words of the candidate and of that reference."""
        searches = find_engine().trace(candidate, self._references, ter_layout(self._counting))
        tried = [
            ReferenceAlignment(candidate, words, search, self._counting)
            for words, search in zip(self._references, searches, strict=True)
        ]
        best = min(tried, key=lambda alignment: sum(alignment.edits))
        marks, own = [UNMATCHED] * len(candidate), [UNMATCHED] * len(best.reference)
        for line in best.lines:
            if line.step is EditStep.MATCH and line.candidate_place is not None and line.reference_place is not None:
                found = MOVED if line.moved_by else MATCHED
                marks[line.candidate_place] = own[line.reference_place] = found
        return Marks(marks, [own if alignment is best else None for alignment in tried])


def make_marker(references: Sequence[Words], recipe: TerRecipe) -> TerMarker:
    """Return a marker of words that are where the reference has them."""
    return TerMarker(references, recipe.counting)


def shown_tokens(split: Words) -> Words:
    """Return the words to highlight: all of them."""
    return split


def split_words(text: Text, recipe: TerRecipe) -> Words:
    """Split a text into words."""
    return split_text(text, recipe.counting)


def locate(text: Text, tokens: Words, recipe: TerRecipe) -> list[Span | None]:
    """Find the span of every word; None if normalization changed it."""
    return locate_tokens(text, tokens, "whitespace", recipe.case)


def match(candidates: Sequence[Text], references: Sequence[Text], recipe: TerRecipe) -> list[Counter[tuple[str, ...]]]:
    """Count the words of each candidate that are where the reference has them, after shifts; each as a tuple of one."""
    found: list[Counter[tuple[str, ...]]] = []
    for text in candidates:
        lines = TerEvidence(text, tuple(references), recipe.counting).alignment.lines
        found.append(Counter((str(line.candidate_word),) for line in lines if line.step is EditStep.MATCH))
    return found


def length_layout(recipe: TerRecipe) -> Layout[TerStats]:
    """Return a layout that has the column ``candidate_length`` and needs no search for shifts."""
    return ter_layout(recipe.counting._replace(longest_shift=0))
