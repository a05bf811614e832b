"""The pairs of a manifest: a file for every column, one file of records with all of them, or the markup of WMT."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NoReturn

from bleuprint.errors import FileError, name_list, nearest, quote
from bleuprint.io.lines import read_lines, read_table
from bleuprint.io.paths import folder_of, is_file
from bleuprint.io.testset import FoundTexts, ReadColumn, TestsetName, column_of, is_name_part

if TYPE_CHECKING:
    from bleuprint.text.formats.jsonl import JsonObject
    from bleuprint.text.formats.markup import Version

LABEL_KEYS = ("document", "origin", "domain")
PAIR_KEYS = ("format", "file", "where", "source", "references", *LABEL_KEYS)
RECORD_FORMS = ("jsonl", "tsv", "csv")
PAIR_FORMS = ("plain", *RECORD_FORMS, "xml", "sgml")
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {"origin": ("origlang",), "domain": ("domain", "genre")}
"""What the tag of a document calls them."""


class Pair:
    """What a manifest says of a pair."""

    def __init__(self, name: TestsetName, entry: Mapping[str, Any], home: str, manifest: str) -> None:
        self.name: TestsetName = name
        self._entry, self._home, self._manifest = entry, home, manifest
        for key in entry:
            if key not in PAIR_KEYS:
                self.refuse(name_list(PAIR_KEYS), quote(key), nearest(key, PAIR_KEYS))
        self.form: str = str(entry.get("format", "plain"))
        if self.form not in PAIR_FORMS:
            self.refuse(name_list(PAIR_FORMS), quote(self.form), nearest(self.form, PAIR_FORMS))

    def text(self, key: str) -> str | None:
        """Give what stands under a key, a text or nothing."""
        value = self._entry.get(key)
        if value is not None and (not isinstance(value, str) or not value):
            self.refuse(f"a text for {key}", quote(value))
        return value

    def references(self) -> dict[str, str]:
        """Give the references by name: one text, several that are numbered, or several with names."""
        value = self._entry.get("references")
        entries = {"": value} if isinstance(value, str) else value
        if isinstance(entries, list):
            entries = {"" if len(entries) == 1 else str(place): entry for place, entry in enumerate(entries, start=1)}
        if not isinstance(entries, dict) or not all(isinstance(entry, str) and entry for entry in entries.values()):
            self.refuse("references: a text, a list of texts, or a table of them by name", quote(value))
        if not entries:
            self.refuse("at least one reference", "none")
        for name in entries:
            if name and not is_name_part(name):
                self.refuse("references by names of letters, digits and . _ + -", quote(name))
        return entries

    def where(self) -> Mapping[str, object]:
        """Give what the rows of a pair have, where one file holds several."""
        value = self._entry.get("where", {})
        if not isinstance(value, dict) or (value and self.form not in RECORD_FORMS):
            self.refuse(f"where: a table of columns and values, for {', '.join(RECORD_FORMS)}", quote(value))
        return value

    def file(self, name: str | None) -> str:
        """Find a file of the set; beside the manifest, too."""
        if name is None:
            self.refuse("file, the name of the file with the texts", "none")
        paths = [os.path.join(folder, name) for folder in (self._home, folder_of(self._manifest))]
        found = next(filter(is_file, paths), None)
        return found or self.refuse("a file of the set", f"no {name} in {self._home}")

    def refuse(self, wanted: str, got: str, suggestion: str | None = None) -> NoReturn:
        """Say what is wrong."""
        raise FileError(
            where=f"{self._manifest}, pairs.{self.name.pair}", wanted=wanted, got=got, suggestion=suggestion,
            next_step="docs/testsets.md shows a manifest for every form.",
        )  # fmt: skip


def read_pair(name: TestsetName, entry: Mapping[str, Any], home: str, manifest: str) -> FoundTexts:
    """Find the columns of a pair."""
    pair = Pair(name, entry, home, manifest)
    pair.where()
    read = {"plain": _find_files, "xml": _find_markup, "sgml": _find_markup}.get(pair.form, _find_columns)
    return read(pair)


def _find_files(pair: Pair) -> FoundTexts:
    place = folder_of(pair.file(next(iter(pair.references().values()))))
    return _gather(pair, place, lambda name: column_of(pair.file(name)))


def _gather(pair: Pair, place: str, column: Callable[[str], ReadColumn]) -> FoundTexts:
    """Find what the manifest names, each by its file or key."""

    def optional(key: str) -> ReadColumn | None:
        named = pair.text(key)
        return None if named is None else column(named)

    references = {name: column(text) for name, text in pair.references().items()}
    document, origin, domain = map(optional, LABEL_KEYS)
    return FoundTexts(pair.name, place, optional("source"), references, tuple(references), document, origin, domain)


def _find_columns(pair: Pair) -> FoundTexts:
    from bleuprint.text.formats.jsonl import NO_VALUE, find_value

    path, where = pair.file(pair.text("file")), pair.where()

    def fits(record: JsonObject) -> bool:
        found = [(find_value(record, key), value) for key, value in where.items()]
        return all(type(own) is type(value) and own == value for own, value in found)

    @cache
    def records() -> list[tuple[int, JsonObject]]:
        return [(line, record) for line, record in _read_records(path, pair.form) if fits(record)]

    def text_of(record: JsonObject, key: str, line: int) -> str:
        value = find_value(record, key)
        if not isinstance(value, str):
            raise FileError(
                where=f"{path}, line {line}",
                wanted=f"a text under {key!r}",
                got="no such column or key" if value is NO_VALUE else quote(value),
                suggestion=nearest(key, record),
                next_step="The manifest names the columns, or keys, of the file.",
            )
        return value

    def column(key: str) -> list[str]:
        return [text_of(record, key, line) for line, record in records()]

    return _gather(pair, path, lambda key: partial(column, key))


def _read_records(path: str, form: str) -> list[tuple[int, JsonObject]]:
    """Read the records of a file, each with its line."""
    if form == "jsonl":
        from bleuprint.text.formats.jsonl import parse_object

        advice = "Keys inside others are written with dots."
        lines = enumerate(read_lines(path), start=1)
        return [(number, parse_object(line, f"{path}, line {number}", advice)) for number, line in lines]
    names, rows = read_table(path, form)
    return [(row.line, dict(zip(names, row.cells, strict=True))) for row in rows]


def _find_markup(pair: Pair) -> FoundTexts:
    """Read references by translator; without references in the manifest all of them count."""
    from bleuprint.text.formats.markup import read_markup

    path = pair.file(pair.text("file"))
    found = read_markup(pair.form, path, read_lines(path), with_originals=True)
    named = pair.references() if "references" in pair._entry else {name: name for name in found.translators}
    for translator in named.values():
        if translator not in found.translators:
            pair.refuse(name_list(found.translators), quote(translator), nearest(translator, found.translators))
    if not named:
        pair.refuse("references, in <ref> or <refset>", f"none in {path}")
    first = found.translators[next(iter(named.values()))]

    def aligned(version: Version) -> list[str]:
        missing = [key for key in first.passages if key not in version.passages]
        if missing:
            raise FileError(
                where=version.title, wanted=f"document {missing[0][0]}, segment {missing[0][1]}",
                got="no such segment", next_step="Sources and references have the same segments, by their ids.",
            )  # fmt: skip
        return [version.passages[key].text for key in first.passages]

    def attribute(label: str) -> ReadColumn | None:
        names = ATTRIBUTES[label]
        values = [
            next((found.documents[key[0]][name] for name in names if name in found.documents[key[0]]), "")
            for key in first.passages
        ]
        return (lambda: values) if any(values) else None

    originals = next(iter(found.originals.values()), None)
    return FoundTexts(
        pair.name,
        path,
        partial(aligned, originals) if originals else None,
        {name: partial(aligned, found.translators[translator]) for name, translator in named.items()},
        tuple(named),
        document=lambda: [document for document, _ in first.passages],
        origin=attribute("origin"),
        domain=attribute("domain"),
    )
