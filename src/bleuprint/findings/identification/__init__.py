"""Identification: find the recipe that gives a number which somebody reported.

The space of recipes is searched over statistics that are counted once for each way of counting. What gives the number
to its printed digits is listed, the most usual first; recipes that these texts cannot tell apart stand together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bleuprint.advice import Advice
from bleuprint.errors import InputTypeError, Location, RecipeError, ShapeError, name_list, nearest, quote
from bleuprint.findings.identification.results import (
    ROUNDED,
    SAME,
    TRUNCATED,
    Finding,
    Identification,
    Reading,
    Reported,
)
from bleuprint.findings.identification.search import Search
from bleuprint.metrics import module_of
from bleuprint.metrics.score import Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import METRICS, dialect_names, find_metric, list_metrics
from bleuprint.scoring.verbs import ReferenceTexts, pair_for, pair_system
from bleuprint.text.segments import Segments, Text, is_ordered

MOST_NEAREST = 5
ORDINARY = 39
"""Up to this far from usual are dialects and options with which a tool is often run, on all references as a corpus."""
NEAR_ONE = 1.34
"""Numbers above this are as a rule not on 0 to 1, though a TER may be; where none fits, they are not taken for such."""


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
    names = list(candidates) if isinstance(candidates, Mapping) and len(candidates) > 1 else []
    if names:
        paired = [pair_system(*system, texts, plain) for system in zip(names, systems, strict=True)]
    else:
        paired = [pair_for(systems[0], texts, plain)]
    search = make_search(paired, named, threads)
    readings = search.read(search.plain)
    if needs_further(readings, numbers):
        readings += search.read(search.further)
    if suspects_accident(readings, numbers):
        readings += search.read(search.accidents)
    return conclude(readings, numbers, search.notes, name_claim(named))


def make_search(paired: Sequence[Segments], named: Sequence[Recipe], threads: int | None = None) -> Search:
    """Prepare the search in the metrics of these recipes, or in all."""
    metrics = list(dict.fromkeys(recipe.metric for recipe in named)) or list(list_metrics())
    if named:
        for one in metrics:
            one.check_references(paired[0].references)
    return Search(paired, threads, metrics)


def name_claim(named: Sequence[Recipe]) -> str:
    """Say what a number was reported as; nothing where that was not said, or two things were."""
    claimed = {recipe.metric.family(recipe) for recipe in named}
    return claimed.pop() if len(claimed) == 1 else ""


def read_claim(metric: object) -> list[Recipe]:
    """Read what the number was reported as: a recipe for each metric or dialect that was named."""
    if metric is None:
        return []
    given = [metric] if isinstance(metric, str) or not isinstance(metric, Sequence) else list(metric)
    dialects = dialect_names()
    return [_read_claimed(one, dialects) for one in given]


def _read_claimed(name: object, dialects: Sequence[str]) -> Recipe:
    if isinstance(name, str) and (name in dialects or name in METRICS):
        return Recipe.named(name if name in dialects else find_metric(name).default)
    raise RecipeError(
        where=Location("metric"),
        wanted=f"{name_list(METRICS)}, or the name of a dialect",
        got=quote(name),
        suggestion=nearest(name, [*METRICS, *dialects]),
        next_step=Advice.LEAVE_METRIC,
    )


def _pair_systems(candidates: object, reported: object) -> tuple[list[object], list[Reported]]:
    if isinstance(candidates, Mapping) != isinstance(reported, Mapping):
        raise InputTypeError(
            where="identify",
            wanted="candidates and reported numbers both as mappings by system, or neither",
            got="one of each",
            next_step='For example: identify({"a": …, "b": …}, references, {"a": "33.8", "b": "31.2"}).',
        )
    if not isinstance(candidates, Mapping) or not isinstance(reported, Mapping):
        return [candidates], [Reported.of(reported)]
    if set(candidates) != set(reported) or not candidates:
        raise ShapeError(
            where="identify",
            wanted="a reported number for every system, and at least one system",
            got=f"systems {quote(list(candidates))} with numbers for {quote(list(reported))}",
            next_step="Name them alike.",
        )
    return list(candidates.values()), [Reported.of(reported[name]) for name in candidates]


def needs_further(readings: Iterable[Reading], numbers: Sequence[Reported]) -> bool:
    """Whether nothing near to the usual gives the numbers, so that unusual recipes are worth an attempt."""
    return not any(reading.usual <= ORDINARY and _fits(reading, numbers) for reading in readings)


def suspects_accident(readings: Iterable[Reading], numbers: Sequence[Reported]) -> bool:
    """Whether no reading that anybody would call ordinary gives the numbers."""
    return not any(_is_usual(reading, numbers) for reading in readings)


def conclude(
    readings: Sequence[Reading], numbers: Sequence[Reported], notes: Sequence[Note] = (), claimed: str = ""
) -> Identification:
    """Say what the numbers may be; ``claimed`` is what they were reported as."""
    accidents = any(reading.accident for reading in readings)
    names = tuple(dict.fromkeys(reading.recipe.metric.name for reading in readings))
    findings = _sort_findings(readings, numbers)
    return Identification(numbers, findings, len(readings), accidents, notes, names, claimed)


def _is_usual(reading: Reading, numbers: Sequence[Reported]) -> bool:
    """Whether a reading that nobody would call odd gives the numbers: then no accident need be suspected."""
    return reading.is_usual and _fits(reading, numbers)


def _fits(reading: Reading, numbers: Sequence[Reported]) -> bool:
    return any(_fit(reading, numbers, scale)[0] for scale in _scales(reading, numbers))


def _fit(reading: Reading, numbers: Sequence[Reported], scale: int) -> tuple[str, float]:
    """Say how a reading gives all numbers on a scale, or not, and how far it is from them.

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
    """Give scores that differ by nothing but rounding one value; a tiny one, as NLTK has them, is no 0."""
    return round(score / SAME) * SAME if score >= 1 else float(f"{score:.9g}")


def _sort_findings(readings: Iterable[Reading], numbers: Sequence[Reported]) -> list[Finding]:
    """Group what cannot be told apart, and put what fits first, then what is usual."""
    groups: dict[tuple[float, ...], list[Reading]] = {}
    for reading in readings:
        groups.setdefault(tuple(map(_rounded, reading.scores)), []).append(reading)
    findings = []
    for group in groups.values():
        group.sort(key=lambda reading: reading.usual)
        fits = [Finding(tuple(group), scale, *_fit(group[0], numbers, scale)) for scale in _scales(group[0], numbers)]
        # A 0 is the same on both scales, and one finding.
        findings += [finding for finding in fits if finding.fits][:1] or fits
    fitting = [finding for finding in findings if finding.fits]
    if not fitting:
        small = all(number.value <= NEAR_ONE for number in numbers)
        findings = [finding for finding in findings if small or finding.scale == 100]
        return sorted(findings, key=lambda finding: (finding.distance, finding.best.usual))[:MOST_NEAREST]
    fitting.sort(key=lambda finding: (finding.best.usual + 30 * (finding.printed == TRUNCATED), finding.distance))
    usual = fitting[0].best.is_usual
    return [finding for finding in fitting if not (usual and finding.best.accident)]
