"""External scores of the systems that are compared: check them and convert them to tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sized
from numbers import Real
from typing import Any

from bleuprint.counting.rows import StatsTable
from bleuprint.errors import BleuprintError, InputTypeError, Location, ShapeError, quote, unknown_name, wrong_type
from bleuprint.findings.comparison.checks import check_mapping
from bleuprint.metrics.external import ExternalRecipe, take_scores
from bleuprint.metrics.metric import Better
from bleuprint.recipes.registry import METRICS, dialect_names
from bleuprint.scoring.verbs import list_per_segment
from bleuprint.text.segments import list_entries
from bleuprint.wording import join_words

ExternalTables = dict[str, tuple[ExternalRecipe, dict[str, StatsTable]]]
"""By the name of the metric: the recipe that reads its scores, and the rows of every system."""
LARGEST = 1e100
"""Squares of larger differences, which a standard error needs, would be too large for a float."""
SCORE_WANTED = f"a finite number, from {-LARGEST:g} to {LARGEST:g}"
SMALLEST_SPAN = 1e-312
"""On a narrower scale floats have too few digits for means that differ."""
_IN_SIGNATURES = "|=:"
"""Characters that separate names in signatures and flags."""
EXAMPLE = '{"ours": [0.81, 0.93], "theirs": [0.78, 0.92]}'


def check_scores(
    scores: object, lower_is_better: object, systems: Mapping[str, Sized], recipes: Iterable[str]
) -> ExternalTables:
    """Check that every metric has a number for every segment of every system, and convert the numbers to rows."""
    checked = check_mapping(
        {} if scores is None else scores,
        "a dictionary from metrics to the scores of systems",
        f'For example: {{"comet": {EXAMPLE}}}.',
        "scores",
    )
    check_metric_names(checked, recipes)
    location = Location("lower_is_better")
    lower = list_entries(lower_is_better, location, "names of metrics", "Put the name into a list.")
    for name in lower:
        if name not in checked:
            raise unknown_name("metric", name, checked, location=location)
    tables = {}
    for name, own in checked.items():
        better = Better.LOWER if name in lower else Better.HIGHER
        tables[name] = take_scores(name, _check_systems(name, own, systems), better)
        span = tables[name][0].scale.span
        if span < SMALLEST_SPAN:
            raise BleuprintError(
                f"expected scores that are {SMALLEST_SPAN:g} or more apart, or from 0, got none farther than {span:g}.",
                "Convert them to smaller units: floats have no digits left for their means.",
                where=f"scores[{quote(name)}]",
            )
    return tables


def check_metric_names(names: Iterable[object], recipes: Iterable[str]) -> None:
    """Raise an error for names that recipes have or that signatures and flags cannot contain."""
    taken, location = {*recipes, *dialect_names(), *METRICS}, Location("scores")
    for name in names:
        if not isinstance(name, str) or not name.isprintable() or not name or set(name) & {*_IN_SIGNATURES, " "}:
            expected = f"names of metrics without blanks and without {' '.join(_IN_SIGNATURES)}"
            raise wrong_type(expected, name, "For example: comet.", location=location)
        if name in taken:
            raise BleuprintError(
                f"{quote(name)} is the name of a recipe.", "Choose another name, such as comet-22.", location=location
            )


def _check_systems(metric: str, given: object, systems: Mapping[str, Sized]) -> dict[str, list[float]]:
    where = f"scores[{quote(metric)}]"
    own = check_mapping(given, "a dictionary from systems to a score per segment", f"For example: {EXAMPLE}.", where)
    for system in own:
        if system not in systems:
            raise unknown_name("system", system, systems, location=Location("scores"))
    if missing := [quote(system) for system in systems if system not in own]:
        raise ShapeError(
            f"expected scores of every system, got none of {join_words(missing)}.",
            "A metric needs scores of all systems that are compared.",
            where=where,
        )
    return {
        system: _check_numbers(f"{where}[{quote(system)}]", own[system], len(systems[system])) for system in systems
    }


def _check_numbers(where: str, given: object, segments: int) -> list[float]:
    listed: list[Any] = list_per_segment(given, segments, "score", Location("scores"), where)
    for index, score in enumerate(listed):
        if not can_be_compared(score):
            raise InputTypeError(
                f"expected {SCORE_WANTED}, got {quote(score)}.",
                advise_score(score),
                location=Location("scores", index),
                where=f"{where}[{index}]",
            )
    return [float(score) for score in listed]


def can_be_compared(given: Any) -> bool:
    """Return whether something can be an external score. An integer may be too large for a float."""
    return _is_number(given) and bool(abs(given) <= LARGEST)


def advise_score(given: Any) -> str:
    """Return the fix for something that is no score."""
    if _is_number(given) and LARGEST < abs(given) < math.inf:
        return "Convert the metric's scores of all systems to larger units."
    return "Every segment needs a score: a mean without some segments is no mean of the test set."


def _is_number(given: object) -> bool:
    return isinstance(given, Real) and not isinstance(given, bool)
