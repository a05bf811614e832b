"""BLEU, chrF and TER: the exact number, at once, with the reason behind it.

>>> import bleuprint as bp
>>> s = bp.score_sentence("the cat is on mat", "the cat is on the mat", recipe="paper")
>>> print(f"{s:.2f}")
57.89
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bleuprint.errors import BleuprintError
    from bleuprint.findings.comparison import Comparison, compare
    from bleuprint.findings.explanation import Explanation, explain
    from bleuprint.findings.identification import identify
    from bleuprint.findings.identification.results import Identification
    from bleuprint.findings.reconciliation import reconcile
    from bleuprint.findings.reconciliation.results import Reconciliation
    from bleuprint.io.testset import testset
    from bleuprint.metrics.bleu.counting import BleuStats
    from bleuprint.metrics.bleu.score import BleuScore
    from bleuprint.native_kernel import engine
    from bleuprint.recipes.recipe import Recipe
    from bleuprint.scoring.accumulator import Accumulator
    from bleuprint.scoring.pairs import choose_best, pairwise, self_bleu
    from bleuprint.scoring.prepared import References
    from bleuprint.scoring.verbs import (
        score,
        score_documents,
        score_recipes,
        score_segments,
        score_sentence,
        statistics,
    )
    from bleuprint.text.tokenizers.registry import register_tokenizer

__version__ = "0.1.0"

__all__ = [
    "Accumulator",
    "BleuScore",
    "BleuStats",
    "BleuprintError",
    "Comparison",
    "Explanation",
    "Identification",
    "Recipe",
    "Reconciliation",
    "References",
    "choose_best",
    "compare",
    "engine",
    "explain",
    "identify",
    "pairwise",
    "reconcile",
    "register_tokenizer",
    "score",
    "score_documents",
    "score_recipes",
    "score_segments",
    "score_sentence",
    "self_bleu",
    "statistics",
    "testset",
]

_HOMES = {
    "Accumulator": "scoring.accumulator",
    "BleuScore": "metrics.bleu.score",
    "BleuStats": "metrics.bleu.counting",
    "BleuprintError": "errors",
    "Comparison": "findings.comparison",
    "Explanation": "findings.explanation",
    "Identification": "findings.identification.results",
    "Recipe": "recipes.recipe",
    "Reconciliation": "findings.reconciliation.results",
    "References": "scoring.prepared",
    "choose_best": "scoring.pairs",
    "compare": "findings.comparison",
    "engine": "native_kernel",
    "explain": "findings.explanation",
    "identify": "findings.identification",
    "pairwise": "scoring.pairs",
    "reconcile": "findings.reconciliation",
    "register_tokenizer": "text.tokenizers.registry",
    "score": "scoring.verbs",
    "score_documents": "scoring.verbs",
    "score_recipes": "scoring.verbs",
    "score_segments": "scoring.verbs",
    "score_sentence": "scoring.verbs",
    "self_bleu": "scoring.pairs",
    "statistics": "scoring.verbs",
    "testset": "io.testset",
}

if not TYPE_CHECKING:  # for type checkers, this function would make every misspelled name valid

    def __getattr__(name: str) -> object:
        """Load a public name on first use, so that importing the package costs next to nothing."""
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'bleuprint' has no attribute {name!r}")
        value = getattr(import_module(f"bleuprint.{home}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
