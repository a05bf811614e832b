"""What a comparison finds, as values: one result per recipe, with its systems and its pairs of systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bleuprint.bleu_score import BleuScore
from bleuprint.errors import BleuprintError, name_list, quote
from bleuprint.notes import Note
from bleuprint.recipe import Recipe
from bleuprint.significance.bootstrap import Interval
from bleuprint.wording import count_of, format_score, join_words

DETECTABLE = 2.8
"""Standard errors between two systems for a test at 5 % to find the difference 4 times in 5: 1.96 + 0.84."""


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
    score: BleuScore
    interval: Interval
    ranks: tuple[int, int] | None
    """the best and the worst place that it may have; None where not all pairs were compared"""
    cluster: int | None
    """its cluster, counted from 1; None where not all pairs were compared"""


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems under one recipe: how far the first is ahead, and how sure that is."""

    first: str
    second: str
    difference: float
    """score of the first minus score of the second"""
    interval: Interval
    """of the difference"""
    p_randomisation: float
    p_bootstrap: float
    p: float
    """of the test that decides"""
    p_holm: float
    """the same, corrected for the number of pairs"""
    significant: bool

    @property
    def detectable(self) -> float:
        """The smallest difference between systems like these that such a test set would usually find."""
        return DETECTABLE * self.interval.standard_error


@dataclass(frozen=True)
class RecipeResult:
    """All systems and pairs under one recipe."""

    name: str
    recipe: Recipe
    systems: tuple[SystemResult, ...]
    """in the order in which they were given"""
    pairs: tuple[PairResult, ...]
    """the best first; against the baseline where there is one, else all pairs"""
    clusters: tuple[tuple[str, ...], ...] | None
    """systems that the test cannot part, best first; None where not all pairs were compared"""
    notes: tuple[Note, ...]

    @property
    def ranked(self) -> list[SystemResult]:
        """The systems, the best first."""
        return rank(self.systems)

    def system(self, name: str) -> SystemResult:
        """Find a system by its name."""
        check_name(name, [system.name for system in self.systems], "system")
        return next(system for system in self.systems if system.name == name)

    def pair(self, first: str, second: str) -> PairResult:
        """Find the result of two systems, in the direction in which it was stored or in the other."""
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair
        raise BleuprintError(
            where="pair",
            wanted="two systems that were compared",
            got=f"{quote(first)} and {quote(second)}",
            next_step="With a baseline only pairs with it are compared; leave baseline out to compare all.",
        )

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        if not self.pairs:
            [only] = self.systems
            return f"{only.name} has {only.score.label} {format_score(only.score.score)}, {describe(only.interval)}."
        if len(self.pairs) == 1:
            return _describe_pair(self.pairs[0])
        if self.clusters is None:
            return _describe_baseline(self.pairs)
        if len(self.clusters) == 1:
            return _describe_one_cluster(self.systems, self.pairs)
        parts = " > ".join(", ".join(names) for names in self.clusters)
        return f"{count_of(len(self.clusters), 'cluster')}: {parts}."

    @property
    def detectable(self) -> tuple[float, float] | None:
        """The smallest and the largest of the differences that its pairs could detect; None without pairs."""
        found = [pair.detectable for pair in self.pairs]
        return (min(found), max(found)) if found else None


def describe(interval: Interval) -> str:
    """Write the bounds of an interval."""
    return f"between {format_number(interval.low)} and {format_number(interval.high)}"


def format_number(number: float) -> str:
    """Write a difference or a bound with two decimals and a real minus sign; what rounds to 0 has none."""
    text = f"{abs(number):.2f}"
    return f"\u2212{text}" if number < 0 and float(text) else text


def format_p(p: float) -> str:
    """Write a p-value with four decimals, or as a power of ten where it is smaller.

    >>> format_p(1.0), format_p(0.04321), format_p(0.00001)
    ('1.0000', '0.0432', '1.0e-05')
    """
    return f"{p:.4f}" if p >= 0.00005 else f"{p:.1e}"


def _describe_pair(pair: PairResult) -> str:
    if not pair.difference:
        return f"{pair.first} and {pair.second} have the same score."
    way = "ahead of" if pair.difference > 0 else "behind"
    verdict = "significant" if pair.significant else "not significant"
    size, p = format_score(abs(pair.difference)), format_p(pair.p)
    return f"{pair.first} is {way} {pair.second} by {size} BLEU, which is {verdict} (p = {p})."


def _describe_one_cluster(systems: Sequence[SystemResult], pairs: Sequence[PairResult]) -> str:
    parted = sum(pair.significant for pair in pairs)
    if not parted:
        return f"No two of these {len(systems)} systems differ significantly."
    return (
        f"{parted} of {len(pairs)} pairs differ significantly, but nowhere do all systems above differ from all below: "
        "they are one cluster."
    )


def _describe_baseline(pairs: Iterable[PairResult]) -> str:
    known = list(pairs)
    better = [pair.first for pair in known if pair.significant and pair.difference > 0]
    worse = [pair.first for pair in known if pair.significant and pair.difference < 0]
    parts = [
        f"{join_words(names)} {way}"
        for names, way in ((better, "significantly better"), (worse, "significantly worse"))
        if names
    ]
    rest = len(known) - len(better) - len(worse)
    parts += [f"{count_of(rest, 'system')} not to be told from it"] if rest else []
    return f"Compared with {known[0].second}: {'; '.join(parts)}."


def rank(systems: Iterable[SystemResult]) -> list[SystemResult]:
    """Sort systems, the best first; equal ones stay in the order in which they were given."""
    return sorted(systems, key=lambda system: -system.score.score)


def check_name(name: str, known: Iterable[str], what: str) -> None:
    """Refuse a name that nobody has."""
    names = list(known)
    if name not in names:
        raise BleuprintError(
            where=what,
            wanted=name_list(names) if names else "no name, as there is none",
            got=quote(name),
            next_step="Names are taken as they were given.",
        )
