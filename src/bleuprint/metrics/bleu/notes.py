"""Notes: why a score is not what one may have expected. Rating: what a corpus score is usually taken to mean.

Notes that need the texts are in ``scoring/text_notes.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.metrics.bleu.counting import BleuStats, Census
from bleuprint.metrics.bleu.formula import Combination, Settled, ZeroReason, combine
from bleuprint.metrics.bleu.recipe import ONE_SEGMENT_ONLY, BleuRecipe, Smoothing, uniform_weights
from bleuprint.metrics.score import Note
from bleuprint.wording import count_of, format_fraction, format_score, join_words, name_orders

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.score import BleuScore

SHORT_CORPUS = 100
"""Under this many candidate tokens a corpus score says little."""


class NoteBasis(NamedTuple):
    """What notes are made from."""

    stats: BleuStats
    recipe: BleuRecipe
    combination: Combination
    census: Census
    level: str

    @property
    def is_corpus(self) -> bool:
        """Whether there may be several segments."""
        return self.level != "segment"

    @property
    def counts(self) -> BleuStats:
        """The statistics of the orders up to N."""
        return self.stats.up_to(self.recipe.order)

    @property
    def label(self) -> str:
        """``BLEU-4`` for N = 4."""
        return self.recipe.label

    def under(self, **changes: object) -> str:
        """Print the score that these statistics would have under a changed recipe."""
        return format_score(100 * combine(self.stats, self.recipe.with_choices(changes)).fraction)

    def unsmoothed(self, **changes: object) -> str:
        """Print the score without smoothing, which is 0 if an order has no match."""
        return self.under(smoothing=Smoothing(), unmatched_order="zero", **changes)


def statistics_notes(basis: NoteBasis) -> list[Note]:
    """Write every note that the statistics alone give reason for."""
    notes = [*_note_zero(basis), *_note_scored_empty(basis), *_note_empties(basis)]
    if not basis.combination.zero_because:
        notes += [*_note_absent(basis), *_note_unmatched(basis), *_note_added(basis), *_note_blended(basis)]
        notes += _note_above_hundred(basis)
    return [
        *notes,
        *_note_short_segments(basis),
        *_note_brevity(basis),
        *_note_corpus(basis),
        *_note_weights(basis),
    ]


def _note_zero(basis: NoteBasis) -> list[Note]:
    reason = basis.combination.zero_because
    if reason is ZeroReason.EMPTY_CANDIDATE:
        return [Note("empty-candidate", f"there is not a single token in the candidate: {basis.label} is 0")]
    if reason is ZeroReason.EMPTY_REFERENCE:
        return [Note("empty-reference", f"there is not a single token in the reference: {basis.label} is 0")]
    if reason is ZeroReason.NOTHING_MATCHES:
        text = f"no token of the candidate occurs in a reference: {basis.label} is 0, whatever the smoothing"
        return [Note("no-match", text)]
    if reason is ZeroReason.UNMATCHED_ORDER:
        orders = [n for n, matches in enumerate(basis.counts.matches, start=1) if not matches]
        text = f"no {name_orders(orders, plural=False)} matches: this recipe gives 0 before any smoothing"
        return [Note("no-match", text)]
    if reason.tool_stops:
        return [Note("no-trigram", f"{reason}: {basis.label} is 0, where NLTK stops with an error")]
    if reason:
        return [Note("all-dropped", f"{reason}: {basis.label} is 0")]
    return []


def _note_scored_empty(basis: NoteBasis) -> list[Note]:
    """Tell of a recipe that has a score for texts without tokens."""
    if basis.recipe.nothing_matches != "smoothed-empty" or basis.is_corpus:
        return []
    lengths = (("candidate", basis.stats.candidate_length), ("reference", basis.stats.reference_length))
    text = "there is not a single token in the {}, and this recipe scores it all the same"
    return [Note(f"empty-{name}", text.format(name)) for name, length in lengths if not length]


def _note_empties(basis: NoteBasis) -> list[Note]:
    census, notes = basis.census, []
    nothing_to_score = (ZeroReason.EMPTY_CANDIDATE, ZeroReason.EMPTY_REFERENCE)
    if not basis.is_corpus or basis.combination.zero_because in nothing_to_score:
        return []
    if census.empty_candidates:
        verb, adds = ("is", "it adds") if census.empty_candidates == 1 else ("are", "they add")
        text = f"{census.empty_candidates:,} of {count_of(census.segments, 'candidate')} {verb} empty: {adds} "
        if basis.recipe.segment_totals == "exact":
            text += "no n-grams, only reference length, which the brevity penalty punishes"
        else:
            text += "reference length, and to every order an n-gram that cannot match"
        notes.append(Note("empty-candidates", text))
    if census.empty_references:
        verb = "is" if census.empty_references == 1 else "are"
        text = (
            f"{census.empty_references:,} of {count_of(census.segments, 'segment')} {verb} held against an empty "
            "reference: the reference length there counts as 0"
        )
        notes.append(Note("empty-references", text))
    return notes


def _note_absent(basis: NoteBasis) -> list[Note]:
    """Explain orders that no candidate is long enough for."""
    orders = [n for n, total in enumerate(basis.counts.totals, start=1) if not total and basis.recipe.weights[n - 1]]
    if not orders:
        return []
    longest = basis.stats.totals.index(0)
    if basis.is_corpus:
        who = f"no candidate has more than {count_of(longest, 'token')}, so there are"
    else:
        who = f"the candidate has {count_of(longest, 'token')}, so it has"
    what = f"{who} no {name_orders(orders)}"
    terms = [basis.combination.terms[order - 1] for order in orders]
    if terms[0].smoothed is None:
        zero = basis.label
        if basis.recipe.across_orders == "mean":
            zero = join_words(_labels_from(basis, orders[0]))
        outcome = f"they are left out (effective order); counted, they would make {zero} 0"
    elif terms[0].smoothed == 0.0 and basis.recipe.across_orders == "mean":
        outcome = f"{_name_zeros(basis, orders[0])} in the mean by definition"
    elif terms[0].smoothed == 0.0:
        outcome = f"{basis.label} is 0 by definition; with effective order it is {basis.under(absent_order='drop')}"
    elif terms[0].rule is Settled.ABSENT_IS_ONE:
        outcome = f"they count as precision 1; with effective order {basis.label} is {basis.under(absent_order='drop')}"
    else:
        values = ", ".join(f"p{term.order} = {format_fraction(term.smoothed or 0)}" for term in terms)
        outcome = (
            f"{basis.recipe.smoothing} smoothing set {values}; without smoothing {basis.label} is "
            f"{basis.unsmoothed()}, with effective order instead {basis.unsmoothed(absent_order='drop')}"
        )
    return [Note("absent-orders", f"{what}: {outcome}")]


def _note_unmatched(basis: NoteBasis) -> list[Note]:
    """Explain orders that have n-grams but no match."""
    stats = basis.stats
    weighted = [n for n, weight in enumerate(basis.recipe.weights, start=1) if weight]
    orders = [n for n in weighted if stats.totals[n - 1] and not stats.matches[n - 1]]
    if not orders or basis.recipe.smoothing.kind.startswith("add-k"):
        return []
    terms = [basis.combination.terms[order - 1] for order in orders]
    if terms[0].smoothed == 0.0 and basis.recipe.across_orders == "mean":
        outcome = f"{_name_zeros(basis, orders[0])} in the mean"
    elif terms[0].smoothed == 0.0:
        outcome = f"{basis.label} is 0"
        if basis.recipe.smoothing.kind == "none":
            outcome += f"; with exp smoothing it is {basis.under(smoothing=Smoothing('exp'))}"
    elif terms[0].rule is Settled.SMALLEST_FLOAT:
        outcome = "NLTK puts the smallest float in their place, so the score is a tiny number instead of 0"
    elif terms[0].rule is Settled.SKIPPED:
        outcome = "this recipe skips them, which counts them as precision 1"
    else:
        values = ", ".join(f"p{term.order} = {format_fraction(term.smoothed or 0)}" for term in terms)
        outcome = f"{basis.recipe.smoothing} smoothing set {values}; without smoothing {basis.label} is "
        outcome += basis.unsmoothed()
    return [Note("unmatched-orders", f"no {name_orders(orders, plural=False)} matches: {outcome}")]


def _name_zeros(basis: NoteBasis, first: int) -> str:
    """Say which scores are 0 where an order is: ``BLEU-3 and BLEU-4 count as 0``."""
    names = _labels_from(basis, first)
    return f"{join_words(names)} {'counts' if len(names) == 1 else 'count'} as 0"


def _labels_from(basis: NoteBasis, first: int) -> list[str]:
    return [f"BLEU-{order}" for order in range(first, basis.recipe.order + 1)]


def _note_added(basis: NoteBasis) -> list[Note]:
    """Explain add-k, which changes every order that it touches."""
    if not basis.recipe.smoothing.kind.startswith("add-k"):
        return []
    first = 1 if basis.recipe.smoothing.kind == "add-k-all" else 2
    if basis.recipe.order < first:
        return []
    text = (
        f"{basis.recipe.smoothing} smoothing changed the precisions from order {first} on; "
        f"without smoothing {basis.label} is {basis.unsmoothed()}"
    )
    return [Note("smoothing-added", text)]


def _note_blended(basis: NoteBasis) -> list[Note]:
    """Explain NLTK's methods 5 to 7, which change precisions that need no smoothing."""
    if basis.recipe.smoothing.kind not in ONE_SEGMENT_ONLY:
        return []
    first = 3 if basis.recipe.smoothing.kind == "nltk-method6" else 1
    text = (
        f"{basis.recipe.smoothing} smoothing changed the precisions from order {first} on, whether they needed it "
        f"or not; without smoothing {basis.label} is {basis.unsmoothed()}"
    )
    return [Note("smoothing-blended", text)]


