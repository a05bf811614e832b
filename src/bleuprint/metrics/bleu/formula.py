"""The formula: BLEU = BP · exp(Σ wₙ log pₙ), from integers to one float.

This module defines every float of a score; the kernel repeats its operations in the same order. Sums run from order 1
upwards, one addition after the other (not with ``sum``, whose rounding changed in Python 3.12), so that every Python
computes the same bits.

Without smoothing one order without a match makes BLEU zero. The rules of smoothing replace such precisions (epsilon,
floor, exp and NLTK's method4; Chen and Cherry 2014 compare them), add to all counts (add-k; Lin and Och 2004; coco, to
divide by zero nowhere), or mix each precision with those next to it (NLTK's methods 5 to 7). NLTK's methods 4 to 7 may
make a precision exceed 1.
"""

import math
import sys
from enum import StrEnum
from typing import NamedTuple

from bleuprint.errors import Location, RecipeError
from bleuprint.metrics.bleu.counting import BleuStats
from bleuprint.metrics.bleu.recipe import COCO_MATCHES, COCO_TOTALS, NEIGHBOUR, BleuRecipe, Smoothing, uniform_weights

HIGHEST_LOG = 700
"""exp(700) times 100 is still a float. Only nltk-method6 can get there: its precisions grow from order to order."""


class Precision(NamedTuple):
    """The precision of one order after smoothing, and the rule that made it.

    ``value`` is None while the order is absent (no n-grams at all) and no rule has filled it.
    """

    value: float | None
    rule: str


class ZeroReason(StrEnum):
    """Why a score is 0 without the formula. Each value can end a sentence; ``NONE`` is empty."""

    NONE = ""
    EMPTY_CANDIDATE = "the candidate is empty"
    EMPTY_REFERENCE = "the reference is empty"
    NOTHING_MATCHES = "nothing matches"
    UNMATCHED_ORDER = "an order has no match"
    NO_TRIGRAM = "no trigram matches, which nltk-method6 starts from"
    NO_TRIGRAMS_COUNTED = "N is below 3, and nltk-method6 starts from trigrams"
    ALL_DROPPED = "every order with a weight was dropped"

    @property
    def tool_stops(self) -> bool:
        """Whether the recipe's tool raises an error here instead of returning a number."""
        return self in (ZeroReason.NO_TRIGRAM, ZeroReason.NO_TRIGRAMS_COUNTED)


class Settled(StrEnum):
    """How the recipe sets a precision that smoothing left open. Each value names the rule."""

    DROPPED = "absent, dropped"
    ABSENT_IS_ZERO = "absent, counts as 0"
    ABSENT_IS_ONE = "absent, counts as 1"
    SMALLEST_FLOAT = "smallest float"
    SMALLEST_FLOAT_SHARE = "smallest float / total"
    SKIPPED = "no match, skipped"


class OrderTerm(NamedTuple):
    """The term of one order in the formula."""

    order: int
    precision: float
    """matches / total as counted, 0 for an absent order"""
    smoothed: float | None
    """the precision that the formula used, None if the order was dropped"""
    rule: str
    """how the smoothed precision was computed: a formula, or ``Settled`` if an option of the recipe decided it"""
    weight: float
    """the weight that the formula used: 0 if the order was dropped"""


class Combination(NamedTuple):
    """Everything the formula computed."""

    terms: tuple[OrderTerm, ...]
    brevity_penalty: float
    log_mean: float
    """Σ wₙ log pₙ, or the logarithm of the mean; minus infinity when that is 0"""
    geometric_mean: float
    """the weighted geometric mean of the precisions, or the mean of several"""
    fraction: float
    zero_because: ZeroReason
    """why the score is 0 without the formula; ``ZeroReason.NONE`` if the formula was used"""
    means: tuple[float, ...] = ()
    """the geometric means of BLEU-1, BLEU-2 and so on, if their mean is the score"""

    @property
    def score(self) -> float:
        """The score on 0 to 100."""
        return 100.0 * self.fraction


