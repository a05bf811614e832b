"""What the page may send: texts within their limit, and a recipe as the form states it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint.axes import AXES, parse_number
from bleuprint.corpus import pair_for
from bleuprint.errors import InputTypeError, RecipeError, ShapeError, quote
from bleuprint.recipe import Recipe
from bleuprint.segments import Segments
from bleuprint.stats import StatsTable
from bleuprint.tokenizer_table import SPM

MOST_CHARACTERS = 50_000
MOST_REFERENCES = 20
FIRST_RECIPE = "paper"


def read_text(value: object, where: str) -> str:
    """Check one box of the page; several lines count as one segment, so line breaks become spaces."""
    if not isinstance(value, str):
        raise InputTypeError(where=where, wanted="a text", got=quote(value), next_step="Reload the page.")
    if len(value) > MOST_CHARACTERS:
        raise ShapeError(
            where=where,
            wanted=f"at most {MOST_CHARACTERS:,} characters",
            got=f"{len(value):,}",
            next_step="Nothing was cut. Shorten the text, or use corpus mode for many segments.",
        )
    return " ".join(value.splitlines())


def read_segment(request: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Read candidate and references."""
    references = request.get("references")
    if not isinstance(references, list) or not 1 <= len(references) <= MOST_REFERENCES:
        raise ShapeError(
            where="references",
            wanted=f"1 to {MOST_REFERENCES} references",
            got=str(len(references)) if isinstance(references, list) else quote(references),
            next_step="Add or remove a reference.",
        )
    texts = [read_text(text, f"reference {number}") for number, text in enumerate(references, start=1)]
    return read_text(request.get("candidate"), "candidate"), texts


def read_segments(request: Mapping[str, Any], recipes: Sequence[Recipe]) -> Segments:
    """Read the segments that the page holds: pairs of a candidate and its references."""
    given = request.get("segments")
    if not isinstance(given, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
        raise InputTypeError(where="segments", wanted="pairs", got=quote(given), next_step="Reload the page.")
    return pair_for([pair[0] for pair in given], [pair[1] for pair in given], recipes)


def read_list(request: Mapping[str, Any], name: str) -> list[Any]:
    """Read a list; one that is not there is empty."""
    value = request.get(name, [])
    if not isinstance(value, list):
        raise InputTypeError(where=name, wanted="a list", got=quote(value), next_step="Reload the page.")
    return value


def read_rows(rows: object, order: int, where: str = "rows") -> StatsTable:
    """Read rows of whole numbers that the page was given and hands back."""
    width = 2 + 2 * order
    if not isinstance(rows, list) or not rows or not all(are_counts(row, width) for row in rows):
        raise InputTypeError(where=where, wanted="rows of counts", got=quote(rows), next_step="Count again.")
    return StatsTable(order, (number for row in rows for number in row))


def read_documents(request: Mapping[str, Any], size: int) -> list[str] | None:
    """Read the name of the document that each segment belongs to, where the texts named any."""
    names = request.get("documents")
    if names is None:
        return None
    if not isinstance(names, list) or len(names) != size or not all(isinstance(name, str) for name in names):
        raise InputTypeError(
            where="documents", wanted="a name for each segment", got=quote(names), next_step="Start again."
        )
    return names


def are_counts(values: object, length: int) -> bool:
    """Whether a value is a list of so many whole numbers."""
    return isinstance(values, list) and len(values) == length and all(type(n) is int and 0 <= n < 2**62 for n in values)


def is_score(value: object) -> bool:
    """Whether a value is a number that may be a score."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf


def read_recipe(request: Mapping[str, Any]) -> Recipe:
    """Build the recipe: ``base`` (a dialect or a signature), changed on the axes that the form changed."""
    form = request.get("recipe", {})
    if not isinstance(form, Mapping):
        raise InputTypeError(where="recipe", wanted="base and changes", got=quote(form), next_step="Reload the page.")
    changes = {field: value for field, value in form.items() if field in (*AXES, "order") and value not in (None, "")}
    if isinstance(changes.get("weights"), str):
        changes["weights"] = [parse_number(part, "weights") for part in changes["weights"].split(",")]
    if isinstance(changes.get("order"), str):
        order = parse_number(changes["order"], "N")
        changes["order"] = int(order) if order.is_integer() else order
    if "weights" in changes:
        changes.pop("order", None)
    if str(changes.get("tokenizer", "")).startswith(f"{SPM}:"):
        raise RecipeError(
            where="tokenizer",
            wanted="the name of a tokenizer",
            got="the path of a file",
            next_step="The page opens no files by their paths: put the model into the folder for models.",
        )
    return Recipe.of(form.get("base") or FIRST_RECIPE).replace(**changes)


def describe_recipe(recipe: Recipe) -> dict[str, Any]:
    """Say what the form's options should show."""
    return {
        "signature": str(recipe),
        "dialects": list(recipe.dialects),
        "choices": {field: recipe.choice(field) for field in AXES} | {"order": recipe.order},
    }


def show_recipe(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer with the recipe that the form states."""
    return describe_recipe(read_recipe(request))
