"""TER, as the rest of the house knows it. What only some need is loaded when they ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.part import Part
from bleuprint.metrics.ter.dialects import DIALECTS, TER_DEFAULT
from bleuprint.metrics.ter.formula import combine
from bleuprint.metrics.ter.recipe import AXES, TerRecipe
from bleuprint.metrics.ter.scores import TerScore, list_parts
from bleuprint.metrics.ter.stats import MOST_AVERAGED, TerCensus, TerStats, find_counting
from bleuprint.recipes.axis import Axis
from bleuprint.recipes.dialect import Dialect
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.metrics.ter.counts import Words
    from bleuprint.text.segments import Text


class Ter(Metric):
    """Translation edit rate: edits, moves of words among them, over the reference's length (Snover et al. 2006)."""

    key = "ter"
    name = "TER"
    better = Better.LOWER
    has_ngrams = False
    recipe: type[Recipe] = TerRecipe
    score_segment: Callable[..., TerScore] = TerScore.of_segment
    score_sums: Callable[..., TerScore] = TerScore.of_sums
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = TER_DEFAULT
    most_references: ClassVar[int | None] = MOST_AVERAGED

    length_unit = "words"

    def label(self, recipe: TerRecipe) -> str:
        """``TER``."""
        return self.name

    def split(self, text: Text, layout: Layout[Any]) -> Words:
        """Split a text into words."""
        from bleuprint.metrics.ter.counts import split_text

        return split_text(text, find_counting(layout))

    def split_reference(self, text: Text, layout: Layout[Any]) -> Words:
        """Split a reference, which may be prepared twice."""
        from bleuprint.metrics.ter.counts import split_reference

        return split_reference(text, find_counting(layout))

    def count(self, candidate: Words, references: Sequence[Words], layouts: Sequence[Layout[Any]]) -> list[TerStats]:
        """Count edits and lengths."""
        from bleuprint.metrics.ter.counts import count_words

        return [count_words(candidate, references, find_counting(layout)) for layout in layouts]

    def read_census(self, numbers: Sequence[int]) -> TerCensus:
        """Give the numbers of a census their names."""
        return TerCensus(*numbers)

    def segment_parts(self, stats: TerStats, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give edits of each kind, and both lengths."""
        return list_parts(stats)

    def in_words(self, row: Sequence[int]) -> Sequence[float]:
        """Give the length of the references in words."""
        stats = TerStats.from_row(row)
        return (stats.candidate_length, stats.reference_length, *stats.kinds.values())

    def score_row(self, row: Sequence[int], recipe: TerRecipe) -> float:
        """Combine one row."""
        return combine(TerStats.from_row(row)).score


TER = Ter()
