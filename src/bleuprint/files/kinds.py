"""Kinds of names and files: what a file is by its first bytes, where it is no text, and what to do with it."""

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.text.formats import suffix_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Kind(NamedTuple):
    """A kind of file that is no text."""

    mark: bytes
    """what such a file begins with"""
    title: str
    next_step: str = ""
    form: str = ""
    """what a columnar file of this kind is called where one says how to read it"""


def _packed(mark: bytes, name: str, command: str) -> Kind:
    return Kind(
        mark, f"data packed by {name}", f"Unpack it first: {command}; .gz, .bz2, .xz and .zst are read as they are."
    )


_ENDING = "Its name must end in {0} to be read as what it is, or unpack it first: {1}."

MARKED_KINDS = (
    Kind(b"\xff\xfe\0\0", "a UTF-32 byte order mark", "Convert it, for example with: iconv -f UTF-32 -t UTF-8."),
    Kind(b"\0\0\xfe\xff", "a UTF-32 byte order mark", "Convert it, for example with: iconv -f UTF-32 -t UTF-8."),
    Kind(b"\xff\xfe", "a UTF-16 byte order mark", "Convert it, for example with: iconv -f UTF-16 -t UTF-8."),
    Kind(b"\xfe\xff", "a UTF-16 byte order mark", "Convert it, for example with: iconv -f UTF-16 -t UTF-8."),
    Kind(b"\x1f\x8b", "data packed by gzip", _ENDING.format(".gz", "gzip -dc")),
    Kind(b"\xfd7zXZ\0", "data packed by xz", _ENDING.format(".xz", "xz -dc")),
    Kind(b"BZh", "data packed by bzip2", _ENDING.format(".bz2", "bzip2 -dc")),
    Kind(b"\x28\xb5\x2f\xfd", "data packed by zstd", _ENDING.format(".zst", "zstd -dc")),
    _packed(b"\x04\x22\x4d\x18", "lz4", "lz4 -dc"),
    _packed(b"PK\x03\x04", "zip (as spreadsheets and documents are, too)", "unzip -p, or export the texts"),
    Kind(b"PAR1", "a Parquet file", form="parquet"),
    Kind(b"ARROW1", "an Arrow file", form="arrow"),
    Kind(b"\xff\xff\xff\xff", "an Arrow stream", form="arrow"),
    Kind(b"SQLite format 3", "an SQLite database", "Export the texts to a file with one text per line."),
    Kind(b"%PDF-", "a PDF document", "Export the texts to a file with one text per line."),
)
LONGEST_MARK = max(len(kind.mark) for kind in MARKED_KINDS)
SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
COLUMNAR_FORMS = ("parquet", "arrow")
_SIGNS = {ord(sign): None for sign in "+.-"}
"""What the name of a scheme may have beside letters and digits."""


def recognise(beginning: bytes) -> Kind | None:
    """Tell what a file is that is no UTF-8; a text may begin with some of these marks, so ask only then."""
    return next((kind for kind in MARKED_KINDS if beginning.startswith(kind.mark)), None)


def is_file(name: "str | Path") -> bool:
    """Whether there is a file of this name; a text that can be no name, as too long, names none."""
    return _mode(name, stat.S_ISREG)


def is_folder(name: "str | Path") -> bool:
    """Whether there is a folder of this name."""
    return _mode(name, stat.S_ISDIR)


def _mode(name: "str | Path", test: "Callable[[int], bool]") -> bool:
    try:
        return test(os.stat(name).st_mode)  # noqa: PTH116, reading plain text does without pathlib
    except (OSError, ValueError):
        return False


def is_url(name: str) -> bool:
    """Whether a name is a URL, which no path is: ``//`` in a path is one slash."""
    scheme, found, _ = name.partition("://")
    return bool(found) and scheme[:1].isalpha() and scheme.isascii() and scheme.translate(_SIGNS).isalnum()


def columnar_form(name: str) -> str:
    """Tell from a name whether it stands for Parquet or Arrow files; empty if for neither."""
    if own := form_of(name):
        return own
    found = {form_of(file) for file in list_columnar(name)} if is_folder(name) else set()
    return found.pop() if len(found) == 1 else ""


def form_of(name: str) -> str:
    """Tell the form of a file from the end of its name; what follows the path of a URL is no part of it."""
    if is_url(name):
        from urllib.parse import urlsplit

        name = urlsplit(name).path
    return SUFFIXES.get(suffix_of(name).lower(), "")


def list_columnar(folder: str) -> list[str]:
    """List the columnar files of a folder; names that begin with a dot or underscore are somebody's notes."""
    from pathlib import Path

    return [
        str(file)
        for file in sorted(Path(folder).rglob("*"))
        if form_of(file.name) and file.is_file() and not file.name.startswith((".", "_"))
    ]
