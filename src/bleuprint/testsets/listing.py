"""Folders in which test sets may lie, without pathlib: importing that takes longer than reading a set."""

from __future__ import annotations

import os


def find_folder(variable: str, usual: str) -> str:
    """Give the folder that a variable of the environment names, or the usual one in the user's home."""
    return os.environ.get(variable) or os.path.expanduser(f"~/{usual}")  # noqa: PTH111, see above


def list_folder(folder: str) -> dict[str, str]:
    """List the files of a folder by their names, in their order, each with its path; nothing where there is none."""
    try:
        with os.scandir(folder) as entries:
            found = {entry.name: entry.path for entry in entries if entry.is_file()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return dict(sorted(found.items()))
