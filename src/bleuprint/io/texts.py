"""The texts of a test set, as a provider has found them: columns that are read when somebody asks for them."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from bleuprint.io.lines import read_lines
from bleuprint.io.names import TestsetName

ReadColumn = Callable[[], list[str]]
"""How to get at one text, or one label, for every segment."""


class FoundTexts(NamedTuple):
    """The columns of one pair of languages, by what they are."""

    name: TestsetName
    place: str
    """the folder or file that they are in"""
    source: ReadColumn | None = None
    references: Mapping[str, ReadColumn] = {}
    """by the name of the translator; empty where a lone one has none"""
    usual_references: tuple[str, ...] | None = None
    """those that count unless somebody chooses; None where nobody has said so"""
    document: ReadColumn | None = None
    origin: ReadColumn | None = None
    domain: ReadColumn | None = None
    is_own: bool = False
    """whether the files are the user's, whom nobody can send to fetch them again"""

    @property
    def advice(self) -> str:
        """What to do about files that are empty or too short."""
        if self.is_own:
            return "Look at your files: each has a line for every segment."
        return "A file may be cut off: remove them, and fetch the set again."

    def kept(self) -> "FoundTexts":
        """Give the same with every column read, so that it no longer hangs on files."""
        return self._replace(
            source=_kept(self.source),
            references={name: partial(list[str], column()) for name, column in self.references.items()},
            document=_kept(self.document),
            origin=_kept(self.origin),
            domain=_kept(self.domain),
        )


def _kept(column: ReadColumn | None) -> ReadColumn | None:
    return None if column is None else partial(list[str], column())


def column_of(path: str) -> ReadColumn:
    """Read a file with a text per line; spaces at the end of a line are no part of it, as in sacreBLEU."""
    return lambda: [line.rstrip() for line in read_lines(path)]
