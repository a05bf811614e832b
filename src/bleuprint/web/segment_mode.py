"""What the page does with one segment: explain it, show its n-grams, compare dialects, export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bleuprint.errors import InputTypeError, quote
from bleuprint.findings.explanation import Explanation
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC, find_metric
from bleuprint.render import csv, markdown
from bleuprint.render.explanations.bleu.phrases import evidence_of
from bleuprint.render.html import render_part
from bleuprint.render.json import render_json
from bleuprint.scoring.verbs import score_recipes, score_sentence
from bleuprint.web.costs import check_explanation
from bleuprint.web.export import make_file
from bleuprint.web.requests import Boxes, describe_recipe, read_recipe, read_segment

NGRAM_PAGE = 50
"""N-grams on one page of a table."""
FIRST_TOKENS = 1500
"""Tokens of a text that are shown until more are asked for."""


def explain_segment(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the headline: score, rating, table of precisions, notes, where the points went.

    ``tokens`` has an entry for every box; that of a blank reference, which is left out, is None.
    """
    boxes = read_segment(request)
    explanation = _explain(boxes, request)
    evidence = evidence_of(explanation)
    assert evidence is not None  # a segment with its texts always has evidence
    return {
        **describe_recipe(explanation.score.recipe),
        "html": render_part("result", explanation, left_out=boxes.left_out),
        "tokens": {
            "candidate": len(evidence.candidate_tokens),
            "references": _by_box(boxes, [len(tokens) for tokens in evidence.reference_tokens]),
        },
    }


def show_details(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the derivation, the highlighted texts and the first page of every n-gram table."""
    boxes = read_segment(request)
    explanation, numbers = check_explanation(_explain(boxes, request)), list(boxes.numbered)
    most_tokens = None if request.get("all_tokens") is True else FIRST_TOKENS
    return {
        "html": {
            "derivation": render_part("derivation", explanation, numbers=numbers),
            "texts": render_part("texts", explanation, numbers=numbers, most_tokens=most_tokens),
            "ngrams": render_part("ngrams", explanation, numbers=numbers, most_ngrams=NGRAM_PAGE, paged=True),
        }
    }


def show_ngrams(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give one page of one order's n-gram table."""
    boxes = read_segment(request)
    explanation = check_explanation(_explain(boxes, request))
    order, page = request.get("order_shown"), request.get("page")
    if type(order) is not int or type(page) is not int or not 1 <= order <= explanation.score.stats.order or page < 0:
        raise InputTypeError(
            where="n-gram table", wanted="an order and a page", got=quote((order, page)), next_step="Reload the page."
        )
    shown = {
        "order": order,
        "page": page,
        "most_ngrams": NGRAM_PAGE,
        "paged": True,
        "numbers": list(boxes.numbered),
    }
    return {"html": render_part("ngram_page", explanation, **shown)}


def compare_dialects(request: Mapping[str, Any]) -> dict[str, Any]:
    """Score the same texts by every dialect."""
    return {"html": render_part("dialects", scores=_score_dialects(request), dialects=find_metric().dialects)}


def read_one(request: Mapping[str, Any]) -> dict[str, Any]:
    """Read the boxes as a corpus of one segment, for the modes that take either."""
    boxes = read_segment(request)
    return {"segments": [[boxes.candidate, boxes.references]], "documents": None, "left_out": boxes.left_out}


def export_segment(request: Mapping[str, Any]) -> dict[str, Any]:
    """Give the explanation as a file: JSON, CSV or Markdown."""
    explanation = check_explanation(_explain(read_segment(request), request))
    writers = {
        "json": lambda: render_json(explanation.to_dict()),
        "csv": lambda: csv.render_explanation(explanation),
        "markdown": lambda: markdown.render_explanation(explanation),
    }
    return make_file(request, "bleuprint", writers)


def _explain(boxes: Boxes, request: Mapping[str, Any]) -> Explanation:
    return Explanation(score_sentence(boxes.candidate, boxes.references, read_recipe(request)))


def _by_box(boxes: Boxes, values: Sequence[int]) -> list[int | None]:
    """Put what was found for the references to their boxes."""
    known = dict(zip(boxes.numbered, values, strict=True))
    return [known.get(number) for number in range(1, len(boxes.numbered) + len(boxes.left_out) + 1)]


def _score_dialects(request: Mapping[str, Any]) -> dict[str, AnyScore]:
    boxes = read_segment(request)
    recipes = Recipe.dialects(DEFAULT_METRIC)
    scores = score_recipes([boxes.candidate], [boxes.references], list(recipes.values()))
    return dict(zip(recipes, scores, strict=True))
