"""The page itself: its shell, rendered once, with the first example already worked out."""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

import bleuprint
from bleuprint.findings.settings import (
    FEWEST_RESAMPLES,
    HIGHEST_CONFIDENCE,
    LOWEST_CONFIDENCE,
    USUAL_CONFIDENCE,
    USUAL_SEED,
)
from bleuprint.lessons.lesson import LESSON_STEPS, LESSONS
from bleuprint.lessons.levels import LEVELS
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric, list_metrics
from bleuprint.render.html.report import report_stylesheet
from bleuprint.render.html.styles import stylesheet
from bleuprint.text.tokenizers.models import list_models, models_folder
from bleuprint.text.tokenizers.registry import BUILT_IN, PRETOKENIZED, SPM, TokenizerEntry, name_model
from bleuprint.web.bridge import handle
from bleuprint.web.compare_mode import FIRST_RESAMPLES
from bleuprint.web.limits import HIGHEST_ORDER_OFFERED, MOST_RESAMPLES_SERVED, limits_of_the_page
from bleuprint.web.requests import FIRST_RECIPE
from bleuprint.web.wording import name_box
from bleuprint.wording import SUMMARY

_POLICY = (
    "default-src 'none'; script-src 'self'{wasm}; worker-src 'self'{blob}; connect-src 'self'; style-src 'self'; "
    "img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
POLICY_SERVED = _POLICY.format(wasm="", blob="") + "; frame-ancestors 'none'"
POLICY_STATIC = _POLICY.format(wasm=" 'wasm-unsafe-eval'", blob=" blob:")
"""For the page's own <meta>; ``frame-ancestors`` has no effect there and is left to headers."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every response, from the server and from static hosts."""


class ExampleButton(NamedTuple):
    """An example button: what it shows, and the form it fills in."""

    title: str
    lesson: str
    candidate: str
    references: tuple[str, ...]
    recipe: dict[str, str]

    @property
    def form(self) -> str:
        """The state that the button sets, as JSON."""
        state = {"candidate": self.candidate, "references": self.references, "recipe": self.recipe}
        return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


class Mode(NamedTuple):
    """A tab of the page."""

    title: str
    question: str = ""


MODES = {
    "segment": Mode("One segment"),
    "corpus": Mode("Corpus", "How good is a whole test set, and which of its segments are not?"),
    "compare": Mode("Compare", "Is one system better, or was it lucky?"),
    "reconcile": Mode("Reconcile", "Why do two tools disagree?"),
    "identify": Mode("Identify", "Which BLEU, chrF or TER is this number?"),
    "learn": Mode("Learn", "How does BLEU come to its number?"),
}
"""The modes in the order of their tabs; ``static/modes.js`` has a table of the same names, and parts of the template
say with ``data-modes`` to which of them they belong."""

LATE_PARTS = ("all_choices", "help", "corpus_texts", "corpus", "compare", "reconcile", "identify", "learn")
"""What the page fetches when first needed, as ``static/<name>.html``; it says with ``data-into`` where it goes."""

FIRST_SCRIPTS = (
    "addresses", "engine", "frame", "late", "limits", "modes", "options", "places", "result", "segment", "segment_form",
)  # fmt: skip
"""What the page's script imports, however deep: fetched beside it, not when another has come and asks for it."""

_SMOOTHED = {"base": FIRST_RECIPE, "smoothing": "epsilon(0.1)"}
EXAMPLE_BUTTONS = (
    ExampleButton(
        "A word is missing", "It costs matches and, through the brevity penalty, length.",
        "the cat is on mat", ("the cat is on the mat",), {"base": FIRST_RECIPE},
    ),
    ExampleButton(
        "One word over and over", "It counts no more often than in a reference: clipping.",
        "the the the the the the the", ("the cat is on the mat", "there is a cat on the mat"), {"base": FIRST_RECIPE},
    ),
    ExampleButton(
        "Perfect, and yet 0", "Two words have no 4-grams. What if N were 2?",
        "hello world", ("hello world",), {"base": FIRST_RECIPE},
    ),
    ExampleButton(
        "Good, in other words", "BLEU knows no synonyms: only what is spelt alike counts.",
        "the film was really great and I enjoyed it", ("the movie was very good and I liked it",), _SMOOTHED,
    ),
    ExampleButton(
        "Right stem, wrong ending", "chrF looks at characters, and gives part of the points.",
        "he walks homewards in winter", ("he walked homeward in the winter",), {"base": "chrf"},
    ),
    ExampleButton(
        "A phrase has moved", "TER moves it back at once: a single edit.",
        "on the mat the cat sat quietly", ("the cat sat quietly on the mat",), {"base": "ter"},
    ),
)  # fmt: skip
"""The examples, each with what it shows; the page opens with the first one."""


class Source(NamedTuple):
    """A paper to read on."""

    text: str
    address: str


SOURCES = (
    Source("Papineni et al. 2002, BLEU: a method for automatic evaluation", "https://aclanthology.org/P02-1040/"),
    Source("Post 2018, A call for clarity in reporting BLEU scores", "https://aclanthology.org/W18-6319/"),
    Source("Chen and Cherry 2014, Smoothing for sentence-level BLEU", "https://aclanthology.org/W14-3346/"),
    Source("Popović 2015, chrF: character n-gram F-score", "https://aclanthology.org/W15-3049/"),
    Source("Snover et al. 2006, Translation edit rate", "https://aclanthology.org/2006.amta-papers.25/"),
)
"""Where the metrics come from. Links open when somebody follows them, and nothing is fetched before."""


class TokenizerOption(NamedTuple):
    """A line of the tokenizers' picker; one that this host cannot run says why."""

    value: str
    name: str
    summary: str
    obstacle: str = ""
    remedy: str = ""


def list_tokenizers(engine: str) -> list[TokenizerOption]:
    """List every tokenizer as a host offers it; on the server also the SentencePiece models in the folders."""
    offered = [entry for entry in BUILT_IN.values() if entry.name not in (PRETOKENIZED, SPM)]
    options = [
        TokenizerOption(str(entry), entry.name, entry.summary, *_find_obstacle(entry, engine)) for entry in offered
    ]
    by_path, obstacle = BUILT_IN[SPM], _find_obstacle(BUILT_IN[SPM], engine)
    if not obstacle[0]:
        published = {name for entry in offered if entry.needs for name in entry.needs.model}
        models = [model for model in list_models() if model.path.name not in published]
        options += [TokenizerOption(name_model(model).name, model.label, str(model.path)) for model in models]
        obstacle = ("models from a folder", f"models in {models_folder()} are listed here when the server starts")
    return [*options, TokenizerOption(by_path.name, by_path.name, by_path.summary, *obstacle)]


def _find_obstacle(entry: TokenizerEntry, engine: str) -> tuple[str, str]:
    """Return a short and a longer reason why a host cannot run a tokenizer, or nothing if it can."""
    if entry.needs and engine == "static":
        return "not in the browser", f"use bleuprint serve, after {entry.needs.install}"
    reason = entry.find_obstacle()
    if not reason or not entry.needs:
        return "", ""
    if entry.needs.missing_packages():
        return f"needs the {entry.needs.extra} extra", reason
    return ("needs its model" if entry.needs.model else f"needs {entry.needs.program}"), reason


def list_claims() -> dict[str, str]:
    """List what a number may have been reported as, each with the dialect that stands for it."""
    claims: dict[str, str] = {}
    for metric in list_metrics():
        for name, recipe in {metric.default: Recipe.named(metric.default), **Recipe.dialects(metric.key)}.items():
            claims.setdefault(metric.family(recipe), name)
    return claims


@cache
def render_page(engine: str) -> str:
    """Render the page for a host: ``served`` by the local server, or ``static`` with Python in the browser."""
    first = EXAMPLE_BUTTONS[0]
    request = {"candidate": first.candidate, "references": list(first.references), "recipe": first.recipe}
    result, details = handle({"action": "explain", **request}), handle({"action": "details", **request})
    return _environment().get_template("page.html").render(
        engine=engine, policy=POLICY_STATIC if engine == "static" else "", version=bleuprint.__version__,
        summary=SUMMARY, scripts=FIRST_SCRIPTS,
        first=first, result=result, details=details,
        dialects_html=handle({"action": "dialects", "all_metrics": False, **request})["html"],
        what_if_html=handle({"action": "what-if", **request})["html"],
        example_buttons=EXAMPLE_BUTTONS, sources=SOURCES, modes=MODES, metrics=list(list_metrics()),
        first_metric=find_metric(), tokenizers=list_tokenizers(engine),
        first_recipe=FIRST_RECIPE, first_choices=Recipe.named(FIRST_RECIPE), corpus_recipe=DEFAULT,
        limits=limits_of_the_page(), highest_order=HIGHEST_ORDER_OFFERED,
    )  # fmt: skip


@cache
def render_late_part(name: str) -> str:
    """Render controls that come when they are first opened, as those of a mode: the same for every host."""
    return _environment().get_template(f"late/{name}.html").render(
        lessons=LESSONS.values(), steps=LESSON_STEPS.values(), levels=LEVELS, claims=list_claims(),
        metrics=list(list_metrics()), first_metric=find_metric(), float_type=float, choices=Recipe.named(FIRST_RECIPE),
        name_box=name_box,
        comparing={
            "fewest": FEWEST_RESAMPLES, "resamples": FIRST_RESAMPLES, "most": MOST_RESAMPLES_SERVED,
            "lowest": LOWEST_CONFIDENCE, "confidence": USUAL_CONFIDENCE, "highest": HIGHEST_CONFIDENCE,
            "seed": USUAL_SEED,
        },
    )  # fmt: skip


def page_files() -> dict[str, bytes]:
    """List the page's own files by their path below ``static/``; styles of results and late parts are rendered."""
    from importlib import resources

    folder = resources.files("bleuprint.web").joinpath("static")
    files = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}
    files |= {f"{name}.html": render_late_part(name).encode("utf-8") for name in LATE_PARTS}
    return files | {"bleuprint.css": stylesheet().encode("utf-8"), "report.css": report_stylesheet().encode("utf-8")}


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("bleuprint.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
