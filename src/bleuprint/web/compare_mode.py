"""What the page does with several systems: count them chunk by chunk, resample slice by slice, say what is luck.

Nothing is kept between calls. Every resample has a number from which all its luck follows, so slices add up to exactly
what ``compare`` gives in one go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bleuprint.engines.native import find_native
from bleuprint.errors import InputTypeError, quote
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.in_words import note_same_texts
from bleuprint.findings.comparison.measurement import MeasuredSystems, Randomise, judge_systems
from bleuprint.findings.significance import count_swaps, resample_scores
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.comparison_files import render_csv, render_markdown
from bleuprint.render.html.report import render_overview, render_report
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import count_for, score_table
from bleuprint.web.compare_forms import (
    ComparedTexts,
    read_compared,
    read_counted,
    read_name,
    read_p_values,
    read_recipes,
    read_resampled,
    read_settings,
    read_slice,
    read_system,
    read_tables,
)
from bleuprint.web.export import make_file
from bleuprint.web.requests import (
    check_lines,
    choose_chunk,
    describe_recipe,
    read_documents,
    read_other_systems,
    read_recipe,
    read_segments,
)

SLICE = 200_000
"""Segments drawn in one slice where Python does it: a fraction of a second."""


def read_systems(request: Mapping[str, Any]) -> dict[str, Any]:
    """Check the form: ``segments`` hold the first system, ``systems`` name and text of each other."""
    recipes = read_recipes(request)
    segments = read_segments(request, list(recipes.values()))
    others = read_other_systems(request)
    names = [read_name(request.get("name"), 1)]
    candidates: list[list[Any]] = [list(segments.candidates)]
    for place, system in enumerate(others, start=2):
        names.append(read_name(system.get("name"), place))
        candidates.append(read_system(system.get("text"), names[-1]))
        check_lines(candidates[-1], len(segments), f"system {quote(names[-1])}")
    held = {
        "names": names,
        "candidates": candidates,
        "references": [list(texts) for texts in segments.references],
        "baseline": names[0] if request.get("with_first") is True else None,
    }
    texts = read_compared({**request, **held})
    places = {name: place for place, name in enumerate(names)}
    countings = list(texts.layouts)
    return {
        **held,
        "recipes": [
            {"name": name, "table": countings.index(recipe.counting), "slice": _choose_slice(texts, recipe)}
            for name, recipe in texts.recipes.items()
        ],
        "pairs": [[places[one], places[other]] for one, other in texts.pairs],
        "resamples": texts.settings.resamples,
        "chunk": choose_chunk(),
    }


def count_chunk(request: Mapping[str, Any]) -> dict[str, Any]:
    """Count some segments in every way that is needed: a table of rows for each system."""
    texts = read_compared(request)
    recipes = list(texts.recipes.values())
    counted = [count_for(own, recipes) for own in texts.systems.values()]
    return {"tables": [[tables[counting].list_rows() for tables in counted] for counting in texts.layouts]}


def draw_slice(request: Mapping[str, Any]) -> dict[str, Any]:
    """Score all systems on some resamples of the test set, drawn with replacement, by one recipe."""
    recipe, settings = read_recipe(request), read_settings(request)
    start, count = read_slice(request, settings)
    tables = read_tables(request.get("tables"), recipe.layout)
    drawn = resample_scores(tables, recipe, seed=settings.seed, resamples=count, start=start)
    return {"scores": [list(own) for own in drawn]}


def swap_slice(request: Mapping[str, Any]) -> dict[str, Any]:
    """Swap two systems at random in some trials, and count those that part them as far as they are."""
    recipe, settings = read_recipe(request), read_settings(request)
    tables = read_tables(request.get("tables"), recipe.layout)
    if len(tables) != 2:
        raise InputTypeError(where="tables", wanted="two tables", got=str(len(tables)), next_step="Start again.")
    (first, second), (start, count) = tables, read_slice(request, settings)
    return {"extreme": count_swaps(first, second, recipe, seed=settings.seed, trials=count, start=start)}


def show_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Show scores with their intervals, pairs with their tests, clusters and remarks."""
    comparison = _conclude(request)
    html = f'<div class="bp-report">{render_overview(comparison)}</div>'
    return {"html": html, **describe_recipe(comparison.result().recipe)}


def export_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the same as a file: JSON, CSV, Markdown, or the whole report as HTML."""
    comparison = _conclude(request)
    writers = {
        "json": lambda: render_json(comparison.to_dict()),
        "csv": lambda: render_csv(comparison),
        "markdown": lambda: render_markdown(comparison),
        "html": lambda: render_report(comparison),
    }
    return make_file(request, "bleuprint-compare", writers)


def _conclude(request: Mapping[str, Any]) -> Comparison:
    """Put counts, resamples and swaps together, as ``compare`` does."""
    texts = read_compared(request)
    counted = read_counted(request, texts)
    resampled, p_values = read_resampled(request, texts), read_p_values(request, texts)
    notes = note_same_texts(texts.systems)
    results = []
    for (label, recipe), scores, own in zip(texts.recipes.items(), resampled, p_values, strict=True):
        tables = counted[recipe.counting]
        whole = {name: score_table(table, recipe, texts.systems[name]) for name, table in tables.items()}
        measured = MeasuredSystems(recipe, tables, whole, scores)
        results.append(judge_systems(label, measured, texts.baseline, texts.settings, notes, _look_up(own)))
    documents = read_documents(request, texts.size)
    labels = {} if documents is None else {"document": documents}
    return Comparison(texts.systems, counted, results, texts.settings, texts.baseline, labels)


def _look_up(p_values: Mapping[frozenset[str], float]) -> Randomise:
    return lambda one, other: p_values[frozenset((one, other))]


def _choose_slice(texts: ComparedTexts, recipe: Recipe) -> int:
    """Say how many resamples to ask for at once: all of them where the kernel is at work."""
    resamples = texts.settings.resamples
    if find_kernel() is not None and find_native(recipe.metric_key).has_formula(recipe):
        return resamples
    return max(1, min(resamples, SLICE // texts.size))
