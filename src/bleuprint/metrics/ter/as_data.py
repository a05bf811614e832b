"""The reasons behind a TER score as plain data: how its arithmetic and its evidence are written."""

from __future__ import annotations

from dataclasses import asdict

from bleuprint.metrics.ter.arithmetic import TerArithmetic
from bleuprint.metrics.ter.evidence import Move, ReferenceAlignment, TerEvidence
from bleuprint.metrics.ter.stats import TerStats
from bleuprint.text.shown_tokens import text_data


def describe_arithmetic(arithmetic: TerArithmetic) -> dict[str, object]:
    """Lay out the arithmetic."""
    kinds = [asdict(line) for line in arithmetic.kinds]
    return {**asdict(arithmetic), "kinds": kinds, "settled": arithmetic.settled.value}


def describe_evidence(evidence: TerEvidence) -> dict[str, object]:
    """Lay out texts, words, and how the candidate becomes each reference."""
    return {
        "candidate": {"text": text_data(evidence.candidate), "words": list(evidence.candidate_words)},
        "references": [
            {"text": text_data(text), "words": list(alignment.reference), **_alignment(alignment)}
            for text, alignment in zip(evidence.references, evidence.alignments, strict=True)
        ],
        "chosen_reference": evidence.chosen,
    }


def describe_stats(stats: TerStats) -> dict[str, object]:
    """Lay out the counts of a segment."""
    return {
        "edits": stats.edits,
        **stats.kinds,
        "candidate_length": stats.candidate_length,
        "reference_length": stats.reference_length,
    }


def _alignment(alignment: ReferenceAlignment) -> dict[str, object]:
    return {
        "edits": {**alignment.edits._asdict(), "together": sum(alignment.edits)},
        "moved": alignment.counting.shifted,
        "moves": [_move(move) for move in alignment.moves],
        "search_ended": alignment.search.gave_up,
        "alignment": [
            {
                "step": line.step.value,
                "candidate_word": line.candidate_word,
                "reference_word": line.reference_word,
                "candidate_place": line.candidate_place,
                "reference_place": line.reference_place,
                "moved_by": list(line.moved_by),
            }
            for line in alignment.lines
        ],
    }


def _move(move: Move) -> dict[str, object]:
    return {
        "words": list(move.words),
        "start": move.start,
        "length": move.length,
        "to": move.to,
        "lands": move.lands,
        "before": list(move.before),
        "after": list(move.after),
        "edits_before": move.edits_before,
        "edits_after": move.edits_after,
        "saved": move.saved,
    }
