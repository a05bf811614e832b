"""chrF, as the rest of the house knows it. What only some need is loaded when they ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.counting.layout import Layout
from bleuprint.metrics.chrf.dialects import DEFAULT_CHRF, DIALECTS
from bleuprint.metrics.chrf.formula import combine
from bleuprint.metrics.chrf.recipe import AXES, ChrfRecipe
from bleuprint.metrics.chrf.scores import ChrfScore
from bleuprint.metrics.chrf.stats import ChrfCensus, ChrfStats, find_counting
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.part import Part
from bleuprint.recipes.axis import Axis
from bleuprint.recipes.dialect import Dialect
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.metrics.chrf.counts import ChrfText
    from bleuprint.text.segments import Text


class Chrf(Metric):
    """F-score of character n-grams, and of word n-grams in chrF++ (Popović 2015, 2017)."""

    key = "chrf"
    name = "chrF"
    recipe: type[Recipe] = ChrfRecipe
    score_segment: Callable[..., ChrfScore] = ChrfScore.of_segment
    score_sums: Callable[..., ChrfScore] = ChrfScore.of_sums
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = DEFAULT_CHRF

    length_unit = "characters"

    def label(self, recipe: ChrfRecipe) -> str:
        """``chrF2`` for β = 2, ``chrF2++`` with words up to order 2, as sacreBLEU names it."""
        return f"chrF{recipe.choice('beta')}{'+' * recipe.word_order}"

    def family(self, recipe: ChrfRecipe) -> str:
        """``chrF++`` with words up to order 2."""
        return f"{self.name}{'+' * recipe.word_order}"

    def split(self, text: Text, layout: Layout[Any]) -> ChrfText:
        """Split a text into characters and words."""
        from bleuprint.metrics.chrf.counts import split_text

        return split_text(text, find_counting(layout))

    def count(
        self, candidate: ChrfText, references: Sequence[ChrfText], layouts: Sequence[Layout[Any]]
    ) -> list[ChrfStats]:
        """Count matches and n-grams against the best reference."""
        from bleuprint.metrics.chrf.counts import count_texts

        return count_texts(candidate, references, layouts)

    def read_census(self, numbers: Sequence[int]) -> ChrfCensus:
        """Give the numbers of a census their names."""
        return ChrfCensus(*numbers)

    def segment_parts(self, stats: ChrfStats, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give matches, and n-grams of candidate and reference, for each order, and both lengths."""
        names = [name.removeprefix("matches_") for name in layout.columns if name.startswith("matches_")]
        counts = zip(names, stats.matches, stats.candidate, stats.reference, strict=True)
        return (
            *(Part(name, f"{matches}/{candidate}/{reference}") for name, matches, candidate, reference in counts),
            Part("candidate", str(stats.candidate_length)),
            Part("reference", str(stats.reference_length)),
        )

    def score_row(self, row: Sequence[int], recipe: ChrfRecipe) -> float:
        """Combine one row."""
        return combine(ChrfStats.from_row(row), recipe.counting).score


CHRF = Chrf()
