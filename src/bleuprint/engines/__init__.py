"""Engines: who counts. The verbs ask ``find_engine()`` and do not care which one it is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bleuprint.errors import InputTypeError, quote
from bleuprint.native_kernel import find_kernel

if TYPE_CHECKING:
    from bleuprint.engines.engine import Engine

MOST_THREADS = 1024


@cache
def find_engine() -> Engine:
    """Give the engine of this process: the kernel's where it is there and wanted, else the readable one."""
    if find_kernel() is None:
        from bleuprint.engines.python import PythonEngine

        return PythonEngine()
    from bleuprint.engines.native import NativeEngine

    return NativeEngine()


def check_threads(threads: int | None) -> None:
    """Refuse a number of threads that is none."""
    if threads is not None and (type(threads) is not int or not 1 <= threads <= MOST_THREADS):
        raise InputTypeError(
            where="threads",
            wanted=f"a whole number from 1 to {MOST_THREADS}, or None for as many as there are cores",
            got=quote(threads),
            next_step="Leave it out: small inputs then take one thread, large ones all cores.",
        )
