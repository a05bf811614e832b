"""Tercom's preparation of texts, as in sacreBLEU: punctuation separated from words, or removed.

It has three switches, so it is not a tokenizer with a name. TER has an option for each of them.
"""

from __future__ import annotations

import re
from functools import cache

from bleuprint.text.tokenizers.mteval import ENTITIES, substitute, western

WESTERN_MARKS = '.,?:;!"()'
# Ideographic full stop and comma, brackets, quotation marks, the middle dots, and the half-width forms of these; then
# the full-width forms of the Western marks above.
ASIAN_MARKS = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
)
# Radicals, strokes, enclosed and compatibility forms, extension A, the unified ideographs. Kana stay together: the
# rules for them look for the start of the text, where a space was put before.
IDEOGRAPHS = "\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"


def prepare_text(text: str, *, normalized: bool, asian: bool, keep_punctuation: bool) -> str:
    """Prepare a text so that white space separates its words.

    >>> prepare_text("It's 3.5 (or so).", normalized=True, asian=False, keep_punctuation=True).split()
    ['It', "'s", '3.5', '(', 'or', 'so', ')', '.']
    >>> prepare_text("Yes, (or so).", normalized=False, asian=False, keep_punctuation=False)
    'Yes or so'
    """
    text = text.rstrip()
    if normalized and text:
        text = _normalize(text)
        if asian:
            text = _asian_marks().sub(r" \1 ", text)
    if not keep_punctuation:
        text = text.translate(dict.fromkeys(map(ord, WESTERN_MARKS)))
        if asian:
            text = _asian_punctuation().sub("", text)
    return text


def _normalize(text: str) -> str:
    text = text.replace("\n-", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    marks, *numbers = western()
    text = substitute(f" {text} ", (marks,)).replace("'s ", " 's ")
    return substitute(text, tuple(numbers))


@cache
def _asian_marks() -> re.Pattern[str]:
    return re.compile(f"([{IDEOGRAPHS}{ASIAN_MARKS}])")


@cache
def _asian_punctuation() -> re.Pattern[str]:
    return re.compile(f"[{ASIAN_MARKS}]")
