"""Notes: why a score is not what one may have expected, in plain words, as data.

These follow from the statistics. Notes that need the texts are in ``scoring/text_notes.py``.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.metrics.chrf.counting import ChrfCensus, ChrfStats
from bleuprint.metrics.chrf.formula import EFFECTIVE_ORDER, ChrfCombination, ChrfTerm, ChrfZero, Unit, combine
from bleuprint.metrics.chrf.recipe import ChrfRecipe
from bleuprint.metrics.score import Note
from bleuprint.text.segments import Segments
from bleuprint.wording import count_of, format_score, name_orders

SHORT_TEXT = 500
"""Under this many candidate characters a corpus score says little."""


class ChrfNoteBasis(NamedTuple):
    """What notes are made from."""

    stats: ChrfStats
    recipe: ChrfRecipe
    combination: ChrfCombination
    census: ChrfCensus
    level: str
    segments: Segments | None
    """the texts, if they are known"""

    @property
    def is_corpus(self) -> bool:
        """Whether there may be several segments."""
        return self.level != "segment"

    @property
    def outcome(self) -> str:
        """Say what the score is: ``chrF2 is 0.00``."""
        return f"{self.recipe.label} is {format_score(self.combination.score)}"

    @property
    def has_one_reference(self) -> bool:
        """Whether every segment has one reference: only then does averaging leave the counts alone."""
        return self.segments is not None and all(len(own) == 1 for own in self.segments.references)


def statistics_notes(basis: ChrfNoteBasis) -> list[Note]:
    """Write every note that the statistics alone give reason for."""
    return [
        *_note_zero(basis),
        *_note_empties(basis),
        *_note_dropped(basis),
        *_note_absent(basis),
        *_note_short(basis),
    ]


def _note_zero(basis: ChrfNoteBasis) -> list[Note]:
    reason = basis.combination.zero_because
    if reason is ChrfZero.EMPTY_CANDIDATE:
        return [Note("empty-candidate", f"there is not a single character in the candidate: {basis.outcome}")]
    if reason is ChrfZero.EMPTY_REFERENCE:
        return [Note("empty-reference", f"there is not a single character in the reference: {basis.outcome}")]
    if reason is ChrfZero.NOTHING_MATCHES:
        return [Note("no-match", f"no character of the candidate occurs in the reference: {basis.outcome}")]
    return []


def _note_empties(basis: ChrfNoteBasis) -> list[Note]:
    census, notes = basis.census, []
    nothing_to_score = (ChrfZero.EMPTY_CANDIDATE, ChrfZero.EMPTY_REFERENCE)
    if not basis.is_corpus or basis.combination.zero_because in nothing_to_score:
        return []
    if census.empty_candidates:
        verb, their = ("is", "its reference") if census.empty_candidates == 1 else ("are", "their references")
        text = f"{census.empty_candidates:,} of {count_of(census.segments, 'candidate')} {verb} empty: "
        if basis.recipe.unmatched_segment == "counted":
            text += f"recall counts all of {their} as missed"
        else:
            text += f"this recipe does not count {their}, so that costs nothing"
        notes.append(Note("empty-candidates", text))
    if census.empty_references:
        verb = "is" if census.empty_references == 1 else "are"
        text = f"{census.empty_references:,} of {count_of(census.segments, 'segment')} {verb} held against an empty "
        if basis.recipe.candidate_totals == "always":
            text += "reference: precision counts all of the candidate as wrong"
        else:
            text += "reference: the n-grams of the candidate do not count there"
        notes.append(Note("empty-references", text))
    return notes


def _note_dropped(basis: ChrfNoteBasis) -> list[Note]:
    """Tell of references that torchmetrics loses."""
    census = basis.census
    if basis.recipe.unmatched_segment == "counted" or not basis.is_corpus or not 0 < census.unmatched < census.segments:
        return []
    text = (
        f"in {census.unmatched:,} of {count_of(census.segments, 'segment')} nothing matches: this recipe, as "
        "torchmetrics, does not count the n-grams of the references there, so that recall is too high"
    )
    return [Note("dropped-references", text)]


def _note_absent(basis: ChrfNoteBasis) -> list[Note]:
    """Explain orders of which a side has no n-grams."""
    stats = basis.stats
    counts = zip(basis.combination.terms, stats.candidate, stats.reference, strict=True)
    absent = [term for term, candidate, reference in counts if not candidate or not reference]
    if not absent or basis.combination.zero_because:
        return []
    what = f"candidate and reference do not both have {name_terms(absent)}"
    if basis.recipe.averaging == EFFECTIVE_ORDER:
        text = f"{what}: these orders are left out (effective order)"
    else:
        text = f"{what}: these orders count as 0"
        if basis.has_one_reference:
            effective = combine(stats, basis.recipe.replace(averaging=EFFECTIVE_ORDER).counting)
            text += f"; with effective order {basis.recipe.label} is {format_score(effective.score)}"
    return [Note("absent-orders", text)]


def name_terms(terms: Sequence[ChrfTerm]) -> str:
    """Name orders: ``character 5-grams or 6-grams, or word 2-grams``."""
    parts = []
    for unit in Unit:
        orders = [term.order for term in terms if term.unit is unit]
        if orders:
            parts.append(f"{unit.value.removesuffix('s')} {name_orders(orders)}")
    return ", or ".join(parts)


def _note_short(basis: ChrfNoteBasis) -> list[Note]:
    length = basis.stats.candidate_length
    if not basis.is_corpus or not 0 < length < SHORT_TEXT:
        return []
    text = f"the {basis.level} has only {count_of(length, 'character')}: one word can move chrF by several points"
    return [Note("short-corpus", text)]
