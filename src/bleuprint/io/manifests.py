"""All manifests: those in their folder, and one that is named by its path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bleuprint.errors import BleuprintError
from bleuprint.io.names import TestsetName, is_manifest
from bleuprint.io.paths import list_folder, manifest_folder, stem_of

if TYPE_CHECKING:
    from bleuprint.io.downloads import Tell
    from bleuprint.io.known_sets import KnownSet
    from bleuprint.io.manifest import Manifest
    from bleuprint.io.texts import FoundTexts

    ManifestFault = tuple[str, BleuprintError]
    """A manifest that cannot be read, and why."""


class Manifests:
    """All manifests: those in their folder, and one that is named by its path."""

    def list_sets(self) -> Iterator[KnownSet]:
        """List the sets that manifests describe, as far as these can be read."""
        for manifest in self._each([]):
            yield manifest.known

    def list_faults(self) -> list[ManifestFault]:
        """List the manifests in their folder that cannot be read, and why."""
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
            from bleuprint.io.manifest import Manifest

            return Manifest(set_name)
        faults: list[ManifestFault] = []
        found = next((manifest for manifest in self._each(faults, set_name) if manifest.name == set_name), None)
        for path, error in faults if found is None else ():
            if stem_of(path) == set_name:  # which is its name, where it gives itself no other
                raise error
        return found

    def _each(self, faults: list[ManifestFault], set_name: str = "") -> Iterator[Manifest]:
        """Read all manifests, or those that may be of one set; one that cannot be read stops none of the others."""
        for path in list_folder(manifest_folder()).values():
            if not is_manifest(path) or not _may_describe(path, set_name):
                continue
            from bleuprint.io.manifest import Manifest

            try:
                manifest = Manifest(path)
            except BleuprintError as error:
                faults.append((path, error))
            else:
                yield manifest


def _may_describe(path: str, set_name: str) -> bool:
    """Whether a manifest can be called so: loading what reads TOML takes longer than scoring on most sets.

    Its file is called so, or it has the name in it, as it is or with escapes.
    """
    if stem_of(path) == set_name:
        return True
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return True  # to be told why
    return set_name.encode() in text or b"\\" in text
