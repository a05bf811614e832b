"""The gates of commands: limits from flags, and the exit code 1 if one of them fails."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.cli.options import Option
from bleuprint.cli.printing import complain
from bleuprint.errors import ShapeError, quote, unknown_name
from bleuprint.metrics.metric import Better
from bleuprint.numbers import read_float
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.findings.gates import Gate

FAILED = 1
"""The exit code of a failed gate; 2 is that of errors."""
SCORE_GATES = [
    Option(
        ["--fail-under"], multiple=True, metavar="[NAME=]NUMBER",
        help="End with exit code 1 where the score is under this number; NAME is a recipe or a metric; may be "
        "repeated.",
    ),
    Option(
        ["--fail-over"], multiple=True, metavar="[NAME=]NUMBER", help="The same for TER, where lower is better."
    ),
]  # fmt: skip
COMPARE_GATES = [
    Option(
        ["--fail-if-worse"], is_flag=True,
        help="End with exit code 1 where a system is significantly worse than the baseline.",
    ),
    Option(
        ["--margin", "margins"], multiple=True, metavar="[NAME=]POINTS",
        help="Let a system be worse by so much; NAME is a recipe or a metric; may be repeated.  [default: 0]",
    ),
]  # fmt: skip
GATE_FLAGS = {Better.HIGHER: "--fail-under", Better.LOWER: "--fail-over"}
EXAMPLES = {"--margin": "0.5 or --margin ter=1", "--fail-over": "60 or --fail-over ter=60"}
Limits = dict[str, float]
"""A limit for some of the recipes, by their names."""


def read_gates(under: Iterable[str], over: Iterable[str], recipes: Mapping[str, Recipe]) -> Limits:
    """Read the limits of scores; an option that would stop an improvement is an error."""
    limits: Limits = {}
    for flag, given in ((GATE_FLAGS[Better.HIGHER], under), (GATE_FLAGS[Better.LOWER], over)):
        for name, limit in _read_limits(flag, given, _metrics_of(recipes)).items():
            metric = recipes[name].metric
            fitting = GATE_FLAGS[metric.better]
            if fitting != flag:
                message = f"{flag} is wrong for {metric.name}, where {metric.better} is better."
                raise ShapeError(message, f"Use {fitting} {name}=NUMBER.")
            limits[name] = limit
    return limits


def read_margins(given: Iterable[str], recipes: Mapping[str, Recipe], metrics: Iterable[str]) -> Limits:
    """Read how much worse a system may be under every recipe, and by the scores of other ``metrics``.

    A bare number is in points of a scale to 100, so it is not for metrics with another scale.
    """
    known = _metrics_of(recipes)
    external = {name: name for name in metrics}
    limits = _read_limits("--margin", given, known | external, for_all=list(known))
    return dict.fromkeys([*known, *external], 0.0) | limits


def _metrics_of(recipes: Mapping[str, Recipe]) -> dict[str, str]:
    return {name: recipe.metric.key for name, recipe in recipes.items()}


def _read_limits(flag: str, given: Iterable[str], recipes: Mapping[str, str], *, for_all: Sequence[str] = ()) -> Limits:
    """Read NUMBER or NAME=NUMBER. The name is that of a recipe, or of a metric for all of its recipes.

    A bare number is for the only recipe, or for those of ``for_all`` that are not named.
    """
    limits: Limits = {}
    bare: list[float] = []
    for text in given:
        name, named, number = text.rpartition("=")
        limit = read_float(number)
        if limit is None or not 0 <= limit < math.inf:
            example = EXAMPLES.get(flag, "30 or --fail-under chrf=50")
            message = f"{flag} takes a number from 0 on, or NAME=NUMBER, not {quote(text)}."
            raise ShapeError(message, f"For example: {flag} {example}.")
        if not named:
            bare.append(limit)
            continue
        found = [name] if name in recipes else [own for own, metric in recipes.items() if metric == name]
        if not found:
            known = dict.fromkeys([*recipes, *recipes.values()])
            raise unknown_name(f"name of {flag}", name, known, error=ShapeError)
        for recipe in found:
            if recipe in limits:
                raise ShapeError(f"{flag} has two limits for {recipe}.", "Leave one of them out.")
            limits[recipe] = limit
    if not bare:
        return limits
    left = [recipe for recipe in for_all or recipes if recipe not in limits]
    if len(bare) > 1 or (len(recipes) > 1 and not for_all):
        example = f"{flag} {next(iter(recipes))}={bare[0]:g}"
        raise ShapeError(f"{flag} has one number for several recipes, or several numbers.", f"Name each: {example}.")
    if not left:
        raise ShapeError(f"{flag} has {bare[0]:g} and a limit for each recipe.", "Leave one of them out.")
    return dict.fromkeys(left, bare[0]) | limits


def close_gates(gates: Iterable[Gate]) -> int:
    """Print in one line which gates failed, and return the exit code."""
    failed = [f"{gate.recipe}: {gate.reason}" for gate in gates if not gate.passed]
    return complain(f"failed: {'; '.join(failed)}.", FAILED) if failed else 0
