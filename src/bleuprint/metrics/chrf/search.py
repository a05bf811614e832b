"""Search: the recipes of chrF that a reported number may come from, the most usual first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from bleuprint.counting.layout import Layout
from bleuprint.metrics.chrf.counting import ChrfStats, chrf_layout
from bleuprint.metrics.chrf.formula import EACH_ORDER_EPS, EFFECTIVE_ORDER
from bleuprint.metrics.chrf.recipe import DEFAULT_CHRF, DIALECTS, ChrfRecipe
from bleuprint.metrics.search import list_once, vary
from bleuprint.recipes.recipe import Recipe

MOST_REPORTED = 100.0
ACCIDENTAL = tuple(DIALECTS)
"""The dialects to try on texts that were read by mistake."""
CASES = ("mixed", "lower")
WORD_ORDERS = (0, 2, 1)
BETAS = (2.0, 3.0, 1.0)
WHITESPACE = ("removed", "kept")
AVERAGINGS = (EFFECTIVE_ORDER, EACH_ORDER_EPS)
MOST_ODD = 2
"""So many unusual choices somebody may have made at once."""


@cache
def list_readings(several_references: bool) -> tuple[tuple[int, ChrfRecipe], ...]:
    """Return the recipes of the search, each with how unusual it is; the named ones come first."""
    return list_once(_list_recipes())


def _list_recipes() -> Iterator[tuple[int, ChrfRecipe]]:
    yield from enumerate(map(_named, DIALECTS))
    options = {
        "case": CASES, "word_order": WORD_ORDERS, "beta": BETAS, "whitespace": WHITESPACE, "averaging": AVERAGINGS,
    }  # fmt: skip
    for steps, recipe in vary(_named(DEFAULT_CHRF), options):
        if sum(map(bool, steps)) <= MOST_ODD:
            yield 100 + 15 * sum(steps), recipe


def is_common(recipe: ChrfRecipe) -> bool:
    """Whether the mean of segment scores is worth a try: the recipe has a name."""
    return bool(recipe.names)


def search_layout(recipe: ChrfRecipe, single_reference: bool) -> tuple[str, Layout[ChrfStats]]:
    """Say in which case texts are given, and lay out what is counted for a reading then.

    With one reference there is none to choose, and how the orders are averaged changes no count.
    """
    counting = recipe.counting._replace(case="mixed")
    if single_reference:
        counting = counting._replace(beta=2.0, averaging=EFFECTIVE_ORDER)
    return recipe.case, chrf_layout(counting)


def _named(name: str) -> ChrfRecipe:
    recipe = Recipe.named(name)
    assert isinstance(recipe, ChrfRecipe)
    return recipe
