"""Names of files and folders, without pathlib, which takes longer to import than reading a short corpus."""

import os
from collections.abc import Callable

from bleuprint.text.formats import STDIN, path_of, suffix_of

SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
COLUMNAR_FORMS = ("parquet", "arrow")
MOST_LINKS = 40
"""The number that Linux follows."""
_SIGNS = {ord(sign): None for sign in "+.-"}
"""Punctuation in the name of a scheme."""


is_file: Callable[[str | os.PathLike[str]], bool] = os.path.isfile
is_folder: Callable[[str | os.PathLike[str]], bool] = os.path.isdir


def is_url(name: str) -> bool:
    """Whether a name is a URL, which no path is: ``//`` in a path is one slash."""
    scheme, found, _ = name.partition("://")
    return bool(found) and scheme[:1].isalpha() and scheme.isascii() and scheme.translate(_SIGNS).isalnum()


def columnar_form(name: str) -> str:
    """Return the form of Parquet or Arrow files by the name of a file or folder; empty for other names."""
    if form := form_of(name):
        return form
    found = {form_of(file) for file in list_columnar(name)} if is_folder(name) else set()
    return found.pop() if len(found) == 1 else ""


def form_of(name: str) -> str:
    """Return the form of a columnar file by the end of its name, without the query of a URL."""
    return SUFFIXES.get(suffix_of(path_of(name)).lower(), "")


def list_columnar(folder: str) -> list[str]:
    """List the columnar files of a folder, without hidden files and those that begin with an underscore."""
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
    """Return the descriptor that a name such as ``/dev/stdin`` or ``/dev/fd/3`` leads to, also through links, or None.

    ``os.path.realpath`` would return the file that was opened, without the position in it.
    """
    descriptors = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")}
    try:
        path = os.path.abspath(name)
        for _ in range(MOST_LINKS):
            folder, last = os.path.split(path)
            folder = os.path.realpath(folder)
            if folder in descriptors and last.isascii() and last.isdigit():
                return int(last)
            path = os.path.join(folder, last)
            if not os.path.islink(path):
                return None
            path = os.path.join(folder, os.readlink(path))
    except (OSError, ValueError):  # the current folder is gone, or the name is invalid
        pass
    return None


def find_folder(variable: str, usual: str) -> str:
    """Return the folder of an environment variable, or the usual one in the user's home."""
    return os.environ.get(variable) or os.path.expanduser(f"~/{usual}")


def folder_of(path: str) -> str:
    """Return the folder of a file."""
    return os.path.dirname(path) or "."


def stem_of(path: str) -> str:
    """Return the name of a file without its folder and ending."""
    return os.path.splitext(os.path.basename(path))[0]


def list_folder(folder: str) -> dict[str, str]:
    """Return the files of a folder by name, each with its path; nothing if there is no folder."""
    try:
        with os.scandir(folder) as entries:
            found = {entry.name: entry.path for entry in entries if entry.is_file()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return dict(sorted(found.items()))
