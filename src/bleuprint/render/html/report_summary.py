"""What the report says of each recipe: systems and pairs with their intervals, and the matrix of differences.

Systems stand in one order everywhere, the best by the first recipe first, so that a name keeps its place from one
table or figure to the next; where another recipe ranks otherwise, its column of ranks says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.results import PairResult, RecipeResult
from bleuprint.findings.comparison.summaries import format_difference, format_p
from bleuprint.findings.comparison.verdicts import PairVerdict
from bleuprint.findings.significance.bootstrap import Interval
from bleuprint.metrics.metric import Metric
from bleuprint.render.comparison_grids import TitledGrid, arrange_pairs, arrange_systems
from bleuprint.render.html.drawn_axis import DrawnAxis, lay_axis

VERDICTS = {
    PairVerdict.SIGNIFICANT: "significant", PairVerdict.NOT_SIGNIFICANT: "not significant",
    PairVerdict.UNDECIDED: "undecided",
}  # fmt: skip


class Strip(NamedTuple):
    """An interval on its axis: where it begins and ends, and where the value itself is."""

    low: str
    high: str
    value: str


class Plot(NamedTuple):
    """A table whose rows end with an interval, drawn on one axis."""

    grid: TitledGrid
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
    grids = arrange_pairs(comparison, result, pairs)
    if not grids:
        return None
    metric = result.recipe.metric
    axis = make_axis([pair.interval for pair in pairs], [pair.difference for pair in pairs], metric, zero=True)
    return Plot(grids[0], axis, tuple(make_strip(axis, pair.interval, pair.difference) for pair in pairs))


def _make_matrix(
    comparison: Comparison, result: RecipeResult, order: Sequence[str]
) -> tuple[tuple[str, tuple[Cell | None, ...]], ...]:
    if comparison.baseline is not None or len(order) < 3:
        return ()
    pairs = {(one.first, one.second): one for pair in result.pairs for one in (pair, pair.turned())}
    metric = result.recipe.metric
    return tuple((one, tuple(_make_cell(pairs.get((one, other)), metric) for other in order)) for one in order)


def _make_cell(pair: PairResult | None, metric: Metric) -> Cell | None:
    if pair is None:  # a system beside itself
        return None
    look = "level" if not pair.significant else "ahead" if metric.is_ahead(pair.difference) else "behind"
    return Cell(format_difference(pair.difference, metric.digits), format_p(pair.p_holm), look, VERDICTS[pair.verdict])
