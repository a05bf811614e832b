"""chrF's recipe: every choice which can change a digit of a chrF score."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.errors import Argument, Place, RecipeError, quote
from bleuprint.metrics.chrf.axes import AXES, EACH_ORDER_NLTK
from bleuprint.metrics.chrf.stats import ChrfCounting, ChrfStats, chrf_layout
from bleuprint.recipes.numbers import parse_number, print_number, to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_keys
from bleuprint.values import keep
from bleuprint.whole_numbers import as_whole_number

HIGHEST_ORDER = 100
HIGHEST_BETA = 1_000_000
_LOWEST_ORDERS = {"char_order": 1, "word_order": 0}


class ChrfRecipe(Recipe):
    """Every choice that decides a chrF score.

    >>> recipe = ChrfRecipe(word_order=2)
    >>> recipe.names, recipe.label
    (('chrf++',), 'chrF2++')
    """

    __slots__ = (
        "averaging", "beta", "candidate_totals", "case", "char_order", "unmatched_segment", "whitespace", "word_order",
    )  # fmt: skip
    metric_key: ClassVar[str] = "chrf"
    case: str
    char_order: int
    word_order: int
    beta: float
    whitespace: str
    candidate_totals: str
    unmatched_segment: str
    averaging: str
    layout: Layout[ChrfStats]
    counting: ChrfCounting
    splitting: tuple[str, str]

    @classmethod
    def _check_choice(cls, field: str, value: Any) -> Any:
        if field in _LOWEST_ORDERS:
            return _checked_order(field, value)
        if field == "beta":
            return _checked_beta(value)
        return super()._check_choice(field, value)

    def _settle(self) -> None:
        counting = ChrfCounting(*(getattr(self, field) for field in ChrfCounting._fields))
        layout = chrf_layout(counting)
        keep(self, "order", layout.order)
        keep(self, "counting", counting)
        keep(self, "splitting", (self.case, self.whitespace))
        keep(self, "layout", layout)
        keep(self, "is_for_one_segment", self.averaging == EACH_ORDER_NLTK)  # NLTK averages the scores of segments

    def choice(self, field: str) -> str:
        """Print the choice on one axis, as it stands in the signature."""
        return print_number(self.beta) if field == "beta" else super().choice(field)

    @classmethod
    def _from_keys(cls, found: dict[str, str]) -> Recipe:
        fields = {axis.key: axis.field for axis in AXES.values()}
        check_keys(found, fields, cls.metric_key)
        choices: dict[str, Any] = {fields[key]: value for key, value in found.items()}
        for field in _LOWEST_ORDERS:
            if re.fullmatch("[0-9]{1,3}", choices[field]):
                choices[field] = int(choices[field])
        choices["beta"] = parse_number(choices["beta"], "signature, beta")
        return ChrfRecipe(**choices)


def _checked_order(field: str, value: object) -> int:
    number, lowest = as_whole_number(value), _LOWEST_ORDERS[field]
    if number is None or not lowest <= number <= HIGHEST_ORDER:
        raise RecipeError(
            where=Place(Argument.RECIPE, axis=field),
            wanted=f"a whole number from {lowest} to {HIGHEST_ORDER}",
            got=quote(value),
            next_step="Usual is 6." if field == "char_order" else "Usual is 0, or 2 for chrF++.",
        )
    return number


def _checked_beta(value: object) -> float:
    number = to_float(value)
    if number is None or not 0 <= number <= HIGHEST_BETA:
        raise RecipeError(
            where=Place(Argument.RECIPE, axis="beta"),
            wanted=f"a number from 0 to {HIGHEST_BETA:,}",
            got=quote(value),
            next_step="Usual is 2: recall weighs twice as much as precision.",
        )
    return number + 0.0  # which turns -0.0 into 0.0, which it equals
