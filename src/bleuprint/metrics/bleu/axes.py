"""The axes: every choice that can change a digit of a BLEU score, with its possible values and what they mean.

One list for the recipe, its signature, the flags of the command line, the documentation and the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bleuprint.errors import Argument, Place, RecipeError, name_list, nearest, quote
from bleuprint.recipes.axis import CASE, Axis
from bleuprint.recipes.numbers import parse_number, print_number, to_float
from bleuprint.values import Value, keep

SMOOTHINGS: Mapping[str, tuple[float | None, str]] = {
    "none": (None, "precisions stay as counted"),
    "epsilon": (0.1, "an order without a match gets value / max(1, total), absent orders too"),
    "floor": (0.1, "an order without a match gets value / total; absent orders are left alone"),
    "add-k": (1.0, "value is added to matches and totals from order 2 on"),
    "add-k-all": (1.0, "value is added to matches and totals of every order"),
    "coco": (None, "1e-15 is added to the matches and 1e-9 to the totals of every order"),
    "exp": (None, "the t-th order without a match gets 1 / (2^t total); absent orders are left alone"),
    "nltk-method4": (5.0, "the t-th order without a match gets ln(candidate length) / (2^t value total)"),
    "nltk-method5": (None, "each order becomes the mean of itself and its neighbours; one segment only"),
    "nltk-method6": (5.0, "from order 3 on, value n-grams are added at the precision to be expected; one segment only"),
    "nltk-method7": (5.0, "nltk-method4, then nltk-method5; one segment only"),
}
AXES = {
    axis.field: axis
    for axis in (
        Axis("tokenizer", "tok", "how a text becomes tokens"),
        CASE,
        Axis("weights", "weights", "the weight of each order, hence the highest order N"),
        Axis("smoothing", "smooth", "what becomes of an order without a match", kinds=SMOOTHINGS),
        Axis(
            "reference_length",
            "ref",
            "which reference gives a segment its length",
            {
                "closest": "the closest to the candidate, the shorter one on a tie",
                "closest-first": "the closest to the candidate, the first listed on a tie",
                "shortest": "the shortest",
            },
        ),
        Axis(
            "segment_totals",
            "totals",
            "how many n-grams a segment shorter than n counts for",
            {"exact": "none", "at-least-1": "one, at every order"},
        ),
        Axis(
            "absent_order",
            "absent",
            "an order of which the candidates have no n-grams at all",
            {
                "zero": "the score is 0",
                "drop": "the order is left out and its weight shared among the others (effective order)",
                "one": "its precision counts as 1",
            },
        ),
        Axis(
            "unmatched_order",
            "unmatched",
            "an order without a match that smoothing left alone",
            {
                "zero": "the score is 0",
                "smallest-float": "its precision becomes 2.2250738585072014e-308",
                "smallest-float-over-total": "its precision becomes 2.2250738585072014e-308 / total",
                "skip": "it is skipped, which counts it as precision 1",
            },
        ),
        Axis(
            "nothing_matches",
            "nomatch",
            "when the score is 0 before any smoothing",
            {
                "zero": "when no order has a match",
                "zero-if-any": "when any order has no match",
                "smoothed": "never, smoothing acts all the same",
                "smoothed-empty": "never, not even where a text is empty",
            },
        ),
        Axis(
            "brevity",
            "brevity",
            "what a candidate shorter than its reference loses",
            {
                "exact": "the factor exp(1 - r/c)",
                "plus-1": "the same with both lengths one token longer; one segment only",
                "coco": "the factor exp(1 - (r + 1e-9) / (c + 1e-15)), at equal lengths, too",
            },
            unsaid="exact",
        ),
        Axis(
            "across_orders",
            "across",
            "how the orders up to N become one number",
            {"together": "by one geometric mean: BLEU-N", "mean": "by the arithmetic mean of BLEU-1 to BLEU-N"},
            unsaid="together",
        ),
    )
}

ONE_SEGMENT_ONLY = ("nltk-method5", "nltk-method6", "nltk-method7")
"""On a corpus NLTK takes these from its last segment, so no sums of statistics give them."""
COCO_MATCHES, COCO_TOTALS = 1e-15, 1e-9
"""What pycocoevalcap adds to matches and the candidate's length, and to totals and the reference's length."""
NEIGHBOUR = 5
"""The order that nltk-method5 takes for the neighbour of the last, whatever N is."""


_SMOOTHING = Place(Argument.RECIPE, axis="smoothing")
HIGHEST_VALUE = 1_000_000
LOWEST_K = 1e-6
"""NLTK's methods 4 and 7 divide by their value; with this one, weights in bounds and any length a score is finite."""


class Smoothing(Value):
    """A smoothing rule with its value; prints as ``epsilon(0.1)`` and reads that back."""

    __match_args__ = ("kind", "value")
    __slots__ = __match_args__
    kind: str
    value: float | None

    def __init__(self, kind: str = "none", value: float | None = None) -> None:
        if not isinstance(kind, str) or kind not in SMOOTHINGS:
            raise RecipeError(
                where=_SMOOTHING,
                wanted=name_list(SMOOTHINGS),
                got=quote(kind),
                suggestion=nearest(kind, SMOOTHINGS),
                next_step="A value goes in brackets: epsilon(0.1).",
            )
        keep(self, "kind", kind)
        keep(self, "value", SMOOTHINGS[kind][0] if value is None else _checked_value(kind, value))

    def __str__(self) -> str:
        return self.kind if self.value is None else f"{self.kind}({print_number(self.value)})"

    @classmethod
    def parse(cls, text: str) -> Smoothing:
        """Read ``exp``, ``epsilon`` (with its usual value) or ``epsilon(0.1)``."""
        match = re.fullmatch(r"([a-z0-9-]+)(?:\(([^()]+)\))?", text.strip()) if isinstance(text, str) else None
        if match is None:
            raise RecipeError(
                where=_SMOOTHING,
                wanted="a name, with a value in brackets where it has one",
                got=quote(text),
                next_step="For example: none, exp, epsilon(0.1), floor(0.1), add-k(1).",
            )
        kind, written = match.groups()
        value = None if written is None else parse_number(written, _SMOOTHING)
        try:
            return cls(kind, value)
        except RecipeError as error:
            raise error.reworded(got=quote(text)) from None


def _checked_value(kind: str, value: object) -> float:
    default = SMOOTHINGS[kind][0]
    highest = 1 if kind in ("epsilon", "floor") else HIGHEST_VALUE
    lowest = LOWEST_K if kind in ("nltk-method4", "nltk-method7") else 0
    number = to_float(value)
    if default is None or number is None or not lowest <= number <= highest or not number:
        numbers = f"a number from {lowest:f} to {highest:,}" if lowest else f"a number above 0 and up to {highest:,}"
        raise RecipeError(
            where=_SMOOTHING,
            wanted=f"{kind} without a value" if default is None else f"{kind} with {numbers}",
            got=quote(value),
            next_step=f"Write {kind!r} alone." if default is None else f"Usual is {kind}({default:g}).",
        )
    return number
