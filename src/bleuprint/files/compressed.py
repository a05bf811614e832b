"""Opening files: plain or compressed, as their names say, and every byte of them accounted for."""

from __future__ import annotations

import io
import sys
from typing import IO, cast

from bleuprint.text.formats import STDIN


def open_bytes(source: str) -> IO[bytes]:
    """Open a file, or standard input for ``-``, for reading what is in it once it is unpacked."""
    if source == STDIN:
        return sys.stdin.buffer
    if source.lower().endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(source))
    if source.lower().endswith(".xz"):
        from bleuprint.files.xz import XzStreams

        return io.BufferedReader(XzStreams(open(source, "rb")))  # noqa: PTH123
    return open(source, "rb")  # noqa: PTH123, plain text is read without importing pathlib


def reading_errors() -> tuple[type[Exception], ...]:
    """List what may go wrong while a file is read, or unpacked."""
    import lzma
    import zlib

    return OSError, EOFError, lzma.LZMAError, zlib.error
