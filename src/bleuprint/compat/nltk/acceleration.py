"""NLTK's ``corpus_bleu`` and ``corpus_chrf`` with bleuprint's counting. Its functions for sentences call them.

Smoothing stays NLTK's code or the user's. NLTK's own function runs if the input is unusual, or if somebody has replaced
a part of NLTK's module after it was accelerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from inspect import signature
from itertools import cycle
from types import ModuleType
from typing import Any

from bleuprint.compat.nltk.chrf_score import average, score_quickly
from bleuprint.compat.nltk.formula import (
    UNIFORM,
    Counts,
    Parts,
    Score,
    arrange_weights,
    combine_counts,
    count_quickly,
    last_segment,
)

BLEU, CHRF = "nltk.translate.bleu_score", "nltk.translate.chrf_score"
BLEU_PARTS = ("Fraction", "SmoothingFunction", "brevity_penalty", "closest_ref_length", "modified_precision", "ngrams")
"""What ``corpus_bleu`` looks up in its module."""
CHRF_PARTS = ("Counter", "_preprocess", "chrf_precision_recall_fscore_support", "defaultdict", "ngrams", "re", "redos")
"""What ``corpus_chrf`` looks up in its module. It has one of the last two, depending on the release."""


def replacements() -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """Make the new functions."""
    for module, name, make in ((BLEU, "corpus_bleu", _make_bleu), (CHRF, "corpus_chrf", _make_chrf)):
        home = import_module(module)
        yield home, name, make(home, getattr(home, name))


def _make_bleu(module: ModuleType, theirs: Callable[..., Score]) -> Callable[..., Score]:
    is_unchanged = _watch(module, BLEU_PARTS)
    parts = Parts.of(module.Fraction, module.SmoothingFunction, module.brevity_penalty)

    @wraps(theirs)
    def corpus_bleu(
        list_of_references: Any,
        hypotheses: Any,
        weights: Any = UNIFORM,
        smoothing_function: Any = None,
        auto_reweigh: Any = False,
    ) -> Score:
        counted = _count(list_of_references, hypotheses, weights) if is_unchanged() else None
        if counted is None:
            return theirs(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)
        last = last_segment(list_of_references, hypotheses)
        return combine_counts(*counted, smoothing_function, auto_reweigh, last, parts)

    return corpus_bleu


def _count(list_of_references: Any, hypotheses: Any, weights: Any) -> tuple[Counts, Any] | None:
    """Count, and arrange the weights; None if NLTK is to do everything."""
    try:
        if len(list_of_references) != len(hypotheses):
            return None
        arranged, order = arrange_weights(weights)
    except Exception:  # NLTK raises its own errors
        return None
    counts = count_quickly(list_of_references, hypotheses, order)
    return counts and (counts, arranged)


def _make_chrf(module: ModuleType, theirs: Callable[..., float]) -> Callable[..., float]:
    is_unchanged = _watch(module, CHRF_PARTS)

    @wraps(theirs)
    def corpus_chrf(
        references: Any,
        hypotheses: Any,
        min_len: Any = 1,
        max_len: Any = 6,
        beta: Any = 3.0,
        ignore_whitespace: Any = True,
    ) -> float:
        given = (references, hypotheses, min_len, max_len, beta, ignore_whitespace)
        scores = score_quickly(*given) if is_unchanged() else None
        return theirs(*given) if scores is None else average(scores, len(hypotheses))

    return corpus_chrf


def _watch(module: ModuleType, names: tuple[str, ...]) -> Callable[[], bool]:
    """Return a function that checks that a module still has the parts that it has now."""
    found = vars(module)
    parts = [found.get(name) for name in names]
    return lambda: [found.get(name) for name in names] == parts


def samples(candidates: list[str], references: list[list[str]]) -> Iterator[tuple[str, object]]:
    """Compute scores with every smoothing method and argument."""
    bleu, chrf = import_module(BLEU), import_module(CHRF)
    tokens, others = [text.split() for text in candidates], [[text.split() for text in own] for own in references]
    for function in (bleu.corpus_bleu, chrf.corpus_chrf):
        yield f"arguments of {function.__name__}", [*signature(function, follow_wrapped=False).parameters]
    yield "corpus_bleu", bleu.corpus_bleu(others, tokens)
    weights = [(1.0,), (0.5, 0.5), (0.2,) * 5]
    yield "corpus_bleu with auto_reweigh", bleu.corpus_bleu(others, tokens, weights, None, auto_reweigh=True)
    # method0 warns of texts without a match of some order, and method6 raises an error
    methods = {f"method{number}": getattr(bleu.SmoothingFunction(), f"method{number}") for number in (1, 2, 3, 4, 5, 7)}
    for name, method in methods.items():
        yield f"corpus_bleu with {name}", bleu.corpus_bleu(others[:3], tokens[:3], (0.5, 0.3, 0.2), method)
    for own, text, (name, method) in zip(others, tokens, cycle(methods.items()), strict=False):
        yield f"sentence_bleu with {name}", bleu.sentence_bleu(own, text, smoothing_function=method)
    first = [own[0] for own in references]
    yield "corpus_chrf", chrf.corpus_chrf(first, candidates)
    yield "corpus_chrf with whitespace", chrf.corpus_chrf(first, candidates, 2, 4, beta=1.5, ignore_whitespace=False)
    yield "sentence_chrf", chrf.sentence_chrf(first[0], candidates[0])
