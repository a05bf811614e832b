"""``bleuprint identify``: which BLEU gives the number that somebody reported for these files."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli.options import format_option, input_options, output_option, read_input, threads_option
from bleuprint.cli.printing import deliver_result
from bleuprint.errors import ShapeError
from bleuprint.identification import identify
from bleuprint.io.lines import read_lines
from bleuprint.wording import count_of


@click.command("identify")
@click.argument("candidate")
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@click.option("--reported", required=True, metavar="NUMBER", help="The number as it was printed: its digits count.")
@click.option(
    "--also", nargs=2, multiple=True, metavar="FILE NUMBER",
    help="Another system's candidate file and what was reported for it; several narrow it down together.",
)  # fmt: skip
@input_options
@threads_option
@format_option("text", "markdown", "latex", "html", "json")
@output_option
def command(candidate: str, references: tuple[str, ...], **options: Any) -> None:
    """Find the recipes that give a reported number for a CANDIDATE file and its REFERENCE files.

    Tried are tokenizers, case, smoothing, reference rules, N, effective order, each reference alone, averaged segment
    scores, and what happens by accident: lines shifted, sides swapped, one side lower-cased.
    """
    corpus = read_input(candidate, references, options)
    systems, reported = {candidate: corpus.candidates}, {candidate: options["reported"]}
    for file, number in options["also"]:
        if file in systems:
            raise ShapeError(
                where="--also",
                wanted="every file once",
                got=file,
                next_step="Give each system one number.",
            )
        systems[file], reported[file] = list(read_lines(file)), number
        if len(systems[file]) != len(corpus.candidates):
            raise ShapeError(
                where=file,
                wanted=f"{count_of(len(corpus.candidates), 'line')}, as many as in {candidate},",
                got=f"{len(systems[file]):,}",
                next_step="All systems are scored against the same references.",
            )
    found = identify(systems, corpus.references, reported, threads=options["threads"])  # type: ignore[arg-type]
    deliver_result(found, options["output_format"], options["output"])
