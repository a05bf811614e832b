"""Formats: lines of text put together to a corpus, whether they come from files, a pipe or a page.

A corpus is a candidate source with reference sources beside it, or one TSV or JSONL source that holds everything. It
comes batch by batch, so that its length does not matter, or whole.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import NoReturn, Protocol

from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.wording import count_of

STDIN = "-"
FORMS = {".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
EVERYTHING = sys.maxsize


class LineSource(Protocol):
    """The lines of a source, taken from the front."""

    def take(self, count: int) -> list[str]:
        """Take so many lines, or what is left."""

    def count_rest(self) -> int:
        """Count the lines that are left; after that there are none."""

    def close(self) -> None:
        """Let go of the source."""


OpenSource = Callable[[str], LineSource]
"""How to get at the lines of a source by its name."""


class ListedLines:
    """Lines that are in memory already."""

    def __init__(self, lines: list[str]) -> None:
        self._lines, self._place = lines, 0

    def take(self, count: int) -> list[str]:
        """Take so many lines, or what is left."""
        taken = self._lines[self._place : self._place + count]
        self._place += len(taken)
        return taken

    def count_rest(self) -> int:
        """Count the lines that are left; after that there are none."""
        return len(self.take(EVERYTHING))

    def close(self) -> None:
        """Nothing is held that must be let go of."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the sources held, all of it or a batch: candidates, their references, and documents where they are known."""

    candidates: list[object]
    references: list[object]
    documents: list[str] | None = None
    source: str = ""
    first_line: int = 1

    def place(self, index: int) -> str:
        """Name the file and the line of a segment."""
        return f"{display_name(self.source)}, line {index + self.first_line}"


def split_lines(text: str) -> list[str]:
    """Split at LF and CRLF and nowhere else; a missing final line feed and a byte order mark change nothing."""
    lines = text.removeprefix("\ufeff").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def display_name(source: str) -> str:
    """Name a source in messages."""
    return "standard input" if source == STDIN else source or "a file without a name"


def assemble_corpus(
    candidate: str,
    references: Sequence[str],
    open_source: OpenSource,
    *,
    form: str = "auto",
    columns: Sequence[str] = (),
    documents: str | None = None,
) -> Corpus:
    """Put a whole corpus together; the form follows from the candidate source's name unless it is given."""
    batches = stream_corpus(
        candidate, references, open_source, form=form, columns=columns, documents=documents, batch=EVERYTHING
    )
    [corpus] = batches
    return corpus


def stream_corpus(
    candidate: str,
    references: Sequence[str],
    open_source: OpenSource,
    *,
    form: str = "auto",
    columns: Sequence[str] = (),
    documents: str | None = None,
    batch: int,
) -> Iterator[Corpus]:
    """Put a corpus together batch by batch; of an empty one there is one empty batch."""
    form = _choose_form(candidate, references) if form == "auto" else form
    if columns and form != "tsv":
        raise FileError(
            where="--columns",
            wanted="a TSV file",
            got=f"{form} ({display_name(candidate)})",
            next_step="Leave --columns out, or say --input tsv.",
        )
    if references and form != "plain":
        raise FileError(
            where=display_name(candidate),
            wanted=f"no reference files beside a {form} file, which holds its references itself",
            got=", ".join(references),
            next_step="Leave them out, or say --input plain if each file holds one text per line.",
        )
    with ExitStack() as opened:

        def open_once(name: str) -> LineSource:
            return opened.enter_context(closing(open_source(name)))

        if form == "plain":
            yield from _stream_plain(candidate, references, documents, open_once, batch)
            return
        lines = open_once(candidate)
        parse = _TsvRows(candidate, columns, lines).parse if form == "tsv" else _JsonRows(candidate).parse
        batches = _each_batch(lines, parse, batch)
        yield from _with_documents(batches, candidate, lines, documents, open_once) if documents else batches


def detect_form(name: str) -> str:
    """Tell the form of a file from its name: plain, tsv or jsonl."""
    path = PurePath(name.lower())
    suffix = PurePath(path.stem).suffix if path.suffix in (".gz", ".xz") else path.suffix
    return FORMS.get(suffix, "plain")


