"""Who counts for tensors on a device: its own kernel where there is one, else the CPU."""

from __future__ import annotations

from array import array
from itertools import islice

import torch

from bleuprint.adapters.token_ids import cuda
from bleuprint.adapters.token_ids.launching import IdTensors
from bleuprint.adapters.torch.counting import list_rows
from bleuprint.adapters.torch.shapes import Batch, IdRows
from bleuprint.native_kernel import Engine, engine
from bleuprint.recipes.recipe import Recipe

COUNTED = frozenset({torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8})
"""The types of ids that the kernel for CUDA reads."""


def choose_engine(device: torch.device, recipe: Recipe) -> Engine:
    """Say who counts for tensors on a device, and why."""
    if device.type == "cpu":
        return engine()
    if device.type != "cuda":
        return Engine(engine().name, f"on the CPU: there is no kernel for {device.type}")
    reason = cuda.why_not(device, recipe)
    return Engine(engine().name, f"on the CPU: {reason}") if reason else Engine("cuda", "the device's own kernel")


def counts_on_device(batch: Batch, recipe: Recipe) -> bool:
    """Whether the device itself can do it."""
    if batch.device.type != "cuda":
        return False
    return choose_engine(batch.device, recipe).name == "cuda" and all(
        isinstance(block, array) or block.dtype in COUNTED
        for block in (*batch.candidates.blocks, *batch.references.blocks)
    )


def to_tensors(batch: Batch) -> IdTensors:
    """Return a batch as the kernel of a device reads it: two tensors of one type, and lengths."""
    candidates, candidate_lengths = _as_tensor(batch.candidates, batch.device)
    references, reference_lengths, counts = _group_references(batch)
    if candidates.dtype != references.dtype:
        kind = torch.promote_types(candidates.dtype, references.dtype)
        candidates, references = candidates.to(kind), references.to(kind)
    pad, eos = batch.candidates.pad, batch.candidates.eos
    return IdTensors(candidates, references, pad, eos, candidate_lengths, reference_lengths, counts)


def _as_tensor(rows: IdRows, device: torch.device) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Give rows as one tensor; those of a list are trimmed here and filled up to the longest."""
    if rows.tensor is not None:
        return rows.tensor, lengths_for_device(rows.lengths)
    listed = [list(row) for row in list_rows(rows)]
    longest = max(map(len, listed), default=0)
    filled = [row + [0] * (longest - len(row)) for row in listed]
    tensor = torch.tensor(filled, dtype=torch.int64, device=device).reshape(len(listed), longest)
    return tensor, torch.tensor(list(map(len, listed)), dtype=torch.int64, device=device)


def _group_references(batch: Batch) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]:
    """Give references as (B, R, T), their lengths as (B, R), and how many of them each row has, if not R."""
    tensor, lengths = _as_tensor(batch.references, batch.device)
    if tensor.ndim == 3:
        return tensor, lengths, None
    most = max(batch.counts, default=1)
    if most == 1:
        return tensor.unsqueeze(1), None if lengths is None else lengths.unsqueeze(1), None
    # Every row gets as many references as the one with the most; which of them are its own is said beside.
    left = iter(range(tensor.shape[0]))
    own = [list(islice(left, count)) for count in batch.counts]
    places = torch.tensor([[*one, *one[:1] * (most - len(one))] for one in own], device=batch.device)
    counts = torch.tensor(batch.counts, dtype=torch.int64, device=batch.device)
    return tensor[places], None if lengths is None else lengths[places], counts


def lengths_for_device(lengths: torch.Tensor | None) -> torch.Tensor | None:
    """Give lengths in a type that the device's kernel reads."""
    return lengths if lengths is None or lengths.dtype in (torch.int32, torch.int64) else lengths.to(torch.int64)
