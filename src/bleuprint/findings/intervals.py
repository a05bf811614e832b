"""Confidence intervals of single scores, from the same resamples as those of a comparison."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.findings.comparison.checks import check_settings
from bleuprint.findings.comparison.notes import note_few_segments
from bleuprint.findings.settings import USUAL_RESAMPLES, USUAL_SEED, Settings
from bleuprint.findings.significance import TESTS, Interval, estimate_interval, interval_name, interval_words
from bleuprint.metrics.score import Note
from bleuprint.recipes.recipe import Recipe


class ScoreIntervals(NamedTuple):
    """The interval of the score under each recipe, and how they were computed."""

    settings: Settings
    segments: int
    intervals: dict[str, Interval]

    @property
    def title(self) -> str:
        """The heading of a column of intervals."""
        return interval_name(self.settings.confidence)

    @property
    def making(self) -> str:
        """The settings that reproduce the bounds."""
        return f"{self.settings.resamples:,} resamples, seed {self.settings.seed}"

    @property
    def notes(self) -> list[Note]:
        """Notes on what the bounds cannot show."""
        return list(note_few_segments(self.segments))

    def words(self, recipe: str) -> str:
        """Write the bounds."""
        return interval_words(self.intervals[recipe])

    def line(self, recipe: str) -> str:
        """Write an interval in a line."""
        error = self.intervals[recipe].standard_error
        return f"{self.title}: {self.words(recipe)}, standard error {error:.2f} ({self.making})"

    def to_dict(self, recipe: str) -> dict[str, object]:
        """Return an interval as plain data."""
        settings = self.settings._asdict()
        del settings["test"]
        return self.intervals[recipe]._asdict() | settings


def check_interval_settings(confidence: float, resamples: int | None = None, seed: int | None = None) -> Settings:
    """Check the settings of intervals. Those that are None get the defaults of ``compare``."""
    return check_settings(
        TESTS[0],
        USUAL_RESAMPLES if resamples is None else resamples,
        confidence,
        USUAL_SEED if seed is None else seed,
    )


def find_intervals(
    tables: Mapping[Hashable, StatsTable],
    recipes: Mapping[str, Recipe],
    settings: Settings,
    threads: int | None = None,
) -> ScoreIntervals:
    """Compute the interval of every recipe's score. The bounds equal those of ``compare`` with the same settings."""
    intervals = {}
    for name, recipe in recipes.items():
        table, seed, resamples = tables[recipe.counting], settings.seed, settings.resamples
        [drawn] = find_engine().resample([table], recipe, seed=seed, resamples=resamples, threads=threads)
        intervals[name] = estimate_interval(drawn, settings.confidence)
    return ScoreIntervals(settings, len(next(iter(tables.values()))), intervals)
