"""Names of systems where room is short: the middle of a long one is left out, and the whole one stays at hand."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

LONGEST = 22
"""A name of more characters than this is shortened."""
HEAD, TAIL = 11, 9
"""So many characters of it stay: names of one series differ at their ends."""
_CLINGING = {"Mn", "Mc", "Me", "Cf", "Sk"}
"""Kinds of characters that belong to the one before: accents, joiners, the colours of emoji."""
_JOINER = "\u200d"


def shorten_names(names: Iterable[str]) -> dict[str, str]:
    """Give the long ones among some names a short form; names whose short forms would be alike have none.

    >>> shorten_names(["small", "transformer-big-checkpoint-1000"])
    {'transformer-big-checkpoint-1000': 'transformer…oint-1000'}
    """
    short = {name: _shorten(name) for name in names if len(name) > LONGEST}
    seen = Counter(short.values())
    return {name: form for name, form in short.items() if seen[form] == 1}


def _shorten(name: str) -> str:
    stop, start = HEAD, len(name) - TAIL
    while stop > 1 and _clings(name, stop):
        stop -= 1
    while start < len(name) - 1 and _clings(name, start):
        start += 1
    return f"{name[:stop]}…{name[start:]}"


def _clings(name: str, place: int) -> bool:
    """Whether a character makes one sign with the one before it."""
    return unicodedata.category(name[place]) in _CLINGING or name[place - 1] == _JOINER
