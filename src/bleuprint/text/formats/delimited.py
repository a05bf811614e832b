"""Delimited files: TSV and CSV, whose first line names the columns unless the call does.

TSV has no quotes; a cell is the text between two tabs. CSV is what Python's ``csv`` module reads: a cell in double
quotes may have commas, line feeds, and doubled quotes.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from bleuprint.errors import FileError, nearest, quote
from bleuprint.text.formats.columns import ColumnNames, Row, Rows, column_error
from bleuprint.text.formats.documents import write_label
from bleuprint.text.formats.sources import LONGEST_LINE, LineSource, display_name, each_line
from bleuprint.wording import count_of

MOST_SLIPS = 2
"""The largest difference in length between a name and its misspelling."""
HEADER_WORDS = {
    "candidate": "candidate hypothesis hyp mt output prediction pred translation",
    "reference": "reference references ref target tgt",
    "other": "id segid docid segment index source src document domain origin system lang score",
}
"""The usual names of columns, by what they hold. docs/formats.md lists the words."""
_ROLES = {word: role for role, words in HEADER_WORDS.items() for word in words.split()}
_BESIDE_WORDS = re.compile(r"(?<=^ref)[\s_-]?[a-z]$|[\s_-]|[0-9]+$", re.IGNORECASE)
"""What a header adds to a word: refA, ref-B, ref1, seg_id."""
_QUOTING = {
    "tsv": "Tabs separate columns, without quotes, so a text cannot have a tab.",
    "csv": 'Write a cell with a comma, a quote or a line feed in double quotes: "so, ""quoted""".',
}


Cells = tuple[int, list[str]]
"""The line on which a row begins, and its cells."""


def read_cells(form: str, source: str, lines: LineSource) -> Iterator[Cells]:
    """Read the rows of a TSV or CSV source."""
    if form == "csv":
        return _read_csv(source, lines)
    return ((number, line.split("\t")) for number, line in enumerate(each_line(lines), start=1))


def _read_csv(source: str, lines: LineSource) -> Iterator[Cells]:
    # The limit is one for the whole process, so it is never lowered here. The usual one is too low for long texts.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    first, length = 1, 0

    def error(message: str) -> FileError:
        return FileError(message, _QUOTING["csv"], where=f"{display_name(source)}, line {first}")

    def feed() -> Iterator[str]:
        nonlocal length
        for line in each_line(lines):
            length += len(line) + 1
            if length > LONGEST_LINE + 1:
                raise error(f"expected a row of at most {LONGEST_LINE:,} characters, got a longer one.")
            yield f"{line}\n"

    reader = csv.reader(feed(), strict=True)
    while True:
        first, length = reader.line_num + 1, 0
        try:
            yield first, next(reader)
        except StopIteration:
            return
        except csv.Error as reason:
            raise error(f"expected a row of CSV, got {reason}.") from None


def read_delimited(
    form: str, source: str, columns: Sequence[str], lines: LineSource, names: ColumnNames, *, no_header: bool
) -> Rows[Cells]:
    """Read a corpus from a delimited file."""
    raw = read_cells(form, source, lines)
    header = list(columns) or next((cells for _, cells in raw), [])
    reader = _RowReader(form, source, header, names)
    reader.refuses_heading = bool(columns) and not no_header
    return Rows(source, raw, reader.read, names.labels)


class _RowReader:
    """Reads the rows of a file with these columns."""

    refuses_heading = False

    def __init__(self, form: str, source: str, columns: list[str], names: ColumnNames) -> None:
        self._form, self._source, self._columns, self._names = form, display_name(source), columns, names
        candidate, document = names.candidate or "candidate", names.document or "document"
        references = (names.references or ("reference",)) if names.brings_references else ()
        single = [candidate, *([document] if names.document or document in columns else []), *names.labels]
        wrong = [name for name in single if columns.count(name) != 1] + [
            name for name in references if name not in columns
        ]
        if wrong:
            fix = "Name the columns in the first line, or use `candidate_column` and `reference_columns`."
            raise column_error(f"{self._source}, columns", wrong[0], columns, fix)
        self._text_names = ((candidate,), references)
        self._candidate = columns.index(candidate)
        self._references = [index for index, name in enumerate(columns) if name in references]
        self._last_text = max([self._candidate, *self._references[:1]])
        self._document = columns.index(document) if document in columns else len(columns)
        self._labels = {name: columns.index(name) for name in names.labels}

    def read(self, row: Cells) -> Row:
        """Check a row, and pick what it holds. The last cells may be missing, except for the texts."""
        line, cells = row
        if not self._last_text < len(cells) <= len(self._columns):
            columns = f"{count_of(len(self._columns), 'column')} ({', '.join(self._columns)})"
            raise self._error(line, f"expected {columns}, got {len(cells)}.", _QUOTING[self._form])
        if line == 1 and self.refuses_heading and self._is_heading(cells):
            fix = "Leave out `columns` if the first line names them. If it is a segment, use `no_header`."
            raise self._error(line, f"expected a segment, got names of columns: {quote(cells)}.", fix)
        # A spreadsheet writes a missing cell as an empty one; JSONL can tell "" from null.
        there = self._references
        if len(cells) < len(self._columns):
            there = there[: bisect_left(there, len(cells))]
        references = [cells[index] or None for index in there]
        if self._names.brings_references and not any(references):
            fix = "Leave the line out. An empty cell is a missing reference. Use JSONL for an empty one."
            raise self._error(line, "expected at least one reference, got only empty cells.", fix)
        document = cells[self._document] or None if self._document < len(cells) else None
        labels = [
            write_label(cells[index] if index < len(cells) else None, name, self._where(line))
            for name, index in self._labels.items()
        ]
        return line, cells[self._candidate], references, document, labels

    def _where(self, line: int) -> str:
        return f"{self._source}, line {line}"

    def _error(self, line: int, message: str, fix: str) -> FileError:
        return FileError(message, fix, where=self._where(line))

    def _is_heading(self, cells: list[str]) -> bool:
        """Whether a row has the names of the columns, exactly or nearly, or usual names of columns."""
        texts = [self._candidate, *self._references[:1]]
        if all(cells[index] == self._columns[index] for index in texts):
            return True
        near = self._names.brings_references and all(
            any(_is_near(cell, name) for cell in cells for name in names) for names in self._text_names
        )
        return near or _has_usual_names(cells, self._columns)


def _has_usual_names(cells: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether every cell is a usual name of a column or the caller's name for it, and they have different roles."""
    roles = [_ROLES.get(_BESIDE_WORDS.sub("", cell).lower()) for cell in cells]
    unnamed = {"", *columns}  # pandas writes an index without a name
    fitting = all(role or cell.strip() in unnamed for role, cell in zip(roles, cells, strict=True))
    return fitting and len(set(filter(None, roles))) > 1


def _is_near(cell: str, name: str) -> bool:
    """Whether a cell is a name in other case or misspelt; texts, which are longer, are not compared."""
    cell = cell.strip()
    alike = len(cell.split()) == len(name.split()) and abs(len(cell) - len(name)) <= MOST_SLIPS
    return alike and nearest(cell, [name]) is not None
