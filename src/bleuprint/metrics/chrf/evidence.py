"""The evidence of an explanation: the texts of one segment, their characters, and every n-gram with its places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bleuprint.counting.ngrams import list_ngrams
from bleuprint.metrics.chrf.counts import ChrfText, find_best, split_text, try_references
from bleuprint.metrics.chrf.formula import combine
from bleuprint.metrics.chrf.stats import ChrfCounting, Unit, list_orders
from bleuprint.text.segments import Segment
from bleuprint.text.tokenizers.spans import Span, locate_tokens


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
        longest = _cover(len(characters), ((n.order, n.places[: n.matches]) for n in self._matched))
        known = set(self.reference_parts[self.chosen].characters)
        rest = ["clipped" if character in known else "unmatched" for character in characters]
        return self._view(self.candidate, characters, longest, rest)

    @cached_property
    def reference_view(self) -> tuple[CharacterEvidence, ...]:
        """The characters of the chosen reference; a match there is an n-gram that the candidate has, too."""
        characters = self.reference_parts[self.chosen].characters
        longest = _cover(len(characters), ((n.order, n.reference_places[: n.matches]) for n in self._matched))
        return self._view(self.references[self.chosen], characters, longest, ["missed"] * len(characters))

    def views_of(self, order: int) -> tuple[tuple[CharacterEvidence, ...], tuple[CharacterEvidence, ...]]:
        """The characters of candidate and chosen reference as the character n-grams of one order alone have them."""
        ngrams = self.ngrams_of(Unit.CHARACTERS, order)
        own, other = self.candidate_parts.characters, self.reference_parts[self.chosen].characters
        counted = _cover(len(own), ((order, n.places[: n.matches]) for n in ngrams))
        known = _cover(len(own), ((order, n.places) for n in ngrams if n.reference_count))
        found = _cover(len(other), ((order, n.reference_places[: n.matches]) for n in ngrams))
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


def gather(segment: Segment, counting: ChrfCounting) -> ChrfEvidence:
    """Prepare the evidence of a segment; the work is done as it is read."""
    return ChrfEvidence(str(segment.candidate), tuple(map(str, segment.references)), counting)


def _places(units: Sequence[str], order: int) -> dict[tuple[str, ...], list[int]]:
    places: dict[tuple[str, ...], list[int]] = {}
    for place, ngram in enumerate(list_ngrams(units, order)):
        places.setdefault(tuple(map(str, ngram)), []).append(place)
    return places


def _cover(length: int, matched: Iterable[tuple[int, Sequence[int]]]) -> list[int]:
    """For each character, the length of the longest matched n-gram over it; ``matched`` comes in rising order."""
    longest = [0] * length
    for order, starts in matched:
        for start in starts:
            longest[start : start + order] = [order] * order
    return longest
