"""What an engine does: from checked segments to rows of whole numbers, and bulk work on such rows.

``python.py`` is written to be read and does everything; a faster engine does the same, with equal results.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Protocol

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.metrics.score import ScoredSegment
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.faults import RowFault
from bleuprint.text.segments import Segments, Text

AddedUp = tuple[Segments, Sums[Any]]
"""A corpus that was checked, and what its rows add up to."""


class Column(Protocol):
    """An array of pyarrow, or what behaves like one."""

    type: Any

    def __len__(self) -> int:
        """Count the rows."""

    def __getitem__(self, row: int) -> Any:
        """Give a row as a scalar with ``as_py``."""

    def to_pylist(self) -> list[Any]:
        """Give all rows as Python's values."""


class Prepared(Protocol):
    """References that were split once, to count many systems against."""

    def count(self, candidates: list[Text], threads: int | None = None) -> StatsTable[Any]:
        """Count candidate i against the references of segment i."""


class CountingEngine(Protocol):
    """Who counts. Numbers of threads are hints; results never depend on them."""

    name: str

    def count(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> StatsTable[Any]:
        """Count every segment of a corpus."""

    def count_together(
        self, segments: Segments, layouts: Sequence[Layout[Any]], threads: int | None = None
    ) -> list[StatsTable[Any]]:
        """Count for several layouts whose texts are split alike, so that they can be split once."""

    def count_plain(self, segments: Segments, layout: Layout[Any], threads: int | None = None) -> tuple[int, ...]:
        """Per order, how many n-grams of the candidates occur in a reference at all: matches without clipping."""

    def count_with_plain(
        self, segments: Segments, layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], tuple[int, ...]]:
        """Give what ``count`` and ``count_plain`` give, so that texts can be split once for both."""

    def trace(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> Sequence[Any]:
        """Tell how a candidate becomes each reference, all of them split: the steps that a row only counts."""

    def count_columns(
        self, candidates: Column, references: Sequence[Column], layout: Layout[Any], threads: int | None = None
    ) -> tuple[StatsTable[Any], list[RowFault]]:
        """Count every row of Arrow's columns that can be counted, and name the others."""

    def prepare(self, references: list[tuple[Text, ...]], layout: Layout[Any]) -> Prepared:
        """Split references once."""

    def count_one(self, candidate: object, references: object, layout: Layout[Any]) -> tuple[int, ...] | None:
        """Count one segment of tokens in which nothing is unusual; None asks for the way that a corpus takes."""

    def score_one(self, candidate: object, references: object, recipe: Recipe) -> ScoredSegment | None:
        """Check, count and score one segment in which nothing is unusual; None asks to do it step by step."""

    def add_up(
        self, candidates: object, references: object, layout: Layout[Any], threads: int | None = None
    ) -> AddedUp | None:
        """Check, count and add up a corpus in which nothing is unusual; None asks to do it step by step."""

    def score_rows(self, table: StatsTable[Any], recipe: Recipe) -> array[float]:
        """Score every row on its own, on 0 to 100."""

    def resample(
        self,
        tables: Sequence[StatsTable[Any]],
        recipe: Recipe,
        *,
        seed: int,
        resamples: int,
        start: int = 0,
        threads: int | None = None,
    ) -> list[array[float]]:
        """Score every table on every bootstrap resample, from number ``start`` on, on 0 to 100."""

    def count_extremes(
        self,
        first: StatsTable[Any],
        second: StatsTable[Any],
        recipe: Recipe,
        *,
        seed: int,
        trials: int,
        threshold: float,
        start: int = 0,
        threads: int | None = None,
    ) -> int:
        """Count the trials, from number ``start`` on, in which swapped systems are ``threshold`` apart."""

    def score_pairs(
        self, candidates: list[Text], references: list[tuple[Text, ...]], recipe: Recipe, threads: int | None = None
    ) -> array[float]:
        """Score every candidate against every entry of references: a matrix, row after row, on 0 to 100."""

    def score_among_themselves(self, texts: list[Text], recipe: Recipe, threads: int | None = None) -> array[float]:
        """Score every text against all others, on 0 to 100."""
