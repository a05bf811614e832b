"""bleuprint: BLEU, the exact number, at once, with the reason behind it.

>>> import bleuprint as bp
>>> s = bp.score_sentence("the cat is on mat", "the cat is on the mat", recipe="paper")
>>> print(f"{s:.2f}")
57.89
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bleuprint.views import register_view

if TYPE_CHECKING:
    from bleuprint.adapters.evaluate_module import evaluate_path
    from bleuprint.compat.acceleration import accelerate, restore
    from bleuprint.counting.rows import StatsTable
    from bleuprint.errors import BleuprintError
    from bleuprint.findings.comparison import Comparison, compare
    from bleuprint.findings.explanation import Explanation, explain
    from bleuprint.findings.identification import identify
    from bleuprint.findings.identification.results import Identification
    from bleuprint.findings.reconciliation import group_dialects, reconcile
    from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation
    from bleuprint.metrics.bleu.scores import BleuScore
    from bleuprint.metrics.bleu.stats import BleuStats
    from bleuprint.metrics.note import Note
    from bleuprint.native_kernel import engine
    from bleuprint.recipes.recipe import Recipe
    from bleuprint.scoring.accumulator import Accumulator
    from bleuprint.scoring.pairs import PairScores, choose_best, pairwise, self_bleu
    from bleuprint.scoring.prepared import References
    from bleuprint.scoring.verbs import (
        SegmentScores,
        score,
        score_documents,
        score_recipes,
        score_segments,
        score_sentence,
        statistics,
    )
    from bleuprint.text.tokenizers.registry import register_tokenizer

__version__ = "0.1.0"

_HOMES = {
    "Accumulator": "scoring.accumulator",
    "BleuScore": "metrics.bleu.scores",
    "BleuStats": "metrics.bleu.stats",
    "BleuprintError": "errors",
    "Comparison": "findings.comparison",
    "DialectGroups": "findings.reconciliation.results",
    "Explanation": "findings.explanation",
    "Identification": "findings.identification.results",
    "Note": "metrics.note",
    "PairScores": "scoring.pairs",
    "Recipe": "recipes.recipe",
    "Reconciliation": "findings.reconciliation.results",
    "References": "scoring.prepared",
    "SegmentScores": "scoring.verbs",
    "StatsTable": "counting.rows",
    "accelerate": "compat.acceleration",
    "choose_best": "scoring.pairs",
    "compare": "findings.comparison",
    "engine": "native_kernel",
    "evaluate_path": "adapters.evaluate_module",
    "explain": "findings.explanation",
    "group_dialects": "findings.reconciliation",
    "identify": "findings.identification",
    "pairwise": "scoring.pairs",
    "reconcile": "findings.reconciliation",
    "register_tokenizer": "text.tokenizers.registry",
    "restore": "compat.acceleration",
    "score": "scoring.verbs",
    "score_documents": "scoring.verbs",
    "score_recipes": "scoring.verbs",
    "score_segments": "scoring.verbs",
    "score_sentence": "scoring.verbs",
    "self_bleu": "scoring.pairs",
    "statistics": "scoring.verbs",
}

__all__ = [
    "Accumulator",
    "BleuScore",
    "BleuStats",
    "BleuprintError",
    "Comparison",
    "DialectGroups",
    "Explanation",
    "Identification",
    "Note",
    "PairScores",
    "Recipe",
    "Reconciliation",
    "References",
    "SegmentScores",
    "StatsTable",
    "accelerate",
    "choose_best",
    "compare",
    "engine",
    "evaluate_path",
    "explain",
    "group_dialects",
    "identify",
    "pairwise",
    "reconcile",
    "register_tokenizer",
    "restore",
    "score",
    "score_documents",
    "score_recipes",
    "score_segments",
    "score_sentence",
    "self_bleu",
    "statistics",
]


def __getattr__(name: str) -> object:
    """Load a public name on first use, so that importing the package costs next to nothing."""
    if name == "dialects":
        return __getattr__("Recipe").dialects  # type: ignore[attr-defined]
    if name not in _HOMES:
        raise AttributeError(f"module 'bleuprint' has no attribute {name!r}")
    value = getattr(import_module(f"bleuprint.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def _view_as_text(result: object) -> str:
    from bleuprint.render.terminal import render_plain

    return render_plain(result)  # type: ignore[arg-type]


def _view_as_html(result: object) -> str:
    from bleuprint.render.html import render_notebook

    return render_notebook(result)  # type: ignore[arg-type]


def _summarise_as_html(result: object) -> str:
    from bleuprint.render.html.report import render_summary

    return render_summary(result)  # type: ignore[arg-type]


def _report_as_html(result: object) -> str:
    from bleuprint.render.html.report import render_report

    return render_report(result)  # type: ignore[arg-type]


register_view("text", _view_as_text)
register_view("html", _view_as_html)
register_view("summary", _summarise_as_html)
register_view("report", _report_as_html)
