"""Grids of printed cells: what Markdown, LaTeX and the terminal set, each in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from bleuprint.findings.identification.results import Identification, describe_scores
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation, axis_name, signed
from bleuprint.metrics.score import AnyScore
from bleuprint.render import phrases
from bleuprint.scoring.verbs import SegmentScores

Scores = Mapping[str, AnyScore]


class GridColumn(NamedTuple):
    """A column: its title, and whether it holds words or numbers."""

    title: str
    words: bool = False
    share: float = 0.0
    """of the width, for words that take several lines; 0 for as much as they need"""
    head: float = 0.0
    """the same for the title alone"""


class Grid(NamedTuple):
    """A grid of cells, every one a text."""

    columns: tuple[GridColumn, ...]
    rows: list[tuple[str, ...]]


def metric_name(scores: Iterable[AnyScore]) -> str:
    """Name what scores are of, for the head of their column."""
    return " or ".join(dict.fromkeys(score.metric.name for score in scores))


def arrange_scores(scores: Scores, first: str = "recipe") -> Grid:
    """Put scores into a grid, one row each; what others have and one has not stays empty."""
    parts = {name: score.parts for name, score in scores.items()}
    titles = list(dict.fromkeys(title for own in sorted(parts.values(), key=len, reverse=True) for title in own))
    rows = [(name, score.printed, *(parts[name].get(title, "") for title in titles)) for name, score in scores.items()]
    return Grid((GridColumn(first, words=True), *map(GridColumn, (metric_name(scores.values()), *titles))), rows)


def arrange_segments(scores: SegmentScores, documents: Sequence[str] | None, most: int | None = None) -> Grid:
    """Put segments, or the first so many, into a grid: score, and counts."""
    own = (GridColumn("document", words=True),) if documents else ()
    metric, layout = scores.recipe.metric, scores.table.layout
    titles = (metric.name, *metric.print_counts(layout.read((0,) * layout.width), layout))
    rows = []
    for place, stats in enumerate(islice(scores.table, most)):
        document = (documents[place],) if documents else ()
        counts = metric.print_counts(stats, layout).values()
        rows.append((str(place + 1), *document, scores.printed(place), *counts))
    return Grid((GridColumn("segment"), *own, *map(GridColumn, titles)), rows)


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
        GridColumn("dialects", words=True, share=0.35),
        GridColumn(metric_name(group.score for group in groups)),
        GridColumn("parts from the group above at", words=True, share=0.45),
    )
    return Grid(columns, [(", ".join(g.names), g.score.printed, g.sentence) for g in groups])


def arrange_identification(found: Identification) -> Grid:
    """Put what a reported number may be into a grid, with signatures."""
    bests = [finding.best for finding in found.findings]
    columns = (
        GridColumn("what it is", words=True, share=0.3),
        GridColumn(" or ".join(dict.fromkeys(best.recipe.metric.name for best in bests)) or "score"),
        GridColumn("signature", words=True, share=0.5),
    )
    return Grid(columns, [(best.title, describe_scores(best.scores), str(best.recipe)) for best in bests])
