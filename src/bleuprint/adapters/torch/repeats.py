"""Calls that differ from one before in nothing but the ids: what was checked and planned then holds for them, too.

In a training loop nearly all calls are of this kind, and checking takes longer than a device takes to count.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any

import torch

from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.adapters.token_ids.launching import Launch

CallKind = tuple[object, ...]
"""All of a call but its ids, and where these lie."""
MOST_CALLS = 1024
ID_KINDS = (int, NoneType)
_launches: dict[CallKind, Launch] = {}


def describe_call(
    candidates: Any, references: Any, recipe: object, pad: object, eos: object, as_fraction: bool
) -> CallKind | None:
    """Describe a call by all that checks and plans depend on; None where it is not two plain tensors on a device."""
    if (
        torch.compiler.is_compiling()
        or type(candidates) is not torch.Tensor
        or type(references) is not torch.Tensor
        or not candidates.is_cuda
    ):
        return None
    return describe_tensors(candidates, references, recipe, pad, eos, as_fraction)


def describe_tensors(
    candidates: torch.Tensor, references: torch.Tensor, recipe: object, pad: object, eos: object, as_fraction: bool
) -> CallKind | None:
    """Describe a call with two tensors; None where ids have to be copied, or what is equal is not checked alike."""
    if candidates.dtype != references.dtype or candidates.is_neg() or references.is_neg():
        return None
    if not isinstance(recipe, (str, Recipe)):
        return None
    if type(pad) not in ID_KINDS or type(eos) not in ID_KINDS:  # True equals 1, and is no id
        return None
    return (
        recipe, pad, eos, bool(as_fraction),
        candidates.shape, candidates.stride(), candidates.dtype, candidates.device,
        references.shape, references.stride(), references.dtype, references.device,
    )  # fmt: skip


def find_launch(call: CallKind | None) -> Launch | None:
    """Give what was settled for such a call."""
    return None if call is None else _launches.get(call)


def keep_launch(call: CallKind, launch: Launch) -> None:
    """Keep what was settled for such calls."""
    if len(_launches) >= MOST_CALLS:
        _launches.clear()
    _launches[call] = launch
