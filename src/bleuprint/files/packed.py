"""Packed files: their streams one after the other, and an error where one is damaged or cut off."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Protocol, cast

from bleuprint.errors import MissingPackageError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BYTES_AT_ONCE = 1 << 14
XZ_PADDING = 4
"""Between the streams of an .xz file, and after the last, there may be NUL bytes, so many or a multiple."""

XZ_MEMORY = 1 << 28
"""Bytes for the dictionary of a stream, four times what ``xz -9`` needs. A small file can ask for 4 GiB."""


class Unpacker(Protocol):
    """What unpacks one stream, as ``lzma`` and ``bz2`` have it."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether there is nothing more to give without more to unpack."""

    @property
    def unused_data(self) -> bytes:
        """What follows the end of the stream."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Unpack."""


class PackedStreams(io.RawIOBase):
    """What the streams of a file hold. Python's own readers take a damaged second one for the file's end."""

    def __init__(self, packed: IO[bytes], first: Unpacker, begin: Callable[[], Unpacker], padding: int = 0) -> None:
        self._packed = packed
        self._unpacker = first
        self._begin = begin
        self._padding = padding
        self._waiting = b""

    def readable(self) -> bool:
        """Tell that one can read from it."""
        return True

    def close(self) -> None:
        """Close the file, too."""
        self._packed.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Unpack what the next input gives and the buffer holds; 0 is the end."""
        view = memoryview(buffer).cast("B")
        unpacked = b""
        while not unpacked and self._has_more():
            packed, self._waiting = self._waiting, b""
            unpacked = self._unpacker.decompress(packed, len(view))
        view[: len(unpacked)] = unpacked
        return len(unpacked)

    def _has_more(self) -> bool:
        """Whether there is something to unpack; where a stream has ended, the next begins."""
        if self._unpacker.eof:
            self._waiting = self._find_stream()
            if not self._waiting:
                return False
            self._unpacker = self._begin()
        elif self._unpacker.needs_input:
            self._waiting = self._packed.read(BYTES_AT_ONCE)
            if not self._waiting:
                raise EOFError("the file ends inside compressed data")
        return True

    def _find_stream(self) -> bytes:
        """Pass over padding to what must be another stream; empty at the end of the file."""
        padding, stream = 0, b""
        rest = self._unpacker.unused_data or self._packed.read(BYTES_AT_ONCE)
        while rest and not stream:
            stream = rest.lstrip(b"\0")
            padding += len(rest) - len(stream)
            rest = b"" if stream else self._packed.read(BYTES_AT_ONCE)
        if padding % self._padding if self._padding else padding:
            raise OSError("bytes after the compressed data that do not belong to it")
        return stream


def unpack_xz(packed: IO[bytes]) -> IO[bytes]:
    """Read what an .xz file holds; its first stream may be of the older kind, .lzma."""
    from lzma import FORMAT_AUTO, FORMAT_XZ, LZMADecompressor

    first = LZMADecompressor(FORMAT_AUTO, XZ_MEMORY)
    return io.BufferedReader(PackedStreams(packed, first, lambda: LZMADecompressor(FORMAT_XZ, XZ_MEMORY), XZ_PADDING))


def unpack_bzip2(packed: IO[bytes]) -> IO[bytes]:
    """Read what a .bz2 file holds."""
    from bz2 import BZ2Decompressor

    return io.BufferedReader(PackedStreams(packed, BZ2Decompressor(), BZ2Decompressor))


def unpack_zstd(packed: IO[bytes]) -> IO[bytes]:
    """Read what a .zst file holds, all frames of it, with pyarrow: Python before 3.14 knows no zstd."""
    try:
        import pyarrow as pa
    except ImportError:
        packed.close()
        raise MissingPackageError(
            where=packed.name,
            wanted="the package pyarrow, to unpack zstd",
            got="no such package",
            next_step='Install it: pip install "bleuprint[arrow]", or unpack the file first: zstd -dc.',
        ) from None
    return cast("IO[bytes]", pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd"))


class GzipStreams(gzip.GzipFile):
    """What a .gz file holds; the file that it is in is closed with it, which Python leaves open."""

    def __init__(self, packed: IO[bytes]) -> None:
        super().__init__(fileobj=packed)
        self._packed = packed

    def close(self) -> None:
        """Close the file, too."""
        super().close()
        self._packed.close()


def unpack_gzip(packed: IO[bytes]) -> IO[bytes]:
    """Read what a .gz file holds."""
    return cast("IO[bytes]", GzipStreams(packed))


def read_packed(packed: IO[bytes], suffix: str) -> IO[bytes]:
    """Read what is in a packed file, which the end of its name tells."""
    return UNPACKERS[suffix](packed)


UNPACKERS: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    ".gz": unpack_gzip,
    ".bz2": unpack_bzip2,
    ".xz": unpack_xz,
    ".zst": unpack_zstd,
}
