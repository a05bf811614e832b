"""What explaining costs, told from sizes before it is done: tokens, orders and references.

Every n-gram of an explanation becomes an object, for its tokens, its counts and its places in each reference. The bytes
below were measured on explanations as JSON, the dearest form; ``docs/page.md`` tells what follows from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.errors import ShapeError
from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations.bleu.phrases import evidence_of
from bleuprint.web.limits import MOST_EXPLAINED_BYTES

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.evidence import SegmentEvidence

_PER_NGRAM, _PER_REFERENCE, _PER_ORDER = 1000, 75, 14
_PER_SEGMENT, _PER_SEGMENT_AND_ORDER = 600, 40
"""A segment in the table of a corpus."""


def check_explanation(explanation: Explanation) -> Explanation:
    """Refuse an explanation that would take more memory than one may; gives it back otherwise."""
    evidence = evidence_of(explanation)
    if evidence is not None:
        _check_evidence(evidence)
    elif explanation.segments is not None:
        _check_segments(len(explanation.segments), explanation.score.stats.order)
    return explanation


def _check_evidence(evidence: SegmentEvidence) -> None:
    order, references = evidence.order, len(evidence.references)
    tokens = len(evidence.candidate_tokens) + sum(map(len, evidence.reference_tokens))
    most = MOST_EXPLAINED_BYTES // (order * (_PER_NGRAM + _PER_REFERENCE * references + _PER_ORDER * order))
    if tokens > most:
        raise ShapeError(
            where="explanation",
            wanted=f"at most {most:,} tokens together for N = {order} and {references} references",
            got=f"{tokens:,}",
            next_step="Use a lower N, fewer references or a shorter text; the command line has no such limit.",
        )


def _check_segments(segments: int, order: int) -> None:
    most = MOST_EXPLAINED_BYTES // (_PER_SEGMENT + _PER_SEGMENT_AND_ORDER * order)
    if segments > most:
        raise ShapeError(
            where="explanation", wanted=f"at most {most:,} segments for N = {order}", got=f"{segments:,}",
            next_step="Use a lower N or fewer segments; the command line has no such limit.",
        )  # fmt: skip
