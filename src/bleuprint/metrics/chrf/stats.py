"""chrF's statistics: the whole numbers that a score is made of. They add, and everything at scale rests on that."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from operator import le
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout, Threshold
from bleuprint.counting.sums import Sums
from bleuprint.errors import BleuprintError
from bleuprint.values import Value, keep


class ChrfCounting(NamedTuple):
    """The axes that decide the counts: all, as the reference of a segment is the one that scores best."""

    case: str
    char_order: int
    word_order: int
    whitespace: str
    candidate_totals: str
    unmatched_segment: str
    beta: float
    averaging: str


class Unit(StrEnum):
    """What n-grams are made of."""

    CHARACTERS = "characters"
    WORDS = "words"


class ChrfStats(Value):
    """Matches and n-grams of candidate and reference per order, characters first, and the two lengths in characters.

    >>> ChrfStats((2, 1), (3, 2), (4, 3), 3, 4) + ChrfStats((1, 0), (1, 0), (1, 0), 1, 1)
    ChrfStats(matches=(3, 1), candidate=(4, 2), reference=(5, 3), candidate_length=4, reference_length=5)
    """

    __match_args__ = ("matches", "candidate", "reference", "candidate_length", "reference_length")
    __slots__ = __match_args__
    matches: tuple[int, ...]
    candidate: tuple[int, ...]
    """the candidate's n-grams of each order, as the recipe counts them"""
    reference: tuple[int, ...]
    """those of the chosen reference"""
    candidate_length: int
    reference_length: int

    def __init__(
        self,
        matches: tuple[int, ...],
        candidate: tuple[int, ...],
        reference: tuple[int, ...],
        candidate_length: int,
        reference_length: int,
    ) -> None:
        keep(self, "matches", matches)
        keep(self, "candidate", candidate)
        keep(self, "reference", reference)
        keep(self, "candidate_length", candidate_length)
        keep(self, "reference_length", reference_length)

    @classmethod
    def zero(cls, order: int) -> "ChrfStats":
        """The statistics of no text at all, the zero of addition."""
        nothing = (0,) * order
        return cls(nothing, nothing, nothing, 0, 0)

    @property
    def order(self) -> int:
        """How many orders were counted, of characters and words together."""
        return len(self.matches)

    def __add__(self, other: "ChrfStats") -> "ChrfStats":
        if self.order != other.order:
            raise BleuprintError(
                where="ChrfStats",
                wanted=f"statistics of {self.order} orders to add",
                got=f"{other.order} orders",
                next_step="Count with the same orders of characters and words.",
            )
        return ChrfStats.from_row([a + b for a, b in zip(self.to_row(), other.to_row(), strict=True)])

    def to_row(self) -> tuple[int, ...]:
        """Lay the numbers out as a row: the two lengths, matches, n-grams of candidate and reference."""
        return (self.candidate_length, self.reference_length, *self.matches, *self.candidate, *self.reference)

    @classmethod
    def from_row(cls, row: Sequence[int]) -> "ChrfStats":
        """Read a row back."""
        order = (len(row) - 2) // 3
        matches, candidate, reference = (tuple(row[start : start + order]) for start in range(2, 2 + 3 * order, order))
        return cls(matches, candidate, reference, row[0], row[1])


class ChrfCensus(NamedTuple):
    """How many segments there were, and how many of them are a reason for a note."""

    segments: int
    empty_candidates: int = 0
    empty_references: int = 0
    """segments whose chosen reference has no character"""
    unmatched: int = 0
    """segments in which nothing matches: without a character no longer n-gram does, nor a word"""

    @classmethod
    def of_segment(cls, stats: ChrfStats) -> "ChrfCensus":
        """The census of one segment."""
        return cls(1, *(int(number < 1) for number in (*stats.to_row()[:2], stats.matches[0])))


def list_orders(counting: ChrfCounting) -> list[tuple[Unit, int]]:
    """List the orders in the order of the columns: characters, then words."""
    return [
        (unit, order)
        for unit, highest in ((Unit.CHARACTERS, counting.char_order), (Unit.WORDS, counting.word_order))
        for order in range(1, highest + 1)
    ]


@lru_cache(maxsize=256)
def chrf_layout(counting: ChrfCounting) -> Layout[ChrfStats]:
    """Lay out rows of chrF's statistics: two lengths, then matches, the candidate's and the reference's n-grams.

    >>> chrf_layout(ChrfCounting("mixed", 1, 1, "removed", "always", "counted", 2.0, "each-order")).columns[2:6]
    ('matches_c1', 'matches_w1', 'candidate_c1', 'candidate_w1')
    """
    orders = [f"{unit[0]}{order}" for unit, order in list_orders(counting)]
    counts = [f"{kind}_{order}" for kind in ("matches", "candidate", "reference") for order in orders]
    return Layout(
        "chrf", len(orders), counting,
        columns=("candidate_length", "reference_length", *counts),
        thresholds=tuple(Threshold(name, column, 1) for column, name in enumerate(ChrfCensus._fields[1:])),
        read=ChrfStats.from_row,
        cased=counting.case != "mixed",
    )  # fmt: skip


def find_counting(layout: Layout[Any]) -> ChrfCounting:
    """Give the choices behind a layout of chrF."""
    if not isinstance(layout.counting, ChrfCounting):
        raise TypeError(f"the readable engine was asked to count {layout} without a way of counting")
    return layout.counting


def may_be(sums: Sums[ChrfStats]) -> bool:
    """Whether some text could have these numbers."""
    stats, census = sums.stats, ChrfCensus(*sums.census)
    counts = zip(stats.matches, stats.candidate, stats.reference, strict=True)
    return (
        all(matches <= min(candidate, reference) for matches, candidate, reference in counts)
        and max(stats.candidate) <= stats.candidate_length
        and max(stats.reference) <= stats.reference_length
        and max(census[1:]) <= census.segments
        and (census.segments > 0 or not any(stats.to_row()))
    )


def may_be_segments(columns: Mapping[str, Sequence[int]], most: int) -> bool:
    """Whether segments of at most so many characters could have these rows: there are no more n-grams than that."""
    sides = ("candidate", "reference")
    return max(map(max, columns.values())) <= most and all(
        all(map(le, columns[f"matches_{order}"], columns[f"{side}_{order}"]))
        and all(map(le, columns[f"{side}_{order}"], columns[f"{side}_length"]))
        for order in (name.removeprefix("matches_") for name in columns if name.startswith("matches_"))
        for side in sides
    )
