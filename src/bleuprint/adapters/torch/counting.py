"""From rows of ids to rows of whole numbers, on the CPU: by the kernel from their memory, or by the readable engine."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import torch

from bleuprint.adapters.torch.shapes import Batch, IdRows
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, SnapshotSegments, Text
from bleuprint.text.token_ids import IdRow, pairs_of_ids, segments_of_ids, trim_row

if TYPE_CHECKING:
    from bleuprint._kernel import BleuKernel, TokenIds


def count_ids(batch: Batch, recipe: Recipe, threads: int | None) -> StatsTable:
    """Count every candidate against its references."""
    if not batch.candidates.number:
        return StatsTable(recipe.layout)
    segments: Segments | None = None
    kernel = find_kernel()
    if kernel is not None:
        ids: TokenIds = kernel.TokenIds()
        for block in _blocks(batch.candidates):
            ids.add_candidates(*block)
        for block in _blocks(batch.references):
            ids.add_references(*block)
        ids.share_out(batch.counts, batch.sharing)
        if ids.is_exact():
            segments = SnapshotSegments(ids, len(batch.counts) * batch.sharing)
    if segments is None:
        left = iter(list_rows(batch.references))
        entries = [list(islice(left, count)) for count in batch.counts]
        segments = segments_of_ids(list_rows(batch.candidates), entries, batch.sharing)
    return find_engine().count(segments, recipe.layout, threads)


def count_groups(rows: IdRows, group: int, recipe: Recipe, threads: int | None) -> StatsTable:
    """Count every candidate against every one of its group."""
    if not rows.number:
        return StatsTable(recipe.layout)
    segments: Segments | None = None
    kernel = find_kernel()
    if kernel is not None:
        ids: TokenIds = kernel.TokenIds()
        for block in _blocks(rows):
            ids.add_candidates(*block)
        if ids.is_exact():
            segments = SnapshotSegments(_Pairs(ids, group), rows.number * group)
    if segments is None:
        segments = pairs_of_ids(list_rows(rows), group)
    return find_engine().count(segments, recipe.layout, threads)


class _Pairs:
    """The pairs within groups of texts that the kernel has copied."""

    def __init__(self, ids: TokenIds, group: int) -> None:
        self._ids, self._group = ids, group

    def count(self, bleu: BleuKernel, numbers: memoryview, threads: int, /) -> None:
        self._ids.count_pairs(self._group, bleu, numbers, threads)

    def candidates(self) -> list[Text]:
        return pairs_of_ids(self._ids.candidates(), self._group).candidates

    def references(self) -> list[tuple[Text, ...]]:
        return pairs_of_ids(self._ids.candidates(), self._group).references


def _blocks(rows: IdRows) -> list[tuple[torch.Tensor | array[int], torch.Tensor | None, int | None, int | None]]:
    """Return the blocks as the kernel reads them, on the CPU, each with its lengths and what ends a row."""
    lengths = None if rows.lengths is None else rows.lengths.cpu().to(torch.int64).reshape(-1).contiguous()
    return [
        (block.detach().cpu() if isinstance(block, torch.Tensor) else block, lengths, rows.pad, rows.eos)
        for block in rows.blocks
    ]


def list_rows(rows: IdRows) -> list[IdRow]:
    """Return the rows as Python's ints, without padding."""
    found: list[IdRow] = []
    for block, lengths, pad, eos in _blocks(rows):
        if isinstance(block, torch.Tensor) and block.ndim > 1:
            listed: Sequence[IdRow] = block.flatten(end_dim=-2).tolist()
        else:
            listed = [block.tolist()]
        ends: Sequence[int | None] = [None] * len(listed) if lengths is None else lengths.tolist()
        found += [trim_row(row, end, pad=pad, eos=eos) for row, end in zip(listed, ends, strict=True)]
    return found
