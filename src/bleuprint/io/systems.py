"""What ``compare`` reads: systems side by side in one file, labels of segments, and segment scores of other metrics.

Systems are columns of TSV, CSV, JSONL, Parquet and Arrow files, or versions in WMT's markup.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from bleuprint.errors import FileError, ShapeError, nearest, quote
from bleuprint.findings.comparison.external import SCORE_WANTED, advise_score, can_be_compared
from bleuprint.io.columnar import ColumnNames, stream_columnar
from bleuprint.io.lines import read_lines, read_table
from bleuprint.io.paths import columnar_form
from bleuprint.numbers import is_plainly_written, read_float
from bleuprint.text.formats import detect_form, display_name
from bleuprint.text.formats.columns import column_error, usual_references
from bleuprint.text.formats.delimited import Cells
from bleuprint.text.formats.documents import is_nameless, write_label
from bleuprint.text.formats.jsonl import JsonObject, parse_object
from bleuprint.text.formats.markup import join_systems, read_markup
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.wording import count_of, join_words

SYSTEMS_EXAMPLE = 'For example: {"ours": "a b", "theirs": "a c", "references": ["a b"]}.'
LABELS_EXAMPLE = 'For example: {"document": "d1", "domain": "news"}.'
_LONG = "Every line has the name of a system, a tab and a score, as in mt-metrics-eval's .seg.score."

TextColumn = list[object]
ReadColumn = Callable[[], TextColumn]
"""Makes a column when it is needed: objects of JSONL may have a key each that no other has."""


class SystemTexts(NamedTuple):
    """The candidates of several systems, their references, and labels of the segments."""

    systems: Mapping[str, Sequence[Any]]
    references: Sequence[Sequence[Any]]
    labels: Mapping[str, Sequence[str]]
    sources: Sequence[Any] | None = None
    """the sources of the translation, if they are known"""


class SystemChoice(NamedTuple):
    """The columns or versions to compare; empty ones stand for all, or for the usual ones."""

    systems: Mapping[str, str]
    """columns, or names of systems, by the names in the result"""
    references: Sequence[str] = ()
    labels: Sequence[str] = ()
    source: str | None = None
    """the column of sources; markup has its own"""
    with_sources: bool = False
    """whether the sources of markup are read; otherwise errors in them are ignored"""


def read_systems(source: str, choice: SystemChoice) -> SystemTexts:
    """Read the systems from a source that has everything."""
    form = columnar_form(source) or detect_form(source)
    name = display_name(source)
    if form in ("sgml", "xml"):
        if choice.source is not None:
            message = f"The sources of markup are in <src>, not in {quote(choice.source)}."
            raise FileError(message, "Leave out the column of sources.", where=name)
        found = read_markup(form, source, read_lines(source), with_originals=choice.with_sources)
        return SystemTexts(*join_systems(found, choice.systems, choice.references))
    if form == "plain":
        raise FileError(
            "expected a file of columns or markup (.tsv, .csv, .jsonl, .parquet, .arrow, .xml or .sgm), got a name of "
            "a text file.",
            "Name a file of lines for each system and each reference.",
            where=name,
        )
    if not choice.systems:
        raise FileError("The columns of the systems are not named.", "Name them with `systems`.", where=name)
    columns = _read_columnar(source, form, choice) if form in ("parquet", "arrow") else read_text_columns(source, form)
    return columns.gather(choice)


class TextColumns:
    """Columns by their names; a TSV file may have several with one name."""

    def __init__(self, source: str, columns: Iterable[tuple[str, ReadColumn]], *, empty_is_missing: bool) -> None:
        self._source, self._columns = display_name(source), list(columns)
        self._names, self._empty_is_missing = [name for name, _ in self._columns], empty_is_missing

    def column(self, name: str) -> TextColumn:
        """Return the only column of a name."""
        if self._names.count(name) != 1:
            raise self._error(name)
        return self._find(name)[0]

    def gather(self, choice: SystemChoice) -> SystemTexts:
        """Pick the systems, and the labels that every segment has."""
        chosen = [
            column for name in choice.references or (usual_references(self._names),) for column in self._find(name)
        ]
        systems = {name: self.column(column) for name, column in choice.systems.items()}
        references = [self._join(cells) for cells in zip(*chosen, strict=True)]
        has_documents = DOCUMENT in self._names and not any(map(is_nameless, self.column(DOCUMENT)))
        labels = {name: self._labels(name) for name in (*choice.labels, *([DOCUMENT] if has_documents else []))}
        sources = None if choice.source is None else self.column(choice.source)
        return SystemTexts(systems, references, labels, sources)

    def _labels(self, name: str) -> list[str]:
        rows = enumerate(self.column(name), start=1)
        return [write_label(value, name, f"{self._source}, row {row}") for row, value in rows]

    def _find(self, name: str) -> list[TextColumn]:
        found = [read() for own, read in self._columns if own == name]
        if not found:
            raise self._error(name)
        return found

    def _error(self, name: str) -> FileError:
        fix = "Systems, references, sources and labels are named by their columns."
        return column_error(self._source, name, self._names, fix)

    def _join(self, cells: Sequence[object]) -> list[object]:
        """Put the references of a segment together; a spreadsheet writes a missing one as an empty cell."""
        texts = [text for cell in cells for text in (cell if isinstance(cell, list) and len(cells) == 1 else [cell])]
        return [text or None for text in texts] if self._empty_is_missing else texts


def read_text_columns(source: str, form: str) -> TextColumns:
    """Read the columns of TSV or CSV, or the keys of JSONL."""
    if form == "jsonl":
        objects = _parse_objects(source, SYSTEMS_EXAMPLE)
        keys = dict.fromkeys(key for row in objects for key in row)
        values = [(key, partial(_values, objects, key)) for key in keys]
        return TextColumns(source, values, empty_is_missing=False)
    names, rows = read_table(source, form)
    cells = [(name, partial(_cells, rows, index)) for index, name in enumerate(names)]
    return TextColumns(source, cells, empty_is_missing=True)


def _values(objects: Sequence[JsonObject], key: str) -> TextColumn:
    return [row.get(key) for row in objects]


def _cells(rows: Sequence[Cells], index: int) -> TextColumn:
    return [cells[index] for _, cells in rows]


def _parse_objects(source: str, example: str) -> list[JsonObject]:
    return [parse_object(line, where, example) for where, line in _each_line(source)]


def _read_columnar(source: str, form: str, choice: SystemChoice) -> TextColumns:
    first, *others = choice.systems.values()
    more = [] if choice.source is None else [choice.source]
    columns: dict[str, TextColumn] = {}
    usual = ColumnNames(first, tuple(choice.references))
    for _, found in stream_columnar([source], form, usual, batch=1):
        wanted = ColumnNames(first, (*found.references, *others, *choice.labels, *more), found.document)
        for part, names in stream_columnar([source], form, wanted):
            for name in names.needed():
                columns.setdefault(name, []).extend(part.batch.column(name).to_pylist())
        break
    return TextColumns(source, ((name, partial(list, own)) for name, own in columns.items()), empty_is_missing=False)


def read_labels(source: str, segments: int, wanted: Collection[str] = ()) -> dict[str, list[str]]:
    """Read all columns that have a label for every segment, from TSV or JSONL.

    A gap in one that is ``wanted`` is an error.
    """
    is_jsonl = detect_form(source) == "jsonl"
    rows = _parse_objects(source, LABELS_EXAMPLE) if is_jsonl else _read_label_table(source)
    where = display_name(source)
    if len(rows) != segments:
        message = f"expected labels of {count_of(segments, 'segment')}, got {len(rows):,}."
        raise ShapeError(message, "There must be a line for every segment.", where=where)
    names = dict.fromkeys(name for row in rows for name in row)
    gaps = {name: next((index for index, row in enumerate(rows) if not _has_label(row, name)), None) for name in names}
    for name in wanted:
        gap = gaps.get(name)
        if gap is not None:
            got = quote(rows[gap][name]) if name in rows[gap] else "nothing"
            message = f"expected a text or a number under {name!r}, got {got}."
            raise FileError(message, "Label every segment.", where=f"{where}, line {gap + (1 if is_jsonl else 2)}")
    return {name: [_label_text(row[name]) for row in rows] for name in names if gaps[name] is None}


def _has_label(row: Mapping[str, object], name: str) -> bool:
    value = row.get(name)
    return not is_nameless(value) and not isinstance(value, (list, dict))


def _label_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _read_label_table(source: str) -> list[JsonObject]:
    names, rows = read_table(source, "tsv")
    # A name that several columns have (reference, say) names none of them.
    counts = Counter(names)
    single = [(name, index) for index, name in enumerate(names) if counts[name] == 1]
    return [{name: cells[index] for name, index in single} for _, cells in rows]


def read_system_scores(source: str, segments: int) -> list[float]:
    """Read the scores of one system, a number per line."""
    scores = [_read_number(text, where) for where, text in _each_line(source)]
    _check_length(scores, segments, display_name(source))
    return scores


def read_all_scores(source: str, systems: Sequence[str], segments: int) -> dict[str, list[float]]:
    """Read the scores of these systems from a file with those of all; other systems in it are ignored.

    TSV, CSV and JSONL have a column for each system. Other files have lines with a system, a tab and a score.
    """
    name = display_name(source)
    if detect_form(source) in ("tsv", "csv", "jsonl") and not _is_long(source):
        columns = read_text_columns(source, detect_form(source))
        return {system: _read_column(columns, system, segments, name) for system in systems}
    found: dict[str, list[float]] = {}
    for where, text in _each_line(source):
        cells = text.split("\t")
        if len(cells) != 2:
            raise FileError(f"expected a system, a tab and a score, got {quote(text)}.", _LONG, where=where)
        scores = found.setdefault(cells[0], [])
        if cells[0] in systems:
            scores.append(_read_number(cells[1], where))
    for system in systems:
        if system not in found:
            held = f"only those of {join_words(map(quote, found))}" if found else "but no line"
            raise FileError(
                f"There are no scores of {quote(system)}, {held}.",
                "Use the file's name of the system, or name another file: METRIC=SYSTEM:FILE.",
                where=name,
                suggestion=nearest(system, found),
                values=found,
            )
        _check_length(found[system], segments, f"{name}, {quote(system)}")
    return {system: found[system] for system in systems}


def _read_column(columns: TextColumns, system: str, segments: int, source: str) -> list[float]:
    where, column = f"{source}, column {quote(system)}", columns.column(system)
    _check_length(column, segments, where)
    return [_read_number(cell, f"{where}, row {row}") for row, cell in enumerate(column, start=1)]


def _is_long(source: str) -> bool:
    """Whether a TSV file has a line per system and segment, so that its first line has a score."""
    if detect_form(source) != "tsv":
        return False
    cells = next((text.split("\t") for _, text in _each_line(source)), [])
    try:
        return len(cells) == 2 and float(cells[1]) is not None
    except ValueError:
        return False


def _each_line(source: str) -> Iterable[tuple[str, str]]:
    """Iterate over the lines of a file, each with its location."""
    return ((f"{display_name(source)}, line {line}", text) for line, text in enumerate(read_lines(source), start=1))


def _read_number(cell: object, where: str) -> float:
    number: Any = read_float(cell) if isinstance(cell, str) else cell
    if not can_be_compared(number):
        is_odd = isinstance(cell, str) and not is_plainly_written(cell)
        fix = "Write it with the digits 0 to 9, as -0.5 or 1e-3." if is_odd else advise_score(number)
        raise FileError(f"expected {SCORE_WANTED}, got {quote(cell)}.", fix, where=where)
    return float(number)


def _check_length(found: Sequence[object], segments: int, where: str) -> None:
    if len(found) != segments:
        message = f"expected {count_of(segments, 'score')}, one per segment, got {len(found):,}."
        raise ShapeError(message, "The scores are in the order of the references.", where=where)
