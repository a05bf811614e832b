"""The close-up: which segments make a score or a difference, and which n-grams one system gets and the other misses."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import NamedTuple

from bleuprint.counting.ngrams import Ngram
from bleuprint.counting.rows import StatsTable
from bleuprint.metrics import module_of
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_each
from bleuprint.text.segments import Segments, Text
from bleuprint.text.shown_tokens import join_tokens


class Influence(NamedTuple):
    """What one segment does to the corpus score: the score minus what it were without this segment."""

    segment: int
    """counted from 0"""
    points: float


class Disagreement(NamedTuple):
    """A segment on which two systems part, and what it does to the difference between them."""

    segment: int
    """counted from 0"""
    points: float
    """the difference (first minus second) minus what it were without this segment"""
    scores: tuple[float, float]
    """of the segment alone, by effective order"""
    candidates: tuple[Text, Text] | None
    """None where only statistics were compared"""
    references: tuple[Text, ...] | None


class NgramDifference(NamedTuple):
    """An n-gram that one system gets more often than the other."""

    ngram: str
    order: int
    matches: tuple[int, int]
    """of the first and of the second system, clipped as in the score"""

    @property
    def difference(self) -> int:
        """How many more matches the first system has."""
        return self.matches[0] - self.matches[1]


def measure_influences(table: StatsTable, recipe: Recipe) -> array[float]:
    """Leave out one segment after the other; give for each what the corpus score loses with it."""
    total = table.sum_row()
    numbers = (whole - own for row in _rows(table) for whole, own in zip(total, row, strict=True))
    rest = StatsTable(table.layout, numbers)
    whole = recipe.metric.score_row(total, recipe)
    return array("d", (whole - score for score in score_each(rest, recipe)))


def for_single_segments(recipe: Recipe) -> Recipe:
    """Return the recipe for segments alone: BLEU leaves out orders that a segment is too short for."""
    return recipe.replace(absent_order="drop") if isinstance(recipe, BleuRecipe) else recipe


def score_alone(table: StatsTable, recipe: Recipe) -> array[float]:
    """Score every segment as if it were alone: by effective order, as a short one has no n-grams of the others."""
    return score_each(table, for_single_segments(recipe))


def sort_influences(points: array[float]) -> list[Influence]:
    """Sort segments from the one that raises the score most to the one that lowers it most."""
    return sorted(map(Influence, range(len(points)), points), key=lambda one: (-one.points, one.segment))


def find_disagreements(
    tables: tuple[StatsTable, StatsTable], systems: tuple[Segments, Segments] | None, recipe: Recipe
) -> list[Disagreement]:
    """List the segments that two systems do not score alike, the one that moves the difference most first."""
    first, second = (measure_influences(table, recipe) for table in tables)
    scores = [score_alone(table, recipe) for table in tables]
    found = []
    for segment, (one, other) in enumerate(zip(first, second, strict=True)):
        if tables[0].row(segment) != tables[1].row(segment):
            found.append((one - other, segment))
    found.sort(key=lambda entry: (-abs(entry[0]), entry[1]))
    return [
        Disagreement(segment, points, (scores[0][segment], scores[1][segment]), *_find_texts(systems, segment))
        for points, segment in found
    ]


def _find_texts(
    systems: tuple[Segments, Segments] | None, segment: int
) -> tuple[tuple[Text, Text], tuple[Text, ...]] | tuple[None, None]:
    if systems is None:
        return None, None
    first, second = systems
    return (first.candidates[segment], second.candidates[segment]), first.references[segment]


def compare_ngrams(systems: tuple[Segments, Segments], recipe: Recipe) -> list[NgramDifference]:
    """List the n-grams that the systems match a different number of times, the first system's gains first.

    An n-gram weighs as much as it has tokens: what a long one says, its parts say again, but not the other way round.
    """
    match = module_of(recipe.metric, "explain").match
    matches: tuple[Counter[Ngram], Counter[Ngram]] = (Counter(), Counter())
    for one, other in zip(*systems, strict=True):
        if one.candidate != other.candidate:
            found = match([one.candidate, other.candidate], one.references, recipe)
            for own, matched in zip(matches, found, strict=True):
                own.update(matched)
    differing = [ngram for ngram in matches[0] | matches[1] if matches[0][ngram] != matches[1][ngram]]
    listed = [
        NgramDifference(join_tokens(ngram), len(ngram), (matches[0][ngram], matches[1][ngram])) for ngram in differing
    ]
    return sorted(listed, key=lambda one: (-one.difference * one.order, one.ngram))


def _rows(table: StatsTable) -> list[array[int]]:
    return [table.row(place) for place in range(len(table))]
