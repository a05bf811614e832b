"""Tokens: the functions behind the names in ``registry.py``, and case.

A function is loaded when a text is first split by it: the kernel needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from importlib import import_module

from bleuprint.errors import InputTypeError, quote
from bleuprint.text.segments import Text, is_token
from bleuprint.text.tokenizers.registry import PRETOKENIZED, TokenizerFunction, find_tokenizer

Tokens = Sequence[Hashable]


def apply_case(text: str, case: str) -> str:
    """Lower a text as the recipe says; ``mixed`` leaves it alone."""
    if case == "lower":
        return text.lower()
    if case == "lower-ascii":  # bytes know no other letters, and are lowered many times faster than by str.translate
        return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    return text


def tokenize_char(text: str) -> list[str]:
    """Take every character that is not white space as a token."""
    return list("".join(text.split()))


def _from(module: str, function: str) -> Callable[[], TokenizerFunction]:
    def load() -> TokenizerFunction:
        found: TokenizerFunction = getattr(import_module(f"bleuprint.text.tokenizers.{module}"), function)
        return found

    return load


FUNCTIONS: dict[str, Callable[[], TokenizerFunction]] = {
    "whitespace": lambda: str.split,
    "13a": _from("mteval", "tokenize_13a"),
    "intl": _from("mteval", "tokenize_intl"),
    "zh": _from("chinese", "tokenize_zh"),
    "zh-corrected": _from("chinese", "tokenize_zh_corrected"),
    "char": lambda: tokenize_char,
    "codexglue": _from("code", "tokenize_comment"),
    "fairseq": _from("fairseq", "tokenize_fairseq"),
}
"""What loads the function of each tokenizer that is Python alone."""


@cache
def _load(name: str) -> TokenizerFunction:
    return FUNCTIONS[name]()


def _find_function(name: str) -> TokenizerFunction | None:
    """Give the function of a tokenizer of the package, or None where a user has registered it."""
    if name in FUNCTIONS:
        return _load(name)
    from bleuprint.text.tokenizers.optional import find_optional

    return find_optional(name)


def tokenize(text: Text, tokenizer: str | TokenizerFunction, case: str) -> Tokens:
    """Turn a text into tokens, by the tokenizer and the case of a recipe."""
    if tokenizer == PRETOKENIZED:
        return _lower_tokens(text, case)
    if not isinstance(text, str):
        raise TypeError(f"a text is due here, not {quote(text)}")  # segments.py lets nothing else through
    if not isinstance(tokenizer, str):
        return _call_own(tokenizer, apply_case(text, case))
    function = _find_function(tokenizer)
    if function is None:
        return _call_own(find_tokenizer(tokenizer).function, apply_case(text, case))
    return function(apply_case(text, case))


def read_ahead(texts: Iterable[Text], tokenizer: str | TokenizerFunction, case: str) -> None:
    """Tell a tokenizer that takes long for one text, and not much longer for all, which texts will come."""
    if not isinstance(tokenizer, str) or tokenizer in FUNCTIONS or tokenizer == PRETOKENIZED:
        return
    ahead = getattr(_find_function(tokenizer), "read_ahead", None)
    if ahead:
        ahead(apply_case(text, case) for text in texts if isinstance(text, str))


def _lower_tokens(tokens: Text, case: str) -> Tokens:
    # segments.py lets only strings through where case is lowered
    return tokens if case == "mixed" else [apply_case(str(token), case) for token in tokens]


def _call_own(function: TokenizerFunction | None, text: str) -> Tokens:
    """Call a user's tokenizer and check what it returns: a joined string would be read as characters."""
    tokens = function(text) if function else None
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Sequence) or not all(map(is_token, tokens)):
        raise InputTypeError(
            where=f"tokenizer {getattr(function, '__qualname__', function)}",
            wanted="a list of tokens that can be compared and hashed",
            got=f"{type(tokens).__name__} {quote(tokens)}",
            next_step="Let the function return the tokens themselves, for example text.split().",
        )
    return tokens
