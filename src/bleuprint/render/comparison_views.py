"""A comparison in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from bleuprint.findings.comparison import Comparison
from bleuprint.render.comparison_grids import (
    NOTHING_MORE,
    Shown,
    arrange_beginning,
    arrange_comparison,
    describe_settings,
    headline,
)
from bleuprint.render.terminal_parts import view_table
from bleuprint.wording import visible


def view_comparison(comparison: Comparison, shown: Shown = NOTHING_MORE, gates: Sequence[str] = ()) -> RenderableType:
    """Lay a comparison out: for each recipe what came out, tables, notes and signature; then the lines of gates."""
    parts: list[RenderableType] = []
    for grid in arrange_beginning(comparison, shown):
        parts += [
            Text(f"{chr(10) if parts else ''}{visible(grid.title)}", style="bold"),
            *view_table(grid.header, grid.rows, grid.texts),
        ]
    for result in comparison.results:
        if parts:
            parts.append(Text(""))
        parts.append(Text(f"{headline(comparison, result)}\n{visible(result.summary)}", style="bold"))
        for grid in arrange_comparison(comparison, result, shown):
            parts.append(Text(f"\n{visible(grid.title)}", style="bold"))
            parts += view_table(grid.header, grid.rows, grid.texts)
        parts.append(Text("\nNotes", style="bold") if result.notes else Text(""))
        parts += [Padding(Text(f"• {visible(note.text)}"), (0, 0, 0, 3)) for note in result.notes]
        parts.append(Text(f"\n{result.signature}", style="dim", no_wrap=True, overflow="ignore"))
    parts.append(Text(describe_settings(comparison), style="dim"))
    parts += [Text(f"\n{visible(line)}", style="bold") for line in gates]
    return Group(*parts)
