"""Formats: lines of text put together to a corpus, whether they come from files, a pipe or a page.

A corpus is a candidate source with reference sources beside it, or one source that holds everything. Lines and rows
come batch by batch, so that their length does not matter, or whole; SGML and XML come whole.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypedDict, Unpack

from bleuprint.advice import Advice
from bleuprint.errors import FileError, Location, name_list, nearest, quote
from bleuprint.text.formats.sources import (
    EVERYTHING,
    FORMS,
    STDIN,
    LineSource,
    ListedLines,
    OpenSource,
    RawCorpus,
    check_lengths,
    detect_form,
    display_name,
    path_of,
    split_lines,
    suffix_of,
)

__all__ = [
    "EVERYTHING", "FORMS", "STDIN", "FormatChoices", "LineSource", "ListedLines", "OpenSource", "RawCorpus",
    "assemble_corpus", "check_lengths", "detect_form", "display_name", "open_rows", "path_of", "split_lines",
    "stream_corpus", "suffix_of",
]  # fmt: skip

DELIMITED = ("tsv", "csv")
MARKUP = ("sgml", "xml")
_TITLES = {"plain": "plain text", "tsv": "TSV", "csv": "CSV", "jsonl": "JSONL", "sgml": "SGML", "xml": "XML"}


if TYPE_CHECKING:
    from typing import Protocol

    class Rows(Protocol):
        """Rows that hold candidate and references, taken from the front."""

        def take(self, count: int) -> RawCorpus:
            """Take so many rows, or what is left."""

        def count_rest(self) -> int:
            """Count the rows that are left; after that there are none."""


class FormatChoices(TypedDict, total=False):
    """How to read sources; what is not said follows from their names and from what they hold."""

    form: str
    """auto, plain, tsv, csv, jsonl, sgml or xml"""
    columns: Sequence[str]
    """names of the columns of a delimited file that does not name them itself"""
    no_header: bool
    """whether the first line of such a file is a segment, even if it looks like names of columns"""
    documents: str | None
    """a source with the document of every segment"""
    system: str | None
    """the candidate's name in SGML or XML that holds several"""
    translators: Sequence[str]
    """the names of the references to use in SGML or XML; all without it"""
    candidate_column: str
    """of TSV, CSV or JSONL: the column, or the key, with the candidate"""
    reference_columns: Sequence[str]
    document_column: str
    label_columns: Sequence[str]
    """of TSV, CSV or JSONL: the columns, or keys, with what a segment belongs to beside its document"""


def assemble_corpus(
    candidate: str, references: Sequence[str], open_source: OpenSource, **choices: Unpack[FormatChoices]
) -> RawCorpus:
    """Put a whole corpus together; the form follows from the candidate source's name unless it is given."""
    [corpus] = stream_corpus(candidate, references, open_source, EVERYTHING, **choices)
    return corpus


def stream_corpus(
    candidate: str, references: Sequence[str], open_source: OpenSource, batch: int, **choices: Unpack[FormatChoices]
) -> Iterator[RawCorpus]:
    """Put a corpus together batch by batch; of an empty one there is one empty batch."""
    given = choices.get("form", "auto")
    form = _choose_form(candidate, references) if given == "auto" else given
    _check_choices(form, candidate, references, choices)
    documents = choices.get("documents")
    with ExitStack() as opened:

        def open_once(name: str) -> LineSource:
            source = open_source(name)
            opened.callback(source.close)  # enter_context imports inspect from Python 3.15 on, which takes longer
            return source

        if form == "plain":
            yield from _stream_plain(candidate, references, documents, open_once, batch)
        elif form in MARKUP:
            forms = [form, *(detect_form(name) if given == "auto" else form for name in references)]
            yield _match_markup((candidate, *references), forms, open_once, choices)
        else:
            rows = open_rows(form, candidate, open_once(candidate), choices)
            batches = _each_batch(rows, batch)
            yield from _with_documents(batches, candidate, rows, documents, open_once) if documents else batches


def open_rows(
    form: str, candidate: str, lines: LineSource, choices: FormatChoices, *, brings_references: bool = True
) -> "Rows":
    """Read the rows of TSV, CSV or JSONL; where references come from elsewhere, a row need not have any."""
    from bleuprint.text.formats.columns import RowColumns

    names = RowColumns(
        choices.get("candidate_column", ""),
        tuple(choices.get("reference_columns", ())),
        choices.get("document_column", ""),
        tuple(choices.get("label_columns", ())),
        brings_references,
    )
    if form in DELIMITED:
        from bleuprint.text.formats.delimited import DelimitedRows

        columns, no_header = choices.get("columns", ()), choices.get("no_header", False)
        return DelimitedRows(form, candidate, columns, lines, names, no_header=no_header)
    from bleuprint.text.formats.jsonl import JsonRows

    return JsonRows(candidate, lines, names)


