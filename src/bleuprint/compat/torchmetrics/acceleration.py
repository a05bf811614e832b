"""torchmetrics' BLEU, chrF and TER with bleuprint's counting, to equal tensors.

Classes and functions of a metric count in one function of torchmetrics, and only that is replaced. It still runs for
input that bleuprint does not count in the same way: texts that are not strings, lists of unequal lengths, sums that the
floats of a metric do not hold exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from bleuprint.compat.torchmetrics import bleu, chrf, ter


def replacements() -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """Make the new functions."""
    for metric in (bleu, chrf, ter):
        home = import_module(metric.HOME)
        yield home, metric.FUNCTION, metric.make_update(getattr(home, metric.FUNCTION))


def samples(candidates: list[str], references: list[list[str]]) -> Iterator[tuple[str, object]]:
    """Compute scores with every metric; torchmetrics takes milliseconds for each text of chrF."""
    functions = import_module("torchmetrics.functional.text")
    yield "bleu_score", functions.bleu_score(candidates, references).tolist()
    for start, tokenize in enumerate(("none", "13a", "zh", "char")):
        corpus = candidates[start::4], references[start::4]
        score = functions.sacre_bleu_score(*corpus, tokenize=tokenize, smooth=True, lowercase=start % 2 == 1)
        yield f"sacre_bleu_score with {tokenize}", score.tolist()
    of_chrf = functions.chrf_score(candidates[:2], references[:2], return_sentence_level_score=True)
    yield "chrf_score", [part.tolist() for part in of_chrf]
    of_chrf = functions.chrf_score(candidates[2:4], references[2:4], 3, 1, 1.5, lowercase=True, whitespace=True)
    yield "chrf_score with whitespace", of_chrf.tolist()
    for options in ({}, {"normalize": True, "no_punctuation": True, "lowercase": False}):
        of_ter = functions.translation_edit_rate(candidates[:8], references[:8], **options)
        yield f"translation_edit_rate with {options}", of_ter.tolist()
