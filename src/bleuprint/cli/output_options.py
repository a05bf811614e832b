"""Options for what is printed: in which format, and where to. Commands without recipes have these alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from bleuprint.cli.printing import check_output

output_option: Callable[[Any], Any] = click.option(
    "--output", "-o", metavar="FILE", callback=check_output,
    help="Write to this file, whole or not at all, instead of standard output.",
)  # fmt: skip


def format_option(*formats: str) -> Callable[[Any], Any]:
    """Offer output formats, the first by default."""
    return click.option(
        "--format", "output_format", type=click.Choice(list(formats)), default=formats[0], show_default=True,
        help="Output format.",
    )  # fmt: skip
