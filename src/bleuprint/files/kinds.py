"""Kinds of names and files: what a name stands for, and what a file is by its first bytes, where it is no text."""

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.text.formats import STDIN, path_of, suffix_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Kind(NamedTuple):
    """A kind of file that is no text."""

    mark: bytes
    """what such a file begins with, or has so many bytes behind its beginning"""
    title: str
    next_step: str = ""
    form: str = ""
    """what a columnar file of this kind is called where one says how to read it"""
    offset: int = 0


def _packed(mark: bytes, name: str, command: str, offset: int = 0) -> Kind:
    next_step = f"Unpack it first: {command}; .gz, .bz2, .xz and .zst are read as they are."
    return Kind(mark, f"data packed by {name}", next_step, offset=offset)


def _no_text(mark: bytes, title: str, offset: int = 0) -> Kind:
    return Kind(mark, title, "Give a file with one text per line instead.", offset=offset)


_EXPORT = "Export the texts to a file with one text per line."
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
    Kind(b"SQLite format 3", "an SQLite database", _EXPORT),
    Kind(b"\x89HDF\r\n\x1a\n", "an HDF5 file", _EXPORT),
    Kind(b"\x93NUMPY", "an array of NumPy", _EXPORT),
    *(
        Kind(mark, "pickled objects of Python", _EXPORT)
        for mark in (b"\x80\x02", b"\x80\x03", b"\x80\x04\x95", b"\x80\x05\x95")
    ),
    Kind(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an older Office", "Export it as text or CSV."),
    _packed(b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x -so"),
    _packed(b"Rar!\x1a\x07", "RAR", "unrar p"),
    _packed(b"ustar", "tar", "tar -xO", offset=257),
    _no_text(b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    _no_text(b"\xff\xd8\xff", "a JPEG picture"),
    _no_text(b"GIF87a", "a GIF picture"),
    _no_text(b"GIF89a", "a GIF picture"),
    _no_text(b"II*\0", "a TIFF picture"),
    _no_text(b"MM\0*", "a TIFF picture"),
    _no_text(b"WEBP", "a WebP picture", 8),
    _no_text(b"WAVE", "a WAV sound file", 8),
    _no_text(b"AVI ", "an AVI film", 8),
    _no_text(b"ftyp", "an MP4 film or sound file", 4),
    _no_text(b"ID3", "an MP3 sound file"),
    _no_text(b"\xff\xfb", "an MP3 sound file"),
    _no_text(b"OggS", "an Ogg sound file"),
    _no_text(b"fLaC", "a FLAC sound file"),
    _no_text(b"\x7fELF", "a program or a library (ELF)"),
    _no_text(b"MZ\x90\0", "a program or a library of Windows"),
    _no_text(b"\0asm", "a WebAssembly module"),
    Kind(b"%PDF-", "a PDF document", _EXPORT),
)
BEGINNING = max(64, *(kind.offset + len(kind.mark) for kind in MARKED_KINDS))
"""So many bytes tell what a file is."""
SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
COLUMNAR_FORMS = ("parquet", "arrow")
MOST_LINKS = 40
"""As many as the system follows."""
_SIGNS = {ord(sign): None for sign in "+.-"}
"""What the name of a scheme may have beside letters and digits."""


def recognise(beginning: bytes) -> Kind | None:
    """Tell what a file is that is no UTF-8; a text may begin with some of these marks, so ask only then."""
    return next((kind for kind in MARKED_KINDS if beginning.startswith(kind.mark, kind.offset)), None)


def looks_like_utf_16(beginning: bytes) -> bool:
    r"""Whether bytes may be UTF-16 without a mark: most letters have a NUL byte, all on the same side.

    >>> looks_like_utf_16("Größe".encode("utf-16-be")), looks_like_utf_16(bytes(8)), looks_like_utf_16(b"a\0b c")
    (True, False, False)
    """
    pairs = len(beginning) // 2
    nulls = sorted(beginning[side : 2 * pairs : 2].count(0) for side in (0, 1))
    return 8 * nulls[0] < nulls[1] > pairs / 2


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
    return SUFFIXES.get(suffix_of(path_of(name)).lower(), "")


def list_columnar(folder: str) -> list[str]:
    """List the columnar files of a folder; names that begin with a dot or underscore are somebody's notes."""
    from pathlib import Path

    return [
        str(file)
        for file in sorted(Path(folder).rglob("*"))
        if form_of(file.name) and file.is_file() and not file.name.startswith((".", "_"))
    ]


def is_stdin(name: str) -> bool:
    """Whether a name stands for standard input."""
    return name == STDIN or find_descriptor(name) == 0


def find_descriptor(name: str) -> int | None:
    """Give the number of the open file of this process that a name leads to; None for every other name.

    Such names are ``/dev/stdin``, ``/dev/fd/3`` and the like, also behind links.
    The system's own way from such a name ends at the file that was opened, which tells nothing of where in it one is.
    """
    try:
        return _follow(os.path.abspath(name))  # noqa: PTH100, reading plain text does without pathlib
    except (OSError, ValueError):  # the folder at hand is gone, or it can be no name
        return None


def _follow(path: str) -> int | None:
    own = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")}
    for _ in range(MOST_LINKS):
        folder, last = os.path.split(path)
        folder = os.path.realpath(folder)
        if folder in own and last.isascii() and last.isdigit():
            return int(last)
        path = os.path.join(folder, last)  # noqa: PTH118
        if not os.path.islink(path):  # noqa: PTH114
            return None
        path = os.path.join(folder, os.readlink(path))  # noqa: PTH115, PTH118
    return None