def _choose_form(candidate: str, references: Sequence[str]) -> str:
    form = detect_form(candidate)
    for name in references if form == "plain" else ():
        if detect_form(name) != "plain":
            raise FileError(
                where=name,
                wanted=f"one text per line, as {display_name(candidate)} is plain text,",
                got=f"a {detect_form(name)} file by its name",
                next_step="Give a .tsv or .jsonl file alone, or say --input plain if it does hold one text per line.",
            )
    return form


def _stream_plain(
    candidate: str, references: Sequence[str], documents: str | None, open_source: OpenSource, batch: int
) -> Iterator[Corpus]:
    if not references:
        raise FileError(
            where=display_name(candidate),
            wanted="at least one reference file beside it",
            got="none",
            next_step="Name them after it. If it holds its references itself, say --input tsv or --input jsonl.",
        )
    names = [candidate, *references, *([documents] if documents else [])]
    sources = [open_source(name) for name in names]
    done = 0
    while True:
        columns = [source.take(batch) for source in sources]
        if len(set(map(len, columns))) > 1:
            _refuse_lengths(names, [done + len(column) + rest.count_rest() for column, rest in zip(columns, sources)])
        candidates, texts = columns[0], columns[1 : 1 + len(references)]
        if candidates or not done:
            own = columns[-1] if documents else None
            yield Corpus(list(candidates), list(zip(*texts, strict=True)), own, candidate, done + 1)
        done += len(candidates)
        if len(candidates) < batch:
            return


def _each_batch(lines: LineSource, parse: Callable[[list[str]], Corpus], batch: int) -> Iterator[Corpus]:
    first = True
    while True:
        taken = lines.take(batch)
        if taken or first:
            yield parse(taken)
        first = False
        if len(taken) < batch:
            return


def _refuse_lengths(names: Sequence[str], lengths: Sequence[int]) -> NoReturn:
    """Name the first source that has not as many lines as the candidate's."""
    name, found = next((name, found) for name, found in zip(names, lengths, strict=True) if found != lengths[0])
    raise ShapeError(
        where=display_name(name),
        wanted=f"{count_of(lengths[0], 'line')}, as many as in {display_name(names[0])},",
        got=f"{found:,}",
        next_step="Each line is one segment; find the line that is missing or too many. Nothing is cut to fit.",
    )


def _with_documents(
    batches: Iterator[Corpus], candidate: str, lines: LineSource, documents: str, open_source: OpenSource
) -> Iterator[Corpus]:
    """Take the names of documents from a source of their own."""
    names = open_source(documents)
    done = 0
    for corpus in batches:
        size = len(corpus.candidates)
        own = names.take(size)
        done += size
        if len(own) != size:
            _refuse_lengths((candidate, documents), (done + lines.count_rest(), done - size + len(own)))
        yield replace(corpus, documents=own)
    surplus = names.count_rest()
    if surplus:
        _refuse_lengths((candidate, documents), (done, done + surplus))


@dataclass
class _DocumentNames:
    """The names of documents, batch by batch: every segment has one, or none has."""

    source: str
    named: bool | None = None
    first_line: int = 1

    def check(self, names: Sequence[object], line: int) -> list[str] | None:
        """Take the names of a batch that begins at this line; refuse half of them."""
        if self.named is None:
            self.first_line = line
        any_named = any(name is not None for name in names)
        if any_named and self.named is False:
            self._refuse(self.first_line, None)
        self.named = any_named if self.named is None else self.named
        if not self.named:
            return None
        for number, name in enumerate(names, start=line):
            if not isinstance(name, str) or any("\ud800" <= character <= "\udfff" for character in name):
                self._refuse(number, name)
        return [str(name) for name in names]

    def _refuse(self, line: int, name: object) -> NoReturn:
        raise FileError(
            where=f"{display_name(self.source)}, line {line}",
            wanted="a document name, as other lines have one, without lone surrogates",
            got=quote(name),
            next_step="Name the document of every segment, or of none.",
        )


