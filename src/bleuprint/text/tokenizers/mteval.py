"""The tokenizers of the mteval scripts, as sacreBLEU carries them on: 13a and intl.

Both are chains of substitutions that put spaces round punctuation; each substitution goes over the whole text from
left to right before the next one starts, which decides the outcome where marks touch.
"""

from __future__ import annotations

import re
from functools import cache

Substitutions = tuple[tuple[re.Pattern[str], str], ...]

ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def substitute(text: str, substitutions: Substitutions) -> str:
    """Apply substitutions one after the other."""
    for pattern, replacement in substitutions:
        text = pattern.sub(replacement, text)
    return text


def tokenize_13a(text: str) -> list[str]:
    """Split as mteval-v13a does: entities resolved, marks apart, numbers such as 3.5 and 12,400 whole."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return substitute(f" {text} ", western()).split()


def tokenize_intl(text: str) -> list[str]:
    """Split as mteval-v14 does internationally: Unicode punctuation apart, unless between digits, and all symbols.

    The text is not padded, so "2023." keeps its full stop at the very end, as in the script.
    """
    return substitute(text.rstrip(), _international()).split()


@cache
def western() -> Substitutions:
    """Compile the substitutions of 13a."""
    return (
        # every ASCII mark except . , - ' and the space is a token
        (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
        # a full stop or comma is a token unless a digit stands before it
        (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
        # and unless a digit follows
        (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
        # a hyphen after a digit is a token
        (re.compile(r"([0-9])(-)"), r"\1 \2 "),
    )


@cache
def _international() -> Substitutions:
    from bleuprint.text.tokenizers.unicode_classes import NUMBER, PUNCTUATION, SYMBOL

    return (
        (re.compile(f"([^{NUMBER}])([{PUNCTUATION}])"), r"\1 \2 "),
        (re.compile(f"([{PUNCTUATION}])([^{NUMBER}])"), r" \1 \2"),
        (re.compile(f"([{SYMBOL}])"), r" \1 "),
    )