def combine(stats: BleuStats, recipe: BleuRecipe) -> Combination:
    """Compute BLEU from statistics, counted at least as far as the recipe's counted order."""
    if recipe.across_orders == "mean":
        return _average([_combine(stats, recipe, weights) for weights in _weights_up_to(recipe)])
    return _combine(stats, recipe, recipe.weights)


def _weights_up_to(recipe: BleuRecipe) -> list[tuple[float, ...]]:
    """Return the weights of BLEU-1 to BLEU-N: equal ones, or the first weights of the recipe in proportion."""
    weights, orders = recipe.weights, range(1, recipe.order + 1)
    if weights == uniform_weights(recipe.order):
        return [uniform_weights(order) for order in orders]
    sums = [math.fsum(weights[:order]) for order in orders]
    return [
        tuple(weight / sums[order - 1] * sums[-1] if sums[order - 1] else 0.0 for weight in weights[:order])
        for order in orders
    ]


def _average(parts: list[Combination]) -> Combination:
    """Take the mean of BLEU-1 to BLEU-N; the precisions are those of the last."""
    fraction = mean = 0.0
    for part in parts:
        fraction += part.fraction
        mean += part.geometric_mean
    fraction, mean = fraction / len(parts), mean / len(parts)
    reasons = [part.zero_because for part in parts]
    stops = next((reason for reason in reasons if reason.tool_stops), None)
    return parts[-1]._replace(
        log_mean=math.log(mean) if mean else -math.inf,
        geometric_mean=mean,
        fraction=0.0 if stops else fraction,
        zero_because=stops or (reasons[-1] if all(reasons) else ZeroReason.NONE),
        means=tuple(part.geometric_mean for part in parts),
    )


def _combine(stats: BleuStats, recipe: BleuRecipe, weights: tuple[float, ...]) -> Combination:
    """Compute BLEU of as many orders as there are weights."""
    brevity_penalty = brevity(stats.candidate_length, stats.reference_length, recipe.brevity)
    zero_because = _reason_for_zero(stats, recipe, len(weights))
    if zero_because:
        counted = stats.up_to(len(weights))
        counts = zip(counted.matches, counted.totals, weights, strict=True)
        terms = tuple(
            OrderTerm(order, divide(matches, total), 0.0, zero_because.value, weight)
            for order, (matches, total, weight) in enumerate(counts, start=1)
        )
        return Combination(terms, brevity_penalty, -math.inf, 0.0, 0.0, zero_because)
    terms = _order_terms(stats, recipe, weights)
    if not any(term.weight for term in terms):
        return Combination(terms, brevity_penalty, -math.inf, 0.0, 0.0, ZeroReason.ALL_DROPPED)
    log_mean = 0.0
    for term in terms:
        if term.weight:
            log_mean += term.weight * (math.log(term.smoothed) if term.smoothed else -math.inf)
    geometric_mean = _exponential(log_mean, recipe)
    return Combination(
        terms, brevity_penalty, log_mean, geometric_mean, brevity_penalty * geometric_mean, ZeroReason.NONE
    )


def _exponential(log_mean: float, recipe: BleuRecipe) -> float:
    if log_mean <= HIGHEST_LOG:
        return math.exp(log_mean)
    raise RecipeError(
        f"A float cannot hold this score: exp({log_mean:.0f}), with smoothing {recipe.smoothing}.",
        "NLTK raises an error, too. Choose a smaller order, or weights that sum to 1.",
        location=Location("recipe", option="weights"),
    )


def brevity(candidate_length: int, reference_length: int, rule: str = "exact") -> float:
    """Compute the brevity penalty: 1 if the candidate is long enough, else exp(1 - r/c); 0 for an empty candidate.

    Other rules add something to both lengths, so that empty texts need no rule of their own.
    """
    if rule == "plus-1":
        return math.exp(min(0.0, 1 - (reference_length + 1) / (candidate_length + 1)))
    if rule == "coco":
        ratio = (candidate_length + COCO_MATCHES) / (reference_length + COCO_TOTALS)
        return math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    if candidate_length == 0:
        return 0.0
    return 1.0 if candidate_length >= reference_length else math.exp(1 - reference_length / candidate_length)


