"""Archives of test sets, unpacked so that nothing gets out of its folder, and none grows without end.

Only files and folders are unpacked. Links and devices are left out; a name that leads elsewhere refuses all.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, NoReturn

from bleuprint.errors import FileError, quote
from bleuprint.io.downloads import make_folder, taking_away

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
EXTENDED_HEADERS = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}


def is_archive(name: str) -> bool:
    """Whether a file is unpacked, by its name."""
    return name.lower().endswith(ENDINGS)


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive into a folder: all of it, or nothing."""
    extract = _extract_zip if archive.name.lower().endswith(".zip") else _extract_tar
    with (
        taking_away(make_folder(folder)),
        tempfile.TemporaryDirectory(dir=folder, prefix=".unpacking-") as staging,
        _refusing_damage(archive),
    ):
        extract(archive, staging, _Limits(archive))
        _move(Path(staging), folder)


class _Limits:
    """What an archive may still contain."""

    def __init__(self, archive: Path) -> None:
        self._archive, self._files, self._header_work = archive, 0, 0
        self._most = self._left = max(LEAST_ROOM, MOST_TIMES * archive.stat().st_size)

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            _refuse(self._archive, f"at most {self._most:,} bytes in an archive of its size", "more")

    def count_member(self) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            _refuse(self._archive, f"at most {MOST_FILES:,} files and folders", "more")

    def take_file(self, name: str, size: int) -> None:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or set(name) & {"\\", ":", "\0"}:
            _refuse(self._archive, "names of files inside its folder", quote(name))
        if len(path.parts) > DEEPEST_FOLDER:
            _refuse(self._archive, f"at most {DEEPEST_FOLDER} folders inside each other", quote(name))
        self.take(size)

    def take_header(self, size: int) -> None:
        """Count an extended header by its square: Python before 3.11.10 needs quadratic time to read it."""
        if size > LONGEST_HEADER:
            _refuse(self._archive, f"extended headers of at most {LONGEST_HEADER:,} bytes", f"one of {size:,}")
        self._header_work += size * size
        if self._header_work > LONG_HEADER * self._most:
            _refuse(self._archive, "fewer and shorter extended headers in an archive of its size", "more")


class _Counted:
    """The decompressed bytes of a tar file, counted. Files are counted again as they are extracted, as one with holes
    is longer than what the archive has of it.
    """

    def __init__(self, unpacked: IO[bytes], limits: _Limits) -> None:
        self._unpacked, self._limits = unpacked, limits

    def read(self, size: int) -> bytes:
        block = self._unpacked.read(size)
        self._limits.take(len(block))
        return block


class _ZipSource(io.BufferedReader):
    """A zip file. Python reads its list of files at once, and nothing else is as long."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LONGEST_LIST:
            raise zipfile.BadZipFile(f"a list of files of {size:,} bytes, where at most {LONGEST_LIST:,} are read")
        return super().read(size)


def _extract_zip(archive: Path, folder: str, limits: _Limits) -> None:
    with _ZipSource(archive.open("rb", buffering=0)) as raw, zipfile.ZipFile(raw) as packed:
        for member in packed.infolist():
            limits.count_member()
            is_file = stat.S_IFMT(member.external_attr >> 16) in (0, stat.S_IFREG)  # 0: made where there are no modes
            if is_file and not member.is_dir():
                limits.take_file(member.filename, member.file_size)
                packed.extract(member, folder)


def _extract_tar(archive: Path, folder: str, limits: _Limits) -> None:
    class CountedHeader(tarfile.TarInfo):
        def _proc_member(self, packed: tarfile.TarFile) -> tarfile.TarInfo:
            if self.type in EXTENDED_HEADERS:
                limits.take_header(self.size)
            return super()._proc_member(packed)  # type: ignore[misc,no-any-return]

    if not hasattr(tarfile, "data_filter"):
        _refuse(archive, "Python 3.11.4 or newer, which extracts archives safely", sys.version.partition(" ")[0])
    with archive.open("rb") as raw:
        beginning = raw.read(6)
        raw.seek(0)
        opener = next((opener for mark, opener in _OPENERS.items() if beginning.startswith(mark)), None)
        unpacked: IO[bytes] = opener(raw) if opener else raw  # type: ignore[operator]
        # As a stream: what is skipped is read, and counted, too.
        with tarfile.open(  # type: ignore[call-overload]
            fileobj=_Counted(unpacked, limits), mode="r|", tarinfo=CountedHeader
        ) as packed:
            for member in packed:
                limits.count_member()
                if member.isreg():
                    limits.take_file(member.name, _extracted_size(member))
                    packed.extract(member, folder, set_attrs=False, filter="data")


def _extracted_size(member: tarfile.TarInfo) -> int:
    """Return how long a file becomes while it is extracted. What a file with holes says of its size may be wrong."""
    pieces: Iterable[tuple[int, int]] = member.sparse or ()  # type: ignore[assignment]
    return max(abs(member.size), *(start + length for start, length in pieces), 0)


def _move(staging: Path, folder: Path) -> None:
    """Put the files in their places, each in one step."""
    for file in sorted(staging.rglob("*")):
        target = folder / file.relative_to(staging)
        if file.is_dir():
            target.mkdir(exist_ok=True)
        else:
            file.replace(target)


@contextmanager
def _refusing_damage(archive: Path) -> Iterator[None]:
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
