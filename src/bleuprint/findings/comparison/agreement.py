"""Agreement of recipes: the correlation of their scores, over segments and over systems.

The signs of scores are changed if lower is better, so recipes that rank alike have a correlation of 1, also with TER.
External scores count as recipes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.findings.comparison.closeup import score_alone

if TYPE_CHECKING:
    from bleuprint.findings.comparison import Comparison

FEWEST_SYSTEMS = 3
"""Two points are always on a line."""


class RecipeAgreement(NamedTuple):
    """How far two recipes agree, from -1 to 1; None if all scores are equal, or there are too few."""

    first: str
    second: str
    segments: float | None
    """Pearson's r over the scores of single segments, of all systems together"""
    systems: float | None
    """Pearson's r over the scores of systems"""
    segments_kendall: float | None
    systems_kendall: float | None
    """Kendall's tau-b, which counts the pairs of segments, or systems, that both recipes order alike"""


def measure_agreement(comparison: Comparison) -> list[RecipeAgreement]:
    """Measure the agreement of every pair of recipes."""
    segments, systems = {}, {}
    for result in comparison.results:
        metric, tables = result.recipe.metric, comparison.tables[result.recipe.counting]
        alone = chain.from_iterable(score_alone(tables[name], result.recipe) for name in comparison.names)
        segments[result.name] = [-metric.sort_key(score) for score in alone]
        systems[result.name] = [-metric.sort_key(system.score.score) for system in result.systems]
    enough = len(comparison.names) >= FEWEST_SYSTEMS
    return [
        RecipeAgreement(
            first,
            second,
            correlate(segments[first], segments[second]),
            correlate(systems[first], systems[second]) if enough else None,
            correlate_ranks(segments[first], segments[second]),
            correlate_ranks(systems[first], systems[second]) if enough else None,
        )
        for first, second in combinations(segments, 2)
    ]


def correlate(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None if one side is constant.

    >>> correlate([1.0, 2.0, 4.0], [2.0, 4.0, 8.0]), correlate([1.0, 1.0], [1.0, 2.0])
    (1.0, None)
    """
    from statistics import StatisticsError, correlation

    try:
        return max(-1.0, min(1.0, correlation(first, second)))
    except StatisticsError:
        return None


def correlate_ranks(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-b (Kendall 1945); None if one side is constant.

    Sorted by the first side, the discordant pairs are the inversions of the second (Knight 1966).

    >>> correlate_ranks([1.0, 2.0, 3.0], [1.0, 3.0, 2.0]), correlate_ranks([1.0, 1.0], [1.0, 2.0])
    (0.3333333333333333, None)
    """
    ordered = sorted(zip(first, second, strict=True))
    pairs = _count_pairs(len(ordered))
    tied = [sum(map(_count_pairs, Counter(values).values())) for values in (first, second, ordered)]
    ordering = [pairs - tied[0], pairs - tied[1]]
    if not all(ordering):
        return None
    discordant = _count_inversions([other for _, other in ordered])
    concordant = pairs - tied[0] - tied[1] + tied[2] - discordant
    return max(-1.0, min(1.0, (concordant - discordant) / math.sqrt(math.prod(ordering))))


def _count_pairs(number: int) -> int:
    return number * (number - 1) // 2


def _count_inversions(values: Sequence[float]) -> int:
    """Count the pairs whose first is above the second."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(values)), start=1)}
    sums = [0] * (len(ranks) + 1)  # a Fenwick tree
    found = 0
    for seen, value in enumerate(values):
        index = ranks[value]
        found += seen
        while index:  # how many were not above it
            found -= sums[index]
            index -= index & -index
        index = ranks[value]
        while index < len(sums):
            sums[index] += 1
            index += index & -index
    return found
