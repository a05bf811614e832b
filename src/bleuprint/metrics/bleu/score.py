"""BLEU's score, and BLEU as a metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.advice import Advice
from bleuprint.counting.layout import Layout
from bleuprint.errors import BleuprintError, RecipeError, quote
from bleuprint.metrics.bleu.counting import BleuStats, Census, find_counting
from bleuprint.metrics.bleu.formula import Combination, combine, reason_to_stop
from bleuprint.metrics.bleu.notes import NoteBasis, statistics_notes
from bleuprint.metrics.bleu.recipe import AXES, DIALECTS, BleuRecipe, check_order, uniform_weights
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.score import Note, Part, Score
from bleuprint.recipes.options import DEFAULT, Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import count_of, format_fraction

if TYPE_CHECKING:
    from typing import Unpack

    from bleuprint.metrics.score import Kept
    from bleuprint.text.segments import Text
    from bleuprint.text.tokenizers import Tokens

_LAST_ALONE = "on a corpus NLTK looks at the last one only"
_AVERAGED = "of a corpus CodeXGLUE prints the mean of its segments' scores"


class BleuScore(Score):
    """One BLEU score, of a segment, a document or a corpus: a float on 0 to 100.

    ``fraction`` is the score on 0 to 1. ``precisions`` are matches / totals, ``smoothed_precisions`` what the formula
    used.
    """

    recipe: BleuRecipe
    _recipe_type: ClassVar[type[Recipe]] = BleuRecipe
    _stats_type: ClassVar[type] = BleuStats
    _combine = staticmethod(combine)
    stats: BleuStats
    """clipped matches and totals per order, and the two lengths"""
    census: Census
    """how many segments there were, and how many of them are short or empty"""
    combination: Combination
    """everything the formula computed"""

    if TYPE_CHECKING:

        def __init__(self, stats: BleuStats, recipe: Recipe | str, **kept: Unpack[Kept]) -> None: ...

    @classmethod
    def _fit(cls, stats: BleuStats, recipe: BleuRecipe) -> BleuStats:
        if stats.order < recipe.layout.order:
            raise BleuprintError(
                where="BleuScore",
                wanted=f"statistics up to order {recipe.layout.order}, as the recipe says",
                got=f"order {stats.order}",
                next_step="Count again with this recipe, or choose a smaller order.",
            )
        return stats if stats.order == recipe.layout.order else stats.up_to(recipe.layout.order)

    @classmethod
    def _check_segments(cls, segments: int, recipe: BleuRecipe) -> None:
        if recipe.is_for_one_segment and segments > 1:
            who = _AVERAGED if recipe.brevity == "plus-1" else _LAST_ALONE
            raise RecipeError(
                where=f"recipe, {recipe.only_choice}",
                wanted=f"one segment: {who}, so that no sums give its number",
                got=count_of(segments, "segment"),
                next_step=Advice.SCORE_SEGMENTS,
            )

    def _take_census(self) -> Census:
        return Census.of_segment(self.stats) if self.level == "segment" else Census(1, (0,) * self.order)

    @property
    def stops_because(self) -> str:
        """Why NLTK, whose recipe this is, stops with an error here, so that the 0 is ours; empty if it does not."""
        return reason_to_stop(self.stats, self.recipe)

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
        """What the length takes: 1 for nothing."""
        return self.combination.brevity_penalty

    @property
    def geometric_mean(self) -> float:
        """The weighted geometric mean of the smoothed precisions."""
        return self.combination.geometric_mean

    @property
    def order(self) -> int:
        """The highest n-gram order N."""
        return self.recipe.order

    @cached_property
    def statistics_notes(self) -> list[Note]:
        """The notes that the statistics alone give reason for."""
        return statistics_notes(NoteBasis(self.stats, self.recipe, self.combination, self.census, self.level))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Precisions in per cent, the brevity penalty, and both lengths."""
        return (
            *(Part(f"p{n}", "–" if p is None else f"{100 * p:.1f}") for n, p in enumerate(self.smoothed_precisions, 1)),
            Part("BP", f"{self.brevity_penalty:.3f}"),
            Part("candidate", str(self.stats.candidate_length)),
            Part("reference", str(self.stats.reference_length)),
        )

    @property
    def closer_parts(self) -> tuple[Part, ...]:
        """Precisions as counted, lengths and their ratio, whose bar is half full at 1, and the brevity penalty."""
        lengths = self.stats.candidate_length, self.stats.reference_length
        ratio = lengths[0] / lengths[1] if lengths[1] else None
        return (
            *(Part(f"p{n}, %", f"{100 * p:.2f}", p) for n, p in enumerate(self.precisions, 1)),
            Part("tokens", f"{lengths[0]:,}"),
            Part("reference", f"{lengths[1]:,}"),
            Part("ratio", "–") if ratio is None else Part("ratio", f"{ratio:.3f}", ratio / 2),
            Part("brevity penalty", format_fraction(self.brevity_penalty), self.brevity_penalty),
        )

    @property
    def quantities(self) -> dict[str, float]:
        """The brevity penalty."""
        return {"brevity_penalty": self.brevity_penalty}

    def at_order(self, order: int) -> BleuScore:
        """Give BLEU-n for a smaller n from the same statistics, with equal weights."""
        weights = uniform_weights(check_order(order))
        if order > self.order:
            raise BleuprintError(
                where="at_order",
                wanted=f"one of the orders 1 to {self.order}, which were counted",
                got=quote(order),
                next_step=f"Score again with recipe.replace(order={order}).",
            )
        return BleuScore(
            self.stats, self.recipe.replace(weights=weights, across_orders="together"),
            level=self.level, census=self.census, table=self.table,
            segments=self.segments, text_notes=self._text_notes, skipped=self.skipped,
        )  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """Give the score as plain data."""
        return {
            "schema": "bleuprint.score/1",
            "score": self.score,
            "fraction": self.fraction,
            "label": self.label,
            "level": self.level,
            "precisions": list(self.precisions),
            "smoothed_precisions": list(self.smoothed_precisions),
            "brevity_penalty": self.brevity_penalty,
            "geometric_mean": self.geometric_mean,
            "matches": list(self.stats.matches),
            "totals": list(self.stats.totals),
            "candidate_length": self.stats.candidate_length,
            "reference_length": self.stats.reference_length,
            "segments": self.census.segments,
            "signature": self.signature,
            "notes": [note._asdict() for note in self.notes],
        }

    def summary(self) -> str:
        """One line: the score, its parts and its signature."""
        parts = "/".join("–" if p is None else f"{100 * p:.1f}" for p in self.smoothed_precisions)
        stats = self.stats
        return (
            f"{self.label} = {self.printed} "
            f"({parts}, BP = {self.brevity_penalty:.3f}, candidate {stats.candidate_length}, "
            f"reference {stats.reference_length}) {self.signature}"
        )


