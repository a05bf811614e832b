"""The formula: BLEU = BP · exp(Σ wₙ log pₙ), from whole numbers to the one float that people quote.

Every float of a score is made here and in ``smoothing.py``. Sums run from order 1 upwards, one addition after the
other (not with ``sum``, whose rounding changed in Python 3.12), so that every Python gives the same bits.
"""

import math
import sys
from enum import StrEnum
from typing import NamedTuple

from bleuprint.errors import RecipeError
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.metrics.bleu.smoothing import Precision, smooth
from bleuprint.metrics.bleu.stats import BleuStats

HIGHEST_LOG = 700
"""exp(700) times 100 is still a float. Only nltk-method6 can get there: its precisions grow from order to order."""


class ZeroReason(StrEnum):
    """Why a score is 0 before the formula is reached; each reads as the end of a sentence, ``NONE`` as nothing."""

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
        """Whether the tool that the recipe stands for gives no number here, but stops with an error."""
        return self in (ZeroReason.NO_TRIGRAM, ZeroReason.NO_TRIGRAMS_COUNTED)


class Settled(StrEnum):
    """How the recipe settles what smoothing left open; each reads as the rule that made a precision."""

    DROPPED = "absent, dropped"
    ABSENT_IS_ZERO = "absent, counts as 0"
    ABSENT_IS_ONE = "absent, counts as 1"
    SMALLEST_FLOAT = "smallest float"
    SKIPPED = "no match, skipped"


class OrderTerm(NamedTuple):
    """What one order brings into the formula."""

    order: int
    precision: float
    """matches / total as counted, 0 for an absent order"""
    smoothed: float | None
    """the precision that the formula used, None where the order was dropped"""
    rule: str
    """how the smoothed precision was made: in words, or ``Settled`` where the recipe and not smoothing did it"""
    weight: float
    """the weight that the formula used: 0 where the order was dropped"""


class Combination(NamedTuple):
    """Everything the formula computed."""

    terms: tuple[OrderTerm, ...]
    brevity_penalty: float
    log_mean: float
    """Σ wₙ log pₙ; minus infinity when an order with weight is 0"""
    geometric_mean: float
    fraction: float
    zero_because: ZeroReason
    """why the score was 0 before the formula was reached, ``ZeroReason.NONE`` where it was reached"""


def combine(stats: BleuStats, recipe: BleuRecipe) -> Combination:
    """Compute BLEU from statistics, counted at least as far as the recipe's counted order."""
    brevity_penalty = brevity(stats.candidate_length, stats.reference_length)
    zero_because = _reason_for_zero(stats, recipe)
    if zero_because:
        counted = stats.up_to(recipe.order)
        terms = tuple(
            OrderTerm(order, divide(matches, total), 0.0, zero_because.value, weight)
            for order, (matches, total, weight) in enumerate(
                zip(counted.matches, counted.totals, recipe.weights, strict=True), start=1
            )
        )
        return Combination(terms, brevity_penalty, -math.inf, 0.0, 0.0, zero_because)
    terms = _order_terms(stats, recipe)
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
        where=f"recipe, weights with smoothing {recipe.smoothing}",
        wanted="a score that a float can hold",
        got=f"exp({log_mean:.0f})",
        next_step="NLTK stops here, too. Choose a smaller order, or weights that sum to 1.",
    )


def score_stats(stats: BleuStats, recipe: BleuRecipe) -> float:
    """Give BLEU on 0 to 100, as ``combine`` computes it."""
    return 100.0 * combine(stats, recipe).fraction


def brevity(candidate_length: int, reference_length: int) -> float:
    """Compute the brevity penalty: 1 if the candidate is long enough, else exp(1 - r/c); 0 for an empty candidate."""
    if candidate_length == 0:
        return 0.0
    return 1.0 if candidate_length >= reference_length else math.exp(1 - reference_length / candidate_length)


def divide(matches: int, total: int) -> float:
    """Divide matches by totals; 0 for an absent order."""
    return matches / total if total else 0.0


def reason_to_stop(stats: BleuStats, recipe: BleuRecipe) -> str:
    """Say why the tool that the recipe stands for stops with an error on these statistics; empty if it does not."""
    reason = _reason_for_zero(stats, recipe)
    return reason.value if reason.tool_stops else ""


def _reason_for_zero(stats: BleuStats, recipe: BleuRecipe) -> ZeroReason:
    """Say why the score is 0 whatever the smoothing, or nothing."""
    if stats.candidate_length == 0:
        return ZeroReason.EMPTY_CANDIDATE
    if not any(stats.matches):
        if stats.reference_length == 0:
            return ZeroReason.EMPTY_REFERENCE
        if recipe.nothing_matches != "smoothed":
            return ZeroReason.NOTHING_MATCHES
    if recipe.nothing_matches == "zero-if-any" and not all(stats.matches[: recipe.order]):
        return ZeroReason.UNMATCHED_ORDER
    if recipe.smoothing.kind == "nltk-method6":
        if recipe.order < 3:
            return ZeroReason.NO_TRIGRAMS_COUNTED
        if not stats.matches[2]:
            return ZeroReason.NO_TRIGRAM
    return ZeroReason.NONE


def _order_terms(stats: BleuStats, recipe: BleuRecipe) -> tuple[OrderTerm, ...]:
    """Settle what each order counts for: smoothed, and then the recipe's rules for what smoothing left open."""
    settled = [_settle(precision, recipe) for precision in smooth(stats, recipe.smoothing, recipe.order)]
    kept = whole = 0.0
    for precision, weight in zip(settled, recipe.weights, strict=True):
        whole += weight
        kept += weight if precision.value is not None else 0.0
    terms = []
    for order, (precision, weight) in enumerate(zip(settled, recipe.weights, strict=True), start=1):
        counted = divide(stats.matches[order - 1], stats.totals[order - 1])
        used = 0.0
        if precision.value is not None and kept:
            used = weight if kept == whole else weight / kept * whole
        terms.append(OrderTerm(order, counted, precision.value, precision.rule, used))
    return tuple(terms)


def _settle(precision: Precision, recipe: BleuRecipe) -> Precision:
    if precision.value is None:
        if recipe.absent_order == "drop":
            return Precision(None, Settled.DROPPED)
        return (
            Precision(1.0, Settled.ABSENT_IS_ONE)
            if recipe.absent_order == "one"
            else Precision(0.0, Settled.ABSENT_IS_ZERO)
        )
    if precision.value == 0.0:
        if recipe.unmatched_order == "smallest-float":
            return Precision(sys.float_info.min, Settled.SMALLEST_FLOAT)
        if recipe.unmatched_order == "skip":
            return Precision(1.0, Settled.SKIPPED)
    return precision
