"""The check of ``bleuprint selftest``, where the page computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bleuprint.lessons.worked_examples import EXAMPLES, check_examples
from bleuprint.render.html import render_part


def show_checks(request: Mapping[str, Any]) -> dict[str, Any]:
    """Work every documented example out again, and show each number beside what it must be."""
    return {"html": render_part("selftest", checks=check_examples(), examples=EXAMPLES)}
