"""chrF in the kernel: all of its recipes; texts are lowered before."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines.native import kernel_threads
from bleuprint.engines.native_metric import BeyondKernelError, NativeMetric, cased
from bleuprint.metrics.chrf.counting import ChrfCounting
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, Text

if TYPE_CHECKING:
    from bleuprint._kernel import Chrf
    from bleuprint.engines.engine import Column


class NativeChrf(NativeMetric):
    """Counts and combines in the kernel."""

    def count(self, segments: Segments, layout: Layout[Any], table: StatsTable[Any], threads: int) -> None:
        """Count every segment."""
        counting = _counting(layout)
        _chrf(self.kernel, counting).count(*cased(segments, counting.case), table.numbers, threads)

    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int) -> tuple[int, ...]:
        """Count matches without clipping, against the best reference."""
        counting, orders = _counting(layout), layout.order
        numbers = array("q", bytes(8 * len(segments) * orders))
        _chrf(self.kernel, counting).count_plain(*cased(segments, counting.case), numbers, threads)
        return tuple(sum(numbers[place::orders]) for place in range(orders))

    def count_columns(
        self,
        candidates: Column,
        references: Sequence[Column],
        layout: Layout[Any],
        table: StatsTable[Any],
        threads: int,
    ) -> list[tuple[int, int]]:
        """Count columns where Python's strings are not needed."""
        counting = _counting(layout)
        if counting.case != "mixed":
            raise BeyondKernelError
        return _chrf(self.kernel, counting).count_arrow(candidates, list(references), table.numbers, threads)

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> KeptReferences:
        """Keep references: counting them again takes no longer than finding what was counted."""
        return KeptReferences(self, references, layout)

    def make_scorer(self, recipe: Recipe) -> Chrf | None:
        """Score texts that need not be lowered."""
        counting = _counting(recipe.layout)
        return _chrf(self.kernel, counting) if counting.case == "mixed" else None

    def score_rows(self, table: StatsTable[Any], recipe: Recipe, scores: array[float]) -> None:
        """Score every row as ``formula.py`` would."""
        _chrf(self.kernel, _counting(recipe.layout)).score_rows(table.numbers, scores)

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
        numbers = [table.numbers for table in tables]
        _chrf(self.kernel, _counting(recipe.layout)).bootstrap(numbers, seed, resamples, scores, threads)

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
        chrf = _chrf(self.kernel, _counting(recipe.layout))
        return chrf.randomise(first.numbers, second.numbers, seed, trials, threshold, threads)

    def score_pairs(
        self,
        candidates: list[Text],
        references: list[tuple[Text, ...]],
        recipe: Recipe,
        scores: array[float],
        threads: int,
    ) -> None:
        """Take each candidate once, and hold all references against it."""
        counting = _counting(recipe.layout)
        _chrf(self.kernel, counting).score_pairs(
            *cased(Segments(candidates, references), counting.case), scores, threads
        )

    def score_among_themselves(self, texts: list[Text], recipe: Recipe, scores: array[float], threads: int) -> None:
        """Take each text once, and hold all others against it."""
        counting = _counting(recipe.layout)
        own, _ = cased(Segments(texts, []), counting.case)
        _chrf(self.kernel, counting).score_among_themselves(own, scores, threads)


class KeptReferences:
    """References for which nothing is worth preparing; they are handed on with the candidates."""

    def __init__(self, native: NativeMetric, references: list[tuple[Text, ...]], layout: Layout[Any]) -> None:
        self._native, self._references, self._layout = native, references, layout

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        wanted = kernel_threads(threads)
        table = StatsTable.zeros(self._layout, len(candidates))
        self._native.count(Segments(candidates, self._references), self._layout, table, wanted)
        return table


def _counting(layout: Layout[Any]) -> ChrfCounting:
    if not isinstance(layout.counting, ChrfCounting):
        raise BeyondKernelError
    return layout.counting


@lru_cache(maxsize=64)
def _chrf(kernel: ModuleType, counting: ChrfCounting) -> Chrf:
    """Settle everything but the case, which is settled before."""
    chrf: Chrf = kernel.Chrf(*counting[1:])
    return chrf
