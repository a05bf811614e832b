"""The readable engine: the definition of the statistics that every other engine must equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.counting.ngrams import count_matches, count_ngrams, highest_counts
from bleuprint.counting.rows import BleuStats, StatsTable
from bleuprint.metrics.bleu.recipe import Counting
from bleuprint.metrics.bleu.reference_length import choose_length
from bleuprint.text.segments import Segment, Segments
from bleuprint.text.tokenizers import Tokens, tokenize

NAME = "python"


def count_segments(segments: Segments, counting: Counting, order: int) -> StatsTable:
    """Count every segment of a corpus up to ``order``."""
    return count_together(segments, [counting], order)[0]


def count_together(segments: Segments, countings: Sequence[Counting], order: int) -> list[StatsTable]:
    """Count a corpus for several rules about lengths and totals; all must split alike, so it is split once."""
    tables = [StatsTable(order) for _ in countings]
    for segment in segments:
        matched = match_segment(segment, countings[0], order)
        for table, counting in zip(tables, countings, strict=True):
            table.append(matched.under(counting))
    return tables


def count_segment(segment: Segment, counting: Counting, order: int) -> BleuStats:
    """Count one segment: tokenise, clip each order against the references, choose the reference length."""
    return match_segment(segment, counting, order).under(counting)


class Matched(NamedTuple):
    """A segment, split and matched: what the rules about lengths and totals start from."""

    matches: tuple[int, ...]
    candidate_length: int
    reference_lengths: list[int]

    def under(self, counting: Counting) -> BleuStats:
        """Apply the rules about lengths and totals."""
        orders = range(1, len(self.matches) + 1)
        return BleuStats(
            matches=self.matches,
            totals=tuple(segment_total(self.candidate_length, n, counting.segment_totals) for n in orders),
            candidate_length=self.candidate_length,
            reference_length=choose_length(counting.reference_length, self.candidate_length, self.reference_lengths),
        )


def match_segment(segment: Segment, counting: Counting, order: int) -> Matched:
    """Tokenise, and clip each order against the references."""
    candidate = tokenize(segment.candidate, counting.tokenizer, counting.case)
    references = [tokenize(text, counting.tokenizer, counting.case) for text in segment.references]
    matches = tuple(clipped_matches(candidate, references, n) for n in range(1, order + 1))
    return Matched(matches, len(candidate), [len(reference) for reference in references])


def clipped_matches(candidate: Tokens, references: list[Tokens], order: int) -> int:
    """Count the candidate's n-grams of one order, each at most as often as in its best reference."""
    limits = highest_counts(count_ngrams(reference, order) for reference in references)
    return count_matches(count_ngrams(candidate, order), limits)


def segment_total(length: int, order: int, rule: str) -> int:
    """Count how many n-grams a candidate of this length has; NLTK counts at least one."""
    return max(1 if rule == "at-least-1" else 0, length - order + 1)
