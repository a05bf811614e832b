"""Approximate randomisation: how large the difference would be if it did not matter which system wrote what.

For each segment a coin decides whether the two systems swap their outputs (Noreen 1989). If both are equally good, such
swaps change nothing but luck; the share of swaps that give a difference at least as large is the p-value.
"""

from __future__ import annotations

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.recipes.recipe import Recipe


def randomisation_p(
    first: StatsTable, second: StatsTable, recipe: Recipe, *, seed: int, trials: int, threads: int | None = None
) -> float:
    """Test two systems on the same segments; equal systems get 1."""
    return share_p(count_swaps(first, second, recipe, seed=seed, trials=trials, threads=threads), trials)


def count_swaps(
    first: StatsTable,
    second: StatsTable,
    recipe: Recipe,
    *,
    seed: int,
    trials: int,
    start: int = 0,
    threads: int | None = None,
) -> int:
    """Count the trials, from number ``start`` on, in which swapped systems are as far apart as they are."""
    observed = recipe.metric.score_row(first.sum_row(), recipe) - recipe.metric.score_row(second.sum_row(), recipe)
    threshold = abs(observed) - recipe.metric.margin
    return find_engine().count_extremes(
        first, second, recipe, seed=seed, trials=trials, threshold=threshold, start=start, threads=threads
    )


def share_p(extreme: int, trials: int) -> float:
    """Give the p-value of so many extreme trials; the observed difference counts as one of them."""
    return (extreme + 1) / (trials + 1)


def lowest_swap_p(segments: int) -> float:
    """Give the lowest p-value that so many segments allow: to swap all of them or none changes no distance."""
    return 2.0 ** (1 - segments)
