"""JSON: the data as it is, readable by people and by every other tool."""

from __future__ import annotations

import json


def render_json(data: object, *, indent: int | None = 2) -> str:
    """Write plain data as JSON; text stays text, and a number that JSON lacks is refused rather than invented."""
    return json.dumps(data, ensure_ascii=False, indent=indent, allow_nan=False)
