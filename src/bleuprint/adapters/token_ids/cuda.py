"""Count and score rows of token ids that lie on a CUDA device, there and without waiting.

Whoever calls has checked types and shapes; what is checked on the device is what only it knows: lengths.
"""

from __future__ import annotations

import torch

from bleuprint.adapters.token_ids import launching, loader, operators, task
from bleuprint.adapters.token_ids.launching import IdTensors
from bleuprint.recipes.recipe import Recipe


def why_not(device: torch.device, recipe: Recipe) -> str:
    """Say why the CPU has to count rows of this device under this recipe; nothing if the device does."""
    if device.type != "cuda":
        return f"{device.type}, and the kernel for token ids is written for CUDA"
    return task.why_not_recipe(recipe) or loader.why_no_kernel(launching.device_index(device))


def count_and_score(ids: IdTensors, *, recipe: Recipe, as_fraction: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    """Return statistics and scores of the candidates against the references of their batch.

    The statistics are rows as ``BleuStats.to_row`` lays them out. A row whose lengths are impossible has -1 there, and
    NaN for its score.
    """
    if torch.compiler.is_compiling():
        found: tuple[torch.Tensor, torch.Tensor] = operators.count_and_score_ids(str(recipe), as_fraction, *ids)
        return found
    return launching.run_rows(ids, recipe, as_fraction)


def pairwise(
    candidates: torch.Tensor,
    *,
    recipe: Recipe,
    pad: int | None = None,
    eos: int | None = None,
    candidate_lengths: torch.Tensor | None = None,
    as_fraction: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Give statistics and scores of every row of a group (B, G, T) against every row of it: (B, G, G)."""
    if torch.compiler.is_compiling():
        found: tuple[torch.Tensor, torch.Tensor] = operators.pairwise_ids(
            candidates, str(recipe), pad, eos, candidate_lengths, as_fraction
        )
        return found
    return launching.run_pairs(candidates, recipe, pad, eos, candidate_lengths, as_fraction)


def score_statistics(statistics: torch.Tensor, *, recipe: Recipe, as_fraction: bool = False) -> torch.Tensor:
    """Score rows that are counted, or sums of them: the formula alone."""
    if torch.compiler.is_compiling():
        scores: torch.Tensor = operators.score_counted_ids(statistics, str(recipe), as_fraction)
        return scores
    return launching.run_statistics(statistics, recipe, as_fraction)


def prepare(
    device: torch.device | None = None,
    *,
    recipe: Recipe,
    dtype: torch.dtype = torch.int64,
    candidate_columns: int,
    reference_columns: int,
    references: int = 1,
    pairwise: bool = False,
) -> None:
    """Compile and load what rows of these shapes need, so that calls can be captured in a CUDA graph."""
    launching.load_for(
        device or torch.device("cuda"),
        recipe,
        dtype,
        candidate_columns,
        reference_columns,
        1 if pairwise else references,
    )
