"""The arithmetic of an explanation: everything that follows from the statistics alone, at any level."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from enum import StrEnum

from bleuprint.metrics.bleu.axes import AXES
from bleuprint.metrics.bleu.formula import Combination
from bleuprint.metrics.bleu.rating import Rating, Unrated, rate
from bleuprint.metrics.bleu.scores import BleuScore

AGREEMENT = 1e-9
TOO_SMALL = "the number is too small for a float"


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One order: what was counted, and what the formula made of it."""

    order: int
    matches: int
    total: int
    precision: float
    smoothed: float | None
    rule: str
    weight: float

    @property
    def log_term(self) -> float | None:
        """The term w · log p; None where the precision is 0 and has no logarithm."""
        if not self.weight:
            return 0.0
        return self.weight * math.log(self.smoothed) if self.smoothed else None


class Agreement(StrEnum):
    """Whether the two ways to the geometric mean agree."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NOT_APPLICABLE = "not applicable"
    """at 0, or where numbers are so small that floats lose digits"""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The geometric mean once by logarithms, once as a product of powers, and whether the two agree."""

    log_domain: float
    product_domain: float
    verdict: Agreement

    @property
    def applies(self) -> bool:
        """Whether there is something to agree on."""
        return self.verdict is not Agreement.NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class Loss:
    """What brevity or one order took: its term in log BLEU, its share of the whole, and that share in points."""

    name: str
    log: float
    share: float
    points: float


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How the score was computed, step by step."""

    orders: tuple[OrderLine, ...]
    candidate_length: int
    reference_length: int
    length_rule: str
    brevity_rule: str
    brevity_penalty: float
    cross_check: CrossCheck
    fraction: float
    score: float
    rating: Rating | None
    """None where the usual bands would say something untrue: then ``unrated`` says why."""
    unrated: Unrated | None
    losses: tuple[Loss, ...]
    """Empty when the score is 0: then ``zero_because`` and ``zero_orders`` say why."""
    zero_because: str
    zero_orders: tuple[int, ...]
    means: tuple[float, ...] = ()
    """The geometric means of BLEU-1, BLEU-2 and so on, where the score is the mean of these."""

    @property
    def geometric_mean(self) -> float:
        """The weighted geometric mean of the smoothed precisions, or the mean of several."""
        return self.cross_check.log_domain


def work_out(score: BleuScore) -> Arithmetic:
    """Lay out the arithmetic of a score."""
    stats, combination, rated = score.stats, score.combination, rate(score)
    zero_orders = tuple(term.order for term in combination.terms if term.weight and not term.smoothed)
    return Arithmetic(
        orders=tuple(
            OrderLine(term.order, stats.matches[place], stats.totals[place], *term[1:])
            for place, term in enumerate(combination.terms)
        ),
        candidate_length=stats.candidate_length,
        reference_length=stats.reference_length,
        length_rule=AXES["reference_length"].choices[score.recipe.reference_length],
        brevity_rule=score.recipe.brevity,
        brevity_penalty=score.brevity_penalty,
        cross_check=_cross_check(combination),
        fraction=score.fraction,
        score=score.score,
        rating=rated if isinstance(rated, Rating) else None,
        unrated=rated if isinstance(rated, Unrated) else None,
        losses=_losses(score),
        zero_because=combination.zero_because or ("" if score.fraction or zero_orders else TOO_SMALL),
        zero_orders=zero_orders,
        means=combination.means,
    )


def _cross_check(combination: Combination) -> CrossCheck:
    log_domain, terms = combination.geometric_mean, combination.terms
    if combination.means:  # of several means there are as many products
        return CrossCheck(log_domain, log_domain, Agreement.NOT_APPLICABLE)
    product = 1.0
    for term in terms:
        product *= (term.smoothed or 0.0) ** term.weight
    product = 0.0 if log_domain == 0.0 else product
    if min(log_domain, product) < sys.float_info.min:  # 0, or so small that floats lose digits
        return CrossCheck(log_domain, product, Agreement.NOT_APPLICABLE)
    agrees = math.isclose(log_domain, product, rel_tol=AGREEMENT)
    return CrossCheck(log_domain, product, Agreement.AGREES if agrees else Agreement.DIFFERS)


def _losses(score: BleuScore) -> tuple[Loss, ...]:
    """Share out what is missing to 100: log BLEU = log BP + Σ wₙ log pₙ, so the terms add up.

    The logarithm of a mean is no sum: all orders together have one share there.
    """
    if not score.fraction:
        return ()
    logs = [("brevity", math.log(score.brevity_penalty))]
    if score.combination.means:
        logs.append(("mean", score.combination.log_mean))
    else:
        logs += [
            (f"p{term.order}", term.weight * math.log(term.smoothed))
            for term in score.combination.terms
            if term.smoothed
        ]
    whole = math.fsum(log for _, log in logs)
    missing = 100.0 - score.score
    shares = [(name, log, log / whole if log and whole else 0.0) for name, log in logs]
    return tuple(Loss(name, log, share, missing * share) for name, log, share in shares)
