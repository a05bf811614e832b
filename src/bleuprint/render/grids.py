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
    """Put scores into a grid, one row each; orders that others have stay empty."""
    order = max(score.order for score in scores.values())
    numbers = (metric_name(scores.values()), *(f"p{n}" for n in range(1, order + 1)), "BP", "candidate", "reference")
    rows = []
    for name, score in scores.items():
        precisions = ["–" if p is None else f"{100 * p:.1f}" for p in score.smoothed_precisions]
        precisions += [""] * (order - len(precisions))
        lengths = (str(score.stats.candidate_length), str(score.stats.reference_length))
        rows.append((name, score.printed, *precisions, f"{score.brevity_penalty:.3f}", *lengths))
    return Grid((GridColumn(first, words=True), *map(GridColumn, numbers)), rows)


def arrange_segments(scores: SegmentScores, documents: Sequence[str] | None, most: int | None = None) -> Grid:
    """Put segments, or the first so many, into a grid: score, matches of totals for each order, lengths."""
    own = (GridColumn("document", words=True),) if documents else ()
    orders = range(1, scores.table.layout.order + 1)
    numbers = (scores.recipe.metric.name, *(f"{n}-grams" for n in orders), "candidate", "reference")
    rows = []
    for place, stats in enumerate(islice(scores.table, most)):
        counts = [f"{matches}/{total}" for matches, total in zip(stats.matches, stats.totals, strict=True)]
        lengths = (str(stats.candidate_length), str(stats.reference_length))
        document = (documents[place],) if documents else ()
        rows.append((str(place + 1), *document, scores.printed(place), *counts, *lengths))
    return Grid((GridColumn("segment"), *own, *map(GridColumn, numbers)), rows)


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
