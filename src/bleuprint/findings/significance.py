"""Significance: how much of a score, or of a difference between two scores, may be luck of the test set.

The bootstrap asks what scores would have been on other test sets of the same kind (Efron 1979; Koehn 2004). A test set
is drawn from the segments at hand, with replacement, again and again. All systems are scored on the same draws, so
differences between them are paired.

Approximate randomisation asks how large the difference would be if it did not matter which system wrote what. For each
segment a coin decides whether the two systems swap their outputs (Noreen 1989). If both are equally good, such swaps
change nothing but luck; the share of swaps that give a difference at least as large is the p-value.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe

MARGIN = Metric.margin
"""of the metrics that are on 0 to 100"""


class Interval(NamedTuple):
    """Where a number lies if the test set had been another: bounds, and the standard error."""

    low: float
    high: float
    standard_error: float


def resample_scores(
    tables: Sequence[StatsTable],
    recipe: Recipe,
    *,
    seed: int,
    resamples: int,
    start: int = 0,
    threads: int | None = None,
) -> list[array[float]]:
    """Score every table on every resample, from number ``start`` on, on 0 to 100."""
    return find_engine().resample(tables, recipe, seed=seed, resamples=resamples, start=start, threads=threads)


def estimate_interval(values: Sequence[float], confidence: float) -> Interval:
    """Read the interval off resampled values: as many are left out at either end as the confidence allows.

    >>> estimate_interval([3.0, 1.0, 2.0, 5.0, 4.0], 0.6)
    Interval(low=2.0, high=4.0, standard_error=1.5811388300841898)
    """
    ordered = sorted(values)
    outside = int(len(ordered) * (1 - confidence) / 2 + MARGIN)
    mean = average(ordered)
    deviations = [value - mean for value in ordered]
    return Interval(ordered[outside], ordered[-1 - outside], _scatter(deviations))


def _scatter(deviations: Sequence[float]) -> float:
    """Give the standard deviation; by a power of two, which rounds nothing, squares are kept from becoming 0."""
    _, power = math.frexp(max(map(abs, deviations)))
    scaled = [math.ldexp(value, -power) for value in deviations]
    variance = math.fsum(map(mul, scaled, scaled)) / (len(scaled) - 1)
    return math.ldexp(math.sqrt(variance), power)


def bootstrap_p(differences: Sequence[float], observed: float, margin: float = MARGIN) -> float:
    """Ask how often resampling alone moves a difference as far as the observed one is from 0, in either direction.

    Resampled differences scatter around the observed one; centred, they scatter as if there were none (Riezler and
    Maxwell 2005). Equal systems get 1. Differences as close as the ``margin`` are equal.
    """
    threshold = abs(observed) - margin
    if threshold <= 0:
        return 1.0
    mean = average(differences)
    deviations = [value - mean for value in sorted(differences)]
    extreme = bisect_right(deviations, -threshold) + len(deviations) - bisect_left(deviations, threshold)
    return (extreme + 1) / (len(deviations) + 1)


def lowest_bootstrap_p(segments: int) -> float:
    """Give the lowest p-value that so many segments allow: a single one is drawn again and again, and shows nothing."""
    return 1.0 if segments == 1 else 0.0


def average(values: Sequence[float]) -> float:
    """Give the mean, rounded once, so that every Python and every order gives the same bits."""
    return math.fsum(values) / len(values)


def randomisation_p(
    first: StatsTable, second: StatsTable, recipe: Recipe, *, seed: int, trials: int, threads: int | None = None
) -> float:
    """Test two systems on the same segments; equal systems get 1."""
    return share_p(count_swaps(first, second, recipe, seed=seed, trials=trials, threads=threads), trials)


def count_swaps(
    first: StatsTable,
    second: StatsTable,
    recipe: Recipe,
    *,
    seed: int,
    trials: int,
    start: int = 0,
    threads: int | None = None,
) -> int:
    """Count the trials, from number ``start`` on, in which swapped systems are as far apart as they are."""
    observed = recipe.metric.score_row(first.sum_row(), recipe) - recipe.metric.score_row(second.sum_row(), recipe)
    threshold = abs(observed) - recipe.metric.margin
    return find_engine().count_extremes(
        first, second, recipe, seed=seed, trials=trials, threshold=threshold, start=start, threads=threads
    )


def share_p(extreme: int, trials: int) -> float:
    """Give the p-value of so many extreme trials; the observed difference counts as one of them."""
    return (extreme + 1) / (trials + 1)


def lowest_swap_p(segments: int) -> float:
    """Give the lowest p-value that so many segments allow: to swap all of them or none changes no distance."""
    return 2.0 ** (1 - segments)
