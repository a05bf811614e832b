"""The terminal: blocks laid out with rich, and the same as plain text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice, repeat
from operator import itemgetter

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.table import Table as Grid
from rich.text import Text

from bleuprint.render.blocks import (
    DOCUMENT,
    MOST_LISTED,
    RESULT,
    STEP,
    Aligned,
    Bars,
    Block,
    Formula,
    Heading,
    Items,
    Paragraph,
    Signature,
    Table,
)
from bleuprint.wording import visible

BAR = 30
PLAIN_WIDTH = 110
INDENT = 3
MOST_ROWS = 500
"""Rich takes a millisecond for every row of a table. Longer tables and lists are aligned here."""
GAP = "   "


def view(blocks: Iterable[Block]) -> Iterator[RenderableType]:
    """Lay blocks out: all that fits into memory easily at once, long tables some lines at a time."""
    parts: list[RenderableType] = []
    last: Block | None = None
    indent = 0
    for block in blocks:
        if isinstance(block, Heading | Signature):
            indent = 0
        is_apart = last is not None and _is_apart(block, last, indent)
        if (
            isinstance(block, Table | Items)
            and len(block.rows if isinstance(block, Table) else block.items) > MOST_ROWS
        ):
            if parts:
                yield Group(*parts)
            yield from _view_long(block, is_apart, " " * indent)
            parts = []
        else:
            parts += [Text("")] * is_apart
            parts += [Padding(part, (0, 0, 0, indent)) if indent else part for part in _lay_out(block)]
        if isinstance(block, Heading) and block.level == STEP:
            indent = INDENT
        last = block
    if parts:
        yield Group(*parts)


def _is_apart(block: Block, last: Block, indent: int) -> bool:
    """Whether an empty line comes before a block."""
    if isinstance(block, Heading):
        return True
    if isinstance(last, Heading) and last.level != RESULT:
        return last.level == DOCUMENT
    if isinstance(block, Paragraph | Formula | Bars):
        return isinstance(last, Items) or (isinstance(last, Table) and not indent)
    if isinstance(block, Aligned):
        return bool(block.name) and not isinstance(last, Aligned)
    return not isinstance(last, Signature if isinstance(block, Signature) else Paragraph)


def _lay_out(block: Block) -> Iterator[RenderableType]:
    if isinstance(block, Heading):
        gap, style = ("  ", "dim") if block.level == STEP else ("\n" if block.text.endswith(".") else GAP, "")
        remark = [(f"{gap}{visible(block.remark)}", style)] if block.remark else []
        yield Text.assemble((visible(block.text), "bold"), *remark)
    elif isinstance(block, Paragraph):
        yield Text(visible(block.text), style="dim" if block.dim else "")
    elif isinstance(block, Formula):
        yield Text(visible(block.text))
    elif isinstance(block, Items):
        yield from _lay_out_items(block)
    elif isinstance(block, Table):
        yield from _list_rows(block) if block.is_listed else _lay_out_table(block)
    elif isinstance(block, Aligned):
        yield _AlignedLines(block)
    elif isinstance(block, Bars):
        grid = Grid(box=None, show_header=False, padding=(0, 2, 0, 0))
        for name, points, share in block.bars:
            grid.add_row(name, Text(points, justify="right"), Text("█" * round(BAR * share), style="#3d97c0"))
        yield grid
    else:
        yield _unbroken(f"{block.name}: {block.text}" if block.name else block.text)


def _unbroken(text: str) -> Text:
    """Keep a signature on one line, so that it can be copied."""
    return Text(visible(text), style="dim", no_wrap=True, overflow="ignore")


def _lay_out_items(block: Items) -> Iterator[RenderableType]:
    for number, item in enumerate(block.items, start=1):
        mark = f"{number}. " if block.numbered else "• "
        if block.numbered and number > 1:
            yield Text("")
        lead = f"{visible(item.lead)}  " if item.lead else ""
        yield Text.assemble((mark, "bold" if block.numbered else ""), (lead, "bold"), visible(item.text))
        yield from (Padding(Text(f"• {visible(detail)}"), (0, 0, 0, INDENT)) for detail in item.details)


def _lay_out_table(block: Table) -> Iterator[RenderableType]:
    if block.title:
        yield Text(visible(block.title), style="bold")
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in block.columns:
        grid.add_column(Text(visible(column.title)), justify="left" if column.is_text else "right", overflow="fold")
    for place, row in enumerate(block.rows):
        style = block.styles.get(place, "")
        ends = place in block.ends and place < len(block.rows) - 1
        grid.add_row(*(Text(visible(cell), style=style) for cell in row), end_section=ends)
    yield grid


def _list_rows(block: Table) -> Iterator[RenderableType]:
    """Write each row below the one before: the first two cells, then each other cell on its own line."""
    for number, (first, second, *rest) in enumerate(block.rows[:MOST_LISTED], start=1):
        if number > 1:
            yield Text("")
        yield Text.assemble((f"{number}. {visible(first)}", "bold"), f"  {visible(second)}")
        for column, cell in zip(block.columns[2:], rest, strict=True):
            if cell:
                line = Text(f"{visible(column.title)}: {visible(cell)}")
                yield _unbroken(" " * INDENT + cell) if column.is_signature else Padding(line, (0, 0, 0, INDENT))
    if hidden := len(block.rows[MOST_LISTED:]):
        yield Text(f"\n{hidden:,} more: --format json, or to_dict() in Python, has all", style="dim")


class _AlignedLines:
    """Texts above each other, in as many lines as the terminal's width asks for."""

    def __init__(self, block: Aligned) -> None:
        self._block = block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        block = self._block
        if block.name:
            yield Text.assemble((visible(block.name), "bold"), f" ({block.remark})")
        indent = max(map(len, block.titles), default=0) + 2
        for number, line in enumerate(self._wrap(options.max_width - indent)):
            if number and block.titles:
                yield Text("")
            for title, row in zip(block.titles or repeat(""), zip(*line, strict=True), strict=False):
                gap = " " * block.gap
                text = Text(title.ljust(indent), no_wrap=True)
                for style, group in groupby(row, key=itemgetter(1)):
                    text.append(gap.join(word for word, _ in group), style).append(gap)
                text.rstrip()
                yield text
        if block.legend:
            yield Text(block.legend, style="dim")

    def _wrap(self, most: int) -> Iterator[list[list[tuple[str, str]]]]:
        """Split cells, padded to equal widths, into lines. Lines without gaps end after a blank if there is one."""
        gap, line, used = self._block.gap, list[list[tuple[str, str]]](), 0
        for cell in self._block.cells:
            words = [(visible(word), style) for word, style in cell]
            width = max(cell_len(word) for word, _ in (words if gap else words[:1]))
            if line and used + width > most:
                blanks = (place for place in range(len(line), 0, -1) if gap or line[place - 1][-1][0].isspace())
                end = next(blanks, len(line))
                yield line[:end]
                line = line[end:]
                used = sum(cell_len(one[0][0]) + gap for one in line)
            (first, style), *below = words
            padded = first + " " * (width - cell_len(first))  # an accent has no width, but is shown
            line.append([(padded, style), *((set_cell_size(word, width), style) for word, style in below)])
            used += width + gap
        if line:
            yield line


