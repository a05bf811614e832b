"""Agreement of recipes: whether what is good under one is good under the other, over segments and over systems.

Pearson's correlation of the scores, turned so that better is higher: 1 where two recipes say the same, also for TER.
"""

from __future__ import annotations

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
    """over the scores of single segments, of all systems together"""
    systems: float | None
    """over the scores of systems"""


def measure_agreement(comparison: Comparison) -> list[RecipeAgreement]:
    """Measure every pair of recipes."""
    alone = {result.name: _score_segments(comparison, result) for result in comparison.results}
    whole = {
        result.name: [_turn(result, system.score.score) for system in result.systems] for result in comparison.results
    }
    return [
        RecipeAgreement(
            first,
            second,
            correlate(alone[first], alone[second]),
            correlate(whole[first], whole[second]) if len(comparison.names) >= FEWEST_SYSTEMS else None,
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


def _score_segments(comparison: Comparison, result: RecipeResult) -> list[float]:
    tables = comparison.tables[result.recipe.counting]
    return [_turn(result, score) for name in comparison.names for score in score_alone(tables[name], result.recipe)]


def _turn(result: RecipeResult, score: float) -> float:
    return -result.recipe.metric.sort_key(score)
