"""What explaining costs, estimated from sizes before it is done: lengths, orders and references.

Every n-gram of an explanation becomes an object, for its tokens, its counts and its places in each reference. The bytes
below were measured on explanations as JSON, the largest form. ``docs/page.md`` lists the limits that follow.
"""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.errors import Location, ShapeError
from bleuprint.findings.explanation import Explanation
from bleuprint.metrics import module_of
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segment, Text
from bleuprint.web.limits import MOST_EXPLAINED_BYTES
from bleuprint.wording import join_words

_PER_NGRAM, _PER_REFERENCE, _PER_ORDER = 1000, 75, 14
_PER_SEGMENT, _PER_SEGMENT_AND_ORDER = 600, 40
"""A segment in the table of a corpus."""


def check_explanation(explanation: Explanation) -> Explanation:
    """Return the explanation, or raise an error if it would take more memory than one may."""
    recipe, evidence = explanation.score.recipe, explanation.evidence
    order, metric = recipe.order, recipe.metric
    if evidence is not None:
        count = len(evidence.references)
        given, unit = sum(measure_texts(evidence.candidate, evidence.references, recipe)), metric.length_unit
        cost = order * (_PER_NGRAM + _PER_REFERENCE * count + _PER_ORDER * order)
        remedies = ["fewer references", "shorter texts"]
    elif explanation.segments is not None:
        given, unit = len(explanation.segments), "segments"
        cost, remedies = _PER_SEGMENT + _PER_SEGMENT_AND_ORDER * order, ["fewer segments"]
    else:
        return explanation
    if given * cost > MOST_EXPLAINED_BYTES:
        if metric.has_ngrams:
            remedies.insert(0, "lower orders" if metric.key == "chrf" else "a lower N")
        raise ShapeError(
            f"expected at most {MOST_EXPLAINED_BYTES // cost:,} {unit} together for {recipe.label}, got {given:,}.",
            f"Use {join_words(remedies, 'or')}. The command line has no such limit.",
            location=Location("explanation"),
        )
    return explanation


def measure_texts(candidate: Text, references: Iterable[Text], recipe: Recipe) -> list[int]:
    """Return how long a candidate and its references are, in the unit of the recipe's metric."""
    metric = recipe.metric
    shown_tokens = module_of(metric, "explain").shown_tokens
    own, others = metric.split_segment(Segment(candidate, tuple(references)), recipe.layout)
    return [len(shown_tokens(split)) for split in (own, *others)]
