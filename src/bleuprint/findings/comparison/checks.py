"""Checks of what is compared: systems, recipes, labels and settings, before anything is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.counting.resampling import MASK, MOST_SEGMENTS
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import (
    BleuprintError,
    InputTypeError,
    Location,
    RecipeError,
    ShapeError,
    quote,
    unknown_name,
    wrong_type,
)
from bleuprint.findings.comparison.results import check_name
from bleuprint.findings.settings import (
    FEWEST_RESAMPLES,
    HIGHEST_CONFIDENCE,
    LOWEST_CONFIDENCE,
    MOST_RESAMPLES,
    USUAL_CONFIDENCE,
    USUAL_RESAMPLES,
    USUAL_SEED,
    Settings,
)
from bleuprint.findings.significance import TESTS
from bleuprint.numbers import check_whole_number
from bleuprint.recipes.options import to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import list_per_segment, pair_system
from bleuprint.text.segments import Segments, is_ordered
from bleuprint.wording import count_of

Recipes = Recipe | str | Sequence[Recipe | str] | Mapping[str, Recipe | str]
"""One recipe, several, or several with names."""


def check_settings(test: object, resamples: object, confidence: object, seed: object) -> Settings:
    """Check how the comparison is to be made."""
    if not isinstance(test, str) or test not in TESTS:
        raise unknown_name("test", test, TESTS, location=Location("test"))
    level = to_float(confidence)
    drawn = check_whole_number(
        "resamples", resamples, FEWEST_RESAMPLES, MOST_RESAMPLES,
        f"{USUAL_RESAMPLES:,} is usual. With fewer than {FEWEST_RESAMPLES}, bounds and p-values mean nothing.",
    )  # fmt: skip
    if level is None or not LOWEST_CONFIDENCE <= level <= HIGHEST_CONFIDENCE:
        raise BleuprintError(
            f"expected a number from {LOWEST_CONFIDENCE} to {HIGHEST_CONFIDENCE}, got {quote(confidence)}.",
            f"{USUAL_CONFIDENCE} is usual: intervals of {USUAL_CONFIDENCE:.0%}, tests at {1 - USUAL_CONFIDENCE:.0%}.",
            location=Location("confidence"),
        )
    start = check_whole_number("seed", seed, 0, MASK, f"{USUAL_SEED} is usual. Report it if you change it.")
    return Settings(test, drawn, start, level)


def check_recipes(recipe: object) -> dict[str, Recipe]:
    """Read one recipe or several, by the names under which results are listed."""
    location = Location("recipe")
    if isinstance(recipe, (str, Recipe)):
        recipe = [recipe]
    named: dict[str, Recipe]
    if isinstance(recipe, Mapping):
        named = {str(name): Recipe.of(one) for name, one in recipe.items()}
    elif isinstance(recipe, Sequence):
        names = [name_recipe(one, Recipe.of(one)) for one in recipe]
        named = {name: Recipe.of(one) for name, one in zip(names, recipe, strict=True)}
        if len(named) < len(names):
            raise RecipeError(
                f"expected every recipe once, got {', '.join(names)}.", "Remove the duplicates.", location=location
            )
    else:
        fix = "List the recipes with: bleuprint recipes"
        raise wrong_type("a recipe, a list of recipes, or names with recipes", recipe, fix, location=location)
    if not named:
        raise RecipeError("expected at least one recipe, got none.", "Leave it out for sacrebleu.", location=location)
    return named


def name_recipe(given: Recipe | str, recipe: Recipe) -> str:
    """Name a recipe as it was passed, or by its named recipe, or by its signature."""
    names = recipe.names
    return given if isinstance(given, str) and given in names else names[0] if names else str(recipe)


def check_systems(systems: object, baseline: object) -> Mapping[str, object]:
    """Check the names of systems."""
    example = 'For example: {"ours": candidates, "theirs": other_candidates}.'
    checked = check_mapping(systems, "a dictionary from names to candidates", example, "systems")
    _check_names(checked, baseline)
    return checked


def check_mapping(value: object, expected: str, fix: str, where: str) -> Mapping[str, object]:
    """Return a dictionary; raise an error for anything else."""
    if not isinstance(value, Mapping):
        raise InputTypeError(f"expected {expected}, got {type(value).__name__} {quote(value)}.", fix, where=where)
    return value


def check_tables(tables: object, baseline: object, recipe: Recipe) -> None:
    """Check statistics of systems: rows of the same segments, counted for the recipe and up to its order."""
    fix = "bleuprint.statistics(candidates, references, recipe) returns such a table."
    checked = check_mapping(tables, "a dictionary from names to tables of statistics", fix, "tables")
    _check_names(checked, baseline)
    rows = None
    for name, table in checked.items():
        location = Location("tables", system=name)
        if not isinstance(table, StatsTable):
            raise wrong_type("a table of statistics", table, fix, location=location)
        layout, metric = table.layout, recipe.metric
        rows = len(table) if rows is None else rows
        if layout.metric != recipe.metric_key or layout.counting not in (None, recipe.counting):
            other = "other options" if layout.metric == recipe.metric_key else f"the metric {layout.metric}"
            raise ShapeError(
                f"expected rows that were counted for this recipe of {metric.name}, got rows of {other}.",
                "Count all systems with this recipe, or compare with the recipe that they were counted by.",
                location=location,
            )
        if len(table) != rows or not rows or layout.order < recipe.layout.order:
            raise ShapeError(
                f"expected {count_of(max(1, rows), 'row')}, counted up to order {recipe.layout.order}, "
                f"got {len(table):,}, counted up to order {layout.order}.",
                "Count all systems on the same segments, with this recipe.",
                location=location,
            )


def _check_names(systems: Mapping[str, object], baseline: object) -> None:
    location = Location("systems")
    if not systems:
        raise ShapeError("expected at least one system, got none.", "Name each system.", location=location)
    for name in systems:
        if not isinstance(name, str) or not name.strip():
            raise wrong_type(
                "a name for every system", name, "Names are strings that are not empty.", location=location
            )
        _check_writable(name, location)
    if baseline is not None:
        check_name(str(baseline), systems, "baseline")


def _check_writable(name: str, location: Location) -> None:
    """Raise an error for a string that no output can contain."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        fix = "It has a lone surrogate, which comes from wrong decoding. Decode the input again."
        raise wrong_type("text that UTF-8 can encode", name, fix, location=location) from None


