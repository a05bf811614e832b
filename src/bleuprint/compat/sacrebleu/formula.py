"""sacreBLEU's own arithmetic, operation by operation, so that its numbers come out to the last bit.

bleuprint defines its floats in the rooms of its metrics; there a perfect score of BLEU is exactly 100. sacreBLEU takes
logarithms of percentages, which makes it 100.00000000000004, and adds k to the counts that it returns. A drop-in must
do the same, so these operations stand here, apart, and nothing but ``compat`` and ``acceleration`` uses them.
The counts may be NumPy's numbers; the same operations then round as they do in sacreBLEU's resampling.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence
from typing import Any, NamedTuple

SMOOTHING_VALUES: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
"""The smoothing methods, each with its usual value where it has one."""
LOG_OF_ZERO = -9999999999
EPSILON = 1e-16


class Smoothed(NamedTuple):
    """Precisions in percent, and the highest order that has n-grams with all orders below it (0 if there is none)."""

    precisions: list[Any]
    reached: int


def brevity(candidate_length: int, reference_length: int) -> float:
    """Compute the brevity penalty; two empty sides have none."""
    if candidate_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / candidate_length) if candidate_length > 0 else 0.0


def smooth(
    matches: MutableSequence[Any], totals: MutableSequence[Any], order: int, method: str, value: float | None
) -> Smoothed:
    """Give each order its precision; ``add-k`` changes the counts in place, as callers of sacreBLEU may rely on."""
    precisions: list[Any] = [0.0] * order
    divisor = 1.0
    for place in range(order):
        if method == "add-k" and place > 0:
            matches[place] += value
            totals[place] += value
        if totals[place] == 0:
            return Smoothed(precisions, place)
        if matches[place] != 0:
            precisions[place] = 100.0 * matches[place] / totals[place]
        elif method == "exp":
            divisor *= 2
            precisions[place] = 100.0 / (divisor * totals[place])
        elif method == "floor":
            precisions[place] = 100.0 * value / totals[place]  # type: ignore[operator]
    return Smoothed(precisions, len(precisions))


def combine(precisions: Sequence[Any], orders: int, brevity_penalty: float) -> float:
    """Take the geometric mean of the first ``orders`` precisions, times the brevity penalty."""
    # sum() on purpose: how it rounds depends on the Python, here as there
    logarithms = [math.log(precision) if precision != 0.0 else LOG_OF_ZERO for precision in precisions[:orders]]
    return brevity_penalty * math.exp(sum(logarithms) / orders)


def weigh_orders(counts: Sequence[Any], orders: int, beta: float, each_order: bool) -> Any:
    """Compute chrF of three numbers for each order: n-grams of the candidate, of the reference, and matches.

    With ``each_order`` it is the mean of every order's F; else F of mean precision and mean recall over the orders of
    which both sides have n-grams.
    """
    factor = beta**2
    total = mean_precision = mean_recall = 0.0
    effective = 0
    for place in range(orders):
        candidate, reference, matches = counts[3 * place : 3 * place + 3]
        precision = matches / candidate if candidate > 0 else EPSILON
        recall = matches / reference if reference > 0 else EPSILON
        denominator = factor * precision + recall
        total += (1 + factor) * precision * recall / denominator if denominator > 0 else EPSILON
        if candidate > 0 and reference > 0:
            mean_precision += precision
            mean_recall += recall
            effective += 1
    if each_order:
        return 100 * total / orders
    if not effective or not mean_precision + mean_recall:
        return 0.0
    mean_precision /= effective
    mean_recall /= effective
    return 100 * ((1 + factor) * mean_precision * mean_recall / (factor * mean_precision + mean_recall))
