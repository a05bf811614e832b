"""The close-up: which segments and n-grams make a score, or the difference between two systems."""

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
    """The influence of one segment: the corpus score minus the score without this segment."""

    segment: int
    """counted from 0"""
    points: float


class Disagreement(NamedTuple):
    """A segment that two systems do not score alike, and its influence on the difference between them."""

    segment: int
    """counted from 0"""
    points: float
    """the difference (first minus second) minus the difference without this segment"""
    scores: tuple[float, float]
    """of the segment alone, by effective order"""
    candidates: tuple[Text, Text] | None
    """None if only statistics were compared"""
    references: tuple[Text, ...] | None


class NgramDifference(NamedTuple):
    """An n-gram that one system matches more often than the other."""

    ngram: str
    order: int
    matches: tuple[int, int]
    """of the first and of the second system, clipped as in the score"""

    @property
    def difference(self) -> int:
        """How many more matches the first system has."""
        return self.matches[0] - self.matches[1]


def measure_influences(table: StatsTable, recipe: Recipe) -> array[float]:
    """Return for each segment the corpus score minus the score without this segment."""
    total = table.sum_row()
    rows = map(table.row, range(len(table)))
    numbers = (whole - own for row in rows for whole, own in zip(total, row, strict=True))
    rest = StatsTable(table.layout, numbers)
    whole = recipe.metric.score_row(total, recipe)
    return array("d", (whole - score for score in score_each(rest, recipe)))


def for_single_segments(recipe: Recipe) -> Recipe:
    """Return the recipe for segments alone: BLEU leaves out orders that a segment is too short for."""
    return recipe.replace(absent_order="drop") if isinstance(recipe, BleuRecipe) else recipe


def score_alone(table: StatsTable, recipe: Recipe) -> array[float]:
    """Score every segment on its own, by effective order."""
    return score_each(table, for_single_segments(recipe))


def sort_influences(points: array[float]) -> list[Influence]:
    """Sort segments from the one that raises the score most to the one that lowers it most."""
    return sorted(map(Influence, range(len(points)), points), key=lambda one: (-one.points, one.segment))


def find_disagreements(
    tables: tuple[StatsTable, StatsTable], systems: tuple[Segments, Segments] | None, recipe: Recipe
) -> list[Disagreement]:
    """List the segments that two systems do not score alike, the one that moves the difference most first."""
    influences = [measure_influences(table, recipe) for table in tables]
    scores = [score_alone(table, recipe) for table in tables]
    found = []
    for segment, (first, second) in enumerate(zip(*influences, strict=True)):
        if tables[0].row(segment) != tables[1].row(segment):
            found.append((first - second, segment))
    found.sort(key=lambda entry: (-abs(entry[0]), entry[1]))
    return [
        Disagreement(
            segment,
            points,
            (scores[0][segment], scores[1][segment]),
            (systems[0].candidates[segment], systems[1].candidates[segment]) if systems else None,
            systems[0].references[segment] if systems else None,
        )
        for points, segment in found
    ]


def compare_ngrams(systems: tuple[Segments, Segments], recipe: Recipe) -> list[NgramDifference]:
    """List the n-grams that the systems match a different number of times, the first system's gains first.

    Differences are weighted by the length of the n-gram, as a long one contains the shorter ones.
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
