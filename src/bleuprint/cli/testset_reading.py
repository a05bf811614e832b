"""Candidates for a test set by name: lines, records or columns, with the references of the test set."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from bleuprint.cli.call import exclude
from bleuprint.cli.printing import print_to_stderr
from bleuprint.errors import FileError, ShapeError, quote, unknown_name
from bleuprint.io.lines import FileLines
from bleuprint.io.providers import find_texts
from bleuprint.io.testset import Testset, choose_references, split_name
from bleuprint.text.formats import EVERYTHING, RawCorpus, check_lengths, display_name, open_rows
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuprint.cli.call import InputOptions
    from bleuprint.io.downloads import Tell


def open_testset(name: str, references: Sequence[str] = (), translators: Sequence[str] = ()) -> Testset:
    """Find a test set, and fetch it if it is missing."""
    exclude(("--testset", "reference files", references, "a test set has references"))
    try:
        parts = split_name(name)
    except FileError as error:
        raise error.reworded(where="--testset") from None
    with showing_downloads() as show:
        texts = find_texts(parts, show)
    return Testset(texts, choose_references(texts, translators))


@contextmanager
def showing_downloads() -> Iterator[Tell]:
    """Print on standard error what is fetched: once, or on a terminal with its progress."""
    shown = ""

    def show(what: str, done: int, whole: int | None) -> None:
        nonlocal shown
        if sys.stderr.isatty():
            size = f"{done / 1e6:,.1f} MB" + (f" of {whole / 1e6:,.1f}" if whole else "")
            print("\r", end="", file=sys.stderr)
            print_to_stderr(f"fetching {what}: {size}", end="")
        elif shown != what:
            print_to_stderr(f"fetching {what}")
        shown = what

    try:
        yield show
    finally:
        if shown and sys.stderr.isatty():
            print_to_stderr("")


def read_for_testset(candidate: str, testset: Testset, reading: InputOptions) -> RawCorpus:
    """Read candidates, and add the references and documents of the test set."""
    form = reading.check(candidate)
    with closing(FileLines(candidate)) as lines:
        if form == "plain":
            corpus = RawCorpus(list(lines.take(EVERYTHING)), [], None, candidate)
        else:
            rows = open_rows(form, candidate, lines, reading.format_choices(), brings_references=False)
            corpus = rows.take(EVERYTHING)
    if corpus.documents and testset.documents and _are_unique(corpus.documents) and _are_unique(testset.documents):
        corpus = _pick_documents(corpus, corpus.documents, testset, testset.documents)
    check_lengths([testset.name, candidate], [len(testset.references), len(corpus.candidates)])
    for index, (own, expected) in enumerate(zip(corpus.documents or (), testset.documents or (), strict=False)):
        if own != expected:
            message = f"expected a segment of the document {quote(expected)}, as in {testset.name}, got {quote(own)}."
            raise ShapeError(message, "Put the candidates into the order of the test set.", where=corpus.place(index))
    return corpus._replace(references=list(testset.references), documents=testset.documents or corpus.documents)


def read_labels_of(testset: Testset, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the labels of the segments by origin or domain."""
    known = {"origin": testset.origin, "domain": testset.domain}
    there = {name: labels for name, labels in known.items() if labels is not None}
    for name in names:
        if name not in there:
            raise unknown_name("--by", name, ["document", *there], error=FileError)
    return {name: there[name] for name in names}


def _are_unique(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names)


def _pick_documents(corpus: RawCorpus, own: list[str], testset: Testset, wanted: list[str]) -> RawCorpus:
    """Find every segment by its document, and print how many rows belong to other sets.

    WMT's files need this: that of a system has its documents in all languages.
    """
    positions = {name: position for position, name in enumerate(own)}
    missing = [name for name in wanted if name not in positions]
    if missing:
        count = f"{len(missing):,} of {len(wanted):,} are missing"
        raise ShapeError(
            f"{display_name(corpus.source)} has no document {quote(missing[0])} of {testset.name} ({count}).",
            "Every segment of the test set needs a candidate.",
        )
    picked = [positions[name] for name in wanted]
    if len(picked) < len(own):
        found = f"{len(picked):,} of {count_of(len(own), 'row')} are of {testset.name}, the others of other documents"
        print_to_stderr(f"bleuprint: {display_name(corpus.source)}: {found}")
    lines = corpus.lines or range(corpus.first_line, corpus.first_line + len(own))
    candidates, numbers = [corpus.candidates[place] for place in picked], [lines[place] for place in picked]
    return RawCorpus(candidates, [], wanted, corpus.source, lines=numbers)
