"""Labels of segments, such as documents. Either every segment has a document, or none has."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bleuprint.errors import FileError, quote
from bleuprint.text.formats.sources import display_name


def is_nameless(value: object) -> bool:
    """Whether a value is missing or an empty text."""
    return value is None or value == ""


def write_label(value: object, name: str, where: str) -> str:
    """Return a label as a text; numbers are written as JSON has them."""
    if not _is_label(value):
        got = "nothing" if is_nameless(value) else quote(value)
        message = f"expected a text or a number under {name!r}, without lone surrogates, got {got}."
        raise FileError(message, "Label every segment.", where=where)
    return _write(value)


def _write(label: object) -> str:
    return label if isinstance(label, str) else json.dumps(label)


def _is_label(value: object) -> bool:
    if isinstance(value, str):
        return value != "" and not any("\ud800" <= character <= "\udfff" for character in value)
    return isinstance(value, (int, float))


class DocumentNames:
    """The names of documents, batch by batch: every segment has one, or none has."""

    def __init__(self, source: str) -> None:
        self._source, self._named, self._first_line = source, False, 0

    def check(self, names: Sequence[object], lines: Sequence[int]) -> list[str] | None:
        """Return the names of a batch with segments on these lines, or None without names."""
        any_named = any(name is not None for name in names)
        if not self._first_line and lines:
            self._first_line, self._named = lines[0], any_named
        if any_named and not self._named:
            raise self._error(self._first_line, None)
        if not self._named:
            return None
        for line, name in zip(lines, names, strict=True):
            if not _is_label(name):
                raise self._error(line, name)
        return [_write(name) for name in names]

    def _error(self, line: int, name: object) -> FileError:
        message = f"expected a document name, as other lines have one, without lone surrogates, got {quote(name)}."
        fix = "Name the document of every segment, or of none."
        return FileError(message, fix, where=f"{display_name(self._source)}, line {line}")
