"""The sums of a metric of torchmetrics: floats that hold whole numbers, up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch

EXACT = {torch.float32: 2**24, torch.float64: 2**53}
"""Up to where every whole number is a float of its own."""
BUILT_IN = (list, tuple)


def stays_exact(now: Sequence[float], added: Iterable[int], limit: int) -> bool:
    """Whether whole numbers can be added to others without rounding."""
    return all(value.is_integer() and 0 <= value <= limit - more for value, more in zip(now, added, strict=True))


def is_sum(value: Any) -> bool:
    """Whether a value is a single float that counts exactly."""
    return isinstance(value, torch.Tensor) and value.dtype in EXACT and value.shape == ()


def makes_plain_floats() -> bool:
    """Whether torch makes tensors here that count exactly, and divides as a processor does."""
    made = torch.tensor(0.0)
    return made.device.type == "cpu" and made.dtype in EXACT


def pair_texts(validate: Any, preds: Any, target: Any) -> tuple[list[str], list[list[str]]] | None:
    """Pair candidates with their references as torchmetrics does; None where it reads something out of the ordinary.

    ``validate`` is torchmetrics' own function, which refuses corpora of different sizes.
    """
    if type(target) not in BUILT_IN or type(preds) not in (str, *BUILT_IN):
        return None
    entries, candidates = validate(target, preds)
    if len(entries) != len(candidates) or not candidates:
        return None
    if not all(type(entry) in BUILT_IN and entry for entry in entries):
        return None
    return list(candidates), list(map(list, entries))
