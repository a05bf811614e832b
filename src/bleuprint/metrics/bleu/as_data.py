"""The reasons behind a BLEU score as plain data: how its arithmetic and its evidence are written."""

from __future__ import annotations

from bleuprint.metrics.bleu.arithmetic import Arithmetic
from bleuprint.metrics.bleu.evidence import NgramEvidence, SegmentEvidence, TokenEvidence
from bleuprint.metrics.bleu.stats import BleuStats
from bleuprint.text.shown_tokens import text_data, token_data


def describe_arithmetic(arithmetic: Arithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
    """Lay out the arithmetic; ``plain`` are the matches of each order without clipping."""
    check = arithmetic.cross_check
    return {
        "orders": [
            {
                "order": line.order,
                "matches": line.matches,
                "total": line.total,
                "plain_matches": plain[line.order - 1] if plain else None,
                "precision": line.precision,
                "smoothed": line.smoothed,
                "rule": str(line.rule),
                "weight": line.weight,
                "log_term": line.log_term,
            }
            for line in arithmetic.orders
        ],
        "candidate_length": arithmetic.candidate_length,
        "reference_length": arithmetic.reference_length,
        "length_rule": arithmetic.length_rule,
        "brevity_penalty": arithmetic.brevity_penalty,
        "geometric_mean": arithmetic.geometric_mean,
        "cross_check": {
            "log_domain": check.log_domain,
            "product_domain": check.product_domain,
            "verdict": check.verdict.value,
        },
        "rating": arithmetic.rating._asdict() if arithmetic.rating else None,
        "unrated": arithmetic.unrated._asdict() if arithmetic.unrated else None,
        "losses": [
            {"name": loss.name, "log": loss.log, "share": loss.share, "points": loss.points}
            for loss in arithmetic.losses
        ],
        "zero_because": str(arithmetic.zero_because),
        "zero_orders": list(arithmetic.zero_orders),
        "means": list(arithmetic.means),
    }


def describe_evidence(evidence: SegmentEvidence) -> dict[str, object]:
    """Lay out texts, tokens and n-grams of a segment."""
    return {
        "candidate": {"text": text_data(evidence.candidate), "tokens": _tokens(evidence.candidate_view)},
        "references": [
            {"text": text_data(text), "tokens": _tokens(view)}
            for text, view in zip(evidence.references, evidence.reference_views, strict=True)
        ],
        "ngrams": [_ngram(ngram) for ngram in evidence.ngrams],
    }


def describe_stats(stats: BleuStats) -> dict[str, object]:
    """Lay out the counts of a segment."""
    return {
        "matches": list(stats.matches),
        "totals": list(stats.totals),
        "candidate_length": stats.candidate_length,
        "reference_length": stats.reference_length,
    }


def _tokens(view: tuple[TokenEvidence, ...]) -> list[dict[str, object]]:
    return [
        {
            "token": token_data(part.token),
            "start": part.span[0] if part.span else None,
            "end": part.span[1] if part.span else None,
            "longest_match": part.longest_match,
            "status": part.status,
        }
        for part in view
    ]


def _ngram(ngram: NgramEvidence) -> dict[str, object]:
    return {
        "order": ngram.order,
        "tokens": [token_data(token) for token in ngram.ngram],
        "count": ngram.count,
        "reference_counts": list(ngram.reference_counts),
        "clip": ngram.clip,
        "matches": ngram.matches,
        "clipped": ngram.clipped,
        "missed": ngram.missed,
        "places": list(ngram.places),
        "reference_places": [list(places) for places in ngram.reference_places],
    }
