"""An example for every mode that takes a corpus: what a link would carry, so that the page shows it as it opens one."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from bleuprint.errors import InputTypeError, name_list, quote
from bleuprint.recipes.options import DEFAULT

EXAMPLE_FILE = "examples.tsv"
"""Our own sentences: two references, and what three made-up systems write."""
REPORTED = "0.8592"
"""What chrF++ gives, on 0 to 1: neither the metric nor the scale is said."""


def show_example(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the state of the form that shows a mode at work."""
    mode = request.get("mode")
    columns = _read_columns()
    states: Mapping[str, dict[str, Any]] = {
        "corpus": _paste(columns, "north", "reference", "other reference"),
        "compare": _paste(columns, "north", "reference")
        | {
            "name": "north",
            "systems": [{"name": name, "text": columns[name]} for name in ("south", "west")],
            "more": ["chrf", "ter"],
        },
        "reconcile": _paste(columns, "south", "reference") | {"from": "nltk-method2", "to": "mteval-v13a"},
        "identify": _paste(columns, "south", "reference") | {"reported": REPORTED},
    }
    if not isinstance(mode, str) or mode not in states:
        raise InputTypeError(where="mode", wanted=name_list(states), got=quote(mode), next_step="Reload the page.")
    return {"state": {"mode": mode, **states[mode]}}


def _paste(columns: Mapping[str, str], candidate: str, *references: str) -> dict[str, Any]:
    texts = [columns[name] for name in (candidate, *references)]
    names = ["candidate lines", "reference lines", *(f"reference lines {n}" for n in range(2, len(texts)))]
    files = [{"name": name, "text": text} for name, text in zip(names, texts, strict=True)]
    return {"files": files, "pasted": True, "recipe": {"base": DEFAULT}}


@cache  # so that a browser has it before the package's files are there
def _read_columns() -> dict[str, str]:
    """Read the example's columns by their names, as lines."""
    text = resources.files("bleuprint.web").joinpath(EXAMPLE_FILE).read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {name: "\n".join(texts) for name, texts in zip(header, zip(*rows, strict=True), strict=True)}
