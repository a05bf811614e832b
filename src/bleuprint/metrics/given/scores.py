"""The score of given scores: their mean."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from bleuprint.metrics.given.recipe import GivenRecipe
from bleuprint.metrics.given.stats import GivenCensus, GivenStats
from bleuprint.metrics.note import Note
from bleuprint.metrics.part import Part
from bleuprint.metrics.score import Score
from bleuprint.wording import count_of, format_score


class GivenCombination(NamedTuple):
    """The mean. Its scale has no share of 100, so that the fraction is the same."""

    score: float
    fraction: float


class GivenScore(Score):
    """The mean of the scores that were given, on their own scale: neither 0 nor 100 needs to be an end of it."""

    recipe: GivenRecipe
    stats: GivenStats
    """what the scores of segments add up to"""
    census: GivenCensus
    """how many segments there were"""

    @staticmethod
    def _combine(stats: GivenStats, recipe: GivenRecipe) -> GivenCombination:
        mean = recipe.metric.score_row(stats.row, recipe)
        return GivenCombination(mean, mean)

    @property
    def printed(self) -> str:
        """The score with as many decimals as its scale takes."""
        return format_score(self.score, self.metric.digits)

    def _take_census(self) -> GivenCensus:
        return GivenCensus(self.stats.segments)

    @cached_property
    def statistics_notes(self) -> list[Note]:
        """Nothing is known that would be a reason for a note."""
        return []

    @property
    def parts(self) -> tuple[Part, ...]:
        """How many segments there were."""
        return (Part("segments", f"{self.stats.segments:,}"),)

    def to_dict(self) -> dict[str, object]:
        """Give the score as plain data."""
        return {
            "schema": "bleuprint.score/1",
            "score": self.score,
            "label": self.label,
            "level": self.level,
            "segments": self.stats.segments,
            "signature": self.signature,
            "notes": [note._asdict() for note in self.notes],
        }

    def summary(self) -> str:
        """One line: the score, of how many segments, and the signature."""
        return f"{self.label} = {self.printed} (mean of {count_of(self.stats.segments, 'segment')}) {self.signature}"
