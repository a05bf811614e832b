"""Formats: lines of text put together to a corpus, whether they come from files, a pipe or a page.

A corpus is a candidate source with reference sources beside it, or one TSV or JSONL source that holds everything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.wording import count_of

STDIN = "-"
FORMS = {".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
Lines = Callable[[str], list[str]]
"""How to get the lines of a source by its name."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the sources held: candidates, the references of each, and their documents where they are known."""

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
    return [line.removesuffix("\r") for line in lines]


def display_name(source: str) -> str:
    """Name a source in messages."""
    return "standard input" if source == STDIN else source or "a file without a name"


def assemble_corpus(
    candidate: str,
    references: Sequence[str],
    lines: Lines,
    *,
    form: str = "auto",
    columns: Sequence[str] = (),
    documents: str | None = None,
) -> Corpus:
    """Put a corpus together; the form follows from the candidate source's name unless it is given."""
    form = _choose_form(candidate, references) if form == "auto" else form
    if columns and form != "tsv":
        raise FileError(
            where="--columns",
            wanted="a TSV file",
            got=f"{form} ({display_name(candidate)})",
            next_step="Leave --columns out, or say --input tsv.",
        )
    if form == "plain":
        corpus = _read_plain(candidate, references, lines)
    elif references:
        raise FileError(
            where=display_name(candidate),
            wanted=f"no reference files beside a {form} file, which holds its references itself",
            got=", ".join(references),
            next_step="Leave them out, or say --input plain if each file holds one text per line.",
        )
    else:
        corpus = _read_tsv(candidate, columns, lines) if form == "tsv" else _read_jsonl(candidate, lines)
    return _with_documents(corpus, documents, candidate, lines) if documents else corpus


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


def _read_plain(candidate: str, references: Sequence[str], lines: Lines) -> Corpus:
    if not references:
        raise FileError(
            where=display_name(candidate),
            wanted="at least one reference file beside it",
            got="none",
            next_step="Name them after it. If it holds its references itself, say --input tsv or --input jsonl.",
        )
    candidates = lines(candidate)
    columns = [lines(reference) for reference in references]
    for name, column in zip(references, columns, strict=True):
        _check_length(len(column), len(candidates), name, candidate)
    return Corpus(list(candidates), list(zip(*columns, strict=True)), source=candidate)


def _check_length(found: int, wanted: int, name: str, candidate: str) -> None:
    if found != wanted:
        raise ShapeError(
            where=display_name(name),
            wanted=f"{count_of(wanted, 'line')}, as many as in {display_name(candidate)},",
            got=f"{found:,}",
            next_step="Each line is one segment; find the line that is missing or too many. Nothing is cut to fit.",
        )


def _with_documents(corpus: Corpus, documents: str, candidate: str, lines: Lines) -> Corpus:
    names = lines(documents)
    _check_length(len(names), len(corpus.candidates), documents, candidate)
    return replace(corpus, documents=names)


def _read_jsonl(source: str, lines: Lines) -> Corpus:
    candidates, references, documents = [], [], []
    for number, line in enumerate(lines(source), start=1):
        row = _parse_object(line, f"{display_name(source)}, line {number}")
        candidates.append(row["candidate"])
        references.append(row["references"])
        documents.append(row.get("document"))
    return Corpus(candidates, references, _complete(documents, source), source)


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


def _complete(documents: Sequence[object], source: str, first: int = 1) -> list[str] | None:
    """Take document names if every segment has one; refuse half of them."""
    named = [name for name in documents if name is not None]
    if not named:
        return None
    for line, name in enumerate(documents, start=first):
        if not isinstance(name, str) or any("\ud800" <= character <= "\udfff" for character in name):
            raise FileError(
                where=f"{display_name(source)}, line {line}",
                wanted="a document name, as other lines have one, without lone surrogates",
                got=quote(name),
                next_step="Name the document of every segment, or of none.",
            )
    return [str(name) for name in named]


def _read_tsv(source: str, columns: Sequence[str], lines: Lines) -> Corpus:
    rows = [line.split("\t") for line in lines(source)]
    first = 1
    if columns and rows and list(columns) == rows[0]:
        raise FileError(
            where=f"{display_name(source)}, line 1",
            wanted="a segment, as --columns names the columns",
            got="the names of the columns",
            next_step="Leave --columns out: the first line says it already.",
        )
    if not columns:
        columns, rows, first = (rows[0] if rows else []), rows[1:], 2
    _check_columns(columns, source)
    candidates: list[object] = []
    references: list[list[str | None]] = []
    documents: list[object] = []
    for number, row in enumerate(rows, start=first):
        cells = _fit_row(row, columns, f"{display_name(source)}, line {number}")
        candidates.append(cells[columns.index("candidate")])
        # A spreadsheet writes a missing cell as an empty one; JSONL can tell "" from null.
        references.append([cell or None for name, cell in zip(columns, cells, strict=True) if name == "reference"])
        if not any(references[-1]):
            raise FileError(
                where=f"{display_name(source)}, line {number}",
                wanted="at least one reference",
                got="only empty cells",
                next_step="Leave the line out. An empty cell is a missing reference; JSONL can hold an empty one.",
            )
        documents.append((cells[columns.index("document")] or None) if "document" in columns else None)
    return Corpus(candidates, list(references), _complete(documents, source, first), source, first)


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
