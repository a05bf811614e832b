"""Recipe options and their values, named recipes, and the numbers in both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bleuprint.errors import Location, RecipeError, quote, unknown_name
from bleuprint.numbers import as_whole_number, read_float

DEFAULT = "sacrebleu"
"""The recipe of a corpus if none is named: the number that sacreBLEU prints."""
SEGMENT_DEFAULT = "sacrebleu-sentence"
"""The recipe of a single segment if none is named. With DEFAULT every short segment would score 0."""

TRIED_RELEASES: Mapping[str, tuple[str, ...]] = {
    "nltk": ("3.9", "3.10"), "sacrebleu": ("2.4", "2.5", "2.6"), "torchmetrics": ("1.7", "1.8", "1.9"),
}  # fmt: skip
"""The minor releases of tools with which all of their metrics were tested."""


class Axis(NamedTuple):
    """A recipe option: its field, its key in signatures, a title, and its values if they can be listed."""

    field: str
    key: str
    title: str
    choices: Mapping[str, str] = {}
    """the valid values and what they mean"""
    kinds: Mapping[str, tuple[float | None, str]] = {}
    """values that take a number in brackets: the usual number (None for no number), and what they mean"""
    number: type[int] | type[float] | None = None
    """the type of a numeric value"""
    limits: tuple[int, int] = (0, 0)
    """the lowest and the highest number"""
    usual: str = ""
    """which number is usual, as a sentence"""
    unsaid: str = ""
    """the value if a signature does not have the key; for options that were added later"""
    accept: Callable[[Any], Any] | None = None
    """for options that are neither listed nor numeric: check a value and return it as the recipe keeps it"""
    parse: Callable[[str], Any] | None = None
    """read the value in a signature, if ``accept`` does not take the printed form"""
    write: Callable[[Any], str] = str
    """print a value as signatures have it"""

    @property
    def location(self) -> Location:
        """The option as the location of an error."""
        return Location("recipe", option=self.field)

    def check(self, value: Any) -> Any:
        """Return a value as the recipe keeps it, or raise an error if the option does not have it."""
        if self.accept:
            return self.accept(value)
        if self.choices:
            name = str(value) if self.number and as_whole_number(value) is not None else value
            if not isinstance(name, str) or name not in self.choices:
                kind = self.field.replace("_", " ")
                raise unknown_name(kind, value, self.choices, location=self.location, error=RecipeError)
            return int(name) if self.number else name
        number = as_whole_number(value) if self.number is int else to_float(value)
        lowest, highest = self.limits
        if number is None or not lowest <= number <= highest:
            expected = f"a {'whole ' if self.number is int else ''}number from {lowest} to {highest:,}"
            raise RecipeError(f"expected {expected}, got {quote(value)}.", self.usual, location=self.location)
        return number + 0  # which turns -0.0 into 0.0, which it equals

    def read(self, text: str) -> Any:
        """Return what the text in a signature stands for; ``check`` comes after."""
        if self.parse:
            return self.parse(text)
        if self.number is float:
            return parse_number(text, self.location)
        return int(text) if self.number is int and text.isascii() and text.isdigit() and len(text) <= 3 else text


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


def by_field(*options: Axis) -> dict[str, Axis]:
    """Return options by their fields."""
    return {option.field: option for option in options}


class Dialect(NamedTuple):
    """A named recipe: the tool whose numbers it reproduces, how closely that was checked, and its options."""

    name: str
    summary: str
    tool: str
    checked: str
    choices: Mapping[str, object] = {}
    releases: tuple[str, ...] = ()
    """the minor releases of the tool that compute these numbers: ``nltk@3.10`` is ``nltk``"""


def name_recipes(base: Mapping[str, object], *recipes: Dialect) -> dict[str, Dialect]:
    """Return named recipes by name, with all options: each recipe lists only those that differ from the base."""
    return {recipe.name: recipe._replace(choices={**base, **recipe.choices}) for recipe in recipes}


def to_float(number: object) -> float | None:
    """Return a real number as a float; None for anything else, and for what is too large."""
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


def parse_number(text: str, location: Location | None = None) -> float:
    """Read a number, or raise an error that names its location."""
    number = read_float(text)
    if number is None:
        message = f"expected a number, got {quote(text)}."
        raise RecipeError(message, "Write it like 0.1, with a point.", location=location)
    return number
