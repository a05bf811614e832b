"""Plain texts: strings of which every engine reads every character."""

from __future__ import annotations

from typing import Any

from bleuprint.native_kernel import find_kernel


def are_plain(texts: list[Any]) -> bool:
    """Whether all of them are strings, no subclass of them, and of a kind that the engine can read.

    >>> are_plain(["a", "é"]), are_plain(["a", 5])
    (True, False)
    """
    kernel = find_kernel()
    if kernel is None:
        return all(type(text) is str for text in texts)
    plain: bool = kernel.are_plain_texts(texts)
    return plain
