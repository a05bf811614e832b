"""Documents: their names come complete or not at all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from bleuprint.errors import FileError, quote
from bleuprint.text.formats.sources import display_name


def is_nameless(value: object) -> bool:
    """Whether a value names nothing: none is there, or an empty text."""
    return value is None or value == ""


def write_label(value: object, name: str, where: str) -> str:
    """Give a label as a text; numbers are written as JSON has them."""
    if not _is_label(value):
        raise FileError(
            where=where,
            wanted=f"a text or a number under {name!r}, without lone surrogates",
            got="nothing" if is_nameless(value) else quote(value),
            next_step="Every segment belongs to a part; give it a value of its own.",
        )
    return _write(value)


def _write(label: object) -> str:
    return label if isinstance(label, str) else json.dumps(label)


def _is_label(value: object) -> bool:
    return not is_nameless(value) and (_is_text(value) or isinstance(value, (int, float)))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


@dataclass
class DocumentNames:
    """The names of documents, batch by batch: every segment has one, or none has."""

    source: str
    named: bool | None = None
    first_line: int = 1

    def check(self, names: Sequence[object], lines: Sequence[int]) -> list[str] | None:
        """Take the names of a batch, whose segments stand on these lines; refuse half of them."""
        if self.named is None:
            self.first_line = lines[0] if lines else 1
        any_named = any(name is not None for name in names)
        if any_named and self.named is False:
            self._refuse(self.first_line, None)
        self.named = any_named if self.named is None else self.named
        if not self.named:
            return None
        for line, name in zip(lines, names, strict=True):
            if not _is_label(name):
                self._refuse(line, name)
        return [_write(name) for name in names]

    def _refuse(self, line: int, name: object) -> NoReturn:
        raise FileError(
            where=f"{display_name(self.source)}, line {line}",
            wanted="a document name, as other lines have one, without lone surrogates",
            got=quote(name),
            next_step="Name the document of every segment, or of none.",
        )
