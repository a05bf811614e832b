"""Sentences that every view shows alike, whatever the metric; those of one metric are in ``explanations``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

from bleuprint.findings.explanation import Explanation
from bleuprint.findings.reconciliation.results import Cause, signed
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.blocks import Block, Column, Paragraph, Table
from bleuprint.text.tokenizers.registry import find_summary
from bleuprint.wording import count_of, format_score, join_words

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


_CORPUS = {
    "bleu": ("Counts are summed over {} and combined once.", "not BLEU"),
    "chrf": (
        "Counts are summed over {}, each against the reference that it scores best against, and combined once.",
        "another number",
    ),
    "ter": ("Edits and lengths are summed over {} and divided once.", "another number"),
}


def corpus_phrase(explanation: Explanation) -> str:
    """Distinguish the score of a corpus from the mean of segment scores; empty for a segment."""
    score, mean = explanation.score, explanation.mean_segment_score
    if mean is None:
        return ""
    summed, other = _CORPUS[score.metric.key]
    segments = count_of(score.census.segments, "segment")
    return f"{summed.format(segments)} The mean of the segments' own scores is {format_score(mean)}, which is {other}."


def list_ties(values: Sequence[float], chosen: int) -> list[str]:
    """List the numbers of the references with the value of the chosen one."""
    return [str(index + 1) for index, value in enumerate(values) if value == values[chosen] and index != chosen]


SHADES = ("default", "black on #d7eaf3", "black on #a6d3e6", "black on #6fb7d6", "black on #3d97c0")
"""How the terminal shades what matched, from nothing to the longest."""


def list_ngrams(
    columns: Sequence[Column], orders: Iterable[Sequence[tuple[int, int, Sequence[object]]]], most: int
) -> Iterator[Block]:
    """List the n-grams of each order: how often they occur, how often they match, and the cells of their row."""
    rows, styles, ends, hidden = list[list[str]](), dict[int, str](), list[int](), 0
    for ngrams in orders:
        hidden += len(ngrams[most:])
        for count, matches, cells in ngrams[:most]:
            styles[len(rows)] = "" if matches == count else "yellow" if matches else "dim"
            rows.append(list(map(str, cells)))
        ends.append(len(rows) - 1)
    yield Table(columns, rows, styles=styles, ends=ends)
    if hidden:
        yield Paragraph(f"{count_of(hidden, 'more n-gram')}: --ngrams all, or evidence.ngrams in Python", dim=True)
