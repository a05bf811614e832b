"""Agreement of recipes: whether what is good under one is good under the other, over segments and over systems.

Pearson's correlation of the scores and Kendall's of their ranks, turned so that better is higher: 1 where two recipes
say the same, also for TER. External scores count as recipes do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.findings.comparison.closeup import score_alone
from bleuprint.findings.comparison.results import RecipeResult

if TYPE_CHECKING:
    from bleuprint.findings.comparison import Comparison

FEWEST_SYSTEMS = 3
"""Two points are always on a line."""


class RecipeAgreement(NamedTuple):
    """How far two recipes agree, from -1 to 1; None where all scores are equal, or there are too few."""

    first: str
    second: str
    segments: float | None
    """Pearson's r over the scores of single segments, of all systems together"""
    systems: float | None
    """Pearson's r over the scores of systems"""
    segments_kendall: float | None
    systems_kendall: float | None
    """Kendall's tau-b, which asks of every pair of segments, or systems, whether both recipes order it alike"""


def measure_agreement(comparison: Comparison) -> list[RecipeAgreement]:
    """Measure every pair of recipes."""
    alone = {result.name: _score_segments(comparison, result) for result in comparison.results}
    whole = {
        result.name: [_turn(result, system.score.score) for system in result.systems] for result in comparison.results
    }
    enough = len(comparison.names) >= FEWEST_SYSTEMS
    return [
        RecipeAgreement(
            first,
            second,
            correlate(alone[first], alone[second]),
            correlate(whole[first], whole[second]) if enough else None,
            correlate_ranks(alone[first], alone[second]),
            correlate_ranks(whole[first], whole[second]) if enough else None,
        )
        for first, second in combinations(alone, 2)
    ]


def correlate(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Give Pearson's correlation; None where one side is the same everywhere.

    >>> correlate([1.0, 2.0, 4.0], [2.0, 4.0, 8.0]), correlate([1.0, 1.0], [1.0, 2.0])
    (1.0, None)
    """
    from statistics import StatisticsError, correlation

    try:
        return max(-1.0, min(1.0, correlation(first, second)))
    except StatisticsError:
        return None


def correlate_ranks(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Give Kendall's tau-b (Kendall 1945); None where one side is the same everywhere.

    Pairs are not looked at one by one: sorted by the first side, those that the second orders otherwise are counted in
    a tree of sums (Knight 1966 sorts instead).

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
    sums = [0] * (len(ranks) + 1)
    found = 0
    for seen, value in enumerate(values):
        place, below = ranks[value], 0
        while place:  # how many were not above it
            below += sums[place]
            place -= place & -place
        found += seen - below
        place = ranks[value]
        while place < len(sums):
            sums[place] += 1
            place += place & -place
    return found


def _score_segments(comparison: Comparison, result: RecipeResult) -> list[float]:
    tables = comparison.tables[result.recipe.counting]
    return [_turn(result, score) for name in comparison.names for score in score_alone(tables[name], result.recipe)]


def _turn(result: RecipeResult, score: float) -> float:
    return -result.recipe.metric.sort_key(score)
