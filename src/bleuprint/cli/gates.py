"""The gates of commands: limits from flags, and the exit code 1 where one of them does not hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from bleuprint.cli.printing import complain
from bleuprint.errors import ShapeError, name_list, nearest, quote
from bleuprint.findings.gates import Gate, hold_score
from bleuprint.metrics.metric import Better
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.written_numbers import read_float

FAILED = 1
"""The exit code of a gate; 2 is that of errors."""
GATE_FLAGS = {Better.HIGHER: "--fail-under", Better.LOWER: "--fail-over"}
FLAG_EXAMPLES = {"--margin": ("0.5", "ter=1"), "--fail-over": ("60", "ter=60")}
"""What a flag may say, where it is not a score of which more is better."""
Limits = dict[str, float]
"""A limit for some of the recipes, by the names of these."""


def read_gates(under: Iterable[str], over: Iterable[str], recipes: Mapping[str, Recipe]) -> Limits:
    """Read what scores are held to; a flag that would stop what is good is refused."""
    limits: Limits = {}
    for flag, given in ((GATE_FLAGS[Better.HIGHER], under), (GATE_FLAGS[Better.LOWER], over)):
        for name, limit in _read_limits(flag, given, name_metrics(recipes)).items():
            metric = recipes[name].metric
            if GATE_FLAGS[metric.better] != flag:
                raise ShapeError(
                    where=flag,
                    wanted=f"{GATE_FLAGS[metric.better]} for {metric.name}, where {metric.better} is better",
                    got=f"{flag} for {name}",
                    next_step=f"Say {GATE_FLAGS[metric.better]} {name}=NUMBER.",
                )
            limits[name] = limit
    return limits


def read_margins(given: Iterable[str], recipes: Mapping[str, Recipe], metrics: Iterable[str]) -> Limits:
    """Read how much worse a system may be under every recipe, and by the scores of other ``metrics``.

    A bare number is in points of a scale to 100, and says nothing about metrics that have another one.
    """
    known = name_metrics(recipes)
    own = {name: name for name in metrics}
    limits = _read_limits("--margin", given, known | own, for_all=list(known))
    return dict.fromkeys([*known, *own], 0.0) | limits


def name_metrics(recipes: Mapping[str, Recipe]) -> dict[str, str]:
    """Name the metric of every recipe."""
    return {name: recipe.metric.key for name, recipe in recipes.items()}


def _read_limits(flag: str, given: Iterable[str], recipes: Mapping[str, str], *, for_all: Sequence[str] = ()) -> Limits:
    """Read NUMBER or NAME=NUMBER, where the name is that of a recipe, or of a metric for all of its recipes.

    A bare number is for the only recipe, or for those of ``for_all`` that are not named.
    """
    limits: Limits = {}
    bare: list[float] = []
    for text in given:
        name, named, number = text.rpartition("=")
        limit = _read_number(flag, text, number)
        if not named:
            bare.append(limit)
        for recipe in _find_recipes(flag, name, recipes) if named else ():
            if recipe in limits:
                _refuse(flag, "one limit for each recipe", f"two for {recipe}", "Leave one of them out.")
            limits[recipe] = limit
    if len(bare) > 1 or (bare and len(recipes) > 1 and not for_all):
        got = "several numbers" if len(bare) > 1 else f"{bare[0]:g} for {len(recipes)} recipes"
        _refuse(flag, "NAME=NUMBER for each of several", got, f"For example: {flag} {next(iter(recipes))}={bare[0]:g}.")
    left = [recipe for recipe in for_all or recipes if recipe not in limits]
    if bare and not left:
        _refuse(flag, "one limit for each recipe", f"{bare[0]:g} beside one for each", "Leave one of them out.")
    return dict.fromkeys(left, bare[0]) | limits if bare else limits


def _read_number(flag: str, text: str, number: str) -> float:
    limit = read_float(number)
    if limit is None or not 0 <= limit < math.inf:
        examples = FLAG_EXAMPLES.get(flag, ("30", "chrf=50"))
        next_step = f"For example: {' or '.join(f'{flag} {one}' for one in examples)}."
        _refuse(flag, "a number from 0 on, or NAME=NUMBER", quote(text), next_step)
    return limit


def _find_recipes(flag: str, name: str, recipes: Mapping[str, str]) -> list[str]:
    found = [name] if name in recipes else [own for own, metric in recipes.items() if metric == name]
    if not found:
        known = list(dict.fromkeys([*recipes, *recipes.values()]))
        raise ShapeError(
            where=flag,
            wanted=name_list(known),
            got=quote(name),
            suggestion=nearest(name, known),
            next_step="Name a recipe or a metric that is scored; -m and --recipe bring more.",
        )
    return found


def _refuse(flag: str, wanted: str, got: str, next_step: str) -> NoReturn:
    raise ShapeError(where=flag, wanted=wanted, got=got, next_step=next_step)


def hold_scores(scores: Mapping[str, AnyScore], limits: Limits) -> list[Gate]:
    """Hold scores to their limits."""
    return [hold_score(name, scores[name], limit) for name, limit in limits.items()]


def close_gates(gates: Iterable[Gate]) -> int:
    """Say in one line which gates failed, and give the exit code."""
    failed = [f"{gate.recipe}: {gate.reason}" for gate in gates if not gate.passed]
    return complain(f"failed: {'; '.join(failed)}.", FAILED) if failed else 0


def refuse_junit(next_step: str) -> NoReturn:
    """Say that a JUnit report without a gate would report on nothing."""
    _refuse("--format junit", "a gate to report on", "none", next_step)
