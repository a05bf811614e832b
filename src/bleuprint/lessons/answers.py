"""Answers as people write them: 5/6, 0.83 or 83.3 %; a comma may stand for the point.

A fraction is meant exactly, and so are 0, 1 and 100. A decimal is meant to the digits given: 0.83 is any number that
rounds to it. It needs two digits, zeros in front not counted, to be told from others.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import NamedTuple

from bleuprint.errors import InputTypeError, quote
from bleuprint.lessons.workings import ExactNumber, are_same

LONGEST_ANSWER = 40
_FORM = re.compile(r"(?P<whole>\d*)(?:(?P<point>[.,])(?P<digits>\d*))?(?: ?/ ?(?P<below>\d+))? ?(?P<percent>%)?")
_EXAMPLES = "Write it like 5/6, 0.83 or 83.3 %."
COARSEST = Fraction(1, 100)
LAST_BITS = 4
"""How far a root or a power may be off, in units of its last bit: others take another way to it."""


class GivenNumber(NamedTuple):
    """An answer that was read: its value on 0 to 1, and the worth of its last digit, 0 where it is meant exactly."""

    value: Fraction
    unit: Fraction

    @property
    def is_coarse(self) -> bool:
        """Whether it has too few digits to say which number it is."""
        return self.unit > COARSEST or self.unit * 10 > self.value

    def is_exactly(self, number: ExactNumber) -> bool:
        """Whether it is this very number."""
        return isinstance(number, Fraction) and self.value == number

    def rounds(self, number: ExactNumber) -> bool:
        """Whether the number, rounded to the digits given, is this one; all that a float has are enough.

        A number halfway between two may be rounded up, or to the even digit, as Python does.
        """
        if not self.unit:
            return self.is_exactly(number)
        distance = abs(self.value - Fraction(number))
        if isinstance(number, float):
            return distance <= self.unit / 2 + Fraction(LAST_BITS * math.ulp(number))
        is_halfway_rounded = distance == self.unit / 2 and (self.value > number or self.value / self.unit % 2 == 0)
        return distance < self.unit / 2 or is_halfway_rounded or float(self.value) == float(number)

    def cuts(self, number: ExactNumber) -> bool:
        """Whether the number, cut off after the digits given, is this one."""
        return bool(self.unit) and 0 <= Fraction(number) - self.value < self.unit

    def is_usual_for(self, number: ExactNumber) -> bool:
        """Whether somebody who has this number would write the answer."""
        return are_same(self.value, number) or (not self.is_coarse and self.rounds(number))

    def in_hundredths(self) -> GivenNumber:
        """The same, read on 0 to 100."""
        return GivenNumber(self.value / 100, self.unit / 100)


class WrittenAnswer(NamedTuple):
    """An answer as it was written, and whether with a percent sign."""

    text: str
    plain: GivenNumber
    is_percent: bool

    @property
    def is_beyond_one(self) -> bool:
        """Whether it is larger than 1, with no sign that it is on 0 to 100."""
        return not self.is_percent and self.plain.value > 1


def read_answer(text: object, where: str) -> WrittenAnswer:
    """Read an answer, or say why it is none."""
    if not isinstance(text, str) or len(text) > LONGEST_ANSWER:
        got = f"{len(text):,} characters" if isinstance(text, str) else quote(text)
        raise InputTypeError(
            where=where, wanted=f"a text of at most {LONGEST_ANSWER} characters", got=got, next_step=_EXAMPLES
        )
    written = " ".join(text.split())
    found = _FORM.fullmatch(written) if written.isascii() else None
    if not found or not (found["whole"] or found["digits"]) or (found["below"] and found["point"]):
        got = quote(text) if written else "nothing"
        raise InputTypeError(where=where, wanted="a fraction, a decimal or a percentage", got=got, next_step=_EXAMPLES)
    if found["below"] and not int(found["below"]):
        raise InputTypeError(where=where, wanted="a fraction", got=f"{quote(text)}, over 0", next_step=_EXAMPLES)
    digits = found["digits"] or ""
    value = Fraction(int(found["whole"] + digits or "0"), 10 ** len(digits)) / int(found["below"] or 1)
    is_percent = bool(found["percent"])
    exact = found["below"] or (not found["point"] and value in ((0, 100) if is_percent else (0, 1, 100)))
    plain = GivenNumber(value, Fraction(0) if exact else Fraction(1, 10 ** len(digits)))
    return WrittenAnswer(written, plain.in_hundredths() if is_percent else plain, is_percent)
