"""A metric whose steps from texts to statistics are done by the engines, where nobody has overridden them."""

from __future__ import annotations

from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.counts import MetricCounts, sum_rows
from bleuprint.compat.sacrebleu.metrics.base import Metric
from bleuprint.compat.sacrebleu.utils import sum_of_lists


class CountedMetric(Metric):
    """The steps that BLEU, chrF and TER share.

    Where text, preparation and methods are the tool's own, the engine prepares and counts. Where only the preparation
    is somebody else's (a subclass, another tokenizer), that code prepares and the engine counts. Where a method that
    counts was overridden, it counts.
    """

    _counts: ClassVar[MetricCounts]

    def _cache_references(self, references: Any) -> Any:
        rows = list(zip(*references))  # as long as the shortest stream
        kept = self._counts.keep(self, rows)
        return super()._cache_references(zip(*rows)) if kept is None else kept

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[Any]:
        if references and len(hypotheses) == 1:
            row = self._counts.count_sentence(self, hypotheses[0], references)
            if row is not None:
                return [row]
        side = self._choose_references(references)
        counted = self._counts.count(self, hypotheses, side)
        if counted is None:
            return self._count_each(hypotheses, side)
        texts, rows = counted
        if not self._force:
            self._warn_of_tokens(sum(1 for text in texts if text.endswith(" .")))
        return rows

    def _aggregate_and_compute(self, stats: list[Any]) -> Any:
        sums = sum_rows(stats)
        return self._compute_score_from_stats(sum_of_lists(stats) if sums is None else sums)

    def _score_resamples(self, sums: Any) -> list[Any]:
        if not self._counts.scores_itself(self):
            return super()._score_resamples(sums)
        from bleuprint.compat.sacrebleu.resampled_scores import score_lazily

        return score_lazily(self._counts.score_sums(sums, self), sums, self)
