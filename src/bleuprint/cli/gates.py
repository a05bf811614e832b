"""The gates of commands: limits from flags, and the exit code 1 where one of them does not hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NoReturn

from bleuprint.cli.printing import complain
from bleuprint.errors import ShapeError, name_list, nearest, quote
from bleuprint.findings.gates import Gate, hold_score
from bleuprint.metrics.metric import Better
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe

FAILED = 1
"""The exit code of a gate; 2 is that of errors."""
GATE_FLAGS = {Better.HIGHER: "--fail-under", Better.LOWER: "--fail-over"}
Limits = dict[str, float]
"""A limit for some of the recipes, by the names of these."""


def read_gates(under: Iterable[str], over: Iterable[str], recipes: Mapping[str, Recipe]) -> Limits:
    """Read what scores are held to; a flag that would stop what is good is refused."""
    limits: Limits = {}
    for flag, given in ((GATE_FLAGS[Better.HIGHER], under), (GATE_FLAGS[Better.LOWER], over)):
        for name, limit in read_limits(flag, given, recipes).items():
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


def read_limits(flag: str, given: Iterable[str], recipes: Mapping[str, Recipe], *, for_all: bool = False) -> Limits:
    """Read NUMBER or NAME=NUMBER, where the name is that of a recipe, or of a metric for all of its recipes.

    A bare number is for the only recipe, or ``for_all`` of them that are not named.
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
    return dict.fromkeys([name for name in recipes if name not in limits], bare[0]) | limits if bare else limits


def _read_number(flag: str, text: str, number: str) -> float:
    try:
        limit = float(number)
    except ValueError:
        limit = math.nan
    if not 0 <= limit < math.inf:
        _refuse(flag, "a number from 0 on, or NAME=NUMBER", quote(text), f"For example: {flag} 30, or {flag} chrf=50.")
    return limit


def _find_recipes(flag: str, name: str, recipes: Mapping[str, Recipe]) -> list[str]:
    found = [name] if name in recipes else [own for own, recipe in recipes.items() if recipe.metric.key == name]
    if not found:
        known = list(dict.fromkeys([*recipes, *(recipe.metric.key for recipe in recipes.values())]))
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
