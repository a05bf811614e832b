"""Notes: why a score is not what one may have expected, in plain words, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.counting.layout import Layout
from bleuprint.metrics.score import Note, note_empties
from bleuprint.metrics.ter.counting import count_edits, split_reference, split_text
from bleuprint.metrics.ter.formula import TerSettled
from bleuprint.metrics.ter.shifts import MOST_TRIED, ShiftSearch
from bleuprint.text.segments import Segment
from bleuprint.wording import count_of, format_score

if TYPE_CHECKING:
    from bleuprint.metrics.ter.score import TerScore

SHORT_CORPUS = 100
"""Under this many words of the references a corpus score says little."""


def statistics_notes(score: TerScore) -> list[Note]:
    """Write every note that the statistics alone give reason for."""
    return [*_note_settled(score), *_note_empties(score), *_note_above_hundred(score), *_note_corpus(score)]


def _note_settled(score: TerScore) -> list[Note]:
    """Explain a score that no division gave, or that an empty candidate has."""
    reason = score.combination.settled
    if reason is TerSettled.EMPTY_REFERENCE:
        text = "there is not a single word in the reference: TER is 100 by convention, however long the candidate is"
        return [Note("empty-reference", text)]
    if reason is TerSettled.BOTH_EMPTY:
        return [Note("empty-reference", "there is not a single word to edit, nor in the reference: TER is 0")]
    if score.stats.candidate_length:
        return []
    if score.recipe.empty_candidate == "no-edits":
        text = (
            "there is not a single word in the candidate: this recipe, as torchmetrics, counts no edits then, so TER "
            "is 0, as if it were perfect; elsewhere every word of the reference is an insertion"
        )
    else:
        text = "there is not a single word in the candidate: every word of the reference is an insertion, so TER is "
        text += format_score(100 * score.combination.fraction)
    return [Note("empty-candidate", text)]


def _note_empties(score: TerScore) -> list[Note]:
    if not score.is_corpus or score.combination.settled or not score.stats.candidate_length:
        return []
    candidates = "every word of the reference is an insertion there"
    if score.recipe.empty_candidate == "no-edits":
        candidates = "this recipe, as torchmetrics, counts no edits there, as if nothing were missing"
    references = "words of the candidate are deletions there, and add no length to divide by"
    return note_empties(score, candidates, references)


def _note_above_hundred(score: TerScore) -> list[Note]:
    if score.combination.fraction <= 1:
        return []
    text = (
        f"{count_of(score.stats.edits, 'edit')} are more than the {score.stats.reference_length:,.10g} words of the "
        "reference: TER exceeds 100"
    )
    return [Note("above-hundred", text)]


def _note_corpus(score: TerScore) -> list[Note]:
    length = score.stats.reference_length
    if not score.is_corpus or not 0 < length < SHORT_CORPUS:
        return []
    text = f"the {score.level} has only {length:.10g} words of reference: one edit can move TER by a point or more"
    return [Note("short-corpus", text)]


def note_search(segment: Segment, layout: Layout[Any], trace: Callable[..., Sequence[ShiftSearch]]) -> list[Note]:
    """Point to a segment whose search for shifts ended early; ``trace`` is that of an engine."""
    counting = layout.counting
    candidate = split_text(segment.candidate, counting)
    references = [split_reference(text, counting) for text in segment.references]
    searches = trace(candidate, references, layout)
    if not min(searches, key=lambda search: sum(count_edits(search, counting))).gave_up:
        return []
    text = f"the search for shifts ended after {MOST_TRIED:,} tries, as in sacreBLEU: fewer edits might have done"
    return [Note("search-ended", text)]
