"""Notes on a comparison: what its numbers can and cannot show."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison.results import RecipeResult
from bleuprint.findings.significance import LOWEST_P
from bleuprint.metrics.external import ExternalRecipe
from bleuprint.metrics.metric import Better
from bleuprint.metrics.score import Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.text_notes import counts_empty_texts, note_empty_references
from bleuprint.text.segments import Segments
from bleuprint.wording import count_of, format_score, join_words

FEW_SEGMENTS = 100
"""Under this many segments, intervals from resampling are too narrow."""


def write_notes(result: RecipeResult, resampled: Mapping[str, array[float]]) -> Iterator[Note]:
    """Write every note that the numbers give reason for."""
    if result.pairs:
        yield from _note_tests(result)
    yield from note_few_segments(result.segments)
    yield from _note_empty_references(result)
    yield from _note_zeros(result, resampled)


def note_same_texts(systems: Mapping[str, Segments]) -> list[Note]:
    """Name systems whose texts are equal."""
    groups = _group_equal({name: segments.candidates for name, segments in systems.items()})
    return [Note("same-texts", f"{join_words(names)} have the same texts") for names in groups]


def note_same_counts(tables: Mapping[str, StatsTable]) -> list[Note]:
    """Name systems whose counts are equal in every segment, if there are no texts to compare."""
    return [Note("same-counts", f"{join_words(n)} have the same counts in every segment") for n in _group_equal(tables)]


def _group_equal(values: Mapping[str, object]) -> list[list[str]]:
    """Group the names of equal values; what equals no other is left out."""
    groups: list[list[str]] = []
    for name, value in values.items():
        equal = next((group for group in groups if values[group[0]] == value), None)
        if equal is None:
            groups.append([name])
        else:
            equal.append(name)
    return [group for group in groups if len(group) > 1]


def note_external(recipe: Recipe) -> list[Note]:
    """Note that scores are external, and whether they were rounded."""
    if not isinstance(recipe, ExternalRecipe):
        return []
    scale = recipe.scale
    text = f"{scale.name} is an external metric: a system's score is the mean of its segment scores"
    notes = [Note("external-scores", text)]
    if scale.is_rounded:
        text = f"the scores of {scale.name} were rounded to multiples of {float(scale.unit):g}"
        notes.append(Note("rounded-scores", f"{text}, so that their sums are exact"))
    return notes


def _note_tests(result: RecipeResult) -> Iterator[Note]:
    """Note what the tests can find, how they were made, and what a significant difference needs."""
    settings, pairs, segments = result.settings, len(result.pairs), count_of(result.segments, "segment")
    if result.detectable is not None:
        low, high = (format_score(size, result.recipe.metric.digits) for size in result.detectable)
        name = result.recipe.metric.title(result.recipe)
        size = f"about {low} {name}" if low == high else f"about {low} to {high} {name}, depending on the pair"
        text = (
            f"with {segments} a single test at 5 % finds differences of {size}, four times in five, and smaller ones "
        )
        more = "; a test corrected for many comparisons finds fewer" if pairs > 1 else ""
        yield Note("detectable", f"{text}less often{more}")
    name = "paired approximate randomisation" if settings.test == "randomisation" else "the paired bootstrap"
    text = f"p-values are two-sided, from {name} with {settings.resamples:,} resamples; none can be below "
    more = f"; corrected for {count_of(pairs, 'comparison')} after Holm" if pairs > 1 else ""
    yield Note("p-values", f"{text}1/{settings.resamples + 1:,}{more}")
    best = "the comparison" if pairs == 1 else f"even the best of {pairs:,} comparisons"
    best += f" cannot be significant at {settings.level:g}"
    if result.needed and settings.resamples < result.needed.resamples:
        text = f"with {settings.resamples:,} resamples {best}: that takes at least {result.needed.resamples:,}"
        yield Note("too-few-resamples", text)
    if result.needed and result.segments < result.needed.segments:
        lowest = LOWEST_P[settings.test](result.segments)
        reason = "to swap all of them or none leaves systems as far apart as they are"
        if settings.test == "bootstrap":
            reason = "drawn again it is the same"
        text = f"with {segments} {best}: {reason}, so that p is at least {lowest:g}; "
        yield Note("too-few-segments", text + f"that takes at least {result.needed.segments:,}")


def note_few_segments(segments: int) -> Iterator[Note]:
    """Note what a small test set does to intervals."""
    if segments == 1:
        yield Note("few-segments", "one segment, drawn again, is the same: intervals have no width and say nothing")
    elif segments < FEW_SEGMENTS:
        text = f"{segments} segments make a small test set: intervals from resampling so few come out too narrow"
        yield Note("few-segments", text)


def _note_empty_references(result: RecipeResult) -> Iterator[Note]:
    """Note empty references once for all systems. Without texts, the statistics of each system show them."""
    if counts_empty_texts(result.recipe):
        return
    texts = result.systems[0].score.segments
    if texts is not None:
        if texts.find_empty_references():
            yield from note_empty_references(texts, result.recipe.metric)
        return
    for system in result.systems:
        for note in system.score.notes:
            if note.code in ("empty-references", "empty-reference"):
                yield Note(note.code, f"{system.name}: {note.text}")


def _note_zeros(result: RecipeResult, resampled: Mapping[str, array[float]]) -> Iterator[Note]:
    """Note scores of 0 and resamples with a score of 0, and tools that raise an error instead.

    A TER of 0 is perfect, and external scores may have 0 anywhere on their scale.
    """
    for system in result.systems:
        if system.score.tool_stops:
            why = system.score.stops_because
            yield Note(
                "tool-stops", f"{system.name}: NLTK stops here with an error ({why}); the 0 is no number of NLTK's"
            )
    metric = result.recipe.metric
    if metric.better is Better.LOWER or not metric.counts_texts:
        return
    zeros = [system.name for system in result.systems if system.score.score == 0 and not system.score.tool_stops]
    if len(zeros) == 1:
        yield Note("zero-scores", f"{zeros[0]} scores 0 under this recipe")
    elif zeros:
        text = f"{join_words(zeros)} score 0 under this recipe: it tells nothing about which of them is better"
        yield Note("zero-scores", text)
    for system in result.systems:
        missed = resampled[system.name].count(0.0)
        if missed and system.score.score:
            because = "an order has no match" if metric.key == "bleu" else "nothing matches"
            reaches = "reaches" if system.interval.low == 0 else "does not reach"
            text = (
                f"{system.name} scores 0 on {missed:,} of {result.settings.resamples:,} resamples, as a rule because "
                f"{because} there; its interval {reaches} down to 0"
            )
            yield Note("zero-resamples", text)
