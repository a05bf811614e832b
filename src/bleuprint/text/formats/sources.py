"""Sources: lines of text, their names, and the corpus that they become."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple, Protocol

from bleuprint.errors import BleuprintError, Location, ShapeError, quote
from bleuprint.wording import count_of

STDIN = "-"
DOCUMENT = "document"
"""The label that names documents."""
NO_LABELS: Mapping[str, Sequence[str]] = {}
EVERYTHING = sys.maxsize
LINES_AT_ONCE = 1024
LONGEST_LINE = 1 << 25
"""Bytes of a line, or characters of a row of CSV. A small compressed file can hold a line that fills the memory."""
PACKED = (".gz", ".bz2", ".xz", ".zst")
"""What may follow the ending of a name: how the file is packed."""
FORMS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".xml": "xml",
}


class LineSource(Protocol):
    """The lines of a source, taken from the front."""

    def take(self, count: int) -> list[str]:
        """Take so many lines, or what is left."""

    def count_rest(self) -> int:
        """Count the lines that are left; after that there are none."""

    def close(self) -> None:
        """Close the source."""


OpenSource = Callable[[str], LineSource]
"""Opens the lines of a source by its name."""


class ListedLines:
    """Lines that are in memory already."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = iter(lines)

    def take(self, count: int) -> list[str]:
        """Take so many lines, or what is left."""
        return list(islice(self._lines, count))

    def count_rest(self) -> int:
        """Count the lines that are left; after that there are none."""
        return len(self.take(EVERYTHING))

    def close(self) -> None:
        """Do nothing: there is no file to close."""


def each_line(lines: LineSource) -> Iterator[str]:
    """Iterate over the lines of a source."""
    while taken := lines.take(LINES_AT_ONCE):
        yield from taken


class RawCorpus(NamedTuple):
    """The content of the sources, all of it or a batch: candidates, their references, and documents if known."""

    candidates: list[object]
    references: list[object]
    documents: list[str] | None = None
    source: str = ""
    first_line: int = 1
    lines: Sequence[int] = ()
    """the line of every segment, if they do not follow each other"""
    labels: Mapping[str, Sequence[str]] = NO_LABELS
    """by the names of columns: the label of every segment"""

    def place(self, index: int) -> str:
        """Name the source and the line of a segment."""
        line = self.lines[index] if self.lines else index + self.first_line
        return f"{display_name(self.source)}, line {line}"

    @contextmanager
    def naming_lines(self) -> Iterator[None]:
        """Add source, line and side to errors about segments of this corpus."""
        try:
            yield
        except BleuprintError as error:
            if error.location is None or error.index is None or error.is_worded:
                raise
            where = ", ".join([self.place(error.index), *name_side(error.location)])
            raise error.reworded(where=where) from None


def name_element(location: Location) -> str:
    """Name an element as people do, who count from 1: ``segment 17, reference 2``."""
    if location.position is None and location.reference is None and location.token is None:
        return str(location)
    system = [] if location.system is None else [f"system {quote(location.system)}"]
    segment = [] if location.position is None else [f"segment {location.position + 1}"]
    return ", ".join(system + segment + name_side(location))


def name_side(location: Location) -> list[str]:
    """Name the candidate or the reference of a segment, and the token if it is one."""
    sides = {"candidates": ["candidate"], "references": ["references"]}
    side = sides.get(location.argument, []) if location.position is not None else []
    side = side if location.reference is None else [f"reference {location.reference + 1}"]
    return side + ([] if location.token is None else [f"token {location.token + 1}"])


def split_lines(text: str) -> list[str]:
    """Split at LF and CRLF and nowhere else; a missing final line feed and a byte order mark change nothing."""
    lines = text.removeprefix("\ufeff").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def path_of(name: str) -> str:
    """Return a name without the query of a URL.

    >>> path_of("s3://bucket/a.tsv?region=b"), path_of("what?.tsv")
    ('s3://bucket/a.tsv', 'what?.tsv')
    """
    return name.partition("?")[0] if "://" in name else name


def suffix_of(name: str) -> str:
    """Return the ending of a file's name with its dot, as ``pathlib`` does, which takes longer to import.

    >>> suffix_of("a.b/corpus.tsv.gz"), suffix_of("part.parquet/"), suffix_of(".hidden")
    ('.gz', '.parquet', '')
    """
    last = name.replace(os.sep, "/").rstrip("/").rpartition("/")[2]
    stem, dot, ending = last.rpartition(".")
    return dot + ending if stem and ending else ""


def display_name(source: str) -> str:
    """Name a source in messages."""
    return "standard input" if source == STDIN else source or "a file without a name"


def name_without_credentials(source: str) -> str:
    """Name a source in results, which others may read: a URL without password and query.

    >>> name_without_credentials("s3://key:secret@bucket/a@b.tsv?region=b"), name_without_credentials("-")
    ('s3://bucket/a@b.tsv', 'standard input')
    """
    scheme, separator, rest = path_of(source).partition("://")
    host, slash, path = rest.partition("/")
    return scheme + separator + host.rpartition("@")[2] + slash + path if separator else display_name(source)


def detect_form(name: str) -> str:
    """Return the form of a file by its name: plain, or one of ``FORMS``."""
    name = path_of(name).lower()
    suffix = suffix_of(name)
    if suffix in PACKED:
        suffix = suffix_of(name.rstrip("/").removesuffix(suffix))
    return FORMS.get(suffix, "plain")


def check_lengths(names: Sequence[str], lengths: Sequence[int]) -> None:
    """Raise an error if sources differ in length from the first that is not empty."""
    sources = list(zip(names, lengths, strict=True))
    known, due = next((source for source in sources if source[1]), sources[0])
    for name, found in sources:
        if found != due:
            raise ShapeError(
                f"{display_name(name)} has {count_of(found, 'line')} but {display_name(known)} has {due:,}.",
                "They must match line by line.",
                values=(name, known),
            )
