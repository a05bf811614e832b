"""NLTK's formula: from counts to its number, in its own sequence of operations, so that the last bit agrees.

NLTK multiplies exp(Σ wₙ log pₙ) by the brevity penalty, leaves out orders whose smoothed precision is 0, sums without
rounding in between, and hands fractions to a smoothing function that may be anybody's. Two edges need this: the drop-in
and the accelerated NLTK. Each brings the parts that can be seen from outside (``Parts``).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, repeat
from types import MethodType
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.ngrams import Ngram, list_ngrams
from bleuprint.engines import find_engine
from bleuprint.metrics.bleu.counting import BleuStats, Counting, bleu_layout
from bleuprint.text.segments import Segments, snapshot_tokens
from bleuprint.text.tokenizers.registry import PRETOKENIZED

UNIFORM = (0.25, 0.25, 0.25, 0.25)
SIMPLE_METHODS = ("method0", "method1", "method2", "method3", "method4")
"""They look at numerators and denominators only; methods 5 to 7 compute with the fractions themselves."""
BUILT_IN = frozenset({list, tuple, str})
COUNTING = Counting(PRETOKENIZED, case="mixed", reference_length="closest", segment_totals="at-least-1")
Score = float | list[float]


class Parts(NamedTuple):
    """What the drop-in and NLTK each have of their own."""

    fraction: Callable[[int, int], Any]
    smoothing: type
    brevity_penalty: Callable[[int, int], float]
    simple_methods: dict[object, str]
    """The names of those methods of ``smoothing`` that need no fractions."""

    @classmethod
    def of(cls, fraction: Any, smoothing: type, brevity_penalty: Callable[[int, int], float]) -> Parts:
        """Take the parts as they are now: a method that is replaced later is no longer one of them."""
        methods: dict[object, str] = {getattr(smoothing, name): name for name in SIMPLE_METHODS}
        return cls(fraction, smoothing, brevity_penalty, methods)


class Counts(NamedTuple):
    """The sums of a corpus."""

    matches: tuple[int, ...]
    totals: tuple[int, ...]
    hypothesis_length: int
    reference_length: int


class Ratio(float):
    """A precision with its counts: as much of a fraction as the simple methods look at."""

    __slots__ = ("denominator", "numerator")
    numerator: int
    denominator: int

    def __new__(cls, numerator: int, denominator: int) -> Ratio:
        """Divide once, as the logarithm of a fraction would."""
        made = float.__new__(cls, numerator / denominator)
        made.numerator, made.denominator = numerator, denominator
        return made


def iterate_ngrams(tokens: Iterable[Any], n: int | None) -> Iterator[Ngram]:
    """Return the n-grams of one order as NLTK's ``ngrams`` does, also of odd orders and of tokens that are read once.

    Order 0 has one n-gram more than there are tokens, the order None has none.

    >>> list(iterate_ngrams("abc", 2))
    [('a', 'b'), ('b', 'c')]
    """
    islice((), n)  # refuses orders below 0 and such as are no whole numbers
    kept = tuple(tokens)
    if not n:
        return iter(()) if n is None else repeat((), len(kept) + 1)
    return iter(list_ngrams(kept, operator.index(n)))


def arrange_weights(weights: Any) -> tuple[Any, int]:
    """Give a sequence of weights for one score each, and the highest order among them."""
    if type(weights) is tuple and weights and type(weights[0]) is float:
        return (weights,), len(weights)
    try:
        weights[0][0]
    except (TypeError, IndexError):
        weights = [weights]
    return weights, max(len(weight) for weight in weights)


def count_quickly(list_of_references: Any, hypotheses: Any, order: int) -> Counts | None:
    """Count a corpus with the engine; None where something is unusual, so that it is done step by step."""
    if order < 1 or not len(hypotheses):
        return None
    row: Sequence[int] | None = None
    try:
        if type(hypotheses) is type(list_of_references) is list:
            row = _count_lists(list_of_references, hypotheses, order)
        if row is None:
            row = _count_anything(list_of_references, hypotheses, order)
    except Exception:  # whatever is wrong with a token or a list, going step by step comes upon it and says so
        return None
    return Counts(tuple(row[2 : 2 + order]), tuple(row[2 + order :]), row[0], row[1])


@lru_cache(maxsize=64)
def _layout(order: int) -> Layout[BleuStats]:
    """Look a layout up by its order alone: hashing a way of counting takes as long as counting a sentence."""
    return bleu_layout(order, COUNTING)


def _count_lists(list_of_references: list[Any], hypotheses: list[Any], order: int) -> Sequence[int] | None:
    if len(hypotheses) == 1:
        return find_engine().count_one(hypotheses[0], list_of_references[0], _layout(order))
    segments = snapshot_tokens(hypotheses, list_of_references)
    return None if segments is None else _sum_up(segments, order)


def _count_anything(list_of_references: Any, hypotheses: Any, order: int) -> Sequence[int]:
    return _sum_up(Segments(list(_copy(hypotheses, 2)), list(_copy(list_of_references, 3))), order)


def _sum_up(segments: Segments, order: int) -> Sequence[int]:
    return find_engine().count(segments, _layout(order)).sum_row()


def combine_counts(
    counts: Counts, weights: Any, smoothing_function: Any, auto_reweigh: Any, last: tuple[Any, Any], parts: Parts
) -> Score:
    """Compute a score for each weight. ``last`` are references and hypothesis of the last segment, for smoothing."""
    if not (counts.matches and counts.matches[0]):
        return 0 if len(weights) == 1 else [0] * len(weights)
    length = counts.hypothesis_length
    penalty = parts.brevity_penalty(counts.reference_length, length)
    precisions = _smooth(counts, smoothing_function or parts.smoothing().method0, last, parts)
    scores = []
    for weight in weights:
        if auto_reweigh and length < 4 and weight == UNIFORM:
            weight = (1 / length,) * length
        terms = [own * math.log(precision) for own, precision in zip(weight, precisions) if precision > 0]
        scores.append(penalty * math.exp(math.fsum(terms)))
    return scores[0] if len(weights) == 1 else scores


def last_segment(list_of_references: Any, hypotheses: Any) -> tuple[Any, Any]:
    """Give what NLTK hands to a smoothing function: those of the last segment, even for a corpus."""
    return _last(list_of_references), _last(hypotheses)


def _last(values: Any) -> Any:
    return values[-1] if type(values) in BUILT_IN else list(values)[-1]


def _smooth(counts: Counts, function: Any, last: tuple[Any, Any], parts: Parts) -> Sequence[Any]:
    matches, totals = counts.matches, counts.totals
    name = None
    if type(function) is MethodType and type(function.__self__) is parts.smoothing:
        name = parts.simple_methods.get(function.__func__)
    if name == "method2":
        return [matches[0] / totals[0], *[(m + 1) / (t + 1) for m, t in zip(matches[1:], totals[1:])]]
    if name and all(matches):  # which the others leave as they are
        return list(map(operator.truediv, matches, totals))
    p_n = list(map(Ratio if name else parts.fraction, matches, totals))
    references, hypothesis = last
    smoothed: Sequence[Any] = function(
        p_n, references=references, hypothesis=hypothesis, hyp_len=counts.hypothesis_length
    )
    return smoothed


def _copy(values: Any, depth: int) -> tuple[Any, ...]:
    """Copy nested collections; refuse what can be read only once before anything of it is read."""
    if type(values) not in BUILT_IN and (isinstance(values, Iterator) or not isinstance(values, Collection)):
        raise TypeError("not a collection")
    copied = tuple(values) if depth == 1 else tuple([_copy(value, depth - 1) for value in values])
    if len(copied) != len(values):
        raise ValueError("a collection of another length than it says")
    return copied
