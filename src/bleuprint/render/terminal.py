"""The terminal: explanations and tables with rich; the same words without colour when piped."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bleuprint.findings.comparison import Comparison
from bleuprint.findings.explanation import Explanation
from bleuprint.findings.identification.results import Identification, describe_scores
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation, axis_name, signed
from bleuprint.metrics.score import AnyScore
from bleuprint.render import phrases
from bleuprint.render.grids import Scores, arrange_scores, metric_name
from bleuprint.render.worked_out import arithmetic_of, evidence_of
from bleuprint.text.shown_tokens import join_tokens, token_words
from bleuprint.wording import count_of, format_score

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.evidence import NgramEvidence, SegmentEvidence, TokenEvidence

PLAIN_WIDTH = 110
SHADES = ("default", "black on #d7eaf3", "black on #a6d3e6", "black on #6fb7d6", "black on #3d97c0")
BAR = 30
SHOWN_ALIKE = 3
_CONTROLS = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}
_CONTROLS |= dict.fromkeys([*range(0x80, 0xA0), 0x2028, 0x2029], 0xFFFD)


Result = Explanation | Reconciliation | DialectGroups | Identification | Comparison


def render_plain(result: Result) -> str:
    """Render a result as text without colour, as ``print`` shows it."""
    return plain_text(view(result))


def view(result: Result) -> RenderableType:
    """Lay a result out, whichever it is."""
    if isinstance(result, Comparison):
        from bleuprint.render.comparison_views import view_comparison

        return view_comparison(result)
    if isinstance(result, Reconciliation):
        return view_reconciliation(result)
    if isinstance(result, Identification):
        return view_identification(result)
    return view_groups(result) if isinstance(result, DialectGroups) else view_explanation(result)


def plain_text(view: RenderableType) -> str:
    """Turn a view into plain lines of a fixed width; what must stay on one line may be longer."""
    stream = io.StringIO()
    console = Console(
        file=stream, width=PLAIN_WIDTH, color_system=None, force_terminal=False, force_jupyter=False, highlight=False
    )
    console.print(view, crop=False)
    return "\n".join(line.rstrip() for line in stream.getvalue().rstrip().split("\n"))


def view_explanation(explanation: Explanation, rows: int | None = 8) -> RenderableType:
    """Lay an explanation out: the number, the four steps, where the points went, notes, signature."""
    arithmetic, evidence = arithmetic_of(explanation), evidence_of(explanation)
    corpus = phrases.corpus_phrase(explanation)
    parts: list[RenderableType] = [
        _headline(explanation),
        *_step(1, "Tokenise", phrases.tokenizer_phrase(explanation.score.recipe), *_texts(evidence)),
        *_step(2, "Clip", "an n-gram counts at most as often as in its best reference", _orders(explanation)),
        *([Padding(_ngrams(evidence, rows), (1, 0, 0, 3))] if evidence and rows != 0 else []),
        *([_indented(Text(corpus))] if corpus else []),
        *_step(3, "Brevity penalty", f"reference length: {arithmetic.length_rule}",
               Text(phrases.brevity_phrase(arithmetic))),
        *_step(4, "Combine", phrases.check_phrase(arithmetic),
               *map(Text, _combination(explanation))),
        *_losses(explanation),
        *_notes(explanation.score),
        Text(f"\n{explanation.score.signature}", style="dim", no_wrap=True, overflow="ignore"),
    ]  # fmt: skip
    return Group(*parts)


def view_scores(scores: Scores, first: str = "recipe") -> RenderableType:
    """Put several scores into a table, one row each."""
    cells = arrange_scores(scores, first)
    table = make_table(*(column.title for column in cells.columns))
    for row in cells.rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    return table


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
        parts += [_indented(Text(f"• {visible(phrases.cause_phrase(cause))}")) for cause in step.causes]
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
        parts.append(Text(f"   {finding.best.recipe}", style="dim", no_wrap=True, overflow="ignore"))
        same = [reading.title for reading in finding.readings[1:]]
        if same:
            shown = "; ".join(same[:SHOWN_ALIKE]) + (
                f"; {len(same) - SHOWN_ALIKE:,} more" if len(same) > SHOWN_ALIKE else ""
            )
            parts.append(_indented(Text(f"not to be told apart on these texts: {visible(shown)}")))
    hidden = len(found.findings) - len(found.findings[:rows])
    if hidden:
        parts.append(Text(f"\n{count_of(hidden, 'more finding')}: --format json has all", style="dim"))
    return Group(*parts)


def visible(value: object) -> str:
    """Make control characters visible, so that no text can steer the terminal."""
    return str(value).translate(_CONTROLS)


def _headline(explanation: Explanation) -> Text:
    score, arithmetic = explanation.score, arithmetic_of(explanation)
    rating = arithmetic.rating
    text = Text(f"{score.label} = {score.printed}", style="bold")
    text.append(f"   {phrases.rating_phrase(arithmetic)}", style="not bold")
    return text.append(f"\n({rating.caveat})", style="not bold dim") if rating else text


def _step(number: int, title: str, remark: str, *body: RenderableType) -> Iterable[RenderableType]:
    yield Text.assemble("\n", (f"{number}. {title}", "bold"), (f"  {remark}", "dim"))
    yield from map(_indented, body)


def _indented(body: RenderableType) -> Padding:
    return Padding(body, (0, 0, 0, 3))


def _texts(evidence: SegmentEvidence | None) -> Iterable[RenderableType]:
    """Show the tokens of each text, shaded by their longest match, with that length below."""
    if evidence is None:
        return
    yield TokenLines("candidate", evidence.candidate_view)
    for number, view in enumerate(evidence.reference_views, start=1):
        yield TokenLines(f"reference {number}", view)
    yield Text("below each token: the length of the longest matched n-gram over it, · for none", style="dim")


class TokenLines:
    """The tokens of a text in as many lines as the terminal's width asks for, each with its line of lengths below."""

    def __init__(self, name: str, view: tuple[TokenEvidence, ...]) -> None:
        self.name: str = name
        self.view: tuple[TokenEvidence, ...] = view

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[RenderableType]:
        """Lay the tokens out for a width."""
        yield Text.assemble((self.name, "bold"), f" ({count_of(len(self.view), 'token')})")
        words, marks = Text("  "), "  "
        for part in self.view:
            token = visible(token_words(part.token))
            width = max(cell_len(token), len(str(part.longest_match)))
            if len(marks) + width > options.max_width and marks.strip():
                yield from (words, Text(marks, style="dim"))
                words, marks = Text("  "), "  "
            words.append(token + " " * (width - cell_len(token)), style=SHADES[min(part.longest_match, 4)])
            words.append(" ")
            marks += (str(part.longest_match) if part.longest_match else "·").ljust(width + 1)
        yield from (words, Text(marks.rstrip(), style="dim"))


