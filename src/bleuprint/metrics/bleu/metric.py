"""BLEU, as the rest of the house knows it. What only some need is loaded when they ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.counting.layout import Layout
from bleuprint.metrics.bleu.dialects import DIALECTS
from bleuprint.metrics.bleu.formula import combine, reason_to_stop
from bleuprint.metrics.bleu.recipe import AXES, BleuRecipe
from bleuprint.metrics.bleu.scores import BleuScore
from bleuprint.metrics.bleu.stats import BleuStats, Census, find_counting
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.part import Part
from bleuprint.recipes.axis import Axis
from bleuprint.recipes.dialect import DEFAULT, Dialect
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.text.segments import Text
    from bleuprint.text.tokenizers import Tokens


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
        from bleuprint.metrics.bleu.counts import count_tokens

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


BLEU = Bleu()
