"""Test sets in folders that other tools have filled: sacreBLEU's cache, and that of mt-metrics-eval."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from bleuprint.errors import FileError, quote
from bleuprint.io.lines import read_lines
from bleuprint.io.names import TestsetName, is_manifest
from bleuprint.io.paths import find_folder, is_file, is_folder, list_folder, stem_of
from bleuprint.io.texts import FoundTexts, column_of

if TYPE_CHECKING:
    from bleuprint.io.downloads import Tell
    from bleuprint.io.known_sets import KnownSet

SOURCE_FIELD, REFERENCE_FIELD = "src", "ref"
RAW = "raw"
"""sacreBLEU's name for the folder with what was fetched, inside that of a set"""


FindUsual = Callable[[TestsetName], "tuple[str, ...] | None"]
"""Names the translators whose references count, where there are several; None where it is not known."""


def sacrebleu_folder() -> str:
    """Give the folder in which sacreBLEU keeps its test sets."""
    return find_folder("SACREBLEU", ".sacrebleu")


class SacrebleuFolder:
    """sacreBLEU's cache: ``wmt22/wmt22.en-de.src``, with ``ref``, ``docid`` and the like beside it, a text per line."""

    def __init__(self, find_usual: FindUsual) -> None:
        self._find_usual, self._folder = find_usual, sacrebleu_folder()

    def list_sets(self) -> Iterator[KnownSet]:
        """List the sets whose texts are there."""
        from bleuprint.io.known_sets import KnownSet

        pairs: defaultdict[str, set[str]] = defaultdict(set)
        for folder, inside, files in os.walk(self._folder):
            inside[:] = [name for name in inside if name != RAW]
            set_name = os.path.relpath(folder, self._folder).replace(os.sep, "/")
            beginning, end = f"{set_name.replace('/', '_')}.", f".{SOURCE_FIELD}"
            for file in files:
                if file.startswith(beginning) and file.endswith(end):
                    pairs[set_name].add(file.removeprefix(beginning).removesuffix(end))
        for set_name, own in pairs.items():
            yield KnownSet(set_name, frozenset(own), frozenset(own))

    def find(self, name: TestsetName) -> FoundTexts | None:
        """Find the texts of a pair; a set without references is none."""
        folder = f"{self._folder}/{name.set_name}"
        if is_manifest(name.set_name):
            return None
        beginning = f"{name.set_name.replace('/', '_')}.{name.pair}."
        files = {
            file.removeprefix(beginning): path
            for file, path in list_folder(folder).items()
            if file.startswith(beginning)
        }
        references = {
            field.removeprefix(REFERENCE_FIELD).lstrip("-:"): column_of(file)
            for field, file in files.items()
            if field == REFERENCE_FIELD or field.startswith((f"{REFERENCE_FIELD}-", f"{REFERENCE_FIELD}:"))
        }
        if not references or SOURCE_FIELD not in files:
            return None
        columns = {field: column_of(file) for field, file in files.items()}
        return FoundTexts(
            name,
            folder,
            columns[SOURCE_FIELD],
            references,
            self._choose(name, references),
            columns.get("docid"),
            columns.get("origlang"),
            columns.get("domain") or columns.get("genre"),
        )

    def _choose(self, name: TestsetName, references: Mapping[str, object]) -> tuple[str, ...] | None:
        """Ask the list of sacreBLEU's sets only where the names of the files leave it open."""
        if len(references) == 1 or all(one.isdigit() for one in references):
            return tuple(references)
        usual = self._find_usual(name)
        return usual if usual and set(usual) <= set(references) else None

    def fetch(self, name: TestsetName, tell: Tell | None) -> bool:
        """Leave that to others."""
        return False


class MetricsFolder:
    """mt-metrics-eval's data: ``wmt22/sources/en-de.txt``, ``references/en-de.refA.txt``, ``documents/en-de.docs``."""

    def __init__(self) -> None:
        self._folder = find_folder("MT_METRICS_EVAL", ".mt-metrics-eval/mt-metrics-eval-v2")

    def list_sets(self) -> Iterator[KnownSet]:
        """List the sets that are there."""
        from bleuprint.io.known_sets import KnownSet

        names = os.listdir(self._folder) if is_folder(self._folder) else []
        for name in sorted(names):
            files = list_folder(f"{self._folder}/{name}/sources")
            pairs = frozenset(stem_of(file) for file in files if file.endswith(".txt"))
            if pairs:
                yield KnownSet(name, pairs, pairs)

    def find(self, name: TestsetName) -> FoundTexts | None:
        """Find the texts of a pair."""
        folder = f"{self._folder}/{name.set_name}"
        source, documents = f"{folder}/sources/{name.pair}.txt", f"{folder}/documents/{name.pair}.docs"
        if is_manifest(name.set_name) or not is_file(source):
            return None
        references = {
            file.removeprefix(f"{name.pair}.").removesuffix(".txt"): column_of(path)
            for file, path in list_folder(f"{folder}/references").items()
            if file.startswith(f"{name.pair}.") and file.endswith(".txt")
        }
        if not references:
            return None
        has_documents = is_file(documents)
        return FoundTexts(
            name,
            folder,
            column_of(source),
            references,
            document=(lambda: [document for _, document in _read_documents(documents)]) if has_documents else None,
            domain=(lambda: [domain for domain, _ in _read_documents(documents)]) if has_documents else None,
        )

    def fetch(self, name: TestsetName, tell: Tell | None) -> bool:
        """Leave that to others."""
        return False


def _read_documents(path: str) -> list[tuple[str, str]]:
    rows = []
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.split()
        if len(cells) != 2:
            raise FileError(
                where=f"{path}, line {number}",
                wanted="a domain and a document",
                got=quote(line),
                next_step="mt-metrics-eval has both on every line, with blanks between them.",
            )
        rows.append((cells[0], cells[1]))
    return rows
