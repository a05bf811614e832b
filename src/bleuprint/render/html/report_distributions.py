"""How the scores and the lengths of segments are distributed: histograms of every system on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.closeup import score_alone
from bleuprint.findings.comparison.results import RecipeResult
from bleuprint.metrics.metric import Metric
from bleuprint.render.html.score_bins import HistogramBar, bin_scores, count_bins, make_histogram
from bleuprint.wording import format_score

RATIO_BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.3, 1.5)


class Histogram(NamedTuple):
    """How often a system has which values."""

    name: str
    remark: str
    columns: tuple[HistogramBar, ...]


class Distribution(NamedTuple):
    """The same histogram for every system, on one scale."""

    title: str
    unit: str
    ends: tuple[str, str, str]
    """what stands below the axis: at its beginning, in its middle, at its end"""
    histograms: tuple[Histogram, ...]


def distribute_scores(comparison: Comparison, result: RecipeResult, order: Sequence[str]) -> Distribution:
    """Draw how the scores of segments are distributed."""
    metric = result.recipe.metric
    tables = comparison.tables[result.recipe.counting]
    values = {name: score_alone(tables[name], result.recipe) for name in order}
    bins = bin_scores(metric, (score for own in values.values() for score in own))
    counts = {name: count_bins(own, bins.starts) for name, own in values.items()}
    remarks = {name: f"median {format_score(median(own), metric.digits)}" for name, own in values.items()}
    drawn = _draw(counts, bins.labels, remarks)
    return Distribution("Scores of segments", metric.heading(result.recipe), bins.ends, drawn)


def distribute_ratios(comparison: Comparison, result: RecipeResult, order: Sequence[str]) -> Distribution:
    """Draw how long segments are beside their references."""
    tables = comparison.tables[result.recipe.counting]
    metric = result.recipe.metric
    values = {name: _find_ratios(tables[name], metric) for name in order}
    counts = {name: count_bins(own, RATIO_BINS) for name, own in values.items()}
    ends = [f"{end:g}" for end in RATIO_BINS[1:]]
    labels = [f"below {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"{ends[-1]} and more"]
    remarks = {name: f"median {median(own):.2f}" if own else "no references" for name, own in values.items()}
    title = "Lengths of segments against their references"
    unit = f"{metric.length_unit} of the candidate per {metric.length_unit.removesuffix('s')} of the reference"
    return Distribution(title, unit, ("shorter", "1", "longer"), _draw(counts, labels, remarks))


def _find_ratios(table: StatsTable, metric: Metric) -> list[float]:
    places = [table.columns.index(name) for name in ("candidate_length", "reference_length")]
    rows = (metric.in_words(table.row(place)) for place in range(len(table)))
    lengths = ([row[place] for place in places] for row in rows)
    return [candidate / reference for candidate, reference in lengths if reference]


def _draw(counts: dict[str, list[int]], labels: Sequence[str], remarks: dict[str, str]) -> tuple[Histogram, ...]:
    most = max(max(own) for own in counts.values())
    return tuple(
        Histogram(name, remarks[name], tuple(make_histogram(own, labels, most))) for name, own in counts.items()
    )
