"""Errors on the page: arguments of the library become its boxes, and segments are counted from 1."""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.errors import BleuprintError, Location
from bleuprint.recipes.registry import list_metrics
from bleuprint.text.formats.sources import name_element

BOXES: Mapping[str, str] = {
    "order": "N",
    "tokenizer": "Tokenizer",
    "weights": "Weights",
    "smoothing": "Smoothing",
    "case": "Case",
    "reference_length": "Reference length",
    "segment_totals": "N-grams of a segment shorter than n",
    "absent_order": "Order without any n-grams",
    "unmatched_order": "Order without a match, unsmoothed",
    "nothing_matches": "The score is 0 before smoothing",
    "brevity": "Penalty for brevity",
    "across_orders": "Orders up to N",
}
"""Labels of the boxes that state a recipe, if they are not the titles of their options."""
ENDINGS = {"plain": "txt", "sgml": "sgm"}
"""Endings of files by their format, if they differ: the page reads the format from the name."""


def translate_for_page(error: BleuprintError) -> BleuprintError:
    """Return an error that names boxes."""
    return error.translated(_locate, _rename)


def _locate(location: Location) -> str:
    return name_box(location.option) if location.option else name_element(location)


def _rename(argument: str, value: str) -> str:
    if argument == "form" and value:
        return f"a .{ENDINGS.get(value, value)} file"
    label = name_box(argument)
    return f"{label}: {value}" if value else label


def name_box(field: str) -> str:
    """Return the label of the box of an option, or an argument without underscores."""
    if field in BOXES:
        return BOXES[field]
    titles = [metric.axes[field].title for metric in list_metrics() if field in metric.axes]
    return titles[0][:1].upper() + titles[0][1:] if titles else field.replace("_", " ")
