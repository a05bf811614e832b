"""What ``bleuprint score`` does once its command line is read: count, score, and print the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.cli.call import COLUMN_FORMS, Call, ScoreOptions, exclude, require
from bleuprint.cli.printing import complain, deliver
from bleuprint.cli.tally import Tally, count_columnar, count_lines, tally
from bleuprint.errors import BleuprintError, FileError, ShapeError, nearest, unknown_name
from bleuprint.io.lines import stream_files
from bleuprint.io.paths import COLUMNAR_FORMS
from bleuprint.native_kernel import advise_kernel, engine
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.faults import refuse_faults
from bleuprint.text.formats.sources import DOCUMENT

if TYPE_CHECKING:
    from bleuprint.findings.settings import Settings
    from bleuprint.metrics.score import AnyScore

LONG = 10_000
"""From this number of segments on, people wait for the slow engine."""


def score_files(call: Call, options: ScoreOptions) -> int:
    """Score a candidate file against its reference files, print the scores, and return the exit code."""
    recipes = call.recipe.build(testset=call.reading.testset)
    _check_options(call, options)
    limits, settings = _read_gates(options, recipes), _check_interval_settings(options)
    total, label = _tally(call, options, list(recipes.values()))
    scores = {name: total.score(recipe).on_testset(label) for name, recipe in recipes.items()}
    if total.segments >= LONG and (advice := advise_kernel()):
        complain(f"hint: {total.segments:,} segments were counted by the engine {engine()}. {advice}")
    if not (limits or settings or options.by or len(scores) > 1 or call.output_format != "text"):
        [score] = scores.values()
        deliver(score.printed if options.brief else write_score(score, call), call.output)
        return 0
    from bleuprint.cli.gates import close_gates
    from bleuprint.cli.score_output import deliver_scores
    from bleuprint.render import ScoredCorpus

    intervals, gates = None, []
    groups = {
        by: {
            name: {label_: score.on_testset(label) for label_, score in total.score_groups(by, recipe).items()}
            for name, recipe in recipes.items()
        }
        for by in options.by
    }
    if settings:
        from bleuprint.findings.intervals import find_intervals

        intervals = find_intervals(total.tables, recipes, settings, call.threads)
    if limits:
        from bleuprint.findings.gates import judge_score

        gates = [judge_score(name, scores[name], limit) for name, limit in limits.items()]
    deliver_scores(ScoredCorpus(scores, groups, intervals), gates, call, brief=options.brief)
    return close_gates(gates)


def write_score(score: AnyScore, call: Call) -> str:
    """Return what Python prints of a score, with a second line that names the files."""
    first, *notes = str(score).split("\n")
    return "\n".join([first, name_files(call), *notes])


def name_files(call: Call) -> str:
    """Return a line that says which file is what, so that a mix-up can be seen."""
    from bleuprint.text.formats.sources import name_without_credentials
    from bleuprint.wording import visible

    files = [name_without_credentials(name) for name in (call.candidate, *call.references)]
    candidate, *references = [name.encode("utf-8", "backslashreplace").decode() for name in files]
    testset, translators = call.reading.testset, ", ".join(call.reading.translators)
    if testset is not None:
        references = [testset + (f" ({translators})" if translators else "")]
    elif not references or call.reading.form_of(call.candidate) in COLUMNAR_FORMS:
        return visible(f"candidates and references: {', '.join([candidate, *references])}")
    title = "reference" if len(references) == 1 and testset is None else "references"
    return visible(f"candidate: {candidate}, {title}: {', '.join(references)}")


def _check_options(call: Call, options: ScoreOptions) -> None:
    """Raise an error about options that would change nothing."""
    flags = ["--by-document" if name == DOCUMENT else f"--by {name}" for name in options.by]
    interval, junit, reading = options.confidence is not None, call.output_format == "junit", call.reading
    more = flags[0] if flags else "--confidence" if interval else ""
    other = more or f"--format {call.output_format}"
    plain = not more and call.output_format == "text"
    exclude(
        ("--brief", other, options.brief and not plain, "it prints one number per recipe"),
        (more, "--format junit", more and junit, "JUnit reports contain gates only"),
    )
    by_document = DOCUMENT in options.by
    meant = next((name for name in options.by if nearest(name, [DOCUMENT])), None)
    if meant and reading.documents and not by_document:
        raise unknown_name("--by", meant, [DOCUMENT])
    gate = options.fail_under or options.fail_over
    require(
        ("--documents", reading.documents, by_document, "--by-document"),
        ("--document-column", reading.document_column, by_document, "--by-document"),
        ("--resamples", options.resamples is not None, interval, "--confidence, as 0.95"),
        ("--seed", options.seed is not None, interval, "--confidence, as 0.95"),
        ("--format junit", junit, gate, "--fail-under NUMBER, or --fail-over NUMBER for TER"),
    )


def _read_gates(options: ScoreOptions, recipes: dict[str, Recipe]) -> dict[str, float]:
    if not (options.fail_under or options.fail_over):
        return {}
    from bleuprint.cli.gates import read_gates

    return read_gates(options.fail_under, options.fail_over, recipes)


def _check_interval_settings(options: ScoreOptions) -> Settings | None:
    if options.confidence is None:
        return None
    from bleuprint.findings.intervals import check_interval_settings

    return check_interval_settings(options.confidence, options.resamples, options.seed)


def _tally(call: Call, options: ScoreOptions, recipes: list[Recipe]) -> tuple[Tally, str]:
    """Count the corpus. Return the label of the test set as well, or an empty one."""
    call.check_names()
    reading, keeps_rows = call.reading, options.confidence is not None
    columns = tuple(name for name in options.by if name != DOCUMENT)
    form = reading.check(call.candidate)
    if form in COLUMNAR_FORMS:
        total = tally(count_columnar(call, recipes, options.by), keeps_rows=keeps_rows)
        if options.on_error != "skip":
            refuse_faults(total.skipped, "score")
        if not total.segments:
            rows = f"only malformed rows: {total.skipped}" if total.skipped else "no rows"
            raise ShapeError(f"{call.candidate} has {rows}.", "Check that this is the right file.")
        return total, ""
    if options.on_error:
        fix = "Leave it out: malformed lines of text files are always errors."
        raise BleuprintError(f"--on-error is for Parquet and Arrow files, not for {call.candidate}.", fix)
    label = ""
    if reading.testset is not None:
        from bleuprint.cli.testset_reading import open_testset, read_for_testset, read_labels_of

        testset = open_testset(reading.testset, call.references, reading.translators)
        corpus, label = read_for_testset(call.candidate, testset, reading), testset.label
        batches = iter([corpus._replace(labels=read_labels_of(testset, columns))])
    else:
        choices = reading.format_choices()
        if columns:
            if form not in COLUMN_FORMS:
                message = f"--by {columns[0]} needs columns, which {call.candidate} does not have."
                suggestion = nearest(columns[0], [DOCUMENT])
                raise FileError(message, "Files of lines can be grouped by document.", suggestion=suggestion)
            choices["label_columns"] = columns
        batches = stream_files(call.candidate, call.references, **choices)
    return tally(count_lines(batches, recipes, options.by, call.threads), keeps_rows=keeps_rows), label
