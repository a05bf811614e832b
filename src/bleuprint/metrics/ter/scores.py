"""TER's score: a number that carries its statistics, its recipe and its reasons."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from bleuprint.metrics.note import Note
from bleuprint.metrics.part import Part
from bleuprint.metrics.score import Score
from bleuprint.metrics.ter.formula import TerCombination, combine
from bleuprint.metrics.ter.notes import TerNoteBasis, statistics_notes
from bleuprint.metrics.ter.recipe import TerRecipe
from bleuprint.metrics.ter.stats import TerCensus, TerStats
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from typing import Unpack

    from bleuprint.metrics.score import Kept


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
