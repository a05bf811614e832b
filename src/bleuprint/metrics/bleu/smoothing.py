"""Smoothing: the precision of each order, from its counts, by the recipe's rule.

Without smoothing one order without a match makes BLEU zero. The rules here replace such precisions (epsilon, floor,
exp and NLTK's method4; Chen and Cherry 2014 compare them), add to all counts (add-k; Lin and Och 2004; coco, to divide
by zero nowhere), or mix each precision with those beside it (NLTK's methods 5 to 7). NLTK's methods 4 to 7 may make a
precision exceed 1.
"""

import math
from typing import NamedTuple

from bleuprint.metrics.bleu.axes import COCO_MATCHES, COCO_TOTALS, NEIGHBOUR, Smoothing
from bleuprint.metrics.bleu.stats import BleuStats


class Precision(NamedTuple):
    """The precision of one order after smoothing, and the rule that made it.

    ``value`` is None while the order is absent (no n-grams at all) and no rule has filled it.
    """

    value: float | None
    rule: str


def smooth(stats: BleuStats, smoothing: Smoothing, highest: int) -> list[Precision]:
    """Give every order up to the highest its precision."""
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
    """Give a precision to the ``unmatched``-th order without a match."""
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
