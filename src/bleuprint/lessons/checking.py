"""Checking an answer: right, or wrong and by which usual mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bleuprint.errors import InputTypeError
from bleuprint.lessons.answers import GivenNumber, WrittenAnswer, read_answer
from bleuprint.lessons.mistakes import Mistake
from bleuprint.lessons.workings import ExactNumber, Quantity, are_same


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """What was found out about an answer."""

    name: str
    """of what was asked for"""
    answer: str
    is_right: bool
    mistakes: tuple[Mistake, ...] = ()
    """the usual mistakes that give this answer: one of them was made"""
    more_digits_tell: bool = False
    """whether these give different numbers, which are alike in the digits of the answer"""

    @property
    def message(self) -> str:
        """Say it in words."""
        if self.is_right:
            return f"{self.answer} is right."
        if not self.mistakes:
            return f"{self.answer} is not {self.name}, and none of the usual mistakes gives it."
        if len(self.mistakes) == 1:
            [mistake] = self.mistakes
            return f"{self.answer} is not {self.name}. It comes out where {mistake.happened}. {mistake.remedy}"
        reasons = " Or: ".join(f"{mistake.happened}. {mistake.remedy}" for mistake in self.mistakes)
        apart = " More digits would tell which." if self.more_digits_tell else ""
        return f"{self.answer} is not {self.name}. It comes out where one of these happens: {reasons}{apart}"

    def to_dict(self) -> dict[str, object]:
        """Give it as plain data."""
        return {
            "name": self.name,
            "answer": self.answer,
            "right": self.is_right,
            "mistakes": [mistake.value for mistake in self.mistakes],
            "message": self.message,
        }


def judge_answer(
    quantity: Quantity, mistaken: Mapping[Mistake, tuple[ExactNumber, ...]], text: object
) -> CheckedAnswer:
    """Check an answer; ``mistaken`` has the numbers that usual mistakes give."""
    written = read_answer(text, quantity.name)
    right: ExactNumber = quantity.value if quantity.exact is None else quantity.exact
    may_be_in_hundredths = written.is_beyond_one and quantity.name == "BLEU"
    answer = written.plain.in_hundredths() if may_be_in_hundredths else written.plain
    if answer.is_exactly(right) or (answer.rounds(right) and not answer.is_coarse):
        return CheckedAnswer(quantity.name, written.text, True)
    if answer.rounds(right):
        raise InputTypeError(
            where=quantity.name,
            wanted="two digits or more, zeros in front not counted",
            got=repr(written.text),
            next_step="Write it like 0.83, 0.033 or 83 %, or as a fraction.",
        )
    readings = {answer, written.plain}
    given = {
        mistake: {number for number in numbers if any(reading.is_usual_for(number) for reading in readings)}
        for mistake, numbers in mistaken.items()
    }
    found = {mistake: numbers for mistake, numbers in given.items() if numbers}
    found |= {slip: {right} for slip in _find_slips(written, answer, right)}
    return CheckedAnswer(quantity.name, written.text, False, tuple(found), _differ([*found.values()]))


def _find_slips(written: WrittenAnswer, answer: GivenNumber, right: ExactNumber) -> Iterable[Mistake]:
    """Name what is wrong with an answer whose number is right."""
    hundredths = written.plain.in_hundredths()
    if written.is_beyond_one and answer == written.plain and not hundredths.is_coarse and hundredths.rounds(right):
        yield Mistake.NO_PERCENT_SIGN
    if answer.cuts(right) and not answer.is_coarse:
        yield Mistake.CUT_OFF


def _differ(groups: Sequence[set[ExactNumber]]) -> bool:
    """Whether mistakes were found whose numbers have nothing in common."""
    first, *others = groups or [set()]
    shared = (all(any(are_same(number, other) for other in group) for group in others) for number in first)
    return bool(others) and not any(shared)
