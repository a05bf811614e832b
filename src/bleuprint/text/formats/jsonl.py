"""JSONL: one object per line, with a candidate, its references and perhaps a document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bleuprint.advice import Advice
from bleuprint.errors import FileError, quote
from bleuprint.text.formats.columns import USUAL_REFERENCES, RowColumns
from bleuprint.text.formats.documents import DocumentNames, write_label
from bleuprint.text.formats.sources import LineSource, RawCorpus, display_name

JsonObject = Mapping[str, object]
NO_VALUE: Final = object()
"""Stands for a key that is not there; null is a value."""
USUAL_CANDIDATES, USUAL_DOCUMENTS = ("candidate", "hypothesis"), ("document", "doc_id")
"""The keys of our own, and those of the files of WMT."""
EXAMPLE = Advice.NAME_KEYS.value.format()
"""A line that is no object has no keys to be named otherwise."""


class JsonRows:
    """JSONL, batch by batch."""

    def __init__(self, source: str, lines: LineSource, names: RowColumns | None = None) -> None:
        self._source, self._lines, self._line, self._documents = source, lines, 1, DocumentNames(source)
        self._names = names or RowColumns()

    def take(self, count: int) -> RawCorpus:
        """Read so many objects, or what is left."""
        taken = self._lines.take(count)
        first, self._line = self._line, self._line + len(taken)
        candidates, references, documents = [], [], []
        labels: dict[str, list[str]] = {name: [] for name in self._names.labels}
        for number, line in enumerate(taken, start=first):
            row = self._parse(line, f"{display_name(self._source)}, line {number}")
            candidates.append(row.candidate)
            references.append(row.references)
            documents.append(row.document)
            for name, label in zip(labels, row.labels, strict=True):
                labels[name].append(label)
        names = self._documents.check(documents, range(first, self._line))
        return RawCorpus(candidates, references, names, self._source, first, labels=labels)

    def count_rest(self) -> int:
        """Count the objects that are left."""
        return self._lines.count_rest()

    def _parse(self, line: str, where: str) -> JsonSegment:
        row = parse_object(line, where, EXAMPLE)
        named = self._names
        candidate = _find_first(row, (named.candidate,) if named.candidate else USUAL_CANDIDATES)
        references = {key: find_value(row, key) for key in named.references}
        if named.brings_references and not references:
            references = {"references": _find_first(row, USUAL_REFERENCES)}
        document = _find_first(row, (named.document,) if named.document else USUAL_DOCUMENTS)
        found = {named.candidate or "candidate": candidate, **references}
        found |= {named.document: document} if named.document else {}
        labels = {key: find_value(row, key) for key in named.labels}
        found |= labels
        missing = [key for key, value in found.items() if value is NO_VALUE]
        if missing:
            wanted = [f'"{key}"' for key in found]
            raise FileError(
                where=where,
                wanted=f"an object with {' and '.join(wanted)}",
                got=f"no {' and no '.join(missing)} in {quote(line)}",
                suggestion=named.find_meant(row, missing),
                next_step="Name a key of the objects." if set(missing) <= labels.keys() else Advice.NAME_KEYS,
            )
        written = tuple(write_label(value, key, where) for key, value in labels.items())
        document = None if document is NO_VALUE else document
        return JsonSegment(candidate, _join(list(references.values())), document, written)


class JsonSegment(NamedTuple):
    """What an object holds."""

    candidate: object
    references: object
    document: object
    labels: tuple[str, ...]


def _join(references: list[object]) -> object:
    """Put the references under several keys together; under one there may be a list, or a text."""
    if len(references) == 1:
        return references[0]
    return [text for value in references for text in (value if isinstance(value, list) else [value])]


def _find_first(row: JsonObject, keys: Sequence[str]) -> object:
    return next((value for key in keys if (value := find_value(row, key)) is not NO_VALUE), NO_VALUE)


def find_value(row: JsonObject, key: str) -> object:
    """Give what stands under a key, or ``NO_VALUE``; a key inside another is written with a dot between them.

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
    """Read a line of JSONL; a key that it has twice would hide what stands under the first."""

    def gather(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            raise FileError(
                where=where,
                wanted="every key of an object once",
                got=f"{quote(counts.most_common(1)[0][0])} {counts.most_common(1)[0][1]} times",
                next_step="Several references are a list under one key; take the other out, or give it another name.",
            )
        return found

    reason = ""
    try:
        row = json.loads(line, object_pairs_hook=gather)
    except FileError:
        raise
    except RecursionError:
        row, reason = None, " (nested too deep)"
    except ValueError as error:
        row = None
        reason = f" ({error.msg}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else f" ({error})"
    if not isinstance(row, dict):
        raise FileError(
            where=where,
            wanted="a JSON object",
            got=f"{quote(line)}{reason}",
            next_step=f"JSONL has one complete object per line and no empty lines. {example}",
        )
    return row
