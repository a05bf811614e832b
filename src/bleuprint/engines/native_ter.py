"""TER in the kernel: edits and shifts of texts whose case and punctuation Python has settled."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.engines.native_metric import BeyondKernelError, NativeMetric, cased, the_kernel
from bleuprint.metrics.ter.counts import normalise
from bleuprint.metrics.ter.stats import TerCounting
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.text.segments import Segments, Text

if TYPE_CHECKING:
    from bleuprint.engines.engine import Prepared


class NativeTer(NativeMetric):
    """Splits at white space, aligns and searches shifts in the kernel."""

    def count(self, segments: Segments, layout: Layout[Any], table: StatsTable[Any], threads: int) -> None:
        """Prepare texts, and count them."""
        counting = _counting(layout)
        find_metric(layout.metric).check_references(segments.references)
        _count(*_prepared(segments, counting), counting, table, threads)

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> Prepared:
        """Lower and prepare references once."""
        return PreparedTexts(references, layout)

    def score_rows(self, table: StatsTable[Any], recipe: Recipe, scores: array[float]) -> None:
        """Divide as ``formula.py`` would."""
        the_kernel().score_ter(table.numbers, scores)

    def bootstrap(
        self,
        tables: Sequence[StatsTable[Any]],
        recipe: Recipe,
        seed: int,
        resamples: int,
        scores: array[float],
        threads: int,
    ) -> None:
        """Add up and score."""
        the_kernel().bootstrap_ter([table.numbers for table in tables], seed, resamples, scores, threads)

    def randomise(
        self,
        first: StatsTable[Any],
        second: StatsTable[Any],
        recipe: Recipe,
        seed: int,
        trials: int,
        threshold: float,
        threads: int,
    ) -> int:
        """Swap, add up and score."""
        found: int = the_kernel().randomise_ter(first.numbers, second.numbers, seed, trials, threshold, threads)
        return found


class PreparedTexts:
    """References whose case and punctuation are settled."""

    def __init__(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> None:
        self._layout, self._counting = layout, _counting(layout)
        find_metric(layout.metric).check_references(references)
        _, self._references = _prepared(Segments([], references), self._counting)

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        if threads is not None:
            threads = check_threads(threads)
        table = StatsTable.zeros(self._layout, len(candidates))
        texts, _ = _prepared(Segments(candidates, []), self._counting)
        _count(texts, self._references, self._counting, table, threads or 0)
        return table


def _counting(layout: Layout[Any]) -> TerCounting:
    if not isinstance(layout.counting, TerCounting):
        raise BeyondKernelError
    return layout.counting


def _prepared(segments: Segments, counting: TerCounting) -> tuple[list[Text], list[tuple[Text, ...]]]:
    """Write texts so that their words are what white space parts."""
    if counting.normalized == "no" and counting.punctuation == "keep":
        return cased(segments, counting.case)

    def write(text: Text) -> str:
        return normalise(text, counting)

    return list(map(write, segments.candidates)), [tuple(map(write, texts)) for texts in segments.references]


def _count(
    candidates: list[Text],
    references: list[tuple[Text, ...]],
    counting: TerCounting,
    table: StatsTable[Any],
    threads: int,
) -> None:
    the_kernel().count_ter(
        candidates, references, counting.shifted == "reference", counting.longest_shift,
        counting.empty_candidate == "no-edits", table.numbers, threads,
    )  # fmt: skip
