"""Folders and files of test sets, without pathlib: importing that takes longer than reading a set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bleuprint.files.kinds import is_folder


def find_folder(variable: str, usual: str) -> str:
    """Give the folder that a variable of the environment names, or the usual one in the user's home."""
    return os.environ.get(variable) or os.path.expanduser(f"~/{usual}")


def manifest_folder() -> str:
    """Give the folder with manifests, and with what they had fetched."""
    return find_folder("BLEUPRINT_TESTSETS", ".bleuprint/testsets")


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


def make_folder(folder: str) -> list[str]:
    """Make a folder, with those above it; give those that were made, the innermost first."""
    made, path = [], folder
    while not is_folder(path):
        made.append(path)
        path = folder_of(path)
    os.makedirs(folder, exist_ok=True)
    return made


@contextmanager
def taking_away(folders: list[str]) -> Iterator[None]:
    """Take folders away again that were made for something which then fails, unless something is in them."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for folder in folders:
                os.rmdir(folder)
        raise
