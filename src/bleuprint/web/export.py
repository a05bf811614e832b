"""Results as files to download."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bleuprint.errors import InputTypeError, name_list, nearest, quote
from bleuprint.findings.identification.results import Identification
from bleuprint.findings.reconciliation.results import DialectsByMetric, Reconciliation
from bleuprint.render import markdown
from bleuprint.render.html import render_document
from bleuprint.render.json import render_json

MEDIA_TYPES = {"json": "application/json", "csv": "text/csv", "markdown": "text/markdown", "html": "text/html"}


def make_file(request: Mapping[str, Any], name: str, writers: Mapping[str, Callable[[], str]]) -> dict[str, Any]:
    """Write the format that a request asks for."""
    wanted = request.get("format")
    if not isinstance(wanted, str) or wanted not in writers:
        raise InputTypeError(
            where="format",
            wanted=name_list(writers),
            got=quote(wanted),
            suggestion=nearest(wanted, writers),
            next_step="Choose one of these.",
        )
    suffix = "md" if wanted == "markdown" else wanted
    return {"name": f"{name}.{suffix}", "type": MEDIA_TYPES[wanted], "text": writers[wanted]()}


def write_result(
    request: Mapping[str, Any], name: str, result: Reconciliation | DialectsByMetric | Identification
) -> dict[str, Any]:
    """Write a result as the command line does."""
    writers = {
        "json": lambda: render_json(result.to_dict()),
        "markdown": lambda: markdown.render(result),
        "html": lambda: render_document(result),
    }
    return make_file(request, name, writers)
