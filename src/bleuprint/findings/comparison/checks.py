"""What a comparison is given: systems, recipes, labels and settings, checked before anything is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.advice import Advice
from bleuprint.counting.resampling import MASK, MOST_SEGMENTS
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import (
    BleuprintError,
    InputTypeError,
    Location,
    RecipeError,
    ShapeError,
    name_list,
    nearest,
    quote,
)
from bleuprint.findings.comparison.results import Settings, check_name
from bleuprint.findings.comparison.verdicts import LOWEST_P
from bleuprint.findings.settings import (
    FEWEST_RESAMPLES,
    HIGHEST_CONFIDENCE,
    LOWEST_CONFIDENCE,
    MOST_RESAMPLES,
    USUAL_CONFIDENCE,
    USUAL_RESAMPLES,
    USUAL_SEED,
)
from bleuprint.recipes.options import to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import pair_system
from bleuprint.text.segments import Segments, is_ordered, list_entries
from bleuprint.whole_numbers import as_whole_number
from bleuprint.wording import count_of

TESTS = tuple(LOWEST_P)

Recipes = Recipe | str | Sequence[Recipe | str] | Mapping[str, Recipe | str]
"""One recipe, several, or several by names of their own."""


def check_settings(test: object, resamples: object, confidence: object, seed: object) -> Settings:
    """Check how the comparison is to be made."""
    if not isinstance(test, str) or test not in TESTS:
        raise BleuprintError(
            where=Location("test"),
            wanted=name_list(TESTS),
            got=quote(test),
            suggestion=nearest(test, TESTS),
            next_step="Randomisation asks whether two systems differ; docs/comparing.md says when to use which.",
        )
    drawn = as_whole_number(resamples)
    if drawn is None or not FEWEST_RESAMPLES <= drawn <= MOST_RESAMPLES:
        raise BleuprintError(
            where=Location("resamples"),
            wanted=f"a whole number from {FEWEST_RESAMPLES} to {MOST_RESAMPLES:,}",
            got=quote(resamples),
            next_step=f"{USUAL_RESAMPLES:,} is usual; with fewer than {FEWEST_RESAMPLES} neither bounds nor p-values "
            "mean anything.",
        )
    level = confidence if isinstance(confidence, float) else to_float(confidence)
    if level is None or not LOWEST_CONFIDENCE <= level <= HIGHEST_CONFIDENCE:
        raise BleuprintError(
            where=Location("confidence"),
            wanted=f"a number from {LOWEST_CONFIDENCE} to {HIGHEST_CONFIDENCE}",
            got=quote(confidence),
            next_step=f"{USUAL_CONFIDENCE} is usual: intervals of {100 * USUAL_CONFIDENCE:g} %, tests at "
            f"{100 - 100 * USUAL_CONFIDENCE:g} %.",
        )
    start = as_whole_number(seed)
    if start is None or not 0 <= start <= MASK:
        raise BleuprintError(
            where=Location("seed"),
            wanted="a whole number from 0 to 2^64 - 1",
            got=quote(seed),
            next_step=f"{USUAL_SEED} is usual; report it if you change it.",
        )
    return Settings(test, drawn, start, level)


def check_recipes(recipe: object) -> dict[str, Recipe]:
    """Read one recipe or several, by the names under which results are listed."""
    if isinstance(recipe, (str, Recipe)):
        recipe = [recipe]
    named: dict[str, Recipe]
    if isinstance(recipe, Mapping):
        named = {str(name): Recipe.of(one) for name, one in recipe.items()}
    elif isinstance(recipe, Sequence):
        given = [(one, Recipe.of(one)) for one in recipe]
        named = {name_recipe(one, known): known for one, known in given}
        if len(named) < len(given):
            raise RecipeError(
                where=Location("recipe"),
                wanted="every recipe once",
                got=", ".join(name_recipe(one, known) for one, known in given),
                next_step="Leave out what is there twice.",
            )
    else:
        raise InputTypeError(
            where=Location("recipe"),
            wanted="a recipe, a list of recipes, or names with recipes",
            got=quote(recipe),
            next_step=Advice.LIST_RECIPES,
        )
    if not named:
        raise RecipeError(
            where="recipe", wanted="at least one recipe", got="none", next_step="Leave it out for sacrebleu."
        )
    return named


def name_recipe(given: Recipe | str, recipe: Recipe) -> str:
    """Name a recipe as it was given, or by its dialect, or by its signature."""
    names = recipe.names
    return given if isinstance(given, str) and given in names else names[0] if names else str(recipe)


def check_systems(systems: object, baseline: object) -> dict[str, list[object]]:
    """Check the names of systems, and read their candidates as lists."""
    if not isinstance(systems, Mapping):
        raise InputTypeError(
            where="systems",
            wanted="a dictionary from names to candidates",
            got=f"{type(systems).__name__} {quote(systems)}",
            next_step='For example: {"ours": candidates, "theirs": other_candidates}.',
        )
    _check_names(systems, baseline)
    return {name: _as_list(candidates, name) for name, candidates in systems.items()}


def check_tables(tables: object, baseline: object, recipe: Recipe) -> None:
    """Check statistics of systems: all of the same segments, counted up to the order of the recipe."""
    if not isinstance(tables, Mapping) or not all(isinstance(table, StatsTable) for table in tables.values()):
        raise InputTypeError(
            where="tables",
            wanted="a dictionary from names to tables of statistics",
            got=f"{type(tables).__name__} {quote(tables)}",
            next_step="bleuprint.statistics(candidates, references, recipe) makes such a table.",
        )
    _check_names(tables, baseline)
    first = next(iter(tables.values()))
    for name, table in tables.items():
        _check_counting(name, table, recipe)
        if len(table) != len(first) or not len(table) or table.layout.order < recipe.layout.order:
            raise ShapeError(
                where=f"system {quote(name)}",
                wanted=f"{count_of(max(1, len(first)), 'row')}, counted up to order {recipe.layout.order}",
                got=f"{len(table):,} rows, counted up to order {table.layout.order}",
                next_step="Count all systems on the same segments, with this recipe.",
            )


def _check_counting(name: str, table: StatsTable, recipe: Recipe) -> None:
    """Refuse rows of another metric, and such as are known to have been counted by other choices."""
    layout = table.layout
    if layout.metric == recipe.metric_key and layout.counting in (None, recipe.counting):
        return
    same = layout.metric == recipe.metric_key
    raise ShapeError(
        where=f"system {quote(name)}",
        wanted=f"rows that were counted for {recipe.metric.name}, as the recipe counts",
        got=f"rows of {recipe.metric.name}, counted by other choices" if same else f"rows of {layout.metric}",
        next_step="Count all systems with this recipe, or compare with the recipe that they were counted by.",
    )


def _check_names(systems: Mapping[object, object], baseline: object) -> None:
    if not systems:
        raise ShapeError(
            where="systems", wanted="at least one system", got="none", next_step="Give a name and what belongs to it."
        )
    for name in systems:
        if not isinstance(name, str) or not name.strip():
            raise InputTypeError(
                where="systems",
                wanted="a name for every system",
                got=quote(name),
                next_step="Names are texts that are not empty.",
            )
        _check_writable(name, "systems")
    if baseline is not None:
        check_name(str(baseline), [str(name) for name in systems], Location("baseline"))


def _check_writable(name: str, where: str) -> None:
    """Refuse a name or a text that no output could show."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise InputTypeError(
            where=where,
            wanted="text that UTF-8 can hold",
            got=quote(name),
            next_step="It has a lone surrogate, which comes from wrong decoding; write it anew.",
        ) from None


