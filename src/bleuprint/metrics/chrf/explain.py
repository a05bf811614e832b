"""Explain a chrF score: its arithmetic, the evidence of a segment, and both as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bleuprint.counting.layout import Layout
from bleuprint.counting.ngrams import Ngram
from bleuprint.metrics.chrf.counting import (
    ChrfCounting,
    ChrfStats,
    ChrfText,
    choose_best_reference,
    chrf_layout,
    find_best,
    matched_ngrams,
    split_text,
    try_references,
)
from bleuprint.metrics.chrf.formula import ChrfZero, Unit, combine, list_orders
from bleuprint.metrics.chrf.recipe import AXES, ChrfRecipe
from bleuprint.metrics.chrf.score import ChrfScore
from bleuprint.metrics.marks import (
    Marks,
    Matcher,
    find_place,
    find_places,
    mark_candidate,
    mark_reference,
    token_marks,
)
from bleuprint.metrics.score import as_data
from bleuprint.text.segments import Segment, Text
from bleuprint.text.tokenizers.spans import Span, locate_tokens


@dataclass(frozen=True, slots=True)
class ChrfOrderLine:
    """One order: what was counted, and what the formula made of it."""

    unit: Unit
    order: int
    matches: int
    candidate: int
    reference: int
    precision: float | None
    recall: float | None
    f: float

    @property
    def name(self) -> str:
        """``c1`` for single characters, ``w2`` for pairs of words."""
        return f"{self.unit[0]}{self.order}"


@dataclass(frozen=True, slots=True)
class ChrfArithmetic:
    """How the score was computed, step by step."""

    orders: tuple[ChrfOrderLine, ...]
    candidate_length: int
    reference_length: int
    beta: float
    averaging: str
    averaging_rule: str
    precision: float | None
    recall: float | None
    """the means that F was made of; None where F of each order was averaged"""
    fraction: float
    score: float
    zero_because: ChrfZero
    """``ChrfZero.NONE`` unless nothing matches."""


def work_out(score: ChrfScore) -> ChrfArithmetic:
    """Lay out the arithmetic of a score."""
    stats, combination, recipe = score.stats, score.combination, score.recipe
    counts = zip(combination.terms, stats.matches, stats.candidate, stats.reference, strict=True)
    return ChrfArithmetic(
        orders=tuple(
            ChrfOrderLine(term.unit, term.order, matches, candidate, reference, term.precision, term.recall, term.f)
            for term, matches, candidate, reference in counts
        ),
        candidate_length=stats.candidate_length,
        reference_length=stats.reference_length,
        beta=recipe.beta,
        averaging=recipe.averaging,
        averaging_rule=AXES["averaging"].choices[recipe.averaging],
        precision=combination.precision,
        recall=combination.recall,
        fraction=score.fraction,
        score=score.score,
        zero_because=combination.zero_because,
    )


@dataclass(frozen=True, slots=True)
class ChrfNgram:
    """One n-gram: where it stands in the candidate and in the chosen reference, and how much of it counts."""

    unit: Unit
    ngram: tuple[str, ...]
    places: tuple[int, ...]
    """the characters or words at which it starts in the candidate"""
    reference_places: tuple[int, ...]
    """the same for the chosen reference"""

    @property
    def order(self) -> int:
        """Its number of characters or words."""
        return len(self.ngram)

    @property
    def count(self) -> int:
        """How often the candidate has it."""
        return len(self.places)

    @property
    def reference_count(self) -> int:
        """How often the chosen reference has it."""
        return len(self.reference_places)

    @property
    def is_known(self) -> bool:
        """Whether the chosen reference has it."""
        return bool(self.reference_places)

    @property
    def matches(self) -> int:
        """How often it counts: as often as both have it."""
        return min(self.count, self.reference_count)


@dataclass(frozen=True, slots=True)
class CharacterEvidence:
    """One character: its span in the text, and the length of the longest matched n-gram of characters over it.

    ``status`` is ``matched``; else ``clipped`` (the reference has it, but less often) or ``unmatched`` in the
    candidate, ``missed`` in the reference.
    """

    character: str
    span: Span | None
    longest_match: int
    status: str


@dataclass(frozen=True)
class ChrfEvidence:
    """Everything that one segment shows: texts, characters, words and n-grams."""

    candidate: str
    references: tuple[str, ...]
    counting: ChrfCounting

    @cached_property
    def candidate_parts(self) -> ChrfText:
        """The candidate's characters and words."""
        return split_text(self.candidate, self.counting)

    @cached_property
    def reference_parts(self) -> tuple[ChrfText, ...]:
        """The characters and words of each reference."""
        return tuple(split_text(text, self.counting) for text in self.references)

    @cached_property
    def reference_scores(self) -> tuple[float, ...]:
        """What the segment would score against each reference alone, on 0 to 100."""
        tried = try_references(self.candidate_parts, self.reference_parts, self.counting)
        return tuple(combine(stats, self.counting).score for stats in tried)

    @cached_property
    def chosen(self) -> int:
        """The place of the reference that scores best, the first of such."""
        return find_best(self.reference_scores, self.counting)

    @cached_property
    def ngrams(self) -> tuple[ChrfNgram, ...]:
        """Every n-gram of candidate and chosen reference, by order, in the order of first appearance."""
        return tuple(ngram for unit, order in list_orders(self.counting) for ngram in self.ngrams_of(unit, order))

    def ngrams_of(self, unit: Unit, order: int) -> list[ChrfNgram]:
        """Every n-gram of one order, in the order of first appearance."""
        texts = (self.candidate_parts, self.reference_parts[self.chosen])
        own, other = (find_places(text.units(unit), order) for text in texts)
        return [
            ChrfNgram(unit, tuple(map(str, ngram)), tuple(own.get(ngram, ())), tuple(other.get(ngram, ())))
            for ngram in dict.fromkeys([*own, *other])
        ]

    def find_ngram(self, order: int, text: int, place: object) -> int | None:
        """Return the number, in its order, of the n-gram at a position of the candidate (0) or of a reference (1 …)."""
        if text not in (0, self.chosen + 1):
            return None
        ngrams = self.ngrams_of(*list_orders(self.counting)[order - 1])
        return find_place(((n.places, n.reference_places) for n in ngrams), int(text > 0), place)

    @cached_property
    def candidate_view(self) -> tuple[CharacterEvidence, ...]:
        """The candidate's characters; of a repeated n-gram the first occurrences are those that count."""
        return self._view_candidate(self._runs, self.ngrams_of(Unit.CHARACTERS, 1))

    @cached_property
    def reference_view(self) -> tuple[CharacterEvidence, ...]:
        """The characters of the chosen reference; a match there is an n-gram that the candidate has, too."""
        return self._view_reference(self._runs)

    def views_of(self, order: int) -> tuple[tuple[CharacterEvidence, ...], tuple[CharacterEvidence, ...]]:
        """The characters of candidate and chosen reference as the character n-grams of one order alone have them."""
        ngrams = self.ngrams_of(Unit.CHARACTERS, order)
        return self._view_candidate(ngrams, ngrams), self._view_reference(ngrams)

    @cached_property
    def _runs(self) -> list[ChrfNgram]:
        return [ngram for ngram in self.ngrams if ngram.unit is Unit.CHARACTERS]

    def _view_candidate(self, ngrams: list[ChrfNgram], lowest: list[ChrfNgram]) -> tuple[CharacterEvidence, ...]:
        characters = self.candidate_parts.characters
        return self._view(self.candidate, characters, mark_candidate(len(characters), ngrams, lowest))

    def _view_reference(self, ngrams: list[ChrfNgram]) -> tuple[CharacterEvidence, ...]:
        characters = self.reference_parts[self.chosen].characters
        found = ((n.order, n.reference_places[: n.matches]) for n in ngrams)
        return self._view(self.references[self.chosen], characters, mark_reference(len(characters), found))

    def _view(self, text: str, characters: str, marks: Iterable[tuple[int, str]]) -> tuple[CharacterEvidence, ...]:
        spans = locate_tokens(text, tuple(characters), "char", self.counting.case)
        return tuple(
            CharacterEvidence(character, span, *mark)
            for character, span, mark in zip(characters, spans, marks, strict=True)
        )


