"""sacreBLEU's test sets: the texts in its folder, and those that the installed sacreBLEU lists.

Its list has addresses, checksums, and code that makes texts of raw files. Files go where sacreBLEU looks for them, so
that both tools share them. Texts are made in a temporary folder, and moved when they are complete.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from bleuprint.errors import FileError, MissingPackageError, quote
from bleuprint.io.paths import find_folder, folder_of, is_file, list_folder
from bleuprint.io.testset import FoundTexts, KnownSet, TestsetName, column_of, is_manifest

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from pathlib import Path

    from bleuprint.io.downloads import Tell

RAW = "raw"
"""sacreBLEU's name for the folder with what was fetched, inside that of a set"""


def find_package(name: str) -> ModuleSpec | None:
    """Find a package without importing it."""
    from importlib.util import find_spec  # which a set that is here already can do without

    return find_spec(name)


def _read_note(path: str) -> list[str]:
    """Read the state of the list that a note is from, and the usual translators; nothing if the note is incomplete."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError):
        return []
    return text[:-1].split("\t") if text.endswith("\n") else []


class SacrebleuSets:
    """The sets in sacreBLEU's folder and in its list, which is imported when it is needed.

    The folder has ``wmt22/wmt22.en-de.src``, with ``ref``, ``docid`` and the like beside it, a text per line.
    """

    def __init__(self) -> None:
        self._folder: str = find_folder("SACREBLEU", ".sacrebleu")
        self._unpacked: set[Path] = set()

    @cached_property
    def is_installed(self) -> bool:
        """Whether sacreBLEU is installed."""
        return self._state is not None

    @cached_property
    def _state(self) -> str | None:
        """A string that changes with the list, found without importing it; None without sacreBLEU."""
        found = find_package("sacrebleu")
        if found is None or found.origin is None:
            return None
        file = os.path.join(folder_of(found.origin), "dataset", "__init__.py")
        if not is_file(file):  # a release from before there were kinds of sets
            return None
        state = os.stat(file)
        return f"{file} {state.st_size} {state.st_mtime_ns}"

    @cached_property
    def _datasets(self) -> Mapping[str, Any]:
        if not self.is_installed:
            return {}
        try:
            from sacrebleu.dataset import DATASETS
        except ImportError as error:
            raise MissingPackageError(
                f"sacreBLEU cannot be imported: {quote(str(error), 200)}.",
                'Reinstall it: pip install "bleuprint[testsets]".',
            ) from None
        return cast("Mapping[str, Any]", DATASETS)

    def list_sets(self) -> Iterator[KnownSet]:
        """List the sets whose texts are there, and those of the list."""
        pairs: defaultdict[str, set[str]] = defaultdict(set)
        for folder, inside, files in os.walk(self._folder):
            inside[:] = [name for name in inside if name != RAW]
            set_name = os.path.relpath(folder, self._folder).replace(os.sep, "/")
            beginning, end = f"{set_name.replace('/', '_')}.", ".src"
            for file in files:
                if file.startswith(beginning) and file.endswith(end):
                    pairs[set_name].add(file.removeprefix(beginning).removesuffix(end))
        for set_name, own in pairs.items():
            yield KnownSet(set_name, frozenset(own), frozenset(own))
        for name, dataset in self._datasets.items():
            description = " ".join((dataset.description or "").split())
            yield KnownSet(name, frozenset(dataset.langpairs), description=description)

    def find(self, name: TestsetName) -> FoundTexts | None:
        """Find the texts of a pair that has references."""
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
            field.removeprefix("ref").lstrip("-:"): column_of(file)
            for field, file in files.items()
            if field == "ref" or field.startswith(("ref-", "ref:"))
        }
        if not references or "src" not in files:
            return None
        fields = {"source": "src", "document": "docid", "origin": "origlang", "domain": "domain"}
        if "domain" not in files:
            fields["domain"] = "genre"
        columns = {label: column_of(files[field]) for label, field in fields.items() if field in files}
        return FoundTexts(name, folder, references, columns, self._choose(name, references))

    def _choose(self, name: TestsetName, references: Mapping[str, object]) -> tuple[str, ...] | None:
        """Choose by the names of the files, or else by sacreBLEU's list, which is slow to import."""
        if len(references) == 1 or all(one.isdigit() for one in references):
            return tuple(references)
        usual = self._usual_references(name)
        return usual if usual and set(usual) <= set(references) else None

    def _usual_references(self, name: TestsetName) -> tuple[str, ...] | None:
        """Return the default translators, None if the list has no default.

        Importing sacreBLEU takes longer than scoring, so the answer is cached with the texts until the list changes.
        """
        note = os.path.join(self._folder, name.set_name, f".usual-references.{name.pair}")
        kept = _read_note(note)
        if kept[:1] == [self._state]:
            return tuple(kept[1:])
        usual = self._ask_usual_references(name)
        if usual is not None:
            # The folder may not be writable.
            with suppress(OSError), open(note, "w", encoding="utf-8") as file:
                file.write("\t".join([str(self._state), *usual]) + "\n")
        return usual

    def _ask_usual_references(self, name: TestsetName) -> tuple[str, ...] | None:
        dataset = self._datasets.get(name.set_name)
        if dataset is None or name.pair not in dataset.langpairs:
            return None
        pair = dataset.langpairs[name.pair]
        chosen = pair.get("refs") if isinstance(pair, dict) else None
        usual = dataset.kwargs.get("refs") if chosen is None else chosen
        return None if usual is None else tuple(usual)

    def fetch(self, name: TestsetName, tell: Tell | None) -> bool:
        """Fetch and unpack the files of a set, and let sacreBLEU make texts of a pair."""
        from pathlib import Path

        from bleuprint.io.archives import is_archive, unpack
        from bleuprint.io.downloads import Checksum, fetch_file

        dataset = self._datasets.get(name.set_name)
        if dataset is None or name.pair not in dataset.langpairs:
            return False
        folder = Path(self._folder, name.set_name)
        checksums = dataset.md5 or [None] * len(dataset.data)
        for address, digits in zip(dataset.data, checksums, strict=True):
            if digits is None:
                message = f"sacreBLEU's list has no checksum for {address}."
                raise FileError(message, "Describe the set in a manifest.", where=f"test set {name}")
            target = folder / RAW / f"{name.set_name.replace('/', '_')}.{address.rpartition('/')[2]}"
            fetch_file(address, target, Checksum("md5", digits), tell)
            if is_archive(target.name) and target not in self._unpacked:
                unpack(target, target.parent)
                self._unpacked.add(target)
        _make_texts(dataset, name, folder)
        return True


def _make_texts(dataset: Any, name: TestsetName, folder: Path) -> None:
    import copy
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(dir=folder, prefix=".texts-") as staging:
        own = copy.copy(dataset)
        own._outdir, own._rawdir = staging, str(folder / RAW)
        try:
            own.process_to_text(name.pair)
        except Exception as error:  # whatever sacreBLEU may raise on files that are not what it expects
            message = f"sacreBLEU cannot read the files: {quote(str(error), 200)}."
            raise FileError(message, f"Remove {folder} to fetch them again.", where=f"test set {name}") from error
        for file in sorted(Path(staging).iterdir()):
            file.replace(folder / file.name)
