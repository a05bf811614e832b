"""An axis: one choice that can change a digit of a score, with its possible values and what they mean."""

from collections.abc import Mapping
from typing import NamedTuple

from bleuprint.errors import Location, RecipeError, name_list, nearest, quote


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
