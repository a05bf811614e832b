"""Results to files: the whole result or no file at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bleuprint.errors import FileError


def write_whole(path: str, text: str, option: str = "--output") -> None:
    """Write a file so that it appears only when it is complete; an older one stays until then."""
    data, target = text.encode("utf-8"), Path(path).resolve()
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)  # a pipe or a device is written into, not replaced
        else:
            _replace(target, data)
    except OSError as error:
        raise FileError(
            where=path,
            wanted="a file that can be written",
            got=error.strerror or str(error),
            next_step=f"Choose another place for {option}; nothing was written.",
        ) from None


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).chmod(_usual_mode())
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _usual_mode() -> int:
    """The permissions of a new file; a temporary one has stricter ones."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
