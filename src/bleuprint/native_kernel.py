"""The compiled kernel: whether this installation has one, and whether to use it.

``BLEUPRINT_ENGINE=python`` or ``native`` chooses the engine. By default the kernel is used if there is one. In a
browser there is none until the page has loaded its WebAssembly build.
"""

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from bleuprint.errors import BleuprintError, unknown_name

ENGINE_VARIABLE = "BLEUPRINT_ENGINE"
ENGINES = ("native", "python")
MISSING = "no compiled kernel: this installation is a wheel in pure Python, or was made without a C++20 compiler"
REMEDY = (
    "install a C++20 compiler, then bleuprint again from its sources: "
    "pip install --force-reinstall --no-deps --no-cache-dir --no-binary bleuprint bleuprint"
)
"""Without the last two options pip would install the same wheel again, from its index or its cache."""


class Engine(NamedTuple):
    """The engine that counts, and the reason."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} ({self.reason})"

    @property
    def token_ids(self) -> str:
        """The engine that counts token ids of tensors on a device, and the reason. This never imports torch."""
        return _describe_ids() if _describe_ids else "not known before bleuprint.adapters.torch is imported"


_describe_ids: Callable[[], str] | None = None


def register_ids(describe: Callable[[], str]) -> None:
    """Register the function that names the engine for token ids: an adapter does so when it is imported."""
    global _describe_ids
    _describe_ids = describe


_handed_over: dict[str, ModuleType | str] = {}
"""The kernel that a browser loaded, or the reason why it did not."""


def hand_over(kernel: ModuleType | str) -> None:
    """Register a kernel that was not imported, or the reason why there is none."""
    _handed_over["kernel"] = kernel
    find_kernel.cache_clear()
    _import_kernel.cache_clear()


@cache
def find_kernel() -> ModuleType | None:
    """Return the kernel if it is to be used, the same for the life of the process."""
    chosen = os.environ.get(ENGINE_VARIABLE, "")
    if chosen not in ("", *ENGINES):
        fix = f"Unset {ENGINE_VARIABLE} to use the fastest engine. Its values are {' and '.join(ENGINES)}."
        raise unknown_name("engine", chosen, ENGINES, fix)
    kernel, reason = (None, "") if chosen == "python" else _import_kernel()
    if kernel is None and chosen == "native":
        remedy = f", or {REMEDY}" if reason == MISSING else ": the Python engine returns the same numbers"
        raise BleuprintError(f"{ENGINE_VARIABLE}=native is not possible: {reason}.", f"Unset the variable{remedy}.")
    return kernel


def engine() -> Engine:
    """Return the engine that counts, with the reason.

    >>> engine().name in ("native", "browser", "python")
    True
    """
    asked = f" as {ENGINE_VARIABLE} says" if os.environ.get(ENGINE_VARIABLE) else ""
    kernel = find_kernel()
    if kernel:
        made = "compiled kernel" if not _handed_over else "compiled kernel, as WebAssembly"
        return Engine("browser" if _handed_over else "native", f"{made},{asked}" if asked else made)
    return Engine("python", asked.strip() or _import_kernel()[1])


def advise_kernel() -> str:
    """Return how to get the kernel if there is none and the other engine was not chosen. Otherwise return nothing."""
    if find_kernel() or os.environ.get(ENGINE_VARIABLE):
        return ""
    how = REMEDY if _import_kernel()[1] == MISSING else "fix what stops it"
    return f"The compiled kernel returns the same numbers many times as fast: {how}."


@cache
def _import_kernel() -> tuple[ModuleType | None, str]:
    """Return the kernel, or None and the reason."""
    given = _handed_over.get("kernel")
    if given is not None:
        return (None, given) if isinstance(given, str) else (given, "")
    try:
        return import_module("bleuprint._kernel"), ""
    except ModuleNotFoundError:
        return None, MISSING
    except ImportError as error:
        return None, f"the compiled kernel does not load: {error}"
