"""Approximate randomisation: how large the difference would be if it did not matter which system wrote what.

For each segment a coin decides whether the two systems swap their outputs (Noreen 1989). If both are equally good, such
swaps change nothing but luck; the share of swaps that give a difference at least as large is the p-value.
"""

from __future__ import annotations

from bleuprint.engines import count_extremes
from bleuprint.recipe import Recipe
from bleuprint.resampling import swap_sums
from bleuprint.significance.bootstrap import MARGIN, score_row
from bleuprint.stats import StatsTable


def randomisation_p(
    first: StatsTable, second: StatsTable, recipe: Recipe, *, seed: int, trials: int, threads: int | None = None
) -> float:
    """Test two systems on the same segments; equal systems get 1."""
    observed = score_row(first.total().to_row(), recipe) - score_row(second.total().to_row(), recipe)
    threshold = abs(observed) - MARGIN
    extreme = count_extremes(first, second, recipe, seed=seed, trials=trials, threshold=threshold, threads=threads)
    if extreme is None:
        extreme = sum(
            abs(score_row(one, recipe) - score_row(other, recipe)) >= threshold
            for one, other in swap_sums(first, second, seed, trials)
        )
    return (extreme + 1) / (trials + 1)
