"""One manifest: a TOML file that describes a test set of one's own. ``docs/testsets.md`` shows one for every form."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from bleuprint.errors import BleuprintError, FileError, name_list, nearest, quote
from bleuprint.files.kinds import is_file
from bleuprint.testsets.listing import folder_of, manifest_folder, stem_of
from bleuprint.testsets.names import TestsetName, check_set_name, is_name_part

if TYPE_CHECKING:
    from pathlib import Path

    from bleuprint.testsets.downloads import Tell
    from bleuprint.testsets.known_sets import KnownSet
    from bleuprint.testsets.texts import FoundTexts

MANIFEST_KEYS = ("name", "description", "files", "pairs")
FILE_KEYS = ("address", "file", "sha256")
FETCHED = ".fetched"
"""Says which files a folder was filled from; without it, or with others in it, the folder does not count."""
SHA256_DIGITS = 64


class Manifest:
    """One manifest: a set, its files, and where its pairs are in them."""

    def __init__(self, path: str) -> None:
        self.path: str = path
        data = _read_toml(path)
        self._check_keys(data, MANIFEST_KEYS, "the manifest")
        self.name: str = data.get("name", stem_of(path))
        try:
            check_set_name(self.name)
        except BleuprintError as error:
            raise error.reworded(where=f"{path}, name") from None
        self.description: str = data.get("description", "")
        if not isinstance(self.description, str):
            self.refuse("description", "a text", quote(self.description))
        self.files: list[dict[str, str]] = self._entries(data.get("files", []), "files")
        for entry in self.files:
            self._check_file(entry)
        names = [_file_name(entry["address"]) for entry in self.files if "address" in entry]
        if len(set(names)) < len(names) or not all(name.strip(".") for name in names):
            self.refuse("files", "addresses that end in different names of files", quote(names))
        pairs = data.get("pairs")
        if not isinstance(pairs, dict) or not pairs or not all(isinstance(pair, dict) for pair in pairs.values()):
            self.refuse("pairs", "a table for every pair, as [pairs.en-de]", quote(pairs))
        for pair in pairs:
            if not is_name_part(pair):
                self.refuse("pairs", "pairs of languages as en-de, of letters, digits and . _ + -", quote(pair))
        self.pairs: dict[str, dict[str, Any]] = pairs

    @property
    def home(self) -> str:
        """The folder that the names of files in it are relative to."""
        return os.path.join(manifest_folder(), self.name) if self.files else folder_of(self.path)

    @property
    def is_here(self) -> bool:
        """Whether its files are on this machine, and are those that it names."""
        if not self.files:
            return True
        marker = os.path.join(self.home, FETCHED)
        if not is_file(marker):
            return False
        with open(marker, encoding="utf-8") as file:
            return file.read() == self._origin

    @property
    def _origin(self) -> str:
        """What its files came from. One on this machine that has changed since is another one, to be checked again."""
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
        """What a list of sets says of it."""
        from bleuprint.testsets.known_sets import KnownSet

        pairs = frozenset(self.pairs)
        return KnownSet(self.name, pairs, pairs if self.is_here else frozenset(), self.description)

    def find(self, name: TestsetName) -> FoundTexts | None:
        """Find the texts of a pair."""
        if name.pair not in self.pairs or not self.is_here:
            return None
        from bleuprint.testsets.manifest_pairs import read_pair

        found = read_pair(TestsetName(self.name, name.pair), self.pairs[name.pair], self.home, self.path)
        return found._replace(is_own=not any("address" in entry for entry in self.files))

    def fetch(self, tell: Tell | None) -> None:
        """Fetch and unpack its files."""
        from pathlib import Path

        from bleuprint.testsets.archives import is_archive, unpack
        from bleuprint.testsets.downloads import Checksum, fetch_file

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

    def refuse(self, where: str, wanted: str, got: str, suggestion: str | None = None) -> NoReturn:
        """Say what is wrong with it."""
        raise FileError(
            where=f"{self.path}, {where}",
            wanted=wanted,
            got=got,
            suggestion=suggestion,
            next_step="docs/testsets.md shows a manifest for every form.",
        )

    def _check_keys(self, given: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
        for key in given:
            if key not in known:
                self.refuse(where, name_list(known), quote(key), nearest(key, known))

    def _entries(self, value: object, where: str) -> list[dict[str, str]]:
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self.refuse(where, "tables, as [[files]]", quote(value))
        return value

    def _check_file(self, entry: dict[str, str]) -> None:
        self._check_keys(entry, FILE_KEYS, "files")
        if not all(isinstance(value, str) for value in entry.values()) or ("address" in entry) == ("file" in entry):
            self.refuse("files", "an address or a file, as texts", quote(entry))
        if "address" in entry and not _can_be_fetched(entry["address"]):
            example = "an address as https://host/file.txt, in ASCII and without spaces (%20 stands for one)"
            self.refuse("files, address", example, quote(entry["address"]))
        digits = entry.get("sha256", "")
        wanted = "address" in entry or "sha256" in entry
        if wanted and (len(digits) != SHA256_DIGITS or not set(digits.lower()) <= set("0123456789abcdef")):
            self.refuse("files, sha256", f"the {SHA256_DIGITS} hexadecimal digits of its SHA-256", quote(digits))

    def _find_local(self, entry: dict[str, str]) -> Path:
        from pathlib import Path

        from bleuprint.testsets.downloads import Checksum

        path = Path(self._local(entry))
        if not path.is_file():
            self.refuse("files", "a file that is there", str(path))
        if "sha256" in entry and not Checksum("sha256", entry["sha256"]).fits(path):
            self.refuse("files", f"{path} with the SHA-256 {entry['sha256']}", Checksum("sha256", "").of(path))
        return path

    def _local(self, entry: dict[str, str]) -> str:
        return os.path.join(folder_of(self.path), entry["file"])


def _can_be_fetched(address: str) -> bool:
    """Whether an address is well-formed: a scheme that is fetched, a host, perhaps a port."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
        has_host = bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:  # also what IDNA cannot encode
        return False
    is_plain = address.isascii() and address.isprintable() and " " not in address
    return has_host and is_plain and address.startswith(("https://", "http://"))


def _file_name(address: str) -> str:
    """Give the name that a file has at its address; what follows a question mark is no part of it."""
    return address.partition("?")[0].partition("#")[0].rpartition("/")[2]


def _read_toml(path: str) -> dict[str, Any]:
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError, RecursionError) as error:  # tomllib raises them for long numbers and deep lists
        raise FileError(
            where=path,
            wanted="a manifest in TOML",
            got=quote(getattr(error, "strerror", None) or str(error), 200),
            next_step="docs/testsets.md shows a manifest for every form.",
        ) from None
