"""The streams of an .xz file, one after the other."""

from __future__ import annotations

import io
import lzma
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BYTES_AT_ONCE = 1 << 14
PADDING = 4
"""Between the streams of an .xz file, and after the last, there may be NUL bytes, so many or a multiple."""


class XzStreams(io.RawIOBase):
    """What the streams of an .xz file hold. ``lzma.open`` takes a damaged stream after the first for the file's end."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker = lzma.LZMADecompressor()
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
            self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
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
        if padding % PADDING:
            raise lzma.LZMAError("bytes after the compressed data that do not belong to it")
        return stream
