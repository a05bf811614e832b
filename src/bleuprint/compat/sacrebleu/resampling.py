"""sacreBLEU's resampling with its very draws and its rounding, made fast. Needs NumPy, as sacreBLEU does.

sacreBLEU builds all resamples at once, as 32-bit floats, and scores them one by one. Here a resample is a row of
multiplicities, and one matrix product sums them all. Whole numbers below 2²⁴ are exact in 32-bit floats whatever the
sequence of additions, so the sums are the same; a larger one is made again the long way.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from bleuprint.errors import missing_package

try:
    import numpy as np
except ImportError as _error:
    raise missing_package("numpy", "numpy") from _error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[Any]

SEED_VARIABLE = "SACREBLEU_SEED"
EXACT = 2**24
CHUNK = 2**22
"""How many multiplicities are made at a time."""
MOST_KEPT = 2**23
"""Up to how many are kept for the next system."""


def seed_name() -> str:
    """Give the seed as signatures show it."""
    return os.environ.get(SEED_VARIABLE, "12345").lower()


def seed_number() -> int | None:
    """Give the seed as a number, or None where the environment asks for none."""
    return None if seed_name() == "none" else int(seed_name())


def draw_resamples(seed: int | None, size: int, samples: int) -> Resamples:
    """Draw ``samples`` resamples of ``size`` segments."""
    return Resamples(np.random.default_rng(seed), size, samples)


class Resamples:
    """Resamples of a corpus: for each of them, the places that were drawn."""

    def __init__(self, generator: np.random.Generator, size: int, samples: int) -> None:
        self.places: NDArray[np.int32] = generator.choice(size, size=(samples, size), replace=True).astype("int32")
        self._kept: dict[int, Floats] = {}

    def sums(self, rows: Any) -> Floats:
        """Sum each resample of the rows, as 32-bit floats."""
        table: Floats = np.array(rows, dtype="float32")
        sums = np.empty((len(self.places), table.shape[1]), dtype="float32")
        step = max(1, CHUNK // max(1, len(table)))
        for start in range(0, len(sums), step):
            sums[start : start + step] = self._multiplicities(start, start + step) @ table
        return self._correct_large(sums, table)

    def _multiplicities(self, start: int, stop: int) -> Floats:
        """Count how often each segment was drawn, resample by resample."""
        if start in self._kept:
            return self._kept[start]
        places = self.places[start:stop]
        rows, size = places.shape
        numbered = places + np.arange(rows)[:, None] * size
        counts = np.bincount(numbered.ravel(), minlength=rows * size).reshape(rows, size).astype("float32")
        if self.places.size <= MOST_KEPT:
            self._kept[start] = counts
        return counts

    def _correct_large(self, sums: Floats, table: Floats) -> Floats:
        """Make sums again, row after row, where 32-bit floats may have rounded."""
        rounded = (sums >= EXACT).any(axis=1) | bool((table < 0).any() or not _are_whole(table))
        for which in np.flatnonzero(rounded):
            sums[which] = table[self.places[which]].sum(0)
        return sums


class Swaps:
    """Coins of approximate randomization: for each trial, the segments in which two systems keep their places."""

    def __init__(self, kept: Numbers) -> None:
        self.kept = kept

    def sums(self, baseline: Any, system: Any) -> tuple[Numbers, Numbers]:
        """Sum both sides after each trial. The second is what the first leaves of the whole, so one product will do."""
        ours, theirs = np.array(baseline), np.array(system)
        if not _are_whole(ours) or not _are_whole(theirs):  # rounded as sacreBLEU does, which multiplies so
            return self.kept @ ours + ~self.kept @ theirs, ~self.kept @ ours + self.kept @ theirs
        difference = ours - theirs
        exact = np.float32 if np.abs(difference).sum(0).max(initial=0) < EXACT else np.float64
        moved = np.empty((len(self.kept), ours.shape[1]), dtype=ours.dtype)
        step = max(1, CHUNK // max(1, len(ours)))
        for start in range(0, len(moved), step):
            moved[start : start + step] = self.kept[start : start + step].astype(exact) @ difference.astype(exact)
        return theirs.sum(0) + moved, ours.sum(0) - moved


def _are_whole(table: Numbers) -> bool:
    return bool((table == np.floor(table)).all())


def draw_swaps(seed: int | None, size: int, trials: int, samples: int) -> tuple[Swaps, Resamples | None]:
    """Draw the coins of so many trials and, from the same generator, resamples for an interval where they are due."""
    generator = np.random.default_rng(seed)
    swaps = Swaps(generator.integers(2, size=(trials, size), dtype=bool))
    return swaps, Resamples(generator, size, samples) if samples > 0 else None
