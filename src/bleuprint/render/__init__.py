"""Results in every format: a builder makes headings, tables and paragraphs, and one writer per format prints them.

``blocks`` has the pieces. ``results``, ``explanation``, ``comparison`` and ``exercise`` build them. ``text``,
``markdown`` and ``latex`` write them. ``html`` has templates, because it shows more than tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bleuprint.findings.gates import Gate
    from bleuprint.findings.intervals import ScoreIntervals
    from bleuprint.metrics.score import AnyScore
    from bleuprint.render.blocks import Block


class ScoredCorpus(NamedTuple):
    """A corpus under every recipe, by their names, and what was computed with it."""

    scores: Mapping[str, AnyScore]
    groups: Mapping[str, Mapping[str, Mapping[str, AnyScore]]] = {}
    """by the label that splits the corpus, then by recipe: the score of each group of segments"""
    intervals: ScoreIntervals | None = None


_BUILDERS = {
    "Comparison": "comparison.build_comparison",
    "DialectGroups": "results.build_groups",
    "DialectsByMetric": "results.build_dialects",
    "Exercise": "exercise.build_exercise",
    "Explanation": "explanation.build_explanation",
    "Identification": "results.build_identification",
    "Reconciliation": "results.build_reconciliation",
    "ScoredCorpus": "results.build_scores",
    "SegmentScores": "results.build_segments",
}
"""By the type of result. Only the module that is needed is imported."""
_ROWS = {
    "Comparison": "comparison.list_rows",
    "Explanation": "explanation.list_quantities",
    "SegmentScores": "csv.list_segments",
}


def _find(functions: dict[str, str], result: object) -> Any:
    module, _, name = functions[type(result).__name__].partition(".")
    return getattr(import_module(f"bleuprint.render.{module}"), name)


def build(result: object, **options: Any) -> Iterable[Block]:
    """Make the blocks of a result, whichever it is."""
    blocks: Iterable[Block] = _find(_BUILDERS, result)(result, **options)
    return blocks


def view(result: object, gates: Sequence[Gate] = (), **options: Any) -> Iterator[RenderableType]:
    """Lay a result out for the terminal, followed by the outcome of gates; long tables come some lines at a time."""
    from bleuprint.render import text
    from bleuprint.render.blocks import Heading

    def blocks() -> Iterator[Block]:
        yield from build(result, **options)
        yield from (Heading(gate.line) for gate in gates)

    return text.view(blocks())


def render(result: Any, form: str, gates: Sequence[Gate] = (), **options: Any) -> str:
    """Write a result as ``text``, ``markdown``, ``latex``, ``csv``, ``html`` or ``json``.

    The options are those of the builder in ``build``, or of ``html.render_document``.
    """
    if form == "json":
        from bleuprint.render.json import render_json

        return render_json(result.to_dict())
    if form == "html":
        from bleuprint.render.html import render_document

        return render_document(result, **options)
    if form == "csv":
        from bleuprint.render import csv

        return csv.write(_find(_ROWS, result)(result, **options))
    if form == "latex":
        from bleuprint.render import latex

        is_document = type(result).__name__ == "Exercise"
        return (latex.write_document if is_document else latex.write)(build(result, **options))
    if form == "markdown":
        from bleuprint.render import markdown
        from bleuprint.render.results import build_gates

        if type(result).__name__ == "Explanation":
            options.setdefault("ngrams", 0)
        return markdown.write([*build_gates(gates), *build(result, **options)])
    return render_text(result, gates, **options) + "\n"


def render_text(result: object, gates: Sequence[Gate] = (), **options: Any) -> str:
    """Write a result as text without colour, as ``print`` shows it."""
    from bleuprint.render.text import plain_text

    return "\n".join(map(plain_text, view(result, gates, **options)))
