"""What the page does when two tools disagree: count for every recipe on the way, show the steps, or all dialects.

As in corpus mode nothing is kept between calls: the page counts chunk by chunk and hands the rows back.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from bleuprint.counting.rows import StatsTable
from bleuprint.errors import InputTypeError, RecipeError, quote
from bleuprint.findings.reconciliation import Workshop, counted_as_far, recipes_between
from bleuprint.findings.reconciliation.results import DialectsByMetric, Reconciliation
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import list_metrics
from bleuprint.render.html import render_part
from bleuprint.scoring.verbs import count_for
from bleuprint.web.export import write_result
from bleuprint.web.requests import read_rows, read_segments


def count_chunk(request: Mapping[str, Any]) -> dict[str, Any]:
    """Count some segments for all recipes on the way: one table of rows for each way of counting."""
    recipes = _same_order(_read_recipes(request))
    counted = count_for(read_segments(request, recipes), recipes)
    tables = [counted[counting] for counting in _countings(recipes)]
    return {"tables": [table.list_rows() for table in tables]}


def show_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Show the steps from one recipe to the other, or the dialects of all metrics in groups."""
    result = _work_out(request)
    if isinstance(result, DialectsByMetric):
        html = "".join(render_part("groups", groups=groups) for groups in result.groups)
        unable = [metric for metric in list_metrics() if metric not in _list_able(request)]
        return {"html": html + render_part("other_metrics", waiting=[], unable=unable, are_long=False), "more": ""}
    return {"html": render_part("waterfall", way=result), "more": render_part("steps", way=result)}


def export_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the same as a file: JSON, Markdown or HTML."""
    return write_result(request, "bleuprint-reconcile", _work_out(request))


def _work_out(request: Mapping[str, Any]) -> Reconciliation | DialectsByMetric:
    recipes = _same_order(_read_recipes(request))
    segments = read_segments(request, recipes)
    tables = _read_tables(request, recipes, len(segments))
    if request.get("all") is not True:
        workshop = Workshop(segments, recipes, tables=tables)
        return workshop.reconcile(_read_end(request, "from"), _read_end(request, "to"))
    grouped = []
    for metric in _list_able(request):
        own = [recipe for recipe in recipes if recipe.metric is metric]
        grouped.append(Workshop(segments, own, tables=tables).group_dialects(metric.key))
    return DialectsByMetric(tuple(grouped))


def _read_recipes(request: Mapping[str, Any]) -> list[Recipe]:
    """List the recipes that have to be counted for; a few more may turn up between groups of dialects."""
    if request.get("all") is True:
        return [recipe for metric in _list_able(request) for recipe in Recipe.dialects(metric.key).values()]
    return recipes_between(_read_end(request, "from"), _read_end(request, "to"))


def _list_able(request: Mapping[str, Any]) -> list[Metric]:
    """List the metrics that can count these references; the most of any segment decide, also for a part of them."""
    most = request.get("most_references")
    if type(most) is not int or most < 1:
        raise InputTypeError(where="most_references", wanted="a number", got=quote(most), next_step="Reload the page.")
    return [metric for metric in list_metrics() if metric.can_count(most)]


def _same_order(recipes: list[Recipe]) -> list[Recipe]:
    """Count all recipes of a metric up to the highest order that one of them needs."""
    return [counted_as_far(recipe, [one for one in recipes if one.metric is recipe.metric]) for recipe in recipes]


def _countings(recipes: list[Recipe]) -> list[Hashable]:
    """List the ways of counting; the page keeps the tables in this order."""
    return list(dict.fromkeys(recipe.counting for recipe in recipes))


def _read_end(request: Mapping[str, Any], end: str) -> Recipe:
    name = request.get(end)
    if not isinstance(name, str) or not name.strip():
        raise InputTypeError(
            where=end, wanted="a dialect or a signature", got=quote(name),
            next_step="Choose a dialect, or paste a signature as bleuprint or sacreBLEU prints it.",
        )  # fmt: skip
    try:
        return Recipe.of(name.strip())
    except RecipeError as error:
        raise error.reworded(where=f"{end}, {error.where}") from None


def _read_tables(request: Mapping[str, Any], recipes: list[Recipe], size: int) -> dict[Hashable, StatsTable]:
    countings, given = _countings(recipes), request.get("tables")
    if not isinstance(given, list) or len(given) != len(countings):
        raise InputTypeError(
            where="tables", wanted="a table for each way of counting", got=quote(given), next_step="Count again."
        )
    layouts = {recipe.counting: recipe.layout for recipe in recipes}
    tables = [read_rows(rows, layouts[own], "tables") for own, rows in zip(countings, given, strict=True)]
    if any(len(table) != size for table in tables):
        raise InputTypeError(where="tables", wanted=f"{size} rows each", got="others", next_step="Count again.")
    return dict(zip(countings, tables, strict=True))
