"""Check an answer as people write it: 5/6, 0.83 or 83.3 %; a comma may stand for the point.

A fraction is exact, and so are 0, 1 and 100. A decimal is known to its digits: 0.83 is any number that rounds to it. It
needs two digits, without zeros in front, to be distinguished from others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from bleuprint.errors import BleuprintError, InputTypeError, quote
from bleuprint.lessons.mistakes import Mistake
from bleuprint.lessons.workings import ExactNumber, Quantity, are_same

LONGEST_ANSWER = 40
_FORM = re.compile(r"(?P<whole>\d*)(?:(?P<point>[.,])(?P<digits>\d*))?(?: ?/ ?(?P<below>\d+))? ?(?P<percent>%)?")
COARSEST = Fraction(1, 100)
LAST_BITS = 4
"""The tolerance of a root or a power, in units of its last bit: others compute it in another way."""


class CheckedAnswer(NamedTuple):
    """The verdict on an answer."""

    name: str
    """of the quantity"""
    answer: str
    is_right: bool
    mistakes: tuple[Mistake, ...] = ()
    """the usual mistakes that give this answer; one of them was made"""
    more_digits_tell: bool = False
    """whether these give different numbers, which are equal in the digits of the answer"""

    @property
    def message(self) -> str:
        """The verdict in a few sentences."""
        if self.is_right:
            return f"{self.answer} is right."
        if not self.mistakes:
            return f"{self.answer} is not {self.name}, and none of the usual mistakes gives it."
        where = "where" if len(self.mistakes) == 1 else "where one of these happens:"
        reasons = " Or: ".join(f"{mistake.happened}. {mistake.remedy}" for mistake in self.mistakes)
        apart = " More digits would tell which." if self.more_digits_tell else ""
        return f"{self.answer} is not {self.name}. It comes out {where} {reasons}{apart}"

    def to_dict(self) -> dict[str, object]:
        """Return the verdict as plain data."""
        return {
            "name": self.name,
            "answer": self.answer,
            "right": self.is_right,
            "mistakes": [mistake.value for mistake in self.mistakes],
            "message": self.message,
        }


class GivenNumber(NamedTuple):
    """A number that was read: its value on 0 to 1, and the worth of its last digit, 0 if it is exact."""

    value: Fraction
    unit: Fraction

    @property
    def is_coarse(self) -> bool:
        """Whether it has too few digits."""
        return self.unit > COARSEST or self.unit * 10 > self.value

    def rounds(self, number: ExactNumber) -> bool:
        """Whether the number, rounded to the digits of this one, equals it. All digits of a float are enough.

        A number halfway between two may be rounded up, or to the even digit, as Python does.
        """
        if not self.unit:
            return isinstance(number, Fraction) and self.value == number
        distance = abs(self.value - Fraction(number))
        if isinstance(number, float):
            return distance <= self.unit / 2 + Fraction(LAST_BITS * math.ulp(number))
        is_halfway_rounded = distance == self.unit / 2 and (self.value > number or self.value / self.unit % 2 == 0)
        return distance < self.unit / 2 or is_halfway_rounded or float(self.value) == float(number)

    def cuts(self, number: ExactNumber) -> bool:
        """Whether the number, cut off after the digits of this one, equals it."""
        return bool(self.unit) and 0 <= Fraction(number) - self.value < self.unit

    def in_hundredths(self) -> GivenNumber:
        """Return the same digits, read on 0 to 100."""
        return GivenNumber(self.value / 100, self.unit / 100)


def judge_answer(
    quantity: Quantity, mistaken: Mapping[Mistake, tuple[ExactNumber, ...]], text: object
) -> CheckedAnswer:
    """Check an answer; ``mistaken`` has the numbers that usual mistakes give."""
    written, plain, is_percent = _read_answer(text, quantity.name)
    right: ExactNumber = quantity.value if quantity.exact is None else quantity.exact
    is_beyond_one = not is_percent and plain.value > 1
    answer = plain.in_hundredths() if is_beyond_one and quantity.name == "BLEU" else plain
    is_exact = isinstance(right, Fraction) and answer.value == right
    if is_exact or (answer.rounds(right) and not answer.is_coarse):
        return CheckedAnswer(quantity.name, written, True)
    if answer.rounds(right):
        message = f"{written!r} has too few digits, zeros in front not counted."
        fix = "Write two digits or more, like 0.83, 0.033 or 83 %, or a fraction."
        raise InputTypeError(message, fix, where=quantity.name)
    readings = {answer, plain}
    found: dict[Mistake, set[ExactNumber]] = {}
    for mistake, numbers in mistaken.items():
        if given := {number for number in numbers if any(_is_meant(reading, number) for reading in readings)}:
            found[mistake] = given
    hundredths = plain.in_hundredths()
    if is_beyond_one and answer == plain and not hundredths.is_coarse and hundredths.rounds(right):
        found[Mistake.NO_PERCENT_SIGN] = {right}
    if answer.cuts(right) and not answer.is_coarse:
        found[Mistake.CUT_OFF] = {right}
    return CheckedAnswer(quantity.name, written, False, tuple(found), _differ([*found.values()]))


def _read_answer(text: object, name: str) -> tuple[str, GivenNumber, bool]:
    """Return an answer without needless blanks, its number, and whether it has a percent sign."""
    if not isinstance(text, str) or len(text) > LONGEST_ANSWER:
        raise _wrong_answer(f"a text of at most {LONGEST_ANSWER} characters", text, name)
    written = " ".join(text.split())
    found = _FORM.fullmatch(written) if written.isascii() else None
    if not found or not (found["whole"] or found["digits"]) or (found["below"] and found["point"]):
        raise _wrong_answer("a fraction, a decimal or a percentage", text, name)
    if found["below"] and not int(found["below"]):
        raise _wrong_answer("a fraction whose lower number is not 0", text, name)
    digits = found["digits"] or ""
    value = Fraction(int(found["whole"] + digits or "0"), 10 ** len(digits)) / int(found["below"] or 1)
    is_percent = bool(found["percent"])
    exact = found["below"] or (not found["point"] and value in ((0, 100) if is_percent else (0, 1, 100)))
    number = GivenNumber(value, Fraction(0) if exact else Fraction(1, 10 ** len(digits)))
    return written, number.in_hundredths() if is_percent else number, is_percent


def _wrong_answer(expected: str, answer: object, name: str) -> BleuprintError:
    message = f"expected {expected}, got {quote(answer)}."
    return InputTypeError(message, "Write it like 5/6, 0.83 or 83.3 %.", where=name)


def _is_meant(given: GivenNumber, number: ExactNumber) -> bool:
    """Whether somebody who has this number would write the answer."""
    return are_same(given.value, number) or (not given.is_coarse and given.rounds(number))


def _differ(groups: Sequence[Iterable[ExactNumber]]) -> bool:
    """Whether there are several mistakes whose numbers have nothing in common."""
    first, *others = groups or [()]
    shared = (all(any(are_same(number, other) for other in group) for group in others) for number in first)
    return bool(others) and not any(shared)
