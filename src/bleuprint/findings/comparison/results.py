"""What a comparison finds, as values: one result per recipe, with its systems and its pairs of systems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleuprint.advice import Advice
from bleuprint.errors import BleuprintError, Location, name_list, nearest, quote
from bleuprint.findings.comparison.in_words import summarise
from bleuprint.findings.comparison.verdicts import Needed, PairVerdict, Verdict, find_needed, judge_all
from bleuprint.findings.significance import Interval
from bleuprint.metrics.score import Note, Score
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.metrics.external import ExternalScore
    from bleuprint.metrics.score import AnyScore

    SystemScore: TypeAlias = AnyScore | ExternalScore
else:
    SystemScore = Score
"""The score that the recipe tells, or the mean of external scores."""


class Settings(NamedTuple):
    """How a comparison was made: with the same settings and texts it comes out the same anywhere."""

    test: str
    """the test that decides: ``randomisation`` or ``bootstrap``"""
    resamples: int
    """how many test sets the bootstrap draws, and how many trials the randomisation has"""
    seed: int
    confidence: float
    """of the intervals; 1 minus this is the level of the tests"""

    @property
    def level(self) -> float:
        """The share of false alarms that the tests allow."""
        return round(1 - self.confidence, 12)


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system under one recipe."""

    name: str
    score: SystemScore
    interval: Interval
    ranks: tuple[int, int] | None
    """the best and the worst place that it may have; None where not all pairs were compared, or nothing was decided"""
    cluster: int | None
    """its cluster, counted from 1; None where there are no clusters"""


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems under one recipe: how far they are apart, and how sure that is."""

    first: str
    second: str
    difference: float
    """score of the first minus score of the second: below 0 where lower is better and the first is ahead"""
    interval: Interval
    """of the difference"""
    p_randomisation: float
    p_bootstrap: float
    p: float
    """of the test that decides"""
    p_holm: float
    """the same, corrected for the number of pairs"""
    verdict: PairVerdict
    detectable: float | None
    """the smallest difference between such systems that a single test at 5 % on such a test set finds four times in
    five; None where there are too few segments for that, or the difference is the same on all resamples"""

    @property
    def significant(self) -> bool:
        """Whether the difference is significant; False, too, where that could not be decided."""
        return self.verdict is PairVerdict.SIGNIFICANT

    def turned(self) -> PairResult:
        """Give the same with the other system first."""
        low, high, error = self.interval
        return replace(
            self, first=self.second, second=self.first, difference=0.0 - self.difference,
            interval=Interval(0.0 - high, 0.0 - low, error),
        )  # fmt: skip


@dataclass(frozen=True)
class RecipeResult:
    """All systems and pairs under one recipe. Notes follow from the rest and from the texts; ``==`` leaves them out."""

    name: str
    recipe: Recipe
    settings: Settings
    baseline: str | None
    systems: tuple[SystemResult, ...]
    """in the order in which they were given"""
    pairs: tuple[PairResult, ...]
    """the best first; against the baseline where there is one, else all pairs"""
    clusters: tuple[tuple[str, ...], ...] | None
    """best first; systems of two clusters always differ significantly, those of one may or may not, and no cut parts a
    cluster so that all above it differ from all below; None where not all pairs were compared, or none was decided"""
    notes: tuple[Note, ...] = field(compare=False)
    testset: str = ""
    """the test set as signatures name it; empty where it has no name"""

    @property
    def title(self) -> str:
        """What the numbers come from, within a sentence: a recipe, or external scores."""
        return f"recipe {self.name}" if self.recipe.metric.counts_texts else f"external scores {self.name}"

    @property
    def signature(self) -> str:
        """The recipe in one line, and the test set where it has a name."""
        return self.recipe.signature_on(self.testset)

    @property
    def ranked(self) -> list[SystemResult]:
        """The systems, the best first."""
        return rank(self.systems)

    @property
    def segments(self) -> int:
        """How many segments the test set has."""
        return int(self.systems[0].score.census.segments)

    def system(self, name: str) -> SystemResult:
        """Find a system by its name."""
        check_name(name, [system.name for system in self.systems], "system")
        return next(system for system in self.systems if system.name == name)

    def pair(self, first: str, second: str) -> PairResult:
        """Give the result of two systems: the first against the second, however it was stored."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.first, pair.second) == (second, first):
                return pair.turned()
        raise BleuprintError(
            where="pair",
            wanted="two systems that were compared",
            got=f"{quote(first)} and {quote(second)}",
            next_step=Advice.LEAVE_BASELINE,
        )

    @property
    def verdict(self) -> Verdict:
        """Which of the systems differ, as data."""
        return judge_all([pair.verdict for pair in self.pairs])

    @property
    def needed(self) -> Needed | None:
        """How many resamples and segments a significant difference needs at least; None without pairs."""
        return find_needed(len(self.pairs), self.settings.test, self.settings.level) if self.pairs else None

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        return summarise(self)

    @property
    def detectable(self) -> tuple[float, float] | None:
        """The smallest and the largest of the differences that its pairs could detect; None without such pairs."""
        found = [pair.detectable for pair in self.pairs if pair.detectable is not None]
        return (min(found), max(found)) if found else None


def rank(systems: Iterable[SystemResult]) -> list[SystemResult]:
    """Sort systems, the best first; equal ones stay in the order in which they were given."""
    return sorted(systems, key=lambda system: system.score.metric.sort_key(system.score.score))


def check_name(name: str, known: Iterable[str], what: str | Location) -> None:
    """Refuse a name that nobody has."""
    names = list(known)
    if name not in names:
        raise BleuprintError(
            where=what,
            wanted=name_list(names) if names else "no name, as there is none",
            got=quote(name),
            suggestion=nearest(name, names),
            next_step="Names are taken as they were given.",
        )
