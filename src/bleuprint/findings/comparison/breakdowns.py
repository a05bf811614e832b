"""Breakdowns: the scores of parts of the test set, which show where one system wins."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import reduce
from operator import neg, or_
from typing import NamedTuple

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
"""Where buckets of words begin, by their frequency in the references of the test set."""


class Group(NamedTuple):
    """A part of the test set, with a value of each system."""

    name: str
    size: int
    """in segments; in words if the breakdown is by frequency"""
    values: dict[str, float]
    leader: str | None
    """the system with the best value; None if several have it"""


class Breakdown(NamedTuple):
    """The test set in parts."""

    name: str
    measure: str
    """what the values are: what the scores are called, or the share of words found in percent"""
    unit: str
    """what sizes count: ``segments`` or ``words``"""
    length_unit: str | None
    """the unit of lengths, if the parts go by length"""
    groups: tuple[Group, ...]
    digits: int = 2
    """the number of decimals with which the values are shown"""


def break_down_labels(name: str, labels: Sequence[str], tables: Mapping[str, StatsTable], recipe: Recipe) -> Breakdown:
    """Score the segments that share a label. Labels keep the order in which they first occur."""
    return _score_groups(name, labels, tables, recipe)


def break_down_lengths(
    segments: Segments, tables: Mapping[str, StatsTable], recipe: Recipe, measure: Recipe
) -> Breakdown:
    """Score segments by the length of their first reference, in the unit of ``measure``."""
    unit = measure.metric.length_unit
    firsts = [references[0] for references in segments.references]
    layout = module_of(measure.metric, "explain").length_layout(measure)
    counted = find_engine().count(Segments(firsts, [(text,) for text in firsts]), layout)
    names = name_buckets(LENGTHS[unit])
    labels = [names[bisect_right(LENGTHS[unit], length)] for length in counted.column("candidate_length")]
    return _score_groups(LENGTH, labels, tables, recipe, order=names)._replace(length_unit=unit)


def _score_groups(
    name: str, labels: Iterable[str], tables: Mapping[str, StatsTable], recipe: Recipe, order: Iterable[str] = ()
) -> Breakdown:
    indices: dict[str, list[int]] = {label: [] for label in order}
    for index, label in enumerate(labels):
        indices.setdefault(label, []).append(index)
    groups = []
    for label, own in indices.items():
        if own:
            values = {system: score_table(table.pick(own), recipe).score for system, table in tables.items()}
            groups.append(Group(label, len(own), values, find_leader(values, recipe.metric.sort_key)))
    return Breakdown(name, recipe.metric.heading(recipe), "segments", None, tuple(groups), recipe.metric.digits)


def break_down_frequencies(systems: Mapping[str, Segments], recipe: Recipe) -> Breakdown:
    """Compute the share of the references' words that each system has, for rare and for frequent words.

    A word counts as often as in the reference that has it most often, as in clipping.
    """
    split = module_of(recipe.metric, "explain").split_words

    def count(text: Text) -> Counter[Hashable]:
        return Counter(split(text, recipe))

    first = next(iter(systems.values()))
    limits = [reduce(or_, map(count, texts)) for texts in first.references]
    frequency = Counter[Hashable]()
    for limit in limits:
        frequency.update(limit)
    names = name_buckets(FREQUENCIES)
    bucket_of = {word: names[bisect_right(FREQUENCIES, number)] for word, number in frequency.items()}

    def sum_up(counts: Iterable[Counter[Hashable]]) -> Counter[str]:
        sums = Counter[str]()
        for counted in counts:
            for word, number in counted.items():
                sums[bucket_of[word]] += number
        return sums

    sizes = sum_up([frequency])
    found = {
        name: sum_up(count(text) & limit for text, limit in zip(segments.candidates, limits, strict=True))
        for name, segments in systems.items()
    }
    groups = []
    for bucket in names:
        if sizes[bucket]:
            values = {name: 100 * own[bucket] / sizes[bucket] for name, own in found.items()}
            groups.append(Group(bucket, sizes[bucket], values, find_leader(values)))
    return Breakdown(FREQUENCY, "words found, %", "words", None, tuple(groups))


def name_buckets(starts: Sequence[int]) -> list[str]:
    """Name the buckets that begin at these numbers, after the bucket of 0.

    >>> name_buckets((1, 2, 5))
    ['0', '1', '2–4', '5+']
    """
    ends = [start - 1 for start in starts[1:]]
    names = [str(start) if start == end else f"{start}–{end}" for start, end in zip(starts, ends, strict=False)]
    return ["0", *names, f"{starts[-1]}+"]


def find_leader(values: Mapping[str, float], sort_key: Callable[[float], float] = neg) -> str | None:
    """Name the one system with the best value: the highest, unless ``sort_key`` puts another first."""
    best = min(values.values(), key=sort_key)
    leaders = [name for name, value in values.items() if value == best]
    return leaders[0] if len(leaders) == 1 else None
