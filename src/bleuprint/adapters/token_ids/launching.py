"""Count and score rows of token ids on a CUDA device: tensors in, tensors out, one launch between."""

from __future__ import annotations

from functools import lru_cache
from secrets import randbits

import torch

from bleuprint.adapters.token_ids import loader, task
from bleuprint.adapters.token_ids.loader import ID_TYPES, Kernel, Variant
from bleuprint.adapters.token_ids.plan import SHARED_KEYS, Plan, plan_rows
from bleuprint.adapters.token_ids.task import Counts, RowsInMemory, known_recipe
from bleuprint.errors import BleuprintError
from bleuprint.recipes.recipe import Recipe

HASH_SEED = randbits(64)
"""Hashes are keyed, so that nobody can choose ids that share a slot."""
SCORING_THREADS = 256
NO_COUNTS = Counts()


def run_rows(
    candidates: torch.Tensor,
    references: torch.Tensor,
    recipe: Recipe,
    pad: int | None,
    eos: int | None,
    candidate_lengths: torch.Tensor | None,
    reference_lengths: torch.Tensor | None,
    reference_counts: torch.Tensor | None,
    as_fraction: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Count and score candidates against the references of their batch."""
    shape = candidates.shape[:-1]
    groups = shape[1] if len(shape) == 2 else 1
    counts = NO_COUNTS
    if reference_counts is not None:
        counts = Counts(reference_counts.data_ptr(), reference_counts.stride(0), reference_counts.element_size())
    return _run(
        candidates, _rows(candidates, candidate_lengths), _rows(references, reference_lengths), counts, recipe, pad,
        eos, as_fraction, shape=tuple(shape), groups=groups, references=references.shape[1], pairwise=False,
    )  # fmt: skip


def run_pairs(
    candidates: torch.Tensor,
    recipe: Recipe,
    pad: int | None,
    eos: int | None,
    candidate_lengths: torch.Tensor | None,
    as_fraction: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Count and score every row of a group against every row of it."""
    batch, groups, _ = candidates.shape
    rows = _rows(candidates, candidate_lengths)
    return _run(
        candidates, rows, rows, NO_COUNTS, recipe, pad, eos, as_fraction, shape=(batch, groups, groups), groups=groups,
        references=1, pairwise=True,
    )  # fmt: skip


def run_statistics(statistics: torch.Tensor, recipe: Recipe, as_fraction: bool) -> torch.Tensor:
    """Score rows that are counted."""
    chosen, index = known_recipe(recipe), device_index(statistics.device)
    given = statistics.contiguous()
    scores = torch.empty(given.shape[:-1], dtype=torch.float64, device=given.device)
    rows = scores.numel()
    if rows:
        packed = task.pack_statistics(
            task.pack_rules(chosen, as_fraction), rows=rows, statistics=given.data_ptr(), scores=scores.data_ptr()
        )
        blocks = -(-rows // SCORING_THREADS)
        kernel = _scoring_kernel(index, chosen.order)
        loader.launch(kernel.score_statistics, index, packed, blocks=blocks, threads=SCORING_THREADS)
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


def _run(
    candidates: torch.Tensor,
    candidate_rows: RowsInMemory,
    reference_rows: RowsInMemory,
    counts: Counts,
    recipe: Recipe,
    pad: int | None,
    eos: int | None,
    as_fraction: bool,
    *,
    shape: tuple[int, ...],
    groups: int,
    references: int,
    pairwise: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    chosen, device = known_recipe(recipe), candidates.device
    index = device_index(device)
    statistics = torch.empty((*shape, 2 + 2 * chosen.order), dtype=torch.int64, device=device)
    scores = torch.empty(shape, dtype=torch.float64, device=device)
    rows = scores.numel()
    if rows:
        plan = _plan(index, rows, chosen.order, candidate_rows.columns, reference_rows.columns, references)
        kernel = _kernel(index, chosen.order, candidates.dtype, references, plan)
        # It may be given back at once: torch hands it only to what comes later on this stream.
        workspace = (
            torch.empty(plan.workspace_bytes, dtype=torch.uint8, device=device) if plan.workspace_bytes else None
        )
        packed = task.pack_rows(
            task.pack_rules(chosen, as_fraction),
            plan,
            candidates=candidate_rows,
            references=reference_rows,
            counts=counts,
            shape=(rows, groups, references, pairwise),
            pad=pad,
            eos=eos,
            seed=HASH_SEED,
            workspace=0 if workspace is None else workspace.data_ptr(),
            statistics=statistics.data_ptr(),
            scores=scores.data_ptr(),
        )
        loader.launch(
            kernel.count_and_score, index, packed,
            blocks=plan.blocks, threads=plan.threads, shared_bytes=plan.shared_bytes,
        )  # fmt: skip
    return statistics, scores


def _rows(ids: torch.Tensor, lengths: torch.Tensor | None) -> RowsInMemory:
    """Say where rows lie; a single row of each entry of the batch is a group of one."""
    strides = ids.stride()
    outer, inner, step = strides if len(strides) == 3 else (strides[0], 0, strides[1])
    if lengths is None:
        return RowsInMemory(ids.data_ptr(), outer, inner, step, ids.shape[-1])
    length_strides = (*lengths.stride(), 0)
    return RowsInMemory(
        ids.data_ptr(), outer, inner, step, ids.shape[-1],
        lengths.data_ptr(), length_strides[0], length_strides[1], lengths.element_size(),
    )  # fmt: skip


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
        raise BleuprintError(
            where="token ids on CUDA",
            wanted="rows that 32 bits can number",
            got=f"rows of {max(candidate_columns, reference_columns):,} ids",
            next_step="Move the ids to the CPU.",
        )
    return plan


def _kernel(index: int, order: int, dtype: torch.dtype, references: int, plan: Plan) -> Kernel:
    variant = Variant(order, ID_TYPES[dtype], plan.keys, int(references > 1), plan.parts, plan.threads, plan.resident)
    return loader.load_kernel(variant, index)


def _scoring_kernel(index: int, order: int) -> Kernel:
    return loader.load_kernel(Variant(order, ID_TYPES[torch.int64], SHARED_KEYS, 0, 1, SCORING_THREADS, 1), index)


def device_index(device: torch.device) -> int:
    """Give the number of a CUDA device."""
    index: int = torch.cuda.current_device() if device.index is None else device.index
    return index
