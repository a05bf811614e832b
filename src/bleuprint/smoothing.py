"""Smoothing: the precision of each order, from its counts, by the recipe's rule.

Without smoothing one order without a match makes BLEU zero. The rules here replace such precisions (epsilon, floor,
exp and NLTK's method4; Chen and Cherry 2014 compare them) or add to all counts (add-k; Lin and Och 2004).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from bleuprint.axes import Smoothing
from bleuprint.stats import BleuStats


class Precision(NamedTuple):
    """The precision of one order after smoothing, and the rule that made it.

    ``value`` is None while the order is absent (no n-grams at all) and no rule has filled it.
    """

    value: float | None
    rule: str


def smooth(stats: BleuStats, smoothing: Smoothing) -> list[Precision]:
    """Give every order its precision."""
    precisions = []
    unmatched = 0
    for order, (matches, total) in enumerate(zip(stats.matches, stats.totals, strict=True), start=1):
        if smoothing.kind.startswith("add-k") and (order > 1 or smoothing.kind == "add-k-all"):
            precisions.append(_add(matches, total, smoothing.value or 0.0))
        elif matches or smoothing.kind == "none":
            precisions.append(_count(matches, total))
        else:
            unmatched += 1
            precisions.append(_fill(total, unmatched, stats.candidate_length, smoothing))
    return precisions


def _count(matches: int, total: int) -> Precision:
    return Precision(matches / total, "matches / total") if total else Precision(None, "absent")


def _add(matches: int, total: int, k: float) -> Precision:
    return Precision((matches + k) / (total + k), f"(matches + {k:g}) / (total + {k:g})")


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
        value = min(1.0, math.log(length) / (2**unmatched * value) / total)
        return Precision(value, f"ln(candidate length) / (2^{unmatched} {smoothing.value:g}) / total")
    return _count(0, total)
