"""The terminal: explanations and tables with rich; the same words without colour when piped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from bleuprint.findings.comparison import Comparison
from bleuprint.findings.explanation import Explanation
from bleuprint.findings.identification.results import Identification, describe_scores
from bleuprint.findings.intervals import ScoreIntervals
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation, axis_name, signed
from bleuprint.lessons.exercises import Exercise
from bleuprint.metrics.score import AnyScore
from bleuprint.render import phrases
from bleuprint.render.explanations import NgramLimit, find_module
from bleuprint.render.grids import Scores, arrange_scores, metric_name
from bleuprint.render.terminal_parts import indented, make_table, plain_text, view_table
from bleuprint.wording import count_of, visible

SHOWN_ALIKE = 3

Result = Explanation | Reconciliation | DialectGroups | Identification | Comparison | Exercise


def render_plain(result: Result) -> str:
    """Render a result as text without colour, as ``print`` shows it."""
    return plain_text(view(result))


def view(result: Result) -> RenderableType:
    """Lay a result out, whichever it is."""
    if isinstance(result, Comparison):
        from bleuprint.render.comparison_views import view_comparison

        return view_comparison(result)
    if isinstance(result, Exercise):
        from bleuprint.render.exercises.terminal import view_exercise
        from bleuprint.render.exercises.words import WORKSHEET

        return view_exercise(result, (WORKSHEET,))
    if isinstance(result, Reconciliation):
        return view_reconciliation(result)
    if isinstance(result, Identification):
        return view_identification(result)
    return view_groups(result) if isinstance(result, DialectGroups) else view_explanation(result)


def view_explanation(explanation: Explanation, ngrams: NgramLimit | None = None) -> RenderableType:
    """Lay an explanation out as its metric asks for, then notes and signature; without a limit as is usual there."""
    return Group(
        *find_module(explanation, "terminal").view_parts(explanation, ngrams),
        *_notes(explanation.score),
        Text(f"\n{explanation.score.signature}", style="dim", no_wrap=True, overflow="ignore"),
    )


def view_scores(
    scores: Scores, first: str = "recipe", intervals: ScoreIntervals | None = None
) -> Iterator[RenderableType]:
    """Put several scores into a table, one row each."""
    cells = arrange_scores(scores, first, intervals)
    words = [place for place, column in enumerate(cells.columns) if column.words]
    return view_table([column.title for column in cells.columns], cells.rows, words)


def view_reconciliation(way: Reconciliation) -> RenderableType:
    """Lay out the way from one score to another: both ends, a table of the steps, then each step in words."""
    table = make_table("axis", "points", way.end.metric.name)
    table.add_column("from", justify="left")
    table.add_column("to", justify="left")
    first, last = (Text(phrases.recipe_name(score)) for score in (way.start, way.end))
    table.add_row(Text("start", style="dim"), "", way.start.printed, first, "")
    for step in way.steps:
        style = "dim" if step.before.score == step.after.score else ""
        cells = (axis_name(step.axis), signed(step.points), step.after.printed, *step.choices)
        table.add_row(*(Text(visible(cell), style=style) for cell in cells))
    table.add_row(Text("end", style="dim"), "", way.end.printed, "", last)
    parts: list[RenderableType] = [Text(way.summary, style="bold"), Text(""), table]
    for number, step in enumerate(way.steps, start=1):
        parts.append(Text.assemble("\n", (f"{number}. {axis_name(step.axis)}", "bold"), f"  {visible(step.sentence)}"))
        parts += [indented(Text(f"• {visible(phrases.cause_phrase(cause))}")) for cause in step.causes]
    for name, score in (("from", way.start), ("to  ", way.end)):
        parts.append(Text(f"\n{name} {score.signature}", style="dim", no_wrap=True, overflow="ignore"))
    return Group(*parts)


def view_groups(groups: DialectGroups) -> RenderableType:
    """Lay out all dialects, grouped by equal scores."""
    table = make_table("dialects", metric_name(group.score for group in groups))
    table.add_column("parts from the group above at", justify="left")
    for group in groups:
        table.add_row(", ".join(group.names), group.score.printed, Text(visible(group.sentence)), end_section=True)
    return Group(table, Text(f"\n{groups.remark}")) if groups.remark else table


def view_identification(found: Identification, rows: int | None = 10) -> RenderableType:
    """Lay out what a reported number may be: the most usual first, what cannot be told apart together."""
    parts: list[RenderableType] = [Text(visible(found.summary), style="bold")]
    for number, finding in enumerate(found.findings[:rows], start=1):
        scores = describe_scores(finding.best.scores)
        how = f"{finding.printed}, on 0 to {finding.scale}" if finding.fits else f"{finding.distance:.3g} away"
        parts.append(Text.assemble("\n", (f"{number}. {visible(finding.best.title)}", "bold"), f"  {scores} ({how})"))
        parts.append(Text(f"   {finding.best.signature}", style="dim", no_wrap=True, overflow="ignore"))
        same = [reading.title for reading in finding.readings[1:]]
        if same:
            shown = "; ".join(same[:SHOWN_ALIKE]) + (
                f"; {len(same) - SHOWN_ALIKE:,} more" if len(same) > SHOWN_ALIKE else ""
            )
            parts.append(indented(Text(f"not to be told apart on these texts: {visible(shown)}")))
    hidden = len(found.findings) - len(found.findings[:rows])
    if hidden:
        parts.append(
            Text(f"\n{count_of(hidden, 'more finding')}: --format json, or findings in Python, has all", style="dim")
        )
    return Group(*parts)


def _notes(score: AnyScore) -> Iterable[RenderableType]:
    if score.notes:
        yield Text("\nNotes", style="bold")
        yield from (indented(Text(f"• {visible(note.text)}")) for note in score.notes)
