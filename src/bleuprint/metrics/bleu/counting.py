"""BLEU's counting: the integers of a segment, and how they are counted. Every engine must return the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout, Threshold
from bleuprint.counting.ngrams import Ngram, count_matches, count_ngrams, count_plain, highest_counts
from bleuprint.counting.sums import Sums
from bleuprint.errors import BleuprintError
from bleuprint.text.tokenizers import Tokens
from bleuprint.text.tokenizers.registry import PRETOKENIZED, TokenizerFunction
from bleuprint.values import Value, keep


class Counting(NamedTuple):
    """The axes that decide the counts. Recipes that share them can share statistics."""

    tokenizer: str | TokenizerFunction
    case: str
    reference_length: str
    segment_totals: str


class BleuStats(Value):
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
    def zero(cls, order: int) -> BleuStats:
        """The statistics of no text at all, the zero of addition."""
        return cls((0,) * order, (0,) * order, 0, 0)

    @property
    def order(self) -> int:
        """The highest order counted."""
        return len(self.matches)

    def __add__(self, other: BleuStats) -> BleuStats:
        if self.order != other.order:
            raise BleuprintError(
                where="BleuStats",
                wanted=f"statistics of order {self.order} to add",
                got=f"order {other.order}",
                next_step="Count with the same order; up_to(order) shortens statistics.",
            )
        return BleuStats(
            tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            self.candidate_length + other.candidate_length,
            self.reference_length + other.reference_length,
        )

    def up_to(self, order: int) -> BleuStats:
        """Keep the orders up to ``order``: the statistics for BLEU-1 are part of those for BLEU-4."""
        return BleuStats(self.matches[:order], self.totals[:order], self.candidate_length, self.reference_length)

    def to_row(self) -> tuple[int, ...]:
        """Lay the numbers out as a row: candidate length, reference length, matches, totals."""
        return (self.candidate_length, self.reference_length, *self.matches, *self.totals)

    @classmethod
    def from_row(cls, row: Sequence[int]) -> BleuStats:
        """Read a row back."""
        order = (len(row) - 2) // 2
        return cls(tuple(row[2 : 2 + order]), tuple(row[2 + order :]), row[0], row[1])


class Census(Value):
    """How many segments there were, and how many of them are a reason for a note."""

    __match_args__ = ("segments", "short", "empty_candidates", "empty_references")
    __slots__ = __match_args__
    segments: int
    short: tuple[int, ...]
    """For each order, the segments whose candidate has fewer tokens than that."""
    empty_candidates: int
    empty_references: int
    """Segments whose chosen reference length is 0."""

    def __init__(
        self, segments: int, short: tuple[int, ...], empty_candidates: int = 0, empty_references: int = 0
    ) -> None:
        keep(self, "segments", segments)
        keep(self, "short", short)
        keep(self, "empty_candidates", empty_candidates)
        keep(self, "empty_references", empty_references)

    @classmethod
    def from_numbers(cls, numbers: Sequence[int]) -> Census:
        """Read the census that ``bleu_layout`` asks for."""
        segments, *short, empty_references = numbers
        return cls(segments, tuple(short), short[0], empty_references)

    @classmethod
    def of_segment(cls, stats: BleuStats) -> Census:
        """The census of one segment."""
        short = tuple(int(stats.candidate_length < n) for n in range(1, stats.order + 1))
        return cls(1, short, short[0], int(stats.reference_length == 0))


@lru_cache(maxsize=256)
def bleu_layout(order: int, counting: Counting | None = None) -> Layout[BleuStats]:
    """Lay out rows of BLEU's statistics: two lengths, then matches and totals for each order.

    >>> bleu_layout(2).columns[2:]
    ('matches_1', 'matches_2', 'totals_1', 'totals_2')
    """
    if order < 1:
        raise BleuprintError(where="bleu_layout", wanted="an order from 1 on", got=str(order), next_step="Usual is 4.")
    orders = range(1, order + 1)
    counts = [f"{kind}_{n}" for kind in ("matches", "totals") for n in orders]
    short = [Threshold(f"short_{n}", 0, n) for n in orders]
    return Layout(
        "bleu", order, counting,
        columns=("candidate_length", "reference_length", *counts),
        thresholds=(*short, Threshold("empty_references", 1, 1)),
        read=BleuStats.from_row,
        pretokenized=counting is not None and counting.tokenizer == PRETOKENIZED,
        cased=counting is not None and counting.case != "mixed",
    )  # fmt: skip


def find_counting(layout: Layout[Any]) -> Counting:
    """Give the choices behind a layout of BLEU."""
    if not isinstance(layout.counting, Counting):
        raise TypeError(f"the readable engine was asked to count {layout} without a way of counting")
    return layout.counting


def may_be(sums: Sums[BleuStats]) -> bool:
    """Whether some text could have these numbers; a rule may count one n-gram for a segment that has none."""
    stats, census = sums.stats, Census.from_numbers(sums.census)
    most = stats.candidate_length + census.segments
    matched = zip(stats.matches, stats.totals, strict=True)
    return (
        all(matches <= min(total, stats.candidate_length) and total <= most for matches, total in matched)
        and max(*census.short, census.empty_candidates, census.empty_references) <= census.segments
        and (census.segments > 0 or not any(stats.to_row()))
    )


def count_tokens(candidate: Tokens, references: Sequence[Tokens], layouts: Sequence[Layout[Any]]) -> list[BleuStats]:
    """Count for several rules about lengths and totals; matches are the same under all of them."""
    matches = tuple(clipped_matches(candidate, references, n) for n in range(1, layouts[0].order + 1))
    lengths = [len(reference) for reference in references]
    return [apply_rules(matches, len(candidate), lengths, find_counting(layout)) for layout in layouts]


def apply_rules(
    matches: tuple[int, ...], candidate_length: int, reference_lengths: list[int], counting: Counting
) -> BleuStats:
    """Apply the rules about lengths and totals."""
    orders = range(1, len(matches) + 1)
    return BleuStats(
        matches=matches,
        totals=tuple(segment_total(candidate_length, n, counting.segment_totals) for n in orders),
        candidate_length=candidate_length,
        reference_length=choose_length(counting.reference_length, candidate_length, reference_lengths),
    )


def choose_length(rule: str, candidate_length: int, lengths: Sequence[int]) -> int:
    """Choose among the lengths of the references by the recipe's rule."""
    if rule == "shortest":
        return min(lengths)
    if rule == "closest":
        return min(lengths, key=lambda length: (abs(length - candidate_length), length))
    # closest-first: min() keeps the first of equals
    return min(lengths, key=lambda length: abs(length - candidate_length))


def clipped_matches(candidate: Tokens, references: Sequence[Tokens], order: int) -> int:
    """Count the candidate's n-grams of one order, each at most as often as in its best reference."""
    limits = highest_counts(count_ngrams(reference, order) for reference in references)
    return count_matches(count_ngrams(candidate, order), limits)


def plain_matches(candidate: Tokens, references: Sequence[Tokens], layout: Layout[Any]) -> tuple[int, ...]:
    """Per order, how many of the candidate's n-grams occur in a reference at all, without clipping."""
    counts = []
    for n in range(1, layout.order + 1):
        limits = highest_counts(count_ngrams(tokens, n) for tokens in references)
        counts.append(count_plain(count_ngrams(candidate, n), limits))
    return tuple(counts)


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
