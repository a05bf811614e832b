"""Columns of a file, or keys of JSONL: which have the candidate, the references, the document and labels."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from bleuprint.errors import FileError, nearest, quote
from bleuprint.text.formats.documents import DocumentNames
from bleuprint.text.formats.sources import RawCorpus

USUAL_REFERENCES = ("references", "reference")
"""The usual names of the column of references."""
T = TypeVar("T")


def usual_references(names: Collection[str]) -> str:
    """Return the usual name of references that a file has."""
    return next((name for name in USUAL_REFERENCES if name in names), USUAL_REFERENCES[-1])


class ColumnNames(NamedTuple):
    """The columns that hold a corpus; empty names stand for the usual ones."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    document: str = ""
    labels: tuple[str, ...] = ()
    """columns with other labels of the segments"""
    brings_references: bool = True
    """whether the rows hold references themselves"""

    def within(self, names: Sequence[str], source: str) -> "ColumnNames":
        """Return the names of columns in a file that has each of its columns once."""
        found = self._replace(
            candidate=self.candidate or "candidate",
            references=self.references or (usual_references(names),),
            document=self.document or ("document" if "document" in names else ""),
        )
        for name in found.needed():
            if names.count(name) != 1:
                raise column_error(source, name, names, "Name a column of the file." if name in self.labels else "")
        return found

    def needed(self) -> list[str]:
        """List each column once."""
        names = (self.candidate, *self.references, self.document, *self.labels)
        return list(dict.fromkeys(name for name in names if name))


def column_error(where: str, name: str, names: Iterable[str], fix: str = "", kind: str = "column") -> FileError:
    """Return an error about a column, or a key, that is missing or that several columns share."""
    names = list(names)
    count = names.count(name)
    if count:
        return FileError(f"{count} {kind}s have the name {quote(name)}.", "Give them different names.", where=where)
    rename = "Rename it, or use `candidate_column`, `reference_columns` and `document_column`."
    message = f"There is no {kind} {quote(name)}, only {quote(names)}."
    return FileError(message, fix or rename, where=where, suggestion=nearest(name, names), values=names)


Row = tuple[int, object, object, object, Sequence[str]]
"""The line on which a row begins, its candidate, references, document and labels."""


class Rows(Generic[T]):
    """The rows of a file, read in batches from raw rows and a function that checks one."""

    def __init__(self, source: str, raw: Iterator[T], read_row: Callable[[T], Row], labels: Sequence[str]) -> None:
        self._source, self._raw, self._read_row, self._labels = source, raw, read_row, labels
        self._documents = DocumentNames(source)

    def take(self, count: int) -> RawCorpus:
        """Read so many rows, or what is left."""
        rows = [self._read_row(row) for row in islice(self._raw, count)]
        lines, candidates, references, documents, labels = zip(*rows, strict=True) if rows else [()] * 5
        return RawCorpus(
            list(candidates),
            list(references),
            self._documents.check(documents, lines),
            self._source,
            lines=lines,
            labels={name: [row[index] for row in labels] for index, name in enumerate(self._labels)},
        )

    def count_rest(self) -> int:
        """Count the rows that are left."""
        return sum(1 for _ in self._raw)
