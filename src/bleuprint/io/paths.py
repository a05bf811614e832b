"""Names of files: what a name stands for, and the folders that test sets are in.

Everything works without pathlib: importing it takes longer than reading a short corpus.
"""

import os
import stat
from typing import TYPE_CHECKING

from bleuprint.text.formats import STDIN, path_of, suffix_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
COLUMNAR_FORMS = ("parquet", "arrow")
MOST_LINKS = 40
"""As many as the system follows."""
_SIGNS = {ord(sign): None for sign in "+.-"}
"""What the name of a scheme may have beside letters and digits."""


def is_file(name: "str | Path") -> bool:
    """Whether there is a file of this name; a text that can be no name, as too long, names none."""
    return _mode(name, stat.S_ISREG)


def is_folder(name: "str | Path") -> bool:
    """Whether there is a folder of this name."""
    return _mode(name, stat.S_ISDIR)


def _mode(name: "str | Path", test: "Callable[[int], bool]") -> bool:
    try:
        return test(os.stat(name).st_mode)
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
        return _follow(os.path.abspath(name))
    except (OSError, ValueError):  # the folder at hand is gone, or it can be no name
        return None


def _follow(path: str) -> int | None:
    own = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")}
    for _ in range(MOST_LINKS):
        folder, last = os.path.split(path)
        folder = os.path.realpath(folder)
        if folder in own and last.isascii() and last.isdigit():
            return int(last)
        path = os.path.join(folder, last)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def find_folder(variable: str, usual: str) -> str:
    """Give the folder that a variable of the environment names, or the usual one in the user's home."""
    return os.environ.get(variable) or os.path.expanduser(f"~/{usual}")


def folder_of(path: str) -> str:
    """Give the folder that a file is in."""
    return os.path.dirname(path) or "."


def stem_of(path: str) -> str:
    """Give the name of a file without its folder and what follows the last dot."""
    return os.path.splitext(os.path.basename(path))[0]


def list_folder(folder: str) -> dict[str, str]:
    """List the files of a folder by their names, in their order, each with its path; nothing where there is none."""
    try:
        with os.scandir(folder) as entries:
            found = {entry.name: entry.path for entry in entries if entry.is_file()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return dict(sorted(found.items()))
