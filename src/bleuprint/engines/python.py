"""The readable engine: the definition of the statistics that every other engine must equal."""

from __future__ import annotations

from bleuprint.ngrams import count_matches, count_ngrams, highest_counts
from bleuprint.recipe import Counting
from bleuprint.reference_length import choose_length
from bleuprint.segments import Segment, Segments
from bleuprint.stats import BleuStats, StatsTable
from bleuprint.tokenizers import Tokens, tokenize

NAME = "python"


def count_segments(segments: Segments, counting: Counting, order: int) -> StatsTable:
    """Count every segment of a corpus up to ``order``."""
    table = StatsTable(order)
    for segment in segments:
        table.append(count_segment(segment, counting, order))
    return table


def count_segment(segment: Segment, counting: Counting, order: int) -> BleuStats:
    """Count one segment: tokenise, clip each order against the references, choose the reference length."""
    candidate = tokenize(segment.candidate, counting.tokenizer, counting.case)
    references = [tokenize(text, counting.tokenizer, counting.case) for text in segment.references]
    orders = range(1, order + 1)
    return BleuStats(
        matches=tuple(clipped_matches(candidate, references, n) for n in orders),
        totals=tuple(segment_total(len(candidate), n, counting.segment_totals) for n in orders),
        candidate_length=len(candidate),
        reference_length=choose_length(counting.reference_length, len(candidate), [len(r) for r in references]),
    )


def clipped_matches(candidate: Tokens, references: list[Tokens], order: int) -> int:
    """Count the candidate's n-grams of one order, each at most as often as in its best reference."""
    limits = highest_counts(count_ngrams(reference, order) for reference in references)
    return count_matches(count_ngrams(candidate, order), limits)


def segment_total(length: int, order: int, rule: str) -> int:
    """Count how many n-grams a candidate of this length has; NLTK counts at least one."""
    return max(1 if rule == "at-least-1" else 0, length - order + 1)
