"""Where results find their views: text for ``print``, HTML for notebooks.

A result must not know the renderers to its right. The front door registers them here; results ask by name.
"""

from __future__ import annotations

from collections.abc import Callable

_views: dict[str, Callable[[object], str]] = {}


def register_view(name: str, view: Callable[[object], str]) -> None:
    """Provide a view; it is called with the result to be shown."""
    _views[name] = view


def show(name: str, result: object) -> str:
    """Show a result through a registered view."""
    return _views[name](result)