USUAL_ORDER = 4
SPLIT_AT_SPACES = ("whitespace", "13a", "intl", "codexglue", "fairseq", "treebank", "nltk-word-tokenize", "ptb")
"""The tokenizers that leave Chinese, Japanese or Thai in one piece."""


class Bleu(Metric):
    """Clipped n-gram precisions, their weighted geometric mean, and a penalty for brevity (Papineni et al. 2002)."""

    key = "bleu"
    name = "BLEU"
    recipe: type[Recipe] = BleuRecipe
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = DEFAULT
    score_segment: Callable[..., BleuScore] = BleuScore.of_segment
    score_sums: Callable[..., BleuScore] = BleuScore.of_sums

    length_unit = "tokens"

    def label(self, recipe: BleuRecipe) -> str:
        """``BLEU-4`` for N = 4, ``mean BLEU-1–4`` for the mean up to there."""
        return f"mean BLEU-1–{recipe.order}" if recipe.across_orders == "mean" else f"BLEU-{recipe.order}"

    def title(self, recipe: BleuRecipe) -> str:
        """``BLEU`` for the usual N = 4."""
        return self.name if recipe.order == 4 and recipe.across_orders == "together" else self.label(recipe)

    def read_ahead(self, texts: Iterable[Text], layout: Layout[Any]) -> None:
        """Tell the tokenizer which texts will come."""
        from bleuprint.text.tokenizers import read_ahead

        counting = find_counting(layout)
        read_ahead(texts, counting.tokenizer, counting.case)

    def split(self, text: Text, layout: Layout[Any]) -> Tokens:
        """Split a text into tokens."""
        from bleuprint.text.tokenizers import tokenize

        counting = find_counting(layout)
        return tokenize(text, counting.tokenizer, counting.case)

    def count(self, candidate: Tokens, references: Sequence[Tokens], layouts: Sequence[Layout[Any]]) -> list[BleuStats]:
        """Count clipped matches, totals and lengths."""
        from bleuprint.metrics.bleu.counting import count_tokens

        return count_tokens(candidate, references, layouts)

    def read_census(self, numbers: Sequence[int]) -> Census:
        """Give the numbers of a census their names."""
        return Census.from_numbers(numbers)

    def score_row(self, row: Sequence[int], recipe: BleuRecipe) -> float:
        """Combine one row."""
        return combine(BleuStats.from_row(row), recipe).score

    def stops_because(self, stats: BleuStats, recipe: BleuRecipe) -> str:
        """Say why NLTK, whose recipe this is, stops with an error; empty if it does not."""
        return reason_to_stop(stats, recipe)

    def segment_parts(self, stats: BleuStats, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give matches of totals for each order, and both lengths."""
        counted = zip(stats.matches, stats.totals, strict=True)
        return (
            *(Part(f"{n}-grams", f"{matches}/{total}") for n, (matches, total) in enumerate(counted, 1)),
            Part("candidate", str(stats.candidate_length)),
            Part("reference", str(stats.reference_length)),
        )


METRIC = Bleu()
