"""The readable engine: the definition of the statistics that every other engine must equal."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.metrics import module_of
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.text.faults import RowFault
from bleuprint.text.segments import Segments, Text, pair_segments

if TYPE_CHECKING:
    from bleuprint.counting.sums import Sums
    from bleuprint.metrics.score import ScoredSegment


class PythonEngine:
    """Counts with Counters and scores with the formula of the metric: slow and complete. Other engines must equal it.

    Numbers of threads are hints: results never depend on them.
    """

    name = "python"

    def count(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> StatsTable[Any]:
        """Count every segment of a corpus."""
        return _count(segments, [layout], threads)[0]

    def count_together(
        self, segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None = None
    ) -> list[StatsTable[Any]]:
        """Count for several layouts whose texts are split alike, so that they are split once."""
        return _count(segments, layouts, threads)

    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> tuple[int, ...]:
        """Count matches of each order without clipping: n-grams of the candidates that occur in a reference at all."""
        metric, found = find_metric(layout.metric), [0] * layout.order
        plain_matches = module_of(metric, "counting").plain_matches
        metric.read_ahead(segments.texts(), layout)
        for segment in segments:
            candidate, references = metric.split_segment(segment, layout)
            found = list(map(add, found, plain_matches(candidate, references, layout)))
        return tuple(found)

    def count_with_plain(
        self, segments: Segments, layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], tuple[int, ...]]:
        """Return what ``count`` and ``count_plain`` return."""
        return self.count(segments, layout, threads), self.count_plain(segments, layout, threads)

    def trace(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> Sequence[Any]:
        """Return TER's shifts and steps from a candidate to each reference, all of them split."""
        from bleuprint.metrics.ter.counting import trace_words

        return trace_words(candidate, references, layout)

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Return the row of one segment of tokens, or None if the caller must use ``count``."""
        return None

    def score_one(self, candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
        """Check, count and score one segment in one call. Return None if the caller must do it step by step."""
        return None

    def add_up(
        self, candidates: object, references: object, layout: Layout[Any], threads: int | None = None
    ) -> tuple[Segments, Sums[Any]] | None:
        """Check, count and add up a corpus in one call. Return None if the caller must do it step by step."""
        return None

    def count_columns(
        self, candidates: Any, references: Sequence[Any], layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], list[RowFault]]:
        """Count every row of Arrow's columns that can be counted, and name the others."""
        from bleuprint.engines.columns import naming_rows, read_columns

        kind = layout.text_kind
        segments, faults = read_columns(candidates, references, pretokenized=kind["pretokenized"])
        with naming_rows(faults):
            if kind["pretokenized"] and len(segments):  # tokens may be anything, so they are looked at one by one
                segments = pair_segments(segments.candidates, segments.references, **kind)
            return self.count(segments, layout, threads), faults

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> PreparedReferences:
        """Split references once, to count many systems against them."""
        return PreparedReferences(references, layout)

    def score_rows(self, table: StatsTable[Any], recipe: Recipe) -> array[float]:
        """Score every row on its own, on 0 to 100."""
        return array("d", (score_row(table.row(place), recipe) for place in range(len(table))))

    def score_row(self, row: tuple[int, ...], recipe: Recipe) -> float | None:
        """Score one row without the terms of the formula. Return None if the formula is the fastest way."""
        return None

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
        score = recipe.metric.score_row
        for rows in self._sum_resamples(tables, seed, resamples, start, threads):
            for own, row in zip(scores, rows, strict=True):
                own.append(score(row, recipe))
        return scores

    def scores_resamples(self, recipe: Recipe) -> bool:
        """Whether many resamples take no longer than a few, because no formula runs in Python."""
        return False

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
            for one, other in self._sum_swaps(first, second, seed, trials, start, threads)
        )

    def score_pairs(
        self, candidates: list[Text], references: list[tuple[Text, ...]], recipe: Recipe, threads: int | None = None
    ) -> array[float]:
        """Score every candidate against every entry of references: a matrix, row after row, on 0 to 100."""
        scores, prepared = array("d"), self.prepare(references, recipe.layout)
        for candidate in candidates:
            scores.extend(self.score_rows(prepared.count([candidate] * len(references), threads), recipe))
        return scores

    def score_among_themselves(self, texts: list[Text], recipe: Recipe, threads: int | None = None) -> array[float]:
        """Score every text against all others, on 0 to 100."""
        others = [tuple(texts[:place] + texts[place + 1 :]) for place in range(len(texts))]
        return self.score_rows(self.count(Segments(texts, others), recipe.layout, threads), recipe)

    def _sum_resamples(
        self, tables: Sequence[StatsTable[Any]], seed: int, resamples: int, start: int, threads: int | None
    ) -> Iterator[Sequence[Sequence[int]]]:
        """Yield for every resample a row of sums per table."""
        from bleuprint.counting.resampling import bootstrap_sums

        return bootstrap_sums(tables, seed, resamples, start)

    def _sum_swaps(
        self, first: StatsTable[Any], second: StatsTable[Any], seed: int, trials: int, start: int, threads: int | None
    ) -> Iterator[Sequence[Sequence[int]]]:
        """Yield for every trial the rows of sums of both systems."""
        from bleuprint.counting.resampling import swap_sums

        return swap_sums(first, second, seed, trials, start)


def _count(segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None) -> list[StatsTable[Any]]:
    """Count for all layouts. This is a function because a faster engine that falls back overrides the methods."""
    check_threads(threads)
    metric = find_metric(layouts[0].metric)
    metric.check_references(segments.references)
    metric.read_ahead(segments.texts(), layouts[0])
    tables: list[StatsTable[Any]] = [StatsTable(layout) for layout in layouts]
    for segment in segments:
        candidate, references = metric.split_segment(segment, layouts[0])
        for table, stats in zip(tables, metric.count(candidate, references, layouts), strict=True):
            table.append(stats)
    return tables


class PreparedReferences:
    """References that were split once."""

    def __init__(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> None:
        self._layout, self._metric = layout, find_metric(layout.metric)
        self._metric.check_references(references)
        self._metric.read_ahead(chain.from_iterable(references), layout)
        self._references = [[self._metric.split_reference(text, layout) for text in texts] for texts in references]

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        check_threads(threads)
        table: StatsTable[Any] = StatsTable(self._layout)
        self._metric.read_ahead(candidates, self._layout)
        for candidate, references in zip(candidates, self._references, strict=True):
            split = self._metric.split(candidate, self._layout)
            table.append(self._metric.count(split, references, [self._layout])[0])
        return table


def score_row(row: Sequence[int], recipe: Recipe) -> float:
    """Score one row of sums on 0 to 100."""
    return recipe.metric.score_row(row, recipe)
