"""What the replaced functions of torchmetrics share: when ours may count, and sums in floats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import torch

from bleuprint.text.segments import are_plain

EXACT = {torch.float32: 2**24, torch.float64: 2**53}
"""Up to here every whole number is a float."""
BUILT_IN = (list, tuple)


def prefer(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that calls ours, and theirs if ours returns None, which means that it has changed nothing."""

    @wraps(theirs)
    def update(*arguments: Any, **options: Any) -> Any:
        found = ours(*arguments, **options)
        return theirs(*arguments, **options) if found is None else found

    return update


def is_sum(value: Any, shape: tuple[int, ...] = ()) -> bool:
    """Whether a value is a float, or a tensor of floats, that counts exactly."""
    return isinstance(value, torch.Tensor) and value.dtype in EXACT and value.shape == shape


def add_exactly(sums: Iterable[torch.Tensor], added: Iterable[int | Sequence[int]]) -> bool:
    """Add whole numbers in place. If a float would be rounded, add nothing and return False."""
    pairs = list(zip(sums, added, strict=True))
    for part, more in pairs:
        held, limit = part.tolist(), EXACT[part.dtype]
        alone = ((held, more),) if isinstance(more, int) else zip(held, more, strict=True)
        if not all(value.is_integer() and 0 <= value <= limit - number for value, number in alone):
            return False
    for part, more in pairs:
        part += more if isinstance(more, int) else torch.tensor(more, dtype=part.dtype, device=part.device)
    return True


def makes_plain_floats() -> bool:
    """Whether torch makes tensors by default that count exactly, and divides as a processor does."""
    made = torch.tensor(0.0)
    return made.device.type == "cpu" and made.dtype in EXACT


def pair_texts(validate: Any, preds: Any, target: Any) -> tuple[list[str], list[list[str]]] | None:
    """Pair candidates with their references as torchmetrics does; None for anything but lists of plain texts.

    ``validate`` is torchmetrics' function, which refuses corpora of different sizes.
    """
    if type(target) not in BUILT_IN or type(preds) not in (str, *BUILT_IN):
        return None
    entries, candidates = validate(target, preds)
    if len(entries) != len(candidates) or not candidates:
        return None
    if not all(type(entry) in BUILT_IN and entry for entry in entries):
        return None
    candidates, entries = list(candidates), list(map(list, entries))
    return (candidates, entries) if all(map(are_plain, [candidates, *entries])) else None
