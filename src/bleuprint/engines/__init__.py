"""Engines: who counts. The verbs ask ``find_engine()`` and do not care which one it is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bleuprint.errors import InputTypeError, Location, quote
from bleuprint.native_kernel import find_kernel
from bleuprint.whole_numbers import as_whole_number

if TYPE_CHECKING:
    from bleuprint.engines.engine import CountingEngine

MOST_THREADS = 1024


@cache
def find_engine() -> CountingEngine:
    """Give the engine of this process: the kernel's where it is there and wanted, else the readable one."""
    if find_kernel() is None:
        from bleuprint.engines.python import PythonEngine

        return PythonEngine()
    from bleuprint.engines.native import NativeEngine

    return NativeEngine()


def check_threads(threads: object) -> int | None:
    """Give a number of threads as Python's int; refuse what is none."""
    number = as_whole_number(threads)
    if threads is not None and (number is None or not 1 <= number <= MOST_THREADS):
        raise InputTypeError(
            where=Location("threads"),
            wanted=f"a whole number from 1 to {MOST_THREADS}",
            got=quote(threads),
            next_step="Leave it out: small inputs then take one thread, large ones all cores.",
        )
    return number
