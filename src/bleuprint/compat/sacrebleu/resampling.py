"""sacreBLEU's resampling with its very draws and its rounding, made fast. Needs NumPy, as sacreBLEU does.

sacreBLEU builds all resamples at once, as 32-bit floats, and scores them one by one. Here a resample is a row of
multiplicities, and one matrix product sums them all. Whole numbers below 2²⁴ are exact in 32-bit floats whatever the
sequence of additions, so the sums are the same; a larger one is made again the long way.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

from bleuprint.compat.sacrebleu import formula as formula
from bleuprint.errors import MissingPackageError

try:
    import numpy as np
except ImportError as _error:
    raise MissingPackageError(
        where="n_bootstrap",
        wanted="NumPy, whose generator sacreBLEU draws from",
        got=f"no NumPy ({_error})",
        next_step="Install it: pip install numpy.",
    ) from _error

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


class Settings(Protocol):
    """What of a metric decides a score; its own method is asked where NumPy would round differently."""

    smooth_method: str
    smooth_value: float | None
    effective_order: bool
    max_ngram_order: int

    def _compute_score_from_stats(self, stats: Any) -> Any: ...


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
        rounded = (sums >= EXACT).any(axis=1) | bool((table < 0).any() or (table != np.floor(table)).any())
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
        difference = ours - theirs
        exact = np.float32 if np.abs(difference).sum(0).max(initial=0) < EXACT else np.float64
        moved = np.empty((len(self.kept), ours.shape[1]), dtype=ours.dtype)
        step = max(1, CHUNK // max(1, len(ours)))
        for start in range(0, len(moved), step):
            moved[start : start + step] = self.kept[start : start + step].astype(exact) @ difference.astype(exact)
        return theirs.sum(0) + moved, ours.sum(0) - moved


def draw_swaps(seed: int | None, size: int, trials: int, samples: int) -> tuple[Swaps, Resamples | None]:
    """Draw the coins of so many trials and, from the same generator, resamples for an interval where they are due."""
    generator = np.random.default_rng(seed)
    swaps = Swaps(generator.integers(2, size=(trials, size), dtype=bool))
    return swaps, Resamples(generator, size, samples) if samples > 0 else None


class ResampledScore:
    """The score of one resample; the rest of sacreBLEU's score is computed when somebody asks for it."""

    def __init__(self, score: float, metric: Settings, row: Any) -> None:
        self.score: float = score
        self._metric, self._row = metric, row

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_metric", "_row"):
            raise AttributeError(name)
        return getattr(self._whole(), name)

    def __repr__(self) -> str:
        return repr(self._whole())

    def _whole(self) -> Any:
        return self._metric._compute_score_from_stats(self._row.copy())


def score_lazily(sums: Numbers, metric: Settings) -> list[ResampledScore]:
    """Score every row of sums, with the rest of each score to be had when it is asked for."""
    return [ResampledScore(score, metric, row) for score, row in zip(score_sums(sums, metric), sums, strict=True)]


def score_sums(sums: Numbers, metric: Settings) -> list[float]:
    """Score every row of sums, as sacreBLEU would one by one, to the last bit."""
    value = metric.smooth_value
    if value is None:
        value = formula.SMOOTHING_VALUES[metric.smooth_method]
    if not _rounds_alike(value):
        return [metric._compute_score_from_stats(row).score for row in sums]
    order = metric.max_ngram_order
    matches, totals = sums[:, 2 : 2 + order].copy(), sums[:, 2 + order :].copy()
    matched = np.any(matches, axis=1).tolist()
    precisions, reached = _smooth(matches, totals, metric.smooth_method, value)
    orders = np.where(reached > 0, reached, order) if metric.effective_order else np.full(len(sums), order)
    lengths = zip(map(int, sums[:, 0].tolist()), map(int, sums[:, 1].tolist()), strict=True)
    return [
        formula.combine(own, count, formula.brevity(*both)) if any_match else 0.0
        for own, count, both, any_match in zip(precisions.tolist(), orders.tolist(), lengths, matched, strict=True)
    ]


def _rounds_alike(value: object) -> bool:
    """Whether NumPy rounds a whole column as it rounds single numbers; before NumPy 2 it did not."""
    return isinstance(100.0 * np.float32(1), np.float32) and type(value) in (int, float, type(None))


def _smooth(matches: Numbers, totals: Numbers, method: str, value: Any) -> tuple[Numbers, Numbers]:
    """Do what ``formula.smooth`` does, a column at a time."""
    rows, order = matches.shape
    kind = matches.dtype if matches.dtype == np.float32 else np.float64
    precisions = np.zeros((rows, order), dtype=kind)
    alive, reached = np.ones(rows, dtype=bool), np.zeros(rows, dtype=int)
    divisor = np.ones(rows, dtype=kind)
    for place in range(order):
        if method == "add-k" and place > 0:
            for counts in (matches, totals):  # whole numbers cut off what they cannot hold, here as there
                counts[:, place] = (counts[:, place] + value).astype(counts.dtype)
        own, total = matches[:, place], totals[:, place]
        alive &= total != 0
        reached[alive] = place + 1
        hit, miss = alive & (own != 0), alive & (own == 0)
        precisions[hit, place] = 100.0 * own[hit] / total[hit]
        if method == "exp":
            divisor[miss] *= 2
            precisions[miss, place] = 100.0 / (divisor[miss] * total[miss])
        elif method == "floor":
            precisions[miss, place] = 100.0 * value / total[miss]
    return precisions, reached
