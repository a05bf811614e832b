"""JSONL: one object per line, with a candidate, its references and perhaps a document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bleuprint.errors import FileError, quote
from bleuprint.text.formats.columns import USUAL_REFERENCES, ColumnNames, Row, Rows, column_error
from bleuprint.text.formats.documents import write_label
from bleuprint.text.formats.sources import LineSource, display_name, each_line

JsonObject = Mapping[str, object]
NO_VALUE: Final = object()
"""Stands for a key that is not there; null is a value."""
USUAL_CANDIDATES, USUAL_DOCUMENTS = ("candidate", "hypothesis"), ("document", "doc_id")
"""The keys of our own, and those of the files of WMT."""
EXAMPLE = 'For example: {"candidate": "a b", "references": ["a b", "a c"], "document": "d1"}.'


def read_jsonl(source: str, lines: LineSource, names: ColumnNames) -> Rows[tuple[int, str]]:
    """Read a corpus from JSONL."""

    def read(numbered: tuple[int, str]) -> Row:
        line, text = numbered
        return _read_row(line, text, f"{display_name(source)}, line {line}", names)

    return Rows(source, enumerate(each_line(lines), start=1), read, names.labels)


def _read_row(line: int, text: str, where: str, names: ColumnNames) -> Row:
    row = parse_object(text, where, EXAMPLE)

    def find(*keys: str) -> object:
        return next((value for key in keys if (value := find_value(row, key)) is not NO_VALUE), NO_VALUE)

    candidate = find(*((names.candidate,) if names.candidate else USUAL_CANDIDATES))
    references = {key: find(key) for key in names.references}
    if names.brings_references and not references:
        references = {USUAL_REFERENCES[0]: find(*USUAL_REFERENCES)}
    document = find(*((names.document,) if names.document else USUAL_DOCUMENTS))
    labels = {key: find(key) for key in names.labels}
    needed = {names.candidate or "candidate": candidate, **references, **labels}
    if names.document:
        needed[names.document] = document
    for key, value in needed.items():
        if value is NO_VALUE:
            raise column_error(where, key, row, kind="key")
    document = None if document is NO_VALUE else document
    written = [write_label(value, key, where) for key, value in labels.items()]
    return line, candidate, _join(list(references.values())), document, written


def _join(references: Sequence[object]) -> object:
    """Put the references under several keys together; under one there may be a list, or a text."""
    if len(references) == 1:
        return references[0]
    return [text for value in references for text in (value if isinstance(value, list) else [value])]


def find_value(row: JsonObject, key: str) -> object:
    """Return the value of a key, or ``NO_VALUE``; a key inside another is written with a dot between them.

    >>> find_value({"refs": {"A": "a b"}}, "refs.A")
    'a b'
    """
    value: object = row
    for part in (key,) if key in row else key.split("."):
        if not isinstance(value, dict) or part not in value:
            return NO_VALUE
        value = value[part]
    return value


def parse_object(line: str, where: str, example: str) -> dict[str, object]:
    """Parse a line of JSONL; a repeated key, which would hide a value, is an error."""

    def gather(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            [(key, count)] = Counter(key for key, _ in pairs).most_common(1)
            fix = "Several references are a list under one key. Remove the other, or rename it."
            raise FileError(f"An object has the key {quote(key)} {count} times.", fix, where=where)
        return found

    row, reason = None, ""
    try:
        row = json.loads(line, object_pairs_hook=gather)
    except FileError:
        raise
    except RecursionError:
        reason = " (nested too deep)"
    except json.JSONDecodeError as error:
        reason = f" ({error.msg}, column {error.colno})"
    except ValueError as error:  # an int that is longer than Python reads
        reason = f" ({error})"
    if not isinstance(row, dict):
        fix = f"JSONL has one complete object per line and no empty lines. {example}"
        raise FileError(f"expected a JSON object, got {quote(line)}{reason}.", fix, where=where)
    return row
