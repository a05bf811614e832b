"""How numbers and lists are written in notes, errors and results."""

from __future__ import annotations

import math
from collections.abc import Iterable

SUMMARY = "BLEU, chrF and TER: the exact number, at once, with the reason behind it."
"""A description of bleuprint in one sentence."""
NLTK_STOPS = "NLTK stops"
"""Printed instead of a number if NLTK raises an error."""


def count_of(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: ``1 segment``, ``3 segments``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Join words as in a sentence: ``a, b and c``."""
    *front, final = words
    return f"{', '.join(front)} {last} {final}" if front else final


def name_orders(orders: Iterable[int], last: str = "or", plural: bool = True) -> str:
    """Name n-gram orders: ``3-grams or 4-grams``."""
    return join_words([f"{order}-gram{'s' if plural else ''}" for order in orders], last)


MOST_DECIMALS = 12
LEAST_IN_DECIMALS = 1e-4
"""Python writes smaller numbers as powers of ten as well."""


def write_decimals(number: float, digits: int) -> str:
    """Write a number with a number of decimals. If these are very many, write small numbers as powers of ten.

    >>> write_decimals(0.25, 4), write_decimals(2.5e-300, 303), write_decimals(0.0, 303)
    ('0.2500', '2.500e-300', '0')
    """
    if digits <= MOST_DECIMALS or abs(number) >= LEAST_IN_DECIMALS:
        return f"{number:.{digits}f}"
    return f"{number:.{max(0, digits + math.floor(math.log10(abs(number))))}e}" if number else "0"


def format_score(score: float, digits: int = 2) -> str:
    """Print a score with a number of decimals. A positive score is never printed as 0.00."""
    return f"{score:.3g}" if 0 < score < 0.5 * 10.0**-digits else write_decimals(score, digits)


def format_fraction(fraction: float) -> str:
    """Print a fraction of 0 to 1 with four decimals. A positive fraction is never printed as 0.0000."""
    return f"{fraction:.3g}" if 0 < fraction < 0.00005 else f"{fraction:.4f}"


def format_difference(number: float, digits: int = 2) -> str:
    """Write a number with a real minus sign if it is negative and does not round to 0."""
    text = write_decimals(abs(number), digits)
    return f"\u2212{text}" if number < 0 and float(text) else text


def format_p(p: float) -> str:
    """Write a p-value with four decimals, or as a power of ten if it is smaller.

    >>> format_p(1.0), format_p(0.04321), format_p(0.00001)
    ('1.0000', '0.0432', '1.0e-05')
    """
    return f"{p:.4f}" if p >= 0.00005 else f"{p:.1e}"


_CONTROLS = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}
_CONTROLS |= dict.fromkeys([*range(0x80, 0xA0), 0x2028, 0x2029], 0xFFFD)


def visible(value: object) -> str:
    """Make control characters visible, so that no text can control the terminal."""
    return str(value).translate(_CONTROLS)


_LAYOUT = (0x09, 0x0A)
"""Tabs and line feeds, which are part of the layout of a text."""
_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Embeddings, overrides and isolates, which change the order in which a text is shown."""
_ON_TERMINALS = {code: mark for code, mark in _CONTROLS.items() if code not in _LAYOUT} | dict.fromkeys(_BIDI, 0xFFFD)


def safe_for_terminal(text: str) -> str:
    """Make every control character visible, except tabs and line feeds."""
    return text.translate(_ON_TERMINALS)
