"""TER's score, and TER as a metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.score import Note, Part, Score
from bleuprint.metrics.ter.counting import MOST_AVERAGED, TerCensus, TerStats, find_counting
from bleuprint.metrics.ter.formula import TerCombination, combine
from bleuprint.metrics.ter.notes import TerNoteBasis, statistics_notes
from bleuprint.metrics.ter.recipe import AXES, DIALECTS, TER_DEFAULT, TerRecipe
from bleuprint.recipes.options import Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from typing import Unpack

    from bleuprint.metrics.score import Kept
    from bleuprint.metrics.ter.counting import Words
    from bleuprint.text.segments import Text


class TerScore(Score):
    """One TER score, of a segment, a document or a corpus: a float, the lower the better.

    It is 0 for a perfect candidate and usually below 100; ``fraction`` is the number of edits per word of the
    references. ``edits`` are ``insertions``, ``deletions``, ``substitutions`` and ``shifts`` together.
    """

    recipe: TerRecipe
    _recipe_type: ClassVar[type[Recipe]] = TerRecipe
    _stats_type: ClassVar[type] = TerStats
    stats: TerStats
    """edits of each kind, and the two lengths"""
    census: TerCensus
    """how many segments there were, and how many of them are empty"""
    combination: TerCombination
    """everything the formula computed"""

    if TYPE_CHECKING:

        def __init__(self, stats: TerStats, recipe: Recipe | str, **kept: Unpack[Kept]) -> None: ...

    @staticmethod
    def _combine(stats: TerStats, _recipe: TerRecipe) -> TerCombination:
        return combine(stats)

    def _take_census(self) -> TerCensus:
        return TerCensus.of_segment(self.stats) if self.level == "segment" else TerCensus(1)

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

    @cached_property
    def statistics_notes(self) -> list[Note]:
        """The notes that the statistics alone give reason for."""
        return statistics_notes(TerNoteBasis(self.stats, self.recipe, self.combination, self.census, self.level))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Edits of each kind, and both lengths."""
        return list_parts(self.stats)

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

    def to_dict(self) -> dict[str, object]:
        """Give the score as plain data."""
        return {
            "schema": "bleuprint.score/1",
            "score": self.score,
            "fraction": self.fraction,
            "label": self.label,
            "level": self.level,
            "edits": self.edits,
            **self.counts,
            "segments": self.census.segments,
            "signature": self.signature,
            "notes": [note._asdict() for note in self.notes],
        }

    def summary(self) -> str:
        """One line: the score, its parts and its signature."""
        stats = self.stats
        parts = ", ".join(count_of(number, kind.removesuffix("s")) for kind, number in stats.kinds.items())
        return (
            f"{self.label} = {self.printed} (lower is better; {parts}; candidate {stats.candidate_length}, "
            f"reference {print_length(stats)}) {self.signature}"
        )


def list_parts(stats: TerStats) -> tuple[Part, ...]:
    """Give edits of each kind, and both lengths, by the titles that they have in a grid."""
    return (
        *(Part(kind, str(number)) for kind, number in stats.kinds.items()),
        Part("candidate", str(stats.candidate_length)),
        Part("reference", print_length(stats)),
    )


def print_length(stats: TerStats) -> str:
    """Print the length of the references in words; a mean of several may have decimals."""
    return f"{stats.reference_length:.2f}".removesuffix(".00")


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
        from bleuprint.metrics.ter.counting import split_text

        return split_text(text, find_counting(layout))

    def split_reference(self, text: Text, layout: Layout[Any]) -> Words:
        """Split a reference, which may be prepared twice."""
        from bleuprint.metrics.ter.counting import split_reference

        return split_reference(text, find_counting(layout))

    def count(self, candidate: Words, references: Sequence[Words], layouts: Sequence[Layout[Any]]) -> list[TerStats]:
        """Count edits and lengths."""
        from bleuprint.metrics.ter.counting import count_words

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


METRIC = Ter()
