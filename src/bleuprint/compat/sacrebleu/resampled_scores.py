"""The scores of resamples: thousands of sums, scored a column at a time, each rounded as sacreBLEU rounds one.

The sums are NumPy's numbers, mostly 32-bit floats, and so are the scores that sacreBLEU makes of them; but for those
that it gives as Python's, 0 for a resample without a match. A row of that kind is left to the metric.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleuprint.compat.sacrebleu import formula as formula

Numbers = NDArray[Any]


class ResampledScore:
    """The score of one resample; the rest of sacreBLEU's score is computed when somebody asks for it."""

    def __init__(self, score: Any, metric: Any, row: Any) -> None:
        self.score = score
        self._metric, self._row = metric, row

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_metric", "_row"):
            raise AttributeError(name)
        return getattr(self._whole(), name)

    def __repr__(self) -> str:
        return repr(self._whole())

    def _whole(self) -> Any:
        return self._metric._compute_score_from_stats(self._row.copy())


def score_lazily(scores: Iterable[Any], sums: Numbers, metric: Any) -> list[ResampledScore]:
    """Put scores with the sums they were made of, so that the rest of each is to be had when it is asked for."""
    return [ResampledScore(score, metric, row) for score, row in zip(scores, sums, strict=True)]


def score_chrf(sums: Numbers, metric: Any) -> list[Any]:
    """Score every row of sums by chrF."""
    usual: Any = (sums > 0).all(axis=1) & _rounds_alike(metric.beta)
    candidate, reference, matches = (sums[usual, start::3] for start in range(3))
    factor = metric.beta**2
    total: Any = 0
    mean_precision: Any = 0
    mean_recall: Any = 0
    for place in range(metric.order):
        precision = matches[:, place] / candidate[:, place]
        recall = matches[:, place] / reference[:, place]
        total = total + (1 + factor) * precision * recall / (factor * precision + recall)
        mean_precision, mean_recall = mean_precision + precision, mean_recall + recall
    if metric.eps_smoothing:
        return _mix(100 * total / metric.order, usual, sums, metric)
    mean_precision, mean_recall = mean_precision / metric.order, mean_recall / metric.order
    scores = (1 + factor) * mean_precision * mean_recall / (factor * mean_precision + mean_recall)
    return _mix(100 * scores, usual, sums, metric)


def score_ter(sums: Numbers, metric: Any) -> list[Any]:
    """Score every row of sums by TER."""
    usual = (sums[:, 1] > 0) & _rounds_alike(None)
    return _mix(100 * (sums[usual, 0] / sums[usual, 1]), usual, sums, metric)


def _mix(scores: Numbers, usual: Numbers, sums: Numbers, metric: Any) -> list[Any]:
    """Give the scores of usual rows, and those of the others as the metric computes them."""
    known = iter(scores)
    return [
        next(known) if is_usual else metric._compute_score_from_stats(row).score
        for is_usual, row in zip(usual.tolist(), sums, strict=True)
    ]


def score_bleu(sums: Numbers, metric: Any) -> list[float]:
    """Score every row of sums by BLEU."""
    value = metric.smooth_value
    if value is None:
        value = formula.SMOOTHING_VALUES[metric.smooth_method]
    if not _rounds_alike(value):
        return [metric._compute_score_from_stats(row).score for row in sums]
    order = metric.max_ngram_order
    matches, totals = sums[:, 2 : 2 + order].copy(), sums[:, 2 + order :].copy()
    matched = np.any(matches, axis=1).tolist()
    precisions, reached = _smooth(matches, totals, metric.smooth_method, value)
    orders = np.where(reached > 0, reached, order) if metric.effective_order else np.full(len(sums), order)
    lengths = zip(map(int, sums[:, 0].tolist()), map(int, sums[:, 1].tolist()), strict=True)
    return [
        formula.combine(own, count, formula.brevity(*both)) if any_match else 0.0
        for own, count, both, any_match in zip(precisions.tolist(), orders.tolist(), lengths, matched, strict=True)
    ]


def _rounds_alike(value: object) -> bool:
    """Whether NumPy rounds a whole column as it rounds single numbers; before NumPy 2 it did not."""
    return isinstance(100.0 * np.float32(1), np.float32) and type(value) in (int, float, type(None))


def _smooth(matches: Numbers, totals: Numbers, method: str, value: Any) -> tuple[Numbers, Numbers]:
    """Do what ``formula.smooth`` does, a column at a time."""
    rows, order = matches.shape
    kind = matches.dtype if matches.dtype == np.float32 else np.float64
    precisions = np.zeros((rows, order), dtype=kind)
    alive, reached = np.ones(rows, dtype=bool), np.zeros(rows, dtype=int)
    divisor = np.ones(rows, dtype=kind)
    for place in range(order):
        if method == "add-k" and place > 0:
            for counts in (matches, totals):  # whole numbers cut off what they cannot hold, here as there
                counts[:, place] = (counts[:, place] + value).astype(counts.dtype)
        own, total = matches[:, place], totals[:, place]
        alive &= total != 0
        reached[alive] = place + 1
        hit, miss = alive & (own != 0), alive & (own == 0)
        precisions[hit, place] = 100.0 * own[hit] / total[hit]
        if method == "exp":
            divisor[miss] *= 2
            precisions[miss, place] = 100.0 / (divisor[miss] * total[miss])
        elif method == "floor":
            precisions[miss, place] = 100.0 * value / total[miss]
    return precisions, reached
