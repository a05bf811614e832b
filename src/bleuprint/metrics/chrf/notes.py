"""Notes: why a score is not what one may have expected, in plain words, as data.

These follow from the statistics. Notes that need the texts are in ``scoring/text_notes.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleuprint.metrics.chrf.formula import EFFECTIVE_ORDER, ChrfTerm, ChrfZero, Unit, combine
from bleuprint.metrics.score import Note, note_empties
from bleuprint.wording import count_of, format_score, name_orders

if TYPE_CHECKING:
    from bleuprint.metrics.chrf.score import ChrfScore

SHORT_TEXT = 500
"""Under this many candidate characters a corpus score says little."""


def _outcome(score: ChrfScore) -> str:
    """Say what the score is: ``chrF2 is 0.00``."""
    return f"{score.label} is {format_score(score.score)}"


def statistics_notes(score: ChrfScore) -> list[Note]:
    """Write every note that the statistics alone give reason for."""
    return [
        *_note_zero(score),
        *_note_empties(score),
        *_note_dropped(score),
        *_note_absent(score),
        *_note_short(score),
    ]


def _note_zero(score: ChrfScore) -> list[Note]:
    reason = score.combination.zero_because
    if reason is ChrfZero.EMPTY_CANDIDATE:
        return [Note("empty-candidate", f"there is not a single character in the candidate: {_outcome(score)}")]
    if reason is ChrfZero.EMPTY_REFERENCE:
        return [Note("empty-reference", f"there is not a single character in the reference: {_outcome(score)}")]
    if reason is ChrfZero.NOTHING_MATCHES:
        return [Note("no-match", f"no character of the candidate occurs in the reference: {_outcome(score)}")]
    return []


def _note_empties(score: ChrfScore) -> list[Note]:
    nothing_to_score = (ChrfZero.EMPTY_CANDIDATE, ChrfZero.EMPTY_REFERENCE)
    if not score.is_corpus or score.combination.zero_because in nothing_to_score:
        return []
    their = "its reference" if score.census.empty_candidates == 1 else "their references"
    if score.recipe.unmatched_segment == "counted":
        candidates = f"recall counts all of {their} as missed"
    else:
        candidates = f"this recipe does not count {their}, so that costs nothing"
    if score.recipe.candidate_totals == "always":
        references = "precision counts all of the candidate as wrong"
    else:
        references = "the n-grams of the candidate do not count there"
    return note_empties(score, candidates, references)


def _note_dropped(score: ChrfScore) -> list[Note]:
    """Tell of references that torchmetrics loses."""
    census = score.census
    if score.recipe.unmatched_segment == "counted" or not score.is_corpus or not 0 < census.unmatched < census.segments:
        return []
    text = (
        f"in {census.unmatched:,} of {count_of(census.segments, 'segment')} nothing matches: this recipe, as "
        "torchmetrics, does not count the n-grams of the references there, so that recall is too high"
    )
    return [Note("dropped-references", text)]


def _note_absent(score: ChrfScore) -> list[Note]:
    """Explain orders of which a side has no n-grams."""
    stats = score.stats
    counts = zip(score.combination.terms, stats.candidate, stats.reference, strict=True)
    absent = [term for term, candidate, reference in counts if not candidate or not reference]
    if not absent or score.combination.zero_because:
        return []
    what = f"candidate and reference do not both have {name_terms(absent)}"
    if score.recipe.averaging == EFFECTIVE_ORDER:
        text = f"{what}: these orders are left out (effective order)"
    else:
        text = f"{what}: these orders count as 0"
        # only with one reference per segment does averaging leave the counts alone
        if score.segments is not None and all(len(texts) == 1 for texts in score.segments.references):
            effective = combine(stats, score.recipe.replace(averaging=EFFECTIVE_ORDER).counting)
            text += f"; with effective order {score.recipe.label} is {format_score(effective.score)}"
    return [Note("absent-orders", text)]


def name_terms(terms: Sequence[ChrfTerm]) -> str:
    """Name orders: ``character 5-grams or 6-grams, or word 2-grams``."""
    parts = []
    for unit in Unit:
        orders = [term.order for term in terms if term.unit is unit]
        if orders:
            parts.append(f"{unit.value.removesuffix('s')} {name_orders(orders)}")
    return ", or ".join(parts)


def _note_short(score: ChrfScore) -> list[Note]:
    length = score.stats.candidate_length
    if not score.is_corpus or not 0 < length < SHORT_TEXT:
        return []
    text = f"the {score.level} has only {count_of(length, 'character')}: one word can move chrF by several points"
    return [Note("short-corpus", text)]
