"""The formula: TER = edits / reference length, from integers to one float.

This module defines every float of a score. Lengths are integers, in parts of a word, so the one division rounds once.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bleuprint.metrics.ter.counting import PARTS, TerStats


class TerSettled(StrEnum):
    """Why a score needs no division; each reads as the end of a sentence, ``NONE`` as nothing."""

    NONE = ""
    EMPTY_REFERENCE = "the reference is empty, but the candidate is not"
    BOTH_EMPTY = "there is nothing to edit, and nothing to divide by"


class TerCombination(NamedTuple):
    """Everything the formula computed."""

    fraction: float
    """0 for a candidate that needs no edit; above 1 where there are more edits than words in the reference"""
    settled: TerSettled

    @property
    def score(self) -> float:
        """The score on 0 to 100."""
        return 100.0 * self.fraction


def combine(stats: TerStats) -> TerCombination:
    """Compute TER from statistics; without a single word in the references it is 1, or 0 if no edit is needed."""
    if stats.reference_parts:
        return TerCombination(divide(stats.edits, stats), TerSettled.NONE)
    return (
        TerCombination(1.0, TerSettled.EMPTY_REFERENCE) if stats.edits else TerCombination(0.0, TerSettled.BOTH_EMPTY)
    )


def divide(edits: int, stats: TerStats) -> float:
    """Divide edits by the length of the reference."""
    return edits * PARTS / stats.reference_parts
