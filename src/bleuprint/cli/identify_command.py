"""``bleuprint identify``: which recipe gives the number that somebody reported for these files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

from bleuprint.cli.option_values import BY_DOCUMENT, InputOptions, refuse_twice
from bleuprint.cli.options import input_options, threads_option
from bleuprint.cli.output_options import format_option, output_option
from bleuprint.cli.printing import deliver_result
from bleuprint.cli.reading import LabelledCorpus, read_labelled
from bleuprint.errors import BleuprintError, FileError, ShapeError, quote
from bleuprint.findings.identification import identify
from bleuprint.findings.identification.results import Reported
from bleuprint.io.lines import read_lines
from bleuprint.io.paths import columnar_form, is_stdin
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import METRICS
from bleuprint.text.formats import RawCorpus, detect_form, display_name
from bleuprint.wording import count_of


class System(NamedTuple):
    """A candidate file, and the number that was reported for it."""

    file: str
    number: str
    where: str
    """where both were named"""


@click.command("identify")
@click.argument("files", nargs=-1, metavar="[CANDIDATE] [REFERENCE]...")
@click.option("--reported", metavar="NUMBER", help="The number as it was printed: its digits count.")
@click.option(
    "--also", nargs=2, multiple=True, metavar="FILE NUMBER",
    help="Another system's candidate file and what was reported for it; several narrow it down together.",
)  # fmt: skip
@click.option(
    "--reported-tsv", metavar="FILE",
    help="Several systems in a file, in the place of CANDIDATE and --reported: candidate file, tab, number.",
)  # fmt: skip
@click.option(
    "--metric", "-m", "metrics", multiple=True, metavar="NAME",
    help=f"What it was reported as: {', '.join(METRICS)}, or a dialect as chrf++; repeatable.  [default: any]",
)  # fmt: skip
@input_options
@threads_option
@format_option("text", "markdown", "latex", "html", "json")
@output_option
def command(
    files: tuple[str, ...],
    *,
    reported: str | None,
    also: tuple[tuple[str, str], ...],
    reported_tsv: str | None,
    metrics: tuple[str, ...],
    reading: InputOptions,
    threads: int | None,
    output_format: str,
    output: str | None,
) -> None:
    """Find the recipes that give a reported number for a CANDIDATE file and its REFERENCE files.

    For example: bleuprint identify out.txt ref.txt --reported 33.8

    Tried are BLEU, chrF, chrF++ and TER, each with the choices that tools and people make, each reference alone,
    averaged segment scores, and what happens by accident: lines shifted, sides swapped, one side lower-cased.
    """
    refuse_twice("--metric", metrics)
    systems, references = _choose_systems(files, reported, also, reported_tsv)
    reading.refuse_documents("nothing, as the score of the whole is looked for", BY_DOCUMENT)
    first = systems[0]
    corpus, label = _read(first.file, references, reading)
    candidates = {first.file: corpus.candidates}
    for system in systems[1:]:
        if system.file in candidates:
            raise ShapeError(
                where=system.where,
                wanted="every file once",
                got=system.file,
                next_step="Give each system one number.",
            )
        candidates[system.file] = _read_other(system.file, references, corpus, first.file, reading)
    numbers = {system.file: system.number for system in systems}
    with corpus.naming_lines():
        found = identify(candidates, corpus.references, numbers, metrics or None, threads=threads)  # type: ignore[arg-type]
    deliver_result(found.on_testset(label), output_format, output)


def _choose_systems(
    files: tuple[str, ...], reported: str | None, also: tuple[tuple[str, str], ...], listed: str | None
) -> tuple[list[System], tuple[str, ...]]:
    """List the systems with their numbers, and the reference files."""
    if (reported is None) == (listed is None) or (listed is None and not files):
        named = [name for name, value in (("--reported", reported), ("--reported-tsv", listed)) if value is not None]
        raise ShapeError(
            where="identify",
            wanted="CANDIDATE with --reported NUMBER, or --reported-tsv FILE",
            got="no CANDIDATE" if named == ["--reported"] else " and ".join(named) or "neither",
            next_step="For example: bleuprint identify candidate.txt reference.txt --reported 33.8.",
        )
    if listed is not None and is_stdin(listed) and any(map(is_stdin, files)):
        raise FileError(
            where="standard input",
            wanted="at most one file read from it",
            got="--reported-tsv and a reference",
            next_step="Put one of them into a file.",
        )
    others = [System(file, number, "--also") for file, number in also]
    for number, option in ((reported, "--reported"), *((other.number, other.where) for other in others)):
        if number is not None:
            _check_number(number, option, "Write a decimal point." if "," in number else "For example 33.80.")
    if reported is not None:
        return [System(files[0], reported, "--reported"), *others], files[1:]
    assert listed is not None
    return [*_read_reported(listed), *others], files


def _read_reported(source: str) -> list[System]:
    """Read candidate files and their numbers; a file is looked for beside the one that lists them."""
    systems = list(_each_system(source, read_lines(source)))
    if not systems:
        raise ShapeError(
            where=display_name(source),
            wanted="at least one system",
            got="none",
            next_step="Each line is a candidate file, a tab and the number that was reported for it.",
        )
    return systems


def _each_system(source: str, lines: Iterable[str]) -> Iterator[System]:
    folder = Path() if is_stdin(source) else Path(source).parent
    begun = False
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{display_name(source)}, line {number}"
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise FileError(
                where=where,
                wanted="a candidate file, a tab and a number",
                got=quote(line),
                next_step="Lines that begin with # are passed over.",
            )
        header = not begun and cells == ["candidate", "reported"]
        begun = True
        if not header:
            _check_number(cells[1], where, "The first line may be a header: candidate, a tab, reported.")
            file = folder / cells[0]
            if not file.exists():
                raise FileError(
                    where=where,
                    wanted="a candidate file",
                    got=f"nothing at {file}",
                    next_step="Names are relative to the folder of the file that lists them.",
                )
            yield System(str(file), cells[1], where)


def _check_number(number: str, where: str, next_step: str) -> None:
    try:
        Reported.of(number)
    except BleuprintError as error:
        raise FileError(where=where, wanted=error.wanted, got=error.got, next_step=next_step) from None


def _read(file: str, references: tuple[str, ...], reading: InputOptions) -> LabelledCorpus:
    """Read a system with its references; all are read by the same options."""
    return read_labelled(file, references, reading, Recipe.named(DEFAULT))


def _read_other(
    file: str, references: tuple[str, ...], corpus: RawCorpus, first: str, reading: InputOptions
) -> list[object]:
    """Read another system; one that brings references must bring the same."""
    form = columnar_form(file) or detect_form(file) if reading.form == "auto" else reading.form
    if form == "plain":
        candidates: list[object] = list(read_lines(file))
        if len(candidates) != len(corpus.candidates):
            raise ShapeError(
                where=file,
                wanted=f"{count_of(len(corpus.candidates), 'line')}, as many as in {first}",
                got=f"{len(candidates):,}",
                next_step="All systems are scored against the same references.",
            )
        return candidates
    other = _read(file, references, reading).corpus
    if other.references != corpus.references:
        raise ShapeError(
            where=file,
            wanted=f"the references that {first} has",
            got="others",
            next_step="All systems are scored against the same references, in the same order.",
        )
    return other.candidates
