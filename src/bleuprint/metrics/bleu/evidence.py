"""The evidence of an explanation: the texts of one segment, their tokens, and every n-gram with its places."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bleuprint.counting.ngrams import Ngram, list_ngrams
from bleuprint.metrics.bleu.stats import Counting
from bleuprint.text.segments import Segment, Text
from bleuprint.text.tokenizers import Tokens, read_ahead, tokenize
from bleuprint.text.tokenizers.spans import Span, locate_tokens


@dataclass(frozen=True, slots=True)
class NgramEvidence:
    """One n-gram: where it stands in the candidate and in each reference, and how much of it counts."""

    ngram: Ngram
    places: tuple[int, ...]
    """the token positions at which it starts in the candidate"""
    reference_places: tuple[tuple[int, ...], ...]
    """the same for each reference"""

    @property
    def order(self) -> int:
        """Its number of tokens."""
        return len(self.ngram)

    @property
    def count(self) -> int:
        """How often the candidate has it."""
        return len(self.places)

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """How often each reference has it."""
        return tuple(map(len, self.reference_places))

    @property
    def clip(self) -> int:
        """How often it may count: its count in the reference where it is most frequent."""
        return max(self.reference_counts)

    @property
    def matches(self) -> int:
        """How often it counts: as often as the candidate has it, but at most ``clip`` times."""
        return min(self.count, self.clip)

    @property
    def clipped(self) -> int:
        """How many occurrences are too many, although a reference has the n-gram."""
        return self.count - self.matches if self.clip else 0

    @property
    def missed(self) -> int:
        """How often a reference has it beyond what the candidate has."""
        return max(0, self.clip - self.count)


@dataclass(frozen=True, slots=True)
class TokenEvidence:
    """One token: its span in the text, and the length of the longest matched n-gram that covers it.

    ``status`` is ``matched``; else ``clipped`` (a reference has it, but less often) or ``unmatched`` in the candidate,
    ``missed`` in a reference.
    """

    token: Hashable
    span: Span | None
    longest_match: int
    status: str


@dataclass(frozen=True)
class SegmentEvidence:
    """Everything that one segment shows: texts, tokens and n-grams."""

    candidate: Text
    references: tuple[Text, ...]
    counting: Counting
    order: int

    @cached_property
    def candidate_tokens(self) -> Tokens:
        """The candidate's tokens."""
        return self._split(self.candidate)[0]

    @cached_property
    def reference_tokens(self) -> tuple[Tokens, ...]:
        """The tokens of each reference."""
        return self._split(*self.references)

    def _split(self, *texts: Text) -> tuple[Tokens, ...]:
        read_ahead((self.candidate, *self.references), self.counting.tokenizer, self.counting.case)
        return tuple(tokenize(text, self.counting.tokenizer, self.counting.case) for text in texts)

    @cached_property
    def ngrams(self) -> tuple[NgramEvidence, ...]:
        """Every n-gram of candidate and references, by order, in the order of first appearance."""
        return tuple(ngram for order in range(1, self.order + 1) for ngram in self.ngrams_of(order))

    def ngrams_of(self, order: int) -> list[NgramEvidence]:
        """Every n-gram of one order, in the order of first appearance."""
        sides = [_places(self.candidate_tokens, order), *(_places(tokens, order) for tokens in self.reference_tokens)]
        seen = dict.fromkeys(ngram for side in sides for ngram in side)
        found = []
        for ngram in seen:
            own, *others = (tuple(side.get(ngram, ())) for side in sides)
            found.append(NgramEvidence(ngram, own, tuple(others)))
        return found

    def find_ngram(self, order: int, text: int, place: object) -> int | None:
        """Give the number, among its order, of the n-gram at a place of the candidate (0) or of a reference (1 …)."""
        own = ((ngram.places, *ngram.reference_places)[text] for ngram in self.ngrams_of(order))
        return next((number for number, places in enumerate(own) if place in places), None)

    @cached_property
    def candidate_view(self) -> tuple[TokenEvidence, ...]:
        """The candidate's tokens with spans; of a repeated n-gram the first occurrences are those that count."""
        longest = _cover(
            len(self.candidate_tokens), ((n.order, n.places[: n.matches]) for n in self.ngrams if n.matches)
        )
        known = {token for tokens in self.reference_tokens for token in tokens}
        rest = ["clipped" if token in known else "unmatched" for token in self.candidate_tokens]
        return self._view(self.candidate, self.candidate_tokens, longest, rest)

    @cached_property
    def reference_views(self) -> tuple[tuple[TokenEvidence, ...], ...]:
        """The tokens of each reference; a match there is an n-gram that the candidate has, too."""
        return tuple(self._reference_view(place) for place in range(len(self.references)))

    def _reference_view(self, place: int) -> tuple[TokenEvidence, ...]:
        tokens = self.reference_tokens[place]
        found = ((n.order, n.reference_places[place][: n.count]) for n in self.ngrams if n.count)
        return self._view(self.references[place], tokens, _cover(len(tokens), found), ["missed"] * len(tokens))

    def candidate_view_of(self, order: int) -> tuple[TokenEvidence, ...]:
        """The candidate's tokens as the n-grams of one order alone have them: covered by one that counts, or not."""
        ngrams, length = self.ngrams_of(order), len(self.candidate_tokens)
        counted = _cover(length, ((order, n.places[: n.matches]) for n in ngrams))
        known = _cover(length, ((order, n.places) for n in ngrams if n.clip))
        rest = ["clipped" if covered else "unmatched" for covered in known]
        return self._view(self.candidate, self.candidate_tokens, counted, rest)

    def reference_views_of(self, order: int) -> tuple[tuple[TokenEvidence, ...], ...]:
        """The tokens of each reference as the n-grams of one order alone have them."""
        ngrams = self.ngrams_of(order)
        views = []
        for place, (text, tokens) in enumerate(zip(self.references, self.reference_tokens, strict=True)):
            found = _cover(len(tokens), ((order, n.reference_places[place][: n.count]) for n in ngrams))
            views.append(self._view(text, tokens, found, ["missed"] * len(tokens)))
        return tuple(views)

    def _view(
        self, text: Text, tokens: Tokens, longest: Sequence[int], rest: Sequence[str]
    ) -> tuple[TokenEvidence, ...]:
        spans = locate_tokens(text, tokens, self.counting.tokenizer, self.counting.case)
        statuses = ["matched" if length else other for length, other in zip(longest, rest, strict=True)]
        return tuple(map(TokenEvidence, tokens, spans, longest, statuses))


def gather(segment: Segment, counting: Counting, order: int) -> SegmentEvidence:
    """Prepare the evidence of a segment; the work is done as it is read."""
    return SegmentEvidence(segment.candidate, segment.references, counting, order)


def _places(tokens: Tokens, order: int) -> dict[Ngram, list[int]]:
    places: dict[Ngram, list[int]] = {}
    for place, ngram in enumerate(list_ngrams(tokens, order)):
        places.setdefault(ngram, []).append(place)
    return places


def _cover(length: int, matched: Iterable[tuple[int, Sequence[int]]]) -> list[int]:
    """For each token, the length of the longest matched n-gram over it; ``matched`` comes in rising order."""
    longest = [0] * length
    for order, starts in matched:
        for start in starts:
            longest[start : start + order] = [order] * order
    return longest
