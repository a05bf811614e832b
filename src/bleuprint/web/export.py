"""Results as files to download."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bleuprint.findings.identification.results import Identification
from bleuprint.findings.reconciliation.results import DialectsByMetric, Reconciliation
from bleuprint.render import markdown
from bleuprint.render.html import render_document
from bleuprint.render.json import render_json
from bleuprint.web.requests import Answer, Request, read_name

MEDIA_TYPES = {"json": "application/json", "csv": "text/csv", "markdown": "text/markdown", "html": "text/html"}


def make_file(request: Request, name: str, writers: Mapping[str, Callable[[], str]]) -> Answer:
    """Write the format that a request chooses."""
    form = read_name(request, "format", writers)
    suffix = "md" if form == "markdown" else form
    return {"name": f"{name}.{suffix}", "type": MEDIA_TYPES[form], "text": writers[form]()}


def write_result(request: Request, name: str, result: Reconciliation | DialectsByMetric | Identification) -> Answer:
    """Write a result as the command line does."""
    writers = {
        "json": lambda: render_json(result.to_dict()),
        "markdown": lambda: markdown.render(result),
        "html": lambda: render_document(result),
    }
    return make_file(request, name, writers)
