"""The formula: from precision and recall of each order to one float.

F = (1 + β²) P R / (β² P + R) weighs recall β times as much as precision (Popović 2015). This module defines every
float of a score; the kernel repeats its operations in the same order. Sums run over the orders from left to right, one
addition after the other, so that every Python computes the same bits. Products and quotients come in sacreBLEU's
sequence: the last bit may decide which reference is the best.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bleuprint.metrics.chrf.counting import ChrfCounting, ChrfStats


EPSILON = 1e-16
EFFECTIVE_ORDER, EACH_ORDER = "effective-order", "each-order"
EACH_ORDER_EPS, EACH_ORDER_NLTK = "each-order-eps", "each-order-nltk"


class Unit(StrEnum):
    """What n-grams are made of."""

    CHARACTERS = "characters"
    WORDS = "words"


def list_orders(counting: ChrfCounting) -> list[tuple[Unit, int]]:
    """List the orders in the order of the columns: characters, then words."""
    return [
        (unit, order)
        for unit, highest in ((Unit.CHARACTERS, counting.char_order), (Unit.WORDS, counting.word_order))
        for order in range(1, highest + 1)
    ]


class ChrfZero(StrEnum):
    """Why nothing can match; each reads as the end of a sentence, ``NONE`` as nothing."""

    NONE = ""
    EMPTY_CANDIDATE = "the candidate is empty"
    EMPTY_REFERENCE = "the reference is empty"
    NOTHING_MATCHES = "nothing matches"


class ChrfTerm(NamedTuple):
    """What one order brings into the formula."""

    unit: Unit
    order: int
    precision: float | None
    """matches / n-grams of the candidate, or what the recipe puts in its place; None where the order has no part"""
    recall: float | None
    """the same with the reference's n-grams"""
    f: float
    """F of this order alone; with effective order it is only shown"""


class ChrfCombination(NamedTuple):
    """Everything the formula computed."""

    terms: tuple[ChrfTerm, ...]
    precision: float | None
    recall: float | None
    """the means that F was made of, with effective order; None where F of each order was averaged"""
    score: float
    """on 0 to 100"""
    zero_because: ChrfZero
    """why nothing matches, ``ChrfZero.NONE`` where something does; the score is then 0, or a tiny number"""

    @property
    def fraction(self) -> float:
        """The score on 0 to 1."""
        return self.score / 100.0


def combine(stats: ChrfStats, counting: ChrfCounting) -> ChrfCombination:
    """Compute chrF from statistics that were counted by these choices."""
    factor = counting.beta * counting.beta
    counts = zip(list_orders(counting), stats.matches, stats.candidate, stats.reference, strict=True)
    terms = tuple(
        _make_term(unit, order, (matches, candidate, reference), factor, counting.averaging)
        for (unit, order), matches, candidate, reference in counts
    )
    zero = _reason_for_zero(stats)
    if counting.averaging == EFFECTIVE_ORDER:
        precision, recall = _average(terms)
        return ChrfCombination(terms, precision, recall, 100.0 * weigh(precision, recall, factor), zero)
    total = 0.0
    for term in terms:
        total += term.f
    return ChrfCombination(terms, None, None, 100.0 * total / len(terms), zero)


def weigh(precision: float, recall: float, factor: float, nothing: float = 0.0) -> float:
    """Give F of a precision and a recall, ``factor`` being β²; ``nothing`` where both are 0."""
    denominator = factor * precision + recall
    return (1.0 + factor) * precision * recall / denominator if denominator > 0 else nothing


def _make_term(unit: Unit, order: int, counts: tuple[int, int, int], factor: float, averaging: str) -> ChrfTerm:
    matches, candidate, reference = counts
    if averaging == EACH_ORDER_EPS:
        precision = matches / candidate if candidate else EPSILON
        recall = matches / reference if reference else EPSILON
        return ChrfTerm(unit, order, precision, recall, weigh(precision, recall, factor, EPSILON))
    nothing = EPSILON if averaging == EACH_ORDER_NLTK else 0.0
    if not candidate or not reference:
        return ChrfTerm(unit, order, None, None, nothing)
    precision, recall = matches / candidate, matches / reference
    return ChrfTerm(unit, order, precision, recall, weigh(precision, recall, factor, nothing))


def _average(terms: tuple[ChrfTerm, ...]) -> tuple[float, float]:
    """Average precisions and recalls over the orders of which both sides have n-grams."""
    precision = recall = 0.0
    orders = 0
    for term in terms:
        if term.precision is not None and term.recall is not None:
            precision += term.precision
            recall += term.recall
            orders += 1
    return (precision / orders, recall / orders) if orders else (0.0, 0.0)


def _reason_for_zero(stats: ChrfStats) -> ChrfZero:
    if any(stats.matches):
        return ChrfZero.NONE
    if stats.candidate_length == 0:
        return ChrfZero.EMPTY_CANDIDATE
    return ChrfZero.EMPTY_REFERENCE if stats.reference_length == 0 else ChrfZero.NOTHING_MATCHES
