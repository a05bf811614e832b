"""A comparison as plain data, for JSON, reports and pages. Segments are counted from 1 there, as in files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleuprint.findings.comparison.breakdowns import Breakdown
from bleuprint.findings.comparison.closeup import Disagreement, Influence
from bleuprint.findings.comparison.results import RecipeResult, SystemResult
from bleuprint.text.shown_tokens import text_data
from bleuprint.values import plain_data

if TYPE_CHECKING:
    from bleuprint.findings.comparison import Comparison

SCHEMA = "bleuprint.comparison/1"


def describe_comparison(
    comparison: Comparison, by: Sequence[str], examples: int, focus: tuple[str, str] | None
) -> dict[str, object]:
    """Return everything; ``Comparison.to_dict`` checks the arguments."""
    settings = comparison.settings
    return {
        "schema": SCHEMA,
        "segments": comparison.segments,
        "systems": comparison.names,
        "baseline": comparison.baseline,
        "settings": settings._asdict() | {"level": settings.level},
        "recipes": [
            _describe_result(comparison, result, by)
            | (_describe_examples(comparison, result, examples, focus) if examples else {})
            for result in comparison.results
        ],
    }


def _describe_result(comparison: Comparison, result: RecipeResult, by: Sequence[str]) -> dict[str, object]:
    return {
        "recipe": result.name,
        "signature": result.signature,
        "metric": result.recipe.metric_key,
        "label": result.recipe.label,
        "better": result.recipe.metric.better.value,
        "verdict": result.verdict.value,
        "needed": plain_data(result.needed),
        "summary": result.summary,
        "systems": list(map(_describe_system, result.systems)),
        "pairs": [plain_data(pair) | {"significant": pair.significant} for pair in result.pairs],
        "clusters": plain_data(result.clusters),
        "notes": plain_data(result.notes),
        "breakdowns": list(map(_describe_breakdown, comparison.breakdowns(by, result.name))),
    }


def _describe_system(system: SystemResult) -> dict[str, object]:
    data = plain_data(system)
    return {"system": data.pop("name"), **data}


def _describe_breakdown(breakdown: Breakdown) -> dict[str, object]:
    data: dict[str, object] = plain_data(breakdown)
    del data["digits"]
    return data


def _describe_examples(
    comparison: Comparison, result: RecipeResult, examples: int, focus: tuple[str, str] | None
) -> dict[str, object]:
    def describe_source(segment: int) -> dict[str, object]:
        return {"source": comparison.sources[segment]} if comparison.sources else {}

    def describe_influence(name: str, one: Influence) -> dict[str, object]:
        own = comparison.systems[name].segment(one.segment) if comparison.has_texts else None
        return {
            "segment": one.segment + 1,
            "points": one.points,
            **describe_source(one.segment),
            "candidate": text_data(own.candidate) if own else None,
            "references": list(map(text_data, own.references)) if own else None,
        }

    def describe_disagreement(one: Disagreement) -> dict[str, object]:
        return {
            **one._asdict(),
            "segment": one.segment + 1,
            "scores": list(one.scores),
            "candidates": one.candidates and list(map(text_data, one.candidates)),
            "references": one.references and list(map(text_data, one.references)),
            **describe_source(one.segment),
        }

    influences, focused = {}, None
    for name in comparison.names:
        found = comparison.influences(name, result.name)
        influences[name] = {
            "raising": [describe_influence(name, one) for one in found[:examples] if one.points > 0],
            "lowering": [describe_influence(name, one) for one in found[::-1][:examples] if one.points < 0],
        }
    if pair := focus or comparison.focus(result.name):
        ngrams = None
        if comparison.has_ngrams(result.name):
            listed = comparison.ngrams(*pair, result.name)
            ngrams = {
                "first": [plain_data(one) for one in listed[:examples] if one.difference > 0],
                "second": [plain_data(one) for one in listed[::-1][:examples] if one.difference < 0],
            }
        disagreements = comparison.disagreements(*pair, result.name)[:examples]
        focused = {
            "first": pair[0],
            "second": pair[1],
            "disagreements": list(map(describe_disagreement, disagreements)),
            "ngrams": ngrams,
        }
    return {"influences": influences, "focus": focused}
