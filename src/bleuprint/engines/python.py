"""The readable engine: the definition of the statistics that every other engine must equal."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.ngrams import count_matches, count_ngrams, count_plain, highest_counts
from bleuprint.counting.resampling import bootstrap_sums, swap_sums
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.engines.columns import read_columns
from bleuprint.engines.engine import Column, Prepared, ScoredSegment
from bleuprint.metrics.bleu.formula import score_stats
from bleuprint.metrics.bleu.recipe import Recipe
from bleuprint.metrics.bleu.reference_length import choose_length
from bleuprint.metrics.bleu.stats import BleuStats, Counting, bleu_layout
from bleuprint.text.faults import RowFault
from bleuprint.text.segments import Segment, Segments, Text, pair_segments
from bleuprint.text.tokenizers import Tokens, tokenize
from bleuprint.text.tokenizers.registry import PRETOKENIZED


class PythonEngine:
    """Counts with Counters and combines with ``formula.py``: slow, complete, and what the others are compared with."""

    name = "python"

    def count(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> StatsTable[Any]:
        """Count every segment of a corpus."""
        return self.count_together(segments, [layout], threads)[0]

    def count_together(
        self, segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None = None
    ) -> list[StatsTable[Any]]:
        """Count for several rules about lengths and totals; all must split alike, so it is split once."""
        check_threads(threads)
        tables: list[StatsTable[Any]] = [StatsTable(layout) for layout in layouts]
        for segment in segments:
            matched = match_segment(segment, layouts[0])
            for table, layout in zip(tables, layouts, strict=True):
                table.append(matched.under(_counting(layout)))
        return tables

    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> tuple[int, ...]:
        """Per order, how many n-grams of the candidates occur in a reference at all."""
        found = [0] * layout.order
        for segment in segments:
            candidate, references = _split(segment, _counting(layout))
            for order in range(1, layout.order + 1):
                limits = highest_counts(count_ngrams(reference, order) for reference in references)
                found[order - 1] += count_plain(count_ngrams(candidate, order), limits)
        return tuple(found)

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Leave it to ``count``: there is no shorter way here."""
        return None

    def score_one(self, candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
        """Leave it to the steps one by one."""
        return None

    def count_columns(
        self, candidates: Column, references: Sequence[Column], layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], list[RowFault]]:
        """Count every row that can be counted, by way of Python's texts, and name the others."""
        counting = _counting(layout)
        pretokenized = counting.tokenizer == PRETOKENIZED
        segments, faults = read_columns(candidates, references, pretokenized=pretokenized)
        if pretokenized and len(segments):  # tokens may be anything, so they are looked at one by one
            cased = counting.case != "mixed"
            segments = pair_segments(segments.candidates, segments.references, pretokenized=True, cased=cased)
        return self.count(segments, layout, threads), faults

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> Prepared:
        """Split references once."""
        return SplitReferences(references, layout, self.count)

    def score_rows(self, table: StatsTable[Any], recipe: Recipe) -> array[float]:
        """Score every row on its own, on 0 to 100."""
        return array("d", (score_stats(stats, recipe) for stats in table))

    def resample(
        self,
        tables: Sequence[StatsTable[Any]],
        recipe: Recipe,
        *,
        seed: int,
        resamples: int,
        start: int = 0,
        threads: int | None = None,
    ) -> list[array[float]]:
        """Score every table on every bootstrap resample, from number ``start`` on, on 0 to 100."""
        scores: list[array[float]] = [array("d") for _ in tables]
        for rows in bootstrap_sums(tables, seed, resamples, start):
            for own, row in zip(scores, rows, strict=True):
                own.append(score_row(row, recipe))
        return scores

    def count_extremes(
        self,
        first: StatsTable[Any],
        second: StatsTable[Any],
        recipe: Recipe,
        *,
        seed: int,
        trials: int,
        threshold: float,
        start: int = 0,
        threads: int | None = None,
    ) -> int:
        """Count the trials, from number ``start`` on, in which swapped systems are ``threshold`` apart."""
        return sum(
            abs(score_row(one, recipe) - score_row(other, recipe)) >= threshold
            for one, other in swap_sums(first, second, seed, trials, start)
        )

    def score_pairs(
        self, candidates: list[Text], references: list[tuple[Text, ...]], recipe: Recipe, threads: int | None = None
    ) -> array[float]:
        """Score every candidate against every entry of references: a matrix, row after row, on 0 to 100."""
        scores = array("d")
        for candidate in candidates:
            scores.extend(self._score(Segments([candidate] * len(references), references), recipe))
        return scores

    def score_among_themselves(self, texts: list[Text], recipe: Recipe, threads: int | None = None) -> array[float]:
        """Score every text against all others, on 0 to 100."""
        others = [tuple(texts[:place] + texts[place + 1 :]) for place in range(len(texts))]
        return self._score(Segments(texts, others), recipe)

    def _score(self, segments: Segments, recipe: Recipe) -> array[float]:
        return self.score_rows(self.count(segments, recipe.layout), recipe)


class SplitReferences:
    """References that Python has split once."""

    def __init__(
        self, references: list[tuple[Text, ...]], layout: Layout[Any], count: Callable[..., StatsTable[Any]]
    ) -> None:
        self._layout, self._count = layout, count
        self._references = [tuple(self._split(text) for text in texts) for texts in references]

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        tokens = Segments([self._split(text) for text in candidates], self._references)
        counting = _counting(self._layout)._replace(tokenizer=PRETOKENIZED, case="mixed")
        counted = self._count(tokens, bleu_layout(self._layout.order, counting), threads)
        return StatsTable(self._layout, counted.numbers)

    def _split(self, text: Text) -> Tokens:
        counting = _counting(self._layout)
        return tuple(tokenize(text, counting.tokenizer, counting.case))


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


def count_segment(segment: Segment, layout: Layout[Any]) -> BleuStats:
    """Count one segment: tokenise, clip each order against the references, choose the reference length."""
    return match_segment(segment, layout).under(_counting(layout))


def match_segment(segment: Segment, layout: Layout[Any]) -> Matched:
    """Tokenise, and clip each order against the references."""
    candidate, references = _split(segment, _counting(layout))
    matches = tuple(clipped_matches(candidate, references, n) for n in range(1, layout.order + 1))
    return Matched(matches, len(candidate), [len(reference) for reference in references])


def clipped_matches(candidate: Tokens, references: list[Tokens], order: int) -> int:
    """Count the candidate's n-grams of one order, each at most as often as in its best reference."""
    limits = highest_counts(count_ngrams(reference, order) for reference in references)
    return count_matches(count_ngrams(candidate, order), limits)


def segment_total(length: int, order: int, rule: str) -> int:
    """Count how many n-grams a candidate of this length has; NLTK counts at least one."""
    return max(1 if rule == "at-least-1" else 0, length - order + 1)


def score_row(row: Sequence[int], recipe: Recipe) -> float:
    """Score one row of sums on 0 to 100."""
    return score_stats(BleuStats.from_row(row), recipe)


def _split(segment: Segment, counting: Counting) -> tuple[Tokens, list[Tokens]]:
    candidate = tokenize(segment.candidate, counting.tokenizer, counting.case)
    return candidate, [tokenize(text, counting.tokenizer, counting.case) for text in segment.references]


def _counting(layout: Layout[Any]) -> Counting:
    """Give the choices behind a layout of BLEU."""
    if not isinstance(layout.counting, Counting):
        raise TypeError(f"the readable engine was asked to count {layout} without a way of counting")
    return layout.counting
