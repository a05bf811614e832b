"""``bleuprint compare``: several systems on one test set, with intervals and tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

import click

from bleuprint.cli.compare_reading import read_compared_texts, refuse_unused
from bleuprint.cli.compare_scores import read_external_scores, read_scores_options
from bleuprint.cli.gates import close_gates, read_margins, refuse_junit
from bleuprint.cli.option_values import RecipeOptions, refuse_twice
from bleuprint.cli.options import several_recipes_options, testset_option, threads_option
from bleuprint.cli.output_options import format_option, output_option
from bleuprint.cli.printing import check_output, deliver, deliver_view, write_output
from bleuprint.cli.wording import suggest_flag
from bleuprint.errors import FileError, ShapeError, name_list, nearest, quote
from bleuprint.findings.comparison import Comparison, compare
from bleuprint.findings.comparison.breakdowns import FREQUENCY, LENGTH
from bleuprint.findings.gates import Gate, hold_baseline
from bleuprint.findings.settings import USUAL_CONFIDENCE, USUAL_RESAMPLES, USUAL_SEED
from bleuprint.findings.significance import TESTS
from bleuprint.io.lines import read_lines
from bleuprint.io.systems import SystemChoice, read_labels
from bleuprint.render.comparison_grids import Shown
from bleuprint.render.json import render_json
from bleuprint.text.formats import check_lengths
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.wording import join_words


@click.command("compare", context_settings={"allow_extra_args": True})
@click.option(
    "--reference",
    "-r",
    "references",
    multiple=True,
    metavar="FILE",
    help="A file with a reference per line; several files are several references. With --corpus a column, or a "
    "translator.",
)
@testset_option
@click.option(
    "--translator",
    "translators",
    multiple=True,
    metavar="NAME",
    help="A reference of the test set to use; may be repeated.  [default: those usual for the set]",
)
@click.option(
    "--system",
    "-s",
    "systems",
    multiple=True,
    metavar="NAME=FILE",
    help="A system's name and its file with a candidate per line; without a name the file's own is taken. With "
    "--corpus a column, or a system in the file.",
)
@click.option(
    "--corpus",
    metavar="FILE",
    help="A file that holds systems and references: TSV, CSV, JSONL, Parquet, Arrow, or WMT's XML or SGML, of which "
    "all systems are compared unless -s names some.",
)
@click.option("--baseline", metavar="NAME", help="Compare the others with this system.  [default: all pairs]")
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="End with exit code 1 where a system is significantly worse than the baseline.",
)
@click.option(
    "--margin",
    "margins",
    multiple=True,
    metavar="[NAME=]POINTS",
    help="Let a system be worse by so much; NAME is a recipe or a metric; may be repeated.  [default: 0]",
)
@click.option(
    "--test",
    type=click.Choice(TESTS),
    help=f"The paired test that decides what is significant.  [default: {TESTS[0]}]",
)
@click.option(
    "--resamples",
    type=int,
    default=USUAL_RESAMPLES,
    show_default=True,
    metavar="N",
    help="How often to resample.",
)
@click.option(
    "--confidence",
    type=float,
    default=USUAL_CONFIDENCE,
    show_default=True,
    metavar="C",
    help="Of the intervals; tests have the level 1 - C.",
)
@click.option("--seed", type=int, default=USUAL_SEED, show_default=True, metavar="N", help="Same seed, same result.")
@several_recipes_options
@click.option(
    "--by",
    multiple=True,
    metavar="NAME",
    help=f"Scores by parts of the test set: {LENGTH}, {FREQUENCY}, document, or a column of the labels; repeatable.",
)
@click.option("--documents", metavar="FILE", help="A file with the document name of every segment.")
@click.option(
    "--labels",
    metavar="FILE",
    help="A TSV file with a header, or a JSONL file: labels of every segment, by name of column.",
)
@click.option(
    "--source",
    metavar="FILE",
    help="A file with what was translated, a text per line, to be shown beside it; with --corpus a column.",
)
@click.option(
    "--scores",
    "external",
    multiple=True,
    metavar="METRIC=[SYSTEM:]FILE",
    help="Segment scores of another metric: a system's, a number per line, or those of all systems, as in "
    "mt-metrics-eval's .seg.score or in a table with a column for each; may be repeated.",
)
@click.option(
    "--lower-is-better",
    multiple=True,
    metavar="METRIC",
    help="Of --scores: a metric of errors; may be repeated.",
)
@click.option(
    "--examples",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Show so many telling segments and n-grams.  [default: none]",
)
@click.option(
    "--focus",
    nargs=2,
    metavar="NAME NAME",
    help="The two systems for the examples.  [default: the best two, or the best and the baseline]",
)
@click.option(
    "--agreement",
    is_flag=True,
    help="Say how far recipes agree on what is better, over segments and over systems.",
)
@click.option(
    "--html",
    "report",
    metavar="FILE",
    callback=check_output,
    help="Also write a report to this file, whole or not at all: one HTML file to open in a browser.",
)
@threads_option
@format_option("text", "json", "csv", "markdown", "latex", "junit")
@output_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    references: tuple[str, ...],
    testset: str | None,
    translators: tuple[str, ...],
    systems: tuple[str, ...],
    corpus: str | None,
    baseline: str | None,
    fail_if_worse: bool,
    margins: tuple[str, ...],
    test: str | None,
    resamples: int,
    confidence: float,
    seed: int,
    recipe: RecipeOptions,
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
    threads: int | None,
    output_format: str,
    output: str | None,
) -> int:
    """Compare systems on one test set: scores with intervals, paired tests, clusters of equals.

    For example: bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt
    """
    _refuse_bare_names(ctx.args)
    refuse_twice("--by", by)
    refuse_twice("--translator", translators)
    recipes = recipe.aimed_at(testset).build()
    _check_outputs(report, output)
    named = _name_systems(systems, in_corpus=corpus is not None)
    _check_gates(margins, baseline, output_format, fail_if_worse=fail_if_worse)
    beside = [*references, *named.values(), *([corpus] if corpus else []), *([source] if source else [])]
    others = read_scores_options(external, recipes, beside) if external else []
    metrics = list(dict.fromkeys(option.metric for option in others))
    limits = read_margins(margins, recipes, metrics) if fail_if_worse else {}
    shown = Shown(by, examples, focus, agreement)
    parts = Parts(by, labels, documents, bool(report))
    parts.check()
    _check_closeup(shown, source, report, output_format)
    if agreement and len(recipes) + len(metrics) < 2:
        refuse_unused("--agreement", "two recipes or more", "one")
    chosen = SystemChoice(named, references, parts.columns, source, bool(examples or report))
    texts, label = read_compared_texts(chosen, corpus, testset, translators, parts.wants)
    _check_pairs(test, baseline, focus, texts.systems)
    scores = read_external_scores(others, list(texts.systems), len(texts.references)) if others else None
    comparison = compare(
        texts.systems, texts.references, recipes,
        labels=parts.gather(len(texts.references), texts.labels), sources=texts.sources, baseline=baseline,
        scores=scores, lower_is_better=lower_is_better, test=test or TESTS[0],
        resamples=resamples, confidence=confidence, seed=seed, threads=threads,
    ).on_testset(label)  # fmt: skip
    gates = [gate for name, limit in limits.items() for gate in hold_baseline(comparison.result(name), limit)]
    if report:
        from bleuprint.render.html.report import render_report

        write_output(report, render_report(comparison, shown.focus), "--html")
    _deliver(comparison, shown, gates, output_format, output)
    return close_gates(gates) if gates else 0


def _refuse_bare_names(names: Sequence[str]) -> None:
    """Refuse files that no option goes before: which is the reference is not guessed."""
    if names:
        flag = next(filter(None, map(suggest_flag, names)), None)
        raise FileError(
            where="compare",
            wanted="-r before every file of references and -s before every system",
            got=f"{join_words([quote(name) for name in names])} without",
            next_step=flag or "For example: bleuprint compare -r ref.txt -s ours=ours.txt -s theirs=theirs.txt",
        )


def _check_gates(margins: Sequence[str], baseline: str | None, output_format: str, *, fail_if_worse: bool) -> None:
    """Refuse what is for gates where there are none, and gates that nothing is held to."""
    if fail_if_worse and baseline is None:
        refuse_unused("--fail-if-worse", "--baseline NAME beside it", "none")
    if margins and not fail_if_worse:
        refuse_unused("--margin", "--fail-if-worse beside it", "none")
    if output_format == "junit" and not fail_if_worse:
        refuse_junit("Add --baseline NAME --fail-if-worse.")


def _check_outputs(report: str | None, output: str | None) -> None:
    if report and output and Path(report).resolve() == Path(output).resolve():
        raise FileError(
            where="--html",
            wanted="another file than that of --output",
            got=quote(report),
            next_step="Give the report a file of its own.",
        )


def _check_closeup(shown: Shown, source: str | None, report: str | None, output_format: str) -> None:
    """Refuse what is for the closer look at two systems where none is shown."""
    if shown.examples and output_format in ("csv", "junit"):
        got = f"--format {output_format}, which has none"
        refuse_unused("--examples", "a format that shows segments and n-grams", got)
    if shown.by and output_format == "junit" and not report:
        refuse_unused("--by", "a format that shows parts of the test set", "--format junit, which has gates alone")
    if shown.agreement and output_format == "junit":
        refuse_unused("--agreement", "a format that shows more than gates", "--format junit")
    if shown.focus and not (shown.examples or report):
        refuse_unused("--focus", "--examples N, or --html FILE, beside it")
    if source is not None and not (shown.examples or report):
        refuse_unused("--source", "--examples N, or --html FILE, beside it")


class Parts(NamedTuple):
    """By which labels the test set is parted, and which files bring them; a report without --by shows all."""

    by: tuple[str, ...]
    labels: str | None
    documents: str | None
    in_report: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """The labels that the corpus itself must bring."""
        brought = (LENGTH, FREQUENCY, DOCUMENT)
        return () if self.labels else tuple(name for name in self.by if name not in brought)

    def wants(self, name: str) -> bool:
        """Whether labels that a test set has would be shown."""
        return name in self.by or (self.in_report and not self.by)

    def check(self) -> None:
        """Refuse files with labels that nothing would show."""
        if self.labels and not (self.by or self.in_report):
            refuse_unused("--labels", "--by NAME, or --html FILE for a report, beside it")
        if self.documents and not (self.by or self.in_report):
            refuse_unused("--documents", "--by document, or --html FILE, beside it")

    def gather(self, segments: int, own: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
        """Read the labels that are asked for; ``own`` are those of the corpus."""
        found = read_labels(self.labels, segments, self.by) if self.labels else {}
        labels: dict[str, Sequence[str]] = {**own, **found}
        columns = set(found)
        if self.documents:
            names = read_lines(self.documents)
            check_lengths(["the references", self.documents], [segments, len(names)])
            labels[DOCUMENT] = names
        for name in self.by:
            if name not in (LENGTH, FREQUENCY) and name not in labels:
                raise ShapeError(
                    where="--by",
                    wanted=name_list(dict.fromkeys([*labels, LENGTH, FREQUENCY])),
                    got=quote(name),
                    suggestion=nearest(name, [*labels, LENGTH, FREQUENCY]),
                    next_step="--labels FILE brings columns, --documents FILE brings document; a corpus its own.",
                )
        asked = f"--by {' --by '.join(self.by)}"
        if self.labels and self.by and not columns & set(self.by):
            refuse_unused("--labels", "--by with one of its columns beside it", asked)
        if self.documents and self.by and DOCUMENT not in self.by:
            refuse_unused("--documents", "--by document beside it", asked)
        return {name: labels[name] for name in self.by or labels if name in labels}


def _name_systems(given: Sequence[str], *, in_corpus: bool) -> dict[str, str]:
    """Read NAME=FILE; a file without a name has its own, and so has a column."""
    named: dict[str, str] = {}
    for entry in given:
        name, found, file = entry.partition("=")
        if not found:
            name, file = entry if in_corpus else PurePath(entry).name, entry
        if not name.strip() or not file:
            raise FileError(
                where="--system",
                wanted="NAME=FILE",
                got=quote(entry),
                next_step="For example: -s ours=output.txt.",
            )
        if name in named:
            raise ShapeError(
                where="--system",
                wanted="every name once",
                got=f"{quote(name)} twice",
                next_step="Give the second file another name: -s NAME=FILE.",
            )
        named[name] = file
    return named


def _check_pairs(test: str | None, baseline: str | None, focus: tuple[str, str] | None, known: Collection[str]) -> None:
    """Refuse what is for two systems where there is one, or other ones."""
    for flag, value in (("--test", test), ("--baseline", baseline)):
        if value is not None and len(known) < 2:
            refuse_unused(flag, "two systems or more", "one")
    if focus is not None and (focus[0] == focus[1] or not set(focus) <= set(known)):
        raise ShapeError(
            where="--focus",
            wanted=f"two of {join_words(map(repr, known))}",
            got=" and ".join(map(quote, focus)),
            suggestion=next((nearest(name, known) for name in focus if name not in known), None),
            next_step="Give the names of two systems.",
        )


def _deliver(comparison: Comparison, shown: Shown, gates: list[Gate], form: str, output: str | None) -> None:
    if form == "json":
        data = comparison.to_dict(by=shown.by, examples=shown.examples, focus=shown.focus)
        data |= {"agreement": [one._asdict() for one in comparison.agreement()]} if shown.agreement else {}
        deliver(render_json(data | ({"gates": [gate._asdict() for gate in gates]} if gates else {})), output)
        return
    if form == "junit":
        from bleuprint.render.junit import render_junit

        deliver(render_junit("bleuprint compare", gates, _describe_making(comparison)), output)
        return
    from bleuprint.render import comparison_files, comparison_latex, comparison_views, markdown_parts

    if form == "csv":
        deliver(comparison_files.render_csv(comparison, shown), output)
    elif form == "markdown":
        deliver(markdown_parts.list_gates(gates) + comparison_files.render_markdown(comparison, shown), output)
    elif form == "latex":
        deliver(comparison_latex.render_latex(comparison, shown), output)
    else:
        deliver_view(comparison_views.view_comparison(comparison, shown, [gate.line for gate in gates]), output)


def _describe_making(comparison: Comparison) -> dict[str, str]:
    """Say how the numbers were made."""
    settings = {name: str(value) for name, value in comparison.settings._asdict().items()}
    return settings | {result.name: result.signature for result in comparison.results}
