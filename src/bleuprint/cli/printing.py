"""Where results go: a file, a terminal with colour, or a pipe without."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from bleuprint.io.output import write_whole

if TYPE_CHECKING:
    from rich.console import RenderableType


def deliver(text: str, output: str | None) -> None:
    """Write a text to a file, or print it."""
    text = text.rstrip("\n") + "\n"
    if output:
        write_whole(output, text)
    else:
        click.echo(text, nl=False)


def deliver_view(view: RenderableType, output: str | None) -> None:
    """Show something made with rich: in colour on a terminal, as plain text anywhere else."""
    from rich.console import Console

    from bleuprint.render.terminal import PLAIN_WIDTH

    if not output and sys.stdout.isatty():
        Console(highlight=False).print(view, crop=False)
        return
    stream = io.StringIO()
    Console(file=stream, width=PLAIN_WIDTH, color_system=None, highlight=False).print(view, crop=False)
    deliver("\n".join(line.rstrip() for line in stream.getvalue().rstrip().split("\n")), output)


def tab_separated(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Write a table as TSV; a float keeps all its digits."""
    lines = ["\t".join(header)]
    lines += ["\t".join(_cell(value) for value in row) for row in rows]
    return "\n".join(lines)


def _cell(value: object) -> str:
    text = repr(value) if isinstance(value, float) else "" if value is None else str(value)
    return " ".join(text.split()) if any(mark in text for mark in "\t\n\r") else text
