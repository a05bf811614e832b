"""Changes: what another value of one recipe option did to a score. Each metric has its own sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from bleuprint.counting.ngrams import Ngram
from bleuprint.counting.rows import StatsTable
from bleuprint.metrics import module_of
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments
from bleuprint.text.shown_tokens import join_tokens
from bleuprint.wording import count_of

MOST_NGRAMS = 5
Words = tuple[str, ...]


class Change(Protocol):
    """One option changed: the scores before and after, and the counts of every segment."""

    axis: str
    before: Any
    after: Any
    old: StatsTable[Any]
    new: StatsTable[Any]
    segments: Segments

    @property
    def moved(self) -> Sequence[int]:
        """The segments whose counts changed."""


def name_moved(change: Change) -> str:
    """Say how many segments count otherwise: ``In 1 segment of 3``."""
    return f"In {count_of(len(change.moved), 'segment')} of {len(change.segments):,}"


def find_matches(
    change: Change, place: int, recipes: Sequence[Recipe], rank: Callable[[tuple[Ngram, int]], Any]
) -> tuple[Words, Words]:
    """Return a few n-grams of a segment that match only under the second recipe, and a few only under the first."""
    segment, match = change.segments.segment(place), module_of(change.after.metric, "explain").match
    old, new = (match([segment.candidate], segment.references, recipe)[0] for recipe in recipes)

    def first(ngrams: Counter[Ngram]) -> Words:
        return tuple(join_tokens(ngram) for ngram, _ in sorted(ngrams.items(), key=rank)[:MOST_NGRAMS])

    return first(new - old), first(old - new)
