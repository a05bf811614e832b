"""Count and score rows of token ids on a CUDA device: tensors in, tensors out, one launch between."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from secrets import randbits
from typing import Any, NamedTuple

import torch

from bleuprint.adapters.token_ids import loader, task
from bleuprint.adapters.token_ids.loader import ID_TYPES, Kernel, Variant
from bleuprint.adapters.token_ids.plan import Plan, Way, plan_rows
from bleuprint.adapters.token_ids.task import CountLayout, RowLayout, known_recipe
from bleuprint.errors import BleuprintError
from bleuprint.recipes.recipe import Recipe

HASH_SEED = randbits(64)
"""Hashes are keyed, so that nobody can choose ids that share a slot."""
SCORING_THREADS = 256


class Launch(NamedTuple):
    """Everything about a launch but addresses: it serves all rows of the same shapes, strides and types."""

    device: torch.device
    number: int
    """of the device"""
    shape: tuple[int, ...]
    width: int
    plan: Plan | None
    """None where there are no rows"""
    function: Any
    task: bytes

    def start(self, addresses: tuple[tuple[int, int], ...], statistics: int = 0) -> torch.Tensor:
        """Count and score what lies at these addresses; give the scores."""
        scores = torch.empty(self.shape, dtype=torch.float64, device=self.device)
        plan = self.plan
        if plan is None:
            return scores
        if plan.workspace_bytes:
            # It may be given back at once: torch hands it only to what comes later on this stream.
            workspace = torch.empty(plan.workspace_bytes, dtype=torch.uint8, device=self.device)
            addresses = (*addresses, (task.AT_WORKSPACE, workspace.data_ptr()))
        pointed = task.point(self.task, (statistics, scores.data_ptr()), addresses)
        loader.launch(
            self.function,
            self.number,
            pointed,
            blocks=plan.blocks,
            threads=plan.threads,
            shared_bytes=plan.shared_bytes,
        )
        return scores

    def score(self, candidates: torch.Tensor, references: torch.Tensor) -> torch.Tensor:
        """Score rows that have no lengths."""
        return self.start(((task.AT_CANDIDATES, candidates.data_ptr()), (task.AT_REFERENCES, references.data_ptr())))


class IdTensors(NamedTuple):
    """Candidates (B, T) or (B, G, T) and references (B, R, T) on a device, with what says which ids count."""

    candidates: torch.Tensor
    references: torch.Tensor
    pad: int | None = None
    eos: int | None = None
    candidate_lengths: torch.Tensor | None = None
    reference_lengths: torch.Tensor | None = None
    reference_counts: torch.Tensor | None = None
    """the number of references of each entry of the batch, if they differ"""


def settle_rows(ids: IdTensors, recipe: Recipe, as_fraction: bool) -> Launch:
    """Plan the counting of candidates against the references of their batch."""
    shape = tuple(ids.candidates.shape[:-1])
    groups = shape[1] if len(shape) == 2 else 1
    return _settle(ids, recipe, as_fraction, shape, groups, ids.references.shape[1])


def run_rows(ids: IdTensors, recipe: Recipe, as_fraction: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Count and score candidates against the references of their batch."""
    return _run(settle_rows(ids, recipe, as_fraction), ids)


