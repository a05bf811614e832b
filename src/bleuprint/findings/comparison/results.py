"""What a comparison finds: one result per recipe, with its systems, its pairs of systems and a summary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleuprint.errors import BleuprintError, Location, quote, unknown_name
from bleuprint.findings.settings import MOST_RESAMPLES, Settings
from bleuprint.findings.significance import Interval, Needed, find_needed, interval_name, interval_words
from bleuprint.metrics.score import Note, Score
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import count_of, format_p, format_score, join_words

if TYPE_CHECKING:
    from bleuprint.metrics.external import ExternalScore
    from bleuprint.metrics.score import AnyScore

    SystemScore: TypeAlias = AnyScore | ExternalScore
else:
    SystemScore = Score
"""The score under the recipe, or the mean of external scores."""


class PairVerdict(StrEnum):
    """Whether two systems differ."""

    SIGNIFICANT = "significant"
    NOT_SIGNIFICANT = "not-significant"
    UNDECIDED = "undecided"
    """no difference, however large, could have been significant"""


class Verdict(StrEnum):
    """Which of the systems differ."""

    ONE_SYSTEM = "one-system"
    """there was nothing to compare"""
    UNDECIDED = "undecided"
    """no difference, however large, could have been significant"""
    NONE_DIFFER = "none-differ"
    SOME_DIFFER = "some-differ"
    ALL_DIFFER = "all-differ"


class SystemResult(NamedTuple):
    """One system under one recipe."""

    name: str
    score: SystemScore
    interval: Interval
    ranks: tuple[int, int] | None
    """the best and the worst possible rank; None if not all pairs were compared, or nothing was decided"""
    cluster: int | None
    """the number of its cluster, from 1; None if there are no clusters"""


class PairResult(NamedTuple):
    """Two systems under one recipe: the difference, and whether it is significant."""

    first: str
    second: str
    difference: float
    """score of the first minus score of the second: below 0 if lower is better and the first is ahead"""
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
    """the minimum detectable difference of a single test at 5 % with a power of 80 %; None if there are too few
    segments, or the difference is the same on all resamples"""

    @property
    def significant(self) -> bool:
        """Whether the difference is significant. It is False as well if that could not be decided."""
        return self.verdict is PairVerdict.SIGNIFICANT

    def turned(self) -> PairResult:
        """Return the same result with the other system first."""
        low, high, error = self.interval
        return self._replace(
            first=self.second, second=self.first, difference=0.0 - self.difference,
            interval=Interval(0.0 - high, 0.0 - low, error),
        )  # fmt: skip


@dataclass(frozen=True)
class RecipeResult:
    """All systems and pairs under one recipe. ``==`` ignores the notes, which follow from the rest and the texts."""

    name: str
    recipe: Recipe
    settings: Settings
    baseline: str | None
    systems: tuple[SystemResult, ...]
    """in the order in which they were passed"""
    pairs: tuple[PairResult, ...]
    """the best first; against the baseline if there is one, else all pairs"""
    clusters: tuple[tuple[str, ...], ...] | None
    """best first; systems of two clusters always differ significantly, and no cluster can be split so that all above
    the cut differ from all below; None if not all pairs were compared, or nothing was decided"""
    notes: tuple[Note, ...] = field(compare=False)
    testset: str = ""
    """the test set as signatures name it, if it has a name"""

    @property
    def title(self) -> str:
        """The source of the numbers, within a sentence: a recipe, or external scores."""
        return f"recipe {self.name}" if self.recipe.metric.counts_texts else f"external scores {self.name}"

    @property
    def signature(self) -> str:
        """The recipe in one line, and the test set if it has a name."""
        return self.recipe.signature_on(self.testset)

    @property
    def ranked(self) -> list[SystemResult]:
        """The systems, the best first. Equal systems keep their order."""
        return sorted(self.systems, key=lambda system: self.recipe.metric.sort_key(system.score.score))

    @property
    def segments(self) -> int:
        """The number of segments of the test set."""
        return int(self.systems[0].score.census.segments)

    def system(self, name: str) -> SystemResult:
        """Return the result of a system."""
        systems = {system.name: system for system in self.systems}
        check_name(name, systems, "system")
        return systems[name]

    def pair(self, first: str, second: str) -> PairResult:
        """Return the result of two systems, the first against the second in any order of the pair."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.first, pair.second) == (second, first):
                return pair.turned()
        raise BleuprintError(
            f"{quote(first)} and {quote(second)} were not compared.",
            "With a baseline, only pairs with it are compared. Leave `baseline` out to compare all.",
            location=Location("pair"),
        )

    @property
    def verdict(self) -> Verdict:
        """Which of the systems differ."""
        found = {pair.verdict for pair in self.pairs}
        if not found:
            return Verdict.ONE_SYSTEM
        if PairVerdict.UNDECIDED in found:
            return Verdict.UNDECIDED
        if PairVerdict.SIGNIFICANT not in found:
            return Verdict.NONE_DIFFER
        return Verdict.ALL_DIFFER if len(found) == 1 else Verdict.SOME_DIFFER

    @property
    def needed(self) -> Needed | None:
        """The least number of resamples and segments for a significant difference; None without pairs."""
        return find_needed(len(self.pairs), self.settings.test, self.settings.level) if self.pairs else None

    @property
    def detectable(self) -> tuple[float, float] | None:
        """The smallest and the largest minimum detectable difference of its pairs; None if no pair has one."""
        found = [pair.detectable for pair in self.pairs if pair.detectable is not None]
        return (min(found), max(found)) if found else None

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        return _summarise(self)


