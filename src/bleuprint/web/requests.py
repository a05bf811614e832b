"""What the page may send: texts within their limit, and a recipe as the form states it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, NoReturn

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import InputTypeError, Location, RecipeError, ShapeError, quote
from bleuprint.metrics import module_of
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.options import parse_number
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.scoring.verbs import pair_for
from bleuprint.text.segments import Segments
from bleuprint.text.tokenizers.registry import SPM
from bleuprint.web.limits import (
    HIGHEST_SCORE,
    HIGHEST_TEXT_COUNT,
    LONGEST_NUMBER,
    MOST_CHARACTERS,
    MOST_REFERENCES,
    MOST_SYSTEMS,
)
from bleuprint.wording import count_of

FIRST_RECIPE = "paper"
MOST_BY_PYTHON, MOST_BY_KERNEL = 100, 500
"""Segments that are counted in one call, so that it can be watched and cancelled: by Python, and by the kernel."""


class Boxes(NamedTuple):
    """The texts of one segment; a blank box is no reference, and is left out."""

    candidate: str
    numbered: dict[int, str]
    """the references by the numbers of their boxes"""
    left_out: list[int]
    """the numbers of the blank boxes"""

    @property
    def references(self) -> list[str]:
        """The references alone."""
        return list(self.numbered.values())


def is_blank(text: str) -> bool:
    """Whether a box is empty, or holds white space alone."""
    return not text.strip()


def refuse_blank(where: str, wanted: str) -> NoReturn:
    """Refuse boxes that hold no text, where one is needed."""
    raise ShapeError(
        where=where, wanted=wanted, got="blanks alone", next_step="There is nothing to score: type or paste a text."
    )


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


def read_segment(request: Mapping[str, Any]) -> Boxes:
    """Read candidate and references; without any reference there is nothing to score."""
    references = request.get("references")
    if not isinstance(references, list) or not 1 <= len(references) <= MOST_REFERENCES:
        raise ShapeError(
            where="references",
            wanted=f"1 to {MOST_REFERENCES} references",
            got=str(len(references)) if isinstance(references, list) else quote(references),
            next_step="Add or remove a reference.",
        )
    texts = {number: read_text(text, f"reference {number}") for number, text in enumerate(references, start=1)}
    candidate = read_text(request.get("candidate"), "candidate")
    numbered = {number: text for number, text in texts.items() if not is_blank(text)}
    if not numbered:
        refuse_blank("references", "at least one reference")
    return Boxes(candidate, numbered, [number for number in texts if number not in numbered])


def read_segments(request: Mapping[str, Any], recipes: Sequence[Recipe]) -> Segments:
    """Read the segments that the page holds: pairs of a candidate and its references."""
    given = request.get("segments")
    if not isinstance(given, list) or set(map(type, given)) - {list} or set(map(len, given)) - {2}:
        raise InputTypeError(where="segments", wanted="pairs of texts", got=quote(given), next_step="Reload the page.")
    candidates, references = zip(*given, strict=True) if given else ((), ())
    return pair_for(candidates, references, recipes)


def choose_chunk() -> int:
    """Say how many segments to count in one call: so many that it takes a fraction of a second."""
    return MOST_BY_PYTHON if find_kernel() is None else MOST_BY_KERNEL


def read_list(request: Mapping[str, Any], name: str) -> list[Any]:
    """Read a list; one that is not there is empty."""
    value = request.get(name, [])
    if not isinstance(value, list):
        raise InputTypeError(where=name, wanted="a list", got=quote(value), next_step="Reload the page.")
    return value


def read_other_systems(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Read the boxes of the systems beside the first, which a link may have brought."""
    others = read_list(request, "systems")
    if not all(isinstance(system, Mapping) for system in others):
        raise InputTypeError(
            where="systems", wanted="what is in the box of each", got=quote(others), next_step="Reload the page."
        )
    if len(others) >= MOST_SYSTEMS:
        raise ShapeError(
            where="systems", wanted=f"at most {MOST_SYSTEMS - 1} beside the first", got=str(len(others)),
            next_step="Remove some of them; the library takes any number.",
        )  # fmt: skip
    return others


def check_lines(lines: Sequence[str], size: int, where: str) -> None:
    """Refuse another system that has not a line for each segment."""
    if len(lines) != size:
        raise ShapeError(
            where=where, wanted=count_of(size, "line"), got=f"{len(lines):,}",
            next_step="All systems are scored against the same references.",
        )  # fmt: skip


