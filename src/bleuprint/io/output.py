"""Results to files: the whole result or no file at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bleuprint.errors import FileError, quote
from bleuprint.io.paths import find_descriptor

GROUP = stat.S_IRWXG


def write_whole(path: str, content: str | bytes, option: str = "") -> None:
    """Write a file so that it appears only when it is complete; an older one stays until then.

    An open descriptor, as ``/dev/stdout``, is written to at its position. ``option`` names the caller's option.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with _refusing(path, option):
        descriptor = find_descriptor(path)
        older = _find(path)
        if descriptor is not None:
            _write_on(descriptor, data)
        elif older and not stat.S_ISREG(older.st_mode) and not stat.S_ISDIR(older.st_mode):
            Path(path).write_bytes(data)  # a pipe or a device is written into, not replaced
        else:
            # The file that a link leads to is replaced, not the link.
            _replace(Path(os.path.realpath(path)), data, older)


def check_place(path: str, option: str) -> None:
    """Raise an error if a path cannot be written, before there is work to lose."""
    with _refusing(path, option):
        older = _find(path)
        if older is None:
            Path(os.path.realpath(path)).parent.stat()
        elif stat.S_ISDIR(older.st_mode):
            raise _folder_refusal()


@contextmanager
def _refusing(path: str, option: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"Cannot write the file: {quote(error.strerror or str(error), 200)}."
        fix = f"Nothing was written. Choose another path{f' for {option}' if option else ''}."
        raise FileError(message, fix, where=path) from None


def _write_on(descriptor: int, data: bytes) -> None:
    """Write to an open file, after the output so far."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)


def _find(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        if path.endswith("/"):
            raise _folder_refusal() from None
        return None


def _folder_refusal() -> OSError:
    return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


def _replace(target: Path, data: bytes, older: os.stat_result | None) -> None:
    temporary = target.parent / f".bleuprint-{os.urandom(8).hex()}"
    # The older file may be private, so its replacement begins as private.
    opener = partial(os.open, mode=0o600 if older else 0o666)
    stream = open(temporary, "xb", opener=opener)  # noqa: SIM115, a path takes no opener
    try:
        with stream:
            stream.write(data)
        if older:
            temporary.chmod(_take_over(temporary, older))
        temporary.replace(target)
    except BaseException:  # an interrupt leaves nothing behind either
        temporary.unlink(missing_ok=True)
        raise


def _take_over(path: Path, older: os.stat_result) -> int:
    """Set the owner of an older file, and return its permissions.

    If the group cannot be kept, the new group gets no permissions.
    """
    mode = stat.S_IMODE(older.st_mode)
    own = path.stat()
    if (own.st_uid, own.st_gid) != (older.st_uid, older.st_gid):
        try:
            os.chown(path, older.st_uid, older.st_gid)
        except PermissionError:
            mode = mode if own.st_gid == older.st_gid else mode & ~GROUP
    return mode
