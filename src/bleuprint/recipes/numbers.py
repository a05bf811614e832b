"""Numbers in recipes: read from what people give, and printed so that they read back as they were."""

from __future__ import annotations

from bleuprint.errors import Location, RecipeError, quote
from bleuprint.written_numbers import read_float


def to_float(number: object) -> float | None:
    """Give a real number as a float; None for anything else, and for what is too large."""
    if isinstance(number, bool):
        return None
    if not isinstance(number, int | float):
        from numbers import Real  # which few calls need

        if not isinstance(number, Real):
            return None
    try:
        return float(number)
    except OverflowError:
        return None


def print_number(value: float) -> str:
    """Write a number so that it reads back as the same float, without a needless ``.0``."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def parse_number(text: str, where: str | Location) -> float:
    """Read a number, or say where the thing that is none was found."""
    number = read_float(text)
    if number is None:
        raise RecipeError(where=where, wanted="a number", got=quote(text), next_step="Write it like 0.1, with a point.")
    return number
