"""The readable engine: the definition of the statistics that every other engine must equal."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
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
    from bleuprint.engines.engine import AddedUp, Column, Prepared
    from bleuprint.metrics.score import ScoredSegment


class PythonEngine:
    """Counts with Counters and combines by the formula of the metric: slow, complete, what the others must equal."""

    name = "python"

    def count(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> StatsTable[Any]:
        """Count every segment of a corpus."""
        return _count(segments, [layout], threads)[0]

    def count_together(
        self, segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None = None
    ) -> list[StatsTable[Any]]:
        """Count for several rules about lengths and totals; all must split alike, so it is split once."""
        return _count(segments, layouts, threads)

    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> tuple[int, ...]:
        """Per order, how many n-grams of the candidates occur in a reference at all."""
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
        """Count one after the other."""
        return self.count(segments, layout, threads), self.count_plain(segments, layout, threads)

    def trace(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> Sequence[Any]:
        """Return TER's shifts and steps from a candidate to each reference, all of them split."""
        from bleuprint.metrics.ter.counting import trace_words

        return trace_words(candidate, references, layout)

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Leave it to ``count``: there is no shorter way here."""
        return None

    def score_one(self, candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
        """Leave it to the steps one by one."""
        return None

    def add_up(
        self, candidates: object, references: object, layout: Layout[Any], threads: int | None = None
    ) -> AddedUp | None:
        """Leave it to the steps one by one."""
        return None

    def count_columns(
        self, candidates: Column, references: Sequence[Column], layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], list[RowFault]]:
        """Count every row that can be counted, by way of Python's texts, and name the others."""
        from bleuprint.engines.columns import naming_rows, read_columns

        kind = layout.text_kind
        segments, faults = read_columns(candidates, references, pretokenized=kind["pretokenized"])
        with naming_rows(faults):
            if kind["pretokenized"] and len(segments):  # tokens may be anything, so they are looked at one by one
                segments = pair_segments(segments.candidates, segments.references, **kind)
            return self.count(segments, layout, threads), faults

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> Prepared:
        """Split references once."""
        return SplitReferences(references, layout)

    def score_rows(self, table: StatsTable[Any], recipe: Recipe) -> array[float]:
        """Score every row on its own, on 0 to 100."""
        return array("d", (score_row(table.row(place), recipe) for place in range(len(table))))

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
        from bleuprint.counting.resampling import bootstrap_sums

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
        from bleuprint.counting.resampling import swap_sums

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


def _count(segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None) -> list[StatsTable[Any]]:
    """Count for all layouts. It is no method, so that a faster engine, which hands a corpus on, is not asked again."""
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


class SplitReferences:
    """References that Python has split once."""

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