def divide(matches: int, total: int) -> float:
    """Divide matches by totals; 0 for an absent order."""
    return matches / total if total else 0.0


def reason_to_stop(stats: BleuStats, recipe: BleuRecipe) -> str:
    """Return why the recipe's tool raises an error on these statistics, or an empty string if it does not."""
    orders = range(1 if recipe.across_orders == "mean" else recipe.order, recipe.order + 1)
    reasons = (_reason_for_zero(stats, recipe, order) for order in orders)
    return next((reason.value for reason in reasons if reason.tool_stops), "")


def _reason_for_zero(stats: BleuStats, recipe: BleuRecipe, highest: int) -> ZeroReason:
    """Return why the score of the orders up to ``highest`` is 0 with any smoothing, or ``ZeroReason.NONE``."""
    if recipe.nothing_matches == "smoothed-empty":
        return _reason_not_to_start(stats, recipe, highest)
    if stats.candidate_length == 0:
        return ZeroReason.EMPTY_CANDIDATE
    if not any(stats.matches[: recipe.order]):
        if stats.reference_length == 0:
            return ZeroReason.EMPTY_REFERENCE
        if recipe.nothing_matches != "smoothed":
            return ZeroReason.NOTHING_MATCHES
    if recipe.nothing_matches == "zero-if-any" and not all(stats.matches[:highest]):
        return ZeroReason.UNMATCHED_ORDER
    return _reason_not_to_start(stats, recipe, highest)


def _reason_not_to_start(stats: BleuStats, recipe: BleuRecipe, highest: int) -> ZeroReason:
    """Return which n-grams are missing that NLTK's method6 starts from."""
    if recipe.smoothing.kind == "nltk-method6":
        if highest < 3:
            return ZeroReason.NO_TRIGRAMS_COUNTED
        if not stats.matches[2]:
            return ZeroReason.NO_TRIGRAM
    return ZeroReason.NONE


def _order_terms(stats: BleuStats, recipe: BleuRecipe, weights: tuple[float, ...]) -> tuple[OrderTerm, ...]:
    """Compute the precision and the weight of each order. The recipe decides about orders that smoothing left open."""
    smoothed = smooth(stats, recipe.smoothing, len(weights))
    settled = [_settle(precision, total, recipe) for precision, total in zip(smoothed, stats.totals, strict=False)]
    kept = whole = 0.0
    for precision, weight in zip(settled, weights, strict=True):
        whole += weight
        kept += weight if precision.value is not None else 0.0
    terms = []
    for order, (precision, weight) in enumerate(zip(settled, weights, strict=True), start=1):
        counted = divide(stats.matches[order - 1], stats.totals[order - 1])
        used = 0.0
        if precision.value is not None and kept:
            used = weight if kept == whole else weight / kept * whole
        terms.append(OrderTerm(order, counted, precision.value, precision.rule, used))
    return tuple(terms)


_ABSENT = {
    "drop": Precision(None, Settled.DROPPED),
    "one": Precision(1.0, Settled.ABSENT_IS_ONE),
    "zero": Precision(0.0, Settled.ABSENT_IS_ZERO),
}


def _settle(precision: Precision, total: int, recipe: BleuRecipe) -> Precision:
    if precision.value is None:
        return _ABSENT[recipe.absent_order]
    if precision.value or recipe.unmatched_order == "zero":
        return precision
    if recipe.unmatched_order == "skip":
        return Precision(1.0, Settled.SKIPPED)
    if recipe.unmatched_order == "smallest-float":
        return Precision(sys.float_info.min, Settled.SMALLEST_FLOAT)
    return Precision(sys.float_info.min / max(1, total), Settled.SMALLEST_FLOAT_SHARE)


