"""Columns of a file, or keys of JSONL: which hold the candidate, the references and the document."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from bleuprint.errors import MOST_NAMES, nearest

USUAL_REFERENCES = ("references", "reference")
"""What holds references where nobody says it."""


def usual_references(names: Collection[str]) -> str:
    """Choose among the names of a file the one that holds references where nobody says it."""
    return next((name for name in USUAL_REFERENCES if name in names), USUAL_REFERENCES[-1])


class RowColumns(NamedTuple):
    """The names that were given; empty ones stand for the usual ones."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    document: str = ""
    labels: tuple[str, ...] = ()
    """columns with what a segment belongs to, beside its document"""
    brings_references: bool = True
    """whether the rows hold references themselves; else these come from elsewhere"""

    @property
    def given(self) -> tuple[str, ...]:
        """The names that somebody gave."""
        return tuple(name for name in (self.candidate, *self.references, self.document, *self.labels) if name)

    def find_meant(self, found: Iterable[str], missing: Iterable[str]) -> str | None:
        """Find the column that a given name stands for, or the usual name that a column may have."""
        given = [name for name in missing if name in self.given]
        near = [nearest(name, found) for name in given]
        near += [nearest(name, missing) for name in islice(found, MOST_NAMES) if not given]
        return next((meant for meant in near if meant is not None), None)
