"""Compare: count systems in chunks, resample in slices, then test which differences may be chance.

Nothing is kept between calls. The random numbers of a resample follow from its number, so slices add up to exactly what
``compare`` computes in one call. Both judge the measured systems with ``judge_systems``.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.errors import InputTypeError, Location, ShapeError, quote
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.checks import check_recipes, check_settings, check_systems, pair_systems
from bleuprint.findings.comparison.measurement import MeasuredSystems, choose_pairs, judge_systems
from bleuprint.findings.comparison.notes import note_same_texts
from bleuprint.findings.settings import USUAL_CONFIDENCE, USUAL_SEED, Settings
from bleuprint.findings.significance import TESTS, count_swaps, share_p
from bleuprint.numbers import read_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.render import render
from bleuprint.render.html.report import render_overview, render_report
from bleuprint.scoring.verbs import count_for, score_table
from bleuprint.text.segments import Segments
from bleuprint.web.limits import MOST_RECIPES, MOST_RESAMPLES_SERVED
from bleuprint.web.requests import (
    Answer,
    Request,
    choose_chunk,
    describe_recipe,
    is_list,
    is_optional,
    is_score,
    is_text,
    is_whole,
    read,
    read_documents,
    read_lines,
    read_other_systems,
    read_recipe,
    read_segments,
    read_table,
    read_whole,
    unexpected,
)

FIRST_RESAMPLES = 1000
"""The default of the form: fewer than usual, so that the first answer is quick."""
SLICE = 200_000
"""Segments drawn in one slice by Python, which takes a fraction of a second."""


class ComparedTexts(NamedTuple):
    """The systems to compare, as the page sends them after ``read_systems``."""

    recipes: dict[str, Recipe]
    """by the names under which results are listed"""
    systems: dict[str, Segments]
    baseline: str | None
    settings: Settings

    @property
    def size(self) -> int:
        """How many segments each system has."""
        return len(next(iter(self.systems.values())))

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of systems to be tested; the page counts for them in this order."""
        return choose_pairs(list(self.systems), self.baseline)

    @property
    def layouts(self) -> dict[Hashable, Layout]:
        """The ways of counting, each once; the page keeps tables in this order."""
        return {recipe.counting: recipe.layout for recipe in self.recipes.values()}


def read_systems(request: Request) -> Answer:
    """Check the form: ``segments`` hold the first system, ``systems`` name and text of each other."""
    segments = read_segments(request, list(_read_recipes(request).values()))
    names = [_read_name(request, 1)]
    candidates = [list(segments.candidates)]
    for number, system in enumerate(read_other_systems(request), start=2):
        names.append(_read_name(system, number))
        candidates.append([*read_lines(system.get("text"), f"system {quote(names[-1])}", len(segments))])
    held = {
        "names": names,
        "candidates": candidates,
        "references": [list(texts) for texts in segments.references],
        "baseline": names[0] if request.get("with_first") is True else None,
    }
    texts = _read_compared({**request, **held})
    countings = list(texts.layouts)
    return {
        **held,
        "recipes": [
            {"name": name, "table": countings.index(recipe.counting), "slice": _choose_slice(texts, recipe)}
            for name, recipe in texts.recipes.items()
        ],
        "pairs": [[names.index(one), names.index(other)] for one, other in texts.pairs],
        "resamples": texts.settings.resamples,
        "chunk": choose_chunk(),
    }


def count_chunk(request: Request) -> Answer:
    """Count some segments in every way that is needed: a table of rows for each system."""
    texts = _read_compared(request)
    recipes = list(texts.recipes.values())
    counted = [count_for(own, recipes) for own in texts.systems.values()]
    return {"tables": [[tables[counting].list_rows() for tables in counted] for counting in texts.layouts]}


def draw_slice(request: Request) -> Answer:
    """Score all systems on some resamples of the test set, drawn with replacement, by one recipe."""
    recipe, settings = read_recipe(request), _read_settings(request)
    start, count = _read_slice(request, settings)
    drawn = find_engine().resample(
        _read_tables(request, recipe.layout), recipe, seed=settings.seed, resamples=count, start=start
    )
    return {"scores": [list(own) for own in drawn]}


def swap_slice(request: Request) -> Answer:
    """Swap two systems at random in some trials, and count those that differ as much as the systems do."""
    recipe, settings = read_recipe(request), _read_settings(request)
    first, second = _read_tables(request, recipe.layout, systems=2)
    start, count = _read_slice(request, settings)
    return {"extreme": count_swaps(first, second, recipe, seed=settings.seed, trials=count, start=start)}


def show_result(request: Request) -> Answer:
    """Show scores with their intervals, pairs with their tests, clusters and remarks."""
    comparison = _conclude(request)
    html = f'<div class="bp-report">{render_overview(comparison)}</div>'
    return {"html": html, **describe_recipe(comparison.result().recipe)}


def export_result(request: Request, form: str) -> str:
    """Write the comparison, or as HTML the whole report."""
    comparison = _conclude(request)
    return render_report(comparison) if form == "html" else render(comparison, form)