def smooth(stats: BleuStats, smoothing: Smoothing, highest: int) -> list[Precision]:
    """Return the smoothed precision of every order up to ``highest``."""
    counts = stats.up_to(highest)
    if smoothing.kind == "coco":
        return [_add_little(*pair) for pair in zip(counts.matches, counts.totals, strict=True)]
    if smoothing.kind == "nltk-method6":
        return _expect(counts, smoothing.value or 0.0)
    precisions = []
    unmatched = 0
    for order, (matches, total) in enumerate(zip(counts.matches, counts.totals, strict=True), start=1):
        if smoothing.kind.startswith("add-k") and (order > 1 or smoothing.kind == "add-k-all"):
            precisions.append(_add(matches, total, smoothing.value or 0.0))
        elif matches or smoothing.kind in ("none", "nltk-method5"):
            precisions.append(_count(matches, total))
        else:
            unmatched += 1
            precisions.append(_fill(total, unmatched, stats.candidate_length, smoothing))
    return _blend(precisions, stats) if smoothing.kind in ("nltk-method5", "nltk-method7") else precisions


def _blend(precisions: list[Precision], stats: BleuStats) -> list[Precision]:
    """Average each precision with the one before it, already averaged, and the one after it."""
    values = [precision.value or 0.0 for precision in precisions]
    after = [*values[1:], _count(stats.matches[NEIGHBOUR - 1], stats.totals[NEIGHBOUR - 1]).value or 0.0]
    names = [*range(2, len(values) + 1), NEIGHBOUR]
    before, blended = values[0] + 1, []
    for order, (value, following, name) in enumerate(zip(values, after, names, strict=True), start=1):
        before = (before + value + following) / 3
        left = "1 + p1" if order == 1 else f"smoothed p{order - 1}"
        blended.append(Precision(before, f"({left} + p{order} + p{name}) / 3"))
    return blended


def _expect(stats: BleuStats, alpha: float) -> list[Precision]:
    """From order 3 on, add ``alpha`` n-grams that match as often as the two orders before predict."""
    precisions = [_count(*counts) for counts in zip(stats.matches[:2], stats.totals[:2], strict=True)]
    for order, matches in enumerate(stats.matches[2:], start=3):
        first, second = ((precision.value or 0.0) for precision in precisions[-2:])
        expected = second * second / first if first else 0.0
        ngrams = max(0, stats.candidate_length - order + 1)
        rule = f"(matches + {alpha:g} p) / (n-grams + {alpha:g}), p = (smoothed p{order - 1})² / smoothed p{order - 2}"
        precisions.append(Precision((matches + alpha * expected) / (ngrams + alpha), rule))
    return precisions


def _count(matches: int, total: int) -> Precision:
    return Precision(matches / total, "matches / total") if total else Precision(None, "absent")


def _add(matches: int, total: int, k: float) -> Precision:
    return Precision((matches + k) / (total + k), f"(matches + {k:g}) / (total + {k:g})")


def _add_little(matches: int, total: int) -> Precision:
    rule = f"(matches + {COCO_MATCHES:g}) / (total + {COCO_TOTALS:g})"
    return Precision((matches + COCO_MATCHES) / (total + COCO_TOTALS), rule)


def _fill(total: int, unmatched: int, length: int, smoothing: Smoothing) -> Precision:
    """Return the smoothed precision of the ``unmatched``-th order without a match."""
    kind, value = smoothing.kind, smoothing.value or 0.0
    if kind == "epsilon":
        return Precision(value / max(1, total), f"{value:g} / max(1, total)")
    if not total or kind in ("add-k", "add-k-all"):
        return _count(0, total)
    if kind == "floor":
        return Precision(value / total, f"{value:g} / total")
    if kind == "exp":
        return Precision(1 / (2**unmatched * total), f"1 / (2^{unmatched} total)")
    if length > 1:
        filled = 1 / (2**unmatched * value / math.log(length)) / total  # NLTK's sequence of operations
        return Precision(filled, f"ln(candidate length) / (2^{unmatched} {value:g}) / total")
    return _count(0, total)
