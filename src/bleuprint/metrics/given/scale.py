"""The scale of given scores: which way is better, from where to where they go, and how they are whole numbers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from bleuprint.metrics.metric import Better

LIMB = 10**9
"""A score takes as many columns as it needs, each below this: so many segments as can be numbered add up in 64 bits."""
WIDE = 10.0
"""On a scale as wide as this two decimals are shown; on the others, most of which end at 1, four or more."""
QUARTERS = 4


class Scale(NamedTuple):
    """All that there is to know about the scores of one metric."""

    name: str
    better: Better
    places: int
    """how many decimals the longest score has; scores are counted in units of the last of them"""
    lowest: int
    highest: int
    """of all scores, in these units"""

    @property
    def limbs(self) -> int:
        """How many columns a score takes."""
        limbs, room = 1, LIMB
        while room <= self.highest - self.lowest:
            limbs, room = limbs + 1, room * LIMB
        return limbs

    @property
    def span(self) -> float:
        """How far the lowest and the highest score are apart; where they are equal, how large they are."""
        return (self.highest - self.lowest) / self.unit or self.size or 1.0

    @property
    def size(self) -> float:
        """How far the scores are from 0 at most."""
        return max(abs(self.lowest), abs(self.highest)) / self.unit

    @property
    def unit(self) -> int:
        """How many units 1 is."""
        return int(10**self.places)

    @property
    def digits(self) -> int:
        """With how many decimals scores are shown."""
        return 2 if self.span >= WIDE else max(4, 3 - math.floor(math.log10(self.span)))

    def ends(self) -> tuple[float, float]:
        """Give round numbers between which all scores are, and whose quarters are round, too.

        >>> Scale("comet", Better.HIGHER, 2, 31, 93).ends()
        (0.2, 1.0)
        """
        low, high = Fraction(self.lowest, self.unit), Fraction(self.highest, self.unit)
        power = Fraction(10) ** (Decimal(repr(self.span)) / QUARTERS).adjusted()
        for factor in (1, 2, 5, 10, 20):
            step = factor * power
            start = math.floor(low / step)
            if (start + QUARTERS) * step >= high:
                return float(start * step), float((start + QUARTERS) * step)
        raise AssertionError("twenty steps are always enough")

    def row(self, score: float) -> list[int]:
        """Write a score as a row: what it is above the lowest, and that it is one."""
        rest, row = _count_units(score, self.places) - self.lowest, []
        for _ in range(self.limbs):
            rest, limb = divmod(rest, LIMB)
            row.append(limb)
        return [*row, 1]


def find_scale(name: str, better: Better, scores: Iterable[Collection[float]]) -> Scale:
    """Find the scale on which all of these scores are."""
    known = {score for own in scores for score in own}
    places = max(0, *(-int(_shortest(score).as_tuple().exponent) for score in known))
    return Scale(name, better, places, _count_units(min(known), places), _count_units(max(known), places))


def _count_units(score: float, places: int) -> int:
    """Count a score in units of the last place, exactly: the precision that ``decimal`` rounds to plays no part."""
    sign, digits, exponent = _shortest(score).as_tuple()
    units = int("".join(map(str, digits)) + "0" * (int(exponent) + places))
    return -units if sign else units


def _shortest(score: float) -> Decimal:
    """Write a score with as few digits as tell it from all other floats, and no zeros behind them."""
    return Decimal(repr(score)).normalize()
