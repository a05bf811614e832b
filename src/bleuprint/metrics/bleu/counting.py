"""BLEU's counting: the integers of a segment, and how they are counted. Every engine must return the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self

from bleuprint.counting.layout import Layout, OrderStatistics, Threshold
from bleuprint.counting.ngrams import Ngram, count_matches, count_ngrams, count_plain, highest_counts
from bleuprint.errors import BleuprintError
from bleuprint.text.tokenizers import Tokens, tokenize
from bleuprint.text.tokenizers.registry import PRETOKENIZED, TokenizerFunction
from bleuprint.values import Value, keep


class Counting(NamedTuple):
    """The options that decide the counts. Recipes that share them can share statistics."""

    tokenizer: str | TokenizerFunction
    case: str
    reference_length: str
    segment_totals: str


class BleuStats(OrderStatistics, Value):
    """Clipped matches and totals per order, and the two lengths, of a segment or of a whole corpus.

    >>> BleuStats((5, 3), (5, 4), 5, 6) + BleuStats((2, 1), (2, 1), 2, 2)
    BleuStats(matches=(7, 4), totals=(7, 5), candidate_length=7, reference_length=8)
    """

    __match_args__ = ("matches", "totals", "candidate_length", "reference_length")
    __slots__ = __match_args__
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    candidate_length: int
    reference_length: int

    def __init__(
        self, matches: tuple[int, ...], totals: tuple[int, ...], candidate_length: int, reference_length: int
    ) -> None:
        keep(self, "matches", matches)
        keep(self, "totals", totals)
        keep(self, "candidate_length", candidate_length)
        keep(self, "reference_length", reference_length)

    @classmethod
    def from_row(cls, row: Sequence[int]) -> Self:
        """Read a row back."""
        split = len(row) // 2 + 1
        return cls(tuple(row[2:split]), tuple(row[split:]), row[0], row[1])

    def is_possible(self, segments: int) -> bool:
        """Whether texts could have these numbers. Some tools count one n-gram for a segment that has none."""
        length = self.candidate_length
        counts = zip(self.matches, self.totals, strict=True)
        return all(matches <= min(total, length) and total <= length + segments for matches, total in counts)

    def up_to(self, order: int) -> BleuStats:
        """Keep the orders up to ``order``: the statistics for BLEU-1 are part of those for BLEU-4."""
        return BleuStats(self.matches[:order], self.totals[:order], self.candidate_length, self.reference_length)


class Census(NamedTuple):
    """The number of segments, and how many of them are short or empty."""

    segments: int
    short: tuple[int, ...]
    """For each order, the segments whose candidate has fewer tokens than that."""
    empty_candidates: int = 0
    empty_references: int = 0
    """Segments whose chosen reference length is 0."""

    @classmethod
    def from_numbers(cls, numbers: Sequence[int]) -> Census:
        """Read the census of the thresholds in ``bleu_layout``."""
        segments, *short, empty_references = numbers
        return cls(segments, tuple(short), short[0], empty_references)


@lru_cache(maxsize=256)
def bleu_layout(order: int, counting: Counting | None = None) -> Layout[BleuStats]:
    """Lay out rows of BLEU's statistics: two lengths, then matches and totals for each order.

    >>> bleu_layout(2).columns[2:]
    ('matches_1', 'matches_2', 'totals_1', 'totals_2')
    """
    if order < 1:
        raise BleuprintError(f"expected an order from 1 on, got {order}.", "Usual is 4.", where="bleu_layout")
    orders = range(1, order + 1)
    counts = [f"{kind}_{n}" for kind in ("matches", "totals") for n in orders]
    short = [Threshold(f"short_{n}", 0, n) for n in orders]
    return Layout(
        "bleu", order, counting,
        columns=("candidate_length", "reference_length", *counts),
        thresholds=(*short, Threshold("empty_references", 1, 1)),
        read=BleuStats.from_row,
        read_census=Census.from_numbers,
        pretokenized=counting is not None and counting.tokenizer == PRETOKENIZED,
        cased=counting is not None and counting.case != "mixed",
    )  # fmt: skip


def count_tokens(candidate: Tokens, references: Sequence[Tokens], layouts: Sequence[Layout[Any]]) -> list[BleuStats]:
    """Count under several rules about lengths and totals; matches are the same under all of them."""
    orders, length = range(1, layouts[0].order + 1), len(candidate)
    matches = tuple(clipped_matches(candidate, references, n) for n in orders)
    lengths = [len(reference) for reference in references]
    return [
        BleuStats(
            matches=matches,
            totals=tuple(segment_total(length, n, layout.counting.segment_totals) for n in orders),
            candidate_length=length,
            reference_length=choose_length(layout.counting.reference_length, length, lengths),
        )
        for layout in layouts
    ]


def split_text(text: Any, counting: Counting) -> Tokens:
    """Split a text into tokens."""
    return tokenize(text, counting.tokenizer, counting.case)


def choose_length(rule: str, candidate_length: int, lengths: Sequence[int]) -> int:
    """Choose among the lengths of the references by the recipe's rule."""
    if rule == "shortest":
        return min(lengths)
    if rule == "closest":
        return min(lengths, key=lambda length: (abs(length - candidate_length), length))
    return min(lengths, key=lambda length: abs(length - candidate_length))  # min() returns the first of equals


def clipped_matches(candidate: Tokens, references: Sequence[Tokens], order: int) -> int:
    """Count the candidate's n-grams of one order, each at most as often as in its best reference."""
    limits = highest_counts(count_ngrams(reference, order) for reference in references)
    return count_matches(count_ngrams(candidate, order), limits)


def plain_matches(candidate: Tokens, references: Sequence[Tokens], layout: Layout[Any]) -> tuple[int, ...]:
    """Per order, how many of the candidate's n-grams occur in a reference at all, without clipping."""
    return tuple(
        count_plain(count_ngrams(candidate, n), highest_counts(count_ngrams(tokens, n) for tokens in references))
        for n in range(1, layout.order + 1)
    )


def matched_ngrams(candidates: Sequence[Tokens], references: Sequence[Tokens], order: int) -> list[Counter[Ngram]]:
    """For each candidate, the n-grams that match, each with how often it counts."""
    found: list[Counter[Ngram]] = [Counter() for _ in candidates]
    for n in range(1, order + 1):
        limits = highest_counts(count_ngrams(tokens, n) for tokens in references)
        for own, tokens in zip(found, candidates, strict=True):
            counts = count_ngrams(tokens, n)
            own.update({ngram: min(count, limits[ngram]) for ngram, count in counts.items() if ngram in limits})
    return found


def segment_total(length: int, order: int, rule: str) -> int:
    """Count how many n-grams a candidate of this length has; NLTK counts at least one."""
    return max(1 if rule == "at-least-1" else 0, length - order + 1)
