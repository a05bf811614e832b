"""The kernel under torchmetrics: its BLEU, chrF and TER count faster, to equal tensors.

Of each metric, class and functional form count in one function of torchmetrics, and that alone is replaced. What the
engine cannot count as that function does goes to the function itself: texts that are no strings, lists of unequal
lengths, sums that the floats of a metric do not hold exactly.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from bleuprint.compat.torchmetrics import bleu, chrf, ter


class Counter(Protocol):
    """What a module here says of a metric."""

    @property
    def HOME(self) -> str:  # noqa: N802, the name of a constant
        """The module of torchmetrics that the function is from."""

    @property
    def FUNCTION(self) -> str:  # noqa: N802
        """The name of the function."""

    @property
    def MODULES(self) -> tuple[str, ...]:  # noqa: N802
        """All modules that have the function."""

    def make_update(self, own: Any) -> Any:
        """Write torchmetrics' counting function anew; ``own`` is the one that it has."""


COUNTERS: tuple[Counter, ...] = (bleu, chrf, ter)
MODULES = tuple(name for counter in COUNTERS for name in counter.MODULES)

_replaced: dict[tuple[str, str], Any] = {}
"""By module and name, the function that was there."""


def apply() -> None:
    """Put the kernel under torchmetrics; where somebody else has replaced a function, that one is left alone."""
    if _replaced:
        return
    for counter in COUNTERS:
        own = getattr(import_module(counter.HOME), counter.FUNCTION)
        if own.__module__ == counter.HOME:
            _replace(counter, own)


def undo() -> None:
    """Put torchmetrics' own functions back."""
    for (name, function), own in _replaced.items():
        module = import_module(name)
        if getattr(getattr(module, function), "__wrapped__", None) is own:
            setattr(module, function, own)
    _replaced.clear()


def _replace(counter: Counter, own: Any) -> None:
    faster = counter.make_update(own)
    for name in counter.MODULES:
        module = import_module(name)
        if getattr(module, counter.FUNCTION) is own:
            _replaced[name, counter.FUNCTION] = own
            setattr(module, counter.FUNCTION, faster)
