"""The kernel for token ids as operators of torch, with what ``torch.compile`` must know: the shapes that they give."""

from __future__ import annotations

from functools import lru_cache

import torch

from bleuprint.adapters.token_ids import launching
from bleuprint.adapters.token_ids.launching import IdTensors
from bleuprint.recipes.recipe import Recipe


@lru_cache(maxsize=256)
def parse_signature(signature: str) -> Recipe:
    """Read the recipe that an operator was given as text."""
    return Recipe.parse(signature)


def _count_and_score(
    recipe: str,
    as_fraction: bool,
    candidates: torch.Tensor,
    references: torch.Tensor,
    pad: int | None,
    eos: int | None,
    candidate_lengths: torch.Tensor | None,
    reference_lengths: torch.Tensor | None,
    reference_counts: torch.Tensor | None,
) -> tuple[torch.Tensor, torch.Tensor]:
    ids = IdTensors(candidates, references, pad, eos, candidate_lengths, reference_lengths, reference_counts)
    return launching.run_rows(ids, parse_signature(recipe), as_fraction)


def _pairwise(
    candidates: torch.Tensor,
    recipe: str,
    pad: int | None,
    eos: int | None,
    candidate_lengths: torch.Tensor | None,
    as_fraction: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    return launching.run_pairs(candidates, parse_signature(recipe), pad, eos, candidate_lengths, as_fraction)


def _score_statistics(statistics: torch.Tensor, recipe: str, as_fraction: bool) -> torch.Tensor:
    return launching.run_statistics(statistics, parse_signature(recipe), as_fraction)


count_and_score_ids: torch.library.CustomOpDef = torch.library.custom_op(
    "bleuprint::count_and_score_ids",
    _count_and_score,
    mutates_args=(),
    schema="(str recipe, bool as_fraction, Tensor candidates, Tensor references, int? pad, int? eos, "
    "Tensor? candidate_lengths, Tensor? reference_lengths, Tensor? reference_counts) -> (Tensor, Tensor)",
)
pairwise_ids: torch.library.CustomOpDef = torch.library.custom_op(
    "bleuprint::pairwise_ids",
    _pairwise,
    mutates_args=(),
    schema="(Tensor candidates, str recipe, int? pad, int? eos, Tensor? candidate_lengths, bool as_fraction) "
    "-> (Tensor, Tensor)",
)
score_counted_ids: torch.library.CustomOpDef = torch.library.custom_op(
    "bleuprint::score_counted_ids",
    _score_statistics,
    mutates_args=(),
    schema="(Tensor statistics, str recipe, bool as_fraction) -> Tensor",
)


def _shape_rows(
    recipe: str, _as_fraction: bool, candidates: torch.Tensor, *_others: object
) -> tuple[torch.Tensor, torch.Tensor]:
    return _results(candidates, tuple(candidates.shape[:-1]), recipe)


def _shape_pairs(candidates: torch.Tensor, recipe: str, *_others: object) -> tuple[torch.Tensor, torch.Tensor]:
    batch, groups, _ = candidates.shape
    return _results(candidates, (batch, groups, groups), recipe)


def _shape_scores(statistics: torch.Tensor, _recipe: str, _as_fraction: bool) -> torch.Tensor:
    return statistics.new_empty(statistics.shape[:-1], dtype=torch.float64)


def _results(candidates: torch.Tensor, shape: tuple[int, ...], recipe: str) -> tuple[torch.Tensor, torch.Tensor]:
    width = parse_signature(recipe).layout.width
    return (
        candidates.new_empty((*shape, width), dtype=torch.int64),
        candidates.new_empty(shape, dtype=torch.float64),
    )


count_and_score_ids.register_fake(_shape_rows)
pairwise_ids.register_fake(_shape_pairs)
score_counted_ids.register_fake(_shape_scores)
