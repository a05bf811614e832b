"""The measurement: scores of systems and of resamples under one recipe, then pairs, ranks and clusters.

From pairs that differ follow clusters: one ends where every system above differs significantly from every one below.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from operator import sub
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.findings.comparison.notes import write_notes
from bleuprint.findings.comparison.results import PairResult, PairVerdict, RecipeResult, SystemResult
from bleuprint.findings.settings import Settings
from bleuprint.findings.significance import (
    LOWEST_P,
    bootstrap_p,
    correct_holm,
    estimate_interval,
    find_needed,
    randomisation_p,
)
from bleuprint.metrics.score import AnyScore, Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_table
from bleuprint.text.segments import Segments

DETECTABLE = 2.8
"""Standard errors between two systems for a test at 5 % to find the difference 4 times in 5: 1.96 + 0.84."""


class MeasuredSystems(NamedTuple):
    """Every system under one recipe: its counts, its score, and its scores on all resamples."""

    recipe: Recipe
    tables: Mapping[str, StatsTable]
    scores: Mapping[str, AnyScore]
    resampled: Mapping[str, array[float]]
    randomise: Callable[[str, str], float]
    """returns the p-value of the randomisation of two systems"""


def measure_systems(
    tables: Mapping[str, StatsTable],
    segments: Mapping[str, Segments],
    recipe: Recipe,
    settings: Settings,
    threads: int | None,
) -> MeasuredSystems:
    """Score every system on the test set and on resamples of it. With texts, scores can have notes on them."""
    seed, resamples = settings.seed, settings.resamples
    drawn = find_engine().resample(list(tables.values()), recipe, seed=seed, resamples=resamples, threads=threads)
    return MeasuredSystems(
        recipe,
        tables,
        {name: score_table(table, recipe, segments.get(name)) for name, table in tables.items()},
        dict(zip(tables, drawn, strict=True)),
        lambda first, second: randomisation_p(
            tables[first], tables[second], recipe, seed=seed, trials=resamples, threads=threads
        ),
    )


def judge_systems(
    label: str, measured: MeasuredSystems, baseline: str | None, settings: Settings, more_notes: Iterable[Note]
) -> RecipeResult:
    """Compare all systems with the baseline. Without one, compare all pairs, which gives ranks and clusters."""
    metric = measured.recipe.metric
    names = sorted(measured.scores, key=lambda name: metric.sort_key(measured.scores[name].score))
    pairs = _judge_pairs(choose_pairs(names, baseline), measured, settings)
    better = {(pair.first, pair.second) for pair in pairs if pair.significant}
    complete = baseline is None and pairs and not any(pair.verdict is PairVerdict.UNDECIDED for pair in pairs)
    clusters = tuple(cluster_systems(names, better)) if complete else None
    cluster_of = {name: number for number, own in enumerate(clusters or (), start=1) for name in own}
    systems = tuple(
        SystemResult(
            name,
            measured.scores[name],
            estimate_interval(measured.resampled[name], settings.confidence),
            possible_ranks(name, names, better) if complete else None,
            cluster_of.get(name),
        )
        for name in measured.tables
    )
    result = RecipeResult(label, measured.recipe, settings, baseline, systems, pairs, clusters, ())
    return replace(result, notes=(*write_notes(result, measured.resampled), *more_notes))


def choose_pairs(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """List the pairs to be tested: each other system with the baseline, or all."""
    if baseline is None:
        return list(combinations(names, 2))
    return [(name, baseline) for name in names if name != baseline]


def _judge_pairs(
    chosen: Sequence[tuple[str, str]], measured: MeasuredSystems, settings: Settings
) -> tuple[PairResult, ...]:
    """Test pairs of systems. Significance is decided once all p-values are known, as they are corrected together."""
    if not chosen:
        return ()
    margin, segments = measured.recipe.metric.margin, len(next(iter(measured.tables.values())))
    lowest = {test: lowest_p(segments) for test, lowest_p in LOWEST_P.items()}
    differences = [measured.scores[first].score - measured.scores[second].score for first, second in chosen]
    randomised, bootstrapped, intervals = [], [], []
    for (first, second), difference in zip(chosen, differences, strict=True):
        drawn = sorted(map(sub, measured.resampled[first], measured.resampled[second]))
        randomised.append(max(measured.randomise(first, second), lowest["randomisation"]))
        bootstrapped.append(max(bootstrap_p(drawn, difference, margin), lowest["bootstrap"]))
        intervals.append(estimate_interval(drawn, settings.confidence))
    deciding = randomised if settings.test == "randomisation" else bootstrapped
    corrected = correct_holm(deciding)
    needed = find_needed(len(chosen), settings.test, settings.level)
    decidable = settings.resamples >= needed.resamples and segments >= needed.segments
    has_power = segments >= find_needed(1, settings.test, 0.05).segments

    def judge(difference: float, p_holm: float) -> PairVerdict:
        if p_holm <= settings.level:
            return PairVerdict.SIGNIFICANT
        return PairVerdict.NOT_SIGNIFICANT if decidable or abs(difference) < margin else PairVerdict.UNDECIDED

    pairs = []
    for index, (first, second) in enumerate(chosen):
        difference, interval = differences[index], intervals[index]
        ps = (randomised[index], bootstrapped[index], deciding[index], corrected[index])
        error = interval.standard_error
        detectable = DETECTABLE * error if has_power and error >= margin else None
        verdict = judge(difference, corrected[index])
        pairs.append(PairResult(first, second, difference, interval, *ps, verdict, detectable))
    return tuple(pairs)


def cluster_systems(ordered: Sequence[str], better: Container[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Split systems, best first, wherever every one above is significantly better than every one below.

    >>> cluster_systems(["a", "b", "c"], {("a", "c"), ("b", "c")})
    [('a', 'b'), ('c',)]
    """
    clusters, start = [], 0
    for cut in range(1, len(ordered) + 1):
        above, below = ordered[start:cut], ordered[cut:]
        if all((one, other) in better for one in above for other in below):
            clusters.append(tuple(above))
            start = cut
    return clusters


def possible_ranks(name: str, names: Sequence[str], better: Container[tuple[str, str]]) -> tuple[int, int]:
    """Return the best and the worst rank of a system: below all better systems, above all worse ones."""
    above = sum((other, name) in better for other in names)
    below = sum((name, other) in better for other in names)
    return 1 + above, len(names) - below
