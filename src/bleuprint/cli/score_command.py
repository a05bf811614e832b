"""``bleuprint score``: the corpus score, under one recipe or several, of the whole and of its groups."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli.call import Call, ScoreOptions, refuse_twice
from bleuprint.cli.corpus_options import INPUT, recipe_options
from bleuprint.cli.gates import SCORE_GATES
from bleuprint.cli.options import FILES, RESAMPLING, THREADS, Option, make_command, output_options
from bleuprint.cli.scoring import score_files
from bleuprint.findings.settings import USUAL_CONFIDENCE
from bleuprint.text.faults import CHOICES
from bleuprint.text.formats.sources import DOCUMENT

GROUPS = [
    Option(["--by-document"], is_flag=True, help="Score every document, too: short for --by document."),
    Option(
        ["--by"], multiple=True, metavar="NAME",
        help="Score every part of the corpus, too: by a column of TSV, CSV, JSONL, Parquet or Arrow files, by "
        "document, or by the origin or domain of a test set; may be repeated.",
    ),
]  # fmt: skip
INTERVALS = [
    Option(
        ["--confidence"], type=float, metavar="C",
        help=f"Give intervals, too, of this confidence: {USUAL_CONFIDENCE} is usual.  [default: none]",
    ),
    *RESAMPLING,
]  # fmt: skip
BRIEF = Option(["--brief", "-b"], is_flag=True, help="Print the numbers alone, one per recipe.")
ON_ERROR = Option(
    ["--on-error"], type=click.Choice(CHOICES),
    help=f"Parquet, Arrow: refuse malformed rows, or leave them out and say so.  [default: {CHOICES[0]}]",
)  # fmt: skip


@make_command(
    "score",
    *FILES, *recipe_options(), *INPUT, *GROUPS, *INTERVALS, *SCORE_GATES, BRIEF, ON_ERROR, THREADS,
    *output_options("text", "json", "tsv", "markdown", "latex", "junit"),
)  # fmt: skip
def command(call: Call, *, by_document: bool, by: tuple[str, ...], **options: Any) -> int:
    """Score a CANDIDATE file against one or more REFERENCE files, line by line.

    For example: bleuprint score out.txt ref.txt -m bleu -m chrf -m ter

    A .tsv, .csv or .jsonl file holds candidates and references itself; an .xml file may, with systems and translators
    by name. Of .sgm files there is one with candidates and one or more with references. Files may be .gz, .bz2,
    .xz or .zst; - is standard input.

    Parquet and Arrow files, folders of them and patterns in quotes are read in batches, by column names.
    """
    names = (DOCUMENT, *by) if by_document else by
    refuse_twice("--by and --by-document" if by_document else "--by", names)
    return score_files(call, ScoreOptions(names, **options))
