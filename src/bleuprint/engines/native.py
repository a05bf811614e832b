"""The fast engine: what ``python.py`` does, done by the compiled kernel, with equal results.

The kernel splits text itself where it knows the tokenizer. Elsewhere Python splits and hands the tokens over. What the
kernel cannot do goes to the readable engine, in one place: ``kernel_or_python``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.engines.python import PythonEngine
from bleuprint.errors import BleuprintError
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.metrics.bleu.stats import Counting
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.faults import KINDS, RowFault
from bleuprint.text.segments import Segments, SnapshotSegments, Text
from bleuprint.text.tokenizers import Tokens, tokenize
from bleuprint.text.tokenizers.casing import apply_case
from bleuprint.text.tokenizers.registry import PRETOKENIZED

if TYPE_CHECKING:
    from bleuprint._kernel import Formula, PreparedReferences, SegmentScorer
    from bleuprint.engines.engine import Column, Prepared, ScoredSegment

INSIDE = frozenset({"whitespace", "13a", "intl", "zh", "zh-corrected", "char"})
"""The tokenizers that run inside the kernel."""
Method = TypeVar("Method", bound=Callable[..., Any])


class BeyondKernelError(Exception):
    """The kernel cannot do it: another way of counting or combining than it knows."""


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

    def count(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> StatsTable[Any]:
        """Count every segment of a corpus."""
        if not isinstance(layout.counting, Counting):
            return super().count_together(segments, [layout], threads)[0]
        if threads is not None:
            threads = check_threads(threads)
        table = StatsTable.zeros(layout, len(segments))
        counting = _counting(layout)
        counts = (*_rules(counting), layout.order, table.numbers, threads or 0)
        if isinstance(segments, SnapshotSegments) and counting.tokenizer == PRETOKENIZED and counting.case == "mixed":
            segments.snapshot.count(*counts)
        elif runs_inside(counting):
            candidates, references = _cased(segments, counting.case)
            _kernel().count_texts(candidates, references, counting.tokenizer, *counts)
        else:
            candidates, references = _tokenised(segments, counting)
            _kernel().count_tokens(candidates, references, *counts)
        return table

    def count_together(
        self, segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None = None
    ) -> list[StatsTable[Any]]:
        """Count one layout after the other: splitting costs the kernel next to nothing."""
        return [self.count(segments, layout, threads) for layout in layouts]

    @kernel_or_python
    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> tuple[int, ...]:
        """Per order, how many n-grams of the candidates occur in a reference at all."""
        if threads is not None:
            threads = check_threads(threads)
        table = StatsTable.zeros(layout, len(segments))
        candidates, references, tokenizer = _as_texts(segments, _counting(layout))
        _kernel().count_plain(candidates, references, tokenizer, layout.order, table.numbers, threads or 0)
        return table.sum_row()[2 : 2 + layout.order]

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Count one segment of tokens into a row; None where it takes more than that."""
        row: tuple[int, ...] | None = _kernel().count_one(
            candidate, references, *_rules(_counting(layout)), layout.order
        )
        return row

    def score_one(self, candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
        """Check, count and score one segment; None where it takes more than that."""
        known = _scorers.get(id(recipe))
        scorer = known[1] if known else _find_scorer(recipe)
        return scorer.score(candidate, references) if scorer else None

    @kernel_or_python
    def count_columns(
        self, candidates: Column, references: Sequence[Column], layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], list[RowFault]]:
        """Count columns straight from Arrow's memory: no text is copied, no Python string is made.

        A column is anything with ``__arrow_c_array__`` and a length: an array of pyarrow, polars, nanoarrow …
        """
        from bleuprint.engines.arrow_memory import check_columns

        counting = _counting(layout)
        if not runs_inside(counting) or counting.case != "mixed":  # which need Python's strings
            raise BeyondKernelError
        if threads is not None:
            threads = check_threads(threads)
        check_columns(candidates, references)
        table = StatsTable.zeros(layout, len(candidates))
        try:
            found = _kernel().count_arrow(
                candidates, list(references), counting.tokenizer, *_rules(counting), layout.order, table.numbers,
                threads or 0,
            )  # fmt: skip
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
        if not runs_inside(_counting(layout)):
            raise BeyondKernelError
        return NumberedReferences(references, layout)

    @kernel_or_python
    def score_rows(self, table: StatsTable[Any], recipe: Recipe) -> array[float]:
        """Score every row on its own, on 0 to 100, as ``formula.py`` would."""
        scores = _zeros(len(table))
        _kernel().score_table(table.numbers, table.layout.order, _formula(recipe), scores)
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
        """Score every table on every bootstrap resample, on 0 to 100."""
        if start:  # the kernel begins with the first
            raise BeyondKernelError
        scores = _zeros(len(tables) * resamples)
        numbers, order = [table.numbers for table in tables], tables[0].layout.order
        _kernel().bootstrap(numbers, order, _formula(recipe), seed, resamples, scores, threads or 0)
        return [scores[first : first + resamples] for first in range(0, len(scores), resamples)]

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
        """Count the trials in which swapped systems are ``threshold`` apart."""
        if start:
            raise BeyondKernelError
        order, formula = first.layout.order, _formula(recipe)
        found: int = _kernel().randomise(
            first.numbers, second.numbers, order, formula, seed, trials, threshold, threads or 0
        )
        return found

    @kernel_or_python
    def score_pairs(
        self, candidates: list[Text], references: list[tuple[Text, ...]], recipe: Recipe, threads: int | None = None
    ) -> array[float]:
        """Score every candidate against every entry of references: a matrix, row after row, on 0 to 100."""
        formula, scores = _formula(recipe), _zeros(len(candidates) * len(references))
        counting = _counting(recipe.layout)
        names, columns, tokenizer = _as_texts(Segments(candidates, references), counting)
        _kernel().pairwise(names, columns, tokenizer, *_rules(counting), formula, scores, threads or 0)
        return scores

    @kernel_or_python
    def score_among_themselves(self, texts: list[Text], recipe: Recipe, threads: int | None = None) -> array[float]:
        """Score every text against all others, on 0 to 100."""
        formula, scores = _formula(recipe), _zeros(len(texts))
        counting = _counting(recipe.layout)
        prepared, _, tokenizer = _as_texts(Segments(texts, []), counting)
        _kernel().among_themselves(prepared, tokenizer, *_rules(counting), formula, scores, threads or 0)
        return scores


