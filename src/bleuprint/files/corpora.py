"""Corpora in files: the sources of a corpus are files, or standard input for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Unpack

from bleuprint.errors import FileError, ShapeError
from bleuprint.files.kinds import is_stdin
from bleuprint.files.lines import FileLines
from bleuprint.text.formats import EVERYTHING, FormatChoices, RawCorpus, display_name, stream_corpus

BATCH = 16_384


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