def _as_list(candidates: object, name: str) -> list[object]:
    next_step = "Give all candidates of the system, in the order of the references."
    try:
        return list_entries(candidates, Location("candidates"), "a list with a candidate per segment", next_step)
    except InputTypeError as error:
        raise error.reworded(where=f"system {quote(name)}") from None


def pair_systems(
    systems: Mapping[str, list[object]], references: object, recipes: Sequence[Recipe]
) -> dict[str, Segments]:
    """Check every system against the references; an error names the system."""
    entries: object = list(references) if is_ordered(references) else references
    paired = {}
    for name, candidates in systems.items():
        if isinstance(entries, list) and len(candidates) != len(entries):
            raise ShapeError(
                where=f"system {quote(name)}",
                wanted=f"{count_of(len(entries), 'candidate')}, one per entry of references",
                got=f"{len(candidates):,}",
                next_step="All systems are scored on the same segments; nothing is cut to fit.",
            )
        paired[name] = pair_system(name, candidates, entries, recipes)
    if len(next(iter(paired.values()))) > MOST_SEGMENTS:
        raise ShapeError(
            where="references",
            wanted=f"at most {MOST_SEGMENTS:,} segments, which resampling can number",
            got=str(len(next(iter(paired.values())))),
            next_step="Compare parts of the test set.",
        )
    return paired


def check_labels(labels: object, segments: int) -> dict[str, list[str]]:
    """Check that there is a label per segment for every breakdown."""
    if labels is None:
        return {}
    if not isinstance(labels, Mapping):
        raise InputTypeError(
            where="labels",
            wanted="a dictionary from names to labels",
            got=f"{type(labels).__name__} {quote(labels)}",
            next_step='For example: {"document": ["d1", "d1", "d2"]}.',
        )
    return {str(name): _check_label(str(name), values, segments) for name, values in labels.items()}


def check_sources(sources: object, segments: int) -> list[str]:
    """Check that every segment has a source, where sources are given."""
    if sources is None:
        return []
    where, wanted = "sources", f"{count_of(segments, 'text')} (one per segment)"
    next_step = "Give the source of every segment, in the order of the references."
    listed = list_entries(sources, where, wanted, next_step)
    if len(listed) != segments:
        raise ShapeError(where=where, wanted=wanted, got=f"{len(listed):,}", next_step=next_step)
    for place, text in enumerate(listed):
        if not isinstance(text, str):
            raise InputTypeError(where=f"sources[{place}]", wanted="a text", got=quote(text), next_step=next_step)
        _check_writable(text, f"sources[{place}]")
    return [str(text) for text in listed]


def _check_label(name: str, values: object, segments: int) -> list[str]:
    where, wanted = f"labels[{quote(name)}]", f"{count_of(segments, 'label')} (one per segment)"
    next_step = "Give a label for every segment."
    checked: list[str] = []
    listed = list_entries(values, where, wanted, next_step)
    if len(listed) != segments:
        raise ShapeError(where=where, wanted=wanted, got=f"{len(listed):,}", next_step=next_step)
    for place, label in enumerate(listed):
        if not isinstance(label, str):
            raise InputTypeError(
                where=f"labels[{quote(name)}][{place}]",
                place=Location("labels", place),
                wanted="a text",
                got=quote(label),
                next_step="Write numbers as texts, or put them into buckets with names.",
            )
        _check_writable(label, f"labels[{quote(name)}][{place}]")
        checked.append(label)
    return checked
