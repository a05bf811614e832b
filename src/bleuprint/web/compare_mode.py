"""What the page does with several systems: count them chunk by chunk, resample slice by slice, say what is luck.

Nothing is kept between calls. Every resample has a number from which all its luck follows, so slices add up to exactly
what ``compare`` gives in one go.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.errors import InputTypeError, ShapeError, quote
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.checks import check_recipes, check_settings, check_systems, pair_systems
from bleuprint.findings.comparison.measurement import MeasuredSystems, choose_pairs, judge_systems
from bleuprint.findings.comparison.remarks import note_same_texts
from bleuprint.findings.comparison.results import Settings
from bleuprint.findings.significance.bootstrap import resample_scores
from bleuprint.findings.significance.randomisation import count_swaps, share_p
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.comparison_files import render_csv, render_markdown
from bleuprint.render.html.report import render_overview, render_report
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import count_for, score_table
from bleuprint.text.formats import split_lines
from bleuprint.text.segments import Segments
from bleuprint.web.export import make_file
from bleuprint.web.limits import MOST_SYSTEMS
from bleuprint.web.requests import (
    describe_recipe,
    is_blank,
    is_score,
    read_documents,
    read_list,
    read_recipe,
    read_rows,
    read_segments,
    refuse_blank,
)

RESAMPLES, CONFIDENCE, SEED = 1000, 0.95, 12345
SLICE = 200_000
"""Segments drawn in one slice where Python does it: a fraction of a second."""


class ComparedTexts(NamedTuple):
    """What is compared, as the page hands it back after ``read_systems``."""

    recipe: Recipe
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


def read_systems(request: Mapping[str, Any]) -> dict[str, Any]:
    """Check the form: ``segments`` hold the first system, ``systems`` name and text of each other."""
    segments = read_segments(request, [read_recipe(request)])
    others = read_list(request, "systems")
    if len(others) >= MOST_SYSTEMS or not all(isinstance(system, Mapping) for system in others):
        raise ShapeError(
            where="systems", wanted=f"at most {MOST_SYSTEMS - 1} other systems", got=quote(others),
            next_step="Remove some of them; the command line takes any number.",
        )  # fmt: skip
    names = [_read_name(request.get("name"), 1)]
    candidates: list[list[Any]] = [list(segments.candidates)]
    for place, system in enumerate(others, start=2):
        names.append(_read_name(system.get("name"), place))
        candidates.append(_read_lines(system.get("text"), names[-1]))
    held = {
        "names": names,
        "candidates": candidates,
        "references": [list(texts) for texts in segments.references],
        "baseline": names[0] if request.get("with_first") is True else None,
    }
    texts = _read_texts({**request, **held})
    places = {name: place for place, name in enumerate(names)}
    pairs = [[places[one], places[other]] for one, other in texts.pairs]
    return {**held, "pairs": pairs, "resamples": RESAMPLES, "slice": _choose_slice(texts)}


def count_chunk(request: Mapping[str, Any]) -> dict[str, Any]:
    """Count some segments of every system: a table of rows for each."""
    texts = _read_texts(request)
    tables = [count_for(own, [texts.recipe])[texts.recipe.counting] for own in texts.systems.values()]
    return {"tables": [[list(table.row(place)) for place in range(len(table))] for table in tables]}


def draw_slice(request: Mapping[str, Any]) -> dict[str, Any]:
    """Score all systems on some resamples of the test set, drawn with replacement."""
    recipe, tables = read_recipe(request), _read_tables(request, read_recipe(request))
    start, count = _read_slice(request)
    drawn = resample_scores(tables, recipe, seed=SEED, resamples=count, start=start)
    return {"scores": [list(own) for own in drawn]}


def swap_slice(request: Mapping[str, Any]) -> dict[str, Any]:
    """Swap two systems at random in some trials, and count those that part them as far as they are."""
    recipe, tables = read_recipe(request), _read_tables(request, read_recipe(request))
    if len(tables) != 2:
        raise InputTypeError(where="tables", wanted="two tables", got=str(len(tables)), next_step="Start again.")
    (first, second), (start, count) = tables, _read_slice(request)
    return {"extreme": count_swaps(first, second, recipe, seed=SEED, trials=count, start=start)}


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
    texts = _read_texts(request)
    tables = dict(zip(texts.systems, _read_tables(request, texts.recipe, texts), strict=True))
    scores = {name: score_table(table, texts.recipe, texts.systems[name]) for name, table in tables.items()}
    scored = MeasuredSystems(texts.recipe, tables, scores, _read_resampled(request, texts))
    p_values = _read_p_values(request, texts)
    [label] = check_recipes(texts.recipe)
    result = judge_systems(
        label, scored, texts.baseline, texts.settings, note_same_texts(texts.systems),
        lambda one, other: p_values[frozenset((one, other))],
    )  # fmt: skip
    documents = read_documents(request, texts.size)
    labels = {} if documents is None else {"document": documents}
    counted = {texts.recipe.counting: tables}
    return Comparison(texts.systems, counted, [result], texts.settings, texts.baseline, labels)


def _read_texts(request: Mapping[str, Any]) -> ComparedTexts:
    recipe = read_recipe(request)
    settings = check_settings(request.get("test", "randomisation"), RESAMPLES, CONFIDENCE, SEED)
    names, candidates = read_list(request, "names"), read_list(request, "candidates")
    if len(names) != len(candidates) or not all(isinstance(name, str) for name in names):
        raise InputTypeError(
            where="names", wanted="a name for every system", got=quote(names), next_step="Start again."
        )
    twice = [one for one, other in combinations(names, 2) if one == other]
    if twice:
        raise ShapeError(
            where="systems", wanted="every name once", got=f"{quote(twice[0])} twice",
            next_step="Give one of these systems another name.",
        )  # fmt: skip
    baseline = request.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise InputTypeError(where="baseline", wanted="a name", got=quote(baseline), next_step="Start again.")
    systems = check_systems(dict(zip(names, candidates, strict=True)), baseline)
    paired = pair_systems(systems, read_list(request, "references"), [recipe])
    return ComparedTexts(recipe, paired, baseline, settings)


def _read_name(name: object, place: int) -> str:
    if name is not None and not isinstance(name, str):
        raise InputTypeError(where="name", wanted="a text", got=quote(name), next_step="Reload the page.")
    return (name or "").strip() or f"system {place}"


def _read_lines(text: object, name: str) -> list[str]:
    if not isinstance(text, str):
        raise InputTypeError(
            where=f"system {quote(name)}", wanted="a text", got=quote(text), next_step="Reload the page."
        )
    if is_blank(text):
        refuse_blank(f"system {quote(name)}", "its candidate lines")
    return split_lines(text)


def _choose_slice(texts: ComparedTexts) -> int:
    """Say how many resamples to ask for at once: all of them where the kernel is at work."""
    if find_kernel() is not None and not texts.recipe.is_for_one_segment:
        return RESAMPLES
    return max(1, min(RESAMPLES, SLICE // texts.size))


def _read_slice(request: Mapping[str, Any]) -> tuple[int, int]:
    start, count = request.get("start"), request.get("count")
    if type(start) is not int or type(count) is not int or not 0 <= start < start + count <= RESAMPLES:
        raise InputTypeError(
            where="start and count", wanted=f"some of {RESAMPLES:,} resamples",
            got=f"{quote(start)} and {quote(count)}", next_step="Start again.",
        )  # fmt: skip
    return start, count


def _read_tables(request: Mapping[str, Any], recipe: Recipe, texts: ComparedTexts | None = None) -> list[StatsTable]:
    """Read a table for each system; all are equally long."""
    given = read_list(request, "tables")
    tables = [read_rows(rows, recipe.layout, "tables") for rows in given]
    wanted = len(texts.systems) if texts else max(1, len(tables))
    size = texts.size if texts else len(tables[0]) if tables else 0
    if len(tables) != wanted or any(len(table) != size for table in tables):
        raise InputTypeError(
            where="tables", wanted="a table for each system, equally long", got=f"{len(tables)}",
            next_step="Count again.",
        )  # fmt: skip
    return tables


def _read_resampled(request: Mapping[str, Any], texts: ComparedTexts) -> dict[str, array[float]]:
    given = read_list(request, "scores")
    if len(given) != len(texts.systems) or not all(_are_scores(own) for own in given):
        raise InputTypeError(
            where="scores", wanted=f"{RESAMPLES:,} scores of each system", got=quote(given), next_step="Start again."
        )
    return {name: array("d", own) for name, own in zip(texts.systems, given, strict=True)}


def _are_scores(values: object) -> bool:
    return isinstance(values, list) and len(values) == RESAMPLES and all(map(is_score, values))


def _read_p_values(request: Mapping[str, Any], texts: ComparedTexts) -> dict[frozenset[str], float]:
    given = read_list(request, "extremes")
    if len(given) != len(texts.pairs) or not all(type(one) is int and 0 <= one <= RESAMPLES for one in given):
        raise InputTypeError(
            where="extremes", wanted="a count for each pair", got=quote(given), next_step="Start again."
        )
    return {frozenset(pair): share_p(count, RESAMPLES) for pair, count in zip(texts.pairs, given, strict=True)}
