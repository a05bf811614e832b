"""Delimited files: TSV and CSV, whose first line names the columns unless the call does.

TSV has no quotes; a cell is what stands between two tabs. CSV is what Python's ``csv`` module reads: a cell in double
quotes may hold commas, line feeds, and quotes written twice.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from bleuprint.advice import Advice
from bleuprint.errors import FileError, nearest, quote
from bleuprint.text.formats.columns import RowColumns
from bleuprint.text.formats.documents import DocumentNames, write_label
from bleuprint.text.formats.sources import LONGEST_LINE, LineSource, RawCorpus, display_name
from bleuprint.wording import count_of

LINES_AT_ONCE = 1024
MOST_SLIPS = 2
"""By so many letters a misspelt name may be longer or shorter."""
HEADER_WORDS = {
    "candidate": "candidate hypothesis hyp mt output prediction pred translation",
    "reference": "reference references ref target tgt",
    "other": "id segid docid segment index source src document domain origin system lang score",
}
"""What usual headers call columns, by what these hold. docs/formats.md lists the words."""
TEXT_ROLES = ("candidate", "reference")
USUAL = RowColumns()
_ROLES = {word: role for role, words in HEADER_WORDS.items() for word in words.split()}
_BESIDE_WORDS = re.compile(r"(?<=^ref)[\s_-]?[a-z]$|[\s_-]|[0-9]+$", re.IGNORECASE)
"""What a header adds to a word: refA, ref-B, ref1, seg_id."""


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, and the line on which it begins."""

    line: int
    cells: list[str]


def read_tsv(source: str, lines: LineSource) -> Iterator[Row]:
    """Read the rows of a TSV source, one per line."""
    for number, line in enumerate(_each_line(lines), start=1):
        yield Row(number, line.split("\t"))


def read_csv(source: str, lines: LineSource) -> Iterator[Row]:
    """Read the rows of a CSV source; one may go over several lines."""
    # The limit is one for the whole process, so it is never lowered here. The usual one is too low for long texts.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    length = 0

    def feed() -> Iterator[str]:
        nonlocal length
        for line in _each_line(lines):
            length += len(line)
            if length > LONGEST_LINE:
                raise FileError(
                    where=f"{display_name(source)}, line {first}",
                    wanted=f"a row of at most {LONGEST_LINE:,} characters",
                    got="a longer one",
                    next_step=_QUOTING["csv"],
                )
            length += 1
            yield f"{line}\n"

    reader = csv.reader(feed(), strict=True)
    while True:
        first, length = reader.line_num + 1, 0
        try:
            yield Row(first, next(reader))
        except StopIteration:
            return
        except csv.Error as error:
            raise FileError(
                where=f"{display_name(source)}, line {first}",
                wanted="a row of CSV",
                got=str(error),
                next_step=_QUOTING["csv"],
            ) from None


DELIMITED_READERS = {"tsv": read_tsv, "csv": read_csv}
_QUOTING = {
    "tsv": "Columns are parted by tabs, without quotes; a text cannot hold a tab.",
    "csv": 'A cell with a comma, a quote or a line feed stands in double quotes: "so, ""quoted"""; all are closed.',
}


