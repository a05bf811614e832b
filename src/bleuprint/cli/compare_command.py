"""``bleuprint compare``: several systems on one test set, with intervals and tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

import click

from bleuprint.cli.call import Call, exclude, refuse_twice, require, suggest_flag
from bleuprint.cli.compare_reading import read_compared_texts
from bleuprint.cli.compare_scores import read_external_scores, read_scores_options
from bleuprint.cli.corpus_options import recipe_options
from bleuprint.cli.gates import COMPARE_GATES, close_gates, read_margins
from bleuprint.cli.options import (
    DOCUMENTS,
    RESAMPLING,
    TESTSET,
    THREADS,
    Option,
    make_command,
    output_options,
)
from bleuprint.cli.printing import check_output, deliver, deliver_result, write_output
from bleuprint.errors import FileError, ShapeError, quote, unknown_name
from bleuprint.findings.comparison import Comparison, compare
from bleuprint.findings.comparison.breakdowns import FREQUENCY, LENGTH
from bleuprint.findings.gates import Gate, hold_baseline
from bleuprint.findings.settings import USUAL_CONFIDENCE
from bleuprint.findings.significance import TESTS
from bleuprint.io.lines import read_lines
from bleuprint.io.systems import SystemChoice, read_labels
from bleuprint.render.comparison import Shown
from bleuprint.render.json import render_json
from bleuprint.text.formats import check_lengths
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.wording import join_words

EXAMPLE = "For example: bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt"
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
def command(
    ctx: click.Context,
    call: Call,
    *,
    testset: str | None,
    translators: tuple[str, ...],
    systems: tuple[str, ...],
    corpus: str | None,
    baseline: str | None,
    fail_if_worse: bool,
    margins: tuple[str, ...],
    test: str | None,
    resamples: int | None,
    confidence: float | None,
    seed: int | None,
    by: tuple[str, ...],
    documents: str | None,
    labels: str | None,
    source: str | None,
    external: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    examples: int,
    focus: tuple[str, str] | None,
    agreement: bool,
    report: str | None,
) -> int:
    """Compare systems on one test set: scores with intervals, paired tests, clusters of equals.

    For example: bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt
    """
    if ctx.args:
        names, fix = join_words(map(quote, ctx.args)), next(filter(None, map(suggest_flag, ctx.args)), EXAMPLE)
        raise FileError(f"Put -r before every file of references and -s before every system: {names}.", fix)
    refuse_twice("--by", by)
    refuse_twice("--translator", translators)
    recipes = call.recipe.build(testset=testset)
    if report and call.output and Path(report).resolve() == Path(call.output).resolve():
        raise FileError(f"--html and --output name the same file: {report}.", "Choose another file for the report.")
    named = _name_systems(systems, in_corpus=corpus is not None)
    junit, shows_details = call.output_format == "junit", examples or report
    require(
        ("--fail-if-worse", fail_if_worse, baseline, "--baseline NAME"),
        ("--margin", margins, fail_if_worse, "--fail-if-worse"),
        ("--format junit", junit, fail_if_worse, "--baseline NAME --fail-if-worse"),
        ("--focus", focus, shows_details, "--examples N or --html FILE"),
        ("--source", source, shows_details, "--examples N or --html FILE"),
    )
    output, no_details = f"--format {call.output_format}", call.output_format in ("csv", "junit")
    exclude(
        ("--examples", output, examples and no_details, "it shows no segments and n-grams"),
        ("--by", output, by and junit and not report, "it contains gates only"),
        ("--agreement", output, agreement and junit, "it contains gates only"),
    )
    beside = [name for name in (*call.references, *named.values(), corpus, source) if name]
    others = read_scores_options(external, recipes, beside) if external else []
    metrics = list(dict.fromkeys(metric for metric, _ in others))
    limits = read_margins(margins, recipes, metrics) if fail_if_worse else {}
    shown, groups = Shown(by, examples, focus, agreement), Groups(by, labels, documents, bool(report))
    require(("--agreement", agreement, len(recipes) + len(metrics) > 1, "two recipes or more"))
    chosen = SystemChoice(named, call.references, groups.columns, source, bool(examples or report))
    texts, label = read_compared_texts(chosen, corpus, testset, translators, groups.wants)
    _check_pairs(test, baseline, focus, texts.systems)
    scores = read_external_scores(others, list(texts.systems), len(texts.references)) if others else None
    settings = {"test": test, "resamples": resamples, "confidence": confidence, "seed": seed}
    comparison = compare(
        texts.systems, texts.references, recipes,
        labels=groups.gather(len(texts.references), texts.labels), sources=texts.sources, baseline=baseline,
        scores=scores, lower_is_better=lower_is_better, threads=call.threads,
        **{name: value for name, value in settings.items() if value is not None},  # type: ignore[arg-type]
    ).on_testset(label)  # fmt: skip
    gates = [gate for name, limit in limits.items() for gate in hold_baseline(comparison.result(name), limit)]
    if report:
        from bleuprint.render.html.report import render_report

        write_output(report, render_report(comparison, shown.focus), "--html")
    _deliver(comparison, shown, gates, call)
    return close_gates(gates)


class Groups(NamedTuple):
    """The labels by which segments are grouped, and the files with labels. A report without --by shows all."""

    by: tuple[str, ...]
    labels: str | None
    documents: str | None
    in_report: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """The labels that must be in the corpus."""
        return () if self.labels else tuple(name for name in self.by if name not in (LENGTH, FREQUENCY, DOCUMENT))

    def wants(self, name: str) -> bool:
        """Whether labels of this name are shown."""
        return name in self.by or (self.in_report and not self.by)

    def gather(self, segments: int, own: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
        """Read the labels that are shown; ``own`` are those of the corpus."""
        found = read_labels(self.labels, segments, self.by) if self.labels else {}
        labels: dict[str, Sequence[str]] = {**own, **found}
        if self.documents:
            names = read_lines(self.documents)
            check_lengths(["the references", self.documents], [segments, len(names)])
            labels[DOCUMENT] = names
        for name in self.by:
            if name not in (LENGTH, FREQUENCY, *labels):
                known = [*labels, LENGTH, FREQUENCY]
                fix = f"Use one of: {', '.join(known)}; --labels FILE adds columns, --documents FILE adds document."
                raise unknown_name("--by", name, known, fix, error=ShapeError)
        used, without_by = set(found) & set(self.by) if self.by else self.in_report, "or --html FILE without --by"
        require(
            ("--labels", self.labels, used, f"--by NAME with one of its columns, {without_by}"),
            ("--documents", self.documents, self.wants(DOCUMENT), f"--by document, {without_by}"),
        )
        return {name: labels[name] for name in self.by or labels if name in labels}


def _name_systems(given: Sequence[str], *, in_corpus: bool) -> dict[str, str]:
    """Read NAME=FILE; the default name is that of the file, or of the column."""
    named: dict[str, str] = {}
    for entry in given:
        name, found, file = entry.partition("=")
        if not found:
            name, file = entry if in_corpus else PurePath(entry).name, entry
        if not name.strip() or not file:
            raise FileError(f"--system takes NAME=FILE, not {quote(entry)}.", "For example: -s ours=output.txt.")
        if name in named:
            raise ShapeError(f"Two systems are called {quote(name)}.", "Name the second file: -s NAME=FILE.")
        named[name] = file
    return named


def _check_pairs(test: str | None, baseline: str | None, focus: tuple[str, str] | None, known: Collection[str]) -> None:
    """Raise an error about options for two systems if there is only one, or no such system."""
    several = len(known) > 1
    require(("--test", test, several, "two systems or more"), ("--baseline", baseline, several, "two systems or more"))
    if focus is not None:
        for name in focus:
            if name not in known:
                raise unknown_name("system of --focus", name, known, error=ShapeError)
        if focus[0] == focus[1]:
            raise ShapeError(f"--focus names {quote(focus[0])} twice.", "Name two systems.")


def _deliver(comparison: Comparison, shown: Shown, gates: list[Gate], call: Call) -> None:
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
