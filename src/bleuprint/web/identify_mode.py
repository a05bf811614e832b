"""What the page does with a reported number: try all readings of the texts part by part, and say which give it.

A part splits the texts in one way and makes all attempts with that. Parts belong to stages: unusual recipes and
accidents are tried only where nothing usual gives the number. The page holds the scores that came of each part and
hands them back for the result, so progress can be shown and the search can be cancelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, takewhile
from typing import Any

from bleuprint.errors import InputTypeError, quote
from bleuprint.findings.identification import (
    conclude,
    make_search,
    name_claim,
    needs_further,
    read_claim,
    suspects_accident,
)
from bleuprint.findings.identification.results import Reading, Reported
from bleuprint.findings.identification.search import Attempt, Search
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.html import render_part
from bleuprint.scoring.verbs import pair_for
from bleuprint.text.formats import split_lines
from bleuprint.text.segments import Segments
from bleuprint.web.export import write_result
from bleuprint.web.requests import (
    check_lines,
    is_blank,
    is_score,
    read_list,
    read_other_systems,
    read_segments,
    read_text,
    refuse_blank,
)

MOST_READINGS = 20
"""Readings of one finding that are shown with their signatures."""
KERNEL_PARTS = 8
"""Parts that are tried in one call where the kernel counts: reading the texts again takes as long as counting them."""
STAGES = ("ordinary readings", "unusual recipes", "accidents")


def read_systems(request: Mapping[str, Any]) -> dict[str, Any]:
    """Check the numbers, and read what other systems made of the same texts (``systems``: text and number of each)."""
    segments = read_segments(request, [_PLAIN])
    systems = read_other_systems(request)
    reported = [request.get("reported"), *(system.get("reported") for system in systems)]
    for place, number in enumerate(reported):
        _read_number(number, place)
    one = request.get("one") is True
    others = [_read_lines(system.get("text"), place, one) for place, system in enumerate(systems, start=2)]
    for place, lines in enumerate(others, start=2):
        check_lines(lines, len(segments), f"system {place}")
    search = _make_search(segments, others, _read_claim(request))
    return {"others": others, "reported": reported, "next": _describe_stage(search, 0)}


def try_parts(request: Mapping[str, Any]) -> dict[str, Any]:
    """Make the attempts of some parts, ``count`` from number ``part`` on: for each its scores, one for each system."""
    search, chosen = _read_search(request), _read_parts(request)
    numbered = enumerate(chain.from_iterable(map(search.parts_of, range(len(STAGES)))))
    parts = [own for number, own in takewhile(lambda one: one[0] < chosen.stop, numbered) if number in chosen]
    if not parts:
        raise InputTypeError(
            where="part", wanted="the number of a part", got=str(chosen.start), next_step="Start again."
        )
    return {"scores": [[list(reading.scores) for reading in search.read(own)] for own in parts]}


def _read_parts(request: Mapping[str, Any]) -> range:
    part, count = request.get("part"), request.get("count", 1)
    if type(part) is not int or type(count) is not int or part < 0 or count < 1:
        got = f"{quote(part)} and {quote(count)}"
        raise InputTypeError(
            where="part", wanted="the number of a part, and how many", got=got, next_step="Start again."
        )
    return range(part, part + count)


def show_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Say what the number may be, or which parts are to be tried ``next``, as nothing usual gives it so far."""
    search = _read_search(request)
    numbers, readings, tried = _read_readings(request, search)
    reasons = (True, needs_further(readings, numbers), suspects_accident(readings, numbers))
    for stage in range(max(tried) + 1, len(STAGES)):
        if reasons[stage] and search.parts_of(stage):
            return {"next": _describe_stage(search, stage), "html": ""}
    found = conclude(readings, numbers, search.notes, name_claim(_read_claim(request)))
    html = render_part("identification", found=found, live=True, most_readings=MOST_READINGS)
    return {"next": None, "html": html}


def export_result(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the same as a file: JSON, Markdown or HTML."""
    search = _read_search(request)
    numbers, readings, _ = _read_readings(request, search)
    found = conclude(readings, numbers, search.notes, name_claim(_read_claim(request)))
    return write_result(request, "bleuprint-identify", found)


def _describe_stage(search: Search, stage: int) -> dict[str, Any]:
    """Say which parts belong to a stage, by their numbers among all parts, and how many to try in one call."""
    start = sum(len(search.parts_of(earlier)) for earlier in range(stage))
    until = start + len(search.parts_of(stage))
    return {"stage": STAGES[stage], "from": start, "until": until, "step": 1 if find_kernel() is None else KERNEL_PARTS}


def _read_readings(request: Mapping[str, Any], search: Search) -> tuple[list[Reported], list[Reading], set[int]]:
    """Put the scores of the parts that were tried to their attempts, in the order of the search; tell which stages.

    A part that was not tried is None.
    """
    numbers = [_read_number(number, place) for place, number in enumerate(read_list(request, "reported"))]
    known: dict[Attempt, tuple[float, ...]] = {}
    tried: set[int] = set()
    parts = ((stage, part) for stage in range(len(STAGES)) for part in search.parts_of(stage))
    for (stage, part), rows in zip(parts, read_list(request, "scores"), strict=False):
        if rows is None:
            continue
        if not isinstance(rows, list) or len(rows) != len(part) or not all(_fits(row, len(numbers)) for row in rows):
            raise InputTypeError(where="scores", wanted="scores of parts", got=quote(rows), next_step="Start again.")
        known |= {attempt: tuple(map(float, row)) for attempt, row in zip(part, rows, strict=True)}
        tried.add(stage)
    if not known:
        raise InputTypeError(where="scores", wanted="scores of parts", got="none", next_step="Start again.")
    attempts = (*search.plain, *search.further, *search.accidents)
    return numbers, [attempt.reread(known[attempt]) for attempt in attempts if attempt in known], tried


def _fits(row: object, systems: int) -> bool:
    return isinstance(row, list) and len(row) == systems > 0 and all(is_score(value) for value in row)


def _read_search(request: Mapping[str, Any]) -> Search:
    others = read_list(request, "others")
    if not all(isinstance(lines, list) for lines in others):
        raise InputTypeError(where="others", wanted="lists of texts", got=quote(others), next_step="Start again.")
    return _make_search(read_segments(request, [_PLAIN]), others, _read_claim(request))


def _make_search(segments: Segments, others: Sequence[list[str]], claim: Sequence[Recipe]) -> Search:
    return make_search([segments, *(pair_for(lines, segments.references, [_PLAIN]) for lines in others)], claim)


def _read_claim(request: Mapping[str, Any]) -> list[Recipe]:
    """Read what the number was reported as, if that was said: a metric or a dialect."""
    return read_claim(request.get("metric") or None)


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
