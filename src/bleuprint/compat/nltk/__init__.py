"""A drop-in for NLTK's BLEU and chrF (3.10.4, ``nltk.translate``): the same calls and the same numbers, faster.

Change one line, ``from nltk.translate.bleu_score import …`` or ``from nltk.translate.chrf_score import …`` to
``from bleuprint.compat.nltk import …``; NLTK need not be installed. Names, order of arguments, scale (0 to 1), types of
results, warnings and types of errors are NLTK's, and so are its oddities, which docs/dialects.md lists beside the
number that was probably meant.

An ordinary corpus is counted by the engine. Whatever is out of the ordinary goes step by step through the functions
here, which say the same in plain Python.
"""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

from bleuprint.compat.nltk.chrf_score import chrf_precision_recall_fscore_support, corpus_chrf, sentence_chrf
from bleuprint.compat.nltk.formula import (
    UNIFORM,
    Counts,
    Parts,
    Score,
    arrange_weights,
    combine_counts,
    count_quickly,
    iterate_ngrams,
    last_segment,
)
from bleuprint.counting.ngrams import Ngram, count_matches, highest_counts

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "chrf_precision_recall_fscore_support",
    "closest_ref_length",
    "corpus_bleu",
    "corpus_chrf",
    "modified_precision",
    "sentence_bleu",
    "sentence_chrf",
]

_REDUCES = sys.version_info < (3, 12)
"""Up to Python 3.11 a fraction can be told not to reduce itself."""


class Fraction(fractions.Fraction):
    """A fraction that shows the counts it was made of: 2/4 has the numerator 2.

    Inside, Python before 3.12 keeps 2/4 and newer ones keep 1/2; NLTK's has the same two faces.
    """

    def __new__(cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False) -> Fraction:
        """Keep both numbers as given."""
        options = {"_normalize": _normalize} if _REDUCES else {}
        made = super().__new__(cls, numerator, denominator, **options)
        made._given = None if _normalize else (numerator, denominator)
        return made

    _given: tuple[Any, Any] | None

    @property
    def numerator(self) -> Any:
        """The numerator as given."""
        return self._given[0] if self._given else super().numerator

    @property
    def denominator(self) -> Any:
        """The denominator as given."""
        return self._given[1] if self._given else super().denominator


