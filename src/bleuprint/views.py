"""How results show themselves: text for ``print``, HTML for notebooks.

Results come before the renderers in the data flow. So renderers are looked up by name when a result is shown.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_RENDERERS = {
    "text": ("render", "render_text"),
    "html": ("render.html.notebook", "render_notebook"),
    "summary": ("render.html.report", "render_summary"),
    "report": ("render.html.report", "render_report"),
}


def show(view: str, result: object) -> str:
    """Render a result."""
    module, function = _RENDERERS[view]
    text: str = getattr(import_module(f"bleuprint.{module}"), function)(result)
    return text


class Result:
    """A result that prints, shows in notebooks, and equals results with the same ``_values``."""

    __slots__ = ()

    @property
    def _values(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("html", self)