def _choose_form(candidate: str, references: Sequence[str]) -> str:
    form = detect_form(candidate)
    accepted = {"plain": ("plain",), "sgml": MARKUP, "xml": MARKUP}
    for name in references if form in accepted else ():
        found, own = detect_form(name), f"{display_name(candidate)} is {_TITLES[form]}"
        if found not in accepted[form]:
            raise FileError(
                where=name,
                wanted=f"{'one text per line' if form == 'plain' else 'SGML or XML'}, as {own}",
                got=f"a name that stands for {_TITLES[found]}",
                next_step=Advice.FORMS_BESIDE,
            )
    return form


def _check_choices(form: str, candidate: str, references: Sequence[str], choices: FormatChoices) -> None:
    """Refuse choices that mean nothing for a form."""
    if form not in _TITLES:
        raise FileError(
            where=Location("form"),
            wanted=name_list(["auto", *_TITLES]),
            got=quote(form),
            suggestion=nearest(form, ["auto", *_TITLES]),
            next_step=Advice.CHOOSE_FORM,
        )
    fitting = {"columns": DELIMITED, "system": MARKUP, "translators": MARKUP}
    for choice, forms in fitting.items():
        if choices.get(choice) not in (None, (), []) and form not in forms:
            raise FileError(
                where=Location(choice),
                wanted=f"{' or '.join(_TITLES[one] for one in forms)}",
                got=f"{_TITLES[form]} ({display_name(candidate)})",
                next_step=Advice.LEAVE_CHOICE,
                values={"argument": choice, "first": forms[0], "second": forms[1]},
            )
    if references and form not in ("plain", *MARKUP):
        raise FileError(
            where=display_name(candidate),
            wanted=f"no reference files beside {_TITLES[form]}, which holds its references itself",
            got=", ".join(references),
            next_step=Advice.LEAVE_REFERENCES,
        )
    documents = choices.get("documents")
    if documents and form in MARKUP:
        raise FileError(
            where=Location("documents"),
            wanted=f"no names of documents beside {_TITLES[form]}, which names them itself",
            got=documents,
            next_step=Advice.LEAVE_DOCUMENTS,
        )


def _match_markup(
    sources: Sequence[str], forms: Sequence[str], open_source: OpenSource, choices: FormatChoices
) -> RawCorpus:
    from bleuprint.text.formats.markup import join_markup, read_markup

    found = [
        read_markup(form, source, open_source(source).take(EVERYTHING))
        for form, source in zip(forms, sources, strict=True)
    ]
    return join_markup(found[0], found[1:], choices.get("system"), choices.get("translators", ()))


def _stream_plain(
    candidate: str, references: Sequence[str], documents: str | None, open_source: OpenSource, batch: int
) -> Iterator[RawCorpus]:
    if not references:
        raise FileError(
            where=display_name(candidate),
            wanted="references beside it",
            got="none",
            next_step=Advice.GIVE_REFERENCES,
        )
    names = [candidate, *references, *([documents] if documents else [])]
    sources = [open_source(name) for name in names]
    done = 0
    while True:
        columns = [source.take(batch) for source in sources]
        if len(set(map(len, columns))) > 1:
            check_lengths(names, [done + len(column) + rest.count_rest() for column, rest in zip(columns, sources)])
        candidates, texts = columns[0], columns[1 : 1 + len(references)]
        if candidates or not done:
            own = columns[-1] if documents else None
            yield RawCorpus(list(candidates), list(zip(*texts, strict=True)), own, candidate, done + 1)
        done += len(candidates)
        if len(candidates) < batch:
            return


def _each_batch(rows: "Rows", batch: int) -> Iterator[RawCorpus]:
    first = True
    while True:
        corpus = rows.take(batch)
        if corpus.candidates or first:
            yield corpus
        first = False
        if len(corpus.candidates) < batch:
            return


def _with_documents(
    batches: Iterator[RawCorpus], candidate: str, rows: "Rows", documents: str, open_source: OpenSource
) -> Iterator[RawCorpus]:
    """Take the names of documents from a source of their own."""
    names = open_source(documents)
    done = 0
    for corpus in batches:
        size = len(corpus.candidates)
        own = names.take(size)
        done += size
        if len(own) != size:
            check_lengths((candidate, documents), (done + rows.count_rest(), done - size + len(own)))
        yield corpus.replace(documents=own)
    surplus = names.count_rest()
    if surplus:
        check_lengths((candidate, documents), (done, done + surplus))
