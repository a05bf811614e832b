"""Widths of LaTeX tables, as far as they can be told from outside: what has to be small, or in several lines.

A line of the standard classes has 345 points; a document with wider lines leaves room, as shares are of its own width.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from bleuprint.render.grids import Grid, GridColumn

LINE = 342.0
"""Points in a line of a document of one column, a few left for rules."""
GAP, SMALL_GAP = 12.0, 6.0
"""Points between two columns."""
SMALL = 0.86
"""What is left of a letter's width in the size of footnotes."""
TITLE_WORDS = (48.0, 32.0, 20.0)
"""Points of a word that a title of numbers keeps together: as many as there is room for."""
LEAST = 28.0
"""Points that words get at least."""
_WIDTHS = {2.9: ".,:;'|!iljI", 3.6: "tf()[]-/ r", 4.5: "szcevxyk", 8.8: "mwMW@%"}
_WIDTH_OF = {mark: width for width, marks in _WIDTHS.items() for mark in marks}
"""Points of Computer Modern at 10 points."""


class Fitted(NamedTuple):
    """A table that fits into a line."""

    grid: Grid
    tight: bool
    """whether it has to be set in small letters, close together"""


def fit(grid: Grid) -> Fitted:
    """Make a table fit: in the size of the text; or small; or with words, and titles of numbers, in several lines."""
    columns = grid.columns
    if any(column.share for column in columns):
        return Fitted(grid, tight=False)
    cells = [[row[place] for row in grid.rows] for place in range(len(columns))]
    wholes = [max(map(measure, [column.title, *own])) for column, own in zip(columns, cells, strict=True)]
    for gap, size in ((GAP, 1.0), (SMALL_GAP, SMALL)):
        if sum(wholes) * size + gap * len(columns) <= LINE:
            return Fitted(grid, tight=size < 1)
    widths = _narrow(columns, cells)
    narrowed = (
        column._replace(share=_round(width) if column.words else 0.0, head=_round(width))
        for column, width in zip(columns, widths, strict=True)
    )
    return Fitted(Grid(tuple(narrowed), grid.rows), tight=True)


def count_lines(grid: Grid) -> int:
    """Estimate the height of a table in lines."""
    titles = [(column.title, column.head) for column in grid.columns]
    rows = ([(cell, column.share) for cell, column in zip(row, grid.columns, strict=True)] for row in grid.rows)
    return sum(
        max([1, *(math.ceil(SMALL * measure(cell) / (share * LINE)) for cell, share in row if share)])
        for row in (titles, *rows)
    )


def measure(text: str) -> float:
    """Estimate how many points a text takes at 10 points."""
    return sum(map(_measure_mark, text))


@cache
def _measure_mark(mark: str) -> float:
    if unicodedata.east_asian_width(mark) in "WF":
        return 10.0
    return _WIDTH_OF.get(mark) or (7.4 if mark.isupper() else 5.4)


def _narrow(columns: Sequence[GridColumn], cells: Sequence[Sequence[str]]) -> list[float]:
    """Give numbers what they need, and share out the rest among the words."""
    words = [place for place, column in enumerate(columns) if column.words]
    widths, rest = [0.0], 0.0
    for kept in TITLE_WORDS:
        widths = [_find_width(column, own, kept) for column, own in zip(columns, cells, strict=True)]
        rest = LINE - SMALL_GAP * len(columns) - sum(width for place, width in enumerate(widths) if place not in words)
        if rest >= LEAST * len(words):
            break
    for place, width in _share_out(rest, {place: widths[place] for place in words}).items():
        widths[place] = width
    return widths


def _find_width(column: GridColumn, cells: Sequence[str], kept: float) -> float:
    if column.words:
        return SMALL * max(map(measure, [column.title, *cells])) + 1
    titles = (min(kept, SMALL * measure(word)) for word in column.title.split())
    return max([*titles, *(SMALL * measure(cell) for cell in cells)]) + 1


def _share_out(room: float, wanted: dict[int, float]) -> dict[int, float]:
    """Share room out: what wants little gets it, the rest is shared equally."""
    given: dict[int, float] = {}
    waiting = sorted(wanted.items(), key=lambda entry: entry[1])
    for done, (place, width) in enumerate(waiting):
        given[place] = max(LEAST, min(width, (room - sum(given.values())) / (len(waiting) - done)))
    return given


def _round(width: float) -> float:
    return round(width / LINE, 3)
