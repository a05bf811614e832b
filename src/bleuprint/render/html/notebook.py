"""What notebooks show: every result with styles of its own, in the colours of the notebook."""

from __future__ import annotations

import math

from bleuprint.findings.explanation import Explanation
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.html import HtmlResult, environment, render_part, render_result
from bleuprint.render.html.styles import notebook_stylesheet
from bleuprint.render.phrases import choice_phrase
from bleuprint.render.results import arrange_segments
from bleuprint.scoring.verbs import SegmentScores
from bleuprint.wording import format_score

SEGMENTS_SHOWN = 100
"""Rows of segments that a notebook shows; more make it slow, and nobody reads them there."""


def render_notebook(result: HtmlResult | AnyScore | Recipe | SegmentScores) -> str:
    """Render a result with its styles, as notebooks show it."""
    return f"<style>{notebook_stylesheet()}</style>{_render(result)}"


def _render(result: HtmlResult | AnyScore | Recipe | SegmentScores) -> str:
    if isinstance(result, AnyScore):
        explanation = Explanation(result)
        parts = render_part("result", explanation, brief=True), render_part("signature", explanation)
        return f'<article class="bp-explanation">{"".join(parts)}</article>'
    if isinstance(result, Recipe):
        choices = [
            (axis, result.choice(name), choice_phrase(result, name)) for name, axis in result.metric.axes.items()
        ]
        return _put("recipe", recipe=result, choices=choices)
    if isinstance(result, SegmentScores):
        return _render_segments(result)
    return render_result(result)


def _render_segments(scores: SegmentScores) -> str:
    table = arrange_segments(scores, most=SEGMENTS_SHOWN)
    mean = format_score(math.fsum(scores.scores) / len(scores))
    return _put("segment_scores", scores=scores, table=table, mean=mean, hidden=len(scores) - len(table.rows))


def _put(name: str, **context: object) -> str:
    body = environment().get_template(f"{name}.html").render(context)
    return f'<article class="bp-explanation">{body}</article>'
