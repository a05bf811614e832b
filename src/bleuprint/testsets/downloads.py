"""Downloads: into a file beside the wanted one, checked, then under its name. What broke off is gone on with."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

from bleuprint.errors import FileError, quote
from bleuprint.files.lines import BLOCK
from bleuprint.testsets.listing import make_folder, taking_away

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LONGEST_SILENCE = 60
"""So many seconds another machine has to say something."""
MOST_BYTES = 1 << 34
"""No test set is longer; an answer without end would fill the disk before its checksum could be wrong."""
Tell = Callable[[str, int, int | None], None]
"""Hears what is being fetched, how many bytes are there, and how many there will be, where that is known."""
SCHEMES = ("https://", "http://")
PARTIAL_CONTENT, RANGE_NOT_SATISFIABLE = 206, 416


class Checksum(NamedTuple):
    """What a file must have: the name of the digest, and its hexadecimal digits."""

    kind: str
    digits: str

    def of(self, path: Path) -> str:
        """Compute the digest of a file."""
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.new(self.kind, usedforsecurity=False)).hexdigest()

    def fits(self, path: Path) -> bool:
        """Whether a file has it."""
        return self.of(path) == self.digits.lower()


def fetch_file(address: str, target: Path, checksum: Checksum, tell: Tell | None = None) -> None:
    """Fetch a file, unless the right one is there already; a wrong one is replaced, and never used."""
    if target.is_file() and checksum.fits(target):
        return
    if not address.startswith(SCHEMES):
        _refuse(address, target, checksum, f"an address that begins with {' or '.join(SCHEMES)}", quote(address))
    while not _fetch_alone(address, target, checksum, tell):
        pass


def _fetch_alone(address: str, target: Path, checksum: Checksum, tell: Tell | None) -> bool:
    """Fetch a file while nobody else fetches into its folder; False where who came before took the folder away."""
    made = make_folder(str(target.parent))
    with _alone_in(target.parent) as is_there, taking_away(made):  # before the next one has the lock
        if is_there and not (target.is_file() and checksum.fits(target)):  # who came before has fetched it
            _fetch_part(address, target, checksum, tell)
        return is_there


@contextmanager
def _alone_in(folder: Path) -> Iterator[bool]:
    """Wait until nobody else fetches into a folder, where the file system knows locks; give whether it is there yet."""
    if fcntl is None:
        yield True
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield folder.is_dir() and os.path.samestat(os.fstat(handle), folder.stat())
    finally:
        os.close(handle)


def _fetch_part(address: str, target: Path, checksum: Checksum, tell: Tell | None) -> None:
    part = target.with_name(f"{target.name}.part")
    begun = part.exists()
    try:
        _receive(address, part, target, checksum, tell)
    except BaseException:
        if part.exists() and part.stat().st_size == 0:  # nothing to go on with
            part.unlink()
        raise
    if begun and not checksum.fits(part):  # the file has changed since it was begun, or its beginning was damaged
        part.unlink()
        _receive(address, part, target, checksum, tell)
    if not checksum.fits(part):
        found = checksum.of(part)
        part.unlink()
        _refuse(address, target, checksum, f"a file with the {checksum.kind.upper()} {checksum.digits}", found)
    part.replace(target)


def _receive(address: str, part: Path, target: Path, checksum: Checksum, tell: Tell | None) -> None:
    """Receive what is missing of a file, up to its end."""
    done = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address, headers={"User-Agent": "bleuprint"})
    if done:
        request.add_header("Range", f"bytes={done}-")
    try:
        # urlopen would go on with the proxies that the process had when it was first called
        with urllib.request.build_opener().open(request, timeout=LONGEST_SILENCE) as answer:
            goes_on = answer.status == PARTIAL_CONTENT and _begins_at(answer.headers, done)
            done = done if goes_on else 0
            rest = answer.headers.get("Content-Length")
            whole = done + int(rest) if rest and rest.isdecimal() and len(rest) <= len(str(MOST_BYTES)) else None
            with part.open("ab" if goes_on else "wb") as file:
                while block := answer.read(BLOCK):
                    file.write(block)
                    done += len(block)
                    if done > MOST_BYTES:
                        break
                    if tell:
                        tell(target.name, done, whole)
    except urllib.error.HTTPError as error:
        if error.code == RANGE_NOT_SATISFIABLE and done:  # all of it is there, or more than there is
            return
        _refuse(address, target, checksum, "a file at this address", f"{error.code} {error.reason}")
    except (
        OSError,
        http.client.HTTPException,
        ValueError,
    ) as error:  # ValueError: a redirection to a malformed address
        reason = getattr(error, "reason", None) or error
        _refuse(address, target, checksum, "an answer", quote(str(reason) or type(error).__name__, 200))
    if done > MOST_BYTES:
        part.unlink()
        _refuse(address, target, checksum, f"a file of at most {MOST_BYTES:,} bytes", "a longer one")
    if whole is not None and done < whole:
        _refuse(address, target, checksum, f"{whole:,} bytes", f"{done:,}, as the connection broke off")


def _begins_at(headers: http.client.HTTPMessage, start: int) -> bool:
    return (headers.get("Content-Range") or "").startswith(f"bytes {start}-")


def _refuse(address: str, target: Path, checksum: Checksum, wanted: str, got: str) -> NoReturn:
    raise FileError(
        where=address,
        wanted=wanted,
        got=got,
        next_step=f"Try again later, it goes on where it broke off; or fetch it elsewhere and put it there as {target} "
        f"({checksum.kind.upper()} {checksum.digits}).",
    )
