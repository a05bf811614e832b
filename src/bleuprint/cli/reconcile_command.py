"""``bleuprint reconcile``: why two recipes, or all dialects, give different numbers for the same files."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli.options import (
    BY_DOCUMENT,
    format_option,
    input_options,
    output_option,
    read_input,
    refuse_documents,
    threads_option,
)
from bleuprint.cli.printing import deliver_result
from bleuprint.errors import RecipeError
from bleuprint.findings.reconciliation import group_dialects, reconcile
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation
from bleuprint.metrics.bleu.dialects import DEFAULT
from bleuprint.metrics.bleu.recipe import Recipe


@click.command("reconcile")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@click.option("--from", "start", metavar="NAME", help="A dialect or a signature: the recipe to start from.")
@click.option("--to", "end", metavar="NAME", help="A dialect or a signature: the recipe to end at.")
@click.option("--all", "everything", is_flag=True, help="Every dialect side by side, grouped by equal scores.")
@input_options
@threads_option
@format_option("text", "markdown", "latex", "html", "json")
@output_option
def command(candidate: str, references: tuple[str, ...], **options: Any) -> None:
    """Show why two recipes disagree on a CANDIDATE file and its REFERENCE files: what each axis contributes.

    Axes are changed one at a time, in the order in which the pipeline meets them.
    """
    ends = (options["start"], options["end"])
    if options["everything"] == any(ends) or (not options["everything"] and not all(ends)):
        raise RecipeError(
            where="reconcile",
            wanted="--from and --to, or --all alone",
            got=" and ".join(f"--{name}" for name in ("from", "to", "all") if options[_FIELDS[name]]) or "none of them",
            next_step="For example: --from nltk --to sacrebleu. `bleuprint recipes` lists the names.",
        )
    refuse_documents(options, "nothing, as the score of the whole is taken apart", BY_DOCUMENT)
    corpus = read_input(candidate, references, options, Recipe.of(options["start"] or DEFAULT))
    result: Reconciliation | DialectGroups
    with corpus.naming_lines():
        if options["everything"]:
            result = group_dialects(corpus.candidates, corpus.references, threads=options["threads"])
        else:
            result = reconcile(corpus.candidates, corpus.references, *ends, threads=options["threads"])
    deliver_result(result, options["output_format"], options["output"])


_FIELDS = {"from": "start", "to": "end", "all": "everything"}
