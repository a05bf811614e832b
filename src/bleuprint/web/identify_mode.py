"""What the page does with a reported number: try all readings of the texts part by part, and say which give it.

A part splits the texts in one way and makes all attempts with that. The page holds the scores that came of each part
and hands them back for the result, so progress can be shown and the search can be cancelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint.errors import InputTypeError, ShapeError, quote
from bleuprint.findings.identification import conclude, suspects_accident
from bleuprint.findings.identification.results import Reading, Reported
from bleuprint.findings.identification.search import Attempt, Search
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.html import render_part
from bleuprint.scoring.verbs import pair_for
from bleuprint.text.formats import split_lines
from bleuprint.text.segments import Segments
from bleuprint.web.export import write_result
from bleuprint.web.limits import MOST_SYSTEMS
from bleuprint.web.requests import is_blank, is_score, read_list, read_segments, read_text, refuse_blank
from bleuprint.wording import count_of

MOST_READINGS = 20
"""Readings of one finding that are shown with their signatures."""


def read_systems(request: Mapping[str, Any]) -> dict[str, Any]:
    """Check the numbers, and read what other systems made of the same texts (``systems``: text and number of each)."""
    segments = read_segments(request, [_PLAIN])
    systems = read_list(request, "systems")
    if len(systems) >= MOST_SYSTEMS or not all(isinstance(system, Mapping) for system in systems):
        raise ShapeError(
            where="systems", wanted=f"at most {MOST_SYSTEMS - 1} other systems", got=quote(systems),
            next_step="Remove some of them.",
        )  # fmt: skip
    reported = [request.get("reported"), *(system.get("reported") for system in systems)]
    for place, number in enumerate(reported):
        _read_number(number, place)
    one = request.get("one") is True
    others = [_read_lines(system.get("text"), place, one) for place, system in enumerate(systems, start=2)]
    for place, lines in enumerate(others, start=2):
        if len(lines) != len(segments):
            raise ShapeError(
                where=f"system {place}", wanted=count_of(len(segments), "line"), got=f"{len(lines):,}",
                next_step="All systems are scored against the same references.",
            )  # fmt: skip
    parts = _make_search(segments, others).parts
    plain = sum(not part[0].accident for part in parts)
    return {"others": others, "reported": reported, "plain_parts": plain, "parts": len(parts)}


def try_part(request: Mapping[str, Any]) -> dict[str, Any]:
    """Make the attempts of one part; gives their scores, one for each system."""
    search, part = _read_search(request), request.get("part")
    if type(part) is not int or not 0 <= part < len(search.parts):
        raise InputTypeError(where="part", wanted="the number of a part", got=quote(part), next_step="Start again.")
    return {"scores": [list(reading.scores) for reading in search.read(search.parts[part])]}


def show_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Say what the number may be; nothing is said yet while that is reason to try accidents, too."""
    search = _read_search(request)
    numbers, readings = _read_readings(request, search)
    if len(request["scores"]) < len(search.parts) and suspects_accident(readings, numbers):
        return {"suspicious": True, "html": ""}
    found = conclude(readings, numbers)
    html = render_part("identification", found=found, live=True, most_readings=MOST_READINGS)
    return {"suspicious": False, "html": html}


def export_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the same as a file: JSON, Markdown or HTML."""
    numbers, readings = _read_readings(request, _read_search(request))
    return write_result(request, "bleuprint-identify", conclude(readings, numbers))


def _read_readings(request: Mapping[str, Any], search: Search) -> tuple[list[Reported], list[Reading]]:
    """Put the scores of the parts, as far as there are any, to the attempts, in the order of the search."""
    numbers = [_read_number(number, place) for place, number in enumerate(read_list(request, "reported"))]
    known: dict[Attempt, tuple[float, ...]] = {}
    for part, rows in zip(search.parts, read_list(request, "scores"), strict=False):
        if not isinstance(rows, list) or len(rows) != len(part) or not all(_fits(row, len(numbers)) for row in rows):
            raise InputTypeError(where="scores", wanted="scores of parts", got=quote(rows), next_step="Start again.")
        known |= {attempt: tuple(map(float, row)) for attempt, row in zip(part, rows, strict=True)}
    if not known:
        raise InputTypeError(where="scores", wanted="scores of parts", got="none", next_step="Start again.")
    attempts = (*search.plain, *search.accidents)
    return numbers, [attempt.give(known[attempt]) for attempt in attempts if attempt in known]


def _fits(row: object, systems: int) -> bool:
    return isinstance(row, list) and len(row) == systems > 0 and all(is_score(value) for value in row)


def _read_search(request: Mapping[str, Any]) -> Search:
    others = read_list(request, "others")
    if not all(isinstance(lines, list) for lines in others):
        raise InputTypeError(where="others", wanted="lists of texts", got=quote(others), next_step="Start again.")
    return _make_search(read_segments(request, [_PLAIN]), others)


def _make_search(segments: Segments, others: Sequence[list[str]]) -> Search:
    return Search([segments, *(pair_for(lines, segments.references, [_PLAIN]) for lines in others)])


def _read_number(number: object, place: int) -> Reported:
    """Read a number as it was typed; a decimal comma is a mistake that has a name."""
    try:
        return Reported.of(number)
    except InputTypeError as error:
        where = "reported number" if place == 0 else f"reported number of system {place + 1}"
        comma = "Write a decimal point." if isinstance(number, str) and "," in number else "For example 33.80."
        raise error.reworded(where=where, next_step=comma) from None


def _read_lines(text: object, place: int, one: bool) -> list[str]:
    where = f"system {place}"
    if isinstance(text, str) and is_blank(text):
        refuse_blank(where, "its candidate")
    if one:
        return [read_text(text, where)]
    if not isinstance(text, str):
        raise InputTypeError(where=where, wanted="a text", got=quote(text), next_step="Reload the page.")
    return split_lines(text)


_PLAIN = Recipe.named("sacrebleu")
"""Any recipe that reads texts: what a text is does not depend on it."""
