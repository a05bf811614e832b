"""The axes: every choice that can change a digit of a TER score, with its possible values and what they mean."""

from __future__ import annotations

from bleuprint.recipes.axis import CASE, Axis

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
