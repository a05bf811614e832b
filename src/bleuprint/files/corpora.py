"""Corpora in files: the sources of a corpus are files, or standard input for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Unpack

from bleuprint.errors import FileError
from bleuprint.files.lines import FileLines
from bleuprint.text.formats import EVERYTHING, STDIN, FormatChoices, RawCorpus, stream_corpus

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
    return stream_corpus(candidate, references, FileLines, batch, **choices)


def refuse_second_stdin(sources: Sequence[str]) -> None:
    """Refuse to read standard input as more than one file."""
    if sources.count(STDIN) > 1:
        raise FileError(
            where="standard input",
            wanted="at most one file read from it",
            got=str(sources.count(STDIN)),
            next_step="Put the others into files.",
        )
