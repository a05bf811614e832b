"""HTML: explanations through Jinja2 templates, for notebooks, documents and the page.

Templates use classes only and never inline styles, so that a strict content security policy can stay strict. Every
value is escaped by the template engine.
"""

from __future__ import annotations

import sys
from functools import cache
from operator import methodcaller

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bleuprint.findings.explanation import Explanation
from bleuprint.findings.identification.results import Identification, describe_scores
from bleuprint.findings.reconciliation.results import (
    DialectGroups,
    DialectsByMetric,
    Reconciliation,
    axis_name,
    signed,
)
from bleuprint.render import phrases
from bleuprint.render.explanations import find_module
from bleuprint.render.html.figures import plot_dots, stack_bars, waterfall
from bleuprint.render.html.styles import stylesheet
from bleuprint.text.shown_tokens import join_tokens, token_words
from bleuprint.wording import count_of, format_fraction, format_score

PAGE_OF_NGRAMS = 200
BREAKABLE = Markup("|<wbr>")
"""The bar after a part of a signature, which may go on in a new line there, once it is escaped."""
HtmlResult = Explanation | Reconciliation | DialectGroups | DialectsByMetric | Identification


@cache
def environment() -> Environment:
    """Prepare the template engine."""
    made = Environment(
        loader=PackageLoader("bleuprint.render.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"score": format_score, "fraction": format_fraction, "token": token_words, "tokens": join_tokens}
    made.filters |= {"capitalize_first": _capitalize_first, "breakable": methodcaller("replace", "|", BREAKABLE)}
    made.globals |= {"phrases": phrases, "count_of": count_of, "stack_bars": stack_bars}
    made.globals |= {
        "waterfall": waterfall,
        "plot_dots": plot_dots,
        "axis_name": axis_name,
        "signed": signed,
        "describe_scores": describe_scores,
    }
    return made


def _capitalize_first(text: str) -> str:
    """Begin a sentence, and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def render_explanation(explanation: Explanation, *, ngrams: int | None = PAGE_OF_NGRAMS) -> str:
    """Render an explanation as a part of a page, without styles; at most ``ngrams`` n-grams of each order."""
    parts = [
        "result",
        "derivation",
        *(["texts", *(["ngrams"] if ngrams != 0 else [])] if explanation.evidence else []),
        "signature",
    ]
    body = "".join(render_part(name, explanation, most_ngrams=ngrams) for name in parts)
    return f'<article class="bp-explanation">{body}</article>'


_DEFAULTS: dict[str, object] = {
    "brief": False,
    "paged": False,
    "live": False,
    "most_tokens": None,
    "most_readings": None,
    "shade_order": None,
    "left_out": (),
    "numbers": range(1, sys.maxsize),
}
"""What a part shows unless it is told otherwise; ``brief`` leaves out what the score is made of, ``numbers`` name the
references, ``left_out`` the blank ones; ``live`` says that it can be pointed at and switched, ``shade_order`` is the
one order whose n-grams shade the texts."""


def render_part(name: str, explanation: Explanation | None = None, **context: object) -> str:
    """Render one part by the name of its template: the metric's own of what is explained, or the common one."""
    context = {**_DEFAULTS, **context}
    if explanation is not None:
        context |= {
            "explanation": explanation,
            "score": explanation.score,
            "arithmetic": explanation.arithmetic,
            "evidence": explanation.evidence,
            "words": find_module(explanation, "phrases"),
        }
    own = [f"{explanation.score.metric.key}/{name}.html"] if explanation is not None else []
    return environment().select_template([*own, f"{name}.html"]).render(context)


def render_reconciliation(way: Reconciliation) -> str:
    """Render the way from one score to another as a part of a page, without styles."""
    return f'<article class="bp-explanation">{render_part("reconciliation", way=way)}</article>'


def render_identification(found: Identification) -> str:
    """Render what a reported number may be as a part of a page, without styles."""
    return f'<article class="bp-explanation">{render_part("identification", found=found)}</article>'


def render_groups(*grouped: DialectGroups) -> str:
    """Render all dialects of some metrics, grouped by equal scores, as a part of a page, without styles."""
    body = "".join(render_part("groups", groups=groups) for groups in grouped)
    return f'<article class="bp-explanation">{body}</article>'


def render_document(result: HtmlResult, *, ngrams: int | None = None) -> str:
    """Render a result as a complete document that needs nothing else."""
    return (
        environment()
        .get_template("document.html")
        .render(
            title=_title(result),
            style=Markup(stylesheet()),  # our own file, no text of a user's
            body=Markup(render_result(result, ngrams)),
        )
    )


def render_result(result: HtmlResult, ngrams: int | None = PAGE_OF_NGRAMS) -> str:
    """Render a result as a part of a page, whichever it is."""
    if isinstance(result, Reconciliation):
        return render_reconciliation(result)
    if isinstance(result, Identification):
        return render_identification(result)
    if isinstance(result, DialectsByMetric):
        return render_groups(*result.groups)
    return render_groups(result) if isinstance(result, DialectGroups) else render_explanation(result, ngrams=ngrams)


def _title(result: HtmlResult) -> str:
    if isinstance(result, Reconciliation):
        return f"From {result.start.printed} to {result.end.printed}"
    if isinstance(result, DialectGroups | DialectsByMetric):
        return "Every dialect"
    if isinstance(result, Identification):
        return result.question
    return f"{result.score.label} = {result.score.printed}"
