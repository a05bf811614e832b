"""What the report says of systems and recipes: one order of systems, intervals, differences, distributions.

Systems stand in one order everywhere, the best by the first recipe first, so that a name keeps its place from one
table or figure to the next; where another recipe ranks otherwise, its column of ranks says so.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.closeup import score_alone
from bleuprint.findings.comparison.results import PairResult, PairVerdict, RecipeResult
from bleuprint.findings.significance import Interval
from bleuprint.metrics.metric import Metric
from bleuprint.render.blocks import Table
from bleuprint.render.comparison import arrange_pairs, arrange_systems
from bleuprint.render.html.figures import DrawnAxis, HistogramBar, bin_scores, count_bins, lay_axis, make_histogram
from bleuprint.wording import format_difference, format_p, format_score

VERDICTS = {
    PairVerdict.SIGNIFICANT: "significant", PairVerdict.NOT_SIGNIFICANT: "not significant",
    PairVerdict.UNDECIDED: "undecided",
}  # fmt: skip

RATIO_BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.3, 1.5)

LONGEST = 22
"""A name of more characters than this is shortened."""
HEAD, TAIL = 11, 9
"""So many characters of it stay: names of one series differ at their ends."""
_CLINGING = {"Mn", "Mc", "Me", "Cf", "Sk"}
"""Kinds of characters that belong to the one before: accents, joiners, the colours of emoji."""
_JOINER = "\u200d"


class Strip(NamedTuple):
    """An interval on its axis: where it begins and ends, and where the value itself is."""

    low: str
    high: str
    value: str


class Plot(NamedTuple):
    """A table whose rows end with an interval, drawn on one axis."""

    table: Table
    axis: DrawnAxis
    strips: tuple[Strip, ...]


class Cell(NamedTuple):
    """A pair of systems in the matrix: the system of the row minus that of the column."""

    difference: str
    p: str
    look: str
    """``ahead`` or ``behind`` where the difference is significant, else ``level``"""
    verdict: str
    """in words"""


class Histogram(NamedTuple):
    """How often a system has which values."""

    name: str
    remark: str
    columns: list[HistogramBar]


class Distribution(NamedTuple):
    """The same histogram for every system, on one scale."""

    title: str
    unit: str
    ends: tuple[str, str, str]
    """what stands below the axis: at its beginning, in its middle, at its end"""
    histograms: list[Histogram]


class RecipeSummary(NamedTuple):
    """What the report says of one recipe."""

    result: RecipeResult
    systems: Plot
    pairs: Plot | None
    matrix: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    """by system; empty where two systems or a baseline make it a single column"""


def order_systems(comparison: Comparison) -> list[str]:
    """Name the systems in the one order that the report has."""
    return [system.name for system in comparison.result().ranked]


def shorten_names(names: Iterable[str]) -> dict[str, str]:
    """Shorten long names. Names whose short forms would be equal have none.

    >>> shorten_names(["small", "transformer-big-checkpoint-1000"])
    {'transformer-big-checkpoint-1000': 'transformer…oint-1000'}
    """
    short = {name: _shorten(name) for name in names if len(name) > LONGEST}
    seen = Counter(short.values())
    return {name: form for name, form in short.items() if seen[form] == 1}


def _shorten(name: str) -> str:
    stop, start = HEAD, len(name) - TAIL
    while stop > 1 and _clings(name, stop):
        stop -= 1
    while start < len(name) - 1 and _clings(name, start):
        start += 1
    return f"{name[:stop]}…{name[start:]}"


def _clings(name: str, place: int) -> bool:
    """Whether a character makes one sign with the one before it."""
    return unicodedata.category(name[place]) in _CLINGING or name[place - 1] == _JOINER


def summarise_recipe(comparison: Comparison, result: RecipeResult, order: Sequence[str]) -> RecipeSummary:
    """Lay out the tables and figures of one recipe."""
    systems = [result.system(name) for name in order]
    metric = result.recipe.metric
    axis = make_axis([one.interval for one in systems], [one.score.score for one in systems], metric)
    strips = tuple(make_strip(axis, one.interval, one.score.score) for one in systems)
    plot = Plot(arrange_systems(comparison, result, systems), axis, strips)
    return RecipeSummary(result, plot, _plot_pairs(comparison, result, order), _make_matrix(comparison, result, order))


def make_axis(
    intervals: Iterable[Interval], values: Iterable[float], metric: Metric, *, zero: bool = False
) -> DrawnAxis:
    """Make an axis that has room for all intervals, and for 0 if asked."""
    return lay_axis([*(bound for one in intervals for bound in (one.low, one.high)), *values], metric, zero=zero)


def make_strip(axis: DrawnAxis, interval: Interval, value: float) -> Strip:
    """Place an interval on its axis."""
    low, high = sorted((interval.low, interval.high))
    return Strip(axis.place(low), axis.place(high), axis.place(value))


def sort_pairs(result: RecipeResult, order: Sequence[str]) -> list[PairResult]:
    """Put pairs into the order of their systems; without a baseline the system that stands first is the first."""
    places = {name: place for place, name in enumerate(order)}
    pairs = [
        pair.turned() if result.baseline is None and places[pair.first] > places[pair.second] else pair
        for pair in result.pairs
    ]
    return sorted(pairs, key=lambda pair: (places[pair.first], places[pair.second]))


def _plot_pairs(comparison: Comparison, result: RecipeResult, order: Sequence[str]) -> Plot | None:
    pairs = sort_pairs(result, order)
    if not pairs:
        return None
    metric = result.recipe.metric
    axis = make_axis([pair.interval for pair in pairs], [pair.difference for pair in pairs], metric, zero=True)
    return Plot(
        arrange_pairs(comparison, result, pairs),
        axis,
        tuple(make_strip(axis, pair.interval, pair.difference) for pair in pairs),
    )


def _make_matrix(
    comparison: Comparison, result: RecipeResult, order: Sequence[str]
) -> tuple[tuple[str, tuple[Cell | None, ...]], ...]:
    if comparison.baseline is not None or len(order) < 3:
        return ()
    pairs = {(one.first, one.second): one for pair in result.pairs for one in (pair, pair.turned())}
    metric = result.recipe.metric
    return tuple((one, tuple(_make_cell(pairs.get((one, other)), metric) for other in order)) for one in order)


def _make_cell(pair: PairResult | None, metric: Metric) -> Cell | None:
    if pair is None:  # a system compared with itself
        return None
    look = "level" if not pair.significant else "ahead" if metric.is_ahead(pair.difference) else "behind"
    return Cell(format_difference(pair.difference, metric.digits), format_p(pair.p_holm), look, VERDICTS[pair.verdict])


def distribute_scores(comparison: Comparison, result: RecipeResult, order: Sequence[str]) -> Distribution:
    """Draw how the scores of segments are distributed."""
    metric, tables = result.recipe.metric, comparison.tables[result.recipe.counting]
    values = {name: score_alone(tables[name], result.recipe) for name in order}
    bins = bin_scores(metric, (score for own in values.values() for score in own))
    remarks = [f"median {format_score(median(own), metric.digits)}" for own in values.values()]
    drawn = _draw(values, bins.starts, bins.labels, remarks)
    return Distribution("Scores of segments", metric.heading(result.recipe), bins.ends, drawn)


def distribute_ratios(comparison: Comparison, result: RecipeResult, order: Sequence[str]) -> Distribution:
    """Draw how long segments are compared with their references."""
    metric, tables = result.recipe.metric, comparison.tables[result.recipe.counting]
    values = {name: _find_ratios(tables[name], metric) for name in order}
    ends = [f"{end:g}" for end in RATIO_BINS[1:]]
    labels = [f"below {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"{ends[-1]} and more"]
    remarks = [f"median {median(own):.2f}" if own else "no references" for own in values.values()]
    title = "Lengths of segments against their references"
    unit = f"{metric.length_unit} of the candidate per {metric.length_unit.removesuffix('s')} of the reference"
    return Distribution(title, unit, ("shorter", "1", "longer"), _draw(values, RATIO_BINS, labels, remarks))


def _find_ratios(table: StatsTable, metric: Metric) -> list[float]:
    candidate, reference = (table.columns.index(name) for name in ("candidate_length", "reference_length"))
    rows = (metric.in_words(table.row(index)) for index in range(len(table)))
    return [row[candidate] / row[reference] for row in rows if row[reference]]


def _draw(
    values: Mapping[str, Sequence[float]], starts: Sequence[float], labels: Sequence[str], remarks: Iterable[str]
) -> list[Histogram]:
    """Draw a histogram of each system's values, all as high as the most frequent bin needs."""
    counts = [count_bins(own, starts) for own in values.values()]
    most = max(map(max, counts))
    return [
        Histogram(name, remark, make_histogram(own, labels, most))
        for name, remark, own in zip(values, remarks, counts, strict=True)
    ]