def read_rows(rows: object, layout: Layout, where: str = "rows") -> StatsTable:
    """Read rows of whole numbers that the page was given and hands back."""
    if not isinstance(rows, list) or not _are_rows(rows, layout):
        raise InputTypeError(where=where, wanted="rows of counts", got=quote(rows), next_step="Count again.")
    return StatsTable(layout, chain.from_iterable(rows))


def _are_rows(rows: list[Any], layout: Layout) -> bool:
    """Whether each row can have been counted in one segment, none of its numbers being larger than a text can hold.

    There may be thousands of them in each of many calls, so they are looked at together.
    """
    if set(map(type, rows)) != {list} or set(map(len, rows)) != {layout.width}:
        return False
    numbers = list(chain.from_iterable(rows))
    if set(map(type, numbers)) != {int} or min(numbers) < 0:
        return False
    columns = dict(zip(layout.columns, zip(*rows, strict=True), strict=True))
    possible: bool = module_of(find_metric(layout.metric), "counting").may_be_segments(columns, HIGHEST_TEXT_COUNT)
    return possible


def are_counts(values: object, length: int) -> bool:
    """Whether a value is a list of so many whole numbers, each no larger than what one text can hold."""
    return isinstance(values, list) and _are_whole(values, length) and max(values) <= HIGHEST_TEXT_COUNT


def _are_whole(values: list[Any], length: int) -> bool:
    return len(values) == length and all(type(n) is int and n >= 0 for n in values)


def is_score(value: object) -> bool:
    """Whether a value is a number that may be a score."""
    return type(value) in (int, float) and 0 <= value <= HIGHEST_SCORE  # type: ignore[operator]


def read_documents(request: Mapping[str, Any], size: int) -> list[str] | None:
    """Read the names of the segments' documents, one for each segment, if there are any."""
    documents = request.get("documents")
    if documents is None:
        return None
    if not isinstance(documents, list) or len(documents) != size or not all(isinstance(one, str) for one in documents):
        raise InputTypeError(
            where="documents", wanted="a name for each segment", got=quote(documents), next_step="Start again."
        )
    return documents


def read_recipe(request: Mapping[str, Any]) -> Recipe:
    """Build the recipe: ``base`` (a dialect or a signature), changed on the axes that the form changed."""
    form = request.get("recipe", {})
    if not isinstance(form, Mapping):
        raise InputTypeError(where="recipe", wanted="base and changes", got=quote(form), next_step="Reload the page.")
    base = Recipe.of(form.get("base") or FIRST_RECIPE)
    axes = base.metric.axes
    fields = (*axes, "order") if "weights" in axes else tuple(axes)
    changes = {field: value for field, value in form.items() if field in fields and value not in (None, "")}
    for field, value in changes.items():
        if field in axes and axes[field].number and isinstance(value, str):
            changes[field] = _read_number(value, field)
    if isinstance(changes.get("weights"), str):
        changes["weights"] = [parse_number(part, _box("weights")) for part in changes["weights"].split(",")]
    if isinstance(changes.get("order"), str):
        changes["order"] = _read_number(changes["order"], "order")
    if "weights" in changes:
        changes.pop("order", None)
    if str(changes.get("tokenizer", "")).startswith(f"{SPM}:"):
        raise RecipeError(
            where=_box("tokenizer"),
            wanted="the name of a tokenizer",
            got="the path of a file",
            next_step="The page opens no files by their paths: put the model into the folder for models.",
        )
    return base.with_choices(changes)


def _box(axis: str) -> Location:
    return Location("recipe", option=axis)


def _read_number(text: str, axis: str) -> float:
    """Read a number; one that is whole becomes a whole number."""
    number = parse_number(text, _box(axis))
    return int(number) if number.is_integer() else number


def read_whole(value: object) -> object:
    """Read a whole number as it was typed; what is none stays as it is, and is refused by its own check."""
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else value


def describe_recipe(recipe: Recipe) -> dict[str, Any]:
    """Say what the form's options should show."""
    choices: dict[str, object] = {field: recipe.choice(field) for field in recipe.metric.axes}
    if "weights" in choices:
        choices["order"] = recipe.order
    return {
        "signature": str(recipe),
        "metric": recipe.metric.key,
        "dialects": list(recipe.names),
        "choices": choices,
    }


def show_recipe(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer with the recipe that the form states."""
    return describe_recipe(read_recipe(request))
