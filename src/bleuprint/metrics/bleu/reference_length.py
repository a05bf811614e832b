"""The reference length of a segment: which of its references the candidate's length is compared with."""

from __future__ import annotations

from collections.abc import Sequence


def choose_length(rule: str, candidate_length: int, lengths: Sequence[int]) -> int:
    """Choose among the lengths of the references by the recipe's rule."""
    if rule == "shortest":
        return min(lengths)
    if rule == "closest":
        return min(lengths, key=lambda length: (abs(length - candidate_length), length))
    # closest-first: min() keeps the first of equals
    return min(lengths, key=lambda length: abs(length - candidate_length))
