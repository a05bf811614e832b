"""The usual mistakes in computing BLEU by hand, each with what happened and what to do instead."""

from __future__ import annotations

from enum import Enum

_CLOSEST = "r is the length of the reference that is closest to the candidate's."


class Mistake(Enum):
    """A usual mistake: its name in data, what happened (the end of a sentence), and what to do instead."""

    happened: str
    remedy: str

    def __new__(cls, key: str, happened: str, remedy: str) -> Mistake:
        """Make the key the value."""
        made = object.__new__(cls)
        made._value_, made.happened, made.remedy = key, happened, remedy
        return made

    NO_CLIPPING = (
        "no-clipping",
        "n-grams are counted without clipping",
        "An n-gram counts at most as often as in the reference where it is most frequent.",
    )
    SUMMED_CLIPPING = (
        "summed-clipping",
        "n-grams are clipped against the sum of all references",
        "Clip each n-gram against the one reference where it is most frequent.",
    )
    LONGEST_REFERENCE = ("longest-reference", "the longest reference gives r", _CLOSEST)
    SHORTEST_REFERENCE = ("shortest-reference", "the shortest reference gives r", _CLOSEST)
    MEAN_REFERENCE = ("mean-reference", "the mean length of the references is taken for r", _CLOSEST)
    BREVITY_INVERTED = (
        "brevity-inverted",
        "the brevity penalty is turned round: c and r have changed places",
        "BP is 1 where c is at least r, else e to the power of 1 − r/c.",
    )
    NO_BREVITY = (
        "no-brevity",
        "the brevity penalty is left out",
        "The candidate is shorter than r: BP is e to the power of 1 − r/c, and BLEU is multiplied by it.",
    )
    ARITHMETIC_MEAN = (
        "arithmetic-mean",
        "the arithmetic mean of the precisions is taken",
        "BLEU takes the geometric mean: the N-th root of their product.",
    )
    PRECISIONS_ADDED = (
        "precisions-added",
        "the precisions, or their percentages, are added",
        "BLEU takes the geometric mean: the N-th root of their product.",
    )
    NO_ROOT = ("no-root", "the precisions are multiplied and no root is taken", "Take the N-th root of the product.")
    MISCOUNTED = ("miscounted", "tokens are miscounted by one", "Count again: c tokens have c − n + 1 n-grams.")
    TOKENS_AS_TOTALS = (
        "tokens-as-totals",
        "matches are divided by the number of tokens",
        "Divide by the number of n-grams: c tokens have c − n + 1.",
    )
    MEAN_OF_SEGMENTS = (
        "mean-of-segments",
        "each segment is worked out on its own and the mean is taken",
        "Sum matches, n-grams and lengths over all segments first, and divide then.",
    )
    NO_SMOOTHING = (
        "no-smoothing",
        "the order without a match is not smoothed",
        "The exercise says what such an order counts for instead of 0.",
    )
    NO_PERCENT_SIGN = ("no-percent-sign", "the percent sign is missing", "Write it, or a number from 0 to 1.")
    CUT_OFF = ("cut-off", "digits are cut off instead of rounded", "Round the last digit.")
