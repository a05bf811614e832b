"""``bleuprint identify``: which recipe gives the number that somebody reported for these files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from bleuprint.cli.call import Call, exclude, refuse_twice
from bleuprint.cli.corpus import read_labelled
from bleuprint.cli.corpus_options import INPUT
from bleuprint.cli.options import THREADS, Option, make_command, output_options
from bleuprint.cli.printing import deliver_result
from bleuprint.errors import BleuprintError, FileError, ShapeError, quote
from bleuprint.findings.identification import identify
from bleuprint.findings.identification.results import Reported
from bleuprint.io.lines import read_lines
from bleuprint.io.paths import is_stdin
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import METRICS
from bleuprint.text.formats import RawCorpus, check_lengths, display_name


class System(NamedTuple):
    """A candidate file, and the number that was reported for it."""

    file: str
    number: str


OPTIONS: list[click.Parameter] = [
    click.Argument(["files"], nargs=-1, metavar="[CANDIDATE] [REFERENCE]..."),
    Option(["--reported"], metavar="NUMBER", help="The number as it was printed: its digits count."),
    Option(
        ["--also"], nargs=2, multiple=True, metavar="FILE NUMBER",
        help="Another system's candidate file and what was reported for it; several narrow it down together.",
    ),
    Option(
        ["--reported-tsv"], metavar="FILE",
        help="Several systems in a file, in the place of CANDIDATE and --reported: candidate file, tab, number.",
    ),
    Option(
        ["--metric", "-m", "metrics"], multiple=True, metavar="NAME",
        help=f"What it was reported as: {', '.join(METRICS)}, or a dialect as chrf++; repeatable.  [default: any]",
    ),
]  # fmt: skip


@make_command(
    "identify",
    *OPTIONS, *INPUT, THREADS, *output_options("text", "markdown", "latex", "html", "json"),
)  # fmt: skip
def command(
    call: Call,
    *,
    files: tuple[str, ...],
    reported: str | None,
    also: tuple[tuple[str, str], ...],
    reported_tsv: str | None,
    metrics: tuple[str, ...],
) -> None:
    """Find the recipes that give a reported number for a CANDIDATE file and its REFERENCE files.

    For example: bleuprint identify out.txt ref.txt --reported 33.8

    Tried are BLEU, chrF, chrF++ and TER, each with the choices that tools and people make, each reference alone,
    averaged segment scores, and what happens by accident: lines shifted, sides swapped, one side lower-cased.
    """
    refuse_twice("--metric", metrics)
    systems, references = _choose_systems(files, reported, reported_tsv)
    for file, number in also:
        _check_number(number, "--also")
        systems.append(System(file, number))
    refuse_twice("the list of systems", [system.file for system in systems], "Every system has one number.")
    call.reading.refuse_documents()
    recipe = Recipe.named(DEFAULT)
    first = call._replace(candidate=systems[0].file, references=references)
    corpus, label = read_labelled(first, recipe)
    candidates = {first.candidate: corpus.candidates}
    for system in systems[1:]:
        candidates[system.file] = _read_other(first._replace(candidate=system.file), corpus, recipe)
    numbers = {system.file: system.number for system in systems}
    with corpus.naming_lines():
        found = identify(candidates, corpus.references, numbers, metrics or None, threads=call.threads)  # type: ignore[arg-type]
    deliver_result(found.on_testset(label), call)


def _choose_systems(
    files: tuple[str, ...], reported: str | None, listed: str | None
) -> tuple[list[System], tuple[str, ...]]:
    """Return the systems with their numbers, and the reference files."""
    exclude(("--reported", "--reported-tsv", reported and listed, ""))
    if listed is not None:
        if is_stdin(listed) and any(map(is_stdin, files)):
            raise FileError("Standard input is read as --reported-tsv and as a reference.", "Put one into a file.")
        return _read_reported(listed), files
    if reported is None or not files:
        example = "bleuprint identify candidate.txt reference.txt --reported 33.8"
        message = "Expected CANDIDATE with --reported NUMBER, or --reported-tsv FILE."
        raise ShapeError(message, f"For example: {example}.")
    _check_number(reported, "--reported")
    return [System(files[0], reported)], files[1:]


def _read_reported(source: str) -> list[System]:
    """Read candidate files and their numbers. Names are relative to the folder of the file that lists them."""
    folder = Path() if is_stdin(source) else Path(source).parent
    systems: list[System] = []
    for number, line in enumerate(read_lines(source), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{display_name(source)}, line {number}"
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            fix = "Lines that begin with # are skipped."
            raise FileError(f"expected a candidate file, a tab and a number, got {quote(line)}.", fix, where=where)
        if cells == ["candidate", "reported"] and not systems:
            continue
        _check_number(cells[1], where)
        file = folder / cells[0]
        if not file.exists():
            fix = "Names are relative to the folder of the file that lists them."
            raise FileError(f"No such file: {file}.", fix, where=where)
        systems.append(System(str(file), cells[1]))
    if not systems:
        fix = "Each line is a candidate file, a tab and the number that was reported for it."
        raise ShapeError(f"{display_name(source)} lists no system.", fix)
    return systems


def _check_number(number: str, where: str) -> None:
    try:
        Reported.of(number)
    except BleuprintError as error:
        raise error.reworded(where=where, fix="Write it with a decimal point: 33.80.") from None


def _read_other(call: Call, corpus: RawCorpus, recipe: Recipe) -> list[object]:
    """Read another system; if its file has references, they must be the same."""
    if call.reading.form_of(call.candidate) == "plain":
        candidates: list[object] = list(read_lines(call.candidate))
        check_lengths([corpus.source, call.candidate], [len(corpus.candidates), len(candidates)])
        return candidates
    other = read_labelled(call, recipe)[0]
    if other.references != corpus.references:
        message = f"{call.candidate} has other references than {corpus.source}."
        raise ShapeError(message, "All systems need the same references, in the same order.")
    return other.candidates
