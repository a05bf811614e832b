"""Text files: their lines, and the corpus that several of them hold; standard input may be one of them.

They are UTF-8, plain or compressed, and split at line feeds and nowhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import IO, NoReturn, Unpack

from bleuprint.advice import Advice
from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.files.kinds import BEGINNING, is_stdin, is_url, looks_like_utf_16, recognise
from bleuprint.text.formats import (
    EVERYTHING,
    STDIN,
    FormatChoices,
    RawCorpus,
    display_name,
    path_of,
    split_lines,
    stream_corpus,
    suffix_of,
)
from bleuprint.text.formats.sources import LONGEST_LINE, PACKED

BLOCK = 1 << 20
BATCH = 16_384


class FileLines:
    """The lines of a file, or of standard input for ``-``, read block by block as they are asked for.

    Lines end with LF or CRLF; U+2028, form feeds and the like are part of the text. A missing final line feed and a
    byte order mark change nothing.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines: list[str] = []
        self._place = 0
        self._rest: list[bytes] = []
        self._done = 0
        self._beginning = b""
        self._at_start = True
        self._ended = False
        with self._reading():
            self._file = open_bytes(source)

    def take(self, count: int) -> list[str]:
        """Take so many lines, or what is left."""
        while len(self._lines) - self._place < count and not self._ended:
            self._read_block()
        taken = self._lines[self._place : self._place + count]
        self._place += len(taken)
        if 2 * self._place >= len(self._lines):  # what is left moves, so there must be as much that went
            del self._lines[: self._place]
            self._place = 0
        return taken

    def count_rest(self) -> int:
        """Count the lines that are left; after that there are none."""
        counted = 0
        while taken := len(self.take(BLOCK)):
            counted += taken
        return counted

    def close(self) -> None:
        """Close the file; standard input is not ours to close."""
        if self._source != STDIN:
            self._file.close()

    def _read_block(self) -> None:
        """Read up to the last line feed of the next block; what follows it waits for more."""
        with self._reading():
            block = self._file.read(BLOCK)
        if self._at_start:
            self._beginning = (self._beginning + block[:BEGINNING])[:BEGINNING]
        self._ended = not block
        self._check_length(block)
        # A NUL is refused at once, even if its line has no end yet.
        end = len(block) if self._ended else max(block.rfind(b"\n"), block.rfind(b"\0")) + 1
        if not (end or self._ended):
            self._rest.append(block)
            return
        data = b"".join([*self._rest, block[:end]])
        self._rest = [block[end:]]
        if not data:
            return
        text = self._decode(data)
        if not self._at_start and text.startswith("\ufeff"):
            text = (
                "\ufeff" + text
            )  # a byte order mark is one at the start of the file only; split_lines drops the first
        self._at_start = False
        lines = split_lines(text)
        self._done += len(lines)
        self._lines += lines

    def _check_length(self, block: bytes) -> None:
        """Refuse a line that is too long before more of it is read."""
        first = block.find(b"\n")
        if sum(map(len, self._rest)) + (len(block) if first < 0 else first) > LONGEST_LINE:
            raise FileError(
                where=f"{display_name(self._source)}, line {self._done + 1}",
                wanted=f"a line of at most {LONGEST_LINE:,} bytes",
                got="a longer one",
                next_step="Each line is one segment. Check that the file has line feeds.",
            )

    def _decode(self, data: bytes) -> str:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self._refuse(data, error.start)
        if "\0" in text:
            self._refuse(data, data.index(0))
        return text

    def _refuse(self, data: bytes, place: int) -> NoReturn:
        """Say what the file is, where its first bytes or its NULs tell; else which byte is wrong, and where."""
        kind = recognise(self._beginning)
        if kind:
            raise FileError(
                where=display_name(self._source),
                wanted="text in UTF-8",
                got=kind.title,
                next_step=kind.next_step or Advice.READ_COLUMNAR,
                values={"form": kind.form},
            )
        line = self._done + data.count(b"\n", 0, place) + 1
        column = place - (data.rfind(b"\n", 0, place) + 1) + 1
        next_step = "Convert the file to UTF-8, for example with iconv."
        if looks_like_utf_16(self._beginning):
            next_step = (
                "It looks like UTF-16, which has a NUL byte in each letter from A to Z: convert it, for example with "
                "iconv -f UTF-16LE -t UTF-8 (or UTF-16BE)."
            )
        elif 0 in data:
            next_step = "No text has NUL bytes: give another file if this one holds no text, or take the NUL bytes out."
        byte = "a NUL byte" if data[place] == 0 else f"the byte 0x{data[place]:02X}"
        raise FileError(
            where=f"{display_name(self._source)}, line {line}",
            wanted="UTF-8",
            got=f"{byte} at byte {column} of the line",
            next_step=next_step,
        ) from None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise FileError(
                where=display_name(self._source),
                wanted="a file",
                got="no file of that name",
                next_step=Advice.CHECK_NAME,
            ) from None
        except reading_errors() as error:
            compressed = suffix_of(path_of(self._source)).lower() in PACKED
            raise FileError(
                where=display_name(self._source),
                wanted="a readable file" + (" compressed as its name says" if compressed else ""),
                got=quote(getattr(error, "strerror", None) or str(error) or type(error).__name__, 200),
                next_step="Check the file and its permissions.",
            ) from None