def check_name(name: str, known: Iterable[str], kind: str, argument: str = "") -> None:
    """Raise an error for an unknown name."""
    names = list(known)
    if name not in names:
        raise unknown_name(kind, name, names, location=Location(argument or kind))


def _summarise(result: RecipeResult) -> str:
    """Write the outcome in one sentence, which is true of every pair."""
    count = f"{len(result.systems)} systems"
    if not result.pairs:
        [only] = result.systems
        interval = (
            f"{interval_name(result.settings.confidence)} {interval_words(only.interval, only.score.metric.digits)}"
        )
        return f"{only.name} has {only.score.label} {only.score.printed} ({interval})."
    if len(result.pairs) == 1:
        return summarise_pair(result.pairs[0], result)
    if result.verdict is Verdict.UNDECIDED:
        what = f"any of these {count} differ"
        if result.baseline is not None:
            what = f"any of {count_of(len(result.pairs), 'system')} differs from {result.baseline}"
        return f"Whether {what} cannot be decided by {len(result.pairs):,} comparisons: {describe_needs(result)}."
    if result.baseline is not None:
        return _summarise_baseline(result, result.baseline)
    if result.verdict is Verdict.NONE_DIFFER:
        return f"No two of these {count} differ significantly."
    clusters = result.clusters or ()
    if len(clusters) > 1:
        parts = " > ".join(", ".join(names) for names in clusters)
        return f"{len(clusters):,} clusters, each significantly ahead of the next: {parts}."
    differing = sum(pair.significant for pair in result.pairs)
    return (
        f"{differing:,} of {len(result.pairs):,} pairs {'differs' if differing == 1 else 'differ'} significantly, but "
        "nowhere do all systems above differ from all below: they are one cluster."
    )


def _summarise_baseline(result: RecipeResult, baseline: str) -> str:
    is_ahead = result.recipe.metric.is_ahead
    found = [pair for pair in result.pairs if pair.significant]
    parts = []
    for way, sign in (("better", 1), ("worse", -1)):
        if names := [pair.first for pair in found if is_ahead(sign * pair.difference)]:
            parts.append(f"{join_words(names)} significantly {way}")
    if rest := len(result.pairs) - len(found):
        parts.append(f"{count_of(rest, 'system')} without a significant difference")
    return f"Compared with {baseline}: {'; '.join(parts)}."


def summarise_pair(pair: PairResult, result: RecipeResult) -> str:
    """Write which of two systems is ahead, and whether the difference is significant."""
    metric = result.recipe.metric
    if abs(pair.difference) < metric.margin:
        return f"{pair.first} and {pair.second} have the same score."
    way = "ahead of" if metric.is_ahead(pair.difference) else "behind"
    size = f"{format_score(abs(pair.difference), metric.digits)} {metric.title(result.recipe)}"
    outcome = f"{pair.first} is {way} {pair.second} by {size}"
    if pair.verdict is PairVerdict.UNDECIDED:
        return f"{outcome}; whether that is luck cannot be decided: {describe_needs(result)}."
    verdict = "significant" if pair.significant else "not significant"
    corrected = f", {format_p(pair.p_holm)} after Holm's correction" if len(result.pairs) > 1 else ""
    return f"{outcome}, which is {verdict} (p = {format_p(pair.p)}{corrected})."


def describe_needs(result: RecipeResult) -> str:
    """Write how many more resamples or segments a significant difference needs."""
    needed, settings = result.needed, result.settings
    parts = []
    if needed and settings.resamples < needed.resamples:
        parts.append(f"at least {needed.resamples:,} resamples (here {settings.resamples:,})")
    if needed and result.segments < needed.segments:
        parts.append(f"at least {needed.segments:,} segments (here {result.segments:,})")
    text = f"to be significant at {settings.level:g} it takes {join_words(parts)}"
    if needed and needed.resamples > MOST_RESAMPLES:
        text += f", and no more than {MOST_RESAMPLES:,} are drawn: compare fewer systems, or all with a baseline"
    return text
