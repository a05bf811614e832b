"""BLEU in the kernel: which recipes it can count and combine, and how it is told what they say.

The kernel splits text itself where it knows the tokenizer. Elsewhere Python splits and hands the tokens over.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.engines.native import kernel_threads
from bleuprint.engines.native_metric import BeyondKernelError, NativeMetric, cased, write_as_numbers
from bleuprint.metrics.bleu.counting import Counting
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, SingleSegments, SnapshotSegments, Text
from bleuprint.text.tokenizers import Tokens, read_ahead, tokenize
from bleuprint.text.tokenizers.registry import PRETOKENIZED

if TYPE_CHECKING:
    from bleuprint._kernel import Formula, PreparedReferences, SegmentScorer
    from bleuprint.engines.engine import AddedUp, Column

INSIDE = frozenset({"whitespace", "13a", "intl", "zh", "zh-corrected", "char"})
"""The tokenizers that run inside the kernel."""


class NativeBleu(NativeMetric):
    """Counts and combines in the kernel."""

    def has_formula(self, recipe: Recipe) -> bool:
        """Whether the kernel has the formula of a recipe; it has none that a few tools alone use."""
        return (
            isinstance(recipe, BleuRecipe)
            and not recipe.is_for_one_segment
            and recipe.smoothing.kind != "coco"
            and recipe.unmatched_order != "smallest-float-over-total"
            and recipe.nothing_matches != "smoothed-empty"
            and (recipe.brevity, recipe.across_orders) == ("exact", "together")
        )

    def count(self, segments: Segments, layout: Layout[Any], table: StatsTable[Any], threads: int) -> None:
        """Count texts that the kernel splits, or tokens."""
        counting = _counting(layout)
        counts = (*_rules(counting), layout.order, table.numbers, threads)
        if isinstance(segments, SnapshotSegments) and counting.tokenizer == PRETOKENIZED and counting.case == "mixed":
            segments.snapshot.count(*counts)
        elif runs_inside(counting) and counting.case != "mixed":
            ascii_alone = counting.case == "lower-ascii"
            self.kernel.count_lowered(
                segments.candidates, segments.references, ascii_alone, counting.tokenizer, *counts
            )
        elif runs_inside(counting):
            self.kernel.count_texts(segments.candidates, segments.references, counting.tokenizer, *counts)
        else:
            candidates, references = _tokenised(segments, counting)
            self.kernel.count_tokens(candidates, references, *counts)

    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int) -> tuple[int, ...]:
        """Count matches without clipping."""
        return self.count_with_plain(segments, layout, StatsTable.zeros(layout, len(segments)), threads)

    def count_with_plain(
        self, segments: Segments, layout: Layout[Any], table: StatsTable[Any], threads: int
    ) -> tuple[int, ...]:
        """Count both at once."""
        counting = _counting(layout)
        plain: tuple[int, ...] = self.kernel.count_with_plain(
            *_as_texts(segments, counting), *_rules(counting), layout.order, table.numbers, threads
        )
        return plain

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Count one segment of tokens."""
        row: tuple[int, ...] | None = self.kernel.count_one(
            candidate, references, *_rules(_counting(layout)), layout.order
        )
        return row

    def add_up(self, candidates: object, references: object, layout: Layout[Any], threads: int) -> AddedUp | None:
        """Check texts with one reference each while other threads count them, or copy tokens and count these."""
        counting = _counting(layout)
        rules = (*_rules(counting), layout.order, [threshold[1:] for threshold in layout.thresholds], threads)
        if counting.case != "mixed":
            return None
        if counting.tokenizer == PRETOKENIZED:
            copied = self.kernel.TokenSnapshot.take_and_sum(candidates, references, *rules)
            if copied is None:
                return None
            snapshot, size, row, census = copied
            return SnapshotSegments(snapshot, size), Sums(layout, row, (size, *census))
        if not runs_inside(counting):
            return None
        found = self.kernel.sum_given(candidates, references, counting.tokenizer, *rules)
        if found is None:
            return None
        texts, others, row, census = found
        return SingleSegments(texts, others), Sums(layout, row, (len(texts), *census))

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
        if not runs_inside(counting) or counting.case != "mixed":
            raise BeyondKernelError
        found: list[tuple[int, int]] = self.kernel.count_arrow(
            candidates, list(references), counting.tokenizer, *_rules(counting), layout.order, table.numbers, threads
        )
        return found

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> NumberedReferences:
        """Split and number references once."""
        if not runs_inside(_counting(layout)):
            raise BeyondKernelError
        return NumberedReferences(self.kernel, references, layout)

    def make_scorer(self, recipe: Recipe) -> SegmentScorer | None:
        """Score texts that need not be lowered, and that the kernel splits."""
        counting = recipe.counting
        if (
            not isinstance(counting, Counting)
            or not runs_inside(counting)
            or counting.case != "mixed"
            or not self.has_formula(recipe)
        ):
            return None
        scorer: SegmentScorer = self.kernel.SegmentScorer(
            counting.tokenizer, *_rules(counting), _formula(self.kernel, recipe)
        )
        return scorer

    def score_rows(self, table: StatsTable[Any], recipe: Recipe, scores: array[float]) -> None:
        """Score every row as ``formula.py`` would."""
        self.kernel.score_table(table.numbers, table.layout.order, _formula(self.kernel, recipe), scores)

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
        numbers, order = [table.numbers for table in tables], tables[0].layout.order
        self.kernel.bootstrap(numbers, order, _formula(self.kernel, recipe), seed, resamples, scores, threads)

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
        order, formula = first.layout.order, _formula(self.kernel, recipe)
        found: int = self.kernel.randomise(
            first.numbers, second.numbers, order, formula, seed, trials, threshold, threads
        )
        return found

    def score_pairs(
        self,
        candidates: list[Text],
        references: list[tuple[Text, ...]],
        recipe: Recipe,
        scores: array[float],
        threads: int,
    ) -> None:
        """Look at the pairs that share something."""
        formula, counting = _formula(self.kernel, recipe), _counting(recipe.layout)
        names, columns, tokenizer = _as_texts(Segments(candidates, references), counting)
        self.kernel.pairwise(names, columns, tokenizer, *_rules(counting), formula, scores, threads)

    def score_among_themselves(self, texts: list[Text], recipe: Recipe, scores: array[float], threads: int) -> None:
        """Count all texts once."""
        formula, counting = _formula(self.kernel, recipe), _counting(recipe.layout)
        prepared, _, tokenizer = _as_texts(Segments(texts, []), counting)
        self.kernel.among_themselves(prepared, tokenizer, *_rules(counting), formula, scores, threads)


