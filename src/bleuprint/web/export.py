"""Results as files to download."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from bleuprint.findings.identification.results import Identification
from bleuprint.findings.reconciliation.results import DialectsByMetric, Reconciliation
from bleuprint.render import render
from bleuprint.web.requests import Answer, Request, read_name

MEDIA_TYPES = {"json": "application/json", "csv": "text/csv", "markdown": "text/markdown", "html": "text/html"}


def make_file(request: Request, name: str, writers: Mapping[str, Callable[[], str]]) -> Answer:
    """Write the format that a request chooses."""
    form = read_name(request, "format", writers)
    suffix = "md" if form == "markdown" else form
    return {"name": f"{name}.{suffix}", "type": MEDIA_TYPES[form], "text": writers[form]()}


def write_result(request: Request, name: str, result: Reconciliation | DialectsByMetric | Identification) -> Answer:
    """Write a result as the command line does."""
    return make_file(request, name, {form: partial(render, result, form) for form in ("json", "markdown", "html")})
