"""Search: the recipes of TER that a reported number may come from, the most usual first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from bleuprint.counting.layout import Layout
from bleuprint.metrics.search import list_once, vary
from bleuprint.metrics.ter.counting import TerStats, ter_layout
from bleuprint.metrics.ter.recipe import DIALECTS, TER_DEFAULT, TerRecipe

MOST_REPORTED = 1_000.0
"""Ten words of a candidate for each of its reference."""
ACCIDENTAL = (TER_DEFAULT,)
"""The dialects to try on texts that were read by mistake: one, as texts that do not belong together take long."""
OPTIONS = {
    "case": ("lower", "mixed"), "normalized": ("no", "yes"), "punctuation": ("keep", "remove"), "asian": ("no", "yes"),
}  # fmt: skip
"""The usual value first."""


@cache
def list_readings(several_references: bool) -> tuple[tuple[int, TerRecipe], ...]:
    """Return the recipes of the search, each with how unusual it is; the named ones come first."""
    return list_once(_list_recipes())


def _list_recipes() -> Iterator[tuple[int, TerRecipe]]:
    dialects = [TerRecipe(**dialect.choices) for dialect in DIALECTS.values()]  # type: ignore[arg-type]
    yield from enumerate(dialects)
    for place, base in enumerate(dialects):
        for steps, recipe in vary(base, OPTIONS):
            if recipe.asian == "yes" and (recipe.normalized, recipe.punctuation) == ("no", "keep"):
                continue  # where it changes nothing
            yield 10 * sum(steps) + 50 * place, recipe
            if recipe.normalized == "yes" and base.reference_preparation == "twice":  # sacreBLEU 1.x and tercom
                yield 10 * sum(steps) + 5, recipe.replace(reference_preparation="once")


def is_common(recipe: TerRecipe) -> bool:
    """Whether the mean of segment scores is worth a try: always."""
    return True


def search_layout(recipe: TerRecipe, single_reference: bool) -> tuple[str, Layout[TerStats]]:
    """Say in which case texts are given, and lay out what is counted for a reading then."""
    return recipe.case, ter_layout(recipe.counting._replace(case="mixed"))
