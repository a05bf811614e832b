"""Candidates for a test set by name: lines, records or columns, beside references that are there already."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from bleuprint.cli.printing import print_to_stderr
from bleuprint.errors import FileError, ShapeError, name_list, nearest, quote
from bleuprint.files.kinds import columnar_form
from bleuprint.files.lines import FileLines
from bleuprint.testsets.names import split_name
from bleuprint.testsets.providers import find_texts
from bleuprint.testsets.testset import Testset, choose_references
from bleuprint.text.formats import EVERYTHING, RawCorpus, detect_form, display_name, open_rows
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuprint.cli.option_values import InputOptions
    from bleuprint.testsets.downloads import Tell

ALWAYS_USED = ("--testset", "--translator", "--input")
USED: Mapping[str, tuple[str, ...]] = {
    "plain": (),
    "tsv": ("--columns", "--no-header", "--candidate-column", "--document-column"),
    "csv": ("--columns", "--no-header", "--candidate-column", "--document-column"),
    "jsonl": ("--candidate-column", "--document-column"),
}
"""The forms of candidates, and what may be said of how to read them."""


def open_testset(name: str, references: Sequence[str] = (), translators: Sequence[str] = ()) -> Testset:
    """Find the test set that was asked for; who watches is told what is being fetched."""
    if references:
        raise FileError(
            where="--testset",
            wanted="no reference files beside it, as it brings its references",
            got=", ".join(references),
            next_step="Leave one of the two out.",
        )
    try:
        parts = split_name(name)
    except FileError as error:
        raise error.reworded(where="--testset") from None
    with telling_downloads() as tell:
        texts = find_texts(parts, tell)
    return Testset(texts, choose_references(texts, translators))


@contextmanager
def telling_downloads() -> Iterator[Tell]:
    """Say on standard error what is being fetched: once, or on a terminal as it grows."""
    told = ""

    def tell(what: str, done: int, whole: int | None) -> None:
        nonlocal told
        if sys.stderr.isatty():
            size = f"{done / 1e6:,.1f} MB" + (f" of {whole / 1e6:,.1f}" if whole else "")
            print("\r", end="", file=sys.stderr)
            print_to_stderr(f"fetching {what}: {size}", end="")
        elif told != what:
            print_to_stderr(f"fetching {what}")
        told = what

    try:
        yield tell
    finally:
        if told and sys.stderr.isatty():
            print_to_stderr("")


def read_for_testset(candidate: str, testset: Testset, reading: InputOptions) -> RawCorpus:
    """Read the candidates, each beside the references of its segment; documents that are named must be the set's."""
    form = reading.form if reading.form != "auto" else columnar_form(candidate) or detect_form(candidate)
    _check_options(form, candidate, reading)
    with closing(FileLines(candidate)) as lines:
        if form == "plain":
            corpus = RawCorpus(list(lines.take(EVERYTHING)), [], None, candidate)
        else:
            rows = open_rows(form, candidate, lines, reading.format_choices(), brings_references=False)
            corpus = rows.take(EVERYTHING)
    if corpus.documents and testset.documents and _each_once(corpus.documents) and _each_once(testset.documents):
        corpus = _pick_documents(corpus, corpus.documents, testset, testset.documents)
    if len(corpus.candidates) != len(testset.references):
        raise ShapeError(
            where=display_name(candidate),
            wanted=f"{count_of(len(testset.references), 'segment')}, as many as {testset.name} has",
            got=f"{len(corpus.candidates):,}",
            next_step="Find the segment that is missing or too many. Nothing is cut to fit.",
        )
    if corpus.documents and testset.documents:
        _check_documents(corpus, testset)
    return corpus.replace(references=list(testset.references), documents=testset.documents or corpus.documents)


def read_labels_of(testset: Testset, names: Sequence[str]) -> dict[str, list[str]]:
    """Read fields of a test set that say what a segment belongs to."""
    known = {"origin": testset.origin, "domain": testset.domain}
    there = ["document", *(name for name, labels in known.items() if labels is not None)]
    found = {}
    for name in names:
        labels = known.get(name)
        if labels is None:
            raise FileError(
                where=f"--by {name}",
                wanted=name_list(there),
                got=quote(name),
                suggestion=nearest(name, there),
                next_step=f"By these {testset.name} can be parted.",
            )
        found[name] = labels
    return found


def _each_once(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names)


def _pick_documents(corpus: RawCorpus, own: list[str], testset: Testset, wanted: list[str]) -> RawCorpus:
    """Find every segment by its document, where these tell segments apart; others are of other sets, and that is said.

    So WMT's files are made: a system's has its documents in all languages.
    """
    places = {name: place for place, name in enumerate(own)}
    missing = [name for name in wanted if name not in places]
    if missing:
        raise ShapeError(
            where=display_name(corpus.source),
            wanted=f"the document {quote(missing[0])}, as {testset.name} has it",
            got=f"no such document ({len(missing):,} of {len(wanted):,} are missing)",
            next_step="Every segment of the test set needs a candidate.",
        )
    picked = [places[name] for name in wanted]
    if len(picked) < len(own):
        found = f"{len(picked):,} of {count_of(len(own), 'row')} are of {testset.name}, the others of other documents"
        print_to_stderr(f"bleuprint: {display_name(corpus.source)}: {found}")
    lines = corpus.lines or range(corpus.first_line, corpus.first_line + len(own))
    return RawCorpus(
        [corpus.candidates[place] for place in picked],
        [],
        wanted,
        corpus.source,
        lines=[lines[place] for place in picked],
    )


def _check_options(form: str, candidate: str, reading: InputOptions) -> None:
    """Refuse forms that bring references themselves, and options that mean nothing here."""
    if form not in USED:
        raise FileError(
            where=display_name(candidate),
            wanted=f"candidates as {', '.join(USED)} beside --testset",
            got=form,
            next_step="Write them one per line; --input says what a file is where its name does not.",
        )
    reading.refuse_empty_columns()
    for flag in reading.given():
        if flag not in ALWAYS_USED and flag not in USED[form]:
            raise FileError(
                where=flag,
                wanted=f"only {', '.join((*ALWAYS_USED, *USED[form]))} for {form} candidates of a test set",
                got=f"{flag} with {display_name(candidate)}",
                next_step="Leave it out: the test set brings references and documents.",
            )


def _check_documents(corpus: RawCorpus, testset: Testset) -> None:
    """See that candidates come in the order of the set, as far as their documents tell."""
    for place, (own, wanted) in enumerate(zip(corpus.documents or (), testset.documents or (), strict=True)):
        if own != wanted:
            raise ShapeError(
                where=corpus.place(place),
                wanted=f"a segment of the document {quote(wanted)}, as {testset.name} has it there",
                got=quote(own),
                next_step="Bring the candidates into the order of the test set.",
            )
