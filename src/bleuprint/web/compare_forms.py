"""What the page asks of a comparison, and hands back of it: recipes, settings, systems, tables and resamples.

How many resamples are served the API asks here, too.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import InputTypeError, ShapeError, quote
from bleuprint.findings.comparison.checks import TESTS, check_recipes, check_settings, check_systems, pair_systems
from bleuprint.findings.comparison.measurement import choose_pairs
from bleuprint.findings.comparison.results import Settings
from bleuprint.findings.settings import FEWEST_RESAMPLES, USUAL_CONFIDENCE, USUAL_SEED
from bleuprint.findings.significance import share_p
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.formats import split_lines
from bleuprint.text.segments import Segments
from bleuprint.web.limits import MOST_RECIPES, MOST_RESAMPLES_SERVED
from bleuprint.web.requests import is_blank, is_score, read_list, read_recipe, read_rows, read_whole, refuse_blank
from bleuprint.whole_numbers import as_whole_number
from bleuprint.written_numbers import read_float

FIRST_RESAMPLES = 1000
"""What the form begins with: fewer than is usual, so that the first answer does not take long."""


class ComparedTexts(NamedTuple):
    """What is compared, as the page hands it back after ``read_systems``."""

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


def read_recipes(request: Mapping[str, Any]) -> dict[str, Recipe]:
    """Read the recipe of the options, and those that are asked for beside it (``more``: dialects or signatures)."""
    more = read_list(request, "more")
    if len(more) >= MOST_RECIPES or not all(isinstance(one, str) for one in more):
        raise ShapeError(
            where="recipes", wanted=f"at most {MOST_RECIPES}", got=quote(more),
            next_step="Remove some of them; the command line takes any number.",
        )  # fmt: skip
    return check_recipes([read_recipe(request), *more])


def read_settings(request: Mapping[str, Any]) -> Settings:
    """Read how the comparison is to be made; what the form leaves out is as usual."""
    resamples = read_whole(request.get("resamples", FIRST_RESAMPLES))
    check_resamples(resamples)
    return check_settings(
        request.get("test", TESTS[0]),
        resamples,
        _read_number(request.get("confidence", USUAL_CONFIDENCE)),
        read_whole(request.get("seed", USUAL_SEED)),
    )


def check_resamples(resamples: object) -> None:
    """Refuse a number of resamples that is not served; the command line draws more."""
    number = as_whole_number(resamples)
    if number is None or not FEWEST_RESAMPLES <= number <= MOST_RESAMPLES_SERVED:
        raise InputTypeError(
            where="resamples",
            wanted=f"a whole number from {FEWEST_RESAMPLES} to {MOST_RESAMPLES_SERVED:,}",
            got=quote(resamples),
            next_step="The command line draws more, and with fewer neither bounds nor p-values mean anything.",
        )


def _read_number(value: object) -> object:
    number = read_float(value) if isinstance(value, str) else None
    return value if number is None else number


def read_compared(request: Mapping[str, Any]) -> ComparedTexts:
    """Read systems with their names, references, recipes and settings."""
    recipes, settings = read_recipes(request), read_settings(request)
    names, candidates = read_list(request, "names"), read_list(request, "candidates")
    if len(names) != len(candidates) or not all(isinstance(name, str) for name in names):
        raise InputTypeError(
            where="names", wanted="a name for every system", got=quote(names), next_step="Start again."
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ShapeError(
            where="systems", wanted="every name once", got=f"{quote(twice[0])} twice",
            next_step="Give one of these systems another name.",
        )  # fmt: skip
    baseline = request.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise InputTypeError(where="baseline", wanted="a name", got=quote(baseline), next_step="Start again.")
    systems = check_systems(dict(zip(names, candidates, strict=True)), baseline)
    paired = pair_systems(systems, read_list(request, "references"), list(recipes.values()))
    return ComparedTexts(recipes, paired, baseline, settings)


def read_name(name: object, place: int) -> str:
    """Read the name of a system; one that has none is named by its place."""
    if name is not None and not isinstance(name, str):
        raise InputTypeError(where="name", wanted="a text", got=quote(name), next_step="Reload the page.")
    return (name or "").strip() or f"system {place}"


def read_system(text: object, name: str) -> list[str]:
    """Read the candidates of a system, one per line."""
    if not isinstance(text, str):
        raise InputTypeError(
            where=f"system {quote(name)}", wanted="a text", got=quote(text), next_step="Reload the page."
        )
    if is_blank(text):
        refuse_blank(f"system {quote(name)}", "its candidate lines")
    return split_lines(text)


def read_slice(request: Mapping[str, Any], settings: Settings) -> tuple[int, int]:
    """Read which resamples are asked for: the first, and how many."""
    start, count = request.get("start"), request.get("count")
    if type(start) is not int or type(count) is not int or not 0 <= start < start + count <= settings.resamples:
        raise InputTypeError(
            where="start and count", wanted=f"some of {settings.resamples:,} resamples",
            got=f"{quote(start)} and {quote(count)}", next_step="Start again.",
        )  # fmt: skip
    return start, count


def read_tables(given: object, layout: Layout) -> list[StatsTable]:
    """Read a table for each system, all equally long."""
    tables = [read_rows(rows, layout, "tables") for rows in given] if isinstance(given, list) else []
    if not tables or any(len(table) != len(tables[0]) for table in tables):
        raise InputTypeError(
            where="tables", wanted="a table for each system, equally long", got=f"{len(tables)}",
            next_step="Count again.",
        )  # fmt: skip
    return tables


def read_counted(request: Mapping[str, Any], texts: ComparedTexts) -> dict[Hashable, dict[str, StatsTable]]:
    """Read the tables of all systems in every way of counting."""
    given, layouts = read_list(request, "tables"), texts.layouts
    if len(given) != len(layouts):
        raise InputTypeError(
            where="tables", wanted="tables for each way of counting", got=str(len(given)), next_step="Count again."
        )
    counted = {}
    for (counting, layout), own in zip(layouts.items(), given, strict=True):
        tables = read_tables(own, layout)
        if len(tables) != len(texts.systems) or len(tables[0]) != texts.size:
            raise InputTypeError(
                where="tables", wanted=f"{len(texts.systems)} tables of {texts.size} rows",
                got=f"{len(tables)} of {len(tables[0])}", next_step="Count again.",
            )  # fmt: skip
        counted[counting] = dict(zip(texts.systems, tables, strict=True))
    return counted


def read_resampled(request: Mapping[str, Any], texts: ComparedTexts) -> list[dict[str, array[float]]]:
    """Read the scores of every system on all resamples, recipe by recipe."""
    given, resamples = read_list(request, "scores"), texts.settings.resamples

    def fit(systems: object) -> bool:
        return isinstance(systems, list) and len(systems) == len(texts.systems) and all(map(are_scores, systems))

    def are_scores(values: object) -> bool:
        return isinstance(values, list) and len(values) == resamples and all(map(is_score, values))

    if len(given) != len(texts.recipes) or not all(map(fit, given)):
        raise InputTypeError(
            where="scores", wanted=f"{resamples:,} scores of each system", got=quote(given), next_step="Start again."
        )
    return [{name: array("d", own) for name, own in zip(texts.systems, systems, strict=True)} for systems in given]


def read_p_values(request: Mapping[str, Any], texts: ComparedTexts) -> list[dict[frozenset[str], float]]:
    """Read how many trials parted each pair as far as it is, recipe by recipe, as p-values."""
    given, resamples = read_list(request, "extremes"), texts.settings.resamples

    def fit(counts: object) -> bool:
        return (
            isinstance(counts, list)
            and len(counts) == len(texts.pairs)
            and all(type(one) is int and 0 <= one <= resamples for one in counts)
        )

    if len(given) != len(texts.recipes) or not all(map(fit, given)):
        raise InputTypeError(
            where="extremes", wanted="a count for each pair", got=quote(given), next_step="Start again."
        )
    return [
        {frozenset(pair): share_p(count, resamples) for pair, count in zip(texts.pairs, counts, strict=True)}
        for counts in given
    ]
