"""Recipe options and their values, named recipes, and the numbers in both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bleuprint.errors import Location, RecipeError, name_list, nearest, quote
from bleuprint.written_numbers import read_float


class Axis(NamedTuple):
    """One axis: the recipe's field, the key in its signature, a title, and the choices where they can be listed."""

    field: str
    key: str
    title: str
    choices: Mapping[str, str] = {}
    kinds: Mapping[str, tuple[float | None, str]] = {}
    """Choices that take a value in brackets: the usual value, None where there is none, and what they mean."""
    number: type[int] | type[float] | None = None
    """What kind of number the choice is, where it is one."""
    unsaid: str = ""
    """What a signature without the key means: of axes that came later, so that lines from before stay as they were."""

    def check(self, value: object) -> None:
        """Refuse a value that is not one of the choices."""
        if not isinstance(value, str) or value not in self.choices:
            raise RecipeError(
                where=Location("recipe", option=self.field),
                wanted=name_list(self.choices),
                got=quote(value),
                suggestion=nearest(value, self.choices),
                next_step=f"This axis decides: {self.title}.",
            )


CASE = Axis(
    "case",
    "case",
    "upper and lower case",
    {
        "mixed": "as it is",
        "lower": "lowered, all of Unicode",
        "lower-ascii": "lowered, A to Z only",
    },
)
"""The same for every metric."""


DEFAULT = "sacrebleu"
"""Whoever names no recipe gets the number that sacreBLEU prints."""
SEGMENT_DEFAULT = "sacrebleu-sentence"
"""The same for single segments, of which short ones must not all be 0."""

TRIED_RELEASES: Mapping[str, tuple[str, ...]] = {
    "nltk": ("3.9", "3.10"), "sacrebleu": ("2.4", "2.5", "2.6"), "torchmetrics": ("1.7", "1.8", "1.9"),
}  # fmt: skip
"""The minor releases of tools with which all of their metrics were tried."""


class Dialect(NamedTuple):
    """A named recipe: the tool whose numbers it gives, how closely that was checked, and its choices."""

    name: str
    summary: str
    tool: str
    checked: str
    choices: Mapping[str, object] = {}
    releases: tuple[str, ...] = ()
    """The minor releases of the tool that are known to give these numbers: ``nltk@3.10`` is ``nltk``."""


def to_float(number: object) -> float | None:
    """Give a real number as a float; None for anything else, and for what is too large."""
    if isinstance(number, bool):
        return None
    if not isinstance(number, int | float):
        from numbers import Real  # which few calls need

        if not isinstance(number, Real):
            return None
    try:
        return float(number)
    except OverflowError:
        return None


def print_number(value: float) -> str:
    """Write a number so that it reads back as the same float, without a needless ``.0``."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def parse_number(text: str, where: str | Location) -> float:
    """Read a number, or say where the thing that is none was found."""
    number = read_float(text)
    if number is None:
        raise RecipeError(where=where, wanted="a number", got=quote(text), next_step="Write it like 0.1, with a point.")
    return number
