"""What views of explanations lay out: the reasons of BLEU. Those of other metrics are given as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bleuprint.errors import BleuprintError
from bleuprint.findings.explanation import Explanation
from bleuprint.recipes.registry import DEFAULT_METRIC

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.arithmetic import Arithmetic
    from bleuprint.metrics.bleu.evidence import SegmentEvidence
    from bleuprint.metrics.bleu.scores import BleuScore


def score_of(explanation: Explanation) -> BleuScore:
    """Give the score that is explained."""
    metric = explanation.score.metric
    if metric.key != DEFAULT_METRIC:
        raise BleuprintError(
            where="explanation",
            wanted="one of BLEU, which is what there is a view of",
            got=f"one of {metric.name}",
            next_step="explanation.to_dict() has all of it as data; --format json writes it.",
        )
    return cast("BleuScore", explanation.score)


def arithmetic_of(explanation: Explanation) -> Arithmetic:
    """Give how the score follows from its statistics."""
    score_of(explanation)
    return cast("Arithmetic", explanation.arithmetic)


def evidence_of(explanation: Explanation) -> SegmentEvidence | None:
    """Give what of a segment matched."""
    score_of(explanation)
    return cast("SegmentEvidence | None", explanation.evidence)
