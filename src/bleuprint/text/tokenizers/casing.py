"""Upper and lower case, settled before the text is split."""

from __future__ import annotations


def apply_case(text: str, case: str) -> str:
    """Lower a text as the recipe says; ``mixed`` leaves it alone."""
    if case == "lower":
        return text.lower()
    if case == "lower-ascii":  # bytes know no other letters, and are lowered many times faster than by str.translate
        return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    return text
