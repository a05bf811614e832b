"""A drop-in for ``nltk.translate.chrf_score`` of NLTK 3.10.4: the same calls and the same numbers, faster.

NLTK's chrF has one reference, β = 3, a scale from 0 to 1, and the score of a corpus is the mean over its segments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from bleuprint.compat.nltk.formula import iterate_ngrams
from bleuprint.counting.layout import Layout
from bleuprint.engines import find_engine
from bleuprint.metrics.chrf.counting import ChrfCounting, ChrfStats, chrf_layout, treat_whitespace
from bleuprint.metrics.chrf.formula import EACH_ORDER_NLTK
from bleuprint.metrics.chrf.recipe import HIGHEST_ORDER
from bleuprint.text.segments import Segments, are_plain

__all__ = ["chrf_precision_recall_fscore_support", "corpus_chrf", "sentence_chrf"]


EPSILON = 1e-16
BUILT_IN = (list, tuple)


class OrderScore(NamedTuple):
    """What one order of one segment comes to."""

    precision: Any
    recall: Any
    fscore: Any
    support: int
    """how many n-grams match"""


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


def score_order(matches: int, hypothesis: int, reference: int, beta: Any, epsilon: Any) -> OrderScore:
    """Weigh precision and recall, with NLTK's operations; where anything is divided by 0, all of it is epsilon."""
    try:
        precision, recall = matches / hypothesis, matches / reference
        factor = beta**2
        fscore = (1 + factor) * (precision * recall) / (factor * precision + recall)
    except ZeroDivisionError:
        precision = recall = fscore = epsilon
    return OrderScore(precision, recall, fscore, matches)


def average(segments: Iterable[Iterable[Any]], number: int) -> Any:
    """Average over orders, then over segments; ``segments`` holds the F of every order of each."""
    orders: list[list[Any]] = []
    for scores in segments:
        for place, score in enumerate(scores):
            if place == len(orders):
                orders.append([])
            orders[place].append(score)
    # sum() on purpose: how it rounds depends on the Python, here as there
    return sum(map(sum, orders)) / len(orders) / number


def score_quickly(
    references: Any, hypotheses: Any, min_len: Any, max_len: Any, beta: Any, ignore_whitespace: Any
) -> Iterator[list[Any]] | None:
    """Give the F of every order of each segment, counted by the engine; None where something is unusual."""
    if not type(min_len) is type(max_len) is int or not 1 <= min_len <= max_len <= HIGHEST_ORDER:
        return None
    texts, others = _join_all(hypotheses), _join_all(references)
    if texts is None or others is None or len(texts) != len(others) or not are_plain(texts + others):
        return None
    layout = _layout(max_len, bool(ignore_whitespace))
    counted = find_engine().count(Segments(list(texts), [(text,) for text in others]), layout)
    numbers, width = counted.numbers.tolist(), counted.width

    def score(row: list[int]) -> list[Any]:
        orders = zip(row[:max_len], row[max_len : 2 * max_len], row[2 * max_len :], strict=True)
        return [score_order(*counts, beta, EPSILON).fscore for counts in list(orders)[min_len - 1 :]]

    return (score(numbers[start + 2 : start + width]) for start in range(0, len(numbers), width))


def _join_all(texts: Any) -> list[str] | None:
    """Give texts as strings; None where one is neither that nor a list of strings, or can be read only once."""
    if type(texts) not in BUILT_IN or not texts:
        return None
    if not all(type(text) is str or type(text) in BUILT_IN for text in texts):
        return None
    try:
        return [text if type(text) is str else " ".join(text) for text in texts]
    except TypeError:
        return None


@lru_cache(maxsize=64)
def _layout(order: int, ignores_whitespace: bool) -> Layout[ChrfStats]:
    """Lay rows out; beta decides nothing where there is one reference."""
    whitespace = "removed-unicode" if ignores_whitespace else "kept"
    return chrf_layout(ChrfCounting("mixed", order, 0, whitespace, "always", "counted", 1.0, EACH_ORDER_NLTK))
