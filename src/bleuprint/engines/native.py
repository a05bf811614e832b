"""The fast engine: what ``python.py`` does, done by the compiled kernel, with equal results.

It overrides what the kernel can do. What a metric lacks and what the kernel refuses fall back to the Python engine in
one place: ``kernel_or_python``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.engines import check_threads
from bleuprint.engines.kernel_plans import BeyondKernelError, Plan, plan_counting, plan_scoring
from bleuprint.engines.python import PreparedReferences, PythonEngine
from bleuprint.errors import BleuprintError, Location
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.text.faults import KINDS, RowFault
from bleuprint.text.segments import Segments, SingleSegments, SnapshotSegments, Text

if TYPE_CHECKING:
    from bleuprint.metrics.score import ScoredSegment

Method = TypeVar("Method", bound=Callable[..., Any])


def kernel_or_python(method: Method) -> Method:
    """Fall back to the Python engine if the kernel cannot do it, or if sums have more bits than it has."""
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
        table, plan, wanted = StatsTable.zeros(layout, len(segments)), plan_counting(layout), _kernel_threads(threads)
        if isinstance(segments, SnapshotSegments):
            segments.snapshot.count(plan.kernel, table.numbers, wanted)
        elif plan.split:
            plan.kernel.count_tokens(*plan.split(segments), table.numbers, wanted)
        elif plan.case == "mixed":
            plan.kernel.count(*plan.write_texts(segments), plan.case, table.numbers, wanted)
        else:
            plan.kernel.count(segments.candidates, segments.references, plan.case, table.numbers, wanted)
        return table

    def count_together(
        self, segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None = None
    ) -> list[StatsTable[Any]]:
        """Count one layout after the other: splitting costs the kernel next to nothing."""
        return [self.count(segments, layout, threads) for layout in layouts]

    @kernel_or_python
    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> tuple[int, ...]:
        """Count matches without clipping."""
        return _count_with_plain(segments, layout, threads)[1]

    @kernel_or_python
    def count_with_plain(
        self, segments: Segments, layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], tuple[int, ...]]:
        """Count both at once."""
        return _count_with_plain(segments, layout, threads)

    @kernel_or_python
    def trace(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> Sequence[Any]:
        """Search TER's shifts in the kernel, to which words are numbers."""
        from bleuprint.engines.native_shifts import trace_words

        return trace_words(candidate, references, layout)

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Count one segment of tokens, unless anything is unusual."""
        count: Callable[..., tuple[int, ...] | None] | None = getattr(plan_counting(layout).kernel, "count_one", None)
        return count(candidate, references) if count else None

    def score_one(self, candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
        """Check, count and score one segment, unless anything is unusual."""
        known = _scorers.get(id(recipe))
        scorer = known[1] if known else _find_scorer(recipe)
        return scorer.score(candidate, references) if scorer else None

    @kernel_or_python
    def add_up(
        self, candidates: object, references: object, layout: Layout[Any], threads: int | None = None
    ) -> tuple[Segments, Sums[Any]] | None:
        """Check texts with one reference each while other threads count them, or copy tokens and count these."""
        plan, wanted = plan_counting(layout), _kernel_threads(threads)
        if layout.pretokenized and not layout.cased:
            snapshot = _kernel().TokenSnapshot.take(candidates, references)
            added = snapshot and snapshot.add_up(plan.kernel, plan.thresholds, wanted)
            return added and (SnapshotSegments(snapshot, added[1][0]), Sums(layout, *added))
        if not plan.takes_texts:
            return None
        found = plan.find("add_up")(candidates, references, plan.thresholds, wanted)
        return found and (SingleSegments(*found[:2]), Sums(layout, *found[2:]))

    @kernel_or_python
    def count_columns(
        self, candidates: Any, references: Sequence[Any], layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], list[RowFault]]:
        """Count columns straight from Arrow's memory: no text is copied, no Python string is made.

        A column is anything with ``__arrow_c_array__`` and a length: an array of pyarrow, polars, nanoarrow …
        """
        from bleuprint.engines.arrow_memory import check_columns

        wanted = _kernel_threads(threads)
        check_columns(candidates, references)
        plan = plan_counting(layout)
        if not plan.takes_texts:
            raise BeyondKernelError
        table = StatsTable.zeros(layout, len(candidates))
        try:
            found = plan.find("count_columns")(candidates, list(references), table.numbers, wanted)
        except ValueError as error:
            raise BleuprintError(
                f"expected texts in Arrow's format, as many references as candidates, got {error}.",
                "Check where the arrays come from.",
                location=Location("columns"),
            ) from None
        kinds = tuple(KINDS)
        table.truncate(len(candidates) - len(found))
        return table, [RowFault(row, kinds[kind]) for row, kind in found]

    @kernel_or_python
    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> PreparedReferences:
        """Write references once as the kernel reads them."""
        return NativeReferences(references, layout)

    @kernel_or_python
    def score_rows(self, table: StatsTable[Any], recipe: Recipe) -> array[float]:
        """Score every row on its own, on 0 to 100, as ``formula.py`` would."""
        scores = _zeros(len(table))
        plan_scoring(recipe).kernel.score_rows(table.numbers, table.width, scores)
        return scores

    def score_row(self, row: tuple[int, ...], recipe: Recipe) -> float | None:
        """Score one row, if the kernel has the formula."""
        scores = _zeros(1)
        try:
            plan_scoring(recipe).kernel.score_rows(array("q", row), len(row), scores)
        except (BeyondKernelError, OverflowError):
            return None
        return scores[0]

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
        """Score every table on every bootstrap resample, from the first on, if the kernel has the formula."""
        if start:
            raise BeyondKernelError
        numbers, found = [table.numbers for table in tables], _zeros(len(tables) * resamples)
        kernel = plan_scoring(recipe).kernel
        kernel.bootstrap(numbers, tables[0].width, seed, resamples, found, threads or 0)
        return [found[first : first + resamples] for first in range(0, len(found), resamples)]

    def scores_resamples(self, recipe: Recipe) -> bool:
        """Whether the kernel has the formula."""
        try:
            return bool(plan_scoring(recipe)) and not recipe.is_for_one_segment
        except BeyondKernelError:
            return False

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
        """Count the trials in which swapped systems are ``threshold`` apart, likewise."""
        if start:
            raise BeyondKernelError
        randomise = plan_scoring(recipe).kernel.randomise
        return int(randomise(first.numbers, second.numbers, first.width, seed, trials, threshold, threads or 0))

    @kernel_or_python
    def score_pairs(
        self, candidates: list[Text], references: list[tuple[Text, ...]], recipe: Recipe, threads: int | None = None
    ) -> array[float]:
        """Score every candidate against every entry of references: a matrix, row after row, on 0 to 100."""
        plan, scores = plan_scoring(recipe), _zeros(len(candidates) * len(references))
        plan.find("score_pairs")(*plan.write_texts(Segments(candidates, references)), scores, threads or 0)
        return scores

    @kernel_or_python
    def score_among_themselves(self, texts: list[Text], recipe: Recipe, threads: int | None = None) -> array[float]:
        """Score every text against all others, on 0 to 100."""
        plan, scores = plan_scoring(recipe), _zeros(len(texts))
        plan.find("score_among_themselves")(plan.write_texts(Segments(texts, []))[0], scores, threads or 0)
        return scores

    def _sum_resamples(
        self, tables: Sequence[StatsTable[Any]], seed: int, resamples: int, start: int, threads: int | None
    ) -> Iterator[Sequence[Sequence[int]]]:
        """Sum rows in the kernel, for a formula that it does not have."""
        numbers, width, fall_back = [table.numbers for table in tables], tables[0].width, super()._sum_resamples
        for first, count in _slices(start, resamples):
            sums = array("q", bytes(8 * len(tables) * count * width))
            try:
                _kernel().bootstrap_sums(numbers, width, seed, first, sums, threads or 0)
            except OverflowError:
                yield from fall_back(tables, seed, count, first, threads)
            else:
                yield from zip(
                    *(_rows(sums, width, system * count, count) for system in range(len(tables))), strict=True
                )

    def _sum_swaps(
        self, first: StatsTable[Any], second: StatsTable[Any], seed: int, trials: int, start: int, threads: int | None
    ) -> Iterator[Sequence[Sequence[int]]]:
        """Sum rows in the kernel, likewise."""
        width, fall_back = first.width, super()._sum_swaps
        for number, count in _slices(start, trials):
            sums = array("q", bytes(8 * 2 * count * width))
            try:
                _kernel().swap_sums(first.numbers, second.numbers, width, seed, number, sums, threads or 0)
            except OverflowError:
                yield from fall_back(first, second, seed, count, number, threads)
            else:
                rows = _rows(sums, width, 0, 2 * count)
                yield from zip(rows, rows, strict=True)


class NativeReferences(PreparedReferences):
    """References written once as the kernel reads them. Splitting them again is faster than numbering them before."""

    def __init__(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> None:
        self._layout, self._plan = layout, plan_counting(layout)
        if self._plan.split:
            raise BeyondKernelError
        find_metric(layout.metric).check_references(references)
        self._written = self._plan.write_texts(Segments([], references))[1]

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        table = StatsTable.zeros(self._layout, len(candidates))
        texts = self._plan.write_texts(Segments(candidates, []))[0]
        self._plan.kernel.count(texts, self._written, "mixed", table.numbers, _kernel_threads(threads))
        return table


def _count_with_plain(
    segments: Segments, layout: Layout[Any], threads: int | None
) -> tuple[StatsTable[Any], tuple[int, ...]]:
    table, plan, wanted = StatsTable.zeros(layout, len(segments)), plan_counting(layout), _kernel_threads(threads)
    return table, plan.find("count_with_plain")(*plan.write_texts(segments), table.numbers, wanted)


_scorers: dict[int, tuple[Recipe, Any]] = {}
"""By the identity of the recipe, which is kept with it: hashing a recipe would take as long as scoring a segment."""
MOST_SCORERS = 256


def _find_scorer(recipe: Recipe) -> Any:
    """Return what scores one segment by a recipe, or None if the kernel cannot."""
    try:
        plan = plan_scoring(recipe)
    except BeyondKernelError:
        scorer = None
    else:
        can_score = not plan.split and hasattr(plan.kernel, "score")
        scorer = (WrittenScorer(plan) if plan.write else plan.kernel) if can_score else None
    if len(_scorers) >= MOST_SCORERS:
        _scorers.clear()
    _scorers[id(recipe)] = (recipe, scorer)
    return scorer


class WrittenScorer:
    """Scores segments whose texts Python writes before the kernel sees them."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def score(self, candidate: object, references: object) -> ScoredSegment | None:
        """Write the texts of one segment and score them, unless anything is unusual."""
        kept = tuple(references) if isinstance(references, (list, tuple)) else (references,)
        if not all(type(text) is str for text in (candidate, *kept)):
            return None
        (written,), (others,) = self._plan.write_texts(Segments([candidate], [kept]))  # type: ignore[list-item]
        scored = self._plan.kernel.score(written, others)
        return scored and (*scored[:3], kept)


def _kernel_threads(threads: int | None) -> int:
    """Check a number of threads; 0 stands for as many as the work is worth."""
    return 0 if threads is None else check_threads(threads) or 0


def _kernel() -> Any:
    return find_kernel()


MOST_SUMS = 4096
"""Resamples whose sums are kept at a time."""


def _slices(start: int, count: int) -> Iterator[tuple[int, int]]:
    """Divide resamples into slices: the number of the first, and how many."""
    for first in range(start, start + count, MOST_SUMS):
        yield first, min(MOST_SUMS, start + count - first)


def _rows(sums: array[int], width: int, first: int, count: int) -> Iterator[array[int]]:
    """Divide sums into rows, from a row on."""
    return (sums[row * width : (row + 1) * width] for row in range(first, first + count))


def _zeros(length: int) -> array[float]:
    """Make room for floats."""
    return array("d", bytes(8 * length))
