"""Sentences from a seed: references that say the same in several ways, and a candidate with mistakes.

The generator is that of resampling, SplitMix64. Its numbers are the same on every machine and in every release of
Python, which the random module guarantees only for some of its functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from bleuprint.counting.resampling import EXERCISES, draw_words, make_key
from bleuprint.lessons.levels import ExerciseLevel

Option = TypeVar("Option")

WORDS: Mapping[str, tuple[str, ...]] = {
    "subject": ("cat", "dog", "child", "teacher", "farmer", "girl", "driver", "little bird"),
    "verb": ("sat", "slept", "waited", "played", "stood", "worked", "rested", "sang"),
    "place": (
        "on the mat", "in the garden", "near the river", "under the tree", "behind the house", "by the window",
        "at the gate", "in the kitchen",
    ),
    "time": ("this morning", "in the evening", "all day", "for an hour", "after the rain", "before the storm"),
    "manner": ("quietly", "happily", "alone", "again"),
}  # fmt: skip
WAYS = (
    "the {subject} {verb} {place}",
    "the {subject} {verb} {manner} {place}",
    "the {subject} {verb} {place} {time}",
    "{time} the {subject} {verb} {place}",
    "a {subject} {verb} {manner} {place} {time}",
    "there was a {subject} that {verb} {place} {time}",
)
"""Sentences with the same meaning, from the shortest to the longest."""
SHORT_WAYS = WAYS[:3]
SHORTEST_CANDIDATE = 5
COPIES = {"repeat": 1, "stutter": 2}
"""If two references have a word once each, two more copies exceed the counts of each reference and of both together."""


class Draws:
    """Random choices that follow from a seed and a level."""

    def __init__(self, seed: int, level: int) -> None:
        self._words = draw_words(make_key(seed, EXERCISES, level))

    def below(self, count: int) -> int:
        """Draw a whole number from 0 to ``count`` - 1."""
        return next(self._words) * count >> 64

    def choose(self, options: Sequence[Option]) -> Option:
        """Draw one of several."""
        return options[self.below(len(options))]


class ExerciseTexts(NamedTuple):
    """The texts of an exercise, by segment."""

    candidates: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]


def draw_texts(draws: Draws, level: ExerciseLevel) -> ExerciseTexts:
    """Draw the texts of all segments."""
    segments = [_draw_segment(draws, level) for _ in range(level.segments)]
    return ExerciseTexts(tuple(one for one, _ in segments), tuple(others for _, others in segments))


def _draw_segment(draws: Draws, level: ExerciseLevel) -> tuple[str, tuple[str, ...]]:
    meant = {kind: draws.choose(words) for kind, words in WORDS.items()}
    ways = list(SHORT_WAYS if level.references == 1 else WAYS)
    first = draws.below(len(ways))
    others = ways[:first] + ways[first + 1 :]
    while len(others) >= level.references:
        others.pop(draws.below(len(others)))
    references = tuple(way.format(**meant) for way in (ways[first], *others))
    return _spoil(references[0], meant, draws, level), references


def _spoil(text: str, meant: Mapping[str, str], draws: Draws, level: ExerciseLevel) -> str:
    """Make a candidate from a reference."""
    for change in level.changes:
        words = text.split()
        index = draws.below(len(words))
        if change == "replace":
            kind = draws.choose(("subject", "verb"))
            text = text.replace(meant[kind], draws.choose(WORDS[kind]))
        elif change == "drop" and len(words) > SHORTEST_CANDIDATE:
            text = " ".join(words[:index] + words[index + 1 :])
        elif change in COPIES:
            text = " ".join(words[:index] + [words[index]] * COPIES[change] + words[index:])
        elif change == "move":
            text = " ".join(words[index:] + words[:index])
    return text
