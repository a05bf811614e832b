"""What layouts for the terminal are made of, tables, numbered steps and shares, and how they become plain text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bleuprint.wording import format_score

SHADES = ("default", "black on #d7eaf3", "black on #a6d3e6", "black on #6fb7d6", "black on #3d97c0")
"""How what matched is shaded, from nothing to the longest."""
BAR = 30
PLAIN_WIDTH = 110


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
