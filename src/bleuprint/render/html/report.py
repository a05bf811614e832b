"""The report of a comparison: one HTML file that needs nothing else, and its summary for notebooks."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.breakdowns import Breakdown
from bleuprint.findings.comparison.closeup import score_alone
from bleuprint.findings.comparison.results import PairResult, RecipeResult
from bleuprint.findings.comparison.summaries import format_difference, format_p
from bleuprint.findings.comparison.verdicts import PairVerdict
from bleuprint.metrics.metric import Metric
from bleuprint.render.comparison_grids import (
    TitledGrid,
    arrange_overview,
    arrange_pairs,
    arrange_systems,
    title_breakdown,
)
from bleuprint.render.html import environment
from bleuprint.render.html.drawn_axis import DrawnAxis
from bleuprint.render.html.report_data import gather_data, write_data
from bleuprint.render.html.report_figures import HistogramBar, Strip, make_axis, make_histogram, make_strip
from bleuprint.render.html.score_bins import bin_scores, count_bins
from bleuprint.render.html.styles import notebook_stylesheet, read_file, stylesheet
from bleuprint.wording import count_of, format_score

MOST_GROUPS = 500
"""A label with more values than this is no breakdown; in the table of segments it can still be chosen."""
MOST_PAIRS_OPEN = 3
PRINTED_PAGE = "@page { size: landscape; margin: 12mm; }\n"
"""For the file alone: on a page or in a notebook this would turn everything else, too."""
VERDICTS = {
    PairVerdict.SIGNIFICANT: "significant", PairVerdict.NOT_SIGNIFICANT: "not significant",
    PairVerdict.UNDECIDED: "undecided",
}  # fmt: skip
RATIO_BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.3, 1.5)


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


class RecipeSummary(NamedTuple):
    """What the report says of one recipe."""

    result: RecipeResult
    systems: Plot
    pairs: Plot | None
    matrix: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    """by system, the best first; empty where two systems or a baseline make it a single column"""


def render_summary(comparison: Comparison) -> str:
    """Render scores, intervals and tests with their styles, as notebooks show them."""
    styles = f"<style>{notebook_stylesheet()}{report_stylesheet()}</style>"
    return f'{styles}<article class="bp-explanation bp-report">{render_overview(comparison)}</article>'


def render_overview(comparison: Comparison) -> str:
    """Render the same as a part of a page, without styles."""
    context = _summarise(comparison)
    return environment().get_template("comparison.html").render(context | {"heading": context["title"]})


def render_report(comparison: Comparison, focus: tuple[str, str] | None = None) -> str:
    """Render the whole report; ``focus`` names the two systems that its table of segments starts with."""
    result = comparison.result()
    focus = focus or comparison.focus()
    names = comparison.parts
    small = [name for name in names if len(set(comparison.labels.get(name, ()))) <= MOST_GROUPS]
    style, script = stylesheet() + report_stylesheet() + PRINTED_PAGE, read_file("report.js")
    context = {
        **_summarise(comparison),
        "heading": "Summary",
        "breakdowns": [comparison.breakdown(name) for name in small],
        "large": {name: len(set(comparison.labels[name])) for name in names if name not in small},
        "distributions": [_distribute_scores(comparison, result), _distribute_ratios(comparison, result)],
        "focus": focus,
        "most_value": _most_value,
        "title_breakdown": title_breakdown,
        "style": Markup(style),  # our own files, no text of a user's
        "script": Markup(script),
        "policy": _write_policy(style, script),
        "data": Markup(write_data(gather_data(comparison, result, focus))),  # where < is escaped
    }
    return environment().get_template("report.html").render(context)


def _summarise(comparison: Comparison) -> dict[str, object]:
    systems, segments = count_of(len(comparison.names), "system"), count_of(comparison.segments, "segment")
    return {
        "title": f"{systems} on {segments}",
        "comparison": comparison,
        "settings": comparison.settings,
        "overview": arrange_overview(comparison),
        "recipes": [_summarise_recipe(comparison, result) for result in comparison.results],
        "many_pairs": len(comparison.results[0].pairs) > MOST_PAIRS_OPEN,
    }


def _summarise_recipe(comparison: Comparison, result: RecipeResult) -> RecipeSummary:
    ranked = result.ranked
    axis = make_axis([one.interval for one in ranked], [one.score.score for one in ranked])
    strips = tuple(make_strip(axis, one.interval, one.score.score) for one in ranked)
    systems = Plot(arrange_systems(comparison, result), axis, strips)
    return RecipeSummary(result, systems, _plot_pairs(comparison, result), _make_matrix(comparison, result))


def _plot_pairs(comparison: Comparison, result: RecipeResult) -> Plot | None:
    grids = arrange_pairs(comparison, result)
    if not grids:
        return None
    pairs = result.pairs
    axis = make_axis([pair.interval for pair in pairs], [pair.difference for pair in pairs], zero=True)
    return Plot(grids[0], axis, tuple(make_strip(axis, pair.interval, pair.difference) for pair in pairs))


def _make_matrix(comparison: Comparison, result: RecipeResult) -> tuple[tuple[str, tuple[Cell | None, ...]], ...]:
    names = [system.name for system in result.ranked]
    if comparison.baseline is not None or len(names) < 3:
        return ()
    pairs = {(one.first, one.second): one for pair in result.pairs for one in (pair, pair.turned())}
    is_ahead = result.recipe.metric.is_ahead
    return tuple((one, tuple(_make_cell(pairs.get((one, other)), is_ahead) for other in names)) for one in names)


def _make_cell(pair: PairResult | None, is_ahead: Callable[[float], bool]) -> Cell | None:
    if pair is None:  # a system beside itself
        return None
    look = "level" if not pair.significant else "ahead" if is_ahead(pair.difference) else "behind"
    return Cell(format_difference(pair.difference), format_p(pair.p_holm), look, VERDICTS[pair.verdict])


def _distribute_scores(comparison: Comparison, result: RecipeResult) -> Distribution:
    tables = comparison.tables[result.recipe.counting]
    values = {name: score_alone(tables[name], result.recipe) for name in comparison.names}
    metric = result.recipe.metric
    bins = bin_scores(metric, (score for own in values.values() for score in own))
    counts = {name: count_bins(own, bins.starts) for name, own in values.items()}
    remarks = {name: f"median {format_score(median(own))}" for name, own in values.items()}
    drawn = _draw(result, counts, bins.labels, remarks)
    return Distribution("Scores of segments", metric.heading(result.recipe), bins.ends, drawn)


def _distribute_ratios(comparison: Comparison, result: RecipeResult) -> Distribution:
    tables = comparison.tables[result.recipe.counting]
    metric = result.recipe.metric
    values = {name: _find_ratios(tables[name], metric) for name in comparison.names}
    counts = {name: count_bins(own, RATIO_BINS) for name, own in values.items()}
    ends = [f"{end:g}" for end in RATIO_BINS[1:]]
    labels = [f"below {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"{ends[-1]} and more"]
    remarks = {name: f"median {median(own):.2f}" if own else "no references" for name, own in values.items()}
    title = "Lengths of segments against their references"
    unit = f"{metric.length_unit} of the candidate per {metric.length_unit.removesuffix('s')} of the reference"
    return Distribution(title, unit, ("shorter", "1", "longer"), _draw(result, counts, labels, remarks))


def _find_ratios(table: StatsTable, metric: Metric) -> list[float]:
    places = [table.columns.index(name) for name in ("candidate_length", "reference_length")]
    rows = (metric.in_words(table.row(place)) for place in range(len(table)))
    lengths = ([row[place] for place in places] for row in rows)
    return [candidate / reference for candidate, reference in lengths if reference]


def _draw(
    result: RecipeResult, counts: dict[str, list[int]], labels: Sequence[str], remarks: dict[str, str]
) -> tuple[Histogram, ...]:
    most = max(max(own) for own in counts.values())
    names = [system.name for system in result.ranked]
    return tuple(Histogram(name, remarks[name], tuple(make_histogram(counts[name], labels, most))) for name in names)


def _most_value(breakdown: Breakdown) -> float:
    """Give the value that fills a bar."""
    return max((value for group in breakdown.groups for value in group.values.values()), default=0.0) or 1.0


def _write_policy(style: str, script: str) -> str:
    """Forbid everything but this very script and these very styles: no text in the file can reach the network."""
    allowed = [f"{kind}-src '{_hash(text)}'" for kind, text in (("script", script), ("style", style))]
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def report_stylesheet() -> str:
    """Read the styles of the summary and the report; ``stylesheet`` has those that all parts share."""
    return read_file("report.css")