def run_pairs(
    candidates: torch.Tensor,
    recipe: Recipe,
    pad: int | None,
    eos: int | None,
    lengths: torch.Tensor | None,
    as_fraction: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Count and score every row of a group against every row of it."""
    batch, groups, _ = candidates.shape
    ids = IdTensors(candidates, candidates, pad, eos, lengths, lengths)
    return _run(_settle(ids, recipe, as_fraction, (batch, groups, groups), groups, 1, pairwise=True), ids)


def run_statistics(statistics: torch.Tensor, recipe: Recipe, as_fraction: bool) -> torch.Tensor:
    """Score rows that are counted."""
    chosen, index = known_recipe(recipe), device_index(statistics.device)
    given = statistics.contiguous()
    scores = torch.empty(given.shape[:-1], dtype=torch.float64, device=given.device)
    rows = scores.numel()
    if rows:
        packed = task.pack_statistics(task.pack_rules(chosen, as_fraction), rows)
        pointed = task.point(packed, (given.data_ptr(), scores.data_ptr()), ())
        blocks = -(-rows // SCORING_THREADS)
        kernel = _scoring_kernel(index, chosen.order)
        loader.launch(kernel.score_statistics, index, pointed, blocks=blocks, threads=SCORING_THREADS)
    return scores


def load_for(
    device: torch.device,
    recipe: Recipe,
    dtype: torch.dtype,
    candidate_columns: int,
    reference_columns: int,
    references: int,
) -> None:
    """Compile and load what rows of these shapes need."""
    chosen, index = known_recipe(recipe), device_index(device)
    processors = loader.describe_device(index).processors
    for rows in (1, processors // 2, processors):  # by their number rows are shared among blocks
        plan = _plan(index, rows, chosen.order, candidate_columns, reference_columns, references)
        _kernel(index, chosen.order, dtype, references, plan)
    _scoring_kernel(index, chosen.order)


def _settle(
    ids: IdTensors,
    recipe: Recipe,
    as_fraction: bool,
    shape: tuple[int, ...],
    groups: int,
    references: int,
    pairwise: bool = False,
) -> Launch:
    chosen, device, rows = known_recipe(recipe), ids.candidates.device, prod(shape)
    index, width = device_index(device), chosen.layout.width
    if not rows:
        return Launch(device, index, shape, width, None, None, b"")
    candidate_rows = _layout(ids.candidates, ids.candidate_lengths)
    reference_rows = _layout(ids.references, ids.reference_lengths)
    counts = ids.reference_counts
    plan = _plan(index, rows, chosen.order, candidate_rows.columns, reference_rows.columns, references)
    packed = task.pack_rows(
        task.pack_rules(chosen, as_fraction),
        plan,
        candidates=candidate_rows,
        references=reference_rows,
        counts=CountLayout() if counts is None else CountLayout(counts.stride(0), counts.element_size()),
        shape=(rows, groups, references, pairwise),
        pad=ids.pad,
        eos=ids.eos,
        seed=HASH_SEED,
    )
    kernel = _kernel(index, chosen.order, ids.candidates.dtype, references, plan)
    return Launch(device, index, shape, width, plan, kernel.count_and_score, packed)


def _run(launch: Launch, ids: IdTensors) -> tuple[torch.Tensor, torch.Tensor]:
    tensors = {
        task.AT_CANDIDATES: ids.candidates,
        task.AT_REFERENCES: ids.references,
        task.AT_CANDIDATE_LENGTHS: ids.candidate_lengths,
        task.AT_REFERENCE_LENGTHS: ids.reference_lengths,
        task.AT_COUNTS: ids.reference_counts,
    }
    addresses = tuple((offset, tensor.data_ptr()) for offset, tensor in tensors.items() if tensor is not None)
    statistics = torch.empty((*launch.shape, launch.width), dtype=torch.int64, device=launch.device)
    return statistics, launch.start(addresses, statistics.data_ptr())


def _layout(ids: torch.Tensor, lengths: torch.Tensor | None) -> RowLayout:
    """Say how rows lie; a single row of each entry of the batch is a group of one."""
    strides = ids.stride()
    outer, inner, step = strides if len(strides) == 3 else (strides[0], 0, strides[1])
    if lengths is None:
        return RowLayout(outer, inner, step, ids.shape[-1])
    length_strides = (*lengths.stride(), 0)
    return RowLayout(outer, inner, step, ids.shape[-1], length_strides[0], length_strides[1], lengths.element_size())


@lru_cache(maxsize=1024)
def _plan(index: int, rows: int, order: int, candidate_columns: int, reference_columns: int, references: int) -> Plan:
    plan = plan_rows(
        loader.describe_device(index),
        rows=rows,
        order=order,
        candidate_columns=candidate_columns,
        reference_columns=reference_columns,
        references=references,
    )
    if plan is None:
        columns = max(candidate_columns, reference_columns)
        raise BleuprintError(f"Rows of {columns:,} ids are too long for CUDA.", "Move the ids to the CPU.")
    return plan


def _kernel(index: int, order: int, dtype: torch.dtype, references: int, plan: Plan) -> Kernel:
    variant = Variant(
        order, ID_TYPES[dtype], int(plan.way), int(references > 1), plan.parts, plan.threads, plan.resident
    )
    return loader.load_kernel(variant, index)


def _scoring_kernel(index: int, order: int) -> Kernel:
    return loader.load_kernel(Variant(order, ID_TYPES[torch.int64], int(Way.TOGETHER), 0, 1, SCORING_THREADS, 1), index)


def device_index(device: torch.device) -> int:
    """Give the number of a CUDA device; where there is none, the one that would be the first."""
    index: int | None = device.index
    if index is None:
        index = torch.cuda.current_device() if torch.cuda.is_available() else 0
    return index
