"""The records of a test set that is one file of them: JSONL, TSV or CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bleuprint.errors import FileError, nearest, quote
from bleuprint.io.lines import read_lines
from bleuprint.text.formats import ListedLines
from bleuprint.text.formats.delimited import DELIMITED_READERS
from bleuprint.text.formats.jsonl import NO_VALUE, JsonObject, find_value, parse_object


def read_records(path: str, form: str, where: Mapping[str, object]) -> list[tuple[int, JsonObject]]:
    """Read the records that have these values, each with its line."""
    found = _read_objects(path) if form == "jsonl" else _read_cells(path, form)
    return [(line, record) for line, record in found if _fits(record, where)]


def _read_objects(path: str) -> Iterator[tuple[int, JsonObject]]:
    for number, line in enumerate(read_lines(path), start=1):
        yield number, parse_object(line, f"{path}, line {number}", "Keys inside others are written with dots.")


def _read_cells(path: str, form: str) -> Iterator[tuple[int, JsonObject]]:
    rows = DELIMITED_READERS[form](path, ListedLines(read_lines(path)))
    header = next(rows).cells
    for row in rows:
        if len(row.cells) != len(header):
            raise FileError(
                where=f"{path}, line {row.line}", wanted=f"{len(header)} columns", got=str(len(row.cells)),
                next_step="The first line names the columns.",
            )  # fmt: skip
        yield row.line, dict(zip(header, row.cells, strict=True))


def _fits(record: JsonObject, where: Mapping[str, object]) -> bool:
    found = [(find_value(record, key), value) for key, value in where.items()]
    return all(type(own) is type(value) and own == value for own, value in found)


def text_of(record: JsonObject, key: str, where: str) -> str:
    """Give the text under a key of a record."""
    value = find_value(record, key)
    if not isinstance(value, str):
        raise FileError(
            where=where, wanted=f"a text under {key!r}",
            got="no such column or key" if value is NO_VALUE else quote(value), suggestion=nearest(key, record),
            next_step="The manifest names the columns, or keys, of the file.",
        )  # fmt: skip
    return value