def read_lines(source: str) -> list[str]:
    """Read all lines of a file at once."""
    with closing(FileLines(source)) as lines:
        return lines.take(EVERYTHING)


def read_corpus(candidate: str, references: Sequence[str] = (), **choices: Unpack[FormatChoices]) -> RawCorpus:
    """Read a whole corpus from files."""
    [corpus] = stream_files(candidate, references, EVERYTHING, **choices)
    return corpus


def stream_files(
    candidate: str, references: Sequence[str] = (), batch: int = BATCH, **choices: Unpack[FormatChoices]
) -> Iterator[RawCorpus]:
    """Read a corpus from files, batch by batch."""
    documents = choices.get("documents")
    refuse_second_stdin([candidate, *references, *([documents] if documents else [])])
    return _refuse_empty(stream_corpus(candidate, references, FileLines, batch, **choices), candidate)


def _refuse_empty(batches: Iterator[RawCorpus], source: str) -> Iterator[RawCorpus]:
    """Pass a corpus on; one without a segment has no score, and its file is named."""
    found = False
    for corpus in batches:
        found = found or bool(corpus.candidates)
        if found:
            yield corpus
    if not found:
        raise ShapeError(
            where=display_name(source),
            wanted="at least one segment",
            got="none",
            next_step="A score of nothing is not defined; check that the right file was given.",
        )


def refuse_second_stdin(sources: Sequence[str]) -> None:
    """Refuse to read standard input as more than one file."""
    piped = sum(map(is_stdin, sources))
    if piped > 1:
        raise FileError(
            where="standard input",
            wanted="at most one file read from it",
            got=str(piped),
            next_step="Put the others into files.",
        )


def open_bytes(source: str) -> IO[bytes]:
    """Open a file, or standard input for ``-``, for reading what is in it once it is unpacked."""
    if source == STDIN:
        return sys.stdin.buffer
    suffix = suffix_of(path_of(source)).lower()
    if not is_url(source):
        opened: IO[bytes] = open(source, "rb")  # noqa: PTH123, SIM115, without importing pathlib; who reads closes it
    else:
        from bleuprint.files.remote import open_remote

        opened = open_remote(source)
    if suffix not in PACKED:
        return opened
    from bleuprint.files.packed import read_packed

    return read_packed(opened, suffix)


def reading_errors() -> tuple[type[Exception], ...]:
    """List what may go wrong while a file is read, or unpacked."""
    import lzma
    import zlib

    return OSError, EOFError, lzma.LZMAError, zlib.error
