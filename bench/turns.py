"""Works that take turns, so that what else the machine does meets all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from bleuprint.compat import accelerate

Clock = Callable[[], float]


class Accelerated:
    """A work that is done with an accelerated tool."""

    def __init__(self, tool: str, work: Callable[[], object]) -> None:
        self.prepare = partial(accelerate, tool)
        self.work = work

    def __call__(self) -> object:
        """Do the work, accelerated."""
        with self.prepare():
            return self.work()


def best_seconds(*works: Callable[[], object], rounds: int, clock: Clock = time.perf_counter) -> list[float]:
    """Time works in turns; return the best time of each. Accelerating, which a program does once, is not timed."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for place, work in enumerate(works):
            plain = work.work if isinstance(work, Accelerated) else work
            with work.prepare() if isinstance(work, Accelerated) else nullcontext():
                started = clock()
                plain()
                best[place] = min(best[place], clock() - started)
    return best


def best_milliseconds(*works: Callable[[], object], rounds: int, clock: Clock = time.perf_counter) -> list[float]:
    """Give the same in milliseconds."""
    return [1000 * taken for taken in best_seconds(*works, rounds=rounds, clock=clock)]


def write_milliseconds(taken: float) -> str:
    """Write a time in the unit in which it has few digits."""
    value, unit = (taken / 1000, "s") if taken >= 1000 else (taken, "ms") if taken >= 0.1 else (taken * 1000, "µs")
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
