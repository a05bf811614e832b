"""The compiled kernel: whether this installation has one, and whether it is to be used.

``BLEUPRINT_ENGINE=python`` or ``native`` chooses; without it the kernel runs wherever it was built. In a browser there
is none until the page has loaded its WebAssembly build, and hands it over.
"""

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from bleuprint.errors import BleuprintError, nearest, quote

ENGINE_VARIABLE = "BLEUPRINT_ENGINE"
ENGINES = ("native", "python")
MISSING = "no compiled kernel: this installation is a wheel in pure Python, or was made without a C++20 compiler"
REMEDY = (
    "install a C++20 compiler, then bleuprint again from its sources: "
    "pip install --force-reinstall --no-deps --no-cache-dir --no-binary bleuprint bleuprint"
)
"""Without the last two options pip would take the same wheel again, from its index or its cache."""


class Engine(NamedTuple):
    """The engine that counts, and why it is this one."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} ({self.reason})"

    @property
    def token_ids(self) -> str:
        """Who counts the token ids of tensors on a device, and why; asking never imports torch."""
        return _tell_ids() if _tell_ids else "not known before bleuprint.adapters.torch is imported"


_tell_ids: Callable[[], str] | None = None


def register_ids(tell: Callable[[], str]) -> None:
    """Take what can tell who counts token ids: an adapter to the right, once somebody has imported it."""
    global _tell_ids
    _tell_ids = tell


_handed_over: dict[str, ModuleType | str] = {}
"""The kernel that a browser loaded, or why it did not."""


def hand_over(kernel: ModuleType | str) -> None:
    """Take a kernel that was loaded in another way than by import, or a sentence that says why there is none."""
    _handed_over["kernel"] = kernel
    find_kernel.cache_clear()
    _import_kernel.cache_clear()


@cache
def find_kernel() -> ModuleType | None:
    """Give the kernel if it is to be used; the answer holds for the life of the process."""
    chosen = os.environ.get(ENGINE_VARIABLE, "")
    if chosen not in ("", *ENGINES):
        raise BleuprintError(
            where=ENGINE_VARIABLE,
            wanted=" or ".join(ENGINES),
            got=quote(chosen),
            suggestion=nearest(chosen, ENGINES),
            next_step="Unset it to use the fastest engine that is there.",
        )
    kernel, reason = (None, "") if chosen == "python" else _import_kernel()
    if kernel is None and chosen == "native":
        is_missing = reason == MISSING
        raise BleuprintError(
            where=ENGINE_VARIABLE,
            wanted="an installation with the compiled kernel" if is_missing else "the compiled kernel",
            got=reason,
            next_step=f"Unset the variable, or {REMEDY}."
            if is_missing
            else "Unset the variable: the Python engine gives the same numbers.",
        )
    return kernel


def engine() -> Engine:
    """Say which engine counts, and why.

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
    """Say how to get the kernel where there is none, and nobody asked for the other engine; else nothing."""
    if find_kernel() or os.environ.get(ENGINE_VARIABLE):
        return ""
    how = REMEDY if _import_kernel()[1] == MISSING else "fix what stops it"
    return f"The compiled kernel gives the same numbers many times as fast: {how}."


@cache
def _import_kernel() -> tuple[ModuleType | None, str]:
    """Give the kernel, or None and why there is none."""
    given = _handed_over.get("kernel")
    if given is not None:
        return (None, given) if isinstance(given, str) else (given, "")
    try:
        return import_module("bleuprint._kernel"), ""
    except ModuleNotFoundError:
        return None, MISSING
    except ImportError as error:
        return None, f"the compiled kernel does not load: {error}"
