"""chrF's recipe: its options, what their values mean, and the named recipes of existing tools."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.metrics.chrf.counting import ChrfCounting, ChrfStats, chrf_layout
from bleuprint.metrics.chrf.formula import EACH_ORDER, EACH_ORDER_EPS, EACH_ORDER_NLTK, EFFECTIVE_ORDER
from bleuprint.recipes.options import CASE, TRIED_RELEASES, Axis, Dialect, by_field, name_recipes, print_number
from bleuprint.recipes.recipe import Recipe

HIGHEST_ORDER = 100
HIGHEST_BETA = 1_000_000

AXES = by_field(
    CASE,
    Axis(
        "char_order",
        "nc",
        "the highest order of character n-grams",
        number=int,
        limits=(1, HIGHEST_ORDER),
        usual="Usual is 6.",
    ),
    Axis(
        "word_order",
        "nw",
        "the highest order of word n-grams; 0 for none, 2 for chrF++",
        number=int,
        limits=(0, HIGHEST_ORDER),
        usual="Usual is 0, or 2 for chrF++.",
    ),
    Axis(
        "beta",
        "beta",
        "how much more recall weighs than precision",
        number=float,
        limits=(0, HIGHEST_BETA),
        usual="Usual is 2: recall weighs twice as much as precision.",
        write=print_number,
    ),
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


class ChrfRecipe(Recipe):
    """Every option that decides a chrF score.

    >>> recipe = ChrfRecipe(word_order=2)
    >>> recipe.names, recipe.label
    (('chrf++',), 'chrF2++')
    """

    __slots__ = tuple(AXES)
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

    def _derive(self) -> tuple[Layout[ChrfStats], int, Hashable, bool]:
        layout = chrf_layout(ChrfCounting(*(getattr(self, field) for field in ChrfCounting._fields)))
        one_segment = self.averaging == EACH_ORDER_NLTK  # NLTK averages the scores of segments
        return layout, layout.order, (self.case, self.whitespace), one_segment


DEFAULT_CHRF = "chrf"
BASE: Mapping[str, object] = {
    "case": "mixed",
    "char_order": 6,
    "word_order": 0,
    "beta": 2.0,
    "whitespace": "removed",
    "candidate_totals": "where-reference-has",
    "unmatched_segment": "counted",
    "averaging": EFFECTIVE_ORDER,
}

_TWELVE_DIGITS = "12 significant digits, against the package itself"
_FLOAT32 = "1e-6, against the package itself, which computes with 32 bits"
_RECORDED = "12 significant digits of recorded outputs, where something matches in every segment, and 6 of WMT17's"
_POPOVIC = {"whitespace": "spaces-removed", "averaging": EACH_ORDER}

DIALECTS = name_recipes(
    BASE,
    Dialect(
        DEFAULT_CHRF,
        "sacreBLEU's chrF2: characters up to order 6, orders that a side lacks left out",
        "sacreBLEU 2.6.0, CHRF()",
        _TWELVE_DIGITS,
        releases=TRIED_RELEASES["sacrebleu"],
    ),
    Dialect(
        "chrf++",
        "sacreBLEU's chrF2++: the same with words up to order 2",
        "sacreBLEU 2.6.0, CHRF(word_order=2)",
        _TWELVE_DIGITS,
        {"word_order": 2},
        TRIED_RELEASES["sacrebleu"],
    ),
    Dialect(
        "chrf-popovic",
        "Popović's chrF++.py without words: the mean of F over all orders",
        "chrF++.py -nw 0 (m-popovic/chrF 6d3c384)",
        _RECORDED,
        _POPOVIC,
    ),
    Dialect(
        "chrf++-popovic",
        "Popović's chrF++.py: the mean of F over all orders of characters and words",
        "chrF++.py (m-popovic/chrF 6d3c384)",
        _RECORDED,
        {**_POPOVIC, "word_order": 2},
    ),
    Dialect(
        "nltk-chrf",
        "NLTK's sentence_chrf: recall weighs three times; one segment only",
        "NLTK 3.10.4, sentence_chrf",
        _TWELVE_DIGITS,
        {
            "beta": 3.0,
            "whitespace": "removed-unicode",
            "candidate_totals": "always",
            "averaging": EACH_ORDER_NLTK,
        },
        TRIED_RELEASES["nltk"],
    ),
    Dialect(
        "torchmetrics-chrf",
        "torchmetrics' CHRFScore, which counts words, too; references of unmatched segments are lost",
        "torchmetrics 1.9.0, CHRFScore and chrf_score",
        _FLOAT32,
        {
            "word_order": 2,
            "whitespace": "spaces-removed",
            "candidate_totals": "always",
            "unmatched_segment": "reference-dropped",
            "averaging": EACH_ORDER,
        },
        TRIED_RELEASES["torchmetrics"],
    ),
)
