"""Explanations as plain data, version 1; ``explanation-1.schema.json`` is its JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.metrics import module_of
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.findings.explanation import Explanation, SegmentExplanations

SCHEMA = "bleuprint.explanation/1"


def describe_explanation(explanation: Explanation) -> dict[str, object]:
    """Turn an explanation into dictionaries, lists, strings and numbers."""
    score = explanation.score
    explain = module_of(score.metric, "explain")
    return {
        "schema": SCHEMA,
        "level": score.level,
        "label": score.label,
        "score": score.score,
        "fraction": score.fraction,
        "recipe": {"signature": score.signature} | _recipe(score.recipe),
        "arithmetic": explain.describe_arithmetic(explanation.arithmetic, explanation.plain_matches),
        "notes": [note._asdict() for note in score.notes],
        "evidence": explain.describe_evidence(explanation.evidence) if explanation.evidence else None,
        "segments": _segments(explanation.segments) if explanation.segments else None,
        "mean_segment_score": explanation.mean_segment_score,
    }


def _recipe(recipe: Recipe) -> dict[str, object]:
    return {
        "dialects": list(recipe.names),
        "order": recipe.order,
        "axes": {field: recipe.choice(field) for field in recipe.metric.axes},
    }


def _segments(segments: SegmentExplanations) -> list[dict[str, object]]:
    scores = segments.scores
    describe_stats = module_of(scores.recipe.metric, "explain").describe_stats
    return [
        {"segment": place, "score": score, **describe_stats(stats)}
        for place, (score, stats) in enumerate(zip(scores.scores, scores.table, strict=True), start=1)
    ]
