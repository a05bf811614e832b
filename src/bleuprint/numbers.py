"""Numbers from callers and files.

Whole numbers from callers are ``int``, NumPy's integers and other types with ``__index__``. Written numbers have ASCII
digits, a sign, a point and an exponent. Python reads more, such as ``1_0`` as 10 and digits of other scripts, but in a
file or an option these are mistakes.
"""

from __future__ import annotations

import operator

from bleuprint.errors import BleuprintError, Location, quote

MOST_WORD = 2**64 - 1


def as_whole_number(value: object) -> int | None:
    """Return a whole number as Python's int; None for anything else, including ``True``, ``4.0`` and ``"4"``.

    >>> as_whole_number(4), as_whole_number(4.0), as_whole_number(True)
    (4, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def check_whole_number(name: str, value: object, lowest: int, highest: int | None, fix: str) -> int:
    """Return the whole number of an argument as Python's int; raise an error if it is none or out of range."""
    number = as_whole_number(value)
    if number is None or number < lowest or (highest is not None and number > highest):
        limit = "on" if highest is None else f"to {'2^64 - 1' if highest == MOST_WORD else f'{highest:,}'}"
        message = f"expected a whole number from {lowest} {limit}, got {quote(value)}."
        raise BleuprintError(message, fix, location=Location(name))
    return number


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
