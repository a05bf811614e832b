"""Downloads: into a partial file, which is checked and then renamed. An interrupted download is resumed."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from bleuprint.errors import FileError, quote
from bleuprint.io.lines import BLOCK

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LONGEST_SILENCE = 60
"""Seconds without an answer after which a download fails."""
MOST_BYTES = 1 << 34
"""No test set is longer. An endless answer would fill the disk before its checksum is computed."""
Tell = Callable[[str, int, int | None], None]
"""Shows progress: what is fetched, the number of bytes so far, and their total if it is known."""
SCHEMES = ("https://", "http://")
PARTIAL_CONTENT, RANGE_NOT_SATISFIABLE = 206, 416


class Checksum(NamedTuple):
    """The name of a digest, and its hexadecimal digits."""

    kind: str
    digits: str

    def of(self, path: Path) -> str:
        """Compute the digest of a file."""
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.new(self.kind, usedforsecurity=False)).hexdigest()

    def fits(self, path: Path) -> bool:
        """Whether a file has this digest."""
        return self.of(path) == self.digits.lower()


def fetch_file(address: str, target: Path, checksum: Checksum, tell: Tell | None = None) -> None:
    """Download a file unless it is there already. A file with another checksum is replaced, and never used."""
    download = _Download(address, target, checksum, tell)
    if download.is_done():
        return
    if not address.startswith(SCHEMES):
        raise download.error(f"expected an address that begins with {' or '.join(SCHEMES)}, got {quote(address)}.")
    while not download.fetch_alone():
        pass


class _Download(NamedTuple):
    """A file, its address, and its checksum."""

    address: str
    target: Path
    checksum: Checksum
    tell: Tell | None

    def is_done(self) -> bool:
        return self.target.is_file() and self.checksum.fits(self.target)

    def error(self, message: str) -> FileError:
        file = f"{self.target} ({self.checksum.kind.upper()} {self.checksum.digits})"
        fix = f"Try again later to resume the download, or download the file elsewhere and put it there as {file}."
        return FileError(message, fix, where=self.address)

    def fetch_alone(self) -> bool:
        """Download while no other process does so into this folder; False if the other one removed the folder."""
        made = make_folder(self.target.parent)
        with _alone_in(self.target.parent) as is_there, taking_away(made):  # before the next one has the lock
            if is_there and not self.is_done():
                self.fetch(self.target.with_name(f"{self.target.name}.part"))
            return is_there

    def fetch(self, part: Path) -> None:
        begun = part.exists()
        try:
            self.receive(part)
        except BaseException:
            if part.exists() and part.stat().st_size == 0:  # nothing to resume
                part.unlink()
            raise
        if begun and not self.checksum.fits(part):  # the file has changed since, or its beginning was damaged
            part.unlink()
            self.receive(part)
        if not self.checksum.fits(part):
            found = self.checksum.of(part)
            part.unlink()
            raise self.error(f"The file has the {self.checksum.kind.upper()} {found}, not {self.checksum.digits}.")
        part.replace(self.target)

    def receive(self, part: Path) -> None:
        """Receive the rest of a file."""
        done = part.stat().st_size if part.exists() else 0
        request = urllib.request.Request(self.address, headers={"User-Agent": "bleuprint"})
        if done:
            request.add_header("Range", f"bytes={done}-")
        try:
            # urlopen would keep the proxies of its first call
            with urllib.request.build_opener(_Redirects).open(request, timeout=LONGEST_SILENCE) as answer:
                resumes = answer.status == PARTIAL_CONTENT and _begins_at(answer.headers, done)
                done = done if resumes else 0
                rest = answer.headers.get("Content-Length")
                whole = done + int(rest) if rest and rest.isdecimal() and len(rest) <= len(str(MOST_BYTES)) else None
                with part.open("ab" if resumes else "wb") as file:
                    while block := answer.read(BLOCK):
                        file.write(block)
                        done += len(block)
                        if done > MOST_BYTES:
                            break
                        if self.tell:
                            self.tell(self.target.name, done, whole)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == RANGE_NOT_SATISFIABLE and done:  # all of the file is there, or more
                return
            raise self.error(f"The server answers {error.code} {error.reason}.") from None
        except (OSError, http.client.HTTPException, ValueError) as error:  # ValueError: a malformed redirection
            reason = str(getattr(error, "reason", None) or error) or type(error).__name__
            raise self.error(f"The server does not answer: {quote(reason, 200)}.") from None
        if done > MOST_BYTES:
            part.unlink()
            raise self.error(f"expected a file of at most {MOST_BYTES:,} bytes, got a longer one.")
        if whole is not None and done < whole:
            raise self.error(f"The connection broke off after {done:,} of {whole:,} bytes.")


@contextmanager
def _alone_in(folder: Path) -> Iterator[bool]:
    """Lock a folder if the file system has locks; yield whether the folder still exists."""
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


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Closes an answer with a malformed redirection, which urllib leaves open."""

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage
    ) -> Any:
        with closing(fp):
            return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _begins_at(headers: http.client.HTTPMessage, start: int) -> bool:
    return (headers.get("Content-Range") or "").startswith(f"bytes {start}-")


def make_folder(folder: Path) -> list[Path]:
    """Make a folder with its parents, and return the new ones, the innermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.is_dir()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


@contextmanager
def taking_away(folders: list[Path]) -> Iterator[None]:
    """Remove new folders on an error, if they are empty."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for folder in folders:
                folder.rmdir()
        raise
