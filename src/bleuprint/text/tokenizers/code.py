"""The tokenizer of CodeXGLUE for comments on code."""

from __future__ import annotations

import re


def tokenize_comment(text: str) -> list[str]:
    """Take letters and digits that stand together as one token, and every other mark as one of its own.

    CodeXGLUE parts words from marks first, and then as mteval does, which leaves it only the underscore to part.
    """
    return re.findall(r"[^\W_]+|[^\w\s]|_", text)
