"""Archives of test sets, unpacked so that nothing gets out of its folder, and none grows without end.

Only files and folders are unpacked. Links and devices are left out; a name that leads elsewhere refuses all.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, NoReturn

from bleuprint.errors import FileError, quote
from bleuprint.files.lines import BLOCK
from bleuprint.testsets.listing import make_folder, taking_away

ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
MOST_TIMES = 200
"""An archive of texts unpacks to some ten times its size; so many times is none of texts."""
LEAST_ROOM = 16 << 20
"""So many bytes may come out of the smallest."""
MOST_FILES = 200_000
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}


def is_archive(name: str) -> bool:
    """Whether a file is unpacked, by its name."""
    return name.lower().endswith(ENDINGS)


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive into a folder: all of it, or nothing."""
    with (
        taking_away(make_folder(str(folder))),
        tempfile.TemporaryDirectory(dir=folder, prefix=".unpacking-") as staging,
        _reading(archive),
    ):
        room = _Room(archive)
        for name, stream in _each_file(archive):
            room.count_file()
            target = Path(staging).joinpath(*_safe_parts(name, archive))
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                while block := stream.read(BLOCK):
                    room.take(len(block))
                    file.write(block)
        _move(Path(staging), folder)


class _Room:
    """How much may still come out of an archive."""

    def __init__(self, archive: Path) -> None:
        self._archive, self._files = archive, 0
        self._most = self._left = max(LEAST_ROOM, MOST_TIMES * archive.stat().st_size)

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            _refuse(self._archive, f"at most {self._most:,} bytes in an archive of its size", "more")

    def count_file(self) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            _refuse(self._archive, f"at most {MOST_FILES:,} files", "more")


class _Counted:
    """What a compressed file unpacks to; what is skipped of it takes room, too. Files are counted again as they are
    written, as one with holes is longer than what stands for it.
    """

    def __init__(self, unpacked: IO[bytes], room: _Room) -> None:
        self._unpacked, self._room = unpacked, room

    def read(self, size: int) -> bytes:
        block = self._unpacked.read(size)
        self._room.take(len(block))
        return block


def _each_file(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    if archive.name.lower().endswith(".zip"):
        yield from _each_zipped(archive)
    else:
        yield from _each_tarred(archive)


def _each_zipped(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(archive) as packed:
        for member in packed.infolist():
            is_file = stat.S_IFMT(member.external_attr >> 16) in (0, stat.S_IFREG)  # 0: made where there are no modes
            if is_file and not member.is_dir():
                with packed.open(member) as stream:
                    yield member.filename, stream


def _each_tarred(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with archive.open("rb") as raw:
        beginning = raw.read(6)
        raw.seek(0)
        opener = next((opener for mark, opener in _OPENERS.items() if beginning.startswith(mark)), None)
        unpacked: IO[bytes] = opener(raw) if opener else raw  # type: ignore[operator]
        # As a stream: what is skipped is read, and counted, too.
        with tarfile.open(fileobj=_Counted(unpacked, _Room(archive)), mode="r|") as packed:  # type: ignore[call-overload]
            for member in packed:
                stream = packed.extractfile(member) if member.isreg() else None
                if stream is not None:
                    with stream:
                        yield member.name, stream


def _safe_parts(name: str, archive: Path) -> tuple[str, ...]:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or set(name) & {"\\", ":", "\0"}:
        _refuse(archive, "names of files inside its folder", quote(name))
    return path.parts


def _move(staging: Path, folder: Path) -> None:
    """Put the files in their places, each in one step."""
    for file in sorted(staging.rglob("*")):
        target = folder / file.relative_to(staging)
        if file.is_dir():
            target.mkdir(exist_ok=True)
        else:
            file.replace(target)


@contextmanager
def _reading(archive: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError,
            NotImplementedError) as error:  # fmt: skip
        _refuse(archive, "an archive that can be unpacked", quote(str(error) or type(error).__name__, 200))


def _refuse(archive: Path, wanted: str, got: str) -> NoReturn:
    raise FileError(
        where=str(archive),
        wanted=wanted,
        got=got,
        next_step="Nothing of it was kept. Remove it to fetch it again; if that is what there is, it is no test set.",
    )
