"""Tokens: the functions behind the names in ``registry.py``, and case.

A function is imported when a text is first split by it, because the kernel needs none of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from importlib import import_module

from bleuprint.errors import InputTypeError, quote
from bleuprint.text.segments import Text, is_token
from bleuprint.text.tokenizers.registry import PRETOKENIZED, TokenizerFunction, find_tokenizer

Tokens = Sequence[Hashable]
FUNCTIONS = {
    "whitespace": ("simple", "tokenize_whitespace"),
    "13a": ("mteval", "tokenize_13a"),
    "intl": ("mteval", "tokenize_intl"),
    "zh": ("chinese", "tokenize_zh"),
    "zh-corrected": ("chinese", "tokenize_zh_corrected"),
    "char": ("simple", "tokenize_char"),
    "codexglue": ("simple", "tokenize_comment"),
    "fairseq": ("simple", "tokenize_fairseq"),
}
"""The module and the name of each function that needs only Python."""


def apply_case(text: str, case: str) -> str:
    """Lower a text as the recipe says; ``mixed`` leaves it alone."""
    if case == "lower":
        return text.lower()
    if case == "lower-ascii":  # bytes.lower lowers only ASCII, and is many times faster than str.translate
        return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    return text


@cache
def _import_function(name: str) -> TokenizerFunction:
    module, function = FUNCTIONS[name]
    found: TokenizerFunction = getattr(import_module(f"{__name__}.{module}"), function)
    return found


def _find_function(name: str) -> TokenizerFunction | None:
    """Return the function of a built-in tokenizer, None for a registered one."""
    if name in FUNCTIONS:
        return _import_function(name)
    from bleuprint.text.tokenizers.optional import find_optional

    return find_optional(name)


def tokenize(text: Text, tokenizer: str | TokenizerFunction, case: str) -> Tokens:
    """Split a text into tokens, with the tokenizer and the case of a recipe."""
    if tokenizer == PRETOKENIZED:  # segments.py has checked that tokens are strings if they are lowered
        return text if case == "mixed" else [apply_case(str(token), case) for token in text]
    if not isinstance(text, str):
        raise TypeError(f"expected a string, got {quote(text)}")  # segments.py lets nothing else through
    if not isinstance(tokenizer, str):
        return _call_custom(tokenizer, apply_case(text, case))
    function = _find_function(tokenizer)
    if function is None:
        return _call_custom(find_tokenizer(tokenizer).function, apply_case(text, case))
    return function(apply_case(text, case))


def read_ahead(texts: Iterable[Text], tokenizer: str | TokenizerFunction, case: str) -> None:
    """Let a tokenizer that starts another program split many texts in one batch."""
    if not isinstance(tokenizer, str) or tokenizer in FUNCTIONS or tokenizer == PRETOKENIZED:
        return
    ahead = getattr(_find_function(tokenizer), "read_ahead", None)
    if ahead:
        ahead(apply_case(text, case) for text in texts if isinstance(text, str))


def _call_custom(function: TokenizerFunction | None, text: str) -> Tokens:
    """Call a custom tokenizer and check what it returns: a string would be read as characters."""
    tokens = function(text) if function else None
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Sequence) or not all(map(is_token, tokens)):
        raise InputTypeError(
            f"expected a list of tokens that can be compared and hashed, got {quote(tokens)}.",
            "Let the function return the tokens themselves, for example text.split().",
            where=f"tokenizer {getattr(function, '__qualname__', function)}",
        )
    return tokens
