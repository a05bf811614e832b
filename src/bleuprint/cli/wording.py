"""Errors for people at the command line: arguments are flags, and segments and references are counted from 1."""

from __future__ import annotations

from bleuprint.errors import BleuprintError, Location
from bleuprint.recipes.registry import list_metrics
from bleuprint.text.formats.sources import name_element

FLAGS = {
    "form": "--input",
    "translators": "--translator",
    "recipes": "--recipe",
    "reference_columns": "--reference-column",
    "systems": "--system",
}
FLAGS |= {
    name: f"--{name.replace('_', '-')}"
    for name in (
        "columns", "no_header", "documents", "system", "candidate_column", "document_column", "on_error", "threads",
        "labels", "scores", "lower_is_better", "baseline", "by", "test", "resamples", "confidence", "seed", "level",
        "examples", "recipe", "metric",
    )
}  # fmt: skip
"""The flags of arguments, by their names in Python."""


def translate(error: BleuprintError) -> BleuprintError:
    """Return the same error with flags in the place of arguments."""
    return error.translated(locate, rename)


def locate(location: Location) -> str:
    """Return the flag of a location, or the segment counted from 1."""
    if location.option:
        return f"--{location.option.replace('_', '-')}"
    flag = FLAGS.get(location.argument)
    return flag if flag and location.position is None else name_element(location)


def rename(name: str, value: str) -> str:
    """Return the flag of an argument, with its value if there is one."""
    is_recipe_option = any(name in metric.axes for metric in list_metrics())
    flag = f"--{name.replace('_', '-')}" if is_recipe_option else (FLAGS | {"references": "--translator"}).get(name)
    if flag is None:
        return f"{name} {value}" if value else name
    return flag if value in ("", "True") else f"{flag} {value}"
