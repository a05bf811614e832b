"""The reasons behind a chrF score as plain data: how its arithmetic and its evidence are written."""

from __future__ import annotations

from bleuprint.metrics.chrf.arithmetic import ChrfArithmetic
from bleuprint.metrics.chrf.evidence import CharacterEvidence, ChrfEvidence, ChrfNgram
from bleuprint.metrics.chrf.stats import ChrfStats


def describe_arithmetic(arithmetic: ChrfArithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
    """Lay out the arithmetic; ``plain`` are the matches of each order without clipping."""
    return {
        "orders": [
            {
                "unit": line.unit.value,
                "order": line.order,
                "matches": line.matches,
                "candidate": line.candidate,
                "reference": line.reference,
                "plain_matches": plain[place] if plain else None,
                "precision": line.precision,
                "recall": line.recall,
                "f": line.f,
            }
            for place, line in enumerate(arithmetic.orders)
        ],
        "candidate_length": arithmetic.candidate_length,
        "reference_length": arithmetic.reference_length,
        "beta": arithmetic.beta,
        "averaging": arithmetic.averaging,
        "averaging_rule": arithmetic.averaging_rule,
        "precision": arithmetic.precision,
        "recall": arithmetic.recall,
        "zero_because": arithmetic.zero_because.value,
    }


def describe_evidence(evidence: ChrfEvidence) -> dict[str, object]:
    """Lay out texts, characters, words and n-grams of a segment."""
    return {
        "candidate": {
            "text": evidence.candidate,
            "characters": _characters(evidence.candidate_view),
            "words": list(evidence.candidate_parts.words),
        },
        "references": [
            {"text": text, "score": score}
            for text, score in zip(evidence.references, evidence.reference_scores, strict=True)
        ],
        "chosen_reference": evidence.chosen,
        "reference": {
            "text": evidence.references[evidence.chosen],
            "characters": _characters(evidence.reference_view),
            "words": list(evidence.reference_parts[evidence.chosen].words),
        },
        "ngrams": [_ngram(ngram) for ngram in evidence.ngrams],
    }


def describe_stats(stats: ChrfStats) -> dict[str, object]:
    """Lay out the counts of a segment."""
    return {
        "matches": list(stats.matches),
        "candidate": list(stats.candidate),
        "reference": list(stats.reference),
        "candidate_length": stats.candidate_length,
        "reference_length": stats.reference_length,
    }


def _characters(view: tuple[CharacterEvidence, ...]) -> list[dict[str, object]]:
    return [
        {
            "character": part.character,
            "start": part.span[0] if part.span else None,
            "end": part.span[1] if part.span else None,
            "longest_match": part.longest_match,
            "status": part.status,
        }
        for part in view
    ]


def _ngram(ngram: ChrfNgram) -> dict[str, object]:
    return {
        "unit": ngram.unit.value,
        "order": ngram.order,
        "ngram": list(ngram.ngram),
        "count": ngram.count,
        "reference_count": ngram.reference_count,
        "matches": ngram.matches,
        "places": list(ngram.places),
        "reference_places": list(ngram.reference_places),
    }
