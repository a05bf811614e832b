"""Manifests: TOML files that describe the user's test sets. ``docs/testsets.md`` shows one for every form."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.errors import BleuprintError, FileError, nearest, quote
from bleuprint.io.paths import find_folder, folder_of, is_file, list_folder, stem_of
from bleuprint.io.testset import FoundTexts, KnownSet, TestsetName, check_set_name, is_manifest, is_name_part

if TYPE_CHECKING:
    from pathlib import Path

    from bleuprint.io.downloads import Tell

MANIFEST_KEYS = ("name", "description", "files", "pairs")
FILE_KEYS = ("address", "file", "sha256")
FETCHED = ".fetched"
"""Names the files that a folder was filled from; without it, or with other ones, the folder is ignored."""
SHA256_DIGITS = 64


ManifestFault = tuple[str, BleuprintError]
"""A manifest that cannot be read, and the error."""


def manifest_folder() -> str:
    """Return the folder with manifests and the files that were fetched for them."""
    return find_folder("BLEUPRINT_TESTSETS", ".bleuprint/testsets")


def manifest_error(where: str, message: str, suggestion: str | None = None) -> FileError:
    """Return an error about a part of a manifest."""
    return FileError(message, "docs/testsets.md shows a manifest for every form.", where=where, suggestion=suggestion)


def check_keys(where: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raise an error about an unknown key of a table."""
    for key in given:
        if key not in known:
            raise manifest_error(where, f"expected {', '.join(known)}, got {quote(key)}.", nearest(key, known))


class Manifest:
    """One manifest: a set, its files, and where its pairs are in them."""

    def __init__(self, path: str) -> None:
        self.path: str = path
        data = _read_toml(path)
        check_keys(path, data, MANIFEST_KEYS)
        self.name: str = data.get("name", stem_of(path))
        try:
            check_set_name(self.name)
        except BleuprintError as error:
            raise error.reworded(where=f"{path}, name") from None
        self.description: str = data.get("description", "")
        if not isinstance(self.description, str):
            raise self._error("description", "a text", self.description)
        self.files: list[dict[str, str]] = data.get("files", [])
        if not isinstance(self.files, list) or not all(isinstance(entry, dict) for entry in self.files):
            raise self._error("files", "tables, as [[files]]", self.files)
        for entry in self.files:
            self._check_file(entry)
        names = [_file_name(entry["address"]) for entry in self.files if "address" in entry]
        if len(set(names)) < len(names) or not all(name.strip(".") for name in names):
            raise self._error("files", "addresses that end in different names of files", names)
        self.pairs: dict[str, dict[str, Any]] = data.get("pairs", {})
        if (
            not isinstance(self.pairs, dict) or not self.pairs
            or not all(is_name_part(name) and isinstance(pair, dict) for name, pair in self.pairs.items())
        ):  # fmt: skip
            raise self._error(
                "pairs", "a table for every pair, as [pairs.en-de], of letters, digits and . _ + -", self.pairs
            )

    @property
    def home(self) -> str:
        """The folder of its files."""
        return os.path.join(manifest_folder(), self.name) if self.files else folder_of(self.path)

    @property
    def is_here(self) -> bool:
        """Whether its files are on this machine."""
        if not self.files:
            return True
        marker = os.path.join(self.home, FETCHED)
        if not is_file(marker):
            return False
        with open(marker, encoding="utf-8") as file:
            return file.read() == self._origin

    @property
    def _origin(self) -> str:
        """The origin of its files; a local file that changed is fetched again."""
        return "".join(
            f"{entry.get('sha256', '')} {entry.get('address') or self._describe_local(entry)}\n" for entry in self.files
        )

    def _describe_local(self, entry: dict[str, str]) -> str:
        path = os.path.realpath(self._local(entry))
        if not is_file(path):
            return f"{path}, missing"
        state = os.stat(path)
        return f"{path}, {state.st_size} bytes, {state.st_mtime_ns}, {state.st_ctime_ns}"

    @property
    def known(self) -> KnownSet:
        """Its entry in a list of sets."""
        pairs = frozenset(self.pairs)
        return KnownSet(self.name, pairs, pairs if self.is_here else frozenset(), self.description)

    def find(self, name: TestsetName) -> FoundTexts | None:
        """Find the texts of a pair."""
        if name.pair not in self.pairs or not self.is_here:
            return None
        from bleuprint.io.manifest_pairs import read_pair

        found = read_pair(TestsetName(self.name, name.pair), self.pairs[name.pair], self.home, self.path)
        return found._replace(is_own=not any("address" in entry for entry in self.files))

    def fetch(self, tell: Tell | None) -> None:
        """Fetch and unpack its files."""
        from pathlib import Path

        from bleuprint.io.archives import is_archive, unpack
        from bleuprint.io.downloads import Checksum, fetch_file

        home = Path(self.home)
        (home / FETCHED).unlink(missing_ok=True)
        for entry in self.files:
            if "address" in entry:
                target = home / _file_name(entry["address"])
                fetch_file(entry["address"], target, Checksum("sha256", entry["sha256"]), tell)
            else:
                target = self._find_local(entry)
            if is_archive(target.name):
                unpack(target, home)
        home.mkdir(parents=True, exist_ok=True)
        (home / FETCHED).write_text(self._origin, encoding="utf-8")

    def _error(self, where: str, expected: str, got: object) -> FileError:
        return manifest_error(f"{self.path}, {where}", f"expected {expected}, got {quote(got)}.")

    def _check_file(self, entry: dict[str, str]) -> None:
        check_keys(f"{self.path}, files", entry, FILE_KEYS)
        if not all(isinstance(value, str) for value in entry.values()) or ("address" in entry) == ("file" in entry):
            raise self._error("files", "an address or a file, as texts", entry)
        if "address" in entry and not _can_be_fetched(entry["address"]):
            example = "an address as https://host/file.txt, in ASCII and without spaces (%20 stands for one)"
            raise self._error("files, address", example, entry["address"])
        digits = entry.get("sha256", "")
        has_digits = len(digits) == SHA256_DIGITS and set(digits.lower()) <= set("0123456789abcdef")
        if entry.keys() & {"address", "sha256"} and not has_digits:
            raise self._error("files, sha256", f"the {SHA256_DIGITS} hexadecimal digits of its SHA-256", digits)

    def _find_local(self, entry: dict[str, str]) -> Path:
        from pathlib import Path

        from bleuprint.io.downloads import Checksum

        path = Path(self._local(entry))
        if not path.is_file():
            raise manifest_error(f"{self.path}, files", f"No such file: {path}.")
        checksum = Checksum("sha256", entry.get("sha256", ""))
        if checksum.digits and not checksum.fits(path):
            raise self._error("files", f"{path} with the SHA-256 {checksum.digits}", checksum.of(path))
        return path

    def _local(self, entry: dict[str, str]) -> str:
        return os.path.join(folder_of(self.path), entry["file"])


