"""Changes: what another choice on one axis of TER did to a score, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from bleuprint.counting.rows import StatsTable
from bleuprint.metrics.ter.counting import TerStats
from bleuprint.metrics.ter.explain import match
from bleuprint.metrics.ter.recipe import AXES
from bleuprint.metrics.ter.score import TerScore
from bleuprint.text.segments import Segments
from bleuprint.wording import count_of, join_words

MOST_WORDS = 5
PIPELINE = tuple(AXES)
"""The axes in the order of computation."""


class Change(Protocol):
    """One axis changed: the scores before and after, and the counts of every segment."""

    axis: str
    before: TerScore
    after: TerScore
    old: StatsTable[TerStats]
    new: StatsTable[TerStats]
    segments: Segments

    @property
    def moved(self) -> Sequence[int]:
        """The segments whose counts changed."""


def tell_change(change: Change) -> str:
    """Say in plain words what the step did."""
    if not change.moved:
        return "It changes no count here."
    old, new = change.before.stats, change.after.stats
    some = f"In {count_of(len(change.moved), 'segment')} of {len(change.segments):,}"
    edits = [
        f"{number:,} instead of {old.kinds[kind]:,} {kind}"
        for kind, number in new.kinds.items()
        if number != old.kinds[kind]
    ]
    lengths = []
    if new.candidate_length != old.candidate_length:
        lengths = [f"the candidates have {count_of(new.candidate_length, 'word')} instead of {old.candidate_length:,}"]
    if new.reference_parts != old.reference_parts:
        lengths += [f"the references have {new.reference_length:,.10g} words instead of {old.reference_length:,.10g}"]
    if not edits and not lengths:
        return f"{some} the counts change, but not their sums."
    parts = [f"there are {join_words(edits)}"] if edits else []
    return f"{some} the counts change: {'; '.join(parts + lengths)}."


def tell_cause(change: Change, place: int) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Say which words of a segment match only after the step and which only before, and remark on its edits."""
    segment = change.segments.segment(place)
    old, new = (
        match([segment.candidate], segment.references, score.recipe)[0] for score in (change.before, change.after)
    )
    remark = f"{count_of(change.new[place].edits, 'edit')} instead of {change.old[place].edits:,}"
    return _first(new - old), _first(old - new), remark


def _first(words: Counter[tuple[str, ...]]) -> tuple[str, ...]:
    """Name a few of them, the most frequent first."""
    return tuple(word for (word,), _ in words.most_common(MOST_WORDS))
