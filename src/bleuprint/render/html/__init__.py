"""HTML: explanations through Jinja2 templates, for notebooks, documents and the page.

Templates use classes only and never inline styles, so that a strict content security policy can stay strict. Every
value is escaped by the template engine.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from functools import cache
from operator import methodcaller
from typing import TYPE_CHECKING, TypeAlias

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
from bleuprint.render.explanation import find_module
from bleuprint.render.html.figures import plot_dots, stack_bars, waterfall
from bleuprint.render.html.styles import stylesheet
from bleuprint.text.shown_tokens import join_tokens, token_words
from bleuprint.wording import count_of, format_fraction, format_score

if TYPE_CHECKING:
    from bleuprint.lessons.exercises import Exercise

PAGE_OF_NGRAMS = 200
BREAKABLE = Markup("|<wbr>")
"""The bar after a part of a signature, which may go on in a new line there, once it is escaped."""
HtmlResult: TypeAlias = "Explanation | Reconciliation | DialectGroups | DialectsByMetric | Identification | Exercise"


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
    made.filters |= {
        "score": format_score,
        "fraction": format_fraction,
        "token": token_words,
        "tokens": join_tokens,
        "capitalize_first": lambda text: text[:1].upper() + text[1:],
        "breakable": methodcaller("replace", "|", BREAKABLE),
    }
    functions = (count_of, stack_bars, waterfall, plot_dots, axis_name, signed, describe_scores)
    made.globals |= {function.__name__: function for function in functions} | {"phrases": phrases}
    return made


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
            "words": find_module(explanation),
        }
    own = [f"{explanation.score.metric.key}/{name}.html"] if explanation is not None else []
    return environment().select_template([*own, f"{name}.html"]).render(context)


def render_exercise_part(part: str, exercise: Exercise, *, live: bool = False) -> str:
    """Render the worksheet or the solution of an exercise; ``live`` has fields to fill in."""
    from bleuprint.render import exercise as wording  # the page starts without lessons

    return render_part(part, exercise.explain(), exercise=exercise, wording=wording, live=live)


def render_result(
    result: HtmlResult,
    ngrams: int | None = PAGE_OF_NGRAMS,
    parts: Collection[str] = ("worksheet", "solution"),
) -> str:
    """Render a result as a section of a page, without styles.

    At most ``ngrams`` n-grams of each order are shown. ``parts`` are those of an exercise.
    """
    if isinstance(result, Explanation):
        ngram_parts = ["ngrams"] if ngrams != 0 else []
        names = ["result", "derivation", *(["texts", *ngram_parts] if result.evidence else []), "signature"]
        sections = [render_part(name, result, most_ngrams=ngrams) for name in names]
    elif isinstance(result, Reconciliation):
        sections = [render_part("reconciliation", way=result)]
    elif isinstance(result, Identification):
        sections = [render_part("identification", found=result)]
    elif isinstance(result, DialectGroups | DialectsByMetric):
        grouped = result.groups if isinstance(result, DialectsByMetric) else [result]
        sections = [render_part("groups", groups=groups) for groups in grouped]
    else:
        sections = [render_exercise_part(part, result) for part in parts]
    return f'<article class="bp-explanation">{"".join(sections)}</article>'


def render_document(result: HtmlResult, ngrams: int | None = None, **options: Collection[str]) -> str:
    """Render a result as a complete document that needs nothing else."""
    context = {
        "title": _title(result),
        "style": Markup(stylesheet()),  # our own file, no text of a user's
        "body": Markup(render_result(result, ngrams, **options)),
    }
    return environment().get_template("document.html").render(context)


def _title(result: HtmlResult) -> str:
    if isinstance(result, Reconciliation):
        return f"From {result.start.printed} to {result.end.printed}"
    if isinstance(result, DialectGroups | DialectsByMetric):
        return "Every dialect"
    if isinstance(result, Identification):
        return result.question
    if isinstance(result, Explanation):
        return f"{result.score.label} = {result.score.printed}"
    from bleuprint.render.exercise import title_of

    return title_of(result)
