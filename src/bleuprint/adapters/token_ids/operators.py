"""The kernel for token ids as operators of torch, with what ``torch.compile`` must know: the shapes that they give."""

from __future__ import annotations

from functools import lru_cache

import torch

from bleuprint.adapters.token_ids import launching
from bleuprint.recipes.recipe import Recipe

Given = torch.Tensor | None


@lru_cache(maxsize=256)
def read_recipe(signature: str) -> Recipe:
    """Read the recipe that an operator was given as text."""
    return Recipe.parse(signature)


@torch.library.custom_op(
    "bleuprint::count_and_score_ids",
    mutates_args=(),
    schema="(Tensor candidates, Tensor references, str recipe, int? pad, int? eos, Tensor? candidate_lengths, "
    "Tensor? reference_lengths, Tensor? reference_counts, bool as_fraction) -> (Tensor, Tensor)",
)
def count_and_score_ids(
    candidates: torch.Tensor,
    references: torch.Tensor,
    recipe: str,
    pad: int | None,
    eos: int | None,
    candidate_lengths: Given,
    reference_lengths: Given,
    reference_counts: Given,
    as_fraction: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Run ``launching.run_rows``."""
    return launching.run_rows(
        candidates, references, read_recipe(recipe), pad, eos, candidate_lengths, reference_lengths, reference_counts,
        as_fraction,
    )  # fmt: skip


@count_and_score_ids.register_fake
def _(
    candidates: torch.Tensor, _references: torch.Tensor, recipe: str, *_others: object
) -> tuple[torch.Tensor, torch.Tensor]:
    return _results(candidates, tuple(candidates.shape[:-1]), recipe)


@torch.library.custom_op(
    "bleuprint::pairwise_ids",
    mutates_args=(),
    schema="(Tensor candidates, str recipe, int? pad, int? eos, Tensor? candidate_lengths, bool as_fraction) "
    "-> (Tensor, Tensor)",
)
def pairwise_ids(
    candidates: torch.Tensor,
    recipe: str,
    pad: int | None,
    eos: int | None,
    candidate_lengths: Given,
    as_fraction: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Run ``launching.run_pairs``."""
    return launching.run_pairs(candidates, read_recipe(recipe), pad, eos, candidate_lengths, as_fraction)


@pairwise_ids.register_fake
def _(candidates: torch.Tensor, recipe: str, *_others: object) -> tuple[torch.Tensor, torch.Tensor]:
    batch, groups, _ = candidates.shape
    return _results(candidates, (batch, groups, groups), recipe)


@torch.library.custom_op(
    "bleuprint::score_statistics",
    mutates_args=(),
    schema="(Tensor statistics, str recipe, bool as_fraction) -> Tensor",
)
def score_statistics(statistics: torch.Tensor, recipe: str, as_fraction: bool) -> torch.Tensor:
    """Run ``launching.run_statistics``."""
    return launching.run_statistics(statistics, read_recipe(recipe), as_fraction)


@score_statistics.register_fake
def _(statistics: torch.Tensor, _recipe: str, _as_fraction: bool) -> torch.Tensor:
    return statistics.new_empty(statistics.shape[:-1], dtype=torch.float64)


def _results(candidates: torch.Tensor, shape: tuple[int, ...], recipe: str) -> tuple[torch.Tensor, torch.Tensor]:
    width = 2 + 2 * read_recipe(recipe).layout.order
    return (
        candidates.new_empty((*shape, width), dtype=torch.int64),
        candidates.new_empty(shape, dtype=torch.float64),
    )
