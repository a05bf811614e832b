"""Engines: Python, the compiled kernel, and the kernel in a browser. ``find_engine()`` returns the one to use."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bleuprint.errors import Location, wrong_type
from bleuprint.native_kernel import find_kernel
from bleuprint.numbers import as_whole_number

if TYPE_CHECKING:
    from bleuprint.engines.python import PythonEngine

MOST_THREADS = 1024


@cache
def find_engine() -> PythonEngine:
    """Return the engine of this process: the kernel if there is one to use, else Python."""
    if find_kernel() is None:
        from bleuprint.engines.python import PythonEngine

        return PythonEngine()
    from bleuprint.engines.native import NativeEngine

    return NativeEngine()


def check_threads(threads: object) -> int | None:
    """Return a number of threads as an int, or raise an error if it is not one."""
    number = as_whole_number(threads)
    if threads is not None and (number is None or not 1 <= number <= MOST_THREADS):
        raise wrong_type(
            f"a whole number from 1 to {MOST_THREADS}",
            threads,
            "Leave it out: small inputs then use one thread, large ones all cores.",
            location=Location("threads"),
        )
    return number
