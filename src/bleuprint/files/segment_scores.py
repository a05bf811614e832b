"""Segment scores of other metrics in files: a number per line, or the scores of all systems in one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bleuprint.errors import FileError, ShapeError, nearest, quote
from bleuprint.files.lines import read_lines
from bleuprint.files.systems import read_text_columns
from bleuprint.findings.comparison.external import SCORE_WANTED, advise_score, can_be_compared
from bleuprint.text.formats import detect_form, display_name
from bleuprint.wording import count_of, join_words
from bleuprint.written_numbers import is_plainly_written, read_float

_COLUMNS = ("tsv", "csv", "jsonl")
_LONG = "Every line has the name of a system, a tab and a score, as in mt-metrics-eval's .seg.score."


def read_system_scores(source: str, segments: int) -> list[float]:
    """Read the scores of one system, a number per line."""
    scores = [_read_number(text, f"{display_name(source)}, line {line}") for line, text in _each_line(source)]
    _check_length(scores, segments, display_name(source), "Each line is one segment, in the order of the references.")
    return scores


def read_all_scores(source: str, systems: Sequence[str], segments: int) -> dict[str, list[float]]:
    """Read the scores of these systems from a file that has those of all; others in it are not looked at.

    TSV, CSV and JSONL have a column for each system. All else has lines with a system, a tab and a score.
    """
    if detect_form(source) in _COLUMNS and not _is_long(source):
        return _read_columns(source, systems, segments)
    found: dict[str, list[float]] = {}
    for line, text in _each_line(source):
        where = f"{display_name(source)}, line {line}"
        cells = text.split("\t")
        if len(cells) != 2:
            raise FileError(where=where, wanted="a system, a tab and a score", got=quote(text), next_step=_LONG)
        own = found.setdefault(cells[0], [])
        if cells[0] in systems:
            own.append(_read_number(cells[1], where))
    for system in systems:
        if system not in found:
            raise FileError(
                where=display_name(source),
                wanted=f"scores of {quote(system)}",
                got=f"those of {join_words(map(quote, found))}" if found else "no line",
                suggestion=nearest(system, found),
                next_step="Call the system as the file does, or name a file of its own: METRIC=SYSTEM:FILE.",
            )
        where = f"{display_name(source)}, {quote(system)}"
        _check_length(found[system], segments, where, "Every segment has a line of its own for each system.")
    return {system: found[system] for system in systems}


def _read_columns(source: str, systems: Sequence[str], segments: int) -> dict[str, list[float]]:
    columns = read_text_columns(source, detect_form(source))
    scores = {}
    for system in systems:
        where = f"{display_name(source)}, column {quote(system)}"
        column = columns.column(system)
        _check_length(column, segments, where, "Every segment has a row of its own.")
        scores[system] = [_read_number(cell, f"{where}, row {row}") for row, cell in enumerate(column, start=1)]
    return scores


def _is_long(source: str) -> bool:
    """Whether a TSV file has a line per system and segment: then its first line names no columns but has a score."""
    if detect_form(source) != "tsv":
        return False
    cells = next((text.split("\t") for _, text in _each_line(source)), [])
    try:
        return len(cells) == 2 and float(cells[1]) is not None
    except ValueError:
        return False


def _each_line(source: str) -> Iterable[tuple[int, str]]:
    return enumerate(read_lines(source), start=1)


def _read_number(cell: object, where: str) -> float:
    number: Any = read_float(cell) if isinstance(cell, str) else cell
    if not can_be_compared(number):
        is_odd = isinstance(cell, str) and not is_plainly_written(cell)
        next_step = "Write it with the digits 0 to 9, as -0.5 or 1e-3." if is_odd else advise_score(number)
        raise FileError(where=where, wanted=SCORE_WANTED, got=quote(cell), next_step=next_step)
    return float(number)


def _check_length(found: Sequence[object], segments: int, where: str, next_step: str) -> None:
    if len(found) != segments:
        raise ShapeError(
            where=where,
            wanted=f"{count_of(segments, 'score')}, one per segment",
            got=f"{len(found):,}",
            next_step=f"{next_step} Nothing is cut to fit.",
        )
