"""Telling about downloads: apart from them, as most test sets are there already and nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[str, int, int | None], None]
"""Hears what is being fetched, how many bytes are there, and how many there will be, where that is known."""


def tell_nobody(_what: str, _done: int, _all: int | None) -> None:
    """Keep it to oneself."""
