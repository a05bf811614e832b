"""``bleuprint compare``: several systems on one test set, with intervals and tests."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from bleuprint.cli.call import Call, exclude, refuse_twice, require, suggest_flag
from bleuprint.cli.compare_reading import (
    EXAMPLE,
    CompareOptions,
    name_systems,
    read_compared_texts,
    read_shown_labels,
)
from bleuprint.cli.compare_scores import read_external_scores, read_scores_options
from bleuprint.cli.corpus_options import recipe_options
from bleuprint.cli.gates import COMPARE_GATES, close_gates, read_margins
from bleuprint.cli.options import DOCUMENTS, RESAMPLING, TESTSET, THREADS, Option, make_command, output_options
from bleuprint.cli.printing import check_output, deliver, deliver_result, write_output
from bleuprint.errors import FileError, ShapeError, quote, unknown_name
from bleuprint.findings.comparison import Comparison, compare
from bleuprint.findings.comparison.breakdowns import FREQUENCY, LENGTH
from bleuprint.findings.gates import Gate, judge_baseline
from bleuprint.findings.settings import USUAL_CONFIDENCE
from bleuprint.findings.significance import TESTS
from bleuprint.render.comparison import Shown
from bleuprint.render.json import render_json
from bleuprint.wording import join_words

SYSTEMS = [
    Option(
        ["--reference", "-r", "references"], multiple=True, metavar="FILE",
        help="A file with a reference per line; several files are several references. With --corpus a column, or a "
        "translator.",
    ),
    TESTSET,
    Option(
        ["--translator", "translators"], multiple=True, metavar="NAME",
        help="A reference of the test set to use; may be repeated.  [default: those usual for the set]",
    ),
    Option(
        ["--system", "-s", "systems"], multiple=True, metavar="NAME=FILE",
        help="A system's name and its file with a candidate per line; without a name the file's own is taken. With "
        "--corpus a column, or a system in the file.",
    ),
    Option(
        ["--corpus"], metavar="FILE",
        help="A file that holds systems and references: TSV, CSV, JSONL, Parquet, Arrow, or WMT's XML or SGML, of "
        "which all systems are compared unless -s names some.",
    ),
    Option(["--baseline"], metavar="NAME", help="Compare the others with this system.  [default: all pairs]"),
]  # fmt: skip
TESTING = [
    Option(
        ["--test"], type=click.Choice(TESTS),
        help=f"The paired test that decides what is significant.  [default: {TESTS[0]}]",
    ),
    Option(
        ["--confidence"], type=float, metavar="C",
        help=f"Of the intervals; tests have the level 1 - C.  [default: {USUAL_CONFIDENCE}]",
    ),
    *RESAMPLING,
]  # fmt: skip
DETAILS = [
    Option(
        ["--by"], multiple=True, metavar="NAME",
        help=f"Scores by parts of the test set: {LENGTH}, {FREQUENCY}, document, or a column of the labels; "
        "repeatable.",
    ),
    DOCUMENTS,
    Option(
        ["--labels"], metavar="FILE",
        help="A TSV file with a header, or a JSONL file: labels of every segment, by name of column.",
    ),
    Option(
        ["--source"], metavar="FILE",
        help="A file with what was translated, a text per line, to be shown beside it; with --corpus a column.",
    ),
    Option(
        ["--scores", "external"], multiple=True, metavar="METRIC=[SYSTEM:]FILE",
        help="Segment scores of another metric: a system's, a number per line, or those of all systems, as in "
        "mt-metrics-eval's .seg.score or in a table with a column for each; may be repeated.",
    ),
    Option(
        ["--lower-is-better"], multiple=True, metavar="METRIC", help="Of --scores: a metric of errors; may be repeated."
    ),
    Option(
        ["--examples"], type=click.IntRange(0), default=0, metavar="N",
        help="Show so many telling segments and n-grams.  [default: none]",
    ),
    Option(
        ["--focus"], nargs=2, metavar="NAME NAME",
        help="The two systems for the examples.  [default: the best two, or the best and the baseline]",
    ),
    Option(
        ["--agreement"], is_flag=True,
        help="Say how far recipes agree on what is better, over segments and over systems.",
    ),
    Option(
        ["--html", "report"], metavar="FILE", callback=check_output,
        help="Also write a report to this file, whole or not at all: one HTML file to open in a browser.",
    ),
]  # fmt: skip


@make_command(
    "compare",
    *SYSTEMS, *COMPARE_GATES, *TESTING, *recipe_options(), *DETAILS, THREADS,
    *output_options("text", "json", "csv", "markdown", "latex", "junit"),
    context_settings={"allow_extra_args": True},
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, call: Call, **values: Any) -> int:
    """Compare systems on one test set: scores with intervals, paired tests, clusters of equals.

    For example: bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt
    """
    if ctx.args:
        names, fix = join_words(map(quote, ctx.args)), next(filter(None, map(suggest_flag, ctx.args)), EXAMPLE)
        raise FileError(f"Put -r before every file of references and -s before every system: {names}.", fix)
    options = CompareOptions(**values)
    recipes = call.recipe.build(testset=options.testset)
    named = name_systems(options)
    _check_options(options, call)
    beside = [name for name in (*call.references, *named.values(), options.corpus, options.source) if name]
    others = read_scores_options(options.external, recipes, beside) if options.external else []
    metrics = dict.fromkeys(metric for metric, _ in others)
    limits = read_margins(options.margins, recipes, metrics) if options.fail_if_worse else {}
    require(("--agreement", options.agreement, len(recipes) + len(metrics) > 1, "two recipes or more"))
    texts, label = read_compared_texts(named, options, call)
    _check_pairs(options, texts.systems)
    scores = read_external_scores(others, list(texts.systems), len(texts.references)) if others else None
    settings = {name: getattr(options, name) for name in ("test", "resamples", "confidence", "seed")}
    comparison = compare(
        texts.systems, texts.references, recipes,
        labels=read_shown_labels(options, len(texts.references), texts.labels), sources=texts.sources,
        baseline=options.baseline, scores=scores, lower_is_better=options.lower_is_better, threads=call.threads,
        **{name: value for name, value in settings.items() if value is not None},
    ).on_testset(label)  # fmt: skip
    gates = [gate for name, limit in limits.items() for gate in judge_baseline(comparison.result(name), limit)]
    if options.report:
        from bleuprint.render.html.report import render_report

        write_output(options.report, render_report(comparison, options.focus), "--html")
    _deliver(comparison, options, gates, call)
    return close_gates(gates)


def _check_options(options: CompareOptions, call: Call) -> None:
    """Raise an error about options that would change nothing."""
    refuse_twice("--by", options.by)
    refuse_twice("--translator", options.translators)
    if options.report and call.output and Path(options.report).resolve() == Path(call.output).resolve():
        raise FileError(f"--html and --output name the same file: {call.output}.", "Choose another file for one.")
    junit, output = call.output_format == "junit", f"--format {call.output_format}"
    details, no_details = options.shows_texts, options.examples and call.output_format in ("csv", "junit")
    require(
        ("--fail-if-worse", options.fail_if_worse, options.baseline, "--baseline NAME"),
        ("--margin", options.margins, options.fail_if_worse, "--fail-if-worse"),
        ("--format junit", junit, options.fail_if_worse, "--baseline NAME --fail-if-worse"),
        ("--focus", options.focus, details, "--examples N or --html FILE"),
        ("--source", options.source, details, "--examples N or --html FILE"),
        ("--translator", options.translators, options.testset, "--testset NAME"),
        ("--lower-is-better", options.lower_is_better, options.external, "--scores METRIC=FILE"),
    )
    exclude(
        ("--corpus", "--testset", options.corpus and options.testset, ""),
        ("--examples", output, no_details, "it shows no segments and n-grams"),
        ("--by", output, options.by and junit and not options.report, "it contains gates only"),
        ("--agreement", output, options.agreement and junit, "it contains gates only"),
    )


def _check_pairs(options: CompareOptions, known: Collection[str]) -> None:
    """Raise an error about options for two systems if there is only one, or no such system."""
    several, focus = len(known) > 1, options.focus or ()
    require(
        ("--test", options.test, several, "two systems or more"),
        ("--baseline", options.baseline, several, "two systems or more"),
    )
    refuse_twice("--focus", focus, "Name two systems.")
    for name in focus:
        if name not in known:
            raise unknown_name("system of --focus", name, known, error=ShapeError)


def _deliver(comparison: Comparison, options: CompareOptions, gates: list[Gate], call: Call) -> None:
    shown = Shown(options.by, options.examples, options.focus, options.agreement)
    if call.output_format == "json":
        data = comparison.to_dict(by=shown.by, examples=shown.examples, focus=shown.focus)
        data |= {"agreement": [one._asdict() for one in comparison.agreement()]} if shown.agreement else {}
        data |= {"gates": [gate._asdict() for gate in gates]} if gates else {}
        deliver(render_json(data), call.output)
    elif call.output_format == "junit":
        from bleuprint.render.junit import render_junit

        making = {name: str(value) for name, value in comparison.settings._asdict().items()}
        making |= {result.name: result.signature for result in comparison.results}
        deliver(render_junit("bleuprint compare", gates, making), call.output)
    else:
        deliver_result(comparison, call, gates, shown=shown)
