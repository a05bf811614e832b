"""The report of a comparison: one HTML file that needs nothing else, and its summary for notebooks."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from markupsafe import Markup

from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.breakdowns import Breakdown
from bleuprint.render.comparison import arrange_agreement, arrange_overview, name_system, title_breakdown
from bleuprint.render.html import environment
from bleuprint.render.html.report_data import gather_data, write_data
from bleuprint.render.html.report_summary import (
    distribute_ratios,
    distribute_scores,
    order_systems,
    shorten_names,
    summarise_recipe,
)
from bleuprint.render.html.styles import notebook_stylesheet, read_file, stylesheet
from bleuprint.wording import count_of

MOST_GROUPS = 500
"""A label with more values than this is no breakdown; in the table of segments it can still be chosen."""
MOST_PAIRS_OPEN = 3
PRINTED_PAGE = "@page { size: landscape; margin: 12mm; }\n"
"""For the file alone: on a page or in a notebook this would also turn everything else."""
SCRIPTS = ("base", "columns", "table", "scatter", "segment", "paper", "start")
"""The parts of the script, which share one scope."""


def render_summary(comparison: Comparison) -> str:
    """Render scores, intervals and tests with their styles, as notebooks show them."""
    styles = f"<style>{notebook_stylesheet()}{report_stylesheet()}</style>"
    return f'{styles}<article class="bp-explanation bp-report">{render_overview(comparison)}</article>'


def render_overview(comparison: Comparison) -> str:
    """Render the same as a part of a page, without styles."""
    context = _summarise(comparison)
    parts: Any = environment().get_template("report_parts.html").make_module(context)
    return str(parts.overview_sections(context["title"]))


def render_report(comparison: Comparison, focus: tuple[str, str] | None = None) -> str:
    """Render the whole report; ``focus`` names the two systems that its table of segments starts with."""
    result = comparison.result()
    focus = focus or comparison.focus()
    order, names = order_systems(comparison), comparison.parts
    small = [name for name in names if len(set(comparison.labels.get(name, ()))) <= MOST_GROUPS]
    style, script = stylesheet() + report_stylesheet() + PRINTED_PAGE, report_script()
    context = {
        **_summarise(comparison),
        "agreement": arrange_agreement(comparison) if len(comparison.results) > 1 else None,
        "breakdowns": [comparison.breakdown(name) for name in small],
        "large": {name: len(set(comparison.labels[name])) for name in names if name not in small},
        "distributions": [
            distribute(comparison, result, order) for distribute in (distribute_scores, distribute_ratios)
        ],
        "focus": focus,
        "most_value": _most_value,
        "title_breakdown": title_breakdown,
        "style": Markup(style),  # our own files, no text of a user's
        "script": Markup(script),
        "policy": _write_policy(style, script),
        "data": Markup(write_data(gather_data(comparison, order, focus))),  # where < is escaped
    }
    return environment().get_template("report.html").render(context)


def _summarise(comparison: Comparison) -> dict[str, object]:
    systems, segments = count_of(len(comparison.names), "system"), count_of(comparison.segments, "segment")
    order = order_systems(comparison)
    return {
        "title": f"{systems} on {segments}",
        "comparison": comparison,
        "settings": comparison.settings,
        "order": order,
        "short_names": _shorten_shown(comparison),
        "overview": arrange_overview(comparison),
        "agreement": None,
        "recipes": [summarise_recipe(comparison, result, order) for result in comparison.results],
        "many_pairs": len(comparison.results[0].pairs) > MOST_PAIRS_OPEN,
    }


def _shorten_shown(comparison: Comparison) -> dict[str, str]:
    """Return short forms of names as cells show them: the baseline has a note behind its name."""
    short = shorten_names(comparison.names)
    return short | {name_system(comparison, name): name_system(comparison, name, form) for name, form in short.items()}


def _most_value(breakdown: Breakdown) -> float:
    """Return the value that fills a bar."""
    return max((value for group in breakdown.groups for value in group.values.values()), default=0.0) or 1.0


def _write_policy(style: str, script: str) -> str:
    """Forbid everything but this very script and these very styles: no text in the file can reach the network."""
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style))
    allowed = [f"{kind}-src 'sha256-{digest}'" for kind, digest in zip(("script", "style"), hashes, strict=True)]
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])


def report_script() -> str:
    """Join the parts of the report's script in a scope of their own."""
    parts = "".join(read_file(f"report_{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def report_stylesheet() -> str:
    """Read the styles of the summary and the report; ``stylesheet`` has those that all parts share."""
    return read_file("report.css")
