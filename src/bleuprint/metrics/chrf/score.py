"""chrF's score, and chrF as a metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.advice import Advice
from bleuprint.counting.layout import Layout
from bleuprint.errors import BleuprintError, RecipeError
from bleuprint.metrics.chrf.counting import ChrfCensus, ChrfStats, find_counting
from bleuprint.metrics.chrf.formula import ChrfCombination, combine, list_orders
from bleuprint.metrics.chrf.notes import ChrfNoteBasis, statistics_notes
from bleuprint.metrics.chrf.recipe import AXES, DEFAULT_CHRF, DIALECTS, ChrfRecipe
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.score import Note, Part, Score
from bleuprint.recipes.options import Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from typing import Unpack

    from bleuprint.metrics.chrf.counting import ChrfText
    from bleuprint.metrics.score import Kept
    from bleuprint.text.segments import Text


class ChrfScore(Score):
    """One chrF score, of a segment, a document or a corpus: a float on 0 to 100.

    ``fraction`` is the score on 0 to 1. ``precisions``, ``recalls`` and ``f_scores`` have a number for each order of
    characters, then for each order of words.
    """

    recipe: ChrfRecipe
    _recipe_type: ClassVar[type[Recipe]] = ChrfRecipe
    _stats_type: ClassVar[type] = ChrfStats
    stats: ChrfStats
    """matches and n-grams of candidate and reference per order, and the two lengths"""
    census: ChrfCensus
    """how many segments there were, and how many of them are empty or without a match"""
    combination: ChrfCombination
    """everything the formula computed"""

    if TYPE_CHECKING:

        def __init__(self, stats: ChrfStats, recipe: Recipe | str, **kept: Unpack[Kept]) -> None: ...

    @classmethod
    def _fit(cls, stats: ChrfStats, recipe: ChrfRecipe) -> ChrfStats:
        if stats.order != recipe.order:
            raise BleuprintError(
                where="ChrfScore",
                wanted=f"statistics of {recipe.order} orders, as the recipe says",
                got=count_of(stats.order, "order"),
                next_step="Count again with this recipe.",
            )
        return stats

    @staticmethod
    def _combine(stats: ChrfStats, recipe: ChrfRecipe) -> ChrfCombination:
        return combine(stats, recipe.counting)

    @classmethod
    def _check_segments(cls, segments: int, recipe: ChrfRecipe) -> None:
        if recipe.is_for_one_segment and segments > 1:
            raise RecipeError(
                where=f"recipe, averaging {recipe.averaging}",
                wanted="one segment: of a corpus NLTK averages the scores of segments, so that no sums give its number",
                got=count_of(segments, "segment"),
                next_step=Advice.SCORE_SEGMENTS,
            )

    def _take_census(self) -> ChrfCensus:
        return ChrfCensus.of_segment(self.stats) if self.level == "segment" else ChrfCensus(1)

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

    @cached_property
    def statistics_notes(self) -> list[Note]:
        """The notes that the statistics alone give reason for."""
        basis = ChrfNoteBasis(self.stats, self.recipe, self.combination, self.census, self.level, self.segments)
        return statistics_notes(basis)

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
        lengths = self.stats.candidate_length, self.stats.reference_length
        ratio = lengths[0] / lengths[1] if lengths[1] else None
        return (
            *(
                Part(f"F {name}, %", f"{100 * f:.2f}", f)
                for name, f in zip(self._order_names, self.f_scores, strict=True)
            ),
            Part("characters", f"{lengths[0]:,}"),
            Part("reference", f"{lengths[1]:,}"),
            Part("ratio", "–") if ratio is None else Part("ratio", f"{ratio:.3f}", ratio / 2),
        )

    @property
    def _order_names(self) -> list[str]:
        return [f"{unit[0]}{order}" for unit, order in list_orders(self.recipe.counting)]

    def to_dict(self) -> dict[str, object]:
        """Give the score as plain data."""
        combination = self.combination
        return {
            "schema": "bleuprint.score/1",
            "score": self.score,
            "fraction": self.fraction,
            "label": self.label,
            "level": self.level,
            "orders": self._order_names,
            "precisions": list(self.precisions),
            "recalls": list(self.recalls),
            "f_scores": list(self.f_scores),
            "precision": combination.precision,
            "recall": combination.recall,
            "matches": list(self.stats.matches),
            "candidate_ngrams": list(self.stats.candidate),
            "reference_ngrams": list(self.stats.reference),
            "candidate_length": self.stats.candidate_length,
            "reference_length": self.stats.reference_length,
            "segments": self.census.segments,
            "signature": self.signature,
            "notes": [note._asdict() for note in self.notes],
        }

    def summary(self) -> str:
        """One line: the score, its parts and its signature."""
        names = self._order_names
        parts = "/".join(f"{100 * f:.1f}" for f in self.f_scores)
        stats = self.stats
        return (
            f"{self.label} = {self.printed} (F of {names[0]} to {names[-1]}: {parts}, "
            f"candidate {stats.candidate_length}, reference {stats.reference_length}) {self.signature}"
        )


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
        from bleuprint.metrics.chrf.counting import split_text

        return split_text(text, find_counting(layout))

    def count(
        self, candidate: ChrfText, references: Sequence[ChrfText], layouts: Sequence[Layout[Any]]
    ) -> list[ChrfStats]:
        """Count matches and n-grams against the best reference."""
        from bleuprint.metrics.chrf.counting import count_texts

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


METRIC = Chrf()
