"""Columns of a table, or keys of JSONL: which hold the candidate, the references and the document."""

from __future__ import annotations

from typing import NamedTuple


class RowColumns(NamedTuple):
    """The names that were given; empty ones stand for the usual ones."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    document: str = ""
    labels: tuple[str, ...] = ()
    """columns with what a segment belongs to, beside its document"""
    brings_references: bool = True
    """whether the rows hold references themselves; else these come from elsewhere"""
