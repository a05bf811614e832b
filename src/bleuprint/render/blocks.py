"""A result as headings, tables and paragraphs: builders make these blocks, and one writer per format prints them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

DOCUMENT, RESULT, STEP = 1, 2, 3
"""Levels of headings: a section of a document, a result, a step of its explanation."""
MOST_LISTED = 10
"""The terminal shows at most this many rows of a table that it writes as a list."""


class Heading(NamedTuple):
    """The beginning of a section."""

    text: str
    remark: str = ""
    level: int = RESULT


class Paragraph(NamedTuple):
    """Sentences, or one line of a calculation."""

    text: str
    dim: bool = False


class Formula(NamedTuple):
    """A calculation such as ``BP = e^(1 − 6/5) = 0.8187``."""

    text: str


class Item(NamedTuple):
    """An entry of a list: what it is about, its text, and what follows below it."""

    text: str
    lead: str = ""
    details: Sequence[str] = ()


class Items(NamedTuple):
    """A list."""

    items: Sequence[Item]
    numbered: bool = False


class Column(NamedTuple):
    """A column of a table. Numbers are aligned to the right."""

    title: str
    is_text: bool = False
    is_signature: bool = False
    is_system: bool = False
    """whether it belongs to one of several systems; LaTeX splits wide tables between these columns"""


class Table(NamedTuple):
    """Rows of printed cells."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    title: str = ""
    caption: str = ""
    """what LaTeX prints if there is no title"""
    styles: Mapping[int, str] = MappingProxyType({})
    """styles of the terminal, by row"""
    ends: Collection[int] = ()
    """rows that the terminal separates from the next"""
    is_listed: bool = False
    """whether the cells are too long for a table in the terminal"""


class Aligned(NamedTuple):
    """Texts above each other, cell by cell, in as many lines as the terminal needs."""

    cells: Sequence[Sequence[tuple[str, str]]]
    """for each cell the text and the style of each line"""
    name: str = ""
    remark: str = ""
    titles: Sequence[str] = ()
    """what each line is; without titles only the terminal shows the texts"""
    gap: int = 1
    """spaces between cells; lines without spaces end after a cell whose last text is blank, if there is one"""
    legend: str = ""


class Bars(NamedTuple):
    """Points by name, each with its share of the whole."""

    bars: Sequence[tuple[str, str, float]]


class Signature(NamedTuple):
    """A signature, which is printed on one line."""

    text: str
    name: str = ""


Block: TypeAlias = Heading | Paragraph | Formula | Items | Table | Aligned | Bars | Signature


def texts(*titles: str) -> list[Column]:
    """Return columns of text."""
    return [Column(title, is_text=True) for title in titles]


def numbers(*titles: str) -> list[Column]:
    """Return columns of numbers."""
    return list(map(Column, titles))


def bullets(lines: Iterable[str]) -> list[Block]:
    """List lines; no lines are no list."""
    items = [Item(line) for line in lines]
    return [Items(items)] if items else []


def list_notes(notes: Iterable[str]) -> list[Block]:
    """List notes under a heading; without notes there is no heading."""
    listed = bullets(notes)
    return [Heading("Notes", level=STEP), *listed] if listed else []
