"""A drop-in for ``nltk.translate.chrf_score`` of NLTK 3.10.4: the same calls and the same numbers, faster.

NLTK's chrF has one reference, β = 3, a scale from 0 to 1, and the score of a corpus is the mean over its segments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from bleuprint.compat.nltk.chrf_formula import EPSILON, OrderScore, average, score_order, score_quickly
from bleuprint.compat.nltk.windows import iterate_ngrams
from bleuprint.metrics.chrf.counting import treat_whitespace

__all__ = ["chrf_precision_recall_fscore_support", "corpus_chrf", "sentence_chrf"]


def sentence_chrf(
    reference: Any,
    hypothesis: Any,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Score one hypothesis against its reference, both strings or lists of tokens.

    >>> sentence_chrf("the cat is on the mat", "the cat is on mat")
    0.627425073135521
    """
    return corpus_chrf([reference], [hypothesis], min_len, max_len, beta=beta, ignore_whitespace=ignore_whitespace)


def corpus_chrf(
    references: Any,
    hypotheses: Any,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Score a corpus: the mean of the scores of its segments; ``references[i]`` belongs to ``hypotheses[i]``.

    >>> corpus_chrf(["the cat is on the mat", "it purrs"], ["the cat is on mat", ["it", "purrs"]])
    0.8137125365677605
    """
    if len(references) != len(hypotheses):
        raise AssertionError(
            f"references: expected {len(hypotheses)} entries, one for each hypothesis, got {len(references)}."
        )
    scores = score_quickly(references, hypotheses, min_len, max_len, beta, ignore_whitespace)
    if scores is None:
        scores = _score_step_by_step(references, hypotheses, min_len, max_len, beta, ignore_whitespace)
    averaged: float = average(scores, len(hypotheses))
    return averaged


def chrf_precision_recall_fscore_support(
    reference: Any, hypothesis: Any, n: int, beta: float = 3.0, epsilon: float = EPSILON
) -> tuple[float, float, float, int]:
    """Give precision, recall, F and the number of matches of one order, over characters or any tokens.

    >>> chrf_precision_recall_fscore_support("abcd", "abc", n=2)
    (1.0, 0.6666666666666666, 0.689655172413793, 2)
    """
    return tuple(_compare(reference, hypothesis, n, beta, epsilon))


def _compare(reference: Any, hypothesis: Any, n: int, beta: float, epsilon: float) -> OrderScore:
    known, own = Counter(iterate_ngrams(reference, n)), Counter(iterate_ngrams(hypothesis, n))
    return score_order((known & own).total(), own.total(), known.total(), beta, epsilon)


def _score_step_by_step(
    references: Any, hypotheses: Any, min_len: int, max_len: int, beta: float, ignore_whitespace: bool
) -> Iterator[list[Any]]:
    """Score as NLTK does, one order of one segment at a time, so that what is wrong is met in the same place."""
    for reference, hypothesis in zip(references, hypotheses):
        texts = _prepare(reference, ignore_whitespace), _prepare(hypothesis, ignore_whitespace)
        yield [_compare(*texts, n, beta, EPSILON).fscore for n in range(min_len, max_len + 1)]


def _prepare(text: Any, ignore_whitespace: bool) -> str:
    joined: str = text if type(text) is str else " ".join(text)
    return treat_whitespace(joined, "removed-unicode") if ignore_whitespace else joined
