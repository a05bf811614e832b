"""What the searches of all metrics share: recipes in order, and variations of a recipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar

from bleuprint.recipes.recipe import Recipe

AnyRecipe = TypeVar("AnyRecipe", bound=Recipe)


def list_once(ranked: Iterable[tuple[int, AnyRecipe]]) -> tuple[tuple[int, AnyRecipe], ...]:
    """Return every recipe once, with the number that it came with first: how unusual it is."""
    found: dict[AnyRecipe, int] = {}
    for unusual, recipe in ranked:
        found.setdefault(recipe, unusual)
    return tuple((unusual, recipe) for recipe, unusual in found.items())


def vary(recipe: AnyRecipe, options: Mapping[str, Sequence[object]]) -> Iterator[tuple[list[int], AnyRecipe]]:
    """Yield a recipe with every combination of values, and for each option the index of its value, 0 for the usual."""
    for values in product(*options.values()):
        steps = [known.index(value) for known, value in zip(options.values(), values, strict=True)]
        yield steps, recipe.with_choices(dict(zip(options, values, strict=True)))
