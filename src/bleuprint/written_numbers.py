"""Numbers as people write them: ASCII digits, a sign, a point, an exponent.

Python reads more, such as ``1_0`` as 10 and digits of other scripts. In a file or an option these are mistakes.
"""

from __future__ import annotations


def is_plainly_written(text: str) -> bool:
    """Whether a text has no characters that only Python accepts in numbers."""
    return text.isascii() and "_" not in text


def read_float(text: str) -> float | None:
    """Read a number; None for anything else. ``nan`` and ``inf`` are read, and callers reject them.

    >>> read_float("-1.5e3"), read_float("1_0"), read_float("\uff11")
    (-1500.0, None, None)
    """
    try:
        return float(text) if is_plainly_written(text) else None
    except ValueError:
        return None
