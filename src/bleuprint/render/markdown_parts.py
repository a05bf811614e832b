"""What Markdown is made of: tables, and texts that cannot become marks."""

from __future__ import annotations

from bleuprint.render.grids import Grid


def lay_out(grid: Grid) -> list[str]:
    """Write a table, line by line."""
    rows = [[column.title for column in grid.columns], *grid.rows]
    head, *body = (f"| {' | '.join(map(escape, row))} |" for row in rows)
    return [head, f"|{'|'.join('---' if column.words else '---:' for column in grid.columns)}|", *body]


def escape(text: str) -> str:
    """Keep marks in a text from becoming Markdown, and a line feed from ending a row."""
    return "".join(f"\\{mark}" if mark in "\\`*_[]<>|" else mark for mark in " ".join(text.splitlines()))
