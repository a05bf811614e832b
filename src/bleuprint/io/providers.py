"""The providers of test sets: manifests, folders on this machine, and the installed sacreBLEU.

Each is searched in turn for a set on this machine. Only then the first that can fetch the set does so.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bleuprint.errors import BleuprintError, FileError, quote, unknown_name
from bleuprint.io.lines import read_lines
from bleuprint.io.manifest import Manifest, Manifests
from bleuprint.io.paths import find_folder, is_file, is_folder, list_folder, stem_of
from bleuprint.io.sacrebleu_sets import SacrebleuSets
from bleuprint.io.testset import FoundTexts, KnownSet, ReadColumn, TestsetName, column_of, is_manifest
from bleuprint.wording import join_words

if TYPE_CHECKING:
    from typing import Protocol

    from bleuprint.io.downloads import Tell

    class Provider(Protocol):
        """A source of test sets."""

        def list_sets(self) -> Iterator[KnownSet]:
            """List the sets that it has or could fetch."""

        def find(self, name: TestsetName) -> FoundTexts | None:
            """Find the texts on this machine."""

        def fetch(self, name: TestsetName, tell: Tell | None) -> bool:
            """Fetch a set; False if it cannot."""


def each_provider() -> Iterator[Provider]:
    """Return the providers in the order in which they are searched."""
    yield Manifests()
    yield SacrebleuSets()
    yield MetricsFolder()


def find_texts(name: TestsetName, tell: Tell | None = None, providers: Sequence[Provider] | None = None) -> FoundTexts:
    """Find a test set on this machine, or fetch it."""
    found = find_here(name, providers)
    if found is not None:
        return found
    providers = providers or list(each_provider())
    if any(provider.fetch(name, tell) for provider in providers):
        found = find_here(name, providers)
    if found is None:
        raise _unknown_set(name, providers)
    return found


def find_here(name: TestsetName, providers: Iterable[Provider] | None = None) -> FoundTexts | None:
    """Find a test set on this machine; nothing is fetched."""
    return next(filter(None, (provider.find(name) for provider in providers or each_provider())), None)


def list_sets() -> dict[str, KnownSet]:
    """List every set there is, or that could be fetched, with the pairs that all providers together have."""
    known: dict[str, KnownSet] = {}
    for provider in each_provider():
        for own in provider.list_sets():
            known[own.name] = known[own.name].joined(own) if own.name in known else own
    return dict(sorted(known.items()))


def _unknown_set(name: TestsetName, providers: Sequence[Provider]) -> BleuprintError:
    known = list_sets()
    if is_manifest(name.set_name):
        known[name.set_name] = Manifest(name.set_name).known
    if name.set_name in known:
        pairs = sorted(known[name.set_name].pairs)
        return unknown_name(
            f"pair of {name.set_name}", name.pair, pairs, f"Its pairs are {', '.join(pairs)}.", error=FileError
        )
    return unknown_name("test set", name.set_name, known, "; ".join(_hints(providers)), error=FileError)


def _hints(providers: Sequence[Provider]) -> Iterator[str]:
    yield "`bleuprint testsets` lists the known ones"
    if not any(isinstance(provider, SacrebleuSets) and provider.is_installed for provider in providers):
        yield 'sacreBLEU lists more: pip install "bleuprint[testsets]"'
    broken = [path for one in providers if isinstance(one, Manifests) for path, _ in one.list_faults()]
    if broken:
        yield f"{join_words(broken)} cannot be read, and may have it"
    yield "a manifest describes your own."


class MetricsFolder:
    """mt-metrics-eval's data: ``wmt22/sources/en-de.txt``, ``references/en-de.refA.txt``, ``documents/en-de.docs``."""

    def __init__(self) -> None:
        self._folder = find_folder("MT_METRICS_EVAL", ".mt-metrics-eval/mt-metrics-eval-v2")

    def list_sets(self) -> Iterator[KnownSet]:
        """List the sets that are there."""
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
        columns: dict[str, ReadColumn | None] = {"source": column_of(source)}
        if is_file(documents):
            columns |= {
                "document": lambda: [document for _, document in _read_documents(documents)],
                "domain": lambda: [domain for domain, _ in _read_documents(documents)],
            }
        return FoundTexts(name, folder, references, columns)

    def fetch(self, name: TestsetName, tell: Tell | None) -> bool:
        """Return False: this folder is downloaded by mt-metrics-eval."""
        return False


def _read_documents(path: str) -> list[tuple[str, str]]:
    rows = []
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.split()
        if len(cells) != 2:
            fix = "mt-metrics-eval has both on every line, with blanks between them."
            message = f"expected a domain and a document, got {quote(line)}."
            raise FileError(message, fix, where=f"{path}, line {number}")
        rows.append((cells[0], cells[1]))
    return rows