def _note_above_hundred(basis: NoteBasis) -> list[Note]:
    if basis.combination.fraction <= 1:
        return []
    return [Note("above-hundred", "this smoothing counts precisions above 1, so the score exceeds 100")]


def _note_short_segments(basis: NoteBasis) -> list[Note]:
    """Explain NLTK's totals, the usual reason why its corpus scores differ."""
    census, order = basis.census, basis.recipe.order
    short = census.short[order - 1]
    if basis.recipe.segment_totals != "at-least-1" or not short or basis.combination.zero_because:
        return []
    verb = "is" if short == 1 else "are"
    who = f"{short:,} of {count_of(census.segments, 'candidate')} {verb} shorter than {order} tokens"
    if not basis.is_corpus:
        who = f"the candidate has {count_of(basis.stats.candidate_length, 'token')}"
    text = (
        f"{who}: this recipe, as NLTK, counts at least one n-gram of every order for each segment, "
        "one that cannot match, where other tools count none"
    )
    return [Note("short-segments", text)]


def _note_brevity(basis: NoteBasis) -> list[Note]:
    stats, penalty = basis.stats, basis.combination.brevity_penalty
    if not 0 < penalty < 0.5 or not basis.combination.fraction:
        return []
    text = (
        f"the candidate has {count_of(stats.candidate_length, 'token')}, the reference {stats.reference_length:,}: "
        f"the brevity penalty of {format_fraction(penalty)} takes more than half of the score"
    )
    return [Note("much-shorter", text)]


def _note_corpus(basis: NoteBasis) -> list[Note]:
    length = basis.stats.candidate_length
    if not basis.is_corpus or not 0 < length < SHORT_CORPUS:
        return []
    text = f"the {basis.level} has only {count_of(length, 'token')}: one word can move BLEU by several points"
    return [Note("short-corpus", text)]


def _note_weights(basis: NoteBasis) -> list[Note]:
    whole = sum(basis.recipe.weights)
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
