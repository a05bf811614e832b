"""Whole numbers, whoever made them: Python's, NumPy's and others that say what index they stand for."""

from __future__ import annotations

import operator


def as_whole_number(value: object) -> int | None:
    """Give a whole number as Python's int; None for anything else, ``True``, ``4.0`` and ``"4"`` included.

    >>> as_whole_number(4), as_whole_number(4.0), as_whole_number(True)
    (4, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
