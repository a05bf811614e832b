"""Formats: lines of text put together to a corpus, whether they come from files, a pipe or a page.

A corpus is a candidate source with reference sources, or one source that holds everything. Lines and rows are read in
batches, so that their number does not matter. SGML and XML are read whole.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from bleuprint.errors import FileError, Location, unknown_name
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

if TYPE_CHECKING:
    from bleuprint.text.formats.columns import Rows

__all__ = [
    "EVERYTHING", "FORMS", "STDIN", "FormatChoices", "LineSource", "ListedLines", "OpenSource", "RawCorpus",
    "assemble_corpus", "check_lengths", "detect_form", "display_name", "open_rows", "path_of", "split_lines",
    "stream_corpus", "suffix_of",
]  # fmt: skip

DELIMITED = ("tsv", "csv")
MARKUP = ("sgml", "xml")
_TITLES = {"plain": "plain text", "tsv": "TSV", "csv": "CSV", "jsonl": "JSONL", "sgml": "SGML", "xml": "XML"}
_AS_PLAIN = 'use `form="plain"` if each file holds one text per line.'


class FormatChoices(TypedDict, total=False):
    """How to read sources; the rest follows from their names and content."""

    form: str
    """auto, plain, tsv, csv, jsonl, sgml or xml"""
    columns: Sequence[str]
    """names of the columns of a delimited file without a header"""
    no_header: bool
    """whether the first line of such a file is a segment, even if it looks like a header"""
    documents: str | None
    """a source with the document of every segment"""
    system: str | None
    """the candidate's name in SGML or XML with several systems"""
    translators: Sequence[str]
    """the names of the references to use in SGML or XML; all without it"""
    candidate_column: str
    """the column, or the key, of the candidates in TSV, CSV or JSONL"""
    reference_columns: Sequence[str]
    document_column: str
    label_columns: Sequence[str]
    """the columns, or keys, with other labels of the segments"""


def assemble_corpus(
    candidate: str, references: Sequence[str], open_source: OpenSource, **choices: Unpack[FormatChoices]
) -> RawCorpus:
    """Put a whole corpus together; the form follows from the candidate source's name unless it is given."""
    [corpus] = stream_corpus(candidate, references, open_source, EVERYTHING, **choices)
    return corpus


def stream_corpus(
    candidate: str, references: Sequence[str], open_source: OpenSource, batch: int, **choices: Unpack[FormatChoices]
) -> Iterator[RawCorpus]:
    """Put a corpus together batch by batch; an empty corpus has one empty batch."""
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
            from bleuprint.text.formats.markup import join_markup, read_markup

            forms = [form, *(detect_form(name) if given == "auto" else form for name in references)]
            sources = zip(forms, (candidate, *references), strict=True)
            system, *others = [read_markup(form, name, open_once(name).take(EVERYTHING)) for form, name in sources]
            yield join_markup(system, others, choices.get("system"), choices.get("translators", ()))
        else:
            rows = open_rows(form, candidate, open_once(candidate), choices)
            batches = _each_batch(rows, batch)
            yield from _with_documents(batches, candidate, rows, documents, open_once) if documents else batches


def open_rows(
    form: str, candidate: str, lines: LineSource, choices: FormatChoices, *, brings_references: bool = True
) -> "Rows[Any]":
    """Read the rows of TSV, CSV or JSONL, with their references unless these come from elsewhere."""
    from bleuprint.text.formats.columns import ColumnNames

    names = ColumnNames(
        choices.get("candidate_column", ""),
        tuple(choices.get("reference_columns", ())),
        choices.get("document_column", ""),
        tuple(choices.get("label_columns", ())),
        brings_references,
    )
    if form in DELIMITED:
        from bleuprint.text.formats.delimited import read_delimited

        columns, no_header = choices.get("columns", ()), choices.get("no_header", False)
        return read_delimited(form, candidate, columns, lines, names, no_header=no_header)
    from bleuprint.text.formats.jsonl import read_jsonl

    return read_jsonl(candidate, lines, names)


def _choose_form(candidate: str, references: Sequence[str]) -> str:
    form = detect_form(candidate)
    accepted = {"plain": ("plain",), "sgml": MARKUP, "xml": MARKUP}.get(form, tuple(_TITLES))
    for name in references:
        found = detect_form(name)
        if found not in accepted:
            raise FileError(
                f"{display_name(candidate)} is {_TITLES[form]}, but {display_name(name)} is {_TITLES[found]}.",
                f"A .tsv, .csv or .jsonl file has its references itself, SGML and XML go together. Or {_AS_PLAIN}",
            )
    return form


def _check_choices(form: str, candidate: str, references: Sequence[str], choices: FormatChoices) -> None:
    """Raise an error about choices that mean nothing for a form."""
    if form not in _TITLES:
        raise unknown_name("format", form, ["auto", *_TITLES], location=Location("form"), error=FileError)
    title = _TITLES[form]
    for choice, forms in {"columns": DELIMITED, "system": MARKUP, "translators": MARKUP}.items():
        if choices.get(choice) not in (None, (), []) and form not in forms:
            raise FileError(
                f"expected {' or '.join(_TITLES[one] for one in forms)}, got {title} ({display_name(candidate)}).",
                f'Leave out `{choice}`, or use `form="{forms[0]}"` or `form="{forms[1]}"`.',
                location=Location(choice),
            )
    if references and form not in ("plain", *MARKUP):
        message = f"{title} has its references itself, got {', '.join(references)} as well."
        raise FileError(message, f"Leave them out, or {_AS_PLAIN}", where=display_name(candidate))
    if choices.get("documents") and form in MARKUP:
        raise FileError(
            f"{title} names its documents itself.", "Leave out `documents`.", location=Location("documents")
        )


def _stream_plain(
    candidate: str, references: Sequence[str], documents: str | None, open_source: OpenSource, batch: int
) -> Iterator[RawCorpus]:
    if not references:
        raise FileError(
            "There are no references.",
            'Name their files after it. If the file has its references itself, use `form="tsv"`, `form="csv"`, '
            '`form="jsonl"` or `form="xml"`.',
            where=display_name(candidate),
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
            labels = columns[-1] if documents else None
            yield RawCorpus(list(candidates), list(zip(*texts, strict=True)), labels, candidate, done + 1)
        done += len(candidates)
        if len(candidates) < batch:
            return


def _each_batch(rows: "Rows[Any]", batch: int) -> Iterator[RawCorpus]:
    first = True
    while True:
        corpus = rows.take(batch)
        if corpus.candidates or first:
            yield corpus
        first = False
        if len(corpus.candidates) < batch:
            return


def _with_documents(
    batches: Iterator[RawCorpus], candidate: str, rows: "Rows[Any]", documents: str, open_source: OpenSource
) -> Iterator[RawCorpus]:
    """Add the names of documents from another source."""
    names = open_source(documents)
    done = 0
    for corpus in batches:
        size = len(corpus.candidates)
        own = names.take(size)
        done += size
        if len(own) != size:
            check_lengths((candidate, documents), (done + rows.count_rest(), done - size + len(own)))
        yield corpus._replace(documents=own)
    surplus = names.count_rest()
    if surplus:
        check_lengths((candidate, documents), (done, done + surplus))
