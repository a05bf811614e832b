"""What the kernel does for a metric: the base of ``native_bleu.py`` and its likes, one for each metric.

A metric says there what of it runs in the kernel. The rest raises ``BeyondKernelError``: the readable engine does it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, Text
from bleuprint.text.tokenizers import Tokens, apply_case

if TYPE_CHECKING:
    from typing import Protocol

    from bleuprint.engines.engine import AddedUp, Column, Prepared
    from bleuprint.metrics.score import ScoredSegment

    class Scorer(Protocol):
        """Scores one segment at a time; everything but the texts is settled."""

        def score(self, candidate: object, references: object) -> ScoredSegment | None:
            """Check, count and score a segment; None where it takes more than that."""


class BeyondKernelError(Exception):
    """The kernel cannot do it: another way of counting or combining than it knows."""


class NativeMetric:
    """What the kernel does for a metric of which it knows nothing: add rows up.

    ``threads`` is a number of threads, or 0 for as many as the work is worth.
    """

    def __init__(self, kernel: ModuleType) -> None:
        self.kernel: ModuleType = kernel

    def has_formula(self, recipe: Recipe) -> bool:
        """Whether the kernel can combine counts by a recipe, so that many resamples take no time."""
        return not recipe.is_for_one_segment

    def count(self, segments: Segments, layout: Layout[Any], table: StatsTable[Any], threads: int) -> None:
        """Count every segment of a corpus into a table of zeros."""
        raise BeyondKernelError

    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int) -> tuple[int, ...]:
        """Per order, how many n-grams of the candidates occur in a reference at all."""
        raise BeyondKernelError

    def count_with_plain(
        self, segments: Segments, layout: Layout[Any], table: StatsTable[Any], threads: int
    ) -> tuple[int, ...]:
        """Count every segment into a table of zeros, and the same beside it."""
        raise BeyondKernelError

    def trace(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> Sequence[Any]:
        """Tell how a candidate becomes each reference."""
        raise BeyondKernelError

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Count one segment of tokens into a row; None where it takes more than that."""
        return None

    def add_up(self, candidates: object, references: object, layout: Layout[Any], threads: int) -> AddedUp | None:
        """Check, count and add up a corpus; None where it takes more than that."""
        return None

    def count_columns(
        self,
        candidates: Column,
        references: Sequence[Column],
        layout: Layout[Any],
        table: StatsTable[Any],
        threads: int,
    ) -> list[tuple[int, int]]:
        """Count columns of Arrow; give the rows that cannot be counted, each with the number of its fault."""
        raise BeyondKernelError

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> Prepared:
        """Split references once."""
        raise BeyondKernelError

    def make_scorer(self, recipe: Recipe) -> Scorer | None:
        """Settle all that scoring single segments needs; None where the kernel cannot do it."""
        return None

    def score_rows(self, table: StatsTable[Any], recipe: Recipe, scores: array[float]) -> None:
        """Score every row on its own, on 0 to 100."""
        raise BeyondKernelError

    def bootstrap(
        self,
        tables: Sequence[StatsTable[Any]],
        recipe: Recipe,
        seed: int,
        resamples: int,
        scores: array[float],
        threads: int,
    ) -> None:
        """Score every table on every bootstrap resample, from the first on, within the kernel."""
        raise BeyondKernelError

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
        """Count the trials, from the first on, in which swapped systems are ``threshold`` apart, within the kernel."""
        raise BeyondKernelError

    def score_pairs(
        self,
        candidates: list[Text],
        references: list[tuple[Text, ...]],
        recipe: Recipe,
        scores: array[float],
        threads: int,
    ) -> None:
        """Score every candidate against every entry of references, row after row."""
        raise BeyondKernelError

    def score_among_themselves(self, texts: list[Text], recipe: Recipe, scores: array[float], threads: int) -> None:
        """Score every text against all others."""
        raise BeyondKernelError


def write_as_numbers(
    candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> tuple[list[Any], list[tuple[Any, ...]]]:
    """Make texts of tokens, of which Python says what is equal: each becomes a number, with spaces between."""
    numbers: dict[object, str] = {}

    def write(tokens: Tokens) -> str:
        return " ".join([numbers.setdefault(token, str(len(numbers))) for token in tokens])

    return list(map(write, candidates)), [tuple(map(write, texts)) for texts in references]


def cased(segments: Segments, case: str) -> tuple[list[Text], list[tuple[Text, ...]]]:
    """Lower texts as the recipe says, before the kernel sees them."""
    if case == "mixed":
        return segments.candidates, segments.references

    def lower(text: Text) -> str:
        return apply_case(cast("str", text), case)  # not str(text), which a subclass may answer with something else

    return list(map(lower, segments.candidates)), [tuple(map(lower, texts)) for texts in segments.references]
