"""Grids of printed cells: what Markdown, LaTeX and the terminal set, each in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from bleuprint.findings.identification.results import Identification, describe_scores
from bleuprint.findings.intervals import ScoreIntervals
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation, axis_name, signed
from bleuprint.metrics.score import AnyScore
from bleuprint.render import phrases
from bleuprint.scoring.verbs import SegmentScores

Scores = Mapping[str, AnyScore]


class GridColumn(NamedTuple):
    """A column: its title, and whether it holds words or numbers."""

    title: str
    words: bool = False


class Grid(NamedTuple):
    """A grid of cells, every one a text."""

    columns: tuple[GridColumn, ...]
    rows: list[tuple[str, ...]]


def metric_name(scores: Iterable[AnyScore]) -> str:
    """Name what scores are of, for the head of their column."""
    return " or ".join(dict.fromkeys(score.metric.name for score in scores))


RECIPE = "recipe"
"""What stands over the names of recipes."""


def arrange_scores(scores: Scores, first: str = RECIPE, intervals: ScoreIntervals | None = None) -> Grid:
    """Put scores into a grid, one row each, with the parts that they are made of, and intervals where there are any.

    Scores of one metric have a column for each part; what only others have stays empty. Scores of several metrics have
    their parts in words. What belongs to a part of a corpus, not to a recipe, says how many segments it is of.
    """
    if len({score.metric.key for score in scores.values()}) > 1:
        return _add_intervals(_arrange_metrics(scores, first), 3, intervals)
    longest_first = sorted((score.parts for score in scores.values()), key=len, reverse=True)
    titles = list(dict.fromkeys(part.title for parts in longest_first for part in parts))
    rows = []
    for name, score in scores.items():
        own = {part.title: part.text for part in score.parts}
        size = () if first == RECIPE else (f"{score.census.segments:,}",)
        rows.append((name, score.printed, *size, *(own.get(title, "") for title in titles)))
    sizes = () if first == RECIPE else ("segments",)
    columns = (GridColumn(first, words=True), *map(GridColumn, (metric_name(scores.values()), *sizes, *titles)))
    return _add_intervals(Grid(columns, rows), 2, intervals)


def _add_intervals(grid: Grid, place: int, intervals: ScoreIntervals | None) -> Grid:
    """Put a column with intervals at a place, behind the scores."""
    if intervals is None:
        return grid
    columns = (*grid.columns[:place], GridColumn(intervals.title), *grid.columns[place:])
    return Grid(columns, [(*row[:place], intervals.words(row[0]), *row[place:]) for row in grid.rows])


def _arrange_metrics(scores: Scores, first: str) -> Grid:
    rows: list[tuple[str, ...]] = [
        (name, score.label, score.printed, score.metric.better.value, _join_parts(score))
        for name, score in scores.items()
    ]
    columns = (
        GridColumn(first, words=True),
        GridColumn("metric", words=True),
        GridColumn("score"),
        GridColumn("better", words=True),
        GridColumn("made of", words=True),
    )
    return Grid(columns, rows)


def _join_parts(score: AnyScore) -> str:
    return ", ".join(f"{part.title} {part.text}" for part in score.parts)


def arrange_segments(scores: SegmentScores, documents: Sequence[str] | None, most: int | None = None) -> Grid:
    """Put segments, or the first so many, into a grid: the score, and the counts that it is made of."""
    metric = scores.recipe.metric
    own = (GridColumn("document", words=True),) if documents else ()
    layout = scores.table.layout
    titles = [part.title for part in metric.segment_parts(layout.read((0,) * layout.width), layout)]
    rows = []
    for place, stats in enumerate(islice(scores.table, most)):
        counts = (part.text for part in metric.segment_parts(stats, layout))
        document = (documents[place],) if documents else ()
        rows.append((str(place + 1), *document, scores.printed(place), *counts))
    return Grid((GridColumn("segment"), *own, *map(GridColumn, (metric.name, *titles))), rows)


def arrange_reconciliation(way: Reconciliation) -> Grid:
    """Put the steps from one score to another into a grid, between both ends."""
    columns = (GridColumn("axis", words=True), GridColumn("from", words=True), GridColumn("to", words=True))
    rows = [(axis_name(s.axis), *s.choices, signed(s.points), s.after.printed) for s in way.steps]
    start, end = (
        (f"{side}: {phrases.recipe_name(score)}", "", "", "", score.printed)
        for side, score in (("start", way.start), ("end", way.end))
    )
    return Grid((*columns, GridColumn("points"), GridColumn(way.end.metric.name)), [start, *rows, end])


def arrange_groups(groups: DialectGroups) -> Grid:
    """Put all dialects into a grid, grouped by equal scores."""
    columns = (
        GridColumn("dialects", words=True),
        GridColumn(metric_name(group.score for group in groups)),
        GridColumn("parts from the group above at", words=True),
    )
    return Grid(columns, [(", ".join(g.names), g.score.printed, g.sentence) for g in groups])


def arrange_identification(found: Identification) -> Grid:
    """Put what a reported number may be into a grid, with signatures."""
    bests = [finding.best for finding in found.findings]
    columns = (
        GridColumn("what it is", words=True),
        GridColumn(" or ".join(dict.fromkeys(best.recipe.metric.name for best in bests)) or "score"),
        GridColumn("signature", words=True),
    )
    return Grid(columns, [(best.title, describe_scores(best.scores), best.signature) for best in bests])
