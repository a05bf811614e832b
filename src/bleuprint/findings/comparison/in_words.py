"""A comparison in words: its outcome in one sentence, and remarks on what its numbers can and cannot show."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.comparison.verdicts import LOWEST_P, PairVerdict, Verdict
from bleuprint.findings.settings import MOST_RESAMPLES
from bleuprint.findings.significance import Interval
from bleuprint.metrics.external import ExternalRecipe
from bleuprint.metrics.metric import Better
from bleuprint.metrics.score import Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.text_notes import counts_empty_texts, note_empty_references
from bleuprint.text.segments import Segments
from bleuprint.wording import count_of, format_difference, format_p, format_score, join_words

if TYPE_CHECKING:
    from bleuprint.findings.comparison.results import PairResult, RecipeResult

FEW_SEGMENTS = 100
"""Under this many segments, intervals from resampling are too narrow."""


def summarise(result: RecipeResult) -> str:
    """Write the outcome in one sentence, which is true of every pair."""
    if result.verdict is Verdict.ONE_SYSTEM:
        return _summarise_system(result)
    if len(result.pairs) == 1:
        return summarise_pair(result.pairs[0], result)
    if result.verdict is Verdict.UNDECIDED:
        return _summarise_undecided(result)
    if result.baseline is not None:
        return _summarise_baseline(result)
    if result.verdict is Verdict.NONE_DIFFER:
        return f"No two of these {len(result.systems)} systems differ significantly."
    return _summarise_clusters(result)


def describe_needs(result: RecipeResult) -> str:
    """Say what there would have to be more of for a difference to be significant."""
    needed, settings = result.needed, result.settings
    parts = []
    if needed and settings.resamples < needed.resamples:
        parts.append(f"at least {needed.resamples:,} resamples (here {settings.resamples:,})")
    if needed and result.segments < needed.segments:
        parts.append(f"at least {needed.segments:,} segments (here {result.segments:,})")
    text = f"to be significant at {settings.level:g} it takes {join_words(parts)}"
    if needed and needed.resamples > MOST_RESAMPLES:
        text += f", and no more than {MOST_RESAMPLES:,} are drawn: compare fewer systems, or all with a baseline"
    return text


def interval_words(interval: Interval, digits: int = 2) -> str:
    """Write the bounds of an interval."""
    return f"{format_difference(interval.low, digits)} to {format_difference(interval.high, digits)}"


def interval_name(confidence: float) -> str:
    """Name an interval by its confidence: ``95 % interval``."""
    return f"{100 * confidence:g} % interval"


def _summarise_system(result: RecipeResult) -> str:
    [only] = result.systems
    interval = f"{interval_name(result.settings.confidence)} {interval_words(only.interval, only.score.metric.digits)}"
    return f"{only.name} has {only.score.label} {only.score.printed} ({interval})."


def summarise_pair(pair: PairResult, result: RecipeResult) -> str:
    """Say of two systems which is ahead, and whether that is luck."""
    metric = result.recipe.metric
    if abs(pair.difference) < metric.margin:
        return f"{pair.first} and {pair.second} have the same score."
    way = "ahead of" if metric.is_ahead(pair.difference) else "behind"
    size = f"{format_score(abs(pair.difference), metric.digits)} {metric.title(result.recipe)}"
    outcome = f"{pair.first} is {way} {pair.second} by {size}"
    if pair.verdict is PairVerdict.UNDECIDED:
        return f"{outcome}; whether that is luck cannot be decided: {describe_needs(result)}."
    verdict = "significant" if pair.significant else "not significant"
    corrected = f", {format_p(pair.p_holm)} after Holm's correction" if len(result.pairs) > 1 else ""
    return f"{outcome}, which is {verdict} (p = {format_p(pair.p)}{corrected})."


def _summarise_undecided(result: RecipeResult) -> str:
    if result.baseline is None:
        what = f"any of these {len(result.systems)} systems differ"
    else:
        what = f"any of {count_of(len(result.pairs), 'system')} differs from {result.baseline}"
    return f"Whether {what} cannot be decided by {len(result.pairs):,} comparisons: {describe_needs(result)}."


def _summarise_baseline(result: RecipeResult) -> str:
    is_ahead = result.recipe.metric.is_ahead
    better = [pair.first for pair in result.pairs if pair.significant and is_ahead(pair.difference)]
    worse = [pair.first for pair in result.pairs if pair.significant and is_ahead(-pair.difference)]
    parts = [
        f"{join_words(names)} {way}"
        for names, way in ((better, "significantly better"), (worse, "significantly worse"))
        if names
    ]
    rest = len(result.pairs) - len(better) - len(worse)
    parts += [f"{count_of(rest, 'system')} without a significant difference"] if rest else []
    return f"Compared with {result.baseline}: {'; '.join(parts)}."


def _summarise_clusters(result: RecipeResult) -> str:
    clusters = result.clusters or ()
    if len(clusters) > 1:
        parts = " > ".join(", ".join(names) for names in clusters)
        return f"{len(clusters):,} clusters, each significantly ahead of the next: {parts}."
    parted = sum(pair.significant for pair in result.pairs)
    verb = "differs" if parted == 1 else "differ"
    return (
        f"{parted:,} of {len(result.pairs):,} pairs {verb} significantly, but nowhere do all systems above differ from "
        "all below: they are one cluster."
    )


def write_remarks(result: RecipeResult, resampled: Mapping[str, array[float]]) -> tuple[Note, ...]:
    """Write every remark that the numbers give reason for."""
    return (
        *_note_detectable(result),
        *_note_tests(result),
        *_note_too_few(result),
        *note_few_segments(result.segments),
        *_note_empty_references(result),
        *_note_zero(result),
        *_note_zero_resamples(result, resampled),
    )


def note_same_texts(systems: Mapping[str, Segments]) -> list[Note]:
    """Name systems whose texts are equal."""
    groups = _group_equal({name: segments.candidates for name, segments in systems.items()})
    return [Note("same-texts", f"{join_words(names)} have the same texts") for names in groups]


def note_same_counts(tables: Mapping[str, StatsTable]) -> list[Note]:
    """Name systems that no count tells apart, where texts are not at hand."""
    return [Note("same-counts", f"{join_words(n)} have the same counts in every segment") for n in _group_equal(tables)]


def note_external(recipe: Recipe) -> list[Note]:
    """Say that scores are external, and whether they were rounded."""
    if not isinstance(recipe, ExternalRecipe):
        return []
    scale = recipe.scale
    text = f"{scale.name} is an external metric: a system's score is the mean of its segment scores"
    notes = [Note("external-scores", text)]
    if scale.is_rounded:
        text = f"the scores of {scale.name} were rounded to multiples of {float(scale.unit):g}"
        notes.append(Note("rounded-scores", f"{text}, so that their sums are exact"))
    return notes


def _group_equal(values: Mapping[str, object]) -> Iterable[Sequence[str]]:
    groups: list[list[str]] = []
    for name, value in values.items():
        for group in groups:
            if values[group[0]] == value:
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def _note_detectable(result: RecipeResult) -> Iterator[Note]:
    if result.detectable is None:
        return
    low, high = (format_score(size, result.recipe.metric.digits) for size in result.detectable)
    name = result.recipe.metric.title(result.recipe)
    size = f"about {low} {name}" if low == high else f"about {low} to {high} {name}, depending on the pair"
    text = (
        f"with {count_of(result.segments, 'segment')} a single test at 5 % finds differences of {size}, four times in "
        "five, and smaller ones less often"
    )
    if len(result.pairs) > 1:
        text += "; a test corrected for many comparisons finds fewer"
    yield Note("detectable", text)


def _note_tests(result: RecipeResult) -> Iterator[Note]:
    if not result.pairs:
        return
    settings = result.settings
    name = "paired approximate randomisation" if settings.test == "randomisation" else "the paired bootstrap"
    text = (
        f"p-values are two-sided, from {name} with {settings.resamples:,} resamples; none can be below "
        f"1/{settings.resamples + 1:,}"
    )
    if len(result.pairs) > 1:
        text += f"; corrected for {count_of(len(result.pairs), 'comparison')} after Holm"
    yield Note("p-values", text)


def _note_too_few(result: RecipeResult) -> Iterator[Note]:
    if result.needed is None:
        return
    settings, segments = result.settings, result.segments
    best = f"{_name_best(len(result.pairs))} cannot be significant at {settings.level:g}"
    if settings.resamples < result.needed.resamples:
        text = f"with {settings.resamples:,} resamples {best}: that takes at least {result.needed.resamples:,}"
        yield Note("too-few-resamples", text)
    if segments < result.needed.segments:
        lowest = LOWEST_P[settings.test](segments)
        reason = "to swap all of them or none leaves systems as far apart as they are"
        if settings.test == "bootstrap":
            reason = "drawn again it is the same"
        text = f"with {count_of(segments, 'segment')} {best}: {reason}, so that p is at least {lowest:g}; "
        yield Note("too-few-segments", text + f"that takes at least {result.needed.segments:,}")


def _name_best(pairs: int) -> str:
    return "the comparison" if pairs == 1 else f"even the best of {pairs:,} comparisons"


def note_few_segments(segments: int) -> Iterator[Note]:
    """Say what a small test set does to intervals."""
    if segments == 1:
        yield Note("few-segments", "one segment, drawn again, is the same: intervals have no width and say nothing")
    elif segments < FEW_SEGMENTS:
        text = f"{segments} segments make a small test set: intervals from resampling so few come out too narrow"
        yield Note("few-segments", text)


def _note_empty_references(result: RecipeResult) -> Iterator[Note]:
    """Say it once, as all systems have the same references; without texts, what the statistics tell."""
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


def _note_zero(result: RecipeResult) -> Iterator[Note]:
    for system in result.systems:
        if system.score.tool_stops:
            why = system.score.stops_because
            yield Note(
                "tool-stops", f"{system.name}: NLTK stops here with an error ({why}); the 0 is no number of NLTK's"
            )
    if not _is_worst_at_zero(result):
        return
    zeros = [system.name for system in result.systems if system.score.score == 0 and not system.score.tool_stops]
    if len(zeros) == 1:
        yield Note("zero-scores", f"{zeros[0]} scores 0 under this recipe")
    elif zeros:
        text = f"{join_words(zeros)} score 0 under this recipe: it tells nothing about which of them is better"
        yield Note("zero-scores", text)


def _is_worst_at_zero(result: RecipeResult) -> bool:
    """Whether 0 is worth a note: under TER no text could do better, and external scores may have 0 anywhere."""
    metric = result.recipe.metric
    return metric.better is Better.HIGHER and metric.counts_texts


def _note_zero_resamples(result: RecipeResult, resampled: Mapping[str, array[float]]) -> Iterator[Note]:
    if not _is_worst_at_zero(result):
        return
    for system in result.systems:
        missed = resampled[system.name].count(0.0)
        if missed and system.score.score:
            because = "an order has no match" if result.recipe.metric_key == "bleu" else "nothing matches"
            reaches = "reaches" if system.interval.low == 0 else "does not reach"
            text = (
                f"{system.name} scores 0 on {missed:,} of {result.settings.resamples:,} resamples, as a rule because "
                f"{because} there; its interval {reaches} down to 0"
            )
            yield Note("zero-resamples", text)
