"""The fast engine: the same verbs as ``python.py``, done by the compiled kernel, with equal results.

The kernel splits text itself where it knows the tokenizer. Elsewhere Python splits and hands the tokens over.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence, Sized
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, cast

from bleuprint.counting.rows import StatsTable
from bleuprint.errors import BleuprintError
from bleuprint.metrics.bleu.recipe import Counting, Recipe
from bleuprint.native_kernel import find_kernel
from bleuprint.text.faults import KINDS, RowFault
from bleuprint.text.segments import Segments, SnapshotSegments, Text
from bleuprint.text.tokenizers import Tokens, tokenize
from bleuprint.text.tokenizers.casing import apply_case
from bleuprint.text.tokenizers.registry import PRETOKENIZED

if TYPE_CHECKING:
    from bleuprint._kernel import Formula, PreparedReferences, SegmentScorer

NAME = "native"
INSIDE = frozenset({"whitespace", "13a", "intl", "zh", "zh-corrected", "char"})
"""The tokenizers that run inside the kernel."""


def count_segments(segments: Segments, counting: Counting, order: int, threads: int | None = None) -> StatsTable:
    """Count every segment of a corpus up to ``order``."""
    table = StatsTable.zeros(order, len(segments))
    counts = (counting.reference_length, counting.segment_totals == "at-least-1", order, table.numbers, threads or 0)
    if isinstance(segments, SnapshotSegments) and counting.tokenizer == PRETOKENIZED and counting.case == "mixed":
        segments.snapshot.count(*counts)
    elif runs_inside(counting):
        candidates, references = _cased(segments, counting.case)
        _kernel().count_texts(candidates, references, counting.tokenizer, *counts)
    else:
        candidates, references = _tokenised(segments, counting)
        _kernel().count_tokens(candidates, references, *counts)
    return table


def count_one(candidate: object, references: object, counting: Counting, order: int) -> tuple[int, ...] | None:
    """Count one segment of tokens into a row; None where it takes more than that."""
    row: tuple[int, ...] | None = _kernel().count_one(
        candidate, references, counting.reference_length, counting.segment_totals == "at-least-1", order
    )
    return row


def reads_columns(counting: Counting) -> bool:
    """Whether the kernel can count Arrow's memory for this recipe: other cases and tokenizers need Python's strings."""
    return runs_inside(counting) and counting.case == "mixed"


def count_columns(
    candidates: Sized, references: Sequence[object], counting: Counting, order: int, threads: int | None = None
) -> tuple[StatsTable, list[RowFault]]:
    """Count columns straight from Arrow's memory: no text is copied, no Python string is made.

    A column is anything with ``__arrow_c_array__`` and a length: an array of pyarrow, polars, nanoarrow …
    """
    table = StatsTable.zeros(order, len(candidates))
    try:
        found = _kernel().count_arrow(
            candidates, list(references), counting.tokenizer, counting.reference_length,
            counting.segment_totals == "at-least-1", order, table.numbers, threads or 0,
        )  # fmt: skip
    except ValueError as error:
        raise BleuprintError(
            where="columns",
            wanted="texts in Arrow's format, as many references as candidates,",
            got=str(error),
            next_step="Check where the arrays come from.",
        ) from None
    kinds = tuple(KINDS)
    table.truncate(len(candidates) - len(found))
    return table, [RowFault(row, kinds[kind]) for row, kind in found]


ScoredSegment = tuple[tuple[int, ...], float, tuple[str, ...]]
"""The row of a segment, its score on 0 to 1, and its references."""


def score_segment(candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
    """Check, count and score one segment; None where it takes more than that."""
    known = _scorers.get(id(recipe))
    scorer = known[1] if known else _find_scorer(recipe)
    return scorer.score(candidate, references) if scorer else None


def runs_inside(counting: Counting) -> bool:
    """Whether the kernel itself splits texts for this recipe."""
    return isinstance(counting.tokenizer, str) and counting.tokenizer in INSIDE


def score_rows(table: StatsTable, recipe: Recipe) -> array[float]:
    """Score every row on 0 to 100, as ``formula.py`` would."""
    scores = _zeros(len(table))
    _kernel().score_table(table.numbers, table.order, _formula(recipe), scores)
    return scores


def bootstrap_scores(
    tables: Sequence[StatsTable], recipe: Recipe, seed: int, resamples: int, threads: int | None
) -> list[array[float]] | None:
    """Score every table on every resample, on 0 to 100; None where sums have more than 53 bits."""
    scores = _zeros(len(tables) * resamples)
    numbers = [table.numbers for table in tables]
    try:
        _kernel().bootstrap(numbers, tables[0].order, _formula(recipe), seed, resamples, scores, threads or 0)
    except OverflowError:
        return None
    return [scores[start : start + resamples] for start in range(0, len(scores), resamples)]


def count_extremes(
    first: StatsTable,
    second: StatsTable,
    recipe: Recipe,
    *,
    seed: int,
    trials: int,
    threshold: float,
    threads: int | None,
) -> int | None:
    """Count the trials in which swapped systems are as far apart; None where sums have more than 53 bits."""
    try:
        found: int = _kernel().randomise(
            first.numbers, second.numbers, first.order, _formula(recipe), seed, trials, threshold, threads or 0
        )
    except OverflowError:
        return None
    return found


def score_pairs(
    candidates: Sequence[Text], references: Sequence[tuple[Text, ...]], recipe: Recipe, threads: int | None
) -> array[float]:
    """Score every candidate against every entry of references: a matrix, row after row, on 0 to 100."""
    scores = _zeros(len(candidates) * len(references))
    counting = recipe.counting
    segments = Segments(list(candidates), list(references))
    names, columns, tokenizer = _as_texts(segments, counting)
    _kernel().pairwise(
        names, columns, tokenizer, counting.reference_length, counting.segment_totals == "at-least-1",
        _formula(recipe), scores, threads or 0,
    )  # fmt: skip
    return scores


def score_among_themselves(texts: Sequence[Text], recipe: Recipe, threads: int | None) -> array[float]:
    """Score every text against all others, on 0 to 100."""
    scores = _zeros(len(texts))
    counting = recipe.counting
    prepared, _, tokenizer = _as_texts(Segments(list(texts), []), counting)
    _kernel().among_themselves(
        prepared, tokenizer, counting.reference_length, counting.segment_totals == "at-least-1",
        _formula(recipe), scores, threads or 0,
    )  # fmt: skip
    return scores


class Prepared:
    """References split and numbered once; texts must be for a tokenizer that runs inside the kernel."""

    def __init__(self, references: list[tuple[Text, ...]], counting: Counting) -> None:
        _, texts = _cased(Segments([], references), counting.case)
        self._counting = counting
        self._prepared: PreparedReferences = _kernel().PreparedReferences(texts, counting.tokenizer)

    def count(self, candidates: list[Text], order: int, threads: int | None) -> StatsTable:
        """Count candidate i against the references of segment i."""
        table = StatsTable.zeros(order, len(candidates))
        counting = self._counting
        texts, _ = _cased(Segments(candidates, []), counting.case)
        self._prepared.count(
            texts,
            counting.reference_length,
            counting.segment_totals == "at-least-1",
            order,
            table.numbers,
            threads or 0,
        )
        return table


def _kernel() -> ModuleType:
    kernel = find_kernel()
    if kernel is None:
        raise RuntimeError("the native engine was called without a kernel")
    return kernel


def _zeros(length: int) -> array[float]:
    return array("d", bytes(8 * length))


@lru_cache(maxsize=64)
def _formula(recipe: Recipe) -> Formula:
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
    counting = recipe.counting
    scorer: SegmentScorer | None = None
    if runs_inside(counting) and counting.case == "mixed" and not recipe.is_for_one_segment:
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
