"""Text files: their lines, and the corpus that several of them hold; standard input may be one of them.

They are UTF-8, plain or compressed, and split at line feeds only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Unpack

from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.io.paths import is_stdin, is_url
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
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from bleuprint.text.formats.delimited import Cells

BLOCK = 1 << 20
BATCH = 16_384


class FileLines:
    """The lines of a file, or of standard input for ``-``, read block by block when they are needed.

    Lines end with LF or CRLF; U+2028, form feeds and the like are part of the text. A missing final line feed and a
    byte order mark change nothing.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._done = 0
        with self._reading():
            self._file = open_bytes(source)
        self._lines = chain.from_iterable(self._read())

    def take(self, count: int) -> list[str]:
        """Take so many lines, or what is left."""
        return list(islice(self._lines, count))

    def count_rest(self) -> int:
        """Count the lines that are left; after that there are none."""
        return sum(1 for _ in self._lines)

    def close(self) -> None:
        """Close the file, but not standard input."""
        if self._source != STDIN:
            self._file.close()

    def _read(self) -> Iterator[list[str]]:
        """Read block by block, each up to its last line feed. The rest waits for more."""
        rest: list[bytes] = []
        while True:
            with self._reading():
                block = self._file.read(BLOCK)
            first = block.find(b"\n")
            if sum(map(len, rest)) + (len(block) if first < 0 else first) > LONGEST_LINE:
                message = f"expected a line of at most {LONGEST_LINE:,} bytes, got a longer one."
                raise self._error(message, "Each line is one segment. Check that the file has line feeds.")
            # A NUL is refused at once, even if its line has no end yet.
            end = max(block.rfind(b"\n"), block.rfind(b"\0")) + 1
            if block and not end:
                rest.append(block)
                continue
            data = b"".join([*rest, block[:end]])
            rest = [block[end:]]
            if data:
                lines = self._decode(data)
                self._done += len(lines)
                yield lines
            if not block:
                return

    def _decode(self, data: bytes) -> list[str]:
        text, wrong = "", data.find(b"\0")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            wrong = error.start
        if wrong >= 0:
            column = wrong - data.rfind(b"\n", 0, wrong)
            raise self._error(
                f"expected text in UTF-8, got the byte 0x{data[wrong]:02X} at byte {column} of the line.",
                "Convert the file to UTF-8, for example with iconv. Compressed, Parquet and Arrow files need a name "
                "with their usual ending.",
                data.count(b"\n", 0, wrong),
            )
        if self._done and text.startswith("\ufeff"):  # a byte order mark only at the start of a file
            text = "\ufeff" + text
        return split_lines(text)

    def _error(self, message: str, fix: str, lines: int = 0) -> FileError:
        return FileError(message, fix, where=f"{display_name(self._source)}, line {self._done + lines + 1}")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise missing_file(self._source) from None
        except reading_errors() as error:
            compressed = suffix_of(path_of(self._source)).lower() in PACKED
            reason = quote(getattr(error, "strerror", None) or str(error) or type(error).__name__, 200)
            what = "Cannot read the file, which is compressed by its name" if compressed else "Cannot read the file"
            fix = "Check the file and its permissions."
            raise FileError(f"{what}: {reason}.", fix, where=display_name(self._source)) from None


def missing_file(source: str) -> FileError:
    """Return an error about a file that does not exist."""
    return FileError(f"No such file: {display_name(source)}.", "Check the name and the current folder.")


def read_lines(source: str) -> list[str]:
    """Read all lines of a file at once."""
    with closing(FileLines(source)) as lines:
        return lines.take(EVERYTHING)


def read_table(source: str, form: str) -> tuple[list[str], list[Cells]]:
    """Read a TSV or CSV file: the names of its columns, and its rows."""
    from bleuprint.text.formats.delimited import read_cells

    with closing(FileLines(source)) as lines:
        rows = list(read_cells(form, source, lines))
    _, names = rows.pop(0) if rows else (1, [])
    for line, cells in rows:
        if len(cells) != len(names):
            message = f"expected {count_of(len(names), 'column')}, got {len(cells)}."
            raise FileError(message, "The first line names the columns.", where=f"{display_name(source)}, line {line}")
    return names, rows


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
    """Pass a corpus on; a corpus without segments is an error that names its file."""
    found = False
    for corpus in batches:
        found = found or bool(corpus.candidates)
        if found:
            yield corpus
    if not found:
        message, fix = "expected at least one segment, got none.", "Check that this is the right file."
        raise ShapeError(message, fix, where=display_name(source))


def refuse_second_stdin(sources: Sequence[str]) -> None:
    """Raise an error if standard input would be read as more than one file."""
    if sum(map(is_stdin, sources)) > 1:
        raise FileError("Only one file can be read from standard input.", "Put the others into files.")


def open_bytes(source: str) -> IO[bytes]:
    """Open a file, or standard input for ``-``, and decompress it."""
    if source == STDIN:
        return sys.stdin.buffer
    suffix = suffix_of(path_of(source)).lower()
    if is_url(source):
        from bleuprint.io.opening import open_remote

        opened: IO[bytes] = open_remote(source)
    else:
        opened = open(source, "rb")  # noqa: SIM115, the reader closes it
    if suffix not in PACKED:
        return opened
    from bleuprint.io.opening import read_packed

    return read_packed(opened, suffix, source)


def reading_errors() -> tuple[type[Exception], ...]:
    """List the errors of reading or decompressing a file."""
    import lzma
    import zlib

    return OSError, EOFError, lzma.LZMAError, zlib.error
