"""What if: the same texts under small changes of the recipe, and the candidate with one token left out or changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from bleuprint.errors import Location, RecipeError, ShapeError
from bleuprint.findings.reconciliation.results import signed
from bleuprint.metrics import module_of
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.html import render_part
from bleuprint.render.phrases import number_alike
from bleuprint.scoring.verbs import score_recipes, score_sentence
from bleuprint.text.tokenizers.spans import Span
from bleuprint.web.requests import (
    Answer,
    Boxes,
    Request,
    is_optional,
    is_text,
    is_whole,
    read,
    read_recipe,
    read_segment,
    unexpected,
)

_CASES = ("case", {"mixed": "as it is", "lower": "lower"})
TRIED: Mapping[str, Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "bleu": {
        "order": ("N", {str(order): str(order) for order in range(1, 5)}),
        "smoothing": ("ε", {"none": "none", "epsilon(0.1)": "0.1"}),
        "case": _CASES,
    },
    "chrf": {
        "char_order": ("characters up to", {"1": "1", "3": "3", "6": "6"}),
        "word_order": ("words up to", {"0": "0", "1": "1", "2": "2"}),
        "beta": ("β", {"1": "1", "2": "2", "3": "3"}),
        "case": _CASES,
    },
    "ter": {
        "case": _CASES,
        "punctuation": ("punctuation", {"keep": "kept", "remove": "removed"}),
        "normalized": ("normalised", {"no": "no", "yes": "yes"}),
    },
}
"""The choices worth trying on a text, by metric and axis, with a label of each; ``order`` stands for weights."""
MOST_TRIED = {"bleu": 100_000, "chrf": 10_000, "ter": 1_000}
"""How many characters texts may have, as each choice costs another score."""


class Trial(NamedTuple):
    """One choice that can be tried, and what it would give."""

    field: str
    choice: str
    label: str
    printed: str
    change: str
    chosen: bool


def show_trials(request: Request) -> Answer:
    """Show what some other choices would give for the same texts, and the words that can be left out or changed."""
    boxes, recipe = read_segment(request), read_recipe(request)
    length, most = sum(map(len, (boxes.candidate, *boxes.references))), MOST_TRIED[recipe.metric.key]
    if length > most:
        return {"html": render_part("what_if_long", length=length, most=most, metric=recipe.metric)}
    offered, changed = TRIED[recipe.metric.key], {}
    for field, (_, labels) in offered.items():
        for choice in labels:
            with suppress(RecipeError):  # this recipe cannot have the choice
                changed[field, choice] = read_recipe({"recipe": {"base": str(recipe), field: choice}})
    given, *tried = score_recipes([boxes.candidate], [boxes.references], [recipe, *changed.values()])
    trials = {
        key: Trial(*key, offered[key[0]][1][key[1]], score.printed, _points(given, score), score.recipe == recipe)
        for key, score in zip(changed, tried, strict=True)
    }
    groups = [
        (title, [trials[field, choice] for choice in labels if (field, choice) in trials])
        for field, (title, labels) in offered.items()
    ]
    words = [] if _has_tokens(recipe) else re.findall(r"\S+", boxes.candidate)
    return {
        "html": render_part("what_if", groups=groups, candidate_words=words, word_numbers=_number(words, boxes, recipe))
    }


def _number(words: Sequence[str], boxes: Boxes, recipe: Recipe) -> list[int]:
    """Return the numbers that words have where they are aligned; none if the candidate is split otherwise."""
    own = _split(boxes.candidate, recipe)
    numbers = number_alike(own)
    return [numbers[word] for word in own] if len(own) == len(words) else []


def _points(before: AnyScore, now: AnyScore) -> str:
    return "" if before.tool_stops or now.tool_stops else signed(now.score - before.score)


def describe_change(now: AnyScore, earlier: object) -> str:
    """Compare a score with that of an earlier form."""
    if not isinstance(earlier, Mapping):
        raise unexpected("before", earlier)
    boxes = read_segment(earlier)
    before = score_sentence(boxes.candidate, boxes.references, read_recipe(earlier))
    points = _points(before, now) if before.metric is now.metric else ""
    return f"{before.label} {before.printed} → {now.label} {now.printed}{f' ({points})' if points else ''}"


def edit_candidate(request: Request) -> Answer:
    """Return the candidate without one token, or with another text in its place. Line breaks are kept."""
    boxes, recipe = read_segment(request), read_recipe(request)
    text = str(request["candidate"]).replace("\r\n", "\n")  # each of its characters has one in the text that is split
    spans = _locate(boxes.candidate, recipe)
    place, to = read(request, "place", is_whole(0, len(spans) - 1)), read(request, "to", is_optional(is_text))
    span = spans[place]
    if span is None:
        location = Location("candidate", token=place)
        raise ShapeError("The tokenizer made this token.", "Change the text in its box.", location=location)
    start, end = span
    token = text[start:end]
    if to:
        return {"candidate": text[:start] + to + text[end:], "step": f"“{token}” as “{to}”"}
    start, end = _with_space(text, start, end)
    return {"candidate": text[:start] + text[end:], "step": f"without “{token}”"}


def _locate(text: str, recipe: Recipe) -> Sequence[Span | None]:
    """Find the tokens of a text, or what stands between its white space where the metric has none."""
    if not _has_tokens(recipe):
        return [found.span() for found in re.finditer(r"\S+", text)]
    spans: Sequence[Span | None] = module_of(recipe.metric, "explain").locate(text, _split(text, recipe), recipe)
    return spans


def _split(text: str, recipe: Recipe) -> Sequence[str]:
    tokens: Sequence[str] = module_of(recipe.metric, "explain").shown_tokens(recipe.metric.split(text, recipe.layout))
    return tokens


def _has_tokens(recipe: Recipe) -> bool:
    """Return whether the texts that the page shows are split into tokens."""
    return "tokenizer" in recipe.metric.axes


def _with_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with the space before a token, or else with the one after it."""
    before, after = text[:start][-1:], text[end : end + 1]
    if before.isspace() and (after.isspace() or not after):
        return start - 1, end
    return (start, end + 1) if not before and after.isspace() else (start, end)