class _JsonRows:
    """JSONL, batch by batch."""

    def __init__(self, source: str) -> None:
        self._source, self._line, self._documents = source, 1, _DocumentNames(source)

    def parse(self, lines: list[str]) -> Corpus:
        """Read the objects of a batch."""
        first, self._line = self._line, self._line + len(lines)
        candidates, references, documents = [], [], []
        for number, line in enumerate(lines, start=first):
            row = _parse_object(line, f"{display_name(self._source)}, line {number}")
            candidates.append(row["candidate"])
            references.append(row["references"])
            documents.append(row.get("document"))
        return Corpus(candidates, references, self._documents.check(documents, first), self._source, first)


def _parse_object(line: str, where: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise FileError(
            where=where,
            wanted="a JSON object",
            got=f"{quote(line)} ({reason})",
            next_step="JSONL has one complete object per line and no empty lines.",
        ) from None
    missing = [key for key in ("candidate", "references") if not isinstance(row, dict) or key not in row]
    if missing:
        raise FileError(
            where=where,
            wanted='an object with "candidate" and "references"',
            got=f"no {' and no '.join(missing)} in {quote(line)}",
            next_step='For example: {"candidate": "a b", "references": ["a b", "a c"], "document": "d1"}.',
        )
    return dict(row)


class _TsvRows:
    """TSV, batch by batch; without ``columns`` the first line names them."""

    def __init__(self, source: str, columns: Sequence[str], lines: LineSource) -> None:
        self._source, self._line, self._documents = source, 1, _DocumentNames(source)
        self._given = bool(columns)
        if not columns:
            header = lines.take(1)
            columns, self._line = (header[0].split("\t") if header else []), 2
        self._columns = list(columns)
        _check_columns(columns, source)

    def parse(self, lines: list[str]) -> Corpus:
        """Read the rows of a batch."""
        first, self._line = self._line, self._line + len(lines)
        if self._given and first == 1 and lines and lines[0].split("\t") == self._columns:
            raise FileError(
                where=f"{display_name(self._source)}, line 1",
                wanted="a segment, as --columns names the columns",
                got="the names of the columns",
                next_step="Leave --columns out: the first line says it already.",
            )
        candidates: list[object] = []
        references: list[list[str | None]] = []
        documents: list[object] = []
        columns = self._columns
        for number, line in enumerate(lines, start=first):
            where = f"{display_name(self._source)}, line {number}"
            cells = _fit_row(line.split("\t"), columns, where)
            candidates.append(cells[columns.index("candidate")])
            # A spreadsheet writes a missing cell as an empty one; JSONL can tell "" from null.
            references.append([cell or None for name, cell in zip(columns, cells, strict=True) if name == "reference"])
            if not any(references[-1]):
                raise FileError(
                    where=where,
                    wanted="at least one reference",
                    got="only empty cells",
                    next_step="Leave the line out. An empty cell is a missing reference; JSONL can hold an empty one.",
                )
            documents.append((cells[columns.index("document")] or None) if "document" in columns else None)
        return Corpus(candidates, list(references), self._documents.check(documents, first), self._source, first)


def _check_columns(columns: Sequence[str], source: str) -> None:
    counts = {name: list(columns).count(name) for name in ("candidate", "reference", "document")}
    if counts["candidate"] != 1 or not counts["reference"] or counts["document"] > 1:
        raise FileError(
            where=f"{display_name(source)}, columns",
            wanted="one 'candidate', one or more 'reference' and at most one 'document'",
            got=quote(list(columns)),
            next_step="Name them in the first line, or with --columns candidate,reference,... if it is not there.",
        )


def _fit_row(row: list[str], columns: Sequence[str], where: str) -> list[str]:
    """Fill up a short row, whose last references are missing; refuse one that is too long."""
    shortest = max(columns.index(name) for name in ("candidate", "reference") if name in columns) + 1
    if not shortest <= len(row) <= len(columns):
        raise FileError(
            where=where,
            wanted=f"{count_of(len(columns), 'column')} ({', '.join(columns)})",
            got=str(len(row)),
            next_step="Columns are parted by tabs, without quotes; a text cannot hold a tab.",
        )
    return row + [""] * (len(columns) - len(row))
