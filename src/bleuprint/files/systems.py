"""Systems side by side in one source: columns of TSV, CSV, JSONL, Parquet and Arrow files, versions in WMT's markup."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial

from bleuprint.advice import Advice
from bleuprint.errors import FileError, name_list, nearest, quote
from bleuprint.files.columnar_names import ColumnNames
from bleuprint.files.kinds import columnar_form
from bleuprint.files.lines import FileLines, read_lines
from bleuprint.files.system_texts import DOCUMENT, SystemChoice, SystemTexts
from bleuprint.text.formats import detect_form, display_name
from bleuprint.text.formats.columns import usual_references
from bleuprint.text.formats.delimited import DELIMITED_READERS, Row
from bleuprint.text.formats.documents import is_nameless, write_label
from bleuprint.text.formats.jsonl import parse_object
from bleuprint.text.formats.markup import join_systems, read_markup
from bleuprint.wording import count_of

SYSTEMS_EXAMPLE = 'For example: {"ours": "a b", "theirs": "a c", "references": ["a b"]}.'

TextColumn = list[object]
ReadColumn = Callable[[], TextColumn]
"""Columns are made when they are needed: objects of JSONL may have a key each that no other has."""


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
        objects = [
            parse_object(line, f"{display_name(source)}, line {number}", SYSTEMS_EXAMPLE)
            for number, line in enumerate(read_lines(source), start=1)
        ]
        keys = dict.fromkeys(key for row in objects for key in row)
        columns: list[tuple[str, ReadColumn]] = [(key, partial(_values, objects, key)) for key in keys]
        return TextColumns(source, columns, empty_is_missing=False)
    with closing(FileLines(source)) as lines:
        rows = list(DELIMITED_READERS[form](source, lines))
    names = rows[0].cells if rows else []
    body = rows[1:]
    for row in body:
        if len(row.cells) != len(names):
            raise FileError(
                where=f"{display_name(source)}, line {row.line}",
                wanted=count_of(len(names), "column"),
                got=str(len(row.cells)),
                next_step="The first line names the columns.",
            )
    columns = [(name, partial(_cells, body, place)) for place, name in enumerate(names)]
    return TextColumns(source, columns, empty_is_missing=True)


def _values(objects: Sequence[Mapping[str, object]], key: str) -> TextColumn:
    return [row.get(key) for row in objects]


def _cells(rows: Sequence[Row], place: int) -> TextColumn:
    return [row.cells[place] for row in rows]


def _read_columnar(source: str, form: str, choice: SystemChoice) -> TextColumns:
    from bleuprint.files.arrow_files import stream_columnar

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
