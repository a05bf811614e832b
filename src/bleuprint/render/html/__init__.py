"""HTML: explanations through Jinja2 templates, for notebooks, documents and the page.

Templates use classes only and never inline styles, so that a strict content security policy can stay strict. Every
value is escaped by the template engine.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bleuprint.explanation import Explanation
from bleuprint.explanation.rating import CAVEAT
from bleuprint.render import phrases
from bleuprint.render.html.figures import loss_bars
from bleuprint.wording import count_of, format_fraction, format_score

PAGE_OF_NGRAMS = 200


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
    made.filters |= {"score": format_score, "fraction": format_fraction}
    made.globals |= {"phrases": phrases, "count_of": count_of, "caveat": CAVEAT, "loss_bars": loss_bars}
    return made


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


def render_part(name: str, explanation: Explanation | None = None, **context: object) -> str:
    """Render one part by the name of its template."""
    context = {"paged": False, "most_tokens": None, **context}
    if explanation is not None:
        context |= {
            "explanation": explanation,
            "score": explanation.score,
            "arithmetic": explanation.arithmetic,
            "evidence": explanation.evidence,
        }
    return environment().get_template(f"{name}.html").render(context)


def render_notebook(explanation: Explanation) -> str:
    """Render an explanation with its styles, as notebooks show it."""
    return f"<style>{stylesheet()}</style>{render_explanation(explanation)}"


def render_document(explanation: Explanation, *, ngrams: int | None = None) -> str:
    """Render an explanation as a complete document that needs nothing else."""
    return (
        environment()
        .get_template("document.html")
        .render(
            title=f"{explanation.score.label} = {format_score(explanation.score.score)}",
            style=Markup(stylesheet()),  # our own file, no text of a user's
            body=Markup(render_explanation(explanation, ngrams=ngrams)),
        )
    )


@cache
def stylesheet() -> str:
    """Read the styles of all parts."""
    return resources.files("bleuprint.render.html").joinpath("bleuprint.css").read_text(encoding="utf-8")