class NumberedReferences:
    """References split and numbered once; texts must be for a tokenizer that runs inside the kernel."""

    def __init__(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> None:
        self._layout, self._counting = layout, _counting(layout)
        _, texts = _cased(Segments([], references), self._counting.case)
        self._prepared: PreparedReferences = _kernel().PreparedReferences(texts, self._counting.tokenizer)

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        if threads is not None:
            threads = check_threads(threads)
        table = StatsTable.zeros(self._layout, len(candidates))
        texts, _ = _cased(Segments(candidates, []), self._counting.case)
        self._prepared.count(texts, *_rules(self._counting), self._layout.order, table.numbers, threads or 0)
        return table


def runs_inside(counting: Counting) -> bool:
    """Whether the kernel itself splits texts for this recipe."""
    return isinstance(counting.tokenizer, str) and counting.tokenizer in INSIDE


def _counting(layout: Layout[Any]) -> Counting:
    if not isinstance(layout.counting, Counting):
        raise BeyondKernelError
    return layout.counting


def _rules(counting: Counting) -> tuple[str, bool]:
    """Give the rules about lengths and totals, as the kernel takes them."""
    return counting.reference_length, counting.segment_totals == "at-least-1"


def _kernel() -> ModuleType:
    kernel = find_kernel()
    if kernel is None:
        raise RuntimeError("the native engine was called without a kernel")
    return kernel


def _zeros(length: int) -> array[float]:
    return array("d", bytes(8 * length))


@lru_cache(maxsize=64)
def _formula(recipe: Recipe) -> Formula:
    if not isinstance(recipe, BleuRecipe) or recipe.is_for_one_segment:  # formulas that the kernel does not know
        raise BeyondKernelError
    smoothing = recipe.smoothing
    formula: Formula = _kernel().Formula(
        recipe.weights, smoothing.kind, smoothing.value or 0.0,
        recipe.absent_order, recipe.unmatched_order, recipe.nothing_matches,
    )  # fmt: skip
    return formula


_scorers: dict[int, tuple[Recipe, SegmentScorer | None]] = {}
"""By the identity of the recipe, which is kept with it: hashing a recipe would take as long as scoring a segment."""
MOST_SCORERS = 256


def _find_scorer(recipe: Recipe) -> SegmentScorer | None:
    scorer: SegmentScorer | None = None
    counting = recipe.counting
    if (
        isinstance(counting, Counting)
        and runs_inside(counting)
        and counting.case == "mixed"
        and not recipe.is_for_one_segment
    ):
        scorer = _kernel().SegmentScorer(
            counting.tokenizer, counting.reference_length, counting.segment_totals == "at-least-1", _formula(recipe)
        )
    if len(_scorers) >= MOST_SCORERS:
        _scorers.clear()
    _scorers[id(recipe)] = (recipe, scorer)
    return scorer


def _cased(segments: Segments, case: str) -> tuple[list[Text], list[tuple[Text, ...]]]:
    """Lower texts as the recipe says, before the kernel sees them."""
    if case == "mixed":
        return segments.candidates, segments.references

    def lower(text: Text) -> str:
        return apply_case(cast("str", text), case)  # not str(text), which a subclass may answer with something else

    return list(map(lower, segments.candidates)), [tuple(map(lower, texts)) for texts in segments.references]


def _tokenised(segments: Segments, counting: Counting) -> tuple[list[Tokens], list[tuple[Tokens, ...]]]:
    """Split in Python what the kernel cannot split."""
    if counting.tokenizer == PRETOKENIZED and counting.case == "mixed":
        return segments.candidates, segments.references

    def split(text: Text) -> Tokens:
        return tuple(tokenize(text, counting.tokenizer, counting.case))

    return list(map(split, segments.candidates)), [tuple(map(split, texts)) for texts in segments.references]


def _as_texts(segments: Segments, counting: Counting) -> tuple[list[Text], list[tuple[Text, ...]], str]:
    """Give texts that the kernel can split; tokens from elsewhere become numbers with spaces between."""
    if runs_inside(counting):
        return (*_cased(segments, counting.case), str(counting.tokenizer))
    candidates, references = _tokenised(segments, counting)
    numbers: dict[object, str] = {}

    def write(tokens: Tokens) -> str:
        return " ".join([numbers.setdefault(token, str(len(numbers))) for token in tokens])

    return list(map(write, candidates)), [tuple(map(write, texts)) for texts in references], "whitespace"
