"""Names of files that are open already: ``/dev/stdin``, ``/dev/fd/3`` and the like, also behind links."""

import os

from bleuprint.text.formats import STDIN

MOST_LINKS = 40
"""As many as the system follows."""


def is_stdin(name: str) -> bool:
    """Whether a name stands for standard input."""
    return name == STDIN or find_descriptor(name) == 0


def find_descriptor(name: str) -> int | None:
    """Give the number of the open file of this process that a name leads to; None for every other name.

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
