"""Read requests of the page: texts within their limits, recipes, and values that its scripts send.

An error about a text or a number that somebody typed explains what is wrong. Everything else in a request comes from
the page's own scripts. It is wrong only after a defect or in an edited link, so one error covers all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import BleuprintError, InputTypeError, Location, ShapeError, quote, unknown_name
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import pair_for
from bleuprint.text.formats import split_lines
from bleuprint.text.segments import Segments
from bleuprint.web.limits import (
    HIGHEST_COUNT,
    HIGHEST_SCORE,
    LONGEST_NUMBER,
    MOST_CHARACTERS,
    MOST_REFERENCES,
    MOST_SYSTEMS,
)
from bleuprint.wording import count_of

Request = Mapping[str, Any]
Answer = dict[str, Any]
Fits = Callable[[Any], bool]
FIRST_RECIPE = "paper"
MOST_BY_PYTHON, MOST_BY_KERNEL = 100, 500
"""Segments that are counted in one call, so that it can be watched and cancelled: by Python, and by the kernel."""

# Values that scripts made


def read(request: Request, name: str, fits: Fits, default: object = None) -> Any:
    """Return a value that a script sends, or raise an error if it does not fit."""
    value = request.get(name, default)
    if not fits(value):
        raise unexpected(name, value)
    return value


def unexpected(name: str, value: object) -> BleuprintError:
    """Return the error about a value that no script sends."""
    return InputTypeError(f"got an unexpected value, {quote(value)}.", "Reload the page.", location=Location(name))


def read_name(request: Request, name: str, names: Collection[str], default: object = None) -> str:
    """Return one of some names."""
    value = request.get(name, default)
    if not isinstance(value, str) or value not in names:
        raise unknown_name(name, value, names, location=Location(name), error=InputTypeError)
    return value


def is_text(value: object) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def is_whole(least: int = 0, most: int = HIGHEST_COUNT) -> Fits:
    """Return a check for whole numbers in a range."""
    return lambda value: type(value) is int and least <= value <= most


def is_list(fits: Fits = lambda _: True, size: int | None = None) -> Fits:
    """Return a check for lists of values that pass a check, of a size or of any."""
    return lambda value: isinstance(value, list) and size in (None, len(value)) and all(map(fits, value))


def is_optional(fits: Fits) -> Fits:
    """Return a check for values that pass a check, or are missing."""
    return lambda value: value is None or fits(value)


def is_score(value: object) -> bool:
    """Return whether a value is a number that may be a score."""
    return type(value) in (int, float) and 0 <= value <= HIGHEST_SCORE  # type: ignore[operator]


def read_documents(request: Request, size: int) -> list[str] | None:
    """Return the names of the segments' documents, one for each segment, if there are any."""
    names: list[str] | None = read(request, "documents", is_optional(is_list(is_text, size)))
    return names


def read_table(rows: Any, layout: Layout, name: str, size: int | None = None) -> StatsTable:
    """Return rows of counts, which an earlier answer gave to the page.

    Each of many calls may have thousands of rows, so all numbers are checked together.
    """
    if not is_list(is_list(size=layout.width), size)(rows) or not rows:
        raise unexpected(name, rows)
    numbers = list(chain.from_iterable(rows))
    if set(map(type, numbers)) != {int} or min(numbers) < 0 or max(numbers) > HIGHEST_COUNT:
        raise unexpected(name, rows)
    return StatsTable(layout, numbers)


# Texts


class Boxes(NamedTuple):
    """The texts of one segment. A blank box is no reference and is left out."""

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
    """Return whether a box is empty or has only white space."""
    return not text.strip()


def refuse_blank(name: str) -> BleuprintError:
    """Return the error about a blank box that needs a text."""
    return ShapeError("expected a text, got blanks alone.", "Type or paste one.", where=name)


def read_text(value: object, location: Location) -> str:
    """Return the text of a box. Several lines are one segment, so line breaks become spaces."""
    if not isinstance(value, str):
        raise unexpected(str(location), value)
    if len(value) > MOST_CHARACTERS:
        raise ShapeError(
            f"expected at most {MOST_CHARACTERS:,} characters, got {len(value):,}.",
            "Nothing was cut. Shorten the text, or use corpus mode for many segments.",
            location=location,
        )
    return " ".join(value.splitlines())


