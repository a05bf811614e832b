"""Notes: why a score is not what one may have expected, in plain words, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.metrics.score import Note
from bleuprint.metrics.ter.counting import TerCensus, TerStats, find_counting
from bleuprint.metrics.ter.formula import TerCombination, TerSettled
from bleuprint.metrics.ter.recipe import TerRecipe
from bleuprint.metrics.ter.shifts import MOST_TRIED, ShiftSearch
from bleuprint.text.segments import Segment
from bleuprint.wording import count_of, format_score

SHORT_CORPUS = 100
"""Under this many words of the references a corpus score says little."""


class TerNoteBasis(NamedTuple):
    """What notes are made from."""

    stats: TerStats
    recipe: TerRecipe
    combination: TerCombination
    census: TerCensus
    level: str

    @property
    def is_corpus(self) -> bool:
        """Whether there may be several segments."""
        return self.level != "segment"

    @property
    def free_candidates(self) -> bool:
        """Whether empty candidates cost nothing."""
        return self.recipe.empty_candidate == "no-edits"


def statistics_notes(basis: TerNoteBasis) -> list[Note]:
    """Write every note that the statistics alone give reason for."""
    return [*_note_settled(basis), *_note_empties(basis), *_note_above_hundred(basis), *_note_corpus(basis)]


def _note_settled(basis: TerNoteBasis) -> list[Note]:
    """Explain a score that no division gave, or that an empty candidate has."""
    reason = basis.combination.settled
    if reason is TerSettled.EMPTY_REFERENCE:
        text = "there is not a single word in the reference: TER is 100 by convention, however long the candidate is"
        return [Note("empty-reference", text)]
    if reason is TerSettled.BOTH_EMPTY:
        return [Note("empty-reference", "there is not a single word to edit, nor in the reference: TER is 0")]
    if basis.stats.candidate_length:
        return []
    if basis.free_candidates:
        text = (
            "there is not a single word in the candidate: this recipe, as torchmetrics, counts no edits then, so TER "
            "is 0, as if it were perfect; elsewhere every word of the reference is an insertion"
        )
    else:
        text = "there is not a single word in the candidate: every word of the reference is an insertion, so TER is "
        text += format_score(100 * basis.combination.fraction)
    return [Note("empty-candidate", text)]


def _note_empties(basis: TerNoteBasis) -> list[Note]:
    census, notes = basis.census, []
    if not basis.is_corpus or basis.combination.settled or not basis.stats.candidate_length:
        return []
    if census.empty_candidates:
        verb = "is" if census.empty_candidates == 1 else "are"
        text = f"{census.empty_candidates:,} of {count_of(census.segments, 'candidate')} {verb} empty: "
        if basis.free_candidates:
            text += "this recipe, as torchmetrics, counts no edits there, as if nothing were missing"
        else:
            text += "every word of the reference is an insertion there"
        notes.append(Note("empty-candidates", text))
    if census.empty_references:
        verb = "is" if census.empty_references == 1 else "are"
        text = (
            f"{census.empty_references:,} of {count_of(census.segments, 'segment')} {verb} held against an empty "
            "reference: words of the candidate are deletions there, and add no length to divide by"
        )
        notes.append(Note("empty-references", text))
    return notes


def _note_above_hundred(basis: TerNoteBasis) -> list[Note]:
    if basis.combination.fraction <= 1:
        return []
    text = (
        f"{count_of(basis.stats.edits, 'edit')} are more than the {basis.stats.reference_length:,.10g} words of the "
        "reference: TER exceeds 100"
    )
    return [Note("above-hundred", text)]


def _note_corpus(basis: TerNoteBasis) -> list[Note]:
    length = basis.stats.reference_length
    if not basis.is_corpus or not 0 < length < SHORT_CORPUS:
        return []
    text = f"the {basis.level} has only {length:.10g} words of reference: one edit can move TER by a point or more"
    return [Note("short-corpus", text)]


def note_search(segment: Segment, layout: Layout[Any], trace: Callable[..., Sequence[ShiftSearch]]) -> list[Note]:
    """Point to a segment whose search for shifts ended early; ``trace`` is that of an engine."""
    from bleuprint.metrics.ter.counting import count_edits, split_reference, split_text

    counting = find_counting(layout)
    candidate = split_text(segment.candidate, counting)
    references = [split_reference(text, counting) for text in segment.references]
    searches = trace(candidate, references, layout)
    if not min(searches, key=lambda search: sum(count_edits(search, counting))).gave_up:
        return []
    text = f"the search for shifts ended after {MOST_TRIED:,} tries, as in sacreBLEU: fewer edits might have done"
    return [Note("search-ended", text)]
