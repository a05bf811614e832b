"""What explaining costs, estimated from sizes before it is done: lengths, orders and references.

Every n-gram of an explanation becomes an object, for its tokens, its counts and its places in each reference. The bytes
below were measured on explanations as JSON, the largest form. ``docs/page.md`` lists the limits that follow.
"""

from __future__ import annotations

from collections.abc import Iterable

from bleuprint.errors import Location, ShapeError
from bleuprint.findings.explanation import Explanation
from bleuprint.metrics import module_of
from bleuprint.metrics.chrf.recipe import ChrfRecipe
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segment, Text
from bleuprint.web.limits import MOST_EXPLAINED_BYTES
from bleuprint.wording import count_of, join_words

_PER_NGRAM, _PER_REFERENCE, _PER_ORDER = 1000, 75, 14
_PER_SEGMENT, _PER_SEGMENT_AND_ORDER = 600, 40
"""A segment in the table of a corpus."""


def check_explanation(explanation: Explanation) -> Explanation:
    """Refuse an explanation that would take more memory than one may; gives it back otherwise."""
    evidence = explanation.evidence
    if evidence is not None:
        _check_texts(evidence.candidate, evidence.references, explanation.score.recipe)
    elif explanation.segments is not None:
        _check_segments(len(explanation.segments), explanation.score.recipe)
    return explanation


def measure_texts(candidate: Text, references: Iterable[Text], recipe: Recipe) -> list[int]:
    """Tell how long a candidate and its references are, in what the recipe's metric measures them by."""
    metric = recipe.metric
    shown_tokens = module_of(metric, "explain").shown_tokens
    own, others = metric.split_segment(Segment(candidate, tuple(references)), recipe.layout)
    return [len(shown_tokens(split)) for split in (own, *others)]


def _check_texts(candidate: Text, references: tuple[Text, ...], recipe: Recipe) -> None:
    order, count, metric = recipe.order, len(references), recipe.metric
    length = sum(measure_texts(candidate, references, recipe))
    most = MOST_EXPLAINED_BYTES // (order * (_PER_NGRAM + _PER_REFERENCE * count + _PER_ORDER * order))
    if length > most:
        given = join_words([*_describe_orders(recipe), count_of(count, "reference")])
        raise _too_much(
            recipe, most, f"{metric.length_unit} together for {given}", length, "fewer references", "a shorter text"
        )


def _check_segments(segments: int, recipe: Recipe) -> None:
    most = MOST_EXPLAINED_BYTES // (_PER_SEGMENT + _PER_SEGMENT_AND_ORDER * recipe.order)
    if segments > most:
        orders = "".join(f" for {words}" for words in _describe_orders(recipe))
        raise _too_much(recipe, most, f"segments{orders}", segments, "fewer segments")


def _too_much(recipe: Recipe, most: int, unit: str, given: int, *remedies: str) -> ShapeError:
    lower = [] if not recipe.metric.has_ngrams else ["lower orders" if recipe.metric.key == "chrf" else "a lower N"]
    return ShapeError(
        f"expected at most {most:,} {unit}, got {given:,}.",
        f"Use {join_words([*lower, *remedies], 'or')}. The command line has no such limit.",
        location=Location("explanation"),
    )


def _describe_orders(recipe: Recipe) -> list[str]:
    """Name the orders of n-grams, if the metric counts any."""
    if isinstance(recipe, ChrfRecipe):
        words = f" and {count_of(recipe.word_order, 'word')}" if recipe.word_order else ""
        return [f"n-grams of up to {count_of(recipe.char_order, 'character')}{words}"]
    return [f"N = {recipe.order}"] if recipe.metric.has_ngrams else []
