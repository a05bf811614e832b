"""Two systems' scores of every segment against each other: the axes of the plots, and who is ahead how often.

Which two systems, the reader chooses. So the script has the scores and draws the dots; what is written beside them is
worked out here, for all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe

TICKS = 4
"""So many steps between numbers an axis has; half as many on each scale, where it goes on behind its end."""
Leads = tuple[int, int, int]
"""of how many segments the first is ahead, neither, the second"""


def describe_plot(recipe: Recipe, title: str, scores: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Give what the plots of a recipe need beside the scores, which are those that are shown, by system."""
    metric = recipe.metric
    return {
        "title": title,
        "better": metric.better.value,
        "digits": metric.digits,
        **make_scale(metric, max((max(own, default=0.0) for own in scores), default=0.0)),
        "leads": [[count_leads(metric, one, other) for other in scores] for one in scores],
    }


def make_scale(metric: Metric, most: float) -> dict[str, Any]:
    """Make the axis of a metric; one that has no upper end goes on for as long again, and what is above stands there.

    >>> from bleuprint import Recipe
    >>> scale = make_scale(Recipe.named("ter").metric, 130.0)
    >>> scale["low"], scale["high"], scale["ticks"][-1]
    (0.0, 150.0, ('100.00%', '0.00%', '150'))
    """
    low, high = metric.lowest, metric.highest
    longer = most > high
    step = (high - low) / TICKS * (1 + longer)
    if longer:
        high = min(2 * high - low, low + step * math.ceil((most - low) / step))
    count = round((high - low) / step)
    labels = [f"{low + place * step:g}" for place in range(count + 1)]
    if most > high:
        labels[-1] += "+"
    places = [100 * place / count for place in range(count + 1)]
    ticks = [(f"{own:.2f}%", f"{100 - own:.2f}%", label) for own, label in zip(places, labels, strict=True)]
    return {"low": low, "high": high, "ticks": ticks}


def count_leads(metric: Metric, first: Sequence[float], second: Sequence[float]) -> Leads:
    """Count the segments on which one of two systems is ahead, by the scores that are shown.

    >>> from bleuprint import Recipe
    >>> count_leads(Recipe.named("ter").metric, [10.0, 20.0, 30.0], [15.0, 20.0, 40.0])
    (2, 1, 0)
    """
    above = sum(one > other for one, other in zip(first, second, strict=True))
    below = sum(one < other for one, other in zip(first, second, strict=True))
    ahead, behind = (above, below) if metric.is_ahead(1.0) else (below, above)
    return ahead, len(first) - above - below, behind
