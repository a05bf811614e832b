"""The levels: the texts of an exercise, the changes to its candidates, and the mistakes that it reveals."""

from __future__ import annotations

from typing import NamedTuple

from bleuprint.lessons.mistakes import Mistake


class ExerciseLevel(NamedTuple):
    """The common properties of all exercises of a level."""

    number: int
    title: str
    order: int
    segments: int
    references: int
    """of each segment"""
    changes: tuple[str, ...]
    """the changes that make a candidate from a reference"""
    brings_out: tuple[Mistake, ...]
    """mistakes that change BLEU in every exercise of the level, each to a different number"""
    smoothing: str = "none"


_COMBINING = (Mistake.ARITHMETIC_MEAN, Mistake.PRECISIONS_ADDED, Mistake.NO_ROOT)
_BREVITY = (Mistake.BREVITY_INVERTED, Mistake.NO_BREVITY)
_CLIPPING = (Mistake.NO_CLIPPING, Mistake.SUMMED_CLIPPING)
_LENGTHS = (Mistake.LONGEST_REFERENCE, Mistake.MEAN_REFERENCE)

LEVELS: tuple[ExerciseLevel, ...] = (
    ExerciseLevel(1, "Count and combine", 2, 1, 1, ("replace",), _COMBINING),
    ExerciseLevel(2, "Too short", 2, 1, 1, ("drop", "drop", "replace"), _COMBINING + _BREVITY),
    ExerciseLevel(3, "Clipping", 2, 1, 1, ("repeat", "repeat", "drop"), (*_COMBINING, Mistake.NO_CLIPPING)),
    ExerciseLevel(
        4, "Several references", 2, 1, 2, ("stutter", "drop", "drop", "drop"),
        _COMBINING[:1] + _CLIPPING + _LENGTHS,
    ),
    ExerciseLevel(
        5, "Smoothing", 4, 1, 2, ("drop", "drop", "move"), (*_COMBINING[:1], *_BREVITY, Mistake.NO_SMOOTHING),
        "epsilon(0.1)",
    ),
    ExerciseLevel(
        6, "A small corpus", 2, 3, 2, ("stutter", "drop", "drop", "drop"),
        (*_COMBINING[:1], *_CLIPPING, *_LENGTHS, Mistake.MEAN_OF_SEGMENTS),
    ),
)  # fmt: skip
"""From one short pair to a small corpus."""
