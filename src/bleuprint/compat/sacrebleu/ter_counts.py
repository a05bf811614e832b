"""TER's rows the way sacreBLEU lays them out, counted by bleuprint's engines.

A row has two numbers: the edits, and the mean length of the references.
"""

from __future__ import annotations

from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.counts import (
    PREPARING,
    Change,
    Entries,
    KeptReferences,
    MetricCounts,
    Row,
    has_own,
)
from bleuprint.metrics.ter.counting import MOST_AVERAGED, PARTS, TerCounting, ter_layout
from bleuprint.text.segments import are_plain

COUNTING = TerCounting("mixed", "no", "no", "keep", "once", "candidate", 10, "insertions")

LAYOUT = ter_layout(COUNTING)
"""Of texts that are prepared already."""


class TerReferences(KeptReferences):
    """References of TER that the metric prepares: sacreBLEU does so twice, so their words are kept."""

    def __init__(self, metric: Any, entries: Entries) -> None:
        super().__init__(metric, entries)
        self.infos: list[Any] = [metric._extract_reference_info(list(own)) for own in self.split()]
        self.is_plain: bool = are_plain([word for info in self.infos for words in info["ref_words"] for word in words])
        if self.is_plain:
            self.texts: Entries = [tuple(map(" ".join, info["ref_words"])) for info in self.infos]

    def __getitem__(self, index: Any) -> Any:
        return self.infos[index]


class TerCounts(MetricCounts):
    """How the engines count for TER."""

    COUNTING: ClassVar[tuple[str, ...]] = (
        "_cache_references",
        "_extract_reference_info",
        "_compute_segment_statistics",
    )
    SCORING: ClassVar[tuple[str, ...]] = ("_compute_score_from_stats",)

    def __init__(self, kind: Any, tokenizer: Any) -> None:
        """Take the classes of the metric and of its tokenizer."""
        super().__init__(kind)
        self._tokenizer, self._split = tokenizer, tokenizer.__call__

    def keep_entries(self, metric: Any, entries: Entries) -> KeptReferences | None:
        """Keep references that are plain; there may be so many of a segment that their mean length is not exact."""
        if max(map(len, entries), default=0) > MOST_AVERAGED:
            return None
        change = self._find_change(metric)
        if change is None:
            return TerReferences(metric, entries)
        kept = KeptReferences(metric, entries)
        if change is not str:
            kept.texts = [tuple(map(change, own)) for own in entries]
        return kept

    def count_rows(self, metric: Any, texts: list[Any], side: Any, *, keep: bool) -> list[Row] | None:
        """Count candidates that are plain."""
        texts = list(map(self._find_change(metric) or metric._preprocess_segment, texts))
        if not side.is_plain or not are_plain(texts):
            return self.count_each(metric, texts, side)
        return as_rows(side.count_texts(texts, LAYOUT, keep=keep).numbers.tolist())

    def score_sums(self, sums: Any, metric: Any) -> list[Any]:
        """Score every row of sums, as the metric would one by one, to the last bit."""
        from bleuprint.compat.sacrebleu.resampled_scores import score_ter

        return score_ter(sums, metric)

    def _find_change(self, metric: Any) -> Change | None:
        """Give what ``_preprocess_segment`` does but for white space, if it is the tool's own and does not do more."""
        tokenizer = metric.tokenizer
        own = type(tokenizer) is self._tokenizer and self._tokenizer.__call__ is self._split
        if not own or not has_own(metric, (PREPARING,), self.own) or tokenizer._normalized or tokenizer._no_punct:
            return None
        return str if tokenizer._case_sensitive else str.lower


def as_rows(numbers: list[int]) -> list[Row]:
    """Give the edits of each segment, and the length of its references as a float."""
    width = LAYOUT.width
    return [
        [sum(numbers[start + 2 : start + width]), numbers[start + 1] / PARTS] for start in range(0, len(numbers), width)
    ]
