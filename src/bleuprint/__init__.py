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
    from bleuprint.acceleration import accelerate, restore
    from bleuprint.accumulator import Accumulator
    from bleuprint.adapters.evaluate_module import evaluate_path
    from bleuprint.bleu_score import BleuScore
    from bleuprint.comparison import Comparison, compare
    from bleuprint.corpus import (
        SegmentScores,
        score,
        score_documents,
        score_recipes,
        score_segments,
        score_sentence,
        statistics,
    )
    from bleuprint.errors import BleuprintError
    from bleuprint.explanation import Explanation, explain
    from bleuprint.identification import identify
    from bleuprint.identification.results import Identification
    from bleuprint.native_kernel import engine
    from bleuprint.notes import Note
    from bleuprint.pairs import PairScores, choose_best, pairwise, self_bleu
    from bleuprint.prepared import References
    from bleuprint.recipe import Recipe, dialects
    from bleuprint.reconciliation import group_dialects, reconcile
    from bleuprint.reconciliation.results import DialectGroups, Reconciliation
    from bleuprint.stats import BleuStats, StatsTable
    from bleuprint.tokenizer_table import register_tokenizer

__version__ = "0.1.0"

_HOMES = {
    "Accumulator": "accumulator",
    "BleuScore": "bleu_score",
    "BleuStats": "stats",
    "BleuprintError": "errors",
    "Comparison": "comparison",
    "DialectGroups": "reconciliation.results",
    "Explanation": "explanation",
    "Identification": "identification.results",
    "Note": "notes",
    "PairScores": "pairs",
    "Recipe": "recipe",
    "Reconciliation": "reconciliation.results",
    "References": "prepared",
    "SegmentScores": "corpus",
    "StatsTable": "stats",
    "accelerate": "acceleration",
    "choose_best": "pairs",
    "compare": "comparison",
    "dialects": "recipe",
    "engine": "native_kernel",
    "evaluate_path": "adapters.evaluate_module",
    "explain": "explanation",
    "group_dialects": "reconciliation",
    "identify": "identification",
    "pairwise": "pairs",
    "reconcile": "reconciliation",
    "register_tokenizer": "tokenizer_table",
    "restore": "acceleration",
    "score": "corpus",
    "score_documents": "corpus",
    "score_recipes": "corpus",
    "score_segments": "corpus",
    "score_sentence": "corpus",
    "self_bleu": "pairs",
    "statistics": "corpus",
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
    "dialects",
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
