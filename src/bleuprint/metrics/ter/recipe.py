"""TER's recipe: its options, what their values mean, and the named recipes of existing tools."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.ter.counting import TerCounting, TerStats, ter_layout
from bleuprint.recipes.options import CASE, TRIED_RELEASES, Axis, Dialect, by_field, name_recipes
from bleuprint.recipes.recipe import Recipe

AXES = by_field(
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
        'what becomes of . , ? : ; ! " ( and )',
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
        number=int,
    ),
    Axis(
        "empty_candidate",
        "empty",
        "what an empty candidate costs",
        {"insertions": "one insertion for each word of the reference", "no-edits": "nothing"},
    ),
)


class TerRecipe(Recipe):
    """Every option that decides a TER score.

    >>> recipe = TerRecipe(normalized="yes")
    >>> recipe.case, recipe.longest_shift
    ('lower', 10)
    """

    __slots__ = tuple(AXES)
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

    def _derive(self) -> tuple[Layout[TerStats], int, Hashable, bool]:
        layout = ter_layout(TerCounting(*self._values))
        return layout, layout.order, self._values[: list(AXES).index("shifted")], False


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

DIALECTS = name_recipes(
    BASE,
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
