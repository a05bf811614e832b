"""The pairs of a manifest: a file for every column, one file of records with all of them, or the markup of WMT."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from bleuprint.errors import FileError, nearest, quote
from bleuprint.io.lines import read_lines, read_table
from bleuprint.io.manifest import check_keys, manifest_error
from bleuprint.io.paths import folder_of, is_file
from bleuprint.io.testset import LABELS, FoundTexts, ReadColumn, TestsetName, column_of, is_name_part

if TYPE_CHECKING:
    from bleuprint.text.formats.jsonl import JsonObject
    from bleuprint.text.formats.markup import Version

PAIR_KEYS = ("format", "file", "where", "source", "references", *LABELS)
RECORD_FORMS = ("jsonl", "tsv", "csv")
PAIR_FORMS = ("plain", *RECORD_FORMS, "xml", "sgml")
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {"origin": ("origlang",), "domain": ("domain", "genre")}
"""The attributes of the tag of a document that have these labels."""


class Pair:
    """The table of a pair in a manifest."""

    def __init__(self, name: TestsetName, entry: Mapping[str, Any], home: str, manifest: str) -> None:
        self.name: TestsetName = name
        self._entry, self._home, self._manifest = entry, home, manifest
        self._where = f"{manifest}, pairs.{name.pair}"
        check_keys(self._where, entry, PAIR_KEYS)
        self.form: str = str(entry.get("format", "plain"))
        if self.form not in PAIR_FORMS:
            raise self.error(", ".join(PAIR_FORMS), self.form, nearest(self.form, PAIR_FORMS))
        self.where: Mapping[str, object] = entry.get("where", {})
        """the values of columns in the rows of the pair, if one file has several pairs"""
        if not isinstance(self.where, dict) or (self.where and self.form not in RECORD_FORMS):
            raise self.error(f"where: a table of columns and values, for {', '.join(RECORD_FORMS)}", self.where)

    def text(self, key: str) -> str | None:
        """Return the text of a key, if there is one."""
        value = self._entry.get(key)
        if value is not None and (not isinstance(value, str) or not value):
            raise self.error(f"a text for {key}", value)
        return value

    def references(self) -> dict[str, str]:
        """Return the references by name: a single text, numbered ones, or ones with names."""
        value = self._entry.get("references")
        entries = {"": value} if isinstance(value, str) else value
        if isinstance(entries, list):
            entries = {"" if len(entries) == 1 else str(number): entry for number, entry in enumerate(entries, start=1)}
        if (
            not isinstance(entries, dict) or not entries
            or not all(isinstance(entry, str) and entry for entry in entries.values())
        ):  # fmt: skip
            raise self.error("references: a text, a list of texts, or a table of them by name", value)
        for name in entries:
            if name and not is_name_part(name):
                raise self.error("references by names of letters, digits and . _ + -", name)
        return entries

    def has_references(self) -> bool:
        """Whether the manifest names references."""
        return "references" in self._entry

    def file(self, name: str | None) -> str:
        """Find a file of the set, in its folder or in that of the manifest."""
        if name is None:
            raise self.error("file, the name of the file with the texts", None)
        paths = [os.path.join(folder, name) for folder in (self._home, folder_of(self._manifest))]
        found = next(filter(is_file, paths), None)
        if found is None:
            raise manifest_error(self._where, f"There is no file {quote(name)} in {self._home}.")
        return found

    def error(self, expected: str, got: object, suggestion: str | None = None) -> FileError:
        """Return an error about the table."""
        return manifest_error(self._where, f"expected {expected}, got {quote(got)}.", suggestion)


def read_pair(name: TestsetName, entry: Mapping[str, Any], home: str, manifest: str) -> FoundTexts:
    """Find the columns of a pair."""
    pair = Pair(name, entry, home, manifest)
    if pair.form in ("xml", "sgml"):
        return _find_markup(pair)
    if pair.form in RECORD_FORMS:
        return _find_records(pair)
    folder = folder_of(pair.file(next(iter(pair.references().values()))))
    return _gather(pair, folder, lambda name: column_of(pair.file(name)))


def _gather(pair: Pair, place: str, column: Callable[[str], ReadColumn]) -> FoundTexts:
    """Find the columns that the manifest names, each by its file or key."""
    references = {name: column(text) for name, text in pair.references().items()}
    named = {label: pair.text(label) for label in ("source", *LABELS)}
    columns = {label: column(text) for label, text in named.items() if text is not None}
    return FoundTexts(pair.name, place, references, columns, tuple(references))


def _find_records(pair: Pair) -> FoundTexts:
    from bleuprint.text.formats.columns import column_error
    from bleuprint.text.formats.jsonl import NO_VALUE, find_value

    path = pair.file(pair.text("file"))

    def fits(record: JsonObject) -> bool:
        found = [(find_value(record, key), value) for key, value in pair.where.items()]
        return all(type(own) is type(value) and own == value for own, value in found)

    @cache
    def records() -> list[tuple[str, JsonObject]]:
        return [(where, record) for where, record in _read_records(path, pair.form) if fits(record)]

    def column(key: str) -> list[str]:
        texts = []
        for where, record in records():
            value = find_value(record, key)
            if value is NO_VALUE:
                raise column_error(where, key, record, "The manifest names the columns, or keys, of the file.")
            if not isinstance(value, str):
                raise FileError(f"expected a text under {key!r}, got {quote(value)}.", where=where)
            texts.append(value)
        return texts

    return _gather(pair, path, lambda key: partial(column, key))


def _read_records(path: str, form: str) -> list[tuple[str, JsonObject]]:
    """Read the records of a file, each with its location."""
    if form == "jsonl":
        from bleuprint.text.formats.jsonl import parse_object

        advice = "Keys inside others are written with dots."
        lines = ((f"{path}, line {number}", line) for number, line in enumerate(read_lines(path), start=1))
        return [(where, parse_object(line, where, advice)) for where, line in lines]
    names, rows = read_table(path, form)
    return [(f"{path}, line {line}", dict(zip(names, cells, strict=True))) for line, cells in rows]


def _find_markup(pair: Pair) -> FoundTexts:
    """Read references by translator; all of them, unless the manifest names references."""
    from bleuprint.text.formats.markup import read_markup

    path = pair.file(pair.text("file"))
    found = read_markup(pair.form, path, read_lines(path), with_originals=True)
    translators = found.translators
    named = pair.references() if pair.has_references() else {name: name for name in translators}
    for translator in named.values():
        if translator not in translators:
            raise pair.error(" or ".join(map(quote, translators)), translator, nearest(translator, translators))
    if not named:
        raise manifest_error(path, "There are no references, in <ref> or <refset>.")
    keys = list(translators[next(iter(named.values()))].passages)

    def aligned(version: Version) -> list[str]:
        missing = [key for key in keys if key not in version.passages]
        if missing:
            message = f"{version.title} lacks segment {missing[0][1]} of document {missing[0][0]}."
            raise FileError(message, "Sources and references must have the same segments, by their ids.")
        return [version.passages[key].text for key in keys]

    columns: dict[str, ReadColumn | None] = {"document": lambda: [document for document, _ in keys]}
    for label, names in ATTRIBUTES.items():
        attributes = [found.documents[document] for document, _ in keys]
        values = [next((tag[name] for name in names if name in tag), "") for tag in attributes]
        if any(values):
            columns[label] = partial(list, values)
    originals = next(iter(found.originals.values()), None)
    if originals:
        columns["source"] = partial(aligned, originals)
    references = {name: partial(aligned, translators[translator]) for name, translator in named.items()}
    return FoundTexts(pair.name, path, references, columns, tuple(named))
