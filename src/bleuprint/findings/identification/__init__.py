"""Identification: find the recipe that gives a reported number.

The search counts once for each way of counting. Recipes that give the number to its printed digits are listed, the most
usual first. Recipes with equal scores on these texts form one finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bleuprint.errors import InputTypeError, Location, RecipeError, ShapeError, quote, unknown_name
from bleuprint.findings.identification.results import (
    ROUNDED,
    SAME,
    TRUNCATED,
    Finding,
    Identification,
    Reading,
    Reported,
)
from bleuprint.findings.identification.search import STAGES, Search
from bleuprint.metrics import module_of
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import METRICS, dialect_names, find_metric, list_metrics
from bleuprint.scoring.verbs import ReferenceTexts, pair_for, pair_system
from bleuprint.text.segments import Segments, Text, is_ordered

MOST_NEAREST = 5
ORDINARY = 39
"""The limit for dialects and options with which a tool is often run, on all references as a corpus."""
NEAR_ONE = 1.34
"""Numbers above this are rarely on 0 to 1. If no reading fits, only the scale of 0 to 100 is considered for them."""


def identify(
    candidates: str | Iterable[Text] | Mapping[str, Iterable[Text]],
    references: ReferenceTexts,
    reported: object,
    metric: str | Sequence[str] | None = None,
    *,
    threads: int | None = None,
) -> Identification:
    """Find the recipes that give a reported number on these texts.

    Several systems narrow it down together: give ``candidates`` and ``reported`` as mappings with the same names.
    ``metric`` says what the number was reported as: the key of a metric or the name of a dialect (``chrf++``), whose
    metric alone is searched, or several of them. Without it all metrics are.

    >>> found = identify(["The cat sat on the mat.", "It rains."], ["The cat sat on a mat.", "It rains!"], "45.18")
    >>> found.findings[0].best.dialects
    ('sacrebleu',)
    """
    if isinstance(candidates, str):
        candidates, references = [candidates], [references]  # type: ignore[list-item]
    named = read_claim(metric)
    systems, numbers = _pair_systems(candidates, reported)
    texts = list(references) if is_ordered(references) else references
    plain = [Recipe.named("sacrebleu")]
    if isinstance(candidates, Mapping) and len(candidates) > 1:
        paired = [pair_system(name, own, texts, plain) for name, own in zip(candidates, systems, strict=True)]
    else:
        paired = [pair_for(systems[0], texts, plain)]
    search = make_search(paired, named, threads)
    readings: list[Reading] = []
    for stage, name in enumerate(STAGES):
        if needs_stage(stage, readings, numbers):
            readings += search.read(getattr(search, name))
    return conclude(search, readings, numbers)


def make_search(paired: Sequence[Segments], named: Sequence[Recipe], threads: int | None = None) -> Search:
    """Prepare the search in the metrics of these recipes, or in all."""
    metrics = list(dict.fromkeys(recipe.metric for recipe in named)) or list(list_metrics())
    if named:
        for one in metrics:
            one.check_references(paired[0].references)
    claimed = {recipe.metric.family(recipe) for recipe in named}
    return Search(paired, threads, metrics, claimed.pop() if len(claimed) == 1 else "")


def read_claim(metric: object) -> list[Recipe]:
    """Read what the number was reported as: a recipe for each metric or dialect."""
    if metric is None:
        return []
    dialects, claimed = dialect_names(), []
    for name in [metric] if isinstance(metric, str) or not isinstance(metric, Sequence) else metric:
        if not isinstance(name, str) or name not in (*METRICS, *dialects):
            fix = "Leave `metric` out to search all."
            names = [*METRICS, *dialects]
            raise unknown_name("metric or recipe", name, names, fix, location=Location("metric"), error=RecipeError)
        claimed.append(Recipe.named(name if name in dialects else find_metric(name).default))
    return claimed


def _pair_systems(candidates: object, reported: object) -> tuple[list[object], list[Reported]]:
    location = Location("reported")
    if isinstance(candidates, Mapping) != isinstance(reported, Mapping):
        raise InputTypeError(
            "expected candidates and reported numbers both as dictionaries by system, or neither.",
            'For example: identify({"a": …, "b": …}, references, {"a": "33.8", "b": "31.2"}).',
            location=location,
        )
    if not isinstance(candidates, Mapping) or not isinstance(reported, Mapping):
        return [candidates], [Reported.of(reported)]
    if set(candidates) != set(reported) or not candidates:
        raise ShapeError(
            f"expected a number for every system, got systems {quote(list(candidates))} with numbers for "
            f"{quote(list(reported))}.",
            "Use the same names.",
            location=location,
        )
    return list(candidates.values()), [Reported.of(reported[name]) for name in candidates]


def needs_stage(stage: int, readings: Iterable[Reading], numbers: Sequence[Reported]) -> bool:
    """Whether a stage of the search is worth an attempt: no reading so far is usual enough and gives the numbers."""
    return stage == 0 or not any(
        (reading.is_usual if STAGES[stage] == "accidents" else reading.usual <= ORDINARY) and _fits(reading, numbers)
        for reading in readings
    )


def conclude(search: Search, readings: Sequence[Reading], numbers: Sequence[Reported]) -> Identification:
    """Group the readings of a search by what they explain of the numbers."""
    return Identification(
        tuple(numbers),
        tuple(_sort_findings(readings, numbers)),
        len(readings),
        any(reading.accident for reading in readings),
        tuple(search.notes),
        tuple(dict.fromkeys(reading.recipe.metric.name for reading in readings)),
        search.claimed,
    )


def _fits(reading: Reading, numbers: Sequence[Reported]) -> bool:
    return any(_fit(reading, numbers, scale)[0] for scale in _scales(reading, numbers))


def _fit(reading: Reading, numbers: Sequence[Reported], scale: int) -> tuple[str, float]:
    """Return how a reading gives all numbers on a scale (empty if it does not), and its largest distance to them.

    A table is printed in one way: all of its numbers are rounded, or all are cut off.
    """
    pairs = list(zip(numbers, reading.scores, strict=True))
    ways = set.intersection(*(number.ways(score, scale) for number, score in pairs))
    printed = ROUNDED if ROUNDED in ways else TRUNCATED if ways else ""
    return printed, max(abs(number.value - score * scale / 100) for number, score in pairs)


def _scales(reading: Reading, numbers: Sequence[Reported]) -> list[int]:
    most = module_of(reading.recipe.metric, "search").MOST_REPORTED
    return [scale for scale in (100, 1) if all(number.may_be_on(scale, most) for number in numbers)]


def _rounded(score: float) -> float:
    """Return one value for scores that differ only by rounding errors. Tiny scores, as NLTK has them, are not 0."""
    return round(score / SAME) * SAME if score >= 1 else float(f"{score:.9g}")


def _sort_findings(readings: Iterable[Reading], numbers: Sequence[Reported]) -> list[Finding]:
    """Group readings with equal scores, and sort: first by fit, then the most usual."""
    groups: dict[tuple[float, ...], list[Reading]] = {}
    for reading in readings:
        groups.setdefault(tuple(map(_rounded, reading.scores)), []).append(reading)
    findings = []
    for group in groups.values():
        group.sort(key=lambda reading: reading.usual)
        fits = [Finding(tuple(group), scale, *_fit(group[0], numbers, scale)) for scale in _scales(group[0], numbers)]
        # 0 is the same on both scales, so it is one finding.
        findings += [finding for finding in fits if finding.fits][:1] or fits
    fitting = [finding for finding in findings if finding.fits]
    if not fitting:
        small = all(number.value <= NEAR_ONE for number in numbers)
        findings = [finding for finding in findings if small or finding.scale == 100]
        return sorted(findings, key=lambda finding: (finding.distance, finding.best.usual))[:MOST_NEAREST]
    fitting.sort(key=lambda finding: (finding.best.usual + 30 * (finding.printed == TRUNCATED), finding.distance))
    usual = fitting[0].best.is_usual
    return [finding for finding in fitting if not (usual and finding.best.accident)]
