"""Reconcile: count for every recipe on the way from one to the other, then show the steps, or all named recipes.

As in corpus mode nothing is kept between calls: the page counts chunk by chunk and hands the rows back.
"""

from __future__ import annotations

from collections.abc import Hashable

from bleuprint.counting.layout import Layout
from bleuprint.errors import Location, RecipeError
from bleuprint.findings.reconciliation import Workshop, counted_as_far, recipes_between
from bleuprint.findings.reconciliation.results import DialectsByMetric, Reconciliation
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import list_metrics
from bleuprint.render import render
from bleuprint.render.html import render_part
from bleuprint.scoring.verbs import count_for
from bleuprint.web.requests import (
    Answer,
    Request,
    is_blank,
    is_list,
    is_text,
    is_whole,
    read,
    read_segments,
    read_table,
)


def count_chunk(request: Request) -> Answer:
    """Count some segments for all recipes on the way: one table of rows for each way of counting."""
    recipes = _read_recipes(request)
    counted = count_for(read_segments(request, recipes), recipes)
    return {"tables": [counted[counting].list_rows() for counting in _layouts(recipes)]}


def show_result(request: Request) -> Answer:
    """Show the steps from one recipe to the other, or the named recipes of all metrics in groups."""
    result = _work_out(request)
    if isinstance(result, DialectsByMetric):
        html = "".join(render_part("groups", groups=groups) for groups in result.groups)
        unable = [metric for metric in list_metrics() if metric not in _list_able(request)]
        return {"html": html + render_part("other_metrics", waiting=[], unable=unable, are_long=False), "more": ""}
    return {"html": render_part("waterfall", way=result), "more": render_part("steps", way=result)}


def export_result(request: Request, form: str) -> str:
    """Write the result."""
    return render(_work_out(request), form)


def _work_out(request: Request) -> Reconciliation | DialectsByMetric:
    recipes = _read_recipes(request)
    segments, layouts = read_segments(request, recipes), _layouts(recipes)
    given = read(request, "tables", is_list(size=len(layouts)))
    tables = {
        counting: read_table(rows, layout, "tables", len(segments))
        for (counting, layout), rows in zip(layouts.items(), given, strict=True)
    }
    if request.get("all") is not True:
        workshop = Workshop(segments, recipes, tables=tables)
        return workshop.reconcile(_read_end(request, "from"), _read_end(request, "to"))
    grouped = []
    for metric in _list_able(request):
        own = [recipe for recipe in recipes if recipe.metric is metric]
        grouped.append(Workshop(segments, own, tables=tables).group_dialects(metric.key))
    return DialectsByMetric(tuple(grouped))


def _read_recipes(request: Request) -> list[Recipe]:
    """Return the recipes to count for, all of a metric up to the highest order that one of them needs."""
    if request.get("all") is True:
        recipes = [recipe for metric in _list_able(request) for recipe in Recipe.dialects(metric.key).values()]
    else:
        recipes = recipes_between(_read_end(request, "from"), _read_end(request, "to"))
    return [counted_as_far(recipe, [one for one in recipes if one.metric is recipe.metric]) for recipe in recipes]


def _list_able(request: Request) -> list[Metric]:
    """Return the metrics that can count these references; the most of any segment of the corpus decide."""
    most = read(request, "most_references", is_whole(1))
    return [metric for metric in list_metrics() if most <= metric.most_references]


def _layouts(recipes: list[Recipe]) -> dict[Hashable, Layout]:
    """Return each way of counting once; the page keeps the tables in this order."""
    return {recipe.counting: recipe.layout for recipe in recipes}


def _read_end(request: Request, end: str) -> Recipe:
    name = read(request, end, is_text)
    if is_blank(name):
        raise RecipeError(
            "expected a recipe, got nothing.",
            "Choose one, or paste a signature as bleuprint or sacreBLEU prints it.",
            location=Location(end),
        )
    try:
        return Recipe.of(str(name).strip())
    except RecipeError as error:
        raise error.reworded(where=end) from None
