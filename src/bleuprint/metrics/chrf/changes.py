"""Changes: what another choice on one axis of chrF did to a score, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from bleuprint.counting.ngrams import Ngram
from bleuprint.counting.rows import StatsTable
from bleuprint.metrics.chrf.counts import matched_ngrams, split_text
from bleuprint.metrics.chrf.recipe import ChrfRecipe
from bleuprint.metrics.chrf.scores import ChrfScore
from bleuprint.metrics.chrf.stats import ChrfStats
from bleuprint.text.segments import Segment, Segments
from bleuprint.text.shown_tokens import join_tokens
from bleuprint.wording import count_of

MOST_NGRAMS = 5


class Change(Protocol):
    """One axis changed: the scores before and after, and the counts of every segment."""

    axis: str
    before: ChrfScore
    after: ChrfScore
    old: StatsTable[ChrfStats]
    new: StatsTable[ChrfStats]
    segments: Segments

    @property
    def moved(self) -> Sequence[int]:
        """The segments whose counts changed."""


def tell_change(change: Change) -> str:
    """Say in plain words what the step did."""
    old, new = change.before.recipe, change.after.recipe
    if change.axis == "char_order":
        return f"Characters count up to order {new.char_order} instead of {old.char_order}."
    if change.axis == "word_order":
        return f"{_words(new.word_order)} instead of {_words(old.word_order).lower()}."
    if change.before.score == change.after.score:
        return "It changes nothing here."
    if change.axis == "beta":
        return f"Recall weighs {new.choice('beta')} times as much as precision instead of {old.choice('beta')} times."
    if not change.moved:
        return "The counts stay; what the formula makes of them changes."
    return f"In {count_of(len(change.moved), 'segment')} of {len(change.segments):,} the counts change."


def _words(order: int) -> str:
    return f"Words count up to order {order}" if order else "No words count"


def tell_cause(change: Change, place: int) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Say which n-grams of a segment match only after the step and which only before, and remark on its lengths."""
    segment = change.segments.segment(place)
    old, new = (_match(segment, score.recipe) for score in (change.before, change.after))
    return _first(new - old), _first(old - new), _remark(change, place)


def _remark(change: Change, place: int) -> str:
    old, new = change.old[place], change.new[place]
    if old.reference_length == new.reference_length:
        return ""
    return f"a reference of {new.reference_length} characters instead of {old.reference_length}"


def _match(segment: Segment, recipe: ChrfRecipe) -> Counter[Ngram]:
    candidate, *references = (split_text(str(text), recipe.counting) for text in segment.texts)
    return matched_ngrams(candidate, references, recipe.counting)


def _first(ngrams: Counter[Ngram]) -> tuple[str, ...]:
    """Name a few of them: the longest first, the most frequent first."""
    ranked = sorted(ngrams.items(), key=lambda entry: (-len(join_tokens(entry[0])), -entry[1]))
    return tuple(join_tokens(ngram) for ngram, _ in ranked[:MOST_NGRAMS])