def make_table(*columns: str, texts: Sequence[int] = (0,)) -> Table:
    """Begin a table whose columns at ``texts`` hold words, the others numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if place in texts else "right", overflow="fold")
    return table


def _orders(explanation: Explanation) -> Table:
    plain = explanation.plain_matches
    table = make_table("order", "matches", "total", "plain", "clipped p", "used p")
    table.add_column("how", justify="left")
    for line in arithmetic_of(explanation).orders:
        unclipped = f"{plain[line.order - 1]}/{line.total}" if plain else "–"
        counts = (str(line.matches), str(line.total), unclipped)
        values = (phrases.precision_text(line), phrases.smoothed_text(line))
        table.add_row(f"p{line.order}", *counts, *values, line.rule)
    return table


def _ngrams(evidence: SegmentEvidence, rows: int | None) -> RenderableType:
    """List the candidate's n-grams with their counts, at most ``rows`` of each order."""
    table = make_table(
        "n-gram", "candidate", *(f"ref {n}" for n in range(1, len(evidence.references) + 1)), "clip", "matches"
    )
    hidden = 0
    for order in range(1, evidence.order + 1):
        ngrams = [ngram for ngram in evidence.ngrams if ngram.order == order and ngram.count]
        shown = ngrams if rows is None else ngrams[:rows]
        hidden += len(ngrams) - len(shown)
        for place, ngram in enumerate(shown):
            table.add_row(*_ngram_row(ngram), end_section=place == len(shown) - 1)
    if not hidden:
        return table
    return Group(
        table, Text(f"{count_of(hidden, 'more n-gram')}: --ngrams all, or evidence.ngrams in Python", style="dim")
    )


def _ngram_row(ngram: NgramEvidence) -> Iterable[Text]:
    style = "" if ngram.matches == ngram.count else "yellow" if ngram.matches else "dim"
    words = visible(join_tokens(ngram.ngram))
    numbers = (ngram.count, *ngram.reference_counts, ngram.clip, ngram.matches)
    yield Text(words, style=style)
    yield from (Text(str(number), style=style) for number in numbers)


def _combination(explanation: Explanation) -> Iterable[str]:
    if explanation.score.tool_stops:
        return [phrases.stop_phrase(explanation)]
    return [f"mean = {phrases.mean_phrase(arithmetic_of(explanation))}", phrases.combine_phrase(explanation)]


def _losses(explanation: Explanation) -> Iterable[RenderableType]:
    arithmetic = arithmetic_of(explanation)
    if not arithmetic.losses:
        yield Text("\nWhere the points went", style="bold")
        yield _indented(Text(phrases.zero_phrase(explanation)))
        return
    yield Text(f"\n{phrases.losses_title(arithmetic)}", style="bold")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for loss in arithmetic.losses:
        bar = "█" * round(BAR * loss.share)
        points = format_score(loss.points)
        table.add_row(phrases.loss_name(loss.name), Text(points, justify="right"), Text(bar, style="#3d97c0"))
    yield _indented(table)


def _notes(score: AnyScore) -> Iterable[RenderableType]:
    if score.notes:
        yield Text("\nNotes", style="bold")
        yield from (_indented(Text(f"• {visible(note.text)}")) for note in score.notes)
