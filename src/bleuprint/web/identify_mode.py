"""Identify: try all readings of the texts part by part, and say which give a reported number.

A part splits the texts in one way and makes all attempts with that. Parts belong to stages: unusual recipes and
accidents are tried only if nothing usual gives the number. The page holds the scores of each part and hands them back
for the result, so progress can be shown and the search can be cancelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

from bleuprint.errors import InputTypeError, Location
from bleuprint.findings.identification import conclude, make_search, needs_stage, read_claim
from bleuprint.findings.identification.results import Reading, Reported
from bleuprint.findings.identification.search import Attempt, Search
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.render import render
from bleuprint.render.html import render_part
from bleuprint.scoring.verbs import pair_for
from bleuprint.text.segments import Segments
from bleuprint.web.requests import (
    Answer,
    Request,
    check_size,
    is_blank,
    is_list,
    is_score,
    is_whole,
    read,
    read_lines,
    read_other_systems,
    read_segments,
    read_text,
    unexpected,
)

MOST_READINGS = 20
"""Readings of one finding that are shown with their signatures."""
KERNEL_PARTS = 8
"""Parts that the kernel tries in one call: reading the texts again takes as long as counting them."""
STAGES = ("ordinary readings", "unusual recipes", "accidents")


def read_systems(request: Request) -> Answer:
    """Check the numbers, and read what other systems made of the same texts (``systems``: text and number of each)."""
    segments = read_segments(request, [_PLAIN])
    systems = read_other_systems(request)
    reported = [request.get("reported"), *(system.get("reported") for system in systems)]
    _read_numbers(reported)
    read_one = request.get("one") is True
    others = []
    for number, system in enumerate(systems, start=2):
        text, name = system.get("text"), f"system {number}"
        if read_one and isinstance(text, str) and not is_blank(text):
            others.append([read_text(text, Location(name))])
            check_size(others[-1], len(segments), name)
        else:
            others.append(read_lines(text, name, len(segments)))
    search = _make_search(request, segments, others)
    return {"others": others, "reported": reported, "next": _describe_stage(search, 0)}


def try_parts(request: Request) -> Answer:
    """Make the attempts of some parts, ``count`` from number ``part`` on: for each its scores, one for each system."""
    search = _read_search(request)
    start, count = read(request, "part", is_whole()), read(request, "count", is_whole(1), 1)
    every = chain.from_iterable(map(search.parts_of, range(len(STAGES))))
    parts = list(islice(every, start, start + count))
    if not parts:
        raise unexpected("part", start)
    return {"scores": [[list(reading.scores) for reading in search.read(own)] for own in parts]}


def show_result(request: Request) -> Answer:
    """Show what the number may be, or return the parts to try ``next`` if nothing usual gives it so far."""
    tried = _read_tried(request)
    for stage in range(tried.stage + 1, len(STAGES)):
        if needs_stage(stage, *tried.found) and tried.search.parts_of(stage):
            return {"next": _describe_stage(tried.search, stage), "html": ""}
    found = conclude(tried.search, *tried.found)
    html = render_part("identification", found=found, live=True, most_readings=MOST_READINGS)
    return {"next": None, "html": html}


def export_result(request: Request, form: str) -> str:
    """Write what the number may be."""
    tried = _read_tried(request)
    return render(conclude(tried.search, *tried.found), form)


class _Tried(NamedTuple):
    """What was tried, as the page hands it back."""

    search: Search
    found: tuple[list[Reading], list[Reported]]
    """the readings in the order of the search, and the numbers"""
    stage: int
    """the last stage of which a part was tried"""


def _describe_stage(search: Search, stage: int) -> Answer:
    """Return which parts belong to a stage, by their numbers among all parts, and how many to try in one call."""
    start = sum(len(search.parts_of(earlier)) for earlier in range(stage))
    until = start + len(search.parts_of(stage))
    return {"stage": STAGES[stage], "from": start, "until": until, "step": 1 if find_kernel() is None else KERNEL_PARTS}


def _read_tried(request: Request) -> _Tried:
    """Assign the scores of the parts to their attempts. A part that was not tried is None."""
    search, numbers = _read_search(request), _read_numbers(read(request, "reported", is_list()))
    known: dict[Attempt, tuple[float, ...]] = {}
    last = -1
    given = read(request, "scores", is_list(), [])
    is_row = is_list(is_score, len(numbers))
    parts = ((stage, part) for stage in range(len(STAGES)) for part in search.parts_of(stage))
    for (stage, part), rows in zip(parts, given, strict=False):
        if rows is None:
            continue
        if not is_list(is_row, len(part))(rows):
            raise unexpected("scores", rows)
        known |= {attempt: tuple(map(float, row)) for attempt, row in zip(part, rows, strict=True)}
        last = stage
    if not known or not numbers:
        raise unexpected("scores", given)
    attempts = (*search.plain, *search.further, *search.accidents)
    return _Tried(search, ([one.reread(known[one]) for one in attempts if one in known], numbers), last)


def _read_search(request: Request) -> Search:
    others = read(request, "others", is_list(is_list()), [])
    return _make_search(request, read_segments(request, [_PLAIN]), others)


def _make_search(request: Request, segments: Segments, others: Sequence[list[str]]) -> Search:
    paired = [segments, *(pair_for(lines, segments.references, [_PLAIN]) for lines in others)]
    return make_search(paired, _read_claim(request))


def _read_claim(request: Request) -> list[Recipe]:
    """Return what the number was reported as, if that was said: a metric or a named recipe."""
    return read_claim(request.get("metric") or None)


def _read_numbers(given: Sequence[object]) -> list[Reported]:
    """Return the numbers as they were typed. A decimal comma is a mistake that the fix names."""
    numbers = []
    for system, number in enumerate(given, start=1):
        try:
            numbers.append(Reported.of(number))
        except InputTypeError as error:
            where = "reported number" if system == 1 else f"reported number of system {system}"
            fix = "Write a decimal point." if isinstance(number, str) and "," in number else "For example 33.80."
            raise error.reworded(where=where, fix=fix) from None
    return numbers


_PLAIN = Recipe.named("sacrebleu")
"""Any recipe that reads texts: what a text is does not depend on it."""
