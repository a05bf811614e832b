"""The kernel under the installed NLTK: its ``corpus_bleu`` counts here, everything else stays NLTK's own.

The function keeps its identity and gets another body (``__code__``). So whoever holds it profits: modules that
imported it by name before, partial functions, default arguments; and ``sentence_bleu`` (``nltk.translate.bleu`` too),
which calls it. No attribute of NLTK is added or replaced, and ``undo`` gives the body back.

The new body counts a corpus with the engine and lets NLTK's own fractions, brevity penalty and smoothing do the rest.
Where the input is out of the ordinary, or somebody has put other parts into ``nltk.translate.bleu_score``, NLTK's own
body runs as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from bleuprint.compat.nltk.formula import (
    Counts,
    Parts,
    Score,
    arrange_weights,
    combine_counts,
    count_quickly,
    last_segment,
)
from bleuprint.errors import BleuprintError, quote

MODULE = "nltk.translate.bleu_score"
MODULES = (MODULE,)
PARTS = ("Fraction", "SmoothingFunction", "brevity_penalty", "closest_ref_length", "modified_precision", "ngrams")
"""What NLTK's body looks up in its module: as long as all of them are NLTK's, the engine may take their place."""


class Applied(NamedTuple):
    """What was there before."""

    module: ModuleType
    function: Any
    body: CodeType
    original: Callable[..., Any]
    """NLTK's body as a function of its own."""
    parts: Parts
    own: tuple[object, ...]
    """NLTK's own ``PARTS``."""


_applied: Applied | None = None


def apply() -> None:
    """Give NLTK's ``corpus_bleu`` a body that counts with the engine."""
    global _applied
    if _applied is not None:
        return
    module = import_module(MODULE)
    function = module.corpus_bleu
    if not isinstance(function, FunctionType) or function.__code__.co_filename != module.__file__:
        raise BleuprintError(
            where=f"{MODULE}.corpus_bleu",
            wanted="NLTK's own function",
            got=quote(function),
            next_step="Another package has replaced it: accelerate before that happens, or use bleuprint.compat.nltk.",
        )
    body = function.__code__
    original = FunctionType(body, function.__globals__, function.__name__, function.__defaults__)
    parts = Parts.of(module.Fraction, module.SmoothingFunction, module.brevity_penalty)
    _applied = Applied(module, function, body, original, parts, _parts_of(module))
    function.__code__ = corpus_bleu.__code__


def undo() -> None:
    """Give NLTK its own body back."""
    global _applied
    if _applied is not None:
        _applied.function.__code__ = _applied.body
        _applied = None


def corpus_bleu(
    list_of_references: Any, hypotheses: Any, weights: Any, smoothing_function: Any, auto_reweigh: Any
) -> Score:
    """Serve as the body of NLTK's function; it runs among NLTK's names, so it brings its own."""
    from bleuprint.compat.nltk.acceleration import score_corpus

    return score_corpus(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)


def score_corpus(
    list_of_references: Any, hypotheses: Any, weights: Any, smoothing_function: Any, auto_reweigh: Any
) -> Score:
    """Score a corpus as NLTK would."""
    applied = _applied
    counted = applied and _count(list_of_references, hypotheses, weights, applied)
    if applied is None or counted is None:  # not applied: undone by another thread since the call began
        nltk = applied.original if applied else import_module(MODULE).corpus_bleu
        scored: Score = nltk(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)
        return scored
    counts, arranged = counted
    last = last_segment(list_of_references, hypotheses)
    return combine_counts(counts, arranged, smoothing_function, auto_reweigh, last, applied.parts)


def _count(list_of_references: Any, hypotheses: Any, weights: Any, applied: Applied) -> tuple[Counts, Any] | None:
    """Count, and arrange the weights; None where NLTK is to do it all by itself."""
    if _parts_of(applied.module) != applied.own:
        return None
    try:
        if len(list_of_references) != len(hypotheses):
            return None
        arranged, order = arrange_weights(weights)
    except Exception:  # NLTK has its own words for it
        return None
    counts = count_quickly(list_of_references, hypotheses, order)
    return counts and (counts, arranged)


def _parts_of(module: ModuleType) -> tuple[object, ...]:
    names = module.__dict__
    return tuple([names.get(name) for name in PARTS])
