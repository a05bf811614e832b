"""Tokens for display and for JSON: tokens of a pretokenized text may be any hashable values."""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Iterable

from bleuprint.text.segments import Text

PlainToken = str | int | float | bool | None


def token_data(token: Hashable) -> PlainToken:
    """Return a token as a value of JSON, or else its repr.

    >>> token_data("cat"), token_data(3), token_data(b"cat"), token_data(("cat", 1)), token_data(float("inf"))
    ('cat', 3, "b'cat'", "('cat', 1)", 'inf')
    """
    if type(token).__module__ == "numpy" and callable(item := getattr(token, "item", None)):
        token = item()
    if isinstance(token, int) and not isinstance(token, bool) and _is_too_long(token):
        return hex(token)
    if isinstance(token, float) and not math.isfinite(token):
        return repr(token)
    return token if isinstance(token, (str, int, float, bool, type(None))) else repr(token)


def text_data(text: Text) -> str | list[PlainToken]:
    """Return a string as it is, and other texts as a list of tokens for JSON."""
    return text if isinstance(text, str) else [token_data(token) for token in text]


def token_words(token: Hashable) -> str:
    """Return a token as a string."""
    return token if isinstance(token, str) else str(token_data(token))


def join_tokens(tokens: Iterable[Hashable]) -> str:
    """Join tokens with spaces."""
    return " ".join(map(token_words, tokens))


def text_words(text: Text) -> str:
    """Return a text as a string, with spaces between tokens."""
    return text if isinstance(text, str) else join_tokens(text)


def _is_too_long(number: int) -> bool:
    """Whether Python refuses to print a number in decimal digits."""
    limit = sys.get_int_max_str_digits()
    return bool(limit) and number.bit_length() > 3 * limit
