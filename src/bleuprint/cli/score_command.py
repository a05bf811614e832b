"""``bleuprint score``: the corpus score, under one recipe or several, of the whole and of its documents."""

from __future__ import annotations

import click

from bleuprint.cli.option_values import InputOptions, RecipeOptions, ScoreOptions, refuse_twice
from bleuprint.cli.options import input_options, several_recipes_options, threads_option
from bleuprint.cli.output_options import format_option, output_option
from bleuprint.cli.scoring import score_files
from bleuprint.findings.settings import USUAL_CONFIDENCE, USUAL_RESAMPLES, USUAL_SEED
from bleuprint.text.faults import CHOICES
from bleuprint.text.formats.sources import DOCUMENT


@click.command("score")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@several_recipes_options
@input_options
@click.option("--by-document", is_flag=True, help="Score every document, too: short for --by document.")
@click.option(
    "--by", multiple=True, metavar="NAME",
    help="Score every part of the corpus, too: by a column of TSV, CSV, JSONL, Parquet or Arrow files, by document, or "
    "by the origin or domain of a test set; may be repeated.",
)  # fmt: skip
@click.option(
    "--confidence", type=float, metavar="C",
    help=f"Give intervals, too, of this confidence: {USUAL_CONFIDENCE} is usual.  [default: none]",
)  # fmt: skip
@click.option(
    "--resamples", type=int, metavar="N",
    help=f"For intervals: how often to resample.  [default: {USUAL_RESAMPLES}]",
)  # fmt: skip
@click.option(
    "--seed", type=int, metavar="N", help=f"For intervals: same seed, same result.  [default: {USUAL_SEED}]",
)  # fmt: skip
@click.option(
    "--fail-under", multiple=True, metavar="[NAME=]NUMBER",
    help="End with exit code 1 where the score is under this number; NAME is a recipe or a metric; may be repeated.",
)  # fmt: skip
@click.option(
    "--fail-over", multiple=True, metavar="[NAME=]NUMBER", help="The same for TER, where lower is better.",
)  # fmt: skip
@click.option("--brief", "-b", is_flag=True, help="Print the numbers alone, one per recipe.")
@click.option(
    "--on-error", type=click.Choice(CHOICES),
    help=f"Parquet, Arrow: refuse malformed rows, or leave them out and say so.  [default: {CHOICES[0]}]",
)  # fmt: skip
@threads_option
@format_option("text", "json", "tsv", "markdown", "latex", "junit")
@output_option
def command(
    candidate: str,
    references: tuple[str, ...],
    *,
    recipe: RecipeOptions,
    reading: InputOptions,
    by_document: bool,
    by: tuple[str, ...],
    confidence: float | None,
    resamples: int | None,
    seed: int | None,
    fail_under: tuple[str, ...],
    fail_over: tuple[str, ...],
    brief: bool,
    on_error: str | None,
    threads: int | None,
    output_format: str,
    output: str | None,
) -> int:
    """Score a CANDIDATE file against one or more REFERENCE files, line by line.

    For example: bleuprint score out.txt ref.txt -m bleu -m chrf -m ter

    A .tsv, .csv or .jsonl file holds candidates and references itself; an .xml file may, with systems and translators
    by name. Of .sgm files there is one with candidates and one or more with references. Files may be .gz, .bz2,
    .xz or .zst; - is standard input.

    Parquet and Arrow files, folders of them and patterns in quotes are read in batches, by column names.
    """
    parts = ([DOCUMENT] if by_document else []) + list(by)
    refuse_twice("--by and --by-document" if by_document else "--by", parts)
    return score_files(
        ScoreOptions(
            candidate,
            references,
            recipe=recipe,
            reading=reading,
            by=tuple(parts),
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            fail_under=fail_under,
            fail_over=fail_over,
            brief=brief,
            on_error=on_error,
            threads=threads,
            output_format=output_format,
            output=output,
        )
    )
