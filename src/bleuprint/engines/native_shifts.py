"""TER's shifts, searched in the kernel, which sees words as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from typing import Any

from bleuprint.counting.layout import Layout
from bleuprint.engines.kernel_plans import plan_counting
from bleuprint.metrics.ter import counting
from bleuprint.metrics.ter.alignment import DELETION, INSERTION, MATCH, SUBSTITUTION
from bleuprint.metrics.ter.shifts import Shift, ShiftSearch

STEPS = (MATCH, SUBSTITUTION, DELETION, INSERTION)
"""By the kernel's numbers."""


def trace_words(
    candidate: Sequence[str], references: Sequence[Sequence[str]], layout: Layout[Any]
) -> list[ShiftSearch]:
    """Return the shifts and steps from a candidate to each of its references."""
    return counting.trace_words(candidate, references, layout, partial(_search, plan_counting(layout).kernel))


def _search(kernel: Any, words: Sequence[str], target: Sequence[str], longest: int) -> ShiftSearch:
    """Search as ``search_shifts`` does; ``longest`` is one of the options of the kernel's object."""
    numbers: dict[str, int] = {}
    moved, staying = (array("q", [numbers.setdefault(word, len(numbers)) for word in text]) for text in (words, target))
    left, shifts, steps, tried = kernel.trace(moved, staying, len(numbers))
    return ShiftSearch(
        tuple(Shift(*shift[:3]) for shift in shifts),
        (left, *(shift[3] for shift in shifts)),
        tuple([STEPS[step] for step in steps]),
        tried,
    )
