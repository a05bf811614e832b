"""What ``bleuprint score`` does, once its command line is read: count, score, and hand the scores on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bleuprint.cli.counting import CorpusTally, tally_corpus
from bleuprint.cli.option_values import ScoreOptions
from bleuprint.cli.printing import complain, deliver
from bleuprint.errors import FileError, ShapeError, nearest, quote
from bleuprint.files.lines import stream_files
from bleuprint.native_kernel import advise_kernel, engine
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.formats import RawCorpus
from bleuprint.text.formats.sources import DOCUMENT

if TYPE_CHECKING:
    from bleuprint.findings.comparison.results import Settings
    from bleuprint.metrics.score import AnyScore

LONG = 10_000
"""From so many segments on, one waits for the slow engine."""


def score_files(options: ScoreOptions) -> int:
    """Score a candidate file against its reference files, show the scores, and give the exit code."""
    recipes = options.recipe.aimed_at(options.reading.testset).build()
    _check_options(options)
    limits, settings = _read_gates(options, recipes), _settle_intervals(options)
    tally, label = _tally(options, list(recipes.values()))
    scores = {name: tally.score(recipe).on_testset(label) for name, recipe in recipes.items()}
    if tally.segments >= LONG and (advice := advise_kernel()):
        complain(f"hint: {tally.segments:,} segments were counted by the engine {engine()}. {advice}")
    if not (limits or settings or options.by or len(scores) > 1 or options.output_format != "text"):
        [score] = scores.values()
        deliver(score.printed if options.brief else write_score(score, options), options.output)
        return 0
    from bleuprint.cli.score_output import ScoredCorpus, deliver_scores

    intervals = None
    parts = {
        by: {
            name: {part: score.on_testset(label) for part, score in tally.score_parts(by, recipe).items()}
            for name, recipe in recipes.items()
        }
        for by in options.by
    }
    if settings:
        from bleuprint.findings.intervals import find_intervals

        intervals = find_intervals(tally.tables, recipes, settings, options.threads)
    if not limits:
        deliver_scores(ScoredCorpus(scores, parts, intervals, []), options)
        return 0
    from bleuprint.cli.gates import close_gates, hold_scores

    gates = hold_scores(scores, limits)
    deliver_scores(ScoredCorpus(scores, parts, intervals, gates), options)
    return close_gates(gates)


def write_score(score: AnyScore, options: ScoreOptions) -> str:
    """Return what Python prints of a score, with a second line that names the files."""
    first, *notes = str(score).split("\n")
    return "\n".join([first, options.name_files(), *notes])


def _check_options(options: ScoreOptions) -> None:
    flags = ["--by-document" if name == DOCUMENT else f"--by {name}" for name in options.by]
    more = flags[0] if flags else "--confidence" if options.confidence is not None else ""
    if options.brief and (more or options.output_format != "text"):
        raise ShapeError(
            where="--brief",
            wanted="text for the whole corpus",
            got=more or f"--format {options.output_format}",
            next_step="Leave one of the two out.",
        )
    if more and options.output_format == "junit":
        raise ShapeError(
            where=more,
            wanted="a format that shows more than gates",
            got="--format junit",
            next_step="Leave one of the two out.",
        )
    if DOCUMENT not in options.by:
        meant = next((name for name in options.by if nearest(name, [DOCUMENT])), None)
        if meant and options.reading.documents is not None:
            raise ShapeError(
                where="--by",
                wanted=f"{DOCUMENT!r}, whose names --documents brings",
                got=quote(meant),
                suggestion=DOCUMENT,
                next_step="A name of --by is a column of the corpus, or document.",
            )
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


def _settle_intervals(options: ScoreOptions) -> Settings | None:
    """Say how intervals are made; None where nobody asked for any."""
    if options.confidence is None:
        for flag, value in (("--resamples", options.resamples), ("--seed", options.seed)):
            if value is not None:
                from bleuprint.findings.settings import USUAL_CONFIDENCE

                raise ShapeError(
                    where=flag,
                    wanted="--confidence beside it",
                    got=str(value),
                    next_step=f"Say --confidence {USUAL_CONFIDENCE} for intervals, or leave it out.",
                )
        return None
    from bleuprint.findings.intervals import settle_intervals

    return settle_intervals(options.confidence, options.resamples, options.seed)


def _tally(options: ScoreOptions, recipes: list[Recipe]) -> tuple[CorpusTally, str]:
    """Count the corpus; beside the sums there is the label of the test set, if it has one."""
    candidate, references, by = options.candidate, options.references, options.by
    keeps_rows, label = options.confidence is not None, ""
    columns = tuple(name for name in by if name != DOCUMENT)
    form = None if options.reading.testset is not None else options.reading.find_form(candidate)
    if form:
        from bleuprint.cli.columnar import tally_columnar
        from bleuprint.cli.reading import column_names

        names = column_names(options.reading)._replace(labels=columns)
        tally = tally_columnar(
            (candidate, *references), form, names, recipes, by=by,
            on_error=options.on_error or "fail", keeps_rows=keeps_rows, threads=options.threads,
        )  # fmt: skip
        return tally, label
    _refuse_skipping(options.on_error, candidate)
    batches: Iterable[RawCorpus]
    if options.reading.testset is not None:
        from bleuprint.cli.testset_reading import open_testset, read_for_testset, read_labels_of

        testset = open_testset(options.reading.testset, references, options.reading.translators)
        corpus = read_for_testset(candidate, testset, options.reading)
        batches, label = [corpus.replace(labels=read_labels_of(testset, columns))], testset.label
    else:
        choices = options.reading.format_choices()
        if columns:
            _check_columns(candidate, options.reading.form, columns)
            choices["label_columns"] = columns
        batches = stream_files(candidate, references, **choices)
    tally = tally_corpus(batches, recipes, by=by, keeps_rows=keeps_rows, threads=options.threads)
    return tally, label


def _check_columns(candidate: str, given: str, columns: Sequence[str]) -> None:
    """Refuse to part a corpus by columns that files of its form cannot have."""
    from bleuprint.cli.option_values import COLUMN_FORMS
    from bleuprint.text.formats import detect_form

    form = detect_form(candidate) if given == "auto" else given
    if form not in COLUMN_FORMS:
        raise FileError(
            where=f"--by {columns[0]}",
            wanted="TSV, CSV, JSONL, Parquet or Arrow files, which have columns, or a test set by name",
            got=candidate,
            suggestion=nearest(columns[0], [DOCUMENT]),
            next_step="Of other files there are documents alone: say --by document.",
        )


def _refuse_skipping(on_error: str | None, candidate: str) -> None:
    if on_error:
        raise FileError(
            where="--on-error",
            wanted="Parquet or Arrow files",
            got=candidate,
            next_step="Leave it out: a text file whose lines do not fit is always refused.",
        )
