"""Who has test sets: manifests of one's own, folders that are there already, and the installed sacreBLEU.

Each is asked in turn for what is on this machine; only then one that knows an address fetches it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bleuprint.errors import FileError, nearest, quote
from bleuprint.io.lines import read_lines
from bleuprint.io.manifest import Manifest, Manifests
from bleuprint.io.paths import find_folder, is_file, is_folder, list_folder, stem_of
from bleuprint.io.sacrebleu_sets import SacrebleuSets
from bleuprint.io.testset import FoundTexts, KnownSet, TestsetName, column_of, is_manifest
from bleuprint.wording import join_words

if TYPE_CHECKING:
    from typing import Protocol

    from bleuprint.io.downloads import Tell

    class Provider(Protocol):
        """Something that has test sets, or knows where they are."""

        def list_sets(self) -> Iterator[KnownSet]:
            """List the sets that it has or knows."""

        def find(self, name: TestsetName) -> FoundTexts | None:
            """Find the texts on this machine."""

        def fetch(self, name: TestsetName, tell: Tell | None) -> bool:
            """Fetch what is not here; False if it does not know how."""


def each_provider() -> Iterator[Provider]:
    """Return them in the order in which they are asked."""
    yield Manifests()
    yield SacrebleuSets()
    yield MetricsFolder()


def find_texts(name: TestsetName, tell: Tell | None = None, providers: Sequence[Provider] | None = None) -> FoundTexts:
    """Find a test set on this machine, or fetch it; providers that are asked several times remember what they did."""
    found = find_here(name, providers)
    if found is not None:
        return found
    providers = providers or list(each_provider())
    if any(provider.fetch(name, tell) for provider in providers):
        found = find_here(name, providers)
    return found or _refuse_unknown(name, providers)


def find_here(name: TestsetName, providers: Iterable[Provider] | None = None) -> FoundTexts | None:
    """Find a test set on this machine; nothing is fetched."""
    asked = (provider.find(name) for provider in providers or each_provider())
    return next((found for found in asked if found is not None), None)


def list_sets() -> dict[str, KnownSet]:
    """List every set there is, or that could be fetched, with the pairs that all providers together have."""
    known: dict[str, KnownSet] = {}
    for provider in each_provider():
        for own in provider.list_sets():
            known[own.name] = known[own.name].joined(own) if own.name in known else own
    return dict(sorted(known.items()))


def _refuse_unknown(name: TestsetName, providers: Sequence[Provider]) -> FoundTexts:
    known = list_sets()
    if is_manifest(name.set_name):
        known[name.set_name] = Manifest(name.set_name).known
    if name.set_name in known:
        pairs = sorted(known[name.set_name].pairs)
        raise FileError(
            where=f"test set {name}",
            wanted=f"one of its pairs {', '.join(pairs)}",
            got=f"{name.pair!r}",
            suggestion=nearest(name.pair, pairs),
            next_step=f"`bleuprint testsets {name.set_name}` lists them.",
        )
    raise FileError(
        where=f"test set {name}",
        wanted="the name of a test set",
        got=f"{name.set_name!r}",
        suggestion=nearest(name.set_name, known),
        next_step="; ".join(_hints(providers)),
    )


def _hints(providers: Sequence[Provider]) -> Iterator[str]:
    yield "`bleuprint testsets` lists those that are known here"
    if not any(isinstance(provider, SacrebleuSets) and provider.is_installed for provider in providers):
        yield 'sacreBLEU lists more: pip install "bleuprint[testsets]"'
    broken = [path for one in providers if isinstance(one, Manifests) for path, _ in one.list_faults()]
    if broken:
        yield f"{join_words(broken)} cannot be read, and may have it"
    yield "a manifest describes one of your own."


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
