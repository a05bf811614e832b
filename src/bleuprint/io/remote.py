"""Files on other machines: tried in a process of their own first, as what is wrong there may last, or end a process."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, NoReturn

from bleuprint.errors import FileError, MissingPackageError, quote

if TYPE_CHECKING:
    import pyarrow as pa

LIMIT = 60
"""So many seconds another machine has to answer."""
PROBE = """
import sys
from pyarrow import fs
try:
    system, path = fs.FileSystem.from_uri(sys.argv[1])
    system.open_input_file(path).close()
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
"""


def open_remote(url: str) -> pa.NativeFile:
    """Open a file by its URL, as pyarrow knows it; one on this machine needs no trial."""
    try:
        import pyarrow as pa
        from pyarrow import fs
    except ImportError:
        raise MissingPackageError(
            where=url,
            wanted="the package pyarrow, to read files by their URLs",
            got="no such package",
            next_step='Install it: pip install "bleuprint[arrow]", or fetch the file first.',
        ) from None
    if not url.startswith("file:"):
        check_answer(url)
    try:
        system, path = fs.FileSystem.from_uri(url)
        return system.open_input_file(path)
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError) as error:
        _refuse(url, quote(str(error), 200))


def check_answer(url: str) -> None:
    """See that a file can be opened: pyarrow may try for a quarter of an hour, or abort where it has no credentials."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROBE, url],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        _refuse(url, f"no answer in {LIMIT} seconds")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        _refuse(url, quote(said, 200) if said else f"an end of the process that tried it ({done.returncode})")


def _refuse(url: str, got: str) -> NoReturn:
    raise FileError(
        where=url,
        wanted="a file that can be opened from here",
        got=got,
        next_step="Check the network, the name and the credentials. Name files one by one, as pyarrow knows them "
        "(file, s3, gs, abfs, hdfs), or fetch them first.",
    )
