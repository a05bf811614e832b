"""The axes: every choice that can change a digit of a chrF score, with its possible values and what they mean.

One list for the recipe, its signature, the flags of the command line, the documentation and the page.
"""

from __future__ import annotations

from bleuprint.recipes.axis import CASE, Axis

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
