"""Significance: how much of a score, or of a difference between two scores, may be due to chance.

The bootstrap estimates the scores on other test sets of the same kind (Efron 1979; Koehn 2004). Each resample draws
segments from the test set with replacement. All systems are scored on the same resamples, so differences are paired.

Approximate randomisation tests whether it matters which system wrote what. For each segment a coin decides whether the
two systems swap their outputs (Noreen 1989). The p-value is the share of trials with a difference at least as large.

The more pairs are tested, the more look significant by chance alone. So p-values are corrected for their number.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import format_difference

MARGIN = Metric.margin
"""of the metrics that are on 0 to 100"""


class Interval(NamedTuple):
    """A confidence interval: its bounds and the standard error."""

    low: float
    high: float
    standard_error: float


def estimate_interval(values: Sequence[float], confidence: float) -> Interval:
    """Compute the percentile interval of resampled values.

    >>> estimate_interval([3.0, 1.0, 2.0, 5.0, 4.0], 0.6)
    Interval(low=2.0, high=4.0, standard_error=1.5811388300841898)
    """
    ordered = sorted(values)
    outside = int(len(ordered) * (1 - confidence) / 2 + MARGIN)
    mean = average(ordered)
    deviations = [value - mean for value in ordered]
    return Interval(ordered[outside], ordered[-1 - outside], _scatter(deviations))


def interval_words(interval: Interval, digits: int = 2) -> str:
    """Write the bounds of an interval."""
    return f"{format_difference(interval.low, digits)} to {format_difference(interval.high, digits)}"


def interval_name(confidence: float) -> str:
    """Name an interval by its confidence: ``95 % interval``."""
    return f"{100 * confidence:g} % interval"


def _scatter(deviations: Sequence[float]) -> float:
    """Return the standard deviation. Scaling by a power of two is exact and keeps squares from underflowing."""
    _, power = math.frexp(max(map(abs, deviations)))
    scaled = [math.ldexp(value, -power) for value in deviations]
    variance = math.fsum(map(mul, scaled, scaled)) / (len(scaled) - 1)
    return math.ldexp(math.sqrt(variance), power)


def bootstrap_p(differences: Sequence[float], observed: float, margin: float = MARGIN) -> float:
    """Return the two-sided p-value of a difference, from resampled differences centred on their mean.

    Centred differences scatter as if the systems were equal (Riezler and Maxwell 2005). Equal systems get 1.
    Differences within the ``margin`` are equal.
    """
    threshold = abs(observed) - margin
    if threshold <= 0:
        return 1.0
    mean = average(differences)
    deviations = [value - mean for value in sorted(differences)]
    extreme = bisect_right(deviations, -threshold) + len(deviations) - bisect_left(deviations, threshold)
    return (extreme + 1) / (len(deviations) + 1)


def average(values: Sequence[float]) -> float:
    """Return the mean, rounded once: the same bits in every order and every release of Python."""
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
    """Count the trials in which the swapped systems differ at least as much as the systems do."""
    observed = recipe.metric.score_row(first.sum_row(), recipe) - recipe.metric.score_row(second.sum_row(), recipe)
    threshold = abs(observed) - recipe.metric.margin
    return find_engine().count_extremes(
        first, second, recipe, seed=seed, trials=trials, threshold=threshold, start=start, threads=threads
    )


def share_p(extreme: int, trials: int) -> float:
    """Return the p-value of so many extreme trials. The observed difference counts as one of them."""
    return (extreme + 1) / (trials + 1)


LOWEST_P: Mapping[str, Callable[[int], float]] = {
    "randomisation": lambda segments: 2.0 ** (1 - segments),  # swapping all or none changes no distance
    "bootstrap": lambda segments: 1.0 if segments == 1 else 0.0,  # one segment, drawn again, is the same
}
"""For every test the lowest p-value that a number of segments allows, however many resamples there are."""
TESTS = tuple(LOWEST_P)


def correct_holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, after Holm (1979): the chance of even one false alarm stays below the level.

    >>> correct_holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = corrected[index] = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
    return corrected


class Needed(NamedTuple):
    """The least with which a difference between two of the systems can be significant."""

    resamples: int
    segments: int


def find_needed(pairs: int, test: str, level: float) -> Needed:
    """Find how many resamples and segments so many corrected comparisons need.

    >>> find_needed(66, "randomisation", 0.05)
    Needed(resamples=1319, segments=12)
    """
    resamples = _find_size(lambda trials: pairs * share_p(0, trials) <= level)
    return Needed(resamples, _find_size(lambda segments: pairs * LOWEST_P[test](segments) <= level))


def _find_size(suffices: Callable[[int], bool]) -> int:
    """Find the smallest size that suffices; all larger ones do as well."""
    most = 1
    while not suffices(most):
        most *= 2
    return bisect_left(range(most + 1), True, lo=1, key=suffices)
