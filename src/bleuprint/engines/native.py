"""The fast engine: what ``python.py`` does, done by the compiled kernel, with equal results.

What the kernel does for a metric stands in a module of its own. What it cannot do goes to the readable engine, in one
place: ``kernel_or_python``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.engines.native_metric import BeyondKernelError, NativeMetric
from bleuprint.engines.python import PythonEngine
from bleuprint.errors import BleuprintError
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.faults import KINDS, RowFault
from bleuprint.text.segments import Segments, Text

if TYPE_CHECKING:
    from bleuprint.engines.engine import AddedUp, Column, Prepared
    from bleuprint.engines.native_metric import Scorer
    from bleuprint.metrics.score import ScoredSegment

Method = TypeVar("Method", bound=Callable[..., Any])


def _load_bleu() -> type[NativeMetric]:
    from bleuprint.engines.native_bleu import NativeBleu

    return NativeBleu


def _load_chrf() -> type[NativeMetric]:
    from bleuprint.engines.native_chrf import NativeChrf

    return NativeChrf


def _load_ter() -> type[NativeMetric]:
    from bleuprint.engines.native_ter import NativeTer

    return NativeTer


NATIVE_METRICS: dict[str, Callable[[], type[NativeMetric]]] = {"bleu": _load_bleu, "chrf": _load_chrf, "ter": _load_ter}
"""What the kernel does for a metric, by its key; the rest of them it can only add up."""


@cache
def find_native(metric: str) -> NativeMetric:
    """Give what the kernel does for a metric; whoever has no kernel never comes here."""
    kernel = find_kernel()
    if kernel is None:
        raise RuntimeError("the native engine was called without a kernel")
    load = NATIVE_METRICS.get(metric)
    return (load() if load else NativeMetric)(kernel)


def kernel_threads(threads: int | None) -> int:
    """Check a number of threads; 0 asks for as many as the work is worth."""
    return 0 if threads is None else check_threads(threads) or 0


def kernel_or_python(method: Method) -> Method:
    """Hand a call to the readable engine where the kernel cannot do it, or where sums have more bits than it holds."""
    readable: Callable[..., Any] = getattr(PythonEngine, method.__name__)

    @wraps(method)
    def call(self: NativeEngine, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except (BeyondKernelError, OverflowError):
            return readable(self, *args, **kwargs)

    return cast("Method", call)


class NativeEngine(PythonEngine):
    """Counts and combines in the kernel."""

    name = "native"

    @kernel_or_python
    def count(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> StatsTable[Any]:
        """Count every segment of a corpus."""
        table = StatsTable.zeros(layout, len(segments))
        find_native(layout.metric).count(segments, layout, table, kernel_threads(threads))
        return table

    def count_together(
        self, segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None = None
    ) -> list[StatsTable[Any]]:
        """Count one layout after the other: splitting costs the kernel next to nothing."""
        return [self.count(segments, layout, threads) for layout in layouts]

    @kernel_or_python
    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> tuple[int, ...]:
        """Per order, how many n-grams of the candidates occur in a reference at all."""
        return find_native(layout.metric).count_plain(segments, layout, kernel_threads(threads))

    @kernel_or_python
    def count_with_plain(
        self, segments: Segments, layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], tuple[int, ...]]:
        """Count both at once."""
        table = StatsTable.zeros(layout, len(segments))
        return table, find_native(layout.metric).count_with_plain(segments, layout, table, kernel_threads(threads))

    @kernel_or_python
    def trace(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> Sequence[Any]:
        """Tell how a candidate becomes each reference."""
        return find_native(layout.metric).trace(candidate, references, layout)

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Count one segment of tokens into a row; None where it takes more than that."""
        return find_native(layout.metric).count_one(candidate, references, layout)

    def score_one(self, candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
        """Check, count and score one segment; None where it takes more than that."""
        known = _scorers.get(id(recipe))
        scorer = known[1] if known else _find_scorer(recipe)
        return scorer.score(candidate, references) if scorer else None

    @kernel_or_python
    def add_up(
        self, candidates: object, references: object, layout: Layout[Any], threads: int | None = None
    ) -> AddedUp | None:
        """Check, count and add up a corpus; None where it takes more than that."""
        return find_native(layout.metric).add_up(candidates, references, layout, kernel_threads(threads))

    @kernel_or_python
    def count_columns(
        self, candidates: Column, references: Sequence[Column], layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], list[RowFault]]:
        """Count columns straight from Arrow's memory: no text is copied, no Python string is made.

        A column is anything with ``__arrow_c_array__`` and a length: an array of pyarrow, polars, nanoarrow …
        """
        from bleuprint.engines.arrow_memory import check_columns

        wanted = kernel_threads(threads)
        check_columns(candidates, references)
        table = StatsTable.zeros(layout, len(candidates))
        try:
            found = find_native(layout.metric).count_columns(candidates, references, layout, table, wanted)
        except ValueError as error:
            raise BleuprintError(
                where="columns",
                wanted="texts in Arrow's format, as many references as candidates",
                got=str(error),
                next_step="Check where the arrays come from.",
            ) from None
        kinds = tuple(KINDS)
        table.truncate(len(candidates) - len(found))
        return table, [RowFault(row, kinds[kind]) for row, kind in found]

    @kernel_or_python
    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> Prepared:
        """Split and number references once."""
        return find_native(layout.metric).prepare(references, layout)

    @kernel_or_python
    def score_rows(self, table: StatsTable[Any], recipe: Recipe) -> array[float]:
        """Score every row on its own, on 0 to 100, as ``formula.py`` would."""
        scores = _zeros(len(table))
        find_native(table.layout.metric).score_rows(table, recipe, scores)
        return scores

    @kernel_or_python
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
        """Score every table on every bootstrap resample: what the kernel cannot score, it adds up for the formula."""
        native = find_native(tables[0].layout.metric)
        if not start:
            found = _zeros(len(tables) * resamples)
            with suppress(BeyondKernelError):
                native.bootstrap(tables, recipe, seed, resamples, found, threads or 0)
                return [found[first : first + resamples] for first in range(0, len(found), resamples)]
        scores: list[array[float]] = [array("d") for _ in tables]
        numbers, width = [table.numbers for table in tables], tables[0].width
        for first, count in _slices(start, resamples):
            sums = array("q", bytes(8 * len(tables) * count * width))
            native.kernel.bootstrap_sums(numbers, width, seed, first, sums, threads or 0)
            for place, own in enumerate(scores):
                own.extend(_score_sums(sums[place * count * width : (place + 1) * count * width], width, recipe))
        return scores

    @kernel_or_python
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
        """Count the trials, from number ``start`` on, in which swapped systems are ``threshold`` apart, likewise."""
        native = find_native(first.layout.metric)
        if not start:
            with suppress(BeyondKernelError):
                return native.randomise(first, second, recipe, seed, trials, threshold, threads or 0)
        found, width = 0, first.width
        for number, count in _slices(start, trials):
            sums = array("q", bytes(8 * 2 * count * width))
            native.kernel.swap_sums(first.numbers, second.numbers, width, seed, number, sums, threads or 0)
            scores = _score_sums(sums, width, recipe)
            found += sum(abs(one - other) >= threshold for one, other in zip(scores, scores, strict=True))
        return found

    @kernel_or_python
    def score_pairs(
        self, candidates: list[Text], references: list[tuple[Text, ...]], recipe: Recipe, threads: int | None = None
    ) -> array[float]:
        """Score every candidate against every entry of references: a matrix, row after row, on 0 to 100."""
        scores = _zeros(len(candidates) * len(references))
        find_native(recipe.metric.key).score_pairs(candidates, references, recipe, scores, threads or 0)
        return scores

    @kernel_or_python
    def score_among_themselves(self, texts: list[Text], recipe: Recipe, threads: int | None = None) -> array[float]:
        """Score every text against all others, on 0 to 100."""
        scores = _zeros(len(texts))
        find_native(recipe.metric.key).score_among_themselves(texts, recipe, scores, threads or 0)
        return scores


_scorers: dict[int, tuple[Recipe, Scorer | None]] = {}
"""By the identity of the recipe, which is kept with it: hashing a recipe would take as long as scoring a segment."""
MOST_SCORERS = 256


def _find_scorer(recipe: Recipe) -> Scorer | None:
    scorer = find_native(recipe.metric.key).make_scorer(recipe)
    if len(_scorers) >= MOST_SCORERS:
        _scorers.clear()
    _scorers[id(recipe)] = (recipe, scorer)
    return scorer


MOST_SUMS = 4096
"""Resamples whose sums are kept at a time."""


def _slices(start: int, count: int) -> Iterator[tuple[int, int]]:
    """Part resamples into slices: the number of the first, and how many."""
    for first in range(start, start + count, MOST_SUMS):
        yield first, min(MOST_SUMS, start + count - first)


def _score_sums(sums: array[int], width: int, recipe: Recipe) -> Iterator[float]:
    score = recipe.metric.score_row
    return (score(sums[place : place + width], recipe) for place in range(0, len(sums), width))


def _zeros(length: int) -> array[float]:
    """Make room for floats."""
    return array("d", bytes(8 * length))
