"""The arithmetic of an explanation: everything that follows from the statistics alone, at any level."""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint.metrics.ter.formula import Settled, divide
from bleuprint.metrics.ter.scores import TerScore


@dataclass(frozen=True, slots=True)
class EditLine:
    """One kind of edit: how many there are, and how many points of the score they make."""

    name: str
    count: int
    points: float


@dataclass(frozen=True, slots=True)
class TerArithmetic:
    """How the score was computed: edits over the length of the reference."""

    kinds: tuple[EditLine, ...]
    edits: int
    candidate_length: int
    reference_length: float
    fraction: float
    score: float
    settled: Settled
    """why the score was settled without the division, ``Settled.NONE`` where it was not"""


def work_out(score: TerScore) -> TerArithmetic:
    """Lay out the arithmetic of a score."""
    stats, settled = score.stats, score.combination.settled
    return TerArithmetic(
        kinds=tuple(
            EditLine(name, count, 0.0 if settled else 100.0 * divide(count, stats))
            for name, count in stats.kinds.items()
        ),
        edits=stats.edits,
        candidate_length=stats.candidate_length,
        reference_length=stats.reference_length,
        fraction=score.fraction,
        score=score.score,
        settled=settled,
    )
