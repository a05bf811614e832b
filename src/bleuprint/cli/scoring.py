"""What ``bleuprint score`` does, once its command line is read: count, score, and write the scores down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bleuprint.cli.counting import CorpusTally, tally_corpus
from bleuprint.cli.option_values import ScoreOptions
from bleuprint.cli.printing import deliver, deliver_view, find_writer, tab_separated
from bleuprint.errors import FileError, ShapeError
from bleuprint.files.corpora import stream_files
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.formats import RawCorpus
from bleuprint.wording import NLTK_STOPS

Scores = dict[str, AnyScore]
Documents = dict[str, Scores]


def score_files(options: ScoreOptions) -> None:
    """Score a candidate file against its reference files, and show the scores."""
    recipes = options.recipe.aimed_at(options.reading.testset).build()
    if options.brief and (options.by_document or options.output_format != "text"):
        raise ShapeError(
            where="--brief",
            wanted="text for the whole corpus",
            got="--by-document" if options.by_document else f"--format {options.output_format}",
            next_step="Leave one of the two out.",
        )
    if not options.by_document:
        options.reading.refuse_documents(
            "--by-document beside it", "Say --by-document to score documents, or leave it out."
        )
    tally, label = _tally(options, list(recipes.values()))
    scores = {name: tally.score(recipe).on_testset(label) for name, recipe in recipes.items()}
    documents: Documents = {}
    if options.by_document:
        documents = {
            name: {document: score.on_testset(label) for document, score in tally.score_documents(recipe).items()}
            for name, recipe in recipes.items()
        }
    _deliver(scores, documents, options)


def _tally(options: ScoreOptions, recipes: list[Recipe]) -> tuple[CorpusTally, str]:
    """Count the corpus; beside the sums there is the label of the test set, if it has one."""
    candidate, references, by_document = options.candidate, options.references, options.by_document
    if options.reading.testset is not None:
        from bleuprint.cli.testset_reading import open_testset, read_for_testset

        _refuse_skipping(options.on_error, candidate)
        testset = open_testset(options.reading.testset, references, options.reading.translators)
        batches = _with_documents([read_for_testset(candidate, testset, options.reading)], by_document)
        return tally_corpus(batches, recipes, by_document=by_document, threads=options.threads), testset.label
    form = options.reading.find_form(candidate)
    if form:
        from bleuprint.cli.columnar import tally_columnar
        from bleuprint.cli.reading import column_names

        tally = tally_columnar(
            (candidate, *references), form, column_names(options.reading), recipes,
            by_document=by_document, on_error=options.on_error or "fail", threads=options.threads,
        )  # fmt: skip
        return tally, ""
    _refuse_skipping(options.on_error, candidate)
    lines = stream_files(candidate, references, **options.reading.format_choices())
    batches = _with_documents(lines, by_document)
    return tally_corpus(batches, recipes, by_document=by_document, threads=options.threads), ""


def _refuse_skipping(on_error: str | None, candidate: str) -> None:
    if on_error:
        raise FileError(
            where="--on-error",
            wanted="Parquet or Arrow files",
            got=candidate,
            next_step="Leave it out: a text file whose lines do not fit is always refused.",
        )


def _with_documents(batches: Iterable[RawCorpus], by_document: bool) -> Iterator[RawCorpus]:
    for corpus in batches:
        if by_document and corpus.documents is None:
            raise ShapeError(
                where="--by-document",
                wanted="the document of every segment",
                got="none",
                next_step="Give --documents FILE, or a document column or key.",
            )
        yield corpus


def _deliver(scores: Scores, documents: Documents, options: ScoreOptions) -> None:
    output = options.output
    if options.output_format == "json":
        from bleuprint.render.json import render_json

        deliver(render_json(_as_data(scores, documents)), output)
    elif options.output_format == "tsv":
        deliver(_as_tsv(scores, documents), output)
    elif options.output_format in ("markdown", "latex"):
        deliver(find_writer(options.output_format).render_scores(scores, documents), output)
    elif options.brief:
        deliver("\n".join(score.printed for score in scores.values()), output)
    elif len(scores) == 1 and not documents:
        deliver(str(next(iter(scores.values()))), output)
    else:
        _deliver_text(scores, documents, output)


def _deliver_text(scores: Scores, documents: Documents, output: str | None) -> None:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from bleuprint.render.terminal import view_scores
    from bleuprint.render.terminal_parts import visible

    parts: list[RenderableType] = [view_scores(scores)]
    for name, score in scores.items():
        remarks = "".join(f"\n  note: {visible(note.text)}" for note in score.notes)
        parts.append(Text(f"\n{name}: {score.signature}{remarks}", no_wrap=True, overflow="ignore"))
    for name, groups in documents.items():
        parts += [Text(f"\nBy document, {name}"), view_scores(groups, "document")]
        parts += [
            Text(f"  {visible(document)}: {visible(note.text)}")
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
    entries = [(name, "", score) for name, score in scores.items()]
    entries += [(name, document, one) for name, groups in documents.items() for document, one in groups.items()]
    quantities = list(dict.fromkeys(name for score in scores.values() for name in score.quantities))
    counts = _unite_columns([score.recipe for score in scores.values()])
    rows: list[list[object]] = []
    for name, document, score in entries:
        made, counted = score.quantities, score.counts
        numbers = [*map(made.get, quantities), *map(counted.get, counts)]
        rows.append([name, document, score.score, score.fraction, *numbers, score.signature])
    header = ["recipe", "document", "score", "fraction", *quantities, *counts, "signature"]
    if any(score.recipe.may_stop for score in scores.values()):
        header.append("remark")
        rows = [
            [*row, NLTK_STOPS if score.tool_stops else ""] for row, (_, _, score) in zip(rows, entries, strict=True)
        ]
    return tab_separated(header, rows)


def _unite_columns(recipes: list[Recipe]) -> list[str]:
    """Name the columns that any of the recipes has: one metric after the other, of each the longest rows first."""
    keys = [recipe.metric.key for recipe in recipes]
    ordered = sorted(recipes, key=lambda recipe: (keys.index(recipe.metric.key), -recipe.layout.width))
    return list(dict.fromkeys(name for recipe in ordered for name in recipe.layout.columns))
