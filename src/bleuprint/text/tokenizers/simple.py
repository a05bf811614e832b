"""The tokenizers that a few lines of Python define."""

from __future__ import annotations

import re
from collections.abc import Callable

END, PAD = "</s>", "<pad>"

tokenize_whitespace: Callable[[str], list[str]] = str.split


def tokenize_char(text: str) -> list[str]:
    """Return every character that is not white space as a token."""
    return list("".join(text.split()))


def tokenize_comment(text: str) -> list[str]:
    """Split a comment on code as CodeXGLUE does: runs of letters and digits, and every other character by itself.

    CodeXGLUE first separates words from punctuation and then splits as mteval does, which changes only underscores.
    """
    return re.findall(r"[^\W_]+|[^\w\s]|_", text)


def tokenize_fairseq(text: str) -> list[str]:
    """Split at white space as fairseq's scorer does, and strip its special tokens at both ends.

    fairseq ends every line with ``</s>``, so a text without words is this one token.
    """
    tokens = [*text.split(), END]
    start = 0
    while tokens[start] == PAD:
        start += 1
    end = len(tokens)
    while end > start + 1 and tokens[end - 1] in (END, PAD):
        end -= 1
    return tokens[start:end]
