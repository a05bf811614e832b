"""The measurement: scores of systems and of resamples under one recipe, then pairs, ranks and clusters."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from operator import sub
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison.in_words import write_remarks
from bleuprint.findings.comparison.results import PairResult, RecipeResult, Settings, SystemResult
from bleuprint.findings.comparison.verdicts import (
    Verdict,
    cluster_systems,
    correct_holm,
    find_needed,
    judge_all,
    judge_pair,
    possible_ranks,
)
from bleuprint.findings.significance import (
    Interval,
    bootstrap_p,
    estimate_interval,
    lowest_bootstrap_p,
    lowest_swap_p,
    randomisation_p,
    resample_scores,
)
from bleuprint.metrics.score import AnyScore, Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_table
from bleuprint.text.segments import Segments

DETECTABLE = 2.8
"""Standard errors between two systems for a test at 5 % to find the difference 4 times in 5: 1.96 + 0.84."""
Randomise = Callable[[str, str], float]
"""Tests two systems by their names: the p-value of the randomisation."""


class MeasuredSystems(NamedTuple):
    """Every system under one recipe: what it counts, its score, and its scores on all resamples."""

    recipe: Recipe
    tables: Mapping[str, StatsTable]
    scores: Mapping[str, AnyScore]
    resampled: Mapping[str, array[float]]

    @property
    def segments(self) -> int:
        """How many segments the test set has."""
        return len(next(iter(self.tables.values())))

    @property
    def ranked(self) -> list[str]:
        """The names of the systems, the best first."""
        return sorted(self.scores, key=lambda name: self.recipe.metric.sort_key(self.scores[name].score))


def measure_systems(
    tables: Mapping[str, StatsTable],
    segments: Mapping[str, Segments],
    recipe: Recipe,
    settings: Settings,
    threads: int | None,
) -> MeasuredSystems:
    """Score every system, on the test set and on resamples of it; where texts are known, scores can tell of them."""
    scores = {name: score_table(table, recipe, segments.get(name)) for name, table in tables.items()}
    drawn = resample_scores(
        list(tables.values()), recipe, seed=settings.seed, resamples=settings.resamples, threads=threads
    )
    return MeasuredSystems(recipe, tables, scores, dict(zip(tables, drawn, strict=True)))


def judge_systems(
    label: str,
    measured: MeasuredSystems,
    baseline: str | None,
    settings: Settings,
    more_notes: Sequence[Note],
    randomise: Randomise,
) -> RecipeResult:
    """Compare the systems: with the baseline, or all pairs, which gives ranks and clusters.

    ``more_notes`` are those that do not follow from numbers.
    """
    names = measured.ranked
    pairs = judge_pairs(choose_pairs(names, baseline), measured, settings, randomise)
    better = {(pair.first, pair.second) for pair in pairs if pair.significant}

    def beats(one: str, other: str) -> bool:
        return (one, other) in better

    verdict = judge_all([pair.verdict for pair in pairs])
    complete = baseline is None and verdict not in (Verdict.ONE_SYSTEM, Verdict.UNDECIDED)
    clusters = tuple(cluster_systems(names, beats)) if complete else None
    cluster_of = {name: place for place, own in enumerate(clusters or (), start=1) for name in own}
    systems = tuple(
        SystemResult(
            name,
            measured.scores[name],
            estimate_interval(measured.resampled[name], settings.confidence),
            possible_ranks(name, names, beats) if complete else None,
            cluster_of.get(name),
        )
        for name in measured.tables
    )
    result = RecipeResult(label, measured.recipe, settings, baseline, systems, pairs, clusters, ())
    return replace(result, notes=(*write_remarks(result, measured.resampled), *more_notes))


def choose_pairs(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """List the pairs to be tested: each other system with the baseline, or all."""
    if baseline is None:
        return list(combinations(names, 2))
    return [(name, baseline) for name in names if name != baseline]


def randomise_tables(measured: MeasuredSystems, settings: Settings, threads: int | None) -> Randomise:
    """Make the randomisation test of the systems."""

    def randomise(first: str, second: str) -> float:
        return randomisation_p(
            measured.tables[first], measured.tables[second], measured.recipe,
            seed=settings.seed, trials=settings.resamples, threads=threads,
        )  # fmt: skip

    return randomise


def judge_pairs(
    chosen: Sequence[tuple[str, str]], measured: MeasuredSystems, settings: Settings, randomise: Randomise
) -> tuple[PairResult, ...]:
    """Test pairs of systems; what is significant is decided when all p-values are there."""
    scores, margin = measured.scores, measured.recipe.metric.margin
    randomised, bootstrapped, intervals = [], [], []
    for first, second in chosen:
        differences = sorted(map(sub, measured.resampled[first], measured.resampled[second]))
        p = bootstrap_p(differences, scores[first].score - scores[second].score, margin)
        randomised.append(max(randomise(first, second), lowest_swap_p(measured.segments)))
        bootstrapped.append(max(p, lowest_bootstrap_p(measured.segments)))
        intervals.append(estimate_interval(differences, settings.confidence))
    deciding = randomised if settings.test == "randomisation" else bootstrapped
    corrected, decidable = correct_holm(deciding), _can_decide(len(chosen), measured, settings)
    pairs = []
    for place, (first, second) in enumerate(chosen):
        difference = scores[first].score - scores[second].score
        verdict = judge_pair(difference, corrected[place], settings.level, decidable, margin)
        ps = (randomised[place], bootstrapped[place], deciding[place], corrected[place])
        detectable = find_detectable(intervals[place], measured.segments, settings.test, margin)
        pairs.append(PairResult(first, second, difference, intervals[place], *ps, verdict, detectable))
    return tuple(pairs)


def find_detectable(interval: Interval, segments: int, test: str, margin: float) -> float | None:
    """Find the difference that a single test at 5 % detects, four times in five, by the interval of another one."""
    if segments < find_needed(1, test, 0.05).segments or interval.standard_error < margin:
        return None
    return DETECTABLE * interval.standard_error


def _can_decide(pairs: int, measured: MeasuredSystems, settings: Settings) -> bool:
    if not pairs:
        return False
    needed = find_needed(pairs, settings.test, settings.level)
    return settings.resamples >= needed.resamples and measured.segments >= needed.segments
