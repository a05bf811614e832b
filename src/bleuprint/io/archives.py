"""Archives of test sets, unpacked inside their folder and with limits.

Only files and folders are unpacked. Links and devices are left out. A name that leads out of the folder is an error.
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
from typing import IO

from bleuprint.errors import FileError, quote
from bleuprint.io.downloads import make_folder, taking_away

ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
MOST_TIMES = 200
"""The largest ratio of unpacked and packed bytes. Texts have a ratio of about ten."""
LEAST_ROOM = 16 << 20
"""The bytes that any archive may unpack to."""
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
    """The remaining limits of an archive."""

    def __init__(self, archive: Path) -> None:
        self._archive, self._files, self._header_work = archive, 0, 0
        self._most = self._left = max(LEAST_ROOM, MOST_TIMES * archive.stat().st_size)

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise _error(self._archive, f"It unpacks to more than {self._most:,} bytes, the limit for its size.")

    def count_member(self) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            raise _error(self._archive, f"It has more than {MOST_FILES:,} files and folders.")

    def take_file(self, name: str, size: int) -> None:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or set(name) & {"\\", ":", "\0"}:
            raise _error(self._archive, f"The name {quote(name)} leads out of its folder.")
        if len(path.parts) > DEEPEST_FOLDER:
            raise _error(self._archive, f"It has more than {DEEPEST_FOLDER} nested folders: {quote(name)}.")
        self.take(size)

    def take_header(self, size: int) -> None:
        """Count an extended header by its square: Python before 3.11.10 needs quadratic time to read it."""
        if size > LONGEST_HEADER:
            raise _error(self._archive, f"An extended header of {size:,} bytes is longer than {LONGEST_HEADER:,}.")
        self._header_work += size * size
        if self._header_work > LONG_HEADER * self._most:
            raise _error(self._archive, "Its extended headers are too many or too long.")


class _Counted:
    """The decompressed bytes of a tar file, counted. Files are counted again, because sparse files are longer."""

    def __init__(self, unpacked: IO[bytes], limits: _Limits) -> None:
        self._unpacked, self._limits = unpacked, limits

    def read(self, size: int) -> bytes:
        block = self._unpacked.read(size)
        self._limits.take(len(block))
        return block


class _ZipSource(io.BufferedReader):
    """A zip file. Python reads its list of files in one call, the longest of all."""

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
        version = sys.version.partition(" ")[0]
        raise _error(archive, f"Python {version} does not extract archives safely. Use Python 3.11.4 or newer.")
    with archive.open("rb") as raw:
        beginning = raw.read(6)
        raw.seek(0)
        opener = next((opener for mark, opener in _OPENERS.items() if beginning.startswith(mark)), None)
        unpacked: IO[bytes] = opener(raw) if opener else raw  # type: ignore[operator]
        # A stream reads, and so counts, skipped members as well. tarfile would not limit what it decompresses itself.
        with tarfile.open(  # type: ignore[call-overload]
            fileobj=_Counted(unpacked, limits), mode="r|", tarinfo=CountedHeader
        ) as packed:
            for member in packed:
                limits.count_member()
                if member.isreg():
                    limits.take_file(member.name, _extracted_size(member))
                    packed.extract(member, folder, set_attrs=False, filter="data")


def _extracted_size(member: tarfile.TarInfo) -> int:
    """Return how long a file becomes while it is extracted. The size of a sparse file in its header may be wrong."""
    pieces: Iterable[tuple[int, int]] = member.sparse or ()  # type: ignore[assignment]
    return max(abs(member.size), *(start + length for start, length in pieces), 0)


def _move(staging: Path, folder: Path) -> None:
    """Move every file to its place in one step."""
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
        raise _error(archive, f"It cannot be unpacked: {quote(str(error) or type(error).__name__, 200)}.") from None


def _error(archive: Path, message: str) -> FileError:
    return FileError(message, "Nothing was unpacked. Remove the file to fetch it again.", where=str(archive))