class NumberedReferences:
    """References split and numbered once; texts must be for a tokenizer that runs inside the kernel."""

    def __init__(self, kernel: ModuleType, references: list[tuple[Text, ...]], layout: Layout[Any]) -> None:
        self._layout, self._counting = layout, _counting(layout)
        _, texts = cased(Segments([], references), self._counting.case)
        self._prepared: PreparedReferences = kernel.PreparedReferences(texts, self._counting.tokenizer)

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        wanted = kernel_threads(threads)
        table = StatsTable.zeros(self._layout, len(candidates))
        texts, _ = cased(Segments(candidates, []), self._counting.case)
        self._prepared.count(texts, *_rules(self._counting), self._layout.order, table.numbers, wanted)
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


@lru_cache(maxsize=64)
def _formula(kernel: ModuleType, recipe: Recipe) -> Formula:
    if not isinstance(recipe, BleuRecipe) or not NativeBleu(kernel).has_formula(recipe):
        raise BeyondKernelError
    smoothing = recipe.smoothing
    formula: Formula = kernel.Formula(
        recipe.weights, smoothing.kind, smoothing.value or 0.0,
        recipe.absent_order, recipe.unmatched_order, recipe.nothing_matches,
    )  # fmt: skip
    return formula


def _tokenised(segments: Segments, counting: Counting) -> tuple[list[Tokens], list[tuple[Tokens, ...]]]:
    """Split in Python what the kernel cannot split."""
    if counting.tokenizer == PRETOKENIZED and counting.case == "mixed":
        return segments.candidates, segments.references

    read_ahead(segments.texts(), counting.tokenizer, counting.case)

    def split(text: Text) -> Tokens:
        return tuple(tokenize(text, counting.tokenizer, counting.case))

    return list(map(split, segments.candidates)), [tuple(map(split, texts)) for texts in segments.references]


def _as_texts(segments: Segments, counting: Counting) -> tuple[list[Text], list[tuple[Text, ...]], str]:
    """Give texts that the kernel can split; tokens from elsewhere become numbers with spaces between."""
    if not runs_inside(counting):
        return (*write_as_numbers(*_tokenised(segments, counting)), "whitespace")
    own = segments.candidates, segments.references
    return (*(own if counting.case == "mixed" else cased(segments, counting.case)), str(counting.tokenizer))
