"""TER in the kernel: edits and shifts of texts whose punctuation Python has settled."""

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
from bleuprint.metrics.ter.alignment import DELETION, INSERTION, MATCH, SUBSTITUTION
from bleuprint.metrics.ter.counting import TerCounting, Words, normalise, normalise_reference, trace_words
from bleuprint.metrics.ter.shifts import Shift, ShiftSearch
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.text.segments import Segments, Text

if TYPE_CHECKING:
    from bleuprint._kernel import Ter
    from bleuprint.engines.engine import Column, Prepared
    from bleuprint.engines.native_metric import Scorer
    from bleuprint.metrics.score import ScoredSegment

STEPS = (MATCH, SUBSTITUTION, DELETION, INSERTION)
"""By the numbers that the kernel has for them."""


class NativeTer(NativeMetric):
    """Splits at white space, aligns and searches shifts in the kernel."""

    def count(self, segments: Segments, layout: Layout[Any], table: StatsTable[Any], threads: int) -> None:
        """Prepare texts, and count them."""
        counting = _counting(layout)
        find_metric(layout.metric).check_references(segments.references)
        ter = _ter(self.kernel, counting)
        if _is_split_as_given(counting) and counting.case != "mixed":
            ascii_alone = counting.case == "lower-ascii"
            ter.count_lowered(segments.candidates, segments.references, ascii_alone, table.numbers, threads)
        else:
            ter.count(*_prepared(segments, counting), table.numbers, threads)

    def trace(self, candidate: Words, references: Sequence[Words], layout: Layout[Any]) -> list[ShiftSearch]:
        """Search shifts in the kernel, which sees words as numbers."""
        return trace_words(candidate, references, layout, self._search)

    def _search(self, words: Words, target: Words, longest: int) -> ShiftSearch:
        """Search as ``search_shifts`` does."""
        numbers: dict[str, int] = {}
        own, others = (
            array("q", [numbers.setdefault(word, len(numbers)) for word in text]) for text in (words, target)
        )
        left, shifts, steps, tried = self.kernel.trace_ter(own, others, len(numbers), longest)
        return ShiftSearch(
            tuple(Shift(*shift[:3]) for shift in shifts),
            (left, *(shift[3] for shift in shifts)),
            tuple([STEPS[step] for step in steps]),
            tried,
        )

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
        if not _is_split_as_given(counting) or counting.case != "mixed":
            raise BeyondKernelError
        found = _ter(self.kernel, counting).count_arrow(candidates, list(references), table.numbers, threads)
        if found is None:  # more references than can be averaged, which the readable engine says better
            raise BeyondKernelError
        return found

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> Prepared:
        """Lower and prepare references once."""
        return PreparedTexts(self.kernel, references, layout)

    def make_scorer(self, recipe: Recipe) -> Scorer:
        """Score texts as they are given, or as they are written before."""
        counting = _counting(recipe.layout)
        scorer = _ter(self.kernel, counting)
        return scorer if _is_split_as_given(counting) and counting.case == "mixed" else WritingScorer(scorer, counting)

    def score_rows(self, table: StatsTable[Any], recipe: Recipe, scores: array[float] | memoryview) -> None:
        """Divide as ``formula.py`` would."""
        self.kernel.score_ter(table.numbers, scores)

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
        self.kernel.bootstrap_ter([table.numbers for table in tables], seed, resamples, scores, threads)

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
        found: int = self.kernel.randomise_ter(first.numbers, second.numbers, seed, trials, threshold, threads)
        return found

    def score_pairs(
        self,
        candidates: list[Text],
        references: list[tuple[Text, ...]],
        recipe: Recipe,
        scores: array[float],
        threads: int,
    ) -> None:
        """Prepare every text once, and hold all references against one candidate after the other."""
        layout = recipe.layout
        prepared, room = PreparedTexts(self.kernel, references, layout), memoryview(scores)
        for place, candidate in enumerate(candidates):
            table = prepared.count([candidate] * len(references), threads or None)
            self.score_rows(table, recipe, room[place * len(references) : (place + 1) * len(references)])


class PreparedTexts:
    """References whose case and punctuation are settled."""

    def __init__(self, kernel: ModuleType, references: list[tuple[Text, ...]], layout: Layout[Any]) -> None:
        self._layout, self._counting = layout, _counting(layout)
        self._ter = _ter(kernel, self._counting)
        find_metric(layout.metric).check_references(references)
        _, self._references = _prepared(Segments([], references), self._counting)

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""
        wanted = kernel_threads(threads)
        table = StatsTable.zeros(self._layout, len(candidates))
        texts, _ = _prepared(Segments(candidates, []), self._counting)
        self._ter.count(texts, self._references, table.numbers, wanted)
        return table


class WritingScorer:
    """Scores one segment at a time, whose texts Python writes anew before."""

    def __init__(self, scorer: Ter, counting: TerCounting) -> None:
        self._scorer, self._counting = scorer, counting

    def score(self, candidate: object, references: object) -> ScoredSegment | None:
        """Write the texts, and have them scored; None where something about them is unusual."""
        kept: tuple[Any, ...] = (references,)
        if isinstance(references, (list, tuple)):
            kept = tuple(references)
        if not all(type(text) is str for text in (candidate, *kept)):
            return None
        written = [normalise_reference(text, self._counting) for text in kept]
        scored = self._scorer.score(normalise(candidate, self._counting), written)
        return scored and (*scored[:3], kept)


def _counting(layout: Layout[Any]) -> TerCounting:
    if not isinstance(layout.counting, TerCounting):
        raise BeyondKernelError
    return layout.counting


def _prepared(segments: Segments, counting: TerCounting) -> tuple[list[Text], list[tuple[Text, ...]]]:
    """Write texts so that their words are what white space parts."""
    if _is_split_as_given(counting):
        return cased(segments, counting.case)

    candidates: list[Text] = [normalise(text, counting) for text in segments.candidates]
    return candidates, [tuple(normalise_reference(text, counting) for text in texts) for texts in segments.references]


def _is_split_as_given(counting: TerCounting) -> bool:
    """Whether words are what white space parts in the text as it is, but for its case."""
    return counting.normalized == "no" and counting.punctuation == "keep"


@lru_cache(maxsize=64)
def _ter(kernel: ModuleType, counting: TerCounting) -> Ter:
    """Settle everything but how texts are written, which is settled before."""
    ter: Ter = kernel.Ter(
        counting.shifted == "reference", counting.longest_shift, counting.empty_candidate == "no-edits"
    )
    return ter
