"""TER's rows the way sacreBLEU lays them out, counted by bleuprint's engines.

A row has two numbers: the edits, and the mean length of the references.
"""

from __future__ import annotations

from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.counts import MetricCounts, Plan, Row
from bleuprint.counting.layout import Layout
from bleuprint.metrics.ter.counting import MOST_AVERAGED, PARTS, TerCounting, TerStats, ter_layout

COUNTING = TerCounting("mixed", "no", "no", "keep", "once", "candidate", 10, "insertions")

LAYOUT = ter_layout(COUNTING)
"""Of texts that are prepared already."""


class TerCounts(MetricCounts):
    """How the engines count for TER."""

    COUNTING: ClassVar[tuple[str, ...]] = (
        "_cache_references",
        "_extract_reference_info",
        "_compute_segment_statistics",
    )
    SCORING: ClassVar[tuple[str, ...]] = ("_compute_score_from_stats",)
    MOST_REFERENCES: ClassVar[float] = MOST_AVERAGED
    PREPARES_TWICE: ClassVar[bool] = True

    def __init__(self, kind: Any, tokenizer: Any) -> None:
        """Take the classes of the metric and of its tokenizer."""
        super().__init__(kind)
        self._tokenizer, self._split = tokenizer, tokenizer.__call__

    def find_plan(self, metric: Any) -> Plan | None:
        """Return how the engine counts; a tokenizer that does more than lowercase prepares the texts first."""
        tokenizer = metric.tokenizer
        own = type(tokenizer) is self._tokenizer and self._tokenizer.__call__ is self._split
        if not own or tokenizer._normalized or tokenizer._no_punct:
            return Plan(LAYOUT, None)
        return Plan(LAYOUT, self.find_change(metric, lowers=not tokenizer._case_sensitive))

    def as_rows(self, numbers: list[int], layout: Layout[TerStats]) -> list[Row]:
        """Return the edits of each segment, and the mean length of its references as a float."""
        starts = range(0, len(numbers), layout.width)
        return [[sum(numbers[start + 2 : start + layout.width]), numbers[start + 1] / PARTS] for start in starts]

    def score_sums(self, sums: Any, metric: Any) -> list[Any]:
        """Score every row of sums, as the metric would one by one, to the last bit."""
        from bleuprint.compat.sacrebleu.resampled_scores import score_ter

        return score_ter(sums, metric)
