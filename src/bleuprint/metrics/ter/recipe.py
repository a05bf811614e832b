"""TER's recipe: every choice which can change a digit of a TER score."""

from __future__ import annotations

from typing import Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.ter.axes import AXES
from bleuprint.metrics.ter.stats import TerCounting, TerStats, ter_layout
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_keys
from bleuprint.values import keep
from bleuprint.whole_numbers import as_whole_number


class TerRecipe(Recipe):
    """Every choice that decides a TER score.

    >>> recipe = TerRecipe(normalized="yes")
    >>> recipe.case, recipe.longest_shift
    ('lower', 10)
    """

    __slots__ = (
        "asian", "case", "empty_candidate", "longest_shift", "normalized", "punctuation", "reference_preparation",
        "shifted",
    )  # fmt: skip
    metric_key: ClassVar[str] = "ter"
    case: str
    normalized: str
    asian: str
    punctuation: str
    reference_preparation: str
    shifted: str
    longest_shift: int
    empty_candidate: str
    layout: Layout[TerStats]
    counting: TerCounting

    @classmethod
    def _check_choice(cls, field: str, value: Any) -> Any:
        if field != "longest_shift":
            return super()._check_choice(field, value)
        number = as_whole_number(value)
        return int(super()._check_choice(field, value if number is None else str(number)))

    def _settle(self) -> None:
        splitting = self.case, self.normalized, self.asian, self.punctuation, self.reference_preparation
        counting = TerCounting(*splitting, self.shifted, self.longest_shift, self.empty_candidate)
        layout = ter_layout(counting)
        keep(self, "order", layout.order)
        keep(self, "counting", counting)
        keep(self, "splitting", splitting)
        keep(self, "layout", layout)
        keep(self, "is_for_one_segment", False)

    @classmethod
    def _from_keys(cls, found: dict[str, str]) -> Recipe:
        fields = {axis.key: axis.field for axis in AXES.values()}
        check_keys(found, fields, cls.metric_key)
        return TerRecipe(**{fields[key]: value for key, value in found.items()})  # type: ignore[arg-type]