class DelimitedRows:
    """A delimited file, batch by batch."""

    def __init__(
        self,
        form: str,
        source: str,
        columns: Sequence[str],
        lines: LineSource,
        names: RowColumns = USUAL,
        *,
        no_header: bool = False,
    ) -> None:
        self._form, self._source, self._documents = form, source, DocumentNames(source)
        self._rows = DELIMITED_READERS[form](source, lines)
        self._refuses_heading = bool(columns) and not no_header
        self._columns = list(columns) or next((row.cells for row in self._rows), [])
        _check_columns(self._columns, source, names)
        self._brings_references = names.brings_references
        self._roles = _wanted(names)
        self._places = {
            role: sorted(place for place, name in enumerate(self._columns) if name in wanted)
            for role, wanted in self._roles.items()
        }
        self._labels = {name: self._columns.index(name) for name in names.labels}

    def take(self, count: int) -> RawCorpus:
        """Read so many rows, or what is left."""
        candidates: list[object] = []
        references: list[object] = []
        documents: list[object] = []
        lines: list[int] = []
        labels: dict[str, list[str]] = {name: [] for name in self._labels}
        [candidate], named = self._places["candidate"], self._places["document"]
        for row in islice(self._rows, count):
            self._check(row)
            candidates.append(row.cells[candidate])
            # A spreadsheet writes a missing cell as an empty one; JSONL can tell "" from null.
            texts = [row.cells[place] or None for place in self._references_within(len(row.cells))]
            if self._brings_references and not any(texts):
                raise FileError(
                    where=self._place(row),
                    wanted="at least one reference",
                    got="only empty cells",
                    next_step="Leave the line out. An empty cell is a missing reference; JSONL can hold an empty one.",
                )
            references.append(texts)
            documents.append(row.cells[named[0]] or None if named and named[0] < len(row.cells) else None)
            lines.append(row.line)
            for name, place in self._labels.items():
                cell = row.cells[place] if place < len(row.cells) else None
                labels[name].append(write_label(cell, name, self._place(row)))
        names = self._documents.check(documents, lines)
        return RawCorpus(candidates, references, names, self._source, lines=lines, labels=labels)

    def count_rest(self) -> int:
        """Count the rows that are left."""
        return sum(1 for _ in self._rows)

    def _place(self, row: Row) -> str:
        return f"{display_name(self._source)}, line {row.line}"

    def _references_within(self, cells: int) -> list[int]:
        """List the places of the references that a row of so many cells has; of a short one the last are missing."""
        places = self._places["reference"]
        return places if not places or places[-1] < cells else places[: bisect_left(places, cells)]

    def _check(self, row: Row) -> None:
        """Refuse a row that is too long, lacks its candidate or all references, or names the columns."""
        columns, cells = self._columns, row.cells
        texts = [self._places[name][0] for name in TEXT_ROLES if self._places[name]]
        shortest = max(texts) + 1
        if not shortest <= len(cells) <= len(columns):
            raise FileError(
                where=self._place(row),
                wanted=f"{count_of(len(columns), 'column')} ({', '.join(columns)})",
                got=str(len(cells)),
                next_step=_QUOTING[self._form],
            )
        if row.line == 1 and self._refuses_heading:
            same = all(cells[place] == columns[place] for place in texts)
            near = self._brings_references and _is_heading(cells, self._roles)
            if same or near or _has_usual_names(cells, columns):
                self._refuse_heading(row)

    def _refuse_heading(self, row: Row) -> None:
        """Refuse a first row that names the columns, which the call has done; it may have misspelt one itself."""
        known = list(chain.from_iterable(self._roles.values()))
        unlike = [pair for pair in zip(self._columns, row.cells, strict=False) if pair[0] != pair[1]]
        said = [cell for name, cell in unlike if name not in known and nearest(name, [cell])]
        names = chain.from_iterable(self._roles[role] for role in TEXT_ROLES)
        fits = all(row.cells.count(name) == self._columns.count(name) for name in names)
        raise FileError(
            where=self._place(row),
            wanted="a segment, as the columns were named already",
            got="the names of the columns" + (f": {quote(row.cells)}" if unlike else ""),
            suggestion=said[0] if said else None,
            next_step=Advice.LEAVE_COLUMNS if fits else Advice.REMOVE_HEADING,
        )


def _wanted(names: RowColumns) -> dict[str, tuple[str, ...]]:
    """Say under which names a corpus stands in its columns."""
    references = (names.references or ("reference",)) if names.brings_references else ()
    return {
        "candidate": (names.candidate or "candidate",),
        "reference": references,
        "document": (names.document or "document",),
    }


def _is_heading(cells: Sequence[str], wanted: Mapping[str, Sequence[str]]) -> bool:
    """Whether one cell is all but the name of the candidate, and another that of a reference: no segment has both."""
    return all(any(_is_near(cell, name) for cell in cells for name in wanted[role]) for role in TEXT_ROLES)


def _has_usual_names(cells: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether every cell is a usual name of a column or the caller's name for it, and they are not all of one kind."""
    roles = [_ROLES.get(_BESIDE_WORDS.sub("", cell).lower()) for cell in cells]
    unnamed = {"", *columns}  # pandas writes an index without a name
    fitting = all(role or cell.strip() in unnamed for role, cell in zip(roles, cells, strict=True))
    return fitting and len(set(filter(None, roles))) > 1


def _is_near(cell: str, name: str) -> bool:
    """Whether a cell is a name in other case or with a slip; texts, which are longer, are not compared."""
    cell = cell.strip()
    alike = len(cell.split()) == len(name.split()) and abs(len(cell) - len(name)) <= MOST_SLIPS
    return alike and nearest(cell, [name]) is not None


def _check_columns(columns: Sequence[str], source: str, names: RowColumns) -> None:
    wanted = _wanted(names)
    [candidate], references, [document] = wanted["candidate"], wanted["reference"], wanted["document"]
    counts = {name: list(columns).count(name) for name in (candidate, *references, document)}
    missing = [name for name in counts if not counts[name]]
    found = counts[candidate] == 1 and all(counts[name] for name in references)
    if not found or counts[document] > 1 or (names.document and not counts[document]):
        several = "".join(f", one or more {name!r}" for name in references)
        raise FileError(
            where=f"{display_name(source)}, columns",
            wanted=f"one {candidate!r}{several} and {'one' if names.document else 'at most one'} {document!r}",
            got=quote(list(columns)),
            suggestion=names.find_meant(columns, missing),
            next_step=Advice.NAME_COLUMNS,
        )
    for label in names.labels:
        if list(columns).count(label) != 1:
            raise FileError(
                where=f"{display_name(source)}, columns",
                wanted=f"one {label!r}, to part the segments by",
                got=quote(list(columns)),
                suggestion=nearest(label, columns) if label not in columns else None,
                next_step="Name a column of the file.",
            )


def _each_line(lines: LineSource) -> Iterator[str]:
    while taken := lines.take(LINES_AT_ONCE):
        yield from taken
