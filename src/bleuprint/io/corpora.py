"""Corpora in files: the sources of a corpus are files, or standard input for one of them."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.errors import FileError
from bleuprint.formats import STDIN, Corpus, assemble_corpus
from bleuprint.io.lines import read_lines


def read_corpus(
    candidate: str,
    references: Sequence[str] = (),
    *,
    form: str = "auto",
    columns: Sequence[str] = (),
    documents: str | None = None,
) -> Corpus:
    """Read a corpus from files."""
    sources = [candidate, *references, *([documents] if documents else [])]
    if sources.count(STDIN) > 1:
        raise FileError(
            where="standard input",
            wanted="at most one file read from it",
            got=str(sources.count(STDIN)),
            next_step="Put the others into files.",
        )
    return assemble_corpus(candidate, references, read_lines, form=form, columns=columns, documents=documents)
