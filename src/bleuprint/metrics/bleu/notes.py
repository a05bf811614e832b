"""Notes: why a score is not what one may have expected. Rating: what a corpus score is usually taken to mean.

Notes that need the texts are in ``scoring/text_notes.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.metrics.bleu.formula import Settled, ZeroReason, combine
from bleuprint.metrics.bleu.recipe import ONE_SEGMENT_ONLY, Smoothing, uniform_weights
from bleuprint.metrics.score import Note, note_empties, some_of
from bleuprint.wording import count_of, format_fraction, format_score, join_words, name_orders

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.score import BleuScore

SHORT_CORPUS = 100
"""Under this many candidate tokens a corpus score says little."""


def _under(score: BleuScore, **changes: object) -> str:
    """Print the score that these statistics would have under a changed recipe."""
    return format_score(100 * combine(score.stats, score.recipe.with_choices(changes)).fraction)


def _unsmoothed(score: BleuScore, **changes: object) -> str:
    """Print the score without smoothing, which is 0 if an order has no match."""
    return _under(score, smoothing=Smoothing(), unmatched_order="zero", **changes)


def statistics_notes(score: BleuScore) -> list[Note]:
    """Write every note that the statistics alone give reason for."""
    notes = [*_note_zero(score), *_note_scored_empty(score), *_note_empties(score)]
    if not score.combination.zero_because:
        notes += [*_note_absent(score), *_note_unmatched(score), *_note_added(score), *_note_blended(score)]
        notes += _note_above_hundred(score)
    return [
        *notes,
        *_note_short_segments(score),
        *_note_brevity(score),
        *_note_corpus(score),
        *_note_weights(score),
    ]


def _note_zero(score: BleuScore) -> list[Note]:
    reason = score.combination.zero_because
    if reason is ZeroReason.EMPTY_CANDIDATE:
        return [Note("empty-candidate", f"there is not a single token in the candidate: {score.label} is 0")]
    if reason is ZeroReason.EMPTY_REFERENCE:
        return [Note("empty-reference", f"there is not a single token in the reference: {score.label} is 0")]
    if reason is ZeroReason.NOTHING_MATCHES:
        text = f"no token of the candidate occurs in a reference: {score.label} is 0, whatever the smoothing"
        return [Note("no-match", text)]
    if reason is ZeroReason.UNMATCHED_ORDER:
        orders = [n for n, matches in enumerate(score.stats.up_to(score.order).matches, start=1) if not matches]
        text = f"no {name_orders(orders, plural=False)} matches: this recipe gives 0 before any smoothing"
        return [Note("no-match", text)]
    if reason.tool_stops:
        return [Note("no-trigram", f"{reason}: {score.label} is 0, where NLTK stops with an error")]
    if reason:
        return [Note("all-dropped", f"{reason}: {score.label} is 0")]
    return []


def _note_scored_empty(score: BleuScore) -> list[Note]:
    """Tell of a recipe that has a score for texts without tokens."""
    if score.recipe.nothing_matches != "smoothed-empty" or score.is_corpus:
        return []
    lengths = (("candidate", score.stats.candidate_length), ("reference", score.stats.reference_length))
    text = "there is not a single token in the {}, and this recipe scores it all the same"
    return [Note(f"empty-{name}", text.format(name)) for name, length in lengths if not length]


def _note_empties(score: BleuScore) -> list[Note]:
    nothing_to_score = (ZeroReason.EMPTY_CANDIDATE, ZeroReason.EMPTY_REFERENCE)
    if not score.is_corpus or score.combination.zero_because in nothing_to_score:
        return []
    adds = "it adds" if score.census.empty_candidates == 1 else "they add"
    if score.recipe.segment_totals == "exact":
        adds += " no n-grams, only reference length, which the brevity penalty punishes"
    else:
        adds += " reference length, and to every order an n-gram that cannot match"
    return note_empties(score, adds, "the reference length there counts as 0")


def _note_absent(score: BleuScore) -> list[Note]:
    """Explain orders that no candidate is long enough for."""
    weighted = zip(score.stats.totals, score.recipe.weights, strict=False)
    orders = [n for n, (total, weight) in enumerate(weighted, start=1) if weight and not total]
    if not orders:
        return []
    longest = score.stats.totals.index(0)
    if score.is_corpus:
        who = f"no candidate has more than {count_of(longest, 'token')}, so there are"
    else:
        who = f"the candidate has {count_of(longest, 'token')}, so it has"
    what = f"{who} no {name_orders(orders)}"
    terms = [score.combination.terms[order - 1] for order in orders]
    if terms[0].smoothed is None:
        zero = score.label
        if score.recipe.across_orders == "mean":
            zero = join_words(_labels_from(score, orders[0]))
        outcome = f"they are left out (effective order); counted, they would make {zero} 0"
    elif terms[0].smoothed == 0.0 and score.recipe.across_orders == "mean":
        outcome = f"{_name_zeros(score, orders[0])} in the mean by definition"
    elif terms[0].smoothed == 0.0:
        outcome = f"{score.label} is 0 by definition; with effective order it is {_under(score, absent_order='drop')}"
    elif terms[0].rule is Settled.ABSENT_IS_ONE:
        outcome = (
            f"they count as precision 1; with effective order {score.label} is {_under(score, absent_order='drop')}"
        )
    else:
        values = ", ".join(f"p{term.order} = {format_fraction(term.smoothed or 0)}" for term in terms)
        outcome = (
            f"{score.recipe.smoothing} smoothing set {values}; without smoothing {score.label} is "
            f"{_unsmoothed(score)}, with effective order instead {_unsmoothed(score, absent_order='drop')}"
        )
    return [Note("absent-orders", f"{what}: {outcome}")]


def _note_unmatched(score: BleuScore) -> list[Note]:
    """Explain orders that have n-grams but no match."""
    stats = score.stats
    weighted = [n for n, weight in enumerate(score.recipe.weights, start=1) if weight]
    orders = [n for n in weighted if stats.totals[n - 1] and not stats.matches[n - 1]]
    if not orders or score.recipe.smoothing.kind.startswith("add-k"):
        return []
    terms = [score.combination.terms[order - 1] for order in orders]
    if terms[0].smoothed == 0.0 and score.recipe.across_orders == "mean":
        outcome = f"{_name_zeros(score, orders[0])} in the mean"
    elif terms[0].smoothed == 0.0:
        outcome = f"{score.label} is 0"
        if score.recipe.smoothing.kind == "none":
            outcome += f"; with exp smoothing it is {_under(score, smoothing=Smoothing('exp'))}"
    elif terms[0].rule is Settled.SMALLEST_FLOAT:
        outcome = "NLTK puts the smallest float in their place, so the score is a tiny number instead of 0"
    elif terms[0].rule is Settled.SKIPPED:
        outcome = "this recipe skips them, which counts them as precision 1"
    else:
        values = ", ".join(f"p{term.order} = {format_fraction(term.smoothed or 0)}" for term in terms)
        outcome = f"{score.recipe.smoothing} smoothing set {values}; without smoothing {score.label} is "
        outcome += _unsmoothed(score)
    return [Note("unmatched-orders", f"no {name_orders(orders, plural=False)} matches: {outcome}")]


def _name_zeros(score: BleuScore, first: int) -> str:
    """Say which scores are 0 where an order is: ``BLEU-3 and BLEU-4 count as 0``."""
    names = _labels_from(score, first)
    return f"{join_words(names)} {'counts' if len(names) == 1 else 'count'} as 0"


def _labels_from(score: BleuScore, first: int) -> list[str]:
    return [f"BLEU-{order}" for order in range(first, score.recipe.order + 1)]


def _note_added(score: BleuScore) -> list[Note]:
    """Explain add-k, which changes every order that it touches."""
    if not score.recipe.smoothing.kind.startswith("add-k"):
        return []
    first = 1 if score.recipe.smoothing.kind == "add-k-all" else 2
    if score.recipe.order < first:
        return []
    text = (
        f"{score.recipe.smoothing} smoothing changed the precisions from order {first} on; "
        f"without smoothing {score.label} is {_unsmoothed(score)}"
    )
    return [Note("smoothing-added", text)]


def _note_blended(score: BleuScore) -> list[Note]:
    """Explain NLTK's methods 5 to 7, which change precisions that need no smoothing."""
    if score.recipe.smoothing.kind not in ONE_SEGMENT_ONLY:
        return []
    first = 3 if score.recipe.smoothing.kind == "nltk-method6" else 1
    text = (
        f"{score.recipe.smoothing} smoothing changed the precisions from order {first} on, whether they needed it "
        f"or not; without smoothing {score.label} is {_unsmoothed(score)}"
    )
    return [Note("smoothing-blended", text)]


