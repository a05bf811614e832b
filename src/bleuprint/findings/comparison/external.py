"""External scores of the systems that are compared: check them and convert them to tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sized
from numbers import Real
from typing import Any

from bleuprint.counting.rows import StatsTable
from bleuprint.errors import BleuprintError, InputTypeError, Location, ShapeError, name_list, nearest, quote
from bleuprint.metrics.external import ExternalRecipe, take_scores
from bleuprint.metrics.metric import Better
from bleuprint.recipes.registry import METRICS, dialect_names
from bleuprint.text.segments import list_entries
from bleuprint.wording import count_of, join_words

ExternalTables = dict[str, tuple[ExternalRecipe, dict[str, StatsTable]]]
"""By the name of the metric: how its scores are read, and the rows of every system."""
LARGEST = 1e100
SCORE_WANTED = f"a finite number, from {-LARGEST:g} to {LARGEST:g}"
"""Beyond it squares of differences, which a standard error is made of, would be too large for a float."""
SMALLEST_SPAN = 1e-312
"""On a scale that is narrower, floats have too few digits for means that differ."""
_IN_SIGNATURES = "|=:"
"""What no name may have, as signatures and flags have it between names."""


def check_scores(
    scores: object, lower_is_better: object, systems: Mapping[str, Sized], recipes: Iterable[str]
) -> ExternalTables:
    """Check that every metric has a number for every segment of every system, and lay them out."""
    if scores is None:
        scores = {}
    if not isinstance(scores, Mapping):
        raise InputTypeError(
            where=Location("scores"),
            wanted="a dictionary from metrics to the scores of systems",
            got=f"{type(scores).__name__} {quote(scores)}",
            next_step='For example: {"comet": {"ours": [0.81, 0.93], "theirs": [0.78, 0.92]}}.',
        )
    check_metric_names(scores, recipes)
    lower = _check_direction(lower_is_better, list(scores))
    tables = {
        str(name): take_scores(
            str(name), _check_systems(str(name), own, systems), Better.LOWER if name in lower else Better.HIGHER
        )
        for name, own in scores.items()
    }
    for name, (recipe, _) in tables.items():
        _check_span(name, recipe.scale.span)
    return tables


def check_metric_names(names: Iterable[object], recipes: Iterable[str]) -> None:
    """Refuse names that signatures and flags cannot hold, and those that are taken."""
    taken = {*recipes, *dialect_names(), *METRICS}
    for name in names:
        if not isinstance(name, str) or not name.isprintable() or not name or set(name) & {*_IN_SIGNATURES, " "}:
            raise InputTypeError(
                where=Location("scores"),
                wanted=f"names of metrics without blanks and without {' '.join(_IN_SIGNATURES)}",
                got=quote(name),
                next_step="For example: comet.",
            )
        if name in taken:
            raise BleuprintError(
                where=Location("scores"),
                wanted="a name that no recipe has",
                got=quote(name),
                next_step="Say what these scores are in a name of their own, as comet-22.",
            )


def _check_direction(given: object, known: list[str]) -> list[str]:
    where = Location("lower_is_better")
    named = list_entries(given, where, "names of metrics", "Put the name into a list.")
    for name in named:
        if name not in known:
            raise BleuprintError(
                where=where,
                wanted=name_list(known) if known else "no metric, as there are no external scores",
                got=quote(name),
                suggestion=nearest(name, known) if isinstance(name, str) else None,
                next_step="Name a metric of scores; the direction of all others is known.",
            )
    return [str(name) for name in named]


def _check_systems(name: str, given: object, systems: Mapping[str, Sized]) -> dict[str, list[float]]:
    where = f"scores[{quote(name)}]"
    if not isinstance(given, Mapping):
        raise InputTypeError(
            where=where,
            wanted="a dictionary from systems to a score per segment",
            got=f"{type(given).__name__} {quote(given)}",
            next_step='For example: {"ours": [0.81, 0.93], "theirs": [0.78, 0.92]}.',
        )
    for system in given:
        if system not in systems:
            raise BleuprintError(
                where=where,
                wanted=name_list(systems),
                got=quote(system),
                suggestion=nearest(system, systems) if isinstance(system, str) else None,
                next_step="Names are those of the systems that are compared.",
            )
    missing = [system for system in systems if system not in given]
    if missing:
        raise ShapeError(
            where=where,
            wanted="scores of every system",
            got=f"none of {join_words(map(quote, missing))}",
            next_step="A metric is compared over the same systems as all others.",
        )
    return {
        system: _check_numbers(f"{where}[{quote(system)}]", given[system], len(texts))
        for system, texts in systems.items()
    }


def can_be_compared(given: Any) -> bool:
    """Return whether something can be an external score; a whole number may be too large for a float."""
    return _is_number(given) and bool(abs(given) <= LARGEST)


def advise_score(given: Any) -> str:
    """Say what to do about something that is no score: a number that is too large, or none at all."""
    if _is_number(given) and LARGEST < abs(given) < math.inf:
        return "Give the metric's scores in larger units, those of all systems alike."
    return "A mean over a gap is no mean of the test set; score the segment."


def _is_number(given: object) -> bool:
    return isinstance(given, Real) and not isinstance(given, bool)


def _check_span(name: str, span: float) -> None:
    if span < SMALLEST_SPAN:
        raise BleuprintError(
            where=f"scores[{quote(name)}]",
            wanted=f"scores that are {SMALLEST_SPAN:g} or more apart, or from 0",
            got=f"none farther than {span:g}",
            next_step="Give them in smaller units: floats have no digits left for their means.",
        )


def _check_numbers(where: str, given: object, segments: int) -> list[float]:
    wanted = f"{count_of(segments, 'score')} (one per segment)"
    next_step = "Give the score of every segment, in the order of the references."
    listed = list_entries(given, where, wanted, next_step)
    if len(listed) != segments:
        raise ShapeError(where=where, wanted=wanted, got=f"{len(listed):,}", next_step=next_step)
    for place, score in enumerate(listed):
        if not can_be_compared(score):
            raise InputTypeError(
                where=f"{where}[{place}]",
                wanted=SCORE_WANTED,
                got=quote(score),
                next_step=advise_score(score),
            )
    return [float(score) for score in listed]  # type: ignore[arg-type]