def sentence_bleu(
    references: Any,
    hypothesis: Any,
    weights: Any = UNIFORM,
    smoothing_function: Any = None,
    auto_reweigh: bool = False,
) -> Score:
    """Score one hypothesis against its references, all of them lists of tokens; a list of weights gives a list.

    >>> sentence_bleu([["the", "cat", "is", "on", "the", "mat"]], ["the", "cat", "is", "on", "mat"])
    0.5789300674674098
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = UNIFORM,
    smoothing_function: Any = None,
    auto_reweigh: bool = False,
) -> Score:
    """Score a corpus; ``list_of_references[i]`` are the references of ``hypotheses[i]``.

    >>> references = [[["the", "cat", "is", "on", "the", "mat"]], [["it", "purrs"]]]
    >>> corpus_bleu(references, [["the", "cat", "is", "on", "mat"], ["it", "purrs"]], weights=[(1.0,), (0.5, 0.5)])
    [0.8668778997501817, 0.7753591648134617]
    """
    if len(list_of_references) != len(hypotheses):
        raise AssertionError(
            f"list_of_references: expected {len(hypotheses)} entries, one for each hypothesis, "
            f"got {len(list_of_references)}."
        )
    weights, order = arrange_weights(weights)
    counts = count_quickly(list_of_references, hypotheses, order)
    if counts is None:
        counts, last = _count_step_by_step(list_of_references, hypotheses, order)
    else:
        last = last_segment(list_of_references, hypotheses)
    return combine_counts(counts, weights, smoothing_function, auto_reweigh, last, PARTS)


def modified_precision(references: Any, hypothesis: Any, n: int) -> Fraction:
    """Divide the clipped matches of one order by the hypothesis's n-grams, of which at least one is counted.

    >>> precision = modified_precision([["the", "cat", "is", "here"]], ["the", "the", "cat", "the"], n=1)
    >>> precision.numerator, precision.denominator
    (2, 4)
    """
    counts = _count_ngrams(hypothesis, n)
    reference_counts = [_count_ngrams(reference, n) for reference in references]
    if counts and not reference_counts:
        raise KeyError(next(iter(counts)))  # as NLTK, which looks it up in what the references have
    return Fraction(count_matches(counts, highest_counts(reference_counts)), max(1, counts.total()))


def closest_ref_length(references: Any, hyp_len: int) -> int:
    """Choose the length of the reference that is closest to the hypothesis's; of two at one distance the shorter.

    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Compute what a short hypothesis loses: the whole number 1 for nothing, 0 for an empty hypothesis.

    >>> brevity_penalty(6, 5), brevity_penalty(5, 6)
    (0.8187307530779819, 1)
    """
    if hyp_len > closest_ref_len:
        return 1
    return 0 if hyp_len == 0 else math.exp(1 - closest_ref_len / hyp_len)


class SmoothingFunction:
    """Seven ways to keep an order without a match from making the score zero, after Chen and Cherry (2014).

    A method gets the precisions of all orders as fractions and gives smoothed ones. Methods 3 to 7 change the list that
    they get. Methods 5 to 7 look at the last segment of a corpus, as NLTK's do: they are made for single sentences.

    >>> SmoothingFunction(epsilon=0.5).method1([Fraction(1, 2), Fraction(0, 1)])
    [Fraction(1, 2), 0.5]
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon: float = epsilon
        self.alpha: float = alpha
        self.k: float = k

    def method0(self, p_n: Any, *args: Any, **kwargs: Any) -> Any:
        """Replace a precision of 0 by the smallest normal float, and warn."""
        return [p if p.numerator != 0 else _smallest_float(order) for order, p in enumerate(p_n, start=1)]

    def method1(self, p_n: Any, *args: Any, **kwargs: Any) -> Any:
        """Replace a numerator of 0 by epsilon."""
        return [p if p.numerator != 0 else (p.numerator + self.epsilon) / p.denominator for p in p_n]

    def method2(self, p_n: Any, *args: Any, **kwargs: Any) -> Any:
        """Add 1 to both counts of every order but the first (Lin and Och 2004)."""
        return [Fraction(p.numerator + 1, p.denominator + 1) if place else p for place, p in enumerate(p_n)]

    def method3(self, p_n: Any, *args: Any, **kwargs: Any) -> Any:
        """Count half a match in the first order without one, a quarter in the second, and so on."""
        zeros = 0
        for place, p in enumerate(p_n):
            if p.numerator == 0:
                zeros += 1
                p_n[place] = 1 / (2**zeros * p.denominator)
        return p_n

    def method4(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        """As method 3, times ln(length) / k: a short hypothesis gets less."""
        length = hyp_len or len(hypothesis)
        zeros = 0
        for place, p in enumerate(p_n):
            if p.numerator == 0 and length > 1:
                zeros += 1
                p_n[place] = 1 / (2**zeros * self.k / math.log(length)) / p.denominator
        return p_n

    def method5(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Average each precision with its two neighbours; beyond the last order with that of 5-grams."""
        following = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        before = p_n[0] + 1
        for place, (p, after) in enumerate(zip(p_n, following)):
            before = p_n[place] = (before + p + after) / 3
        return p_n

    def method6(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        """From the third order on, mix the precision with what the two orders before it lead to expect."""
        if not p_n[2]:
            raise AssertionError(
                "p_n: expected a trigram match, got none. method6 goes by the ratio of neighbouring orders; "
                "use another method for a text that is so far from its references."
            )
        for place in range(2, len(p_n)):
            expected = 0 if p_n[place - 2] == 0 else p_n[place - 1] ** 2 / p_n[place - 2]
            total = max(0, len(hypothesis) - place)
            p_n[place] = (p_n[place].numerator + self.alpha * expected) / (total + self.alpha)
        return p_n

    def method7(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Apply method 4, then method 5."""
        length = hyp_len or len(hypothesis)
        return self.method5(self.method4(p_n, references, hypothesis, length), references, hypothesis, length)


PARTS = Parts.of(Fraction, SmoothingFunction, brevity_penalty)


def _smallest_float(order: int) -> float:
    # The first line is NLTK's own: people silence the warning by it.
    warnings.warn(
        f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
        f"That precision is taken as {sys.float_info.min:.3g}, so the score is next to 0.\n"
        "SmoothingFunction or weights for fewer orders give such a text a score.",
        stacklevel=1,  # as NLTK: by default shown once, not once for each place that calls
    )
    return sys.float_info.min


def _count_step_by_step(
    list_of_references: Iterable[Any], hypotheses: Iterable[Any], order: int
) -> tuple[Counts, tuple[Any, Any]]:
    """Count as NLTK does, one order of one segment at a time, so that what is wrong is met in the same place."""
    matches, totals = [0] * order, [0] * order
    lengths = reference_lengths = 0
    last: tuple[Any, Any] = (None, None)
    for references, hypothesis in zip(list_of_references, hypotheses):
        for place in range(order):
            precision = modified_precision(references, hypothesis, place + 1)
            matches[place] += precision.numerator
            totals[place] += precision.denominator
        lengths += len(hypothesis)
        reference_lengths += closest_ref_length(references, len(hypothesis))
        last = references, hypothesis
    for total in totals:
        Fraction(0, total)  # of an empty corpus there is no precision: ZeroDivisionError
    return Counts(tuple(matches), tuple(totals), lengths, reference_lengths), last


def _count_ngrams(tokens: Any, n: int) -> Counter[Ngram]:
    return Counter(iterate_ngrams(tokens, n)) if len(tokens) >= n else Counter()
