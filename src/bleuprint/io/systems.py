"""What ``compare`` reads: systems side by side in one file, labels of segments, and segment scores of other metrics.

Systems are columns of TSV, CSV, JSONL, Parquet and Arrow files, or versions in WMT's markup.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from bleuprint.advice import Advice
from bleuprint.errors import FileError, ShapeError, name_list, nearest, quote
from bleuprint.findings.comparison.external import SCORE_WANTED, advise_score, can_be_compared
from bleuprint.io.columnar import ColumnNames, stream_columnar
from bleuprint.io.lines import read_lines, read_table
from bleuprint.io.paths import columnar_form
from bleuprint.text.formats import detect_form, display_name
from bleuprint.text.formats.columns import usual_references
from bleuprint.text.formats.delimited import Row
from bleuprint.text.formats.documents import is_nameless, write_label
from bleuprint.text.formats.jsonl import JsonObject, parse_object
from bleuprint.text.formats.markup import join_systems, read_markup
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.wording import count_of, join_words
from bleuprint.written_numbers import is_plainly_written, read_float

SYSTEMS_EXAMPLE = 'For example: {"ours": "a b", "theirs": "a c", "references": ["a b"]}.'
LABELS_EXAMPLE = 'For example: {"document": "d1", "domain": "news"}.'
_LONG = "Every line has the name of a system, a tab and a score, as in mt-metrics-eval's .seg.score."

TextColumn = list[object]
ReadColumn = Callable[[], TextColumn]
"""Columns are made when they are needed: objects of JSONL may have a key each that no other has."""


class SystemTexts(NamedTuple):
    """The candidates of several systems, their references, and labels of the segments."""

    systems: Mapping[str, Sequence[Any]]
    references: Sequence[Sequence[Any]]
    labels: Mapping[str, Sequence[str]]
    sources: Sequence[Any] | None = None
    """what was translated; None where it is not known"""


class SystemChoice(NamedTuple):
    """What of a source is compared; empty parts stand for all of it, or the usual."""

    systems: Mapping[str, str]
    """columns, or names of systems, by the names that they are to have"""
    references: Sequence[str] = ()
    labels: Sequence[str] = ()
    source: str | None = None
    """the column of sources; markup says itself what its sources are"""
    with_sources: bool = False
    """whether the sources of markup are wanted: nobody minds faults in those that nobody sees"""


def read_systems(source: str, choice: SystemChoice) -> SystemTexts:
    """Read what is compared from a source that holds all of it."""
    form = columnar_form(source) or detect_form(source)
    if form in ("sgml", "xml"):
        if choice.source is not None:
            raise FileError(
                where=display_name(source),
                wanted="no choice of sources beside markup, which says itself what they are",
                got=quote(choice.source),
                next_step="Leave it out: the texts in <src> are taken.",
            )
        found = read_markup(form, source, read_lines(source), with_originals=choice.with_sources)
        return SystemTexts(*join_systems(found, choice.systems, choice.references))
    if form == "plain":
        raise FileError(
            where=display_name(source),
            wanted="a file of columns or markup (.tsv, .csv, .jsonl, .parquet, .arrow, .xml or .sgm)",
            got="a name that stands for one text per line",
            next_step="Files of lines are named one by one, for each system and each reference.",
        )
    if not choice.systems:
        raise FileError(
            where=display_name(source),
            wanted="the column of each system",
            got="none",
            next_step=Advice.NAME_SYSTEMS,
        )
    columns = _read_columnar(source, form, choice) if form in ("parquet", "arrow") else read_text_columns(source, form)
    return columns.gather(choice)


class TextColumns:
    """Columns by their names; a TSV file may have several of one name."""

    def __init__(self, source: str, columns: Sequence[tuple[str, ReadColumn]], *, empty_is_missing: bool) -> None:
        self._source, self._columns, self._empty_is_missing = source, columns, empty_is_missing

    @property
    def names(self) -> list[str]:
        """The names, each once."""
        return list(dict.fromkeys(name for name, _ in self._columns))

    def column(self, name: str) -> TextColumn:
        """Give the one column of a name."""
        column, *others = self._find(name)
        if others:
            raise FileError(
                where=f"{display_name(self._source)}, column {name!r}",
                wanted="one column of that name for a system",
                got=str(1 + len(others)),
                next_step="Give them different names.",
            )
        return column

    def gather(self, choice: SystemChoice) -> SystemTexts:
        """Pick what is compared, and of the rest the labels that every segment has."""
        usual = usual_references(self.names)
        chosen = [column for name in choice.references or (usual,) for column in self._find(name)]
        systems = {name: self.column(column) for name, column in choice.systems.items()}
        references = [self._join(cells) for cells in zip(*chosen, strict=True)]
        labels = {name: self._find_labels(name) for name in (*choice.labels, *self._find_document())}
        sources = None if choice.source is None else self.column(choice.source)
        return SystemTexts(systems, references, labels, sources)

    def _find_document(self) -> list[str]:
        """Name the column with documents, if every segment has one."""
        is_whole = DOCUMENT in self.names and not any(map(is_nameless, self.column(DOCUMENT)))
        return [DOCUMENT] if is_whole else []

    def _find_labels(self, name: str) -> list[str]:
        rows = enumerate(self.column(name), start=1)
        return [write_label(value, name, f"{display_name(self._source)}, row {row}") for row, value in rows]

    def _find(self, name: str) -> list[TextColumn]:
        found = [read() for own, read in self._columns if own == name]
        if not found:
            raise FileError(
                where=f"{display_name(self._source)}, column {name!r}",
                wanted=f"one of {name_list(self.names)}" if self.names else "a table with columns",
                got="no such column",
                suggestion=nearest(name, self.names),
                next_step="Systems, references, sources and labels are named by their columns.",
            )
        return found

    def _join(self, cells: Sequence[object]) -> list[object]:
        """Put the references of a segment together; a spreadsheet writes a missing one as an empty cell."""
        texts = [text for cell in cells for text in (cell if isinstance(cell, list) and len(cells) == 1 else [cell])]
        return [text or None for text in texts] if self._empty_is_missing else texts


def read_text_columns(source: str, form: str) -> TextColumns:
    """Read columns from lines: TSV, CSV or JSONL."""
    if form == "jsonl":
        objects = _parse_objects(source, SYSTEMS_EXAMPLE)
        keys = dict.fromkeys(key for row in objects for key in row)
        columns: list[tuple[str, ReadColumn]] = [(key, partial(_values, objects, key)) for key in keys]
        return TextColumns(source, columns, empty_is_missing=False)
    names, rows = read_table(source, form)
    columns = [(name, partial(_cells, rows, place)) for place, name in enumerate(names)]
    return TextColumns(source, columns, empty_is_missing=True)


def _parse_objects(source: str, example: str) -> list[JsonObject]:
    return [
        parse_object(line, f"{display_name(source)}, line {number}", example)
        for number, line in enumerate(read_lines(source), start=1)
    ]


def _values(objects: Sequence[Mapping[str, object]], key: str) -> TextColumn:
    return [row.get(key) for row in objects]


def _cells(rows: Sequence[Row], place: int) -> TextColumn:
    return [row.cells[place] for row in rows]


def _read_columnar(source: str, form: str, choice: SystemChoice) -> TextColumns:
    first, *others = choice.systems.values()
    more = [] if choice.source is None else [choice.source]
    columns: dict[str, TextColumn] = {}
    usual = ColumnNames(first, tuple(choice.references))
    for _, settled in stream_columnar([source], form, usual, batch=1):
        wanted = ColumnNames(first, (*settled.references, *others, *choice.labels, *more), settled.document)
        for part, names in stream_columnar([source], form, wanted):
            for name in names.needed():
                columns.setdefault(name, []).extend(part.batch.column(name).to_pylist())
        break
    return TextColumns(source, [(name, partial(list, own)) for name, own in columns.items()], empty_is_missing=False)


def read_labels(source: str, segments: int, wanted: Collection[str] = ()) -> dict[str, list[str]]:
    """Read all columns that have a label for every segment; a TSV or JSONL corpus will do.

    A gap in one that is ``wanted`` is refused.
    """
    is_jsonl = detect_form(source) == "jsonl"
    rows = _parse_objects(source, LABELS_EXAMPLE) if is_jsonl else _read_label_table(source)
    if len(rows) != segments:
        raise ShapeError(
            where=display_name(source),
            wanted=f"labels of {count_of(segments, 'segment')}",
            got=f"{len(rows):,}",
            next_step="Give a line for every segment, in the order of the references.",
        )
    names = dict.fromkeys(name for row in rows for name in row)
    gaps = {name: next((place for place, row in enumerate(rows) if not _has_label(row, name)), None) for name in names}
    for name in wanted:
        gap = gaps.get(name)
        if gap is not None:
            raise FileError(
                where=f"{display_name(source)}, line {gap + (1 if is_jsonl else 2)}",
                wanted=f"a text or a number under {name!r}",
                got=quote(rows[gap][name]) if name in rows[gap] else "nothing",
                next_step="Every segment belongs to a part; give it a value of its own.",
            )
    return {name: [_label_text(row[name]) for row in rows] for name in names if gaps[name] is None}


def _has_label(row: Mapping[str, object], name: str) -> bool:
    """Whether a row has a label of this name."""
    value = row.get(name)
    return not is_nameless(value) and not isinstance(value, (list, dict))


def _label_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _read_label_table(source: str) -> list[JsonObject]:
    names, rows = read_table(source, "tsv")
    # A name that several columns have (reference, say) names none of them.
    counts = Counter(names)
    single = [(name, place) for place, name in enumerate(names) if counts[name] == 1]
    return [{name: row.cells[place] for name, place in single} for row in rows]


def read_system_scores(source: str, segments: int) -> list[float]:
    """Read the scores of one system, a number per line."""
    scores = [_read_number(text, f"{display_name(source)}, line {line}") for line, text in _each_line(source)]
    _check_length(scores, segments, display_name(source), "Each line is one segment, in the order of the references.")
    return scores


def read_all_scores(source: str, systems: Sequence[str], segments: int) -> dict[str, list[float]]:
    """Read the scores of these systems from a file that has those of all; others in it are not looked at.

    TSV, CSV and JSONL have a column for each system. All else has lines with a system, a tab and a score.
    """
    if detect_form(source) in ("tsv", "csv", "jsonl") and not _is_long(source):
        return _read_columns(source, systems, segments)
    found: dict[str, list[float]] = {}
    for line, text in _each_line(source):
        where = f"{display_name(source)}, line {line}"
        cells = text.split("\t")
        if len(cells) != 2:
            raise FileError(where=where, wanted="a system, a tab and a score", got=quote(text), next_step=_LONG)
        own = found.setdefault(cells[0], [])
        if cells[0] in systems:
            own.append(_read_number(cells[1], where))
    for system in systems:
        if system not in found:
            raise FileError(
                where=display_name(source),
                wanted=f"scores of {quote(system)}",
                got=f"those of {join_words(map(quote, found))}" if found else "no line",
                suggestion=nearest(system, found),
                next_step="Call the system as the file does, or name a file of its own: METRIC=SYSTEM:FILE.",
            )
        where = f"{display_name(source)}, {quote(system)}"
        _check_length(found[system], segments, where, "Every segment has a line of its own for each system.")
    return {system: found[system] for system in systems}


def _read_columns(source: str, systems: Sequence[str], segments: int) -> dict[str, list[float]]:
    columns = read_text_columns(source, detect_form(source))
    scores = {}
    for system in systems:
        where = f"{display_name(source)}, column {quote(system)}"
        column = columns.column(system)
        _check_length(column, segments, where, "Every segment has a row of its own.")
        scores[system] = [_read_number(cell, f"{where}, row {row}") for row, cell in enumerate(column, start=1)]
    return scores


def _is_long(source: str) -> bool:
    """Whether a TSV file has a line per system and segment: then its first line names no columns but has a score."""
    if detect_form(source) != "tsv":
        return False
    cells = next((text.split("\t") for _, text in _each_line(source)), [])
    try:
        return len(cells) == 2 and float(cells[1]) is not None
    except ValueError:
        return False


def _each_line(source: str) -> Iterable[tuple[int, str]]:
    return enumerate(read_lines(source), start=1)


def _read_number(cell: object, where: str) -> float:
    number: Any = read_float(cell) if isinstance(cell, str) else cell
    if not can_be_compared(number):
        is_odd = isinstance(cell, str) and not is_plainly_written(cell)
        next_step = "Write it with the digits 0 to 9, as -0.5 or 1e-3." if is_odd else advise_score(number)
        raise FileError(where=where, wanted=SCORE_WANTED, got=quote(cell), next_step=next_step)
    return float(number)


def _check_length(found: Sequence[object], segments: int, where: str, next_step: str) -> None:
    if len(found) != segments:
        raise ShapeError(
            where=where,
            wanted=f"{count_of(segments, 'score')}, one per segment",
            got=f"{len(found):,}",
            next_step=f"{next_step} Nothing is cut to fit.",
        )
