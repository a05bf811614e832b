"""The kernel under the installed NLTK: its ``corpus_bleu`` and ``corpus_chrf`` count here, all else stays NLTK's own.

The functions keep their identity and get another body (``__code__``). So whoever holds one profits: modules that
imported it by name before, partial functions, default arguments; and ``sentence_bleu`` and ``sentence_chrf``
(``nltk.translate.bleu`` and ``nltk.translate.chrf``, too), which call them. No attribute of NLTK is added or replaced,
and ``undo`` gives the bodies back.

The new bodies count a corpus with the engine and do the rest with NLTK's own parts or operations. Where the input is
out of the ordinary, or somebody has put other parts into NLTK's module, NLTK's own body runs as if nothing had
happened.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from bleuprint.compat.nltk.chrf_formula import average, score_quickly
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

MODULE, CHRF_MODULE = "nltk.translate.bleu_score", "nltk.translate.chrf_score"
MODULES = (MODULE, CHRF_MODULE)
PARTS = ("Fraction", "SmoothingFunction", "brevity_penalty", "closest_ref_length", "modified_precision", "ngrams")
"""What NLTK's body looks up in its module: as long as all of them are NLTK's, the engine may take their place."""
CHRF_PARTS = ("Counter", "_preprocess", "chrf_precision_recall_fscore_support", "defaultdict", "ngrams", "re", "redos")
"""The same of its other module; which of the last two it has depends on the release."""


class Applied(NamedTuple):
    """What was there before."""

    module: ModuleType
    function: Any
    body: CodeType
    original: Callable[..., Any]
    """NLTK's body as a function of its own."""
    parts: tuple[str, ...]
    own: tuple[object, ...]
    """NLTK's own parts."""
    of_bleu: Parts | None = None
    """Those that smoothing and combining take."""

    @property
    def is_whole(self) -> bool:
        """Whether all parts are still NLTK's."""
        return _parts_of(self.module, self.parts) == self.own


_applied: dict[str, Applied] = {}
"""By the name of the function."""


def apply() -> None:
    """Give NLTK's functions bodies that count with the engine."""
    if _applied:
        return
    bleu = _look_at(MODULE, "corpus_bleu", PARTS)
    own = bleu.module
    bleu = bleu._replace(of_bleu=Parts.of(own.Fraction, own.SmoothingFunction, own.brevity_penalty))
    chrf = _look_at(CHRF_MODULE, "corpus_chrf", CHRF_PARTS)
    for applied, body in ((bleu, corpus_bleu), (chrf, corpus_chrf)):
        _applied[applied.function.__name__] = applied
        applied.function.__code__ = body.__code__


def undo() -> None:
    """Give NLTK its own bodies back."""
    while _applied:
        _, applied = _applied.popitem()
        applied.function.__code__ = applied.body


def _look_at(path: str, name: str, parts: tuple[str, ...]) -> Applied:
    module = import_module(path)
    function = getattr(module, name)
    if not isinstance(function, FunctionType) or function.__code__.co_filename != module.__file__:
        raise BleuprintError(
            where=f"{path}.{name}",
            wanted="NLTK's own function",
            got=quote(function),
            next_step="Another package has replaced it: accelerate before that happens, or use bleuprint.compat.nltk.",
        )
    body = function.__code__
    original = FunctionType(body, function.__globals__, function.__name__, function.__defaults__)
    return Applied(module, function, body, original, parts, _parts_of(module, parts))


def _find_original(name: str, path: str) -> Callable[..., Any]:
    """Give NLTK's function; if acceleration was undone by another thread since the call began, it is itself again."""
    applied = _applied.get(name)
    original: Callable[..., Any] = applied.original if applied else getattr(import_module(path), name)
    return original


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
    applied = _applied.get("corpus_bleu")
    counted = _count(list_of_references, hypotheses, weights) if applied and applied.is_whole else None
    if applied is None or applied.of_bleu is None or counted is None:
        nltk = _find_original("corpus_bleu", MODULE)
        scored: Score = nltk(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)
        return scored
    counts, arranged = counted
    last = last_segment(list_of_references, hypotheses)
    return combine_counts(counts, arranged, smoothing_function, auto_reweigh, last, applied.of_bleu)


def _count(list_of_references: Any, hypotheses: Any, weights: Any) -> tuple[Counts, Any] | None:
    """Count, and arrange the weights; None where NLTK is to do it all by itself."""
    try:
        if len(list_of_references) != len(hypotheses):
            return None
        arranged, order = arrange_weights(weights)
    except Exception:  # NLTK has its own words for it
        return None
    counts = count_quickly(list_of_references, hypotheses, order)
    return counts and (counts, arranged)


def corpus_chrf(references: Any, hypotheses: Any, min_len: Any, max_len: Any, beta: Any, ignore_whitespace: Any) -> Any:
    """Serve as the body of NLTK's function, as the other one does."""
    from bleuprint.compat.nltk.acceleration import score_chrf

    return score_chrf(references, hypotheses, min_len, max_len, beta, ignore_whitespace)


def score_chrf(references: Any, hypotheses: Any, min_len: Any, max_len: Any, beta: Any, ignore_whitespace: Any) -> Any:
    """Score a corpus by chrF as NLTK would."""
    given = (references, hypotheses, min_len, max_len, beta, ignore_whitespace)
    applied = _applied.get("corpus_chrf")
    scores = score_quickly(*given) if applied and applied.is_whole else None
    return _find_original("corpus_chrf", CHRF_MODULE)(*given) if scores is None else average(scores, len(hypotheses))


def _parts_of(module: ModuleType, parts: tuple[str, ...]) -> tuple[object, ...]:
    names = module.__dict__
    return tuple([names.get(name) for name in parts])
