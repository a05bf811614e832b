"""The rating: what a corpus score is usually taken to mean, given only where that reading can be true."""

from __future__ import annotations

from typing import NamedTuple

from bleuprint.metrics.bleu.formula import ZeroReason
from bleuprint.metrics.bleu.recipe import uniform_weights
from bleuprint.metrics.bleu.scores import BleuScore
from bleuprint.wording import count_of, name_orders

CAVEAT = "the usual reading of corpus scores; language, recipe and number of references shift it"
SEGMENT_CAVEAT = "a reading made for whole corpora: one segment says little; language, recipe and references shift it"
RATED_ORDER = 4
"""The bands are those of BLEU-4 with equal weights."""


class Rating(NamedTuple):
    """A band of scores, its usual reading, and how far to trust that."""

    band: str
    meaning: str
    caveat: str


class Unrated(NamedTuple):
    """Why a score has no rating: a code to test for, and words to read."""

    code: str
    reason: str


_BANDS = (
    (60, "over 60", "often closer to the references than a second human translation"),
    (50, "50–60", "very good: fluent, and faithful to the references"),
    (40, "40–50", "good: most of the wording is that of the references"),
    (30, "30–40", "understandable, in large parts good"),
    (20, "20–30", "the gist comes through, with many errors"),
    (10, "10–20", "the topic can be guessed, hardly more"),
    (0, "under 10", "almost nothing of the references comes through"),
)
_NO_NUMBER = {
    ZeroReason.EMPTY_CANDIDATE: Unrated("empty-candidate", "the candidate is empty"),
    ZeroReason.EMPTY_REFERENCE: Unrated("empty-reference", "the reference is empty"),
    **{zero: Unrated("nltk-stops", "NLTK gives no number here") for zero in ZeroReason if zero.tool_stops},
}


def rate(score: BleuScore) -> Rating | Unrated:
    """Find the band of a score, or say why its band would say something untrue."""
    return find_unrated(score) or find_band(score.score, SEGMENT_CAVEAT if score.level == "segment" else CAVEAT)


def find_band(score: float, caveat: str = CAVEAT) -> Rating:
    """Find the band of a score of 0 to 100."""
    return next(Rating(band, meaning, caveat) for lowest, band, meaning in _BANDS if score >= lowest)


def find_unrated(score: BleuScore) -> Unrated | None:
    """Say why the bands do not fit a score; nothing where they do."""
    recipe, zero = score.recipe, score.combination.zero_because
    if zero in _NO_NUMBER:
        return _NO_NUMBER[zero]
    if recipe.weights != uniform_weights(RATED_ORDER) or recipe.across_orders != "together":
        named = recipe.order != RATED_ORDER or recipe.across_orders != "together"
        own = f"this is {score.label}" if named else "these weights differ"
        return Unrated("other-weights", f"the usual bands are those of BLEU-4 with equal weights, and {own}")
    if recipe.is_for_one_segment:
        return Unrated("other-scale", f"{recipe.only_choice} has a scale of its own")
    absent = _absent_orders(score)
    if absent:
        who = "the candidate has" if score.census.segments == 1 else "every candidate has"
        reason = f"{who} fewer than {count_of(absent[0], 'token')}, so no {name_orders(absent)}"
        return Unrated("absent-orders", reason)
    return _unmatched(score)


def _absent_orders(score: BleuScore) -> list[int]:
    """List orders of which no candidate has an n-gram; NLTK's totals count one for each of these segments."""
    stats, census = score.stats, score.census
    added = census.short if score.recipe.segment_totals == "at-least-1" else (0,) * RATED_ORDER
    return [n for n in range(1, RATED_ORDER + 1) if stats.totals[n - 1] <= added[n - 1]]


def _unmatched(score: BleuScore) -> Unrated | None:
    """Look for orders without a match, which alone can decide the number."""
    matches = score.stats.matches[:RATED_ORDER]
    if not any(matches):
        reason = "nothing matches, and what the score shows is smoothing alone"
        return Unrated("smoothing-alone", reason) if score.fraction else None
    orders = [order for order, count in enumerate(matches, start=1) if not count]
    if orders and (score.recipe.smoothing.kind == "none" or not score.fraction):
        reason = f"no {name_orders(orders, plural=False)} matches, which decides the number whatever else does"
        return Unrated("unmatched-orders", reason)
    terms = score.combination.terms
    if any((terms[order - 1].smoothed or 0) * score.stats.totals[order - 1] >= 1 for order in orders):
        reason = f"no {name_orders(orders, plural=False)} matches, and smoothing counts for as much as a match would"
        return Unrated("smoothing-alone", reason)
    return None
