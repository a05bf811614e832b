"""Archives of test sets, unpacked so that nothing gets out of its folder, and none grows without end.

Only files and folders are unpacked. Links and devices are left out; a name that leads elsewhere refuses all.
"""

from __future__ import annotations

import bz2
import gzip
import io
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
DEEPEST_FOLDER = 50
LONGEST_HEADER = 1 << 16
"""Bytes of an extended header of a tar file: names, mostly."""
LONG_HEADER = 64
"""Bytes. A header that is N times as long counts N times as much for each byte."""
LONGEST_LIST = 1 << 25
"""Bytes of the list of all files in a zip file. In memory it becomes twenty times as long."""
_PAX_HEADERS = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_GNU_HEADERS = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
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
        self._archive, self._files, self._header_work = archive, 0, 0
        self._most = self._left = max(LEAST_ROOM, MOST_TIMES * archive.stat().st_size)

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            _refuse(self._archive, f"at most {self._most:,} bytes in an archive of its size", "more")

    def count_file(self) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            _refuse(self._archive, f"at most {MOST_FILES:,} files and folders", "more")

    def take_header(self, size: int) -> None:
        """Count an extended header by its square: Python before 3.11.10 needs quadratic time to read it."""
        if size > LONGEST_HEADER:
            _refuse(self._archive, f"extended headers of at most {LONGEST_HEADER:,} bytes", f"one of {size:,}")
        self._header_work += size * size
        if self._header_work > LONG_HEADER * self._most:
            _refuse(self._archive, "fewer and shorter extended headers in an archive of its size", "more")


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


class _ZipSource(io.BufferedReader):
    """A zip file. Its list of files is read at once, and nothing else is as long."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LONGEST_LIST:
            raise zipfile.BadZipFile(f"a list of files of {size:,} bytes, where at most {LONGEST_LIST:,} are read")
        return super().read(size)


def _header_type(room: _Room) -> type[tarfile.TarInfo]:
    """Make the class of headers that are counted before they are read."""

    class CountedHeader(tarfile.TarInfo):
        def _proc_member(self, packed: tarfile.TarFile) -> tarfile.TarInfo:
            if self.type in _PAX_HEADERS + _GNU_HEADERS:
                room.take_header(self.size)
            return super()._proc_member(packed)  # type: ignore[misc,no-any-return]

    return CountedHeader


def _each_file(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    each = _each_zipped if archive.name.lower().endswith(".zip") else _each_tarred
    yield from each(archive, _Room(archive))


def _each_zipped(archive: Path, room: _Room) -> Iterator[tuple[str, IO[bytes]]]:
    with _ZipSource(archive.open("rb", buffering=0)) as raw, zipfile.ZipFile(raw) as packed:
        for member in packed.infolist():
            room.count_file()
            is_file = stat.S_IFMT(member.external_attr >> 16) in (0, stat.S_IFREG)  # 0: made where there are no modes
            if is_file and not member.is_dir():
                with packed.open(member) as stream:
                    yield member.filename, stream


def _each_tarred(archive: Path, room: _Room) -> Iterator[tuple[str, IO[bytes]]]:
    with archive.open("rb") as raw:
        beginning = raw.read(6)
        raw.seek(0)
        opener = next((opener for mark, opener in _OPENERS.items() if beginning.startswith(mark)), None)
        unpacked: IO[bytes] = opener(raw) if opener else raw  # type: ignore[operator]
        # As a stream: what is skipped is read, and counted, too.
        with tarfile.open(  # type: ignore[call-overload]
            fileobj=_Counted(unpacked, room), mode="r|", tarinfo=_header_type(room)
        ) as packed:
            for member in packed:
                room.count_file()
                stream = packed.extractfile(member) if member.isreg() else None
                if stream is not None:
                    with stream:
                        yield member.name, stream


def _safe_parts(name: str, archive: Path) -> tuple[str, ...]:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or set(name) & {"\\", ":", "\0"}:
        _refuse(archive, "names of files inside its folder", quote(name))
    if len(path.parts) > DEEPEST_FOLDER:
        _refuse(archive, f"at most {DEEPEST_FOLDER} folders inside each other", quote(name))
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
    except FileError:
        raise
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError,
            NotImplementedError, ValueError) as error:  # fmt: skip
        _refuse(archive, "an archive that can be unpacked", quote(str(error) or type(error).__name__, 200))


def _refuse(archive: Path, wanted: str, got: str) -> NoReturn:
    raise FileError(
        where=str(archive),
        wanted=wanted,
        got=got,
        next_step="Nothing of it was kept. Remove it to fetch it again; if that is what there is, it is no test set.",
    )
