"""BLEU's counts: clipped matches, totals and lengths of one segment. The definition that every engine must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bleuprint.counting.layout import Layout
from bleuprint.counting.ngrams import Ngram, count_matches, count_ngrams, count_plain, highest_counts
from bleuprint.metrics.bleu.stats import BleuStats, Counting, find_counting
from bleuprint.text.tokenizers import Tokens


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
