"""The arithmetic of an explanation: everything that follows from the statistics alone, at any level."""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint.metrics.chrf.axes import AXES
from bleuprint.metrics.chrf.formula import ChrfZero
from bleuprint.metrics.chrf.scores import ChrfScore
from bleuprint.metrics.chrf.stats import Unit


@dataclass(frozen=True, slots=True)
class ChrfOrderLine:
    """One order: what was counted, and what the formula made of it."""

    unit: Unit
    order: int
    matches: int
    candidate: int
    reference: int
    precision: float | None
    recall: float | None
    f: float

    @property
    def name(self) -> str:
        """``c1`` for single characters, ``w2`` for pairs of words."""
        return f"{self.unit[0]}{self.order}"


@dataclass(frozen=True, slots=True)
class ChrfArithmetic:
    """How the score was computed, step by step."""

    orders: tuple[ChrfOrderLine, ...]
    candidate_length: int
    reference_length: int
    beta: float
    averaging: str
    averaging_rule: str
    precision: float | None
    recall: float | None
    """the means that F was made of; None where F of each order was averaged"""
    fraction: float
    score: float
    zero_because: ChrfZero
    """``ChrfZero.NONE`` unless nothing matches."""


def work_out(score: ChrfScore) -> ChrfArithmetic:
    """Lay out the arithmetic of a score."""
    stats, combination, recipe = score.stats, score.combination, score.recipe
    counts = zip(combination.terms, stats.matches, stats.candidate, stats.reference, strict=True)
    return ChrfArithmetic(
        orders=tuple(
            ChrfOrderLine(term.unit, term.order, matches, candidate, reference, term.precision, term.recall, term.f)
            for term, matches, candidate, reference in counts
        ),
        candidate_length=stats.candidate_length,
        reference_length=stats.reference_length,
        beta=recipe.beta,
        averaging=recipe.averaging,
        averaging_rule=AXES["averaging"].choices[recipe.averaging],
        precision=combination.precision,
        recall=combination.recall,
        fraction=score.fraction,
        score=score.score,
        zero_because=combination.zero_because,
    )
