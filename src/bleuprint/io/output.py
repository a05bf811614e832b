"""Results to files: the whole result or no file at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bleuprint.errors import FileError


def write_whole(path: str, text: str) -> None:
    """Write a file so that it appears only when it is complete; an older one stays until then."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise _refusal(path, error) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise _refusal(path, error) from None


def _refusal(path: str, error: OSError) -> FileError:
    return FileError(
        where=path,
        wanted="a file that can be written",
        got=error.strerror or str(error),
        next_step="Choose another place for --output; nothing was written.",
    )