def read_segment(request: Request) -> Boxes:
    """Return candidate and references. At least one reference must not be blank."""
    given = read(request, "references", is_list())
    if not 1 <= len(given) <= MOST_REFERENCES:
        raise ShapeError(
            f"expected 1 to {MOST_REFERENCES} references, got {len(given)}.",
            "Add or remove a reference.",
            location=Location("references"),
        )
    texts = {n: read_text(text, Location("references", reference=n - 1)) for n, text in enumerate(given, start=1)}
    candidate = read_text(request.get("candidate"), Location("candidate"))
    numbered = {number: text for number, text in texts.items() if not is_blank(text)}
    if not numbered:
        message = "Every reference is blank, so there is nothing to score."
        raise ShapeError(message, "Type or paste one.", location=Location("references"))
    return Boxes(candidate, numbered, [number for number in texts if number not in numbered])


def read_segments(request: Request, recipes: Sequence[Recipe]) -> Segments:
    """Return the segments that the page sends: pairs of a candidate and its references."""
    pairs = read(request, "segments", is_list(is_list(size=2)))
    candidates, references = zip(*pairs, strict=True) if pairs else ((), ())
    return pair_for(candidates, references, recipes)


def read_other_systems(request: Request) -> list[Request]:
    """Return the boxes of the systems after the first."""
    others: list[Request] = read(request, "systems", is_list(lambda system: isinstance(system, Mapping)), [])
    if len(others) >= MOST_SYSTEMS:
        raise ShapeError(
            f"expected at most {MOST_SYSTEMS - 1} after the first, got {len(others)}.",
            "Remove some of them. The library accepts any number.",
            location=Location("systems"),
        )
    return others


def read_lines(text: object, name: str, size: int) -> list[str]:
    """Return the candidates of another system: a line for each segment."""
    if not isinstance(text, str):
        raise unexpected(name, text)
    if is_blank(text):
        raise refuse_blank(name)
    lines = split_lines(text)
    check_size(lines, size, name)
    return lines


def check_size(lines: Sequence[str], size: int, name: str) -> None:
    """Raise an error if another system does not have a line for each segment."""
    if len(lines) != size:
        raise ShapeError(
            f"expected {count_of(size, 'line')}, got {len(lines):,}.",
            "All systems are scored against the same references.",
            where=name,
        )


def choose_chunk() -> int:
    """Return how many segments to count in one call, which takes a fraction of a second."""
    return MOST_BY_PYTHON if find_kernel() is None else MOST_BY_KERNEL


# Recipes and numbers


def read_recipe(request: Request) -> Recipe:
    """Return the recipe of the form: ``base`` (a name or a signature) with the options that differ from it."""
    form = read(request, "recipe", lambda value: isinstance(value, Mapping), {})
    base = Recipe.of(form.get("base") or FIRST_RECIPE)
    axes = base.metric.axes
    fields = (*axes, "order") if "weights" in axes else tuple(axes)
    changes = {field: form[field] for field in fields if form.get(field) not in (None, "")}
    if "weights" in changes:
        changes.pop("order", None)
    for field, value in changes.items():
        if isinstance(value, str):
            changes[field] = axes[field].read(value) if field in axes else read_whole(value)
    return base.with_choices(changes)


def read_whole(value: object) -> object:
    """Return a whole number as it was typed. Anything else stays as it is, for the check of its caller."""
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else value


# Answers


def describe_recipe(recipe: Recipe) -> Answer:
    """Return the signature of a recipe and the values of its options, for the form."""
    choices: dict[str, object] = {field: recipe.choice(field) for field in recipe.metric.axes}
    if "weights" in choices:
        choices["order"] = recipe.order
    return {
        "signature": str(recipe),
        "metric": recipe.metric.key,
        "dialects": list(recipe.names),
        "choices": choices,
    }


def show_recipe(request: Request) -> Answer:
    """Return the recipe that the form states."""
    return describe_recipe(read_recipe(request))