def _view_long(block: Table | Items, is_apart: bool, indent: str) -> Iterator[RenderableType]:
    if isinstance(block, Table):
        titles = [visible(block.title)] if block.title else []
        lines: Iterable[str] = chain(titles, _align(block))
    else:
        lines = (f"• {visible(': '.join(filter(None, (item.lead, item.text))))}" for item in block.items)
    remaining = chain([""] * is_apart, (indent + line for line in lines))
    while some := list(islice(remaining, MOST_ROWS)):
        yield Segments(map(Segment, some), new_lines=True)


def _align(table: Table) -> Iterator[str]:
    """Write the lines of a table, with a rule below its first row."""
    rows = [[visible(cell) for cell in row] for row in ([column.title for column in table.columns], *table.rows)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        padded = []
        for cell, width, column in zip(row, widths, table.columns, strict=True):
            space = " " * (width - _width(cell))
            padded.append(cell + space if column.is_text else space + cell)
        yield GAP.join(padded).rstrip()
        if number == 0:
            yield "─" * (sum(widths) + len(GAP) * (len(widths) - 1))


def _width(cell: str) -> int:
    return len(cell) if cell.isascii() else cell_len(cell)


def plain_text(view: RenderableType, *, colour: bool = False) -> str:
    """Turn a view into lines of a fixed width, plain unless in colour; what must stay on one line may be longer."""
    stream = io.StringIO()
    console = Console(
        file=stream, width=PLAIN_WIDTH, color_system="standard" if colour else None, force_terminal=colour,
        force_jupyter=False, highlight=False,
    )  # fmt: skip
    console.print(view, crop=False)
    return "\n".join(line.rstrip() for line in stream.getvalue().rstrip().split("\n"))
