"""What layouts for the terminal are made of, tables, numbered steps and shares, and how they become plain text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from bleuprint.wording import format_score, visible

SHADES = ("default", "black on #d7eaf3", "black on #a6d3e6", "black on #6fb7d6", "black on #3d97c0")
"""How what matched is shaded, from nothing to the longest."""
BAR = 30
PLAIN_WIDTH = 110
MOST_ROWS = 500
"""Rich takes a millisecond for every row of a table; longer ones are aligned here."""
GAP = "   "


def step(number: int, title: str, remark: str, *body: RenderableType) -> Iterable[RenderableType]:
    """Lay out one step: its number and title, what is to be said of it, and below what it shows."""
    yield Text.assemble("\n", (f"{number}. {title}", "bold"), (f"  {remark}", "dim"))
    yield from map(indented, body)


def indented(body: RenderableType) -> Padding:
    """Indent what belongs to the line above."""
    return Padding(body, (0, 0, 0, 3))


def make_table(*columns: str, texts: Sequence[int] = (0,)) -> Table:
    """Begin a table whose columns at ``texts`` hold words, the others numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if place in texts else "right", overflow="fold")
    return table


class PlainLines:
    """Lines that are printed as they are."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for line in self._lines:
            yield Segment(line)
            yield Segment.line()


def view_lines(lines: Iterable[str]) -> Iterator[RenderableType]:
    """Lay any number of lines out, some at a time."""
    remaining = iter(lines)
    while some := list(islice(remaining, MOST_ROWS)):
        yield PlainLines(some)


def view_table(
    titles: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[int] = (0,)
) -> Iterator[RenderableType]:
    """Lay a table out; a long one as aligned lines, some at a time. Columns at ``texts`` hold words."""
    cells = [[visible(cell) for cell in row] for row in (titles, *rows)]
    if len(rows) > MOST_ROWS:
        yield from view_lines(_align(cells, texts))
        return
    table = make_table(*cells[0], texts=texts)
    for row in cells[1:]:
        table.add_row(*map(Text, row))
    yield table


def _align(rows: Sequence[Sequence[str]], texts: Sequence[int]) -> Iterator[str]:
    """Write the lines of a table, with a rule below its first row."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        padded = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - _width(cell))
            padded.append(cell + space if place in texts else space + cell)
        yield GAP.join(padded).rstrip()
        if number == 0:
            yield "─" * (sum(widths) + len(GAP) * (len(widths) - 1))


def _width(cell: str) -> int:
    return len(cell) if cell.isascii() else cell_len(cell)


def draw_shares(shares: Iterable[tuple[str, float, float]]) -> Table:
    """Draw points by name, each with a bar as long as its share."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for name, points, share in shares:
        table.add_row(
            name, Text(format_score(points), justify="right"), Text("█" * round(BAR * share), style="#3d97c0")
        )
    return table


def plain_text(view: RenderableType, *, colour: bool = False) -> str:
    """Turn a view into lines of a fixed width, plain unless in colour; what must stay on one line may be longer."""
    stream = io.StringIO()
    console = Console(
        file=stream, width=PLAIN_WIDTH, color_system="standard" if colour else None, force_terminal=colour,
        force_jupyter=False, highlight=False,
    )  # fmt: skip
    console.print(view, crop=False)
    return "\n".join(line.rstrip() for line in stream.getvalue().rstrip().split("\n"))
