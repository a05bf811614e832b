"""The usual mistakes in working BLEU out by hand, each with what happened and what to do instead."""

from __future__ import annotations

from enum import Enum

_CLOSEST = "r is the length of the reference that is closest to the candidate's."


class Mistake(Enum):
    """A usual mistake; ``happened`` and ``remedy`` say it in words, the value names it in data."""

    NO_CLIPPING = "no-clipping"
    SUMMED_CLIPPING = "summed-clipping"
    LONGEST_REFERENCE = "longest-reference"
    SHORTEST_REFERENCE = "shortest-reference"
    MEAN_REFERENCE = "mean-reference"
    BREVITY_INVERTED = "brevity-inverted"
    NO_BREVITY = "no-brevity"
    ARITHMETIC_MEAN = "arithmetic-mean"
    PRECISIONS_ADDED = "precisions-added"
    NO_ROOT = "no-root"
    MISCOUNTED = "miscounted"
    TOKENS_AS_TOTALS = "tokens-as-totals"
    MEAN_OF_SEGMENTS = "mean-of-segments"
    NO_SMOOTHING = "no-smoothing"
    NO_PERCENT_SIGN = "no-percent-sign"
    CUT_OFF = "cut-off"

    @property
    def happened(self) -> str:
        """What gives such a number, as the end of a sentence."""
        return _WORDS[self][0]

    @property
    def remedy(self) -> str:
        """What to do instead, as a sentence."""
        return _WORDS[self][1]


_WORDS = {
    Mistake.NO_CLIPPING: (
        "n-grams are counted without clipping",
        "An n-gram counts at most as often as in the reference where it is most frequent.",
    ),
    Mistake.SUMMED_CLIPPING: (
        "n-grams are clipped against the sum of all references",
        "Clip each n-gram against the one reference where it is most frequent.",
    ),
    Mistake.LONGEST_REFERENCE: ("the longest reference gives r", _CLOSEST),
    Mistake.SHORTEST_REFERENCE: ("the shortest reference gives r", _CLOSEST),
    Mistake.MEAN_REFERENCE: ("the mean length of the references is taken for r", _CLOSEST),
    Mistake.BREVITY_INVERTED: (
        "the brevity penalty is turned round: c and r have changed places",
        "BP is 1 where c is at least r, else e to the power of 1 − r/c.",
    ),
    Mistake.NO_BREVITY: (
        "the brevity penalty is left out",
        "The candidate is shorter than r: BP is e to the power of 1 − r/c, and BLEU is multiplied by it.",
    ),
    Mistake.ARITHMETIC_MEAN: (
        "the arithmetic mean of the precisions is taken",
        "BLEU takes the geometric mean: the N-th root of their product.",
    ),
    Mistake.PRECISIONS_ADDED: (
        "the precisions, or their percentages, are added",
        "BLEU takes the geometric mean: the N-th root of their product.",
    ),
    Mistake.NO_ROOT: ("the precisions are multiplied and no root is taken", "Take the N-th root of the product."),
    Mistake.MISCOUNTED: ("tokens are miscounted by one", "Count again: c tokens have c − n + 1 n-grams."),
    Mistake.TOKENS_AS_TOTALS: (
        "matches are divided by the number of tokens",
        "Divide by the number of n-grams: c tokens have c − n + 1.",
    ),
    Mistake.MEAN_OF_SEGMENTS: (
        "each segment is worked out on its own and the mean is taken",
        "Sum matches, n-grams and lengths over all segments first, and divide then.",
    ),
    Mistake.NO_SMOOTHING: (
        "the order without a match is not smoothed",
        "The exercise says what such an order counts for instead of 0.",
    ),
    Mistake.NO_PERCENT_SIGN: ("the percent sign is missing", "Write it, or a number from 0 to 1."),
    Mistake.CUT_OFF: ("digits are cut off instead of rounded", "Round the last digit."),
}
