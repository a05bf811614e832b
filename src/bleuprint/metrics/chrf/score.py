"""chrF's score, and chrF as a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.chrf.counting import ChrfCensus, ChrfStats, ChrfText, count_texts, split_text
from bleuprint.metrics.chrf.formula import ChrfCombination, combine, list_orders
from bleuprint.metrics.chrf.notes import statistics_notes
from bleuprint.metrics.chrf.recipe import AXES, DEFAULT_CHRF, DIALECTS, ChrfRecipe
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.score import AnyScore, Part, Score, as_data, list_lengths
from bleuprint.recipes.options import Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Text


class ChrfScore(Score):
    """One chrF score, of a segment, a document or a corpus: a float on 0 to 100.

    ``fraction`` is the score on 0 to 1. ``precisions``, ``recalls`` and ``f_scores`` have a number for each order of
    characters, then for each order of words.
    """

    recipe: ChrfRecipe
    _recipe_type: ClassVar[type[Recipe]] = ChrfRecipe
    _stats_type: ClassVar[type] = ChrfStats
    _list_notes = staticmethod(statistics_notes)
    stats: ChrfStats
    """matches and n-grams of candidate and reference per order, and the two lengths"""
    census: ChrfCensus
    """how many segments there were, and how many of them are empty or without a match"""
    combination: ChrfCombination
    """everything the formula computed"""

    @staticmethod
    def combine(stats: ChrfStats, recipe: ChrfRecipe) -> ChrfCombination:
        """Compute the score from its statistics."""
        return combine(stats, recipe.counting)

    @property
    def precisions(self) -> tuple[float | None, ...]:
        """Precision per order, on 0 to 1; None where a side has no n-grams of that order."""
        return tuple(term.precision for term in self.combination.terms)

    @property
    def recalls(self) -> tuple[float | None, ...]:
        """Recall per order, on 0 to 1; None where a side has no n-grams of that order."""
        return tuple(term.recall for term in self.combination.terms)

    @property
    def f_scores(self) -> tuple[float, ...]:
        """F per order, on 0 to 1."""
        return tuple(term.f for term in self.combination.terms)

    @property
    def order(self) -> int:
        """How many orders there are, of characters and words together."""
        return self.recipe.order

    @property
    def _order_names(self) -> list[str]:
        return [f"{unit[0]}{order}" for unit, order in list_orders(self.recipe.counting)]

    @property
    def parts(self) -> tuple[Part, ...]:
        """F of each order in per cent, and both lengths."""
        return (
            *(Part(f"F {name}", f"{100 * f:.1f}") for name, f in zip(self._order_names, self.f_scores, strict=True)),
            Part("candidate", str(self.stats.candidate_length)),
            Part("reference", str(self.stats.reference_length)),
        )

    @property
    def closer_parts(self) -> tuple[Part, ...]:
        """F of each order, lengths in characters and their ratio, whose bar is half full at 1."""
        named = zip(self._order_names, self.f_scores, strict=True)
        return (
            *(Part(f"F {name}, %", f"{100 * f:.2f}", f) for name, f in named),
            *list_lengths("characters", self.stats.candidate_length, self.stats.reference_length),
        )

    def _details(self) -> dict[str, object]:
        stats = self.stats
        return {
            "orders": self._order_names,
            **as_data(self, "precisions", "recalls", "f_scores"),
            **as_data(self.combination, "precision", "recall"),
            "matches": list(stats.matches),
            "candidate_ngrams": list(stats.candidate),
            "reference_ngrams": list(stats.reference),
            **as_data(stats, "candidate_length", "reference_length"),
        }

    def _in_brackets(self) -> str:
        names, stats = self._order_names, self.stats
        parts = "/".join(f"{100 * f:.1f}" for f in self.f_scores)
        lengths = f"candidate {stats.candidate_length}, reference {stats.reference_length}"
        return f"F of {names[0]} to {names[-1]}: {parts}, {lengths}"


class Chrf(Metric):
    """F-score of character n-grams, and of word n-grams in chrF++ (Popović 2015, 2017)."""

    key = "chrf"
    name = "chrF"
    recipe: type[Recipe] = ChrfRecipe
    score_type: type[AnyScore] = ChrfScore
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = DEFAULT_CHRF
    length_unit = "characters"

    def count(self, candidate: Any, references: Sequence[Any], layouts: Sequence[Layout[Any]]) -> list[Any]:
        """Count a segment whose texts were split."""
        return count_texts(candidate, references, layouts)

    def label(self, recipe: ChrfRecipe) -> str:
        """``chrF2`` for β = 2, ``chrF2++`` with words up to order 2, as sacreBLEU names it."""
        return f"chrF{recipe.choice('beta')}{'+' * recipe.word_order}"

    def family(self, recipe: ChrfRecipe) -> str:
        """``chrF++`` with words up to order 2."""
        return f"{self.name}{'+' * recipe.word_order}"

    def split(self, text: Text, layout: Layout[Any]) -> ChrfText:
        """Split a text into characters and words."""
        return split_text(text, layout.counting)


METRIC = Chrf()