def _note_above_hundred(score: BleuScore) -> list[Note]:
    if score.combination.fraction <= 1:
        return []
    return [Note("above-hundred", "this smoothing counts precisions above 1, so the score exceeds 100")]


def _note_short_segments(score: BleuScore) -> list[Note]:
    """Explain NLTK's totals, the usual reason why its corpus scores differ."""
    census, order = score.census, score.recipe.order
    short = census.short[order - 1]
    if score.recipe.segment_totals != "at-least-1" or not short or score.combination.zero_because:
        return []
    who = f"{some_of(short, census.segments, 'candidate')} shorter than {order} tokens"
    if not score.is_corpus:
        who = f"the candidate has {count_of(score.stats.candidate_length, 'token')}"
    text = (
        f"{who}: this recipe, as NLTK, counts at least one n-gram of every order for each segment, "
        "one that cannot match, where other tools count none"
    )
    return [Note("short-segments", text)]


def _note_brevity(score: BleuScore) -> list[Note]:
    stats, penalty = score.stats, score.combination.brevity_penalty
    if not 0 < penalty < 0.5 or not score.combination.fraction:
        return []
    text = (
        f"the candidate has {count_of(stats.candidate_length, 'token')}, the reference {stats.reference_length:,}: "
        f"the brevity penalty of {format_fraction(penalty)} takes more than half of the score"
    )
    return [Note("much-shorter", text)]


def _note_corpus(score: BleuScore) -> list[Note]:
    length = score.stats.candidate_length
    if not score.is_corpus or not 0 < length < SHORT_CORPUS:
        return []
    text = f"the {score.level} has only {count_of(length, 'token')}: one word can move BLEU by several points"
    return [Note("short-corpus", text)]


def _note_weights(score: BleuScore) -> list[Note]:
    whole = sum(score.recipe.weights)
    if abs(whole - 1) < 1e-6:
        return []
    return [Note("weights", f"the weights sum to {whole:g}, not to 1: the score is not on the usual scale")]


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
