"""Sentences that every view shows alike, whatever the metric; those of one metric are in ``explanations``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import TypeVar

from bleuprint.findings.reconciliation.results import Cause, signed
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.tokenizers.registry import find_summary
from bleuprint.wording import join_words

Numbered = TypeVar("Numbered", bound=Hashable)


def choice_phrase(recipe: Recipe, field: str) -> str:
    """Say what a recipe's choice on an axis means."""
    if field == "tokenizer":
        return find_summary(recipe.tokenizer) or "registered by a program"
    if field == "weights":
        return f"N = {recipe.order}"
    axis = recipe.metric.axes[field]
    if axis.kinds:
        return axis.kinds[getattr(recipe, field).kind][1]
    return axis.choices.get(recipe.choice(field), axis.title)


def left_out_phrase(numbers: Sequence[int]) -> str:
    """Say which references are blank and therefore none."""
    which = join_words(map(str, numbers))
    if len(numbers) == 1:
        return f"Reference {which} is blank and left out."
    return f"References {which} are blank and left out."


def recipe_name(score: AnyScore) -> str:
    """Name the dialects of a score's recipe, or say that it has no name."""
    return ", ".join(score.recipe.names) or "a recipe of its own"


def cause_phrase(cause: Cause) -> str:
    """Say what one segment did: its share, and the n-grams that came and went."""
    parts = [f"segment {cause.segment + 1} alone: {signed(cause.points)}"]
    if cause.remark:
        parts.append(cause.remark)
    if cause.gained:
        parts.append(f"now matching: {' · '.join(cause.gained)}")
    if cause.lost:
        parts.append(f"no longer: {' · '.join(cause.lost)}")
    return "; ".join(parts)


def number_alike(*texts: Iterable[Numbered]) -> dict[Numbered, int]:
    """Number what is different in some texts, in the order of first appearance.

    >>> number_alike("aba", "cb")
    {'a': 0, 'b': 1, 'c': 2}
    """
    return {token: number for number, token in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
