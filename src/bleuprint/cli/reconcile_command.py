"""``bleuprint reconcile``: why two recipes, or all dialects, give different numbers for the same files."""

from __future__ import annotations

import click

from bleuprint.cli.option_values import BY_DOCUMENT, InputOptions, find_recipe, list_differences
from bleuprint.cli.options import input_options, threads_option
from bleuprint.cli.output_options import format_option, output_option
from bleuprint.cli.printing import deliver_result
from bleuprint.cli.reading import read_labelled
from bleuprint.errors import RecipeError
from bleuprint.findings.reconciliation import group_dialects, reconcile
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.registry import DEFAULT_METRIC, METRICS


@click.command("reconcile")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@click.option("--from", "start", metavar="NAME", help="A dialect or a signature: the recipe to start from.")
@click.option("--to", "end", metavar="NAME", help="A dialect or a signature: the recipe to end at.")
@click.option("--all", "everything", is_flag=True, help="Every dialect of a metric, grouped by equal scores.")
@click.option(
    "--metric", "-m", type=click.Choice(list(METRICS)), help=f"The metric for --all.  [default: {DEFAULT_METRIC}]"
)
@input_options
@threads_option
@format_option("text", "markdown", "latex", "html", "json")
@output_option
def command(
    candidate: str,
    references: tuple[str, ...],
    *,
    start: str | None,
    end: str | None,
    everything: bool,
    metric: str | None,
    reading: InputOptions,
    threads: int | None,
    output_format: str,
    output: str | None,
) -> None:
    """Show why two recipes disagree on a CANDIDATE file and its REFERENCE files: what each axis contributes.

    For example: bleuprint reconcile out.txt ref.txt --from nltk --to sacrebleu

    Axes are changed one at a time, in the order in which the pipeline meets them.
    """
    if everything == bool(start or end) or (not everything and not (start and end)):
        given = {"--from": start, "--to": end, "--all": everything}
        raise RecipeError(
            where="reconcile",
            wanted="--from and --to, or --all alone",
            got=" and ".join(flag for flag, value in given.items() if value) or "none of them",
            next_step="For example: --from nltk --to sacrebleu. `bleuprint recipes` lists the names.",
        )
    if metric and not everything:
        raise RecipeError(
            where="--metric",
            wanted="--all beside it",
            got="--from and --to, whose recipes say it",
            next_step="Leave --metric out.",
        )
    reading.refuse_documents("nothing, as the score of the whole is taken apart", BY_DOCUMENT)
    before, after = find_recipe("--from", start or DEFAULT), find_recipe("--to", end or DEFAULT)
    list_differences("--from and --to", before, after)
    corpus, label = read_labelled(candidate, references, reading, before)
    result: Reconciliation | DialectGroups
    with corpus.naming_lines():
        if start and end:
            result = reconcile(corpus.candidates, corpus.references, before, after, threads=threads)
        else:
            chosen = metric or DEFAULT_METRIC
            result = group_dialects(corpus.candidates, corpus.references, chosen, threads=threads)
    deliver_result(result.on_testset(label), output_format, output)
