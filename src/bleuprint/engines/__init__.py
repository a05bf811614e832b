"""Engines: from checked segments to rows of whole numbers. The verbs above ask here and do not care who counts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import python
from bleuprint.errors import InputTypeError, quote
from bleuprint.metrics.bleu.recipe import Counting, Recipe
from bleuprint.native_kernel import find_kernel
from bleuprint.text.segments import Segments, Text

if TYPE_CHECKING:
    from bleuprint.engines import native

MOST_THREADS = 1024
_count_one: Callable[[object, object, Counting, int], tuple[int, ...] | None] | None = None
_score_segment: Callable[[object, object, Recipe], native.ScoredSegment | None] | None = None


def count_segments(segments: Segments, counting: Counting, order: int, threads: int | None = None) -> StatsTable:
    """Count every segment of a corpus up to ``order``."""
    check_threads(threads)
    if find_kernel() is None:
        return python.count_segments(segments, counting, order)
    from bleuprint.engines import native

    return native.count_segments(segments, counting, order, threads)


def count_together(
    segments: Segments, countings: Sequence[Counting], order: int, threads: int | None = None
) -> list[StatsTable]:
    """Count for several rules about lengths and totals; all must split alike, so the slow engine splits once."""
    check_threads(threads)
    if find_kernel() is None:
        return python.count_together(segments, countings, order)
    return [count_segments(segments, counting, order, threads) for counting in countings]


def count_one(candidate: object, references: object, counting: Counting, order: int) -> tuple[int, ...] | None:
    """Count one segment of tokens into a row, or give None where that is done as for a corpus."""
    global _count_one
    if _count_one is None:
        if find_kernel() is None:
            return None
        from bleuprint.engines import native

        _count_one = native.count_one
    return _count_one(candidate, references, counting, order)


def score_segment(candidate: object, references: object, recipe: Recipe) -> native.ScoredSegment | None:
    """Check, count and score one segment at once, or give None where that is done step by step."""
    global _score_segment
    if _score_segment is None:
        if find_kernel() is None:
            return None
        from bleuprint.engines import native

        _score_segment = native.score_segment
    return _score_segment(candidate, references, recipe)


def score_rows(table: StatsTable, recipe: Recipe) -> array[float] | None:
    """Score every row on 0 to 100, or give None where the engine leaves that to ``formula.py``."""
    if find_kernel() is None or recipe.is_for_one_segment:
        return None
    from bleuprint.engines import native

    return native.score_rows(table, recipe)


def bootstrap_scores(
    tables: Sequence[StatsTable], recipe: Recipe, seed: int, resamples: int, threads: int | None
) -> list[array[float]] | None:
    """Score every table on every resample, or give None where ``resampling.py`` and ``formula.py`` do it."""
    if find_kernel() is None or recipe.is_for_one_segment:
        return None
    from bleuprint.engines import native

    return native.bootstrap_scores(tables, recipe, seed, resamples, threads)


def count_extremes(
    first: StatsTable,
    second: StatsTable,
    recipe: Recipe,
    *,
    seed: int,
    trials: int,
    threshold: float,
    threads: int | None,
) -> int | None:
    """Count the trials in which swapped systems are ``threshold`` apart, or give None as above."""
    if find_kernel() is None or recipe.is_for_one_segment:
        return None
    from bleuprint.engines import native

    return native.count_extremes(first, second, recipe, seed=seed, trials=trials, threshold=threshold, threads=threads)


def score_pairs(
    candidates: list[Text], references: list[tuple[Text, ...]], recipe: Recipe, threads: int | None
) -> array[float] | None:
    """Score every candidate against every entry of references, or give None where the verbs must do it one by one."""
    if find_kernel() is None or recipe.is_for_one_segment:
        return None
    from bleuprint.engines import native

    return native.score_pairs(candidates, references, recipe, threads)


def score_among_themselves(texts: list[Text], recipe: Recipe, threads: int | None) -> array[float] | None:
    """Score every text against all others, or give None where the verbs must do it one by one."""
    if find_kernel() is None or recipe.is_for_one_segment:
        return None
    from bleuprint.engines import native

    return native.score_among_themselves(texts, recipe, threads)


def prepare_references(references: list[tuple[Text, ...]], counting: Counting) -> native.Prepared | None:
    """Split and number references once, or give None where the engine has no use for that."""
    if find_kernel() is None:
        return None
    from bleuprint.engines import native

    return native.Prepared(references, counting) if native.runs_inside(counting) else None


def check_threads(threads: int | None) -> None:
    """Refuse a number of threads that is none."""
    if threads is not None and (type(threads) is not int or not 1 <= threads <= MOST_THREADS):
        raise InputTypeError(
            where="threads",
            wanted=f"a whole number from 1 to {MOST_THREADS}, or None for as many as there are cores",
            got=quote(threads),
            next_step="Leave it out: small inputs then take one thread, large ones all cores.",
        )
