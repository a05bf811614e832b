"""Where results go: a file, a terminal with colour, or a pipe without."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from bleuprint.io.output import write_whole
from bleuprint.render.json import render_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bleuprint.identification.results import Identification
    from bleuprint.reconciliation.results import DialectGroups, Reconciliation


def deliver(text: str, output: str | None) -> None:
    """Write a text to a file, or print it."""
    text = text.rstrip("\n") + "\n"
    if output:
        write_whole(output, text)
    else:
        print_out(text)


def print_out(text: str) -> None:
    """Print; into a pipe or file always as UTF-8, and a reader that left (head, less) is no error."""
    try:
        if sys.stdout.isatty():
            sys.stdout.write(text)
        else:
            sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
        raise click.exceptions.Exit(0) from None


def discard_output() -> None:
    """Send what is still buffered nowhere, so that Python does not fail on it again while it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def deliver_view(view: RenderableType, output: str | None) -> None:
    """Show something made with rich: in colour on a terminal, as plain text anywhere else."""
    from rich.console import Console

    from bleuprint.render.terminal import plain_text

    if not output and sys.stdout.isatty():
        Console(highlight=False).print(view, crop=False)
    else:
        deliver(plain_text(view), output)


def deliver_result(result: Reconciliation | DialectGroups | Identification, form: str, output: str | None) -> None:
    """Show a result in the form that was asked for."""
    if form == "json":
        deliver(render_json(result.to_dict()), output)
    elif form == "html":
        from bleuprint.render.html import render_document

        deliver(render_document(result), output)
    elif form in ("markdown", "latex"):
        deliver(find_writer(form).render(result), output)
    else:
        from bleuprint.render.terminal import view

        deliver_view(view(result), output)


def find_writer(form: str) -> Any:
    """Load the module that writes Markdown or LaTeX; both have the same functions."""
    return import_module(f"bleuprint.render.{form}")


def tab_separated(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Write a table as TSV; a float keeps all its digits."""
    lines = ["\t".join(header)]
    lines += ["\t".join(_cell(value) for value in row) for row in rows]
    return "\n".join(lines)


def _cell(value: object) -> str:
    text = repr(value) if isinstance(value, float) else "" if value is None else str(value)
    return " ".join(text.split()) if any(mark in text for mark in "\t\n\r") else text
