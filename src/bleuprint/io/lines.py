"""Lines of text files: UTF-8, plain or compressed, split at line feeds and nowhere else."""

from __future__ import annotations

import gzip
import lzma
import sys
import zlib
from pathlib import Path

from bleuprint.errors import FileError
from bleuprint.formats import STDIN, display_name, split_lines


def read_lines(source: str) -> list[str]:
    """Read a file, or standard input for ``-``, as one string per line.

    Lines end with LF or CRLF; U+2028, form feeds and the like are part of the text. A missing final line feed and a
    byte order mark change nothing.
    """
    data = _read_bytes(source)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(
            where=display_name(source),
            wanted="UTF-8",
            got="a UTF-16 byte order mark",
            next_step="Convert it, for example with: iconv -f UTF-16 -t UTF-8.",
        )
    return split_lines(_decode(data, source))


def _read_bytes(source: str) -> bytes:
    try:
        if source == STDIN:
            return sys.stdin.buffer.read()
        data = Path(source).read_bytes()
        if source.lower().endswith(".gz"):
            return gzip.decompress(data)
        return lzma.decompress(data) if source.lower().endswith(".xz") else data
    except FileNotFoundError:
        raise FileError(
            where=display_name(source),
            wanted="a file",
            got="nothing",
            next_step="Check the name and the folder you are in.",
        ) from None
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        compressed = source.lower().endswith((".gz", ".xz"))
        raise FileError(
            where=display_name(source),
            wanted="a readable file" + (" compressed as its name says" if compressed else ""),
            got=getattr(error, "strerror", None) or str(error) or type(error).__name__,
            next_step="Check the file and its permissions.",
        ) from None


def _decode(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise FileError(
            where=f"{display_name(source)}, line {line}",
            wanted="UTF-8",
            got=f"the byte 0x{data[error.start]:02X} at byte {column} of the line",
            next_step="Convert the file to UTF-8, for example with iconv.",
        ) from None
