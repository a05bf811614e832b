"""TER's recipe: its options, what their values mean, and the named recipes of existing tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.ter.counting import TerCounting, TerStats, ter_layout
from bleuprint.recipes.options import CASE, TRIED_RELEASES, Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_keys
from bleuprint.values import keep
from bleuprint.whole_numbers import as_whole_number

AXES = {
    axis.field: axis
    for axis in (
        CASE,
        Axis(
            "normalized",
            "norm",
            "whether tercom's normalisation parts punctuation from words",
            {"no": "words are what white space parts", "yes": "entities are resolved, Western punctuation is apart"},
        ),
        Axis(
            "asian",
            "asian",
            "whether normalisation covers Chinese and Japanese, too",
            {"no": "it does not", "yes": "if normalized, characters are words of their own, their marks punctuation"},
        ),
        Axis(
            "punctuation",
            "punct",
            "what becomes of . , ? : ; ! \" ( and )",
            {"keep": "they count", "remove": "they are taken out of the text"},
        ),
        Axis(
            "reference_preparation",
            "refprep",
            "how often a reference is prepared, which matters only if normalized",
            {"twice": "what normalisation made goes through all of it again", "once": "as the candidate is"},
        ),
        Axis(
            "shifted",
            "shifted",
            "whose words are moved",
            {"candidate": "the candidate's, to fit a reference", "reference": "the reference's, to fit the candidate"},
        ),
        Axis(
            "longest_shift",
            "longest",
            "how many words are moved at once, at most",
            {"10": "ten", "9": "nine"},
        ),
        Axis(
            "empty_candidate",
            "empty",
            "what an empty candidate costs",
            {"insertions": "one insertion for each word of the reference", "no-edits": "nothing"},
        ),
    )
}  # fmt: skip


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


TER_DEFAULT = "ter"
BASE: Mapping[str, object] = {
    "case": "lower",
    "normalized": "no",
    "asian": "no",
    "punctuation": "keep",
    "reference_preparation": "twice",
    "shifted": "candidate",
    "longest_shift": "10",
    "empty_candidate": "insertions",
}

DIALECTS: Mapping[str, Dialect] = {
    dialect.name: dialect._replace(choices={**BASE, **dialect.choices})
    for dialect in (
        Dialect(
            TER_DEFAULT,
            "sacreBLEU's TER with its own defaults, which follow tercom",
            "sacreBLEU 2.6.0, TER()",
            "12 significant digits, against the package itself, and 3 that tercom 7.25 printed for WMT17",
            releases=TRIED_RELEASES["sacrebleu"],
        ),
        Dialect(
            "torchmetrics-ter",
            "torchmetrics' TER: moves the words of the reference, and an empty candidate is perfect",
            "torchmetrics 1.9.0, TranslationEditRate()",
            "1e-6, against the package itself, which computes with 32 bits",
            {
                "reference_preparation": "once",
                "shifted": "reference",
                "longest_shift": "9",
                "empty_candidate": "no-edits",
            },
            TRIED_RELEASES["torchmetrics"],
        ),
    )
}
