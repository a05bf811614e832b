"""Tokens: the functions behind the names in ``registry.py``, and case."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from bleuprint.errors import InputTypeError, quote
from bleuprint.text.segments import Text, is_token
from bleuprint.text.tokenizers.casing import apply_case
from bleuprint.text.tokenizers.chinese import tokenize_zh, tokenize_zh_corrected
from bleuprint.text.tokenizers.code import tokenize_comment
from bleuprint.text.tokenizers.fairseq import tokenize_fairseq
from bleuprint.text.tokenizers.mteval import tokenize_13a, tokenize_intl
from bleuprint.text.tokenizers.optional import find_optional, is_optional
from bleuprint.text.tokenizers.registry import PRETOKENIZED, TokenizerFunction, find_tokenizer

Tokens = Sequence[Hashable]


def tokenize_char(text: str) -> list[str]:
    """Take every character that is not white space as a token."""
    return list("".join(text.split()))


FUNCTIONS: dict[str, TokenizerFunction] = {
    "whitespace": str.split,
    "13a": tokenize_13a,
    "intl": tokenize_intl,
    "zh": tokenize_zh,
    "zh-corrected": tokenize_zh_corrected,
    "char": tokenize_char,
    "codexglue": tokenize_comment,
    "fairseq": tokenize_fairseq,
}


def tokenize(text: Text, tokenizer: str | TokenizerFunction, case: str) -> Tokens:
    """Turn a text into tokens, by the tokenizer and the case of a recipe."""
    if tokenizer == PRETOKENIZED:
        return _lower_tokens(text, case)
    if not isinstance(text, str):
        raise TypeError(f"a text is due here, not {quote(text)}")  # segments.py lets nothing else through
    if not isinstance(tokenizer, str):
        return _call_own(tokenizer, apply_case(text, case))
    function = FUNCTIONS.get(tokenizer) or find_optional(tokenizer)
    if function is None:
        return _call_own(find_tokenizer(tokenizer).function, apply_case(text, case))
    return function(apply_case(text, case))


def read_ahead(texts: Iterable[Text], tokenizer: str | TokenizerFunction, case: str) -> None:
    """Tell a tokenizer that takes long for one text, and not much longer for all, which texts will come."""
    if not isinstance(tokenizer, str) or not is_optional(tokenizer):
        return
    ahead = getattr(find_optional(tokenizer), "read_ahead", None)
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
