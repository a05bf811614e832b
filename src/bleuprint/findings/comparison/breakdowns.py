"""Breakdowns: the scores of parts of the test set, to see where one system wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import neg
from typing import NamedTuple

from bleuprint.counting.ngrams import highest_counts
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.metrics import module_of
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_table
from bleuprint.text.segments import Segments, Text

LENGTH, FREQUENCY = "length", "frequency"
LENGTHS = {
    "tokens": (1, 10, 20, 30, 40, 60),
    "words": (1, 10, 20, 30, 40, 60),
    "characters": (1, 50, 100, 150, 200, 300),
}
"""Where buckets of length begin, by unit."""
FREQUENCIES = (1, 2, 5, 10, 100)
"""Where buckets of words begin, by how often the references of the test set have them."""


class Group(NamedTuple):
    """A part of the test set, and what each system reaches there."""

    name: str
    size: int
    """in segments, or in words where the breakdown is by frequency"""
    values: dict[str, float]
    leader: str | None
    """the system with the best value; None where several have it"""


class Breakdown(NamedTuple):
    """The test set in parts."""

    name: str
    measure: str
    """what the values are: what the scores are called, or the share of words found in percent"""
    unit: str
    """what sizes count: ``segments`` or ``words``"""
    groups: tuple[Group, ...]
    length_unit: str = ""
    """what lengths are counted in, where the parts go by length"""
    digits: int = 2
    """with how many decimals the values are shown"""


def break_down_labels(name: str, labels: Sequence[str], tables: Mapping[str, StatsTable], recipe: Recipe) -> Breakdown:
    """Score the segments that share a label; labels stand in the order in which they first come."""
    places: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    return _score_places(name, places, tables, recipe)


def break_down_lengths(
    segments: Segments, tables: Mapping[str, StatsTable], recipe: Recipe, measure: Recipe
) -> Breakdown:
    """Score segments by the length of their first reference, in what ``measure`` counts; 0 is a part of its own."""
    metric = measure.metric
    starts = LENGTHS[metric.length_unit]
    firsts = [references[0] for references in segments.references]
    layout = module_of(metric, "explain").length_layout(measure)
    counted = find_engine().count(Segments(firsts, [(text,) for text in firsts]), layout)
    places: dict[str, list[int]] = {name: [] for name in ("0", *name_buckets(starts))}
    for place, length in enumerate(counted.column("candidate_length")):
        places[find_bucket(length, starts)].append(place)
    filled = {name: own for name, own in places.items() if own}
    return _score_places(LENGTH, filled, tables, recipe)._replace(length_unit=metric.length_unit)


def break_down_frequencies(systems: Mapping[str, Segments], recipe: Recipe) -> Breakdown:
    """Say how many of the references' words each system has, for rare and for frequent words.

    A word counts as often as in the reference that has it most often, as in clipping.
    """
    first = next(iter(systems.values()))
    limits = [
        highest_counts(Counter((word,) for word in _split(text, recipe)) for text in texts)
        for texts in first.references
    ]
    frequency = Counter[tuple[object, ...]]()
    for limit in limits:
        frequency.update(limit)
    bucket_of = {word: find_bucket(count, FREQUENCIES) for word, count in frequency.items()}
    sizes = Counter[str]()
    for word, count in frequency.items():
        sizes[bucket_of[word]] += count
    found = {name: _find_words(segments, limits, bucket_of, recipe) for name, segments in systems.items()}
    groups = []
    for bucket in name_buckets(FREQUENCIES):
        if sizes[bucket]:
            values = {name: 100 * own[bucket] / sizes[bucket] for name, own in found.items()}
            groups.append(Group(bucket, sizes[bucket], values, find_leader(values)))
    return Breakdown(FREQUENCY, "words found, %", "words", tuple(groups))


def name_buckets(starts: Sequence[int]) -> list[str]:
    """Name buckets that begin at these numbers.

    >>> name_buckets((1, 2, 5))
    ['1', '2–4', '5+']
    """
    ends = [start - 1 for start in starts[1:]]
    names = [str(start) if start == end else f"{start}–{end}" for start, end in zip(starts, ends, strict=False)]
    return [*names, f"{starts[-1]}+"]


def find_bucket(number: int, starts: Sequence[int]) -> str:
    """Name the bucket that a number belongs to; ``0`` is before the first."""
    begun = sum(start <= number for start in starts)
    return name_buckets(starts)[begun - 1] if begun else "0"


def find_leader(values: Mapping[str, float], sort_key: Callable[[float], float] = neg) -> str | None:
    """Name the one system with the best value: the highest, unless ``sort_key`` puts another first."""
    best = min(values.values(), key=sort_key)
    leaders = [name for name, value in values.items() if value == best]
    return leaders[0] if len(leaders) == 1 else None


def _score_places(
    name: str, places: Mapping[str, list[int]], tables: Mapping[str, StatsTable], recipe: Recipe
) -> Breakdown:
    groups = []
    for label, own in places.items():
        values = {system: score_table(table.pick(own), recipe).score for system, table in tables.items()}
        groups.append(Group(label, len(own), values, find_leader(values, recipe.metric.sort_key)))
    return Breakdown(name, recipe.metric.heading(recipe), "segments", tuple(groups), digits=recipe.metric.digits)


def _find_words(
    segments: Segments,
    limits: Sequence[Counter[tuple[object, ...]]],
    bucket_of: Mapping[tuple[object, ...], str],
    recipe: Recipe,
) -> Counter[str]:
    found = Counter[str]()
    for candidate, limit in zip(segments.candidates, limits, strict=True):
        for word, count in Counter((word,) for word in _split(candidate, recipe)).items():
            if word in limit:
                found[bucket_of[word]] += min(count, limit[word])
    return found


def _split(text: Text, recipe: Recipe) -> Sequence[Hashable]:
    words: Sequence[Hashable] = module_of(recipe.metric, "explain").split_words(text, recipe)
    return words
