"""``bleuprint score``: the corpus score, under one recipe or several, of the whole and of its documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from bleuprint.cli.counting import tally_corpus
from bleuprint.cli.options import (
    build_recipes,
    format_option,
    input_options,
    output_option,
    refuse_documents,
    several_recipes_options,
    stream_input,
    threads_option,
)
from bleuprint.cli.printing import deliver, deliver_view, find_writer, tab_separated
from bleuprint.cli.tables import take_table_options, tally_tables
from bleuprint.errors import FileError, ShapeError
from bleuprint.metrics.score import Score
from bleuprint.render.json import render_json
from bleuprint.text.faults import CHOICES
from bleuprint.text.formats import Corpus
from bleuprint.wording import NLTK_STOPS

Scores = dict[str, Score]
Documents = dict[str, Scores]


@click.command("score")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@several_recipes_options
@input_options
@click.option("--by-document", is_flag=True, help="Score every document, too.")
@click.option("--brief", "-b", is_flag=True, help="Print the numbers alone, one per recipe.")
@click.option(
    "--on-error", type=click.Choice(CHOICES),
    help="Parquet, Arrow: refuse malformed rows, or leave them out and say so.  [default: fail]",
)  # fmt: skip
@threads_option
@format_option("text", "json", "tsv", "markdown", "latex")
@output_option
def command(candidate: str, references: tuple[str, ...], **options: Any) -> None:
    """Score a CANDIDATE file against one or more REFERENCE files, line by line.

    A .tsv, .csv or .jsonl file holds candidates and references itself; an .xml file may, with systems and translators
    by name. Of .sgm files there is one with candidates and one or more with references. Files may be .gz or .xz; - is
    standard input.

    Parquet and Arrow files, folders of them and patterns in quotes are read in batches, by column names.
    """
    recipes = build_recipes(options)
    if options["brief"] and (options["by_document"] or options["output_format"] != "text"):
        raise ShapeError(
            where="--brief",
            wanted="text for the whole corpus",
            got="--by-document" if options["by_document"] else f"--format {options['output_format']}",
            next_step="Leave one of the two out.",
        )
    if not options["by_document"]:
        refuse_documents(options, "--by-document beside it", "Say --by-document to score documents, or leave it out.")
    form, names = take_table_options(candidate, options)
    counting = {"by_document": options["by_document"], "threads": options["threads"]}
    if form:
        on_error = options["on_error"] or "fail"
        files = (candidate, *references)
        tally = tally_tables(files, form, names, list(recipes.values()), on_error=on_error, **counting)
    else:
        _refuse_skipping(options["on_error"], candidate)
        batches = _with_documents(stream_input(candidate, references, options), options["by_document"])
        tally = tally_corpus(batches, list(recipes.values()), **counting)
    scores = {name: tally.score(recipe) for name, recipe in recipes.items()}
    documents: Documents = {}
    if options["by_document"]:
        documents = {name: tally.score_documents(recipe) for name, recipe in recipes.items()}
    _deliver(scores, documents, options)


def _refuse_skipping(on_error: str | None, candidate: str) -> None:
    if on_error:
        raise FileError(
            where="--on-error",
            wanted="Parquet or Arrow files",
            got=candidate,
            next_step="Leave it out: a text file whose lines do not fit is always refused.",
        )


def _with_documents(batches: Iterable[Corpus], by_document: bool) -> Iterator[Corpus]:
    for corpus in batches:
        if by_document and corpus.documents is None:
            raise ShapeError(
                where="--by-document",
                wanted="the document of every segment",
                got="none",
                next_step="Give --documents FILE, or a document column or key.",
            )
        yield corpus


def _deliver(scores: Scores, documents: Documents, options: dict[str, Any]) -> None:
    output = options["output"]
    if options["output_format"] == "json":
        deliver(render_json(_as_data(scores, documents)), output)
    elif options["output_format"] == "tsv":
        deliver(_as_tsv(scores, documents), output)
    elif options["output_format"] in ("markdown", "latex"):
        deliver(find_writer(options["output_format"]).render_scores(scores, documents), output)
    elif options["brief"]:
        deliver("\n".join(score.printed for score in scores.values()), output)
    elif len(scores) == 1 and not documents:
        deliver(str(next(iter(scores.values()))), output)
    else:
        _deliver_tables(scores, documents, output)


def _deliver_tables(scores: Scores, documents: Documents, output: str | None) -> None:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from bleuprint.render.terminal import view_scores, visible

    parts: list[RenderableType] = [view_scores(scores)]
    for name, score in scores.items():
        remarks = "".join(f"\n  note: {visible(note)}" for note in score.notes)
        parts.append(Text(f"\n{name}: {score.signature}{remarks}", no_wrap=True, overflow="ignore"))
    for name, groups in documents.items():
        parts += [Text(f"\nBy document, {name}"), view_scores(groups, "document")]
        parts += [
            Text(f"  {visible(document)}: {visible(note)}")
            for document, score in groups.items()
            for note in score.notes
        ]
    deliver_view(Group(*parts), output)


def _as_data(scores: Scores, documents: Documents) -> dict[str, object]:
    entries = [
        {"recipe": name} | score.to_dict() | _document_data(documents.get(name, {})) for name, score in scores.items()
    ]
    return entries[0] if len(entries) == 1 else {"schema": "bleuprint.scores/1", "scores": entries}


def _document_data(groups: Scores) -> dict[str, object]:
    return {"documents": {name: score.to_dict() for name, score in groups.items()}} if groups else {}


def _as_tsv(scores: Scores, documents: Documents) -> str:
    order = max(score.stats.order for score in scores.values())
    entries = [(name, "", score) for name, score in scores.items()]
    entries += [(name, document, one) for name, groups in documents.items() for document, one in groups.items()]
    rows = [_row(*entry, order) for entry in entries]
    numbers = [f"{kind}_{n}" for kind in ("matches", "totals") for n in range(1, order + 1)]
    header = ["recipe", "document", "score", "fraction", "brevity_penalty", "candidate_length", "reference_length"]
    header += [*numbers, "signature"]
    if any(score.recipe.smoothing.kind == "nltk-method6" for score in scores.values()):
        header.append("remark")
        rows = [
            [*row, NLTK_STOPS if score.tool_stops else ""] for row, (_, _, score) in zip(rows, entries, strict=True)
        ]
    return tab_separated(header, rows)


def _row(name: str, document: str, score: Score, order: int) -> list[object]:
    stats = score.stats
    missing = [None] * (order - stats.order)
    lengths = (stats.candidate_length, stats.reference_length)
    numbers = [score.score, score.fraction, score.brevity_penalty, *lengths]
    return [name, document, *numbers, *stats.matches, *missing, *stats.totals, *missing, score.signature]
