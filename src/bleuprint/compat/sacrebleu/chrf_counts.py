"""chrF's rows the way sacreBLEU lays them out, counted by bleuprint's engines.

A row has three numbers for each order, characters before words: n-grams of the candidate, of the reference, matches.
"""

from __future__ import annotations

from string import punctuation
from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.counts import (
    PREPARING,
    Change,
    Entries,
    KeptReferences,
    MetricCounts,
    Row,
    has_own,
    list_texts,
)
from bleuprint.counting.layout import Layout
from bleuprint.metrics.chrf.counting import ChrfCounting, ChrfStats, chrf_layout
from bleuprint.metrics.chrf.formula import EACH_ORDER_EPS, EFFECTIVE_ORDER
from bleuprint.metrics.chrf.recipe import HIGHEST_BETA, HIGHEST_ORDER
from bleuprint.text.segments import are_plain

PUNCTUATION = set(punctuation)


class ChrfCounts(MetricCounts):
    """How the engines count for chrF."""

    COUNTING: ClassVar[tuple[str, ...]] = (
        "_cache_references",
        "_extract_reference_info",
        "_compute_segment_statistics",
        "_get_match_statistics",
        "_remove_punctuation",
        "_compute_f_score",
    )
    SCORING: ClassVar[tuple[str, ...]] = ("_compute_score_from_stats", "_compute_f_score")

    def scores_itself(self, metric: Any) -> bool:
        """Whether a metric makes scores of statistics as the tool does, with settings that are known here."""
        return super().scores_itself(metric) and _find_layout(metric) is not None

    def keep_entries(self, metric: Any, entries: Entries) -> KeptReferences | None:
        """Keep references that are plain."""
        kept, change = KeptReferences(metric, entries), self._find_change(metric)
        if change is None:
            kept.texts = kept.split()
            kept.is_plain = are_plain(list_texts(kept.texts))
        elif change is not str:
            kept.texts = [tuple(map(change, own)) for own in entries]
        return kept

    def count_rows(self, metric: Any, texts: list[Any], side: Any, *, keep: bool) -> list[Row] | None:
        """Count candidates that are plain; references count up to the orders that they were given with."""
        layout = _find_layout(metric)
        if layout is None or _settings_of_references(metric) != _settings_of_references(side.then):
            return None
        texts = list(map(self._find_change(metric) or metric._preprocess_segment, texts))
        if not side.is_plain or not are_plain(texts):
            return self.count_each(metric, texts, side)
        return as_rows(side.count_texts(texts, layout, keep=keep).numbers.tolist(), layout.order)

    def score_sums(self, sums: Any, metric: Any) -> list[Any]:
        """Score every row of sums, as the metric would one by one, to the last bit."""
        from bleuprint.compat.sacrebleu.resampled_scores import score_chrf

        return score_chrf(sums, metric)

    def _find_change(self, metric: Any) -> Change | None:
        """Give what ``_preprocess_segment`` does, unless somebody has overridden it."""
        if not has_own(metric, (PREPARING,), self.own):
            return None
        return str.lower if metric.lowercase else str


def as_rows(numbers: list[int], order: int) -> list[Row]:
    """Put the three numbers of each order side by side."""
    rows = []
    for start in range(2, len(numbers), 2 + 3 * order):
        row: Row = [0] * (3 * order)
        row[2::3] = numbers[start : start + order]
        row[0::3] = numbers[start + order : start + 2 * order]
        row[1::3] = numbers[start + 2 * order : start + 3 * order]
        rows.append(row)
    return rows


def _settings_of_references(metric: Any) -> tuple[Any, ...]:
    return metric.char_order, metric.word_order, bool(metric.whitespace)


def _find_layout(metric: Any) -> Layout[ChrfStats] | None:
    """Give the layout of rows that are counted with these settings, None where the engines do not know them."""
    characters, words, beta = metric.char_order, metric.word_order, metric.beta
    if not (type(characters) is int and type(words) is int and metric.order == characters + words):
        return None
    if not (1 <= characters <= HIGHEST_ORDER and 0 <= words <= HIGHEST_ORDER and metric._PUNCTS == PUNCTUATION):
        return None
    # sacreBLEU takes a power, which may round another way
    if type(beta) not in (int, float) or not 0 <= beta <= HIGHEST_BETA or beta**2 != beta * beta:
        return None
    whitespace, averaging = "kept" if metric.whitespace else "removed", EFFECTIVE_ORDER
    if metric.eps_smoothing:
        averaging = EACH_ORDER_EPS
    counting = ChrfCounting(
        "mixed", characters, words, whitespace, "where-reference-has", "counted", float(beta), averaging
    )
    return chrf_layout(counting)
