"""What the kernel is told: ``Task`` of ``matches.cu``, packed field by field, eight bytes each."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bleuprint.adapters.token_ids.plan import MOST_ORDERS, Plan
from bleuprint.errors import BleuprintError
from bleuprint.metrics.bleu.recipe import BleuRecipe

LENGTH_RULES = ("closest", "closest-first", "shortest")
KNOWN_SMOOTHINGS = ("none", "epsilon", "floor", "add-k", "add-k-all", "exp", "nltk-method4")
ABSENT_ORDERS = ("zero", "drop", "one")
UNMATCHED_ORDERS = ("zero", "smallest-float", "skip")
NOTHING_MATCHES = ("zero", "zero-if-any", "smoothed")
"""The choices in the sequence of the numbers that the kernel gives them."""
KNOWN_CHOICES: dict[str, tuple[str, ...]] = {
    "unmatched_order": UNMATCHED_ORDERS,
    "nothing_matches": NOTHING_MATCHES,
    "brevity": ("exact",),
    "across_orders": ("together",),
}
"""Where the kernel does not have all that an axis has."""

_ROWS = "9q"
_HEAD = struct.Struct(f"={_ROWS}{_ROWS}3q4q4q2qQqqqqq")
_RULES = struct.Struct(f"=2qqd3qd{MOST_ORDERS}d")
_POINTER, _RESULTS = struct.Struct("=q"), struct.Struct("=2q")
TASK_BYTES = _HEAD.size + _RULES.size
NO_ROWS = (0,) * 9


class RowLayout(NamedTuple):
    """How rows of ids lie in memory; strides are in ids, not in bytes. Without lengths, these have 0 bytes."""

    outer: int
    inner: int
    step: int
    columns: int
    length_outer: int = 0
    length_inner: int = 0
    length_bytes: int = 0

    def fields(self) -> tuple[int, ...]:
        """Give the kernel's ``Rows``, which point nowhere yet."""
        return (0, *self[:4], 0, *self[4:])


class CountLayout(NamedTuple):
    """How the numbers of references lie in memory, where rows have different ones."""

    step: int = 0
    bytes: int = 0


def why_not_recipe(recipe: object) -> str:
    """Say why the kernel cannot count and score under a recipe; nothing if it can."""
    if not isinstance(recipe, BleuRecipe):
        return "the kernel for token ids computes BLEU alone"
    if recipe.smoothing.kind not in KNOWN_SMOOTHINGS:
        return f"{recipe.smoothing.kind} is computed on the CPU"
    unknown = next((field for field, known in KNOWN_CHOICES.items() if recipe.choice(field) not in known), None)
    if unknown:
        return f"{unknown} {recipe.choice(unknown)} is computed on the CPU"
    if recipe.order > MOST_ORDERS:
        return f"order {recipe.order}, and the kernel for token ids counts up to {MOST_ORDERS}"
    return ""


def known_recipe(recipe: object) -> BleuRecipe:
    """Refuse a recipe that the kernel does not know."""
    if isinstance(recipe, BleuRecipe) and not why_not_recipe(recipe):
        return recipe
    raise BleuprintError(f"CUDA cannot count this: {why_not_recipe(recipe)}.", "Move the ids to the CPU.")


@lru_cache(maxsize=256)
def pack_rules(recipe: BleuRecipe, as_fraction: bool) -> bytes:
    """Pack what the recipe says."""
    smoothing = recipe.smoothing
    return _RULES.pack(
        LENGTH_RULES.index(recipe.reference_length),
        recipe.segment_totals == "at-least-1",
        KNOWN_SMOOTHINGS.index(smoothing.kind),
        smoothing.value or 0.0,
        ABSENT_ORDERS.index(recipe.absent_order),
        UNMATCHED_ORDERS.index(recipe.unmatched_order),
        NOTHING_MATCHES.index(recipe.nothing_matches),
        1.0 if as_fraction else 100.0,
        *recipe.weights,
        *[0.0] * (MOST_ORDERS - recipe.order),
    )


def pack_rows(
    rules: bytes,
    plan: Plan,
    *,
    candidates: RowLayout,
    references: RowLayout,
    counts: CountLayout,
    shape: tuple[int, int, int, bool],
    pad: int | None,
    eos: int | None,
    seed: int,
) -> bytes:
    """Pack the counting of rows, for ``point``; ``shape`` is rows, rows of a group, references of each, if pairs."""
    return (
        _HEAD.pack(
            *candidates.fields(), *references.fields(), 0, *counts, *shape,
            pad or 0, eos or 0, pad is not None, eos is not None,
            plan.token_slots, plan.chain_slots, seed, 0, plan.table_bytes, plan.list_bytes, 0, 0,
        )
        + rules
    )  # fmt: skip


AT_CANDIDATES, AT_CANDIDATE_LENGTHS, AT_REFERENCES, AT_REFERENCE_LENGTHS, AT_COUNTS, AT_WORKSPACE, AT_RESULTS = (
    8 * field for field in (0, 5, 9, 14, 18, 32, 35)
)
"""Where in the packed task the addresses stand."""


def point(task: bytes, results: tuple[int, int], addresses: Iterable[tuple[int, int]]) -> ctypes.Array[ctypes.c_char]:
    """Put addresses into a packed task: of statistics and scores, one of which may be 0, and of what is read."""
    memory = ctypes.create_string_buffer(task, TASK_BYTES)
    _RESULTS.pack_into(memory, AT_RESULTS, *results)
    for place, address in addresses:
        _POINTER.pack_into(memory, place, address)
    return memory


def pack_statistics(rules: bytes, rows: int) -> bytes:
    """Pack the scoring of rows that are counted already, which ``point`` completes."""
    unused = (0,) * 15
    return _HEAD.pack(*NO_ROWS, *NO_ROWS, 0, 0, 0, rows, *unused) + rules