def gather(segment: Segment, score: ChrfScore) -> ChrfEvidence:
    """Return the evidence of a segment, which is computed lazily."""
    return ChrfEvidence(str(segment.candidate), tuple(map(str, segment.references)), score.recipe.counting)


def describe_arithmetic(arithmetic: ChrfArithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
    """Return the arithmetic as plain data; ``plain`` are the matches of each order without clipping."""
    return {
        "orders": [
            as_data(line, "unit", "order", "matches", "candidate", "reference")
            | {"plain_matches": plain[place] if plain else None}
            | as_data(line, "precision", "recall", "f")
            for place, line in enumerate(arithmetic.orders)
        ],
        **as_data(
            arithmetic, "candidate_length", "reference_length", "beta", "averaging", "averaging_rule", "precision",
            "recall", "zero_because",
        ),
    }  # fmt: skip


def describe_evidence(evidence: ChrfEvidence) -> dict[str, object]:
    """Return texts, characters, words and n-grams of a segment as plain data."""
    texts = evidence.candidate, evidence.references[evidence.chosen]
    parts = evidence.candidate_parts, evidence.reference_parts[evidence.chosen]
    views = evidence.candidate_view, evidence.reference_view
    candidate, reference = (
        {"text": text, "characters": token_marks(view, "character"), "words": list(own.words)}
        for text, view, own in zip(texts, views, parts, strict=True)
    )
    scores = zip(evidence.references, evidence.reference_scores, strict=True)
    names = ("unit", "order", "ngram", "count", "reference_count", "matches", "places", "reference_places")
    return {
        "candidate": candidate,
        "references": [{"text": text, "score": score} for text, score in scores],
        "chosen_reference": evidence.chosen,
        "reference": reference,
        "ngrams": [as_data(ngram, *names) for ngram in evidence.ngrams],
    }


def describe_stats(stats: ChrfStats) -> dict[str, object]:
    """Return the counts of a segment as plain data."""
    return as_data(stats, "matches", "candidate", "reference", "candidate_length", "reference_length")


class ChrfMarker:
    """The references of one segment; each candidate is held against the one that is best for it."""

    def __init__(self, references: Sequence[ChrfText], counting: ChrfCounting) -> None:
        self._references, self._counting = references, counting
        self._matchers: dict[int, Matcher] = {}

    def mark(self, candidate: ChrfText) -> Marks:
        """Mark the characters of the candidate and of its best reference."""
        place = 0
        if len(self._references) > 1:
            place, _ = choose_best_reference(candidate, self._references, self._counting)
        if place not in self._matchers:
            self._matchers[place] = Matcher([self._references[place].characters], self._counting.char_order)
        marks, [own] = self._matchers[place].mark(candidate.characters)
        return Marks(marks, [own if number == place else None for number in range(len(self._references))])


def make_marker(references: Sequence[ChrfText], recipe: ChrfRecipe) -> ChrfMarker:
    """Return a marker of characters, by the longest matched n-gram over each."""
    return ChrfMarker(references, recipe.counting)


def shown_tokens(split: ChrfText) -> Sequence[str]:
    """Return the characters, which are highlighted."""
    return split.characters


def split_words(text: Text, recipe: ChrfRecipe) -> Sequence[str]:
    """Split a text into words."""
    return split_text(text, recipe.counting).words


def locate(text: Text, tokens: Sequence[str], recipe: ChrfRecipe) -> list[Span | None]:
    """Find the span of every character; None if the text does not contain it."""
    return locate_tokens(text, tuple(tokens), "char", recipe.case)


def match(candidates: Sequence[Text], references: Sequence[Text], recipe: ChrfRecipe) -> list[Counter[Ngram]]:
    """Count the n-grams of each candidate that match."""
    own, others = ([split_text(text, recipe.counting) for text in texts] for texts in (candidates, references))
    return [matched_ngrams(text, others, recipe.counting) for text in own]


def length_layout(recipe: ChrfRecipe) -> Layout[ChrfStats]:
    """Return the smallest layout that has the column ``candidate_length``."""
    return chrf_layout(recipe.counting._replace(char_order=1, word_order=0))
