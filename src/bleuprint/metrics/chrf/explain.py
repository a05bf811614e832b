"""Explain a chrF score: its arithmetic, the evidence of a segment, and both as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bleuprint.counting.layout import Layout
from bleuprint.counting.ngrams import Ngram, list_ngrams
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
from bleuprint.metrics.marks import Marks, Matcher, cover
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
        own, other = (
            _places(text.units(unit), order) for text in (self.candidate_parts, self.reference_parts[self.chosen])
        )
        return [
            ChrfNgram(unit, ngram, tuple(own.get(ngram, ())), tuple(other.get(ngram, ())))
            for ngram in dict.fromkeys([*own, *other])
        ]

    def find_ngram(self, order: int, text: int, place: object) -> int | None:
        """Give the number, among its order, of the n-gram at a place of the candidate (0) or of a reference (1 …)."""
        if text not in (0, self.chosen + 1):
            return None
        ngrams = self.ngrams_of(*list(list_orders(self.counting))[order - 1])
        own = (ngram.reference_places if text else ngram.places for ngram in ngrams)
        return next((number for number, places in enumerate(own) if place in places), None)

    @cached_property
    def candidate_view(self) -> tuple[CharacterEvidence, ...]:
        """The candidate's characters; of a repeated n-gram the first occurrences are those that count."""
        characters = self.candidate_parts.characters
        longest = cover(len(characters), ((n.order, n.places[: n.matches]) for n in self._matched))
        known = set(self.reference_parts[self.chosen].characters)
        rest = ["clipped" if character in known else "unmatched" for character in characters]
        return self._view(self.candidate, characters, longest, rest)

    @cached_property
    def reference_view(self) -> tuple[CharacterEvidence, ...]:
        """The characters of the chosen reference; a match there is an n-gram that the candidate has, too."""
        characters = self.reference_parts[self.chosen].characters
        longest = cover(len(characters), ((n.order, n.reference_places[: n.matches]) for n in self._matched))
        return self._view(self.references[self.chosen], characters, longest, ["missed"] * len(characters))

    def views_of(self, order: int) -> tuple[tuple[CharacterEvidence, ...], tuple[CharacterEvidence, ...]]:
        """The characters of candidate and chosen reference as the character n-grams of one order alone have them."""
        ngrams = self.ngrams_of(Unit.CHARACTERS, order)
        own, other = self.candidate_parts.characters, self.reference_parts[self.chosen].characters
        counted = cover(len(own), ((order, n.places[: n.matches]) for n in ngrams))
        known = cover(len(own), ((order, n.places) for n in ngrams if n.reference_count))
        found = cover(len(other), ((order, n.reference_places[: n.matches]) for n in ngrams))
        rest = ["clipped" if covered else "unmatched" for covered in known]
        return (
            self._view(self.candidate, own, counted, rest),
            self._view(self.references[self.chosen], other, found, ["missed"] * len(other)),
        )

    @cached_property
    def _matched(self) -> list[ChrfNgram]:
        return [ngram for ngram in self.ngrams if ngram.matches and ngram.unit is Unit.CHARACTERS]

    def _view(
        self, text: str, characters: str, longest: Sequence[int], rest: Sequence[str]
    ) -> tuple[CharacterEvidence, ...]:
        spans = locate_tokens(text, tuple(characters), "char", self.counting.case)
        statuses = ["matched" if length else other for length, other in zip(longest, rest, strict=True)]
        return tuple(map(CharacterEvidence, characters, spans, longest, statuses))


def gather(segment: Segment, score: ChrfScore) -> ChrfEvidence:
    """Return the evidence of a segment, which is computed lazily."""
    return ChrfEvidence(str(segment.candidate), tuple(map(str, segment.references)), score.recipe.counting)


def _places(units: Sequence[str], order: int) -> dict[tuple[str, ...], list[int]]:
    places: dict[tuple[str, ...], list[int]] = {}
    for place, ngram in enumerate(list_ngrams(units, order)):
        places.setdefault(tuple(map(str, ngram)), []).append(place)
    return places


def describe_arithmetic(arithmetic: ChrfArithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
    """Lay out the arithmetic; ``plain`` are the matches of each order without clipping."""
    return {
        "orders": [
            {
                "unit": line.unit.value,
                "order": line.order,
                "matches": line.matches,
                "candidate": line.candidate,
                "reference": line.reference,
                "plain_matches": plain[place] if plain else None,
                "precision": line.precision,
                "recall": line.recall,
                "f": line.f,
            }
            for place, line in enumerate(arithmetic.orders)
        ],
        "candidate_length": arithmetic.candidate_length,
        "reference_length": arithmetic.reference_length,
        "beta": arithmetic.beta,
        "averaging": arithmetic.averaging,
        "averaging_rule": arithmetic.averaging_rule,
        "precision": arithmetic.precision,
        "recall": arithmetic.recall,
        "zero_because": arithmetic.zero_because.value,
    }


def describe_evidence(evidence: ChrfEvidence) -> dict[str, object]:
    """Lay out texts, characters, words and n-grams of a segment."""
    return {
        "candidate": {
            "text": evidence.candidate,
            "characters": _characters(evidence.candidate_view),
            "words": list(evidence.candidate_parts.words),
        },
        "references": [
            {"text": text, "score": score}
            for text, score in zip(evidence.references, evidence.reference_scores, strict=True)
        ],
        "chosen_reference": evidence.chosen,
        "reference": {
            "text": evidence.references[evidence.chosen],
            "characters": _characters(evidence.reference_view),
            "words": list(evidence.reference_parts[evidence.chosen].words),
        },
        "ngrams": [_ngram(ngram) for ngram in evidence.ngrams],
    }


def describe_stats(stats: ChrfStats) -> dict[str, object]:
    """Lay out the counts of a segment."""
    return {
        "matches": list(stats.matches),
        "candidate": list(stats.candidate),
        "reference": list(stats.reference),
        "candidate_length": stats.candidate_length,
        "reference_length": stats.reference_length,
    }


def _characters(view: tuple[CharacterEvidence, ...]) -> list[dict[str, object]]:
    return [
        {
            "character": part.character,
            "start": part.span[0] if part.span else None,
            "end": part.span[1] if part.span else None,
            "longest_match": part.longest_match,
            "status": part.status,
        }
        for part in view
    ]


def _ngram(ngram: ChrfNgram) -> dict[str, object]:
    return {
        "unit": ngram.unit.value,
        "order": ngram.order,
        "ngram": list(ngram.ngram),
        "count": ngram.count,
        "reference_count": ngram.reference_count,
        "matches": ngram.matches,
        "places": list(ngram.places),
        "reference_places": list(ngram.reference_places),
    }


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


def part_columns(layout: Layout[Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Name the columns of each order: matches, and n-grams of candidate and reference."""
    names = [name.removeprefix("matches_") for name in layout.columns if name.startswith("matches_")]
    return tuple((name, (f"matches_{name}", f"candidate_{name}", f"reference_{name}")) for name in names)


def length_layout(recipe: ChrfRecipe) -> Layout[ChrfStats]:
    """Return the smallest layout that has the column ``candidate_length``."""
    return chrf_layout(recipe.counting._replace(char_order=1, word_order=0))
