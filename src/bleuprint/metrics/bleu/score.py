"""BLEU's score, and BLEU as a metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.errors import BleuprintError, quote
from bleuprint.metrics.bleu.counting import BleuStats, Census, count_tokens, split_text
from bleuprint.metrics.bleu.formula import Combination, combine, reason_to_stop
from bleuprint.metrics.bleu.notes import statistics_notes
from bleuprint.metrics.bleu.recipe import AXES, DIALECTS, BleuRecipe, check_order, uniform_weights
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.score import AnyScore, Part, Score, as_data, list_lengths
from bleuprint.recipes.options import DEFAULT, Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Text
from bleuprint.text.tokenizers import Tokens, read_ahead
from bleuprint.wording import format_fraction


class BleuScore(Score):
    """One BLEU score, of a segment, a document or a corpus: a float on 0 to 100.

    ``fraction`` is the score on 0 to 1. ``precisions`` are matches / totals, ``smoothed_precisions`` what the formula
    used.
    """

    recipe: BleuRecipe
    _recipe_type: ClassVar[type[Recipe]] = BleuRecipe
    _stats_type: ClassVar[type] = BleuStats
    _list_notes = staticmethod(statistics_notes)
    stats: BleuStats
    """clipped matches and totals per order, and the two lengths"""
    census: Census
    """how many segments there were, and how many of them are short or empty"""
    combination: Combination
    """everything the formula computed"""

    @staticmethod
    def combine(stats: BleuStats, recipe: BleuRecipe) -> Combination:
        """Compute the score from its statistics."""
        return combine(stats, recipe)

    @classmethod
    def _fit(cls, stats: BleuStats, recipe: Recipe) -> BleuStats:
        fitting: BleuStats = super()._fit(stats.up_to(recipe.layout.order), recipe)
        return fitting

    @property
    def precisions(self) -> tuple[float, ...]:
        """Clipped precision per order as counted, on 0 to 1; 0 for an order without n-grams."""
        return tuple(term.precision for term in self.combination.terms)

    @property
    def smoothed_precisions(self) -> tuple[float | None, ...]:
        """The precision per order that the formula used; None where an order was left out."""
        return tuple(term.smoothed for term in self.combination.terms)

    @property
    def brevity_penalty(self) -> float:
        """The factor for the length: 1 if the candidate is long enough."""
        return self.combination.brevity_penalty

    @property
    def geometric_mean(self) -> float:
        """The weighted geometric mean of the smoothed precisions."""
        return self.combination.geometric_mean

    @property
    def order(self) -> int:
        """The highest n-gram order N."""
        return self.recipe.order

    @property
    def parts(self) -> tuple[Part, ...]:
        """Precisions in per cent, the brevity penalty, and both lengths."""
        return (
            *(Part(f"p{n}", text) for n, text in enumerate(self._percents, 1)),
            Part("BP", f"{self.brevity_penalty:.3f}"),
            Part("candidate", str(self.stats.candidate_length)),
            Part("reference", str(self.stats.reference_length)),
        )

    @property
    def closer_parts(self) -> tuple[Part, ...]:
        """Precisions as counted, lengths and their ratio, whose bar is half full at 1, and the brevity penalty."""
        return (
            *(Part(f"p{n}, %", f"{100 * p:.2f}", p) for n, p in enumerate(self.precisions, 1)),
            *list_lengths("tokens", self.stats.candidate_length, self.stats.reference_length),
            Part("brevity penalty", format_fraction(self.brevity_penalty), self.brevity_penalty),
        )

    @property
    def quantities(self) -> dict[str, float]:
        """The brevity penalty."""
        return {"brevity_penalty": self.brevity_penalty}

    def at_order(self, order: int) -> BleuScore:
        """Return BLEU-n for a smaller n, computed from the same statistics with equal weights."""
        weights = uniform_weights(check_order(order))
        if order > self.order:
            message = f"Orders up to {self.order} were counted, not {quote(order)}."
            raise BleuprintError(message, f"Score again with recipe.replace(order={order}).")
        return BleuScore(
            self.stats, self.recipe.replace(weights=weights, across_orders="together"),
            level=self.level, census=self.census, table=self.table,
            segments=self.segments, text_notes=self._text_notes, skipped=self.skipped,
        )  # fmt: skip

    @property
    def _percents(self) -> list[str]:
        return ["–" if p is None else f"{100 * p:.1f}" for p in self.smoothed_precisions]

    def _details(self) -> dict[str, object]:
        return {
            **as_data(self, "precisions", "smoothed_precisions", "brevity_penalty", "geometric_mean"),
            **as_data(self.stats, "matches", "totals", "candidate_length", "reference_length"),
        }

    def _in_brackets(self) -> str:
        stats = self.stats
        lengths = f"candidate {stats.candidate_length}, reference {stats.reference_length}"
        return f"{'/'.join(self._percents)}, BP = {self.brevity_penalty:.3f}, {lengths}"


USUAL_ORDER = 4


class Bleu(Metric):
    """Clipped n-gram precisions, their weighted geometric mean, and a penalty for brevity (Papineni et al. 2002)."""

    key = "bleu"
    name = "BLEU"
    recipe: type[Recipe] = BleuRecipe
    score_type: type[AnyScore] = BleuScore
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = DEFAULT
    length_unit = "tokens"

    def count(self, candidate: Any, references: Sequence[Any], layouts: Sequence[Layout[Any]]) -> list[Any]:
        """Count a segment whose texts were split."""
        return count_tokens(candidate, references, layouts)

    def label(self, recipe: BleuRecipe) -> str:
        """``BLEU-4`` for N = 4, ``mean BLEU-1–4`` for the mean up to there."""
        return f"mean BLEU-1–{recipe.order}" if recipe.across_orders == "mean" else f"BLEU-{recipe.order}"

    def title(self, recipe: BleuRecipe) -> str:
        """``BLEU`` for the usual N = 4."""
        return self.name if (recipe.order, recipe.across_orders) == (USUAL_ORDER, "together") else self.label(recipe)

    def read_ahead(self, texts: Iterable[Text], layout: Layout[Any]) -> None:
        """Tokenize many texts in one batch, if the tokenizer can."""
        read_ahead(texts, layout.counting.tokenizer, layout.counting.case)

    def split(self, text: Text, layout: Layout[Any]) -> Tokens:
        """Split a text into tokens."""
        return split_text(text, layout.counting)

    def stops_because(self, stats: BleuStats, recipe: BleuRecipe) -> str:
        """Return why NLTK raises an error on these statistics, if the recipe is NLTK's; empty if it does not."""
        return reason_to_stop(stats, recipe)


METRIC = Bleu()
