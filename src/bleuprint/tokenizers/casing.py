"""Upper and lower case, settled before the text is split."""

from __future__ import annotations

import string

_ASCII = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def apply_case(text: str, case: str) -> str:
    """Lower a text as the recipe says; ``mixed`` leaves it alone."""
    if case == "lower":
        return text.lower()
    return text.translate(_ASCII) if case == "lower-ascii" else text
