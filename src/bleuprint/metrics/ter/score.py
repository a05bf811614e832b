"""TER's score, and TER as a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.score import AnyScore, Part, Score, print_length
from bleuprint.metrics.ter.counting import (
    MOST_AVERAGED,
    PARTS,
    TerCensus,
    TerStats,
    Words,
    count_words,
    split_reference,
    split_text,
)
from bleuprint.metrics.ter.formula import TerCombination, combine
from bleuprint.metrics.ter.notes import statistics_notes
from bleuprint.metrics.ter.recipe import AXES, DIALECTS, TER_DEFAULT, TerRecipe
from bleuprint.recipes.options import Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Text
from bleuprint.wording import count_of


class TerScore(Score):
    """One TER score, of a segment, a document or a corpus: a float, the lower the better.

    It is 0 for a perfect candidate and usually below 100; ``fraction`` is the number of edits per word of the
    references. ``edits`` are ``insertions``, ``deletions``, ``substitutions`` and ``shifts`` together.
    """

    recipe: TerRecipe
    _recipe_type: ClassVar[type[Recipe]] = TerRecipe
    _stats_type: ClassVar[type] = TerStats
    _list_notes = staticmethod(statistics_notes)
    stats: TerStats
    """edits of each kind, and the two lengths"""
    census: TerCensus
    """how many segments there were, and how many of them are empty"""
    combination: TerCombination
    """everything the formula computed"""

    @staticmethod
    def combine(stats: TerStats, _recipe: TerRecipe) -> TerCombination:
        """Compute the score from its statistics."""
        return combine(stats)

    @property
    def edits(self) -> int:
        """All edits that make the candidate the reference."""
        return self.stats.edits

    @property
    def insertions(self) -> int:
        """How many words of the reference the candidate lacks."""
        return self.stats.insertions

    @property
    def deletions(self) -> int:
        """How many words the candidate has too many."""
        return self.stats.deletions

    @property
    def substitutions(self) -> int:
        """How many words stand in the place of another."""
        return self.stats.substitutions

    @property
    def shifts(self) -> int:
        """How often words that stand together are moved."""
        return self.stats.shifts

    @property
    def reference_length(self) -> float:
        """The mean length of the references in words, summed over segments."""
        return self.stats.reference_length

    @property
    def parts(self) -> tuple[Part, ...]:
        """Edits of each kind, and both lengths."""
        return self.metric.segment_parts(self.stats, self.recipe.layout)

    @property
    def closer_parts(self) -> tuple[Part, ...]:
        """Edits of each kind per word of the reference, in per cent, which add up to the score; and both lengths."""
        length = self.stats.reference_length
        shares = {kind: number / length if length else 0.0 for kind, number in self.stats.kinds.items()}
        return (
            *(Part(f"{kind}, %", f"{100 * share:.2f}", share) for kind, share in shares.items()),
            Part("words", f"{self.stats.candidate_length:,}"),
            Part("reference", f"{length:,.2f}".removesuffix(".00")),
        )

    def _details(self) -> dict[str, object]:
        return {"edits": self.edits, **self.counts}

    def _in_brackets(self) -> str:
        stats = self.stats
        edits = ", ".join(count_of(number, kind.removesuffix("s")) for kind, number in stats.kinds.items())
        lengths = f"candidate {stats.candidate_length}, reference {print_length(stats.reference_length)}"
        return f"lower is better; {edits}; {lengths}"


class Ter(Metric):
    """Translation edit rate: edits, moves of words among them, over the reference's length (Snover et al. 2006)."""

    key = "ter"
    name = "TER"
    better = Better.LOWER
    has_ngrams = False
    recipe: type[Recipe] = TerRecipe
    score_type: type[AnyScore] = TerScore
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = TER_DEFAULT
    most_references: ClassVar[int] = MOST_AVERAGED
    length_unit = "words"

    def count(self, candidate: Any, references: Sequence[Any], layouts: Sequence[Layout[Any]]) -> list[Any]:
        """Count a segment whose texts were split."""
        return count_words(candidate, references, layouts)

    def label(self, recipe: TerRecipe) -> str:
        """``TER``."""
        return self.name

    def split(self, text: Text, layout: Layout[Any]) -> Words:
        """Split a text into words."""
        return split_text(text, layout.counting)

    def split_reference(self, text: Text, layout: Layout[Any]) -> Words:
        """Split a reference, which may be prepared twice."""
        return split_reference(text, layout.counting)

    def in_words(self, row: Sequence[int]) -> Sequence[float]:
        """Return the row with the length of the references in words."""
        candidate, parts, *edits = row
        return (candidate, parts / PARTS, *edits)


METRIC = Ter()
