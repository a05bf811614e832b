"""Numbers as people write them: ASCII digits, a sign, a point, an exponent.

Python reads more: ``1_0`` is 10 to it, and so are digits of other scripts. In a file or an option these are slips.
"""

from __future__ import annotations


def is_plainly_written(text: str) -> bool:
    """Whether a text has nothing in it that only Python takes for a part of a number."""
    return text.isascii() and "_" not in text


def read_float(text: str) -> float | None:
    """Read a number, or None; ``nan`` and ``inf`` are read, for the caller to refuse as what they are.

    >>> read_float("-1.5e3"), read_float("1_0"), read_float("\uff11")
    (-1500.0, None, None)
    """
    try:
        return float(text) if is_plainly_written(text) else None
    except ValueError:
        return None
