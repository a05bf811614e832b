"""Given scores: the numbers that another metric has for every segment, brought in beside those counted here.

A system's score is the mean of its segments' scores. A score, as the float that it is, has a shortest decimal form, and
decimals are whole numbers of their last place: so given scores are rows of whole numbers, too, which add without
rounding. One division at the end gives the mean, the same on every machine and from every engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.counting.rows import StatsTable
from bleuprint.metrics.given.metric import GivenMetric
from bleuprint.metrics.given.recipe import GivenRecipe
from bleuprint.metrics.given.scale import Scale, find_scale
from bleuprint.metrics.given.scores import GivenScore
from bleuprint.metrics.metric import Better

__all__ = ["GivenMetric", "GivenRecipe", "GivenScore", "take_scores"]


def take_scores(
    name: str, scores: Mapping[str, Sequence[float]], better: Better
) -> tuple[GivenRecipe, dict[str, StatsTable]]:
    """Lay the scores of every system out as rows; the recipe beside them says how they are read.

    >>> recipe, tables = take_scores("comet", {"a": [0.25, -0.5]}, Better.HIGHER)
    >>> recipe.metric.score_row(tables["a"].sum_row(), recipe)
    -0.125
    """
    scale = find_scale(name, better, scores.values())
    recipe = GivenRecipe(scale)
    return recipe, {system: _lay_out(own, scale, recipe) for system, own in scores.items()}


def _lay_out(scores: Sequence[float], scale: Scale, recipe: GivenRecipe) -> StatsTable:
    return StatsTable(recipe.layout, (number for score in scores for number in scale.row(score)))
