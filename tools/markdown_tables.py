"""Tables in Markdown: written, and read back."""

from __future__ import annotations

import re

Grid = list[list[str]]
"""Rows of cells, headings first."""


def write_table(rows: Grid) -> str:
    """Write a table."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def read_tables(text: str) -> list[Grid]:
    """Read every table of a text."""
    found = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return [
        [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines.splitlines() if not line.startswith("|--")]
        for lines in found
    ]
