"""One segment: explain it, show its n-grams, compare named recipes, export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.findings.explanation import Explanation
from bleuprint.findings.reconciliation import Workshop
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import list_metrics
from bleuprint.render import render
from bleuprint.render.html import render_part
from bleuprint.scoring.verbs import pair_for, score_sentence
from bleuprint.web.costs import check_explanation, measure_texts
from bleuprint.web.requests import (
    Answer,
    Boxes,
    Request,
    describe_recipe,
    is_optional,
    is_whole,
    read,
    read_name,
    read_recipe,
    read_segment,
    unexpected,
)
from bleuprint.web.what_if import describe_change
from bleuprint.wording import count_of

NGRAM_PAGE = 50
"""N-grams on one page of a table."""
FIRST_TOKENS = 1500
"""Tokens of a text that are shown until more are asked for."""
MOST_AT_ONCE = 500
"""Characters of all texts together for which dialects of every metric are scored without being asked for: what follows
each key must be quick, and Python takes seconds for the TER of a thousand."""


def explain_segment(request: Request) -> Answer:
    """Return the headline with its notes, and the summary below the texts.

    ``change`` compares the score with that of the form ``before``, if there is one. ``lengths`` has an entry for every
    box, which is None for a blank reference.
    """
    boxes = read_segment(request)
    explanation = _explain(boxes, request)
    recipe = explanation.score.recipe
    candidate, *references = (
        _describe_length(length, recipe.metric.length_unit)
        for length in measure_texts(boxes.candidate, boxes.references, recipe)
    )
    earlier = request.get("before")
    return {
        **describe_recipe(recipe),
        "change": "" if earlier is None else describe_change(explanation.score, earlier),
        "headline": f"{explanation.score.label} {explanation.score.printed}",
        "html": render_part("result", explanation, brief=True, left_out=boxes.left_out),
        "summary": render_part("summary", explanation),
        "lengths": {"candidate": candidate, "references": _by_box(boxes, references)},
    }


def show_details(request: Request) -> Answer:
    """Return the derivation, the highlighted texts and the first page of every n-gram table."""
    boxes = read_segment(request)
    explanation, numbers = check_explanation(_explain(boxes, request)), list(boxes.numbered)
    most_tokens = None if request.get("all_tokens") is True else FIRST_TOKENS
    shade = read(request, "shade_order", is_optional(is_whole(1, explanation.score.recipe.order)))
    shown = {"most_tokens": most_tokens, "shade_order": shade, "live": True}
    return {
        "html": {
            "derivation": render_part("derivation", explanation, numbers=numbers),
            "texts": render_part("texts", explanation, numbers=numbers, **shown),
            "ngrams": render_part("ngrams", explanation, numbers=numbers, most_ngrams=NGRAM_PAGE, paged=True),
        }
    }


def show_ngrams(request: Request) -> Answer:
    """Return one page of one order's n-gram table: by its number, or the page with the n-gram at a ``place``."""
    boxes = read_segment(request)
    explanation = check_explanation(_explain(boxes, request))
    evidence: Any = explanation.evidence
    if not hasattr(evidence, "find_ngram"):
        raise unexpected("order_shown", request.get("order_shown"))
    order = read(request, "order_shown", is_whole(1, explanation.score.stats.order))
    page = _find_page(evidence, order, request) if "place" in request else read(request, "page", is_whole())
    shown = {"order": order, "page": page, "most_ngrams": NGRAM_PAGE, "paged": True, "numbers": list(boxes.numbered)}
    return {"html": render_part("ngram_page", explanation, **shown)}


def _find_page(evidence: Any, order: int, request: Request) -> int:
    """Return the page with the n-gram that starts at a place of a text, which is named as on the page."""
    names = ["candidate", *(f"reference-{number}" for number in range(len(evidence.references)))]
    side, place = names.index(read_name(request, "side", names)), request.get("place")
    number: int | None = evidence.find_ngram(order, side, place)
    if number is None:
        raise unexpected("place", place)
    return number // NGRAM_PAGE


def compare_dialects(request: Request) -> Answer:
    """Score the same texts by every named recipe of the chosen metric, and of the others if the request wants them.

    By default the others come if the texts are short.
    """
    chosen, boxes = read_recipe(request).metric, read_segment(request)
    others = [
        metric for metric in list_metrics() if metric is not chosen and len(boxes.references) <= metric.most_references
    ]
    unable = [metric for metric in list_metrics() if not len(boxes.references) <= metric.most_references]
    length = sum(map(len, [boxes.candidate, *boxes.references]))
    waiting = [] if request.get("all_metrics", length <= MOST_AT_ONCE) is True else others
    shown = [chosen, *(metric for metric in others if metric not in waiting)]
    parts = [_show_dialects(boxes, metric) for metric in shown]
    return {
        "html": "".join(
            [*parts, render_part("other_metrics", waiting=waiting, unable=unable, are_long=length > MOST_AT_ONCE)]
        )
    }


def read_one(request: Request) -> Answer:
    """Read the boxes as a corpus of one segment, for the modes that take either."""
    boxes = read_segment(request)
    return {
        "segments": [[boxes.candidate, boxes.references]],
        "documents": None,
        "left_out": boxes.left_out,
        "chunk": 1,
    }


def export_segment(request: Request, form: str) -> str:
    """Write the explanation."""
    return render(check_explanation(_explain(read_segment(request), request)), form)


def _explain(boxes: Boxes, request: Request) -> Explanation:
    return Explanation(score_sentence(boxes.candidate, boxes.references, read_recipe(request)))


def _describe_length(length: int, unit: str) -> str:
    """Return how long a text is. The boxes show all characters, so those that count are named."""
    counted = count_of(length, unit.removesuffix("s"))
    return f"{counted} counted" if unit == "characters" else counted


def _by_box(boxes: Boxes, values: Sequence[str]) -> list[str | None]:
    """Return a value for each box of a reference, None for a blank one."""
    known = dict(zip(boxes.numbered, values, strict=True))
    return [known.get(number) for number in range(1, len(boxes.numbered) + len(boxes.left_out) + 1)]


def _show_dialects(boxes: Boxes, metric: Metric) -> str:
    recipes = Recipe.dialects(metric.key)
    segments = pair_for([boxes.candidate], [boxes.references], list(recipes.values()))
    workshop = Workshop(segments, list(recipes.values()))
    scores = {name: workshop.score(recipe) for name, recipe in recipes.items()}
    groups = workshop.group_dialects(metric.key, tell=False)
    return render_part("dialects", scores=scores, groups=groups, metric=metric)
