"""An example for every mode that takes a corpus: what a link would carry, so that the page shows it as it opens one."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib import resources

from bleuprint.recipes.options import DEFAULT
from bleuprint.render.html import render_part
from bleuprint.web.requests import Answer, Request, read_name

EXAMPLE_FILE = "examples.tsv"
"""Our own sentences: two references, and what three made-up systems write."""
REPORTED = "0.8592"
"""What chrF++ gives, on 0 to 1: neither the metric nor the scale is said."""


def show_example(request: Request) -> Answer:
    """Return the state of the form that shows a mode at work."""
    columns = _read_columns()
    systems = [{"name": name, "text": columns[name]} for name in ("south", "west")]
    states: Mapping[str, Answer] = {
        "corpus": _paste("north", "reference", "other reference"),
        "compare": _paste("north", "reference") | {"name": "north", "systems": systems, "more": ["chrf", "ter"]},
        "reconcile": _paste("south", "reference") | {"from": "nltk-method2", "to": "mteval-v13a"},
        "identify": _paste("south", "reference") | {"reported": REPORTED},
    }
    mode = read_name(request, "mode", states)
    return {"state": {"mode": mode, **states[mode]}}


def show_checks(request: Request) -> Answer:
    """Work every documented example out again, and show each number beside what it must be."""
    from bleuprint.lessons import worked_examples  # the page starts without lessons

    return {"html": render_part("selftest", checks=worked_examples.check_examples(), examples=worked_examples.EXAMPLES)}


def _paste(candidate: str, *references: str) -> Answer:
    names = ["candidate lines", "reference lines", *(f"reference lines {n}" for n in range(2, 1 + len(references)))]
    texts = [_read_columns()[name] for name in (candidate, *references)]
    files = [{"name": name, "text": text} for name, text in zip(names, texts, strict=True)]
    return {"files": files, "pasted": True, "recipe": {"base": DEFAULT}}


@cache  # so that a browser has it before the package's files are there
def _read_columns() -> dict[str, str]:
    """Read the example's columns by their names, as lines."""
    text = resources.files("bleuprint.web").joinpath(EXAMPLE_FILE).read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {name: "\n".join(texts) for name, texts in zip(header, zip(*rows, strict=True), strict=True)}