def _conclude(request: Request) -> Comparison:
    """Combine counts, resamples and swaps as ``compare`` does."""
    texts = _read_compared(request)
    names, pairs, resamples, layouts = list(texts.systems), texts.pairs, texts.settings.resamples, texts.layouts
    is_drawn = is_list(is_list(is_score, resamples), len(names))
    drawn = read(request, "scores", is_list(is_drawn, len(texts.recipes)))
    swapped = read(request, "extremes", is_list(is_list(is_whole(0, resamples), len(pairs)), len(texts.recipes)))
    tables = read(request, "tables", is_list(is_list(size=len(names)), len(layouts)))
    counted = {
        counting: {
            name: read_table(rows, layout, "tables", texts.size) for name, rows in zip(names, systems, strict=True)
        }
        for (counting, layout), systems in zip(layouts.items(), tables, strict=True)
    }
    notes = note_same_texts(texts.systems)
    results = []
    for (label, recipe), scores, extremes in zip(texts.recipes.items(), drawn, swapped, strict=True):
        own = counted[recipe.counting]
        whole = {name: score_table(table, recipe, texts.systems[name]) for name, table in own.items()}
        resampled = {name: array("d", values) for name, values in zip(names, scores, strict=True)}
        p_values = {frozenset(pair): share_p(count, resamples) for pair, count in zip(pairs, extremes, strict=True)}
        measured = MeasuredSystems(recipe, own, whole, resampled, _look_up(p_values))
        results.append(judge_systems(label, measured, texts.baseline, texts.settings, notes))
    documents = read_documents(request, texts.size)
    labels = {} if documents is None else {"document": documents}
    return Comparison(texts.systems, counted, results, texts.settings, texts.baseline, labels)


def _look_up(p_values: Mapping[frozenset[str], float]) -> Callable[[str, str], float]:
    return lambda one, other: p_values[frozenset((one, other))]


def _choose_slice(texts: ComparedTexts, recipe: Recipe) -> int:
    """Return how many resamples to draw in one call: all of them if the kernel draws."""
    resamples = texts.settings.resamples
    if find_engine().scores_resamples(recipe):
        return resamples
    return max(1, min(resamples, SLICE // texts.size))


def _read_recipes(request: Request) -> dict[str, Recipe]:
    """Return the recipe of the options and those of ``more``, which are names or signatures."""
    more = read(request, "more", is_list(is_text), [])
    if len(more) >= MOST_RECIPES:
        raise ShapeError(
            f"expected at most {MOST_RECIPES}, got {len(more) + 1}.",
            "Remove some of them. The command line accepts any number.",
            location=Location("recipes"),
        )
    return check_recipes([read_recipe(request), *more])


def _read_settings(request: Request) -> Settings:
    """Return the settings of the comparison. Missing ones have their defaults."""
    confidence = request.get("confidence", USUAL_CONFIDENCE)
    number = read_float(confidence) if isinstance(confidence, str) else None
    settings = check_settings(
        request.get("test", TESTS[0]),
        read_whole(request.get("resamples", FIRST_RESAMPLES)),
        confidence if number is None else number,
        read_whole(request.get("seed", USUAL_SEED)),
    )
    if settings.resamples > MOST_RESAMPLES_SERVED:
        message = f"expected at most {MOST_RESAMPLES_SERVED:,}, got {settings.resamples:,}."
        raise InputTypeError(message, "The command line draws more.", location=Location("resamples"))
    return settings


def _read_compared(request: Request) -> ComparedTexts:
    """Return systems with their names, references, recipes and settings."""
    recipes, settings = _read_recipes(request), _read_settings(request)
    candidates = read(request, "candidates", is_list(), [])
    names = read(request, "names", is_list(is_text, len(candidates)), [])
    [(name, times)] = Counter(names).most_common(1) or [("", 1)]
    if times > 1:
        raise ShapeError(
            f"expected every name once, got {quote(name)} twice.",
            "Choose another name for one of these systems.",
            location=Location("systems"),
        )
    baseline = read(request, "baseline", is_optional(is_text))
    systems = check_systems(dict(zip(names, candidates, strict=True)), baseline)
    paired = pair_systems(systems, read(request, "references", is_list(), []), list(recipes.values()))
    return ComparedTexts(recipes, paired, baseline, settings)


def _read_name(system: Request, number: int) -> str:
    """Return the name of a system. Without one it is named by its number."""
    name: str = read(system, "name", is_text, "")
    return name.strip() or f"system {number}"


def _read_slice(request: Request, settings: Settings) -> tuple[int, int]:
    """Return which resamples to draw: the first, and how many."""
    start: int = read(request, "start", is_whole(0, settings.resamples))
    count: int = read(request, "count", is_whole(1, settings.resamples - start))
    return start, count


def _read_tables(request: Request, layout: Layout, systems: int | None = None) -> list[StatsTable]:
    """Return a table for each system, all equally long."""
    given = read(request, "tables", is_list(size=systems))
    tables = [read_table(rows, layout, "tables") for rows in given]
    if len({len(table) for table in tables}) != 1:
        raise unexpected("tables", given)
    return tables
