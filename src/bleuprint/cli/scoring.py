"""What ``bleuprint score`` does, once its command line is read: count, score, and write the scores down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bleuprint.cli.counting import CorpusTally, tally_corpus
from bleuprint.cli.option_values import ScoreOptions
from bleuprint.cli.printing import deliver, deliver_view, find_writer, tab_separated
from bleuprint.errors import FileError, ShapeError
from bleuprint.files.corpora import stream_files
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.formats import RawCorpus
from bleuprint.wording import NLTK_STOPS

if TYPE_CHECKING:
    from bleuprint.findings.gates import Gate

Scores = dict[str, AnyScore]
Documents = dict[str, Scores]


def score_files(options: ScoreOptions) -> int:
    """Score a candidate file against its reference files, show the scores, and give the exit code."""
    recipes = options.recipe.build()
    _check_options(options)
    limits = _read_gates(options, recipes)
    tally = _tally(options, list(recipes.values()))
    scores = {name: tally.score(recipe) for name, recipe in recipes.items()}
    documents: Documents = {}
    if options.by_document:
        documents = {name: tally.score_documents(recipe) for name, recipe in recipes.items()}
    if not limits:
        _deliver(scores, documents, [], options)
        return 0
    from bleuprint.cli.gates import close_gates, hold_scores

    gates = hold_scores(scores, limits)
    _deliver(scores, documents, gates, options)
    return close_gates(gates)


def _check_options(options: ScoreOptions) -> None:
    if options.brief and (options.by_document or options.output_format != "text"):
        raise ShapeError(
            where="--brief",
            wanted="text for the whole corpus",
            got="--by-document" if options.by_document else f"--format {options.output_format}",
            next_step="Leave one of the two out.",
        )
    if options.by_document and options.output_format == "junit":
        raise ShapeError(
            where="--by-document",
            wanted="a format that shows documents",
            got="--format junit, which has gates alone",
            next_step="Leave one of the two out.",
        )
    if not options.by_document:
        options.reading.refuse_documents(
            "--by-document beside it", "Say --by-document to score documents, or leave it out."
        )


def _read_gates(options: ScoreOptions, recipes: dict[str, Recipe]) -> dict[str, float]:
    if not (options.fail_under or options.fail_over):
        if options.output_format == "junit":
            from bleuprint.cli.gates import refuse_junit

            refuse_junit("Add --fail-under NUMBER, or --fail-over NUMBER for TER.")
        return {}
    from bleuprint.cli.gates import read_gates

    return read_gates(options.fail_under, options.fail_over, recipes)


def _tally(options: ScoreOptions, recipes: list[Recipe]) -> CorpusTally:
    candidate, references, by_document = options.candidate, options.references, options.by_document
    form = options.reading.find_form(candidate)
    if form:
        from bleuprint.cli.columnar import tally_columnar
        from bleuprint.cli.reading import column_names

        return tally_columnar(
            (candidate, *references), form, column_names(options.reading), recipes,
            by_document=by_document, on_error=options.on_error or "fail", threads=options.threads,
        )  # fmt: skip
    _refuse_skipping(options.on_error, candidate)
    lines = stream_files(candidate, references, **options.reading.format_choices())
    batches = _with_documents(lines, by_document)
    return tally_corpus(batches, recipes, by_document=by_document, threads=options.threads)


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


def _deliver(scores: Scores, documents: Documents, gates: list[Gate], options: ScoreOptions) -> None:
    output = options.output
    if options.output_format == "json":
        from bleuprint.render.json import render_json

        deliver(render_json(_as_data(scores, documents, gates)), output)
    elif options.output_format == "tsv":
        deliver(_as_tsv(scores, documents), output)
    elif options.output_format == "markdown":
        from bleuprint.render.markdown_parts import list_gates

        deliver(list_gates(gates) + find_writer("markdown").render_scores(scores, documents), output)
    elif options.output_format == "latex":
        deliver(find_writer("latex").render_scores(scores, documents), output)
    elif options.output_format == "junit":
        from bleuprint.render.junit import render_junit

        signatures = {name: score.signature for name, score in scores.items()}
        deliver(render_junit("bleuprint score", gates, signatures), output)
    elif options.brief:
        deliver("\n".join(score.printed for score in scores.values()), output)
    elif len(scores) == 1 and not documents:
        deliver("\n".join([str(next(iter(scores.values()))), *_gate_lines(gates)]), output)
    else:
        _deliver_text(scores, documents, gates, output)


def _gate_lines(gates: Iterable[Gate]) -> list[str]:
    return [f"  {gate.line}" for gate in gates]


def _deliver_text(scores: Scores, documents: Documents, gates: list[Gate], output: str | None) -> None:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from bleuprint.render.terminal import view_scores
    from bleuprint.render.terminal_parts import visible

    parts: list[RenderableType] = [view_scores(scores)]
    for name, score in scores.items():
        remarks = "".join(f"\n  note: {visible(note.text)}" for note in score.notes)
        remarks += "".join(f"\n{line}" for line in _gate_lines(gate for gate in gates if gate.recipe == name))
        parts.append(Text(f"\n{name}: {score.signature}{remarks}", no_wrap=True, overflow="ignore"))
    for name, groups in documents.items():
        parts += [Text(f"\nBy document, {name}"), view_scores(groups, "document")]
        parts += [
            Text(f"  {visible(document)}: {visible(note.text)}")
            for document, score in groups.items()
            for note in score.notes
        ]
    deliver_view(Group(*parts), output)


def _as_data(scores: Scores, documents: Documents, gates: list[Gate]) -> dict[str, object]:
    entries = [
        {"recipe": name} | score.to_dict() | _document_data(documents.get(name, {})) | _gate_data(name, gates)
        for name, score in scores.items()
    ]
    return entries[0] if len(entries) == 1 else {"schema": "bleuprint.scores/1", "scores": entries}


def _document_data(groups: Scores) -> dict[str, object]:
    return {"documents": {name: score.to_dict() for name, score in groups.items()}} if groups else {}


def _gate_data(recipe: str, gates: list[Gate]) -> dict[str, object]:
    own = [gate._asdict() for gate in gates if gate.recipe == recipe]
    return {"gates": own} if own else {}


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