def _can_be_fetched(address: str) -> bool:
    """Whether an address has a scheme that is fetched, a host, and perhaps a port."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
        has_host = bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:  # also what IDNA cannot encode
        return False
    is_plain = address.isascii() and address.isprintable() and " " not in address
    return has_host and is_plain and address.startswith(("https://", "http://"))


def _file_name(address: str) -> str:
    """Return the name of a file at its address, without a query."""
    return address.partition("?")[0].partition("#")[0].rpartition("/")[2]


def _read_toml(path: str) -> dict[str, Any]:
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError, RecursionError) as error:  # tomllib raises them for long numbers and deep lists
        reason = quote(getattr(error, "strerror", None) or str(error), 200)
        raise manifest_error(path, f"expected a manifest in TOML, got {reason}.") from None


class Manifests:
    """All manifests: those in their folder, and one given by its path."""

    def list_sets(self) -> Iterator[KnownSet]:
        """List the sets of the manifests that can be read."""
        for manifest in self._each([]):
            yield manifest.known

    def list_faults(self) -> list[ManifestFault]:
        """List the manifests in their folder that cannot be read, with their errors."""
        faults: list[ManifestFault] = []
        for _ in self._each(faults):
            pass
        return faults

    def find(self, name: TestsetName) -> FoundTexts | None:
        """Find the texts of a pair."""
        manifest = self._open(name.set_name)
        return manifest.find(name) if manifest else None

    def fetch(self, name: TestsetName, tell: Tell | None) -> bool:
        """Fetch what a manifest names."""
        manifest = self._open(name.set_name)
        if manifest is None or name.pair not in manifest.pairs:
            return False
        manifest.fetch(tell)
        return True

    def _open(self, set_name: str) -> Manifest | None:
        if is_manifest(set_name):
            return Manifest(set_name)
        faults: list[ManifestFault] = []
        found = next((manifest for manifest in self._each(faults, set_name) if manifest.name == set_name), None)
        for path, error in faults if found is None else ():
            if stem_of(path) == set_name:  # the name of a manifest without another one
                raise error
        return found

    def _each(self, faults: list[ManifestFault], set_name: str = "") -> Iterator[Manifest]:
        """Read all manifests, or those that may be of one set, and collect the faults."""
        for path in list_folder(manifest_folder()).values():
            if not is_manifest(path) or not _may_describe(path, set_name):
                continue
            try:
                manifest = Manifest(path)
            except BleuprintError as error:
                faults.append((path, error))
            else:
                yield manifest


def _may_describe(path: str, set_name: str) -> bool:
    """Whether a manifest can have a name: by its file name, or in its text, where it may have escapes.

    This avoids loading the parser of TOML, which takes longer than scoring.
    """
    if stem_of(path) == set_name:
        return True
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return True  # reading it raises the error
    return set_name.encode() in text or b"\\" in text
