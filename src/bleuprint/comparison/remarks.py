"""Remarks on a comparison: what its numbers can and cannot show, in words."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence

from bleuprint.comparison.results import PairResult, Settings, SystemResult
from bleuprint.notes import Note
from bleuprint.text_notes import note_empty_references
from bleuprint.wording import count_of, format_score, join_words

FEW_SEGMENTS = 100
"""Under this many segments, intervals from resampling are too narrow."""


def write_remarks(
    systems: Sequence[SystemResult],
    pairs: Sequence[PairResult],
    settings: Settings,
    resampled: Mapping[str, array[float]],
    same: Sequence[tuple[str, ...]],
) -> tuple[Note, ...]:
    """Write every remark that there is reason for; ``same`` are groups of systems whose texts are equal."""
    segments = systems[0].score.census.segments
    return (
        *_note_detectable(pairs, segments),
        *_note_tests(pairs, settings),
        *_note_few(segments),
        *_note_empty_references(systems),
        *_note_zero(systems, settings, resampled),
        *_note_same(same),
    )


def _note_detectable(pairs: Sequence[PairResult], segments: int) -> Iterator[Note]:
    found = sorted(pair.detectable for pair in pairs if pair.detectable)
    if not found:
        return
    low, high = format_score(found[0]), format_score(found[-1])
    size = f"about {low} BLEU" if low == high else f"about {low} to {high} BLEU, depending on the pair"
    text = (
        f"this test set of {count_of(segments, 'segment')} can detect differences of {size}: "
        "smaller ones are missed more often than once in five times"
    )
    yield Note("detectable", text)


def _note_tests(pairs: Sequence[PairResult], settings: Settings) -> Iterator[Note]:
    if not pairs:
        return
    name = "paired approximate randomisation" if settings.test == "randomisation" else "the paired bootstrap"
    smallest = 1 / (settings.resamples + 1)
    text = (
        f"p-values are two-sided, from {name} with {settings.resamples:,} resamples; none can be below {smallest:.2g}"
    )
    if len(pairs) > 1:
        text += f"; corrected for {count_of(len(pairs), 'comparison')} after Holm"
    yield Note("p-values", text)
    if smallest * len(pairs) > settings.level:
        needed = int(len(pairs) / settings.level)
        text = (
            f"with {settings.resamples:,} resamples the best of {count_of(len(pairs), 'comparison')} cannot be "
            f"significant at {settings.level:g}: use at least {needed:,}"
        )
        yield Note("too-few-resamples", text)


def _note_few(segments: int) -> Iterator[Note]:
    if segments < FEW_SEGMENTS:
        size = count_of(segments, "segment")
        text = f"{size} make a small test set: intervals from resampling so few come out too narrow"
        yield Note("few-segments", text)


def _note_empty_references(systems: Sequence[SystemResult]) -> Iterator[Note]:
    """Say it once, as all systems have the same references; without texts, what the statistics tell."""
    texts = systems[0].score.segments
    if texts is not None:
        yield from note_empty_references(texts)
        return
    for system in systems:
        for note in system.score.notes:
            if note.code in ("empty-references", "empty-reference"):
                yield Note(note.code, f"{system.name}: {note.text}")


def _note_zero(
    systems: Sequence[SystemResult], settings: Settings, resampled: Mapping[str, array[float]]
) -> Iterator[Note]:
    zeros = [system.name for system in systems if system.score.score == 0]
    if zeros:
        verb = "scores" if len(zeros) == 1 else "score"
        text = f"{join_words(zeros)} {verb} 0 under this recipe: nothing can be said about differences between zeros"
        yield Note("zero-scores", text)
    for system in systems:
        missed = resampled[system.name].count(0.0)
        if missed and system.score.score:
            text = (
                f"{system.name} scores 0 on {missed:,} of {settings.resamples:,} resamples, as an order has no match: "
                "its interval reaches down to that; with smoothing it would not"
            )
            yield Note("zero-resamples", text)


def _note_same(same: Sequence[tuple[str, ...]]) -> Iterator[Note]:
    for names in same:
        yield Note("same-texts", f"{join_words(names)} have the same texts")
