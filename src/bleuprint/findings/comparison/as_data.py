"""A comparison as plain data, for JSON, reports and pages. Segments are counted from 1 there, as in files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleuprint.findings.comparison.breakdowns import Breakdown
from bleuprint.findings.comparison.closeup import Disagreement, Influence, NgramDifference
from bleuprint.findings.comparison.results import PairResult, RecipeResult, SystemResult
from bleuprint.findings.significance import Interval
from bleuprint.text.shown_tokens import text_data

if TYPE_CHECKING:
    from bleuprint.findings.comparison import Comparison

SCHEMA = "bleuprint.comparison/1"


def describe_comparison(
    comparison: Comparison, by: Sequence[str], examples: int, focus: tuple[str, str] | None
) -> dict[str, object]:
    """Give everything; ``Comparison.to_dict`` is the way to call it."""
    settings = comparison.settings
    return {
        "schema": SCHEMA,
        "segments": comparison.segments,
        "systems": comparison.names,
        "baseline": comparison.baseline,
        "settings": settings._asdict() | {"level": settings.level},
        "recipes": [_describe_result(comparison, result, by, examples, focus) for result in comparison.results],
    }


def _describe_result(
    comparison: Comparison, result: RecipeResult, by: Sequence[str], examples: int, focus: tuple[str, str] | None
) -> dict[str, object]:
    data: dict[str, object] = {
        "recipe": result.name,
        "signature": result.signature,
        "metric": result.recipe.metric_key,
        "label": result.recipe.label,
        "better": result.recipe.metric.better.value,
        "verdict": result.verdict.value,
        "needed": None if result.needed is None else result.needed._asdict(),
        "summary": result.summary,
        "systems": [_describe_system(system) for system in result.systems],
        "pairs": [_describe_pair(pair) for pair in result.pairs],
        "clusters": None if result.clusters is None else [list(names) for names in result.clusters],
        "notes": [note._asdict() for note in result.notes],
        "breakdowns": list(map(_describe_breakdown, comparison.breakdowns(by, result.name))),
    }
    if examples:
        data["influences"] = {
            name: _describe_influences(comparison, name, result, examples) for name in comparison.names
        }
        pair = focus or comparison.focus(result.name)
        data["focus"] = None if pair is None else _describe_focus(comparison, pair, result, examples)
    return data


def _describe_system(system: SystemResult) -> dict[str, object]:
    return {
        "system": system.name,
        "score": system.score.to_dict(),
        "interval": _describe_interval(system.interval),
        "ranks": None if system.ranks is None else list(system.ranks),
        "cluster": system.cluster,
    }


def _describe_pair(pair: PairResult) -> dict[str, object]:
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "interval": _describe_interval(pair.interval),
        "p_randomisation": pair.p_randomisation,
        "p_bootstrap": pair.p_bootstrap,
        "p": pair.p,
        "p_holm": pair.p_holm,
        "significant": pair.significant,
        "verdict": pair.verdict.value,
        "detectable": pair.detectable,
    }


def _describe_interval(interval: Interval) -> dict[str, float]:
    return interval._asdict()


def _describe_breakdown(breakdown: Breakdown) -> dict[str, object]:
    groups = [group._asdict() for group in breakdown.groups]
    return {
        "name": breakdown.name,
        "measure": breakdown.measure,
        "unit": breakdown.unit,
        "length_unit": breakdown.length_unit or None,
        "groups": groups,
    }


def _describe_influences(
    comparison: Comparison, name: str, result: RecipeResult, examples: int
) -> dict[str, list[dict[str, object]]]:
    found = comparison.influences(name, result.name)
    raising = [one for one in found[:examples] if one.points > 0]
    lowering = [one for one in found[::-1][:examples] if one.points < 0]
    texts = comparison.systems.get(name)

    def write(influence: Influence) -> dict[str, object]:
        segment = influence.segment
        return {
            "segment": segment + 1,
            "points": influence.points,
            **_describe_source(comparison, segment),
            "candidate": text_data(texts.candidates[segment]) if texts else None,
            "references": list(map(text_data, texts.references[segment])) if texts else None,
        }

    return {"raising": list(map(write, raising)), "lowering": list(map(write, lowering))}


def _describe_source(comparison: Comparison, segment: int) -> dict[str, object]:
    return {"source": comparison.sources[segment]} if comparison.sources else {}


def _describe_focus(
    comparison: Comparison, pair: tuple[str, str], result: RecipeResult, examples: int
) -> dict[str, object]:
    first, second = pair
    disagreements = comparison.disagreements(first, second, result.name)[:examples]
    return {
        "first": first,
        "second": second,
        "disagreements": [
            _describe_disagreement(one) | _describe_source(comparison, one.segment) for one in disagreements
        ],
        "ngrams": _describe_ngrams(comparison, pair, result, examples) if comparison.has_ngrams(result.name) else None,
    }


def _describe_ngrams(
    comparison: Comparison, pair: tuple[str, str], result: RecipeResult, examples: int
) -> dict[str, object]:
    ngrams = comparison.ngrams(*pair, result.name)
    gains = [one for one in ngrams[:examples] if one.difference > 0]
    losses = [one for one in ngrams[::-1][:examples] if one.difference < 0]
    return {"first": list(map(_describe_ngram, gains)), "second": list(map(_describe_ngram, losses))}


def _describe_disagreement(one: Disagreement) -> dict[str, object]:
    return one._asdict() | {
        "segment": one.segment + 1,
        "scores": list(one.scores),
        "candidates": None if one.candidates is None else list(map(text_data, one.candidates)),
        "references": None if one.references is None else list(map(text_data, one.references)),
    }


def _describe_ngram(one: NgramDifference) -> dict[str, object]:
    return {"ngram": one.ngram, "order": one.order, "matches": list(one.matches)}
