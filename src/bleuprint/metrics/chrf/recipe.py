"""chrF's recipe: every choice that can change a digit of a score, with its possible values and what they mean."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.errors import Location, RecipeError, quote
from bleuprint.metrics.chrf.stats import ChrfCounting, ChrfStats, chrf_layout
from bleuprint.recipes.axis import CASE, Axis
from bleuprint.recipes.numbers import parse_number, print_number, to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_keys
from bleuprint.values import keep
from bleuprint.whole_numbers import as_whole_number

HIGHEST_ORDER = 100
HIGHEST_BETA = 1_000_000
_LOWEST_ORDERS = {"char_order": 1, "word_order": 0}
EFFECTIVE_ORDER, EACH_ORDER = "effective-order", "each-order"
EACH_ORDER_EPS, EACH_ORDER_NLTK = "each-order-eps", "each-order-nltk"

AXES = {
    axis.field: axis
    for axis in (
        CASE,
        Axis("char_order", "nc", "the highest order of character n-grams", number=int),
        Axis("word_order", "nw", "the highest order of word n-grams; 0 for none, 2 for chrF++", number=int),
        Axis("beta", "beta", "how much more recall weighs than precision", number=float),
        Axis(
            "whitespace",
            "space",
            "what becomes of white space between characters",
            {
                "removed": "it is removed",
                "removed-unicode": "removed, but not U+001C to U+001F, which Unicode does not count to it",
                "spaces-removed": "removed at both ends; between them spaces alone, no tabs nor others",
                "kept": "every character counts",
            },
        ),
        Axis(
            "candidate_totals",
            "totals",
            "when the candidate's n-grams of an order count",
            {
                "where-reference-has": "where the chosen reference has n-grams of that order, too",
                "always": "always",
            },
        ),
        Axis(
            "unmatched_segment",
            "unmatched",
            "a segment in which nothing matches",
            {
                "counted": "counts as any other",
                "reference-dropped": "the n-grams of its reference do not count, those of the candidate do; "
                "references that score within 1e-12 are a tie, and the first counts",
            },
        ),
        Axis(
            "averaging",
            "avg",
            "how the orders become one number",
            {
                EFFECTIVE_ORDER: "means of precision and recall over orders that both sides have, then F of the two",
                EACH_ORDER: "F of each order, 0 without a match, then the mean over all orders",
                EACH_ORDER_EPS: "F of each order, then the mean over all orders; what cannot be divided is 1e-16",
                EACH_ORDER_NLTK: "F of each order, 1e-16 without a match, then the mean over all; one segment only",
            },
        ),
    )
}


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
            where=Location("recipe", option=field),
            wanted=f"a whole number from {lowest} to {HIGHEST_ORDER}",
            got=quote(value),
            next_step="Usual is 6." if field == "char_order" else "Usual is 0, or 2 for chrF++.",
        )
    return number


def _checked_beta(value: object) -> float:
    number = to_float(value)
    if number is None or not 0 <= number <= HIGHEST_BETA:
        raise RecipeError(
            where=Location("recipe", option="beta"),
            wanted=f"a number from 0 to {HIGHEST_BETA:,}",
            got=quote(value),
            next_step="Usual is 2: recall weighs twice as much as precision.",
        )
    return number + 0.0  # which turns -0.0 into 0.0, which it equals
