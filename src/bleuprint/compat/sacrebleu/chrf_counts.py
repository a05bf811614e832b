"""chrF's rows the way sacreBLEU lays them out, counted by bleuprint's engines.

A row has three numbers for each order, characters before words: n-grams of the candidate, of the reference, matches.
"""

from __future__ import annotations

from string import punctuation
from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.counts import MetricCounts, Plan, Row
from bleuprint.counting.layout import Layout
from bleuprint.metrics.chrf.counting import ChrfCounting, ChrfStats, chrf_layout
from bleuprint.metrics.chrf.formula import EACH_ORDER_EPS, EFFECTIVE_ORDER
from bleuprint.metrics.chrf.recipe import HIGHEST_BETA, HIGHEST_ORDER

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

    def find_plan(self, metric: Any) -> Plan | None:
        """Return how the engine counts."""
        layout = _find_layout(metric)
        return Plan(layout, self.find_change(metric, lowers=metric.lowercase)) if layout else None

    def as_rows(self, numbers: list[int], layout: Layout[ChrfStats]) -> list[Row]:
        """Put the three numbers of each order side by side."""
        rows, order = [], layout.order
        for start in range(2, len(numbers), layout.width):
            row: Row = [0] * (3 * order)
            row[2::3] = numbers[start : start + order]
            row[0::3] = numbers[start + order : start + 2 * order]
            row[1::3] = numbers[start + 2 * order : start + 3 * order]
            rows.append(row)
        return rows

    def score_sums(self, sums: Any, metric: Any) -> list[Any]:
        """Score every row of sums, as the metric would one by one, to the last bit."""
        from bleuprint.compat.sacrebleu.resampled_scores import score_chrf

        return score_chrf(sums, metric)


def _find_layout(metric: Any) -> Layout[ChrfStats] | None:
    """Return the layout of rows that are counted with these settings; None if the engine does not support them."""
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
