"""Compressed files, and files on other machines.

A file on another machine is first tried in a separate process: pyarrow may retry for a quarter of an hour, or abort.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, cast

from bleuprint.errors import FileError, MissingPackageError, quote

if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from lzma import LZMADecompressor

    import pyarrow as pa

BYTES_AT_ONCE = 1 << 18
XZ_PADDING = 4
"""The number of NUL bytes after a stream of an .xz file is a multiple of this."""
XZ_MEMORY = 1 << 28
"""Bytes for the dictionary of a stream, four times what ``xz -9`` needs. A small file can ask for 4 GiB."""
LIMIT = 60
"""Seconds after which a trial fails."""
PROBE = """
import sys
from pyarrow import fs
try:
    system, path = fs.FileSystem.from_uri(sys.argv[1])
    system.open_input_file(path).close()
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
"""


def import_pyarrow(where: str, purpose: str, otherwise: str = "") -> Any:
    """Import pyarrow, or raise an error with the command that installs it."""
    try:
        import pyarrow
    except ImportError as error:
        reason = "" if error.name == "pyarrow" else f", which cannot be imported: {quote(str(error), 200)}"
        fix = f'Install it: pip install "bleuprint[arrow]"{otherwise}.'
        raise MissingPackageError(f"The package pyarrow is needed {purpose}{reason}.", fix, where=where) from None
    return pyarrow


def read_packed(packed: IO[bytes], suffix: str, name: str) -> IO[bytes]:
    """Decompress a file by the ending of its name. Closing the result closes the file."""
    if suffix == ".gz":
        import gzip

        unpacked = gzip.GzipFile(fileobj=packed)
        unpacked.myfileobj = packed  # type: ignore[assignment]  # else it stays open
        return cast("IO[bytes]", unpacked)
    if suffix == ".bz2":
        from bz2 import BZ2Decompressor

        return cast("IO[bytes]", _Streams(packed, BZ2Decompressor))
    if suffix == ".xz":
        from lzma import FORMAT_XZ, LZMADecompressor

        return cast("IO[bytes]", _Streams(packed, lambda: LZMADecompressor(FORMAT_XZ, XZ_MEMORY), XZ_PADDING))
    return _read_zstd(packed, name)


class _Streams:
    """The content of a file of .bz2 or .xz streams.

    Python's readers ignore a damaged second stream, and have no limit of memory.
    """

    def __init__(
        self, packed: IO[bytes], begin: Callable[[], BZ2Decompressor | LZMADecompressor], padding: int = 0
    ) -> None:
        self._packed, self._begin, self._padding = packed, begin, padding
        self._stream, self._waiting = begin(), b""
        self.close: Callable[[], None] = packed.close

    def read(self, size: int) -> bytes:
        """Return up to so many bytes; none at the end."""
        unpacked = b""
        while not unpacked:
            if self._stream.eof:
                self._waiting = self._find_stream()
                if not self._waiting:
                    break
                self._stream = self._begin()
            elif self._stream.needs_input:
                self._waiting = self._packed.read(BYTES_AT_ONCE)
                if not self._waiting:
                    raise EOFError("the file ends inside compressed data")
            unpacked, self._waiting = self._stream.decompress(self._waiting, size), b""
        return unpacked

    def _find_stream(self) -> bytes:
        """Return the beginning of the next stream, behind any padding; nothing at the end of the file."""
        rest, padding = self._stream.unused_data or self._packed.read(BYTES_AT_ONCE), 0
        while self._padding and rest[:1] == b"\0":
            stream = rest.lstrip(b"\0")
            padding += len(rest) - len(stream)
            rest = stream or self._packed.read(BYTES_AT_ONCE)
        if padding and padding % self._padding:
            raise OSError("bytes after the compressed data that do not belong to it")
        return rest


def _read_zstd(packed: IO[bytes], name: str) -> IO[bytes]:
    """Decompress all frames with pyarrow: Python before 3.14 has no zstd."""
    try:
        pa = import_pyarrow(name, "to unpack zstd", ", or unpack the file first: zstd -dc")
    except MissingPackageError:
        packed.close()
        raise
    return cast("IO[bytes]", pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd"))


def open_remote(url: str) -> pa.NativeFile:
    """Open a file by a URL that pyarrow reads; a file on this machine needs no trial."""
    pa = import_pyarrow(url, "to read files by their URLs", ", or fetch the file first")
    from pyarrow import fs

    if not url.startswith("file:"):
        check_answer(url)
    try:
        system, path = fs.FileSystem.from_uri(url)
        return system.open_input_file(path)
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError) as error:
        raise _error(url, quote(str(error), 200)) from None


def check_answer(url: str) -> None:
    """Try in another process whether pyarrow opens a file."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROBE, url],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _error(url, f"no answer in {LIMIT} seconds") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip()
        raise _error(url, quote(reason, 200) if reason else f"pyarrow ended with exit code {done.returncode}")


def _error(url: str, reason: str) -> FileError:
    fix = "Check the network, the name and the credentials. Name files one by one, with a scheme of pyarrow (file, s3, "
    return FileError(f"Cannot open the file: {reason}.", f"{fix}gs, abfs, hdfs), or download them first.", where=url)
