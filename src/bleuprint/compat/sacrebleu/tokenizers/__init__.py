"""sacreBLEU's tokenizers, in modules and classes of the same names."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bleuprint.compat.sacrebleu.tokenizers import (
    tokenizer_13a,
    tokenizer_char,
    tokenizer_intl,
    tokenizer_none,
    tokenizer_zh,
)

CLASSES = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}
"""By the name that ``tokenize`` takes, the class and its module."""
_ENGINES = {
    kind: (kind.recipe_name, kind.__call__)
    for kind in (
        tokenizer_none.NoneTokenizer,
        tokenizer_zh.TokenizerZh,
        tokenizer_13a.Tokenizer13a,
        tokenizer_intl.TokenizerV14International,
        tokenizer_char.TokenizerChar,
    )
}


def find_class(name: str) -> Any:
    """Give a tokenizer's class; an unknown name is a KeyError, as in sacreBLEU."""
    module, _, kind = CLASSES[name].partition(".")
    return getattr(import_module(f"{__name__}.{module}"), kind)


def name_of_engine(tokenizer: object) -> str | None:
    """Name what the engine splits with as this tokenizer does; None where it is not one of these, unchanged."""
    kind: Any = type(tokenizer)
    name, method = _ENGINES.get(kind, (None, None))
    return name if kind.__call__ is method else None
