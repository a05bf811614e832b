"""Results as files to download."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bleuprint.errors import InputTypeError, name_list, quote

KINDS = {"json": "application/json", "csv": "text/csv", "markdown": "text/markdown"}


def make_file(request: Mapping[str, Any], name: str, writers: Mapping[str, Callable[[], str]]) -> dict[str, Any]:
    """Write the format that a request asks for."""
    wanted = request.get("format")
    if not isinstance(wanted, str) or wanted not in writers:
        raise InputTypeError(
            where="format", wanted=name_list(writers), got=quote(wanted), next_step="Choose one of these."
        )
    suffix = "md" if wanted == "markdown" else wanted
    return {"name": f"{name}.{suffix}", "type": KINDS[wanted], "text": writers[wanted]()}
