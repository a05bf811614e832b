"""``bleuprint reconcile``: why two recipes, or all dialects, give different numbers for the same files."""

from __future__ import annotations

import click

from bleuprint.cli.call import Call, find_recipe, list_differences, require
from bleuprint.cli.corpus import read_labelled
from bleuprint.cli.corpus_options import INPUT
from bleuprint.cli.options import FILES, THREADS, Option, make_command, output_options
from bleuprint.cli.printing import deliver_result
from bleuprint.errors import RecipeError
from bleuprint.findings.reconciliation import group_dialects, reconcile
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.registry import DEFAULT_METRIC, METRICS

OPTIONS = [
    Option(["--from", "start"], metavar="NAME", help="A dialect or a signature: the recipe to start from."),
    Option(["--to", "end"], metavar="NAME", help="A dialect or a signature: the recipe to end at."),
    Option(["--all", "everything"], is_flag=True, help="Every dialect of a metric, grouped by equal scores."),
    Option(
        ["--metric", "-m"], type=click.Choice(list(METRICS)),
        help=f"The metric for --all.  [default: {DEFAULT_METRIC}]",
    ),
]  # fmt: skip


@make_command(
    "reconcile",
    *FILES, *OPTIONS, *INPUT, THREADS, *output_options("text", "markdown", "latex", "html", "json"),
)  # fmt: skip
def command(call: Call, *, start: str | None, end: str | None, everything: bool, metric: str | None) -> None:
    """Show why two recipes disagree on a CANDIDATE file and its REFERENCE files: what each axis contributes.

    For example: bleuprint reconcile out.txt ref.txt --from nltk --to sacrebleu

    Axes are changed one at a time, in the order in which the pipeline meets them.
    """
    if everything == bool(start or end) or (not everything and not (start and end)):
        fix = "For example: --from nltk --to sacrebleu. `bleuprint recipes` lists the names."
        raise RecipeError("Use --from and --to, or --all alone.", fix)
    require(("--metric", metric, everything, "--all"))
    call.reading.refuse_documents()
    before, after = find_recipe("--from", start or DEFAULT), find_recipe("--to", end or DEFAULT)
    list_differences("--from and --to", before, after)
    corpus, label = read_labelled(call, before)
    result: Reconciliation | DialectGroups
    with corpus.naming_lines():
        if everything:
            chosen = metric or DEFAULT_METRIC
            result = group_dialects(corpus.candidates, corpus.references, chosen, threads=call.threads)
        else:
            result = reconcile(corpus.candidates, corpus.references, before, after, threads=call.threads)
    deliver_result(result.on_testset(label), call)