def pair_systems(systems: Mapping[str, object], references: object, recipes: Sequence[Recipe]) -> dict[str, Segments]:
    """Check every system against the references. An error names the system."""
    entries: object = list(references) if is_ordered(references) else references
    paired = {}
    for name, candidates in systems.items():
        if isinstance(entries, list):
            candidates = list_per_segment(candidates, len(entries), "candidate", Location("candidates", system=name))
        paired[name] = pair_system(name, candidates, entries, recipes)
    segments = len(next(iter(paired.values())))
    if segments > MOST_SEGMENTS:
        raise ShapeError(
            f"expected at most {MOST_SEGMENTS:,} segments, got {segments:,}.",
            "Resampling cannot number more. Compare parts of the test set.",
            location=Location("references"),
        )
    return paired


def check_labels(labels: object, segments: int) -> dict[str, list[str]]:
    """Check that there is a label per segment for every breakdown."""
    if labels is None:
        return {}
    example = 'For example: {"document": ["d1", "d1", "d2"]}.'
    checked = check_mapping(labels, "a dictionary from names to labels", example, "labels")
    return {
        str(name): _check_strings(values, segments, "label", "labels", f"labels[{quote(name)}]")
        for name, values in checked.items()
    }


def check_sources(sources: object, segments: int) -> list[str]:
    """Check that every segment has a source, if there are sources."""
    return [] if sources is None else _check_strings(sources, segments, "source", "sources")


def _check_strings(values: object, segments: int, noun: str, argument: str, where: str = "") -> list[str]:
    checked = []
    for index, text in enumerate(list_per_segment(values, segments, noun, Location(argument), where)):
        location = Location(argument, index)
        if not isinstance(text, str):
            raise InputTypeError(
                f"expected a text, got {quote(text)}.", f"Pass every {noun} as a string.",
                location=location, where=where and f"{where}[{index}]",
            )  # fmt: skip
        _check_writable(text, location)
        checked.append(text)
    return checked
