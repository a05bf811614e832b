"""Explanations of chrF at the terminal: the number, its characters, the orders, and how they combine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations import NgramLimit
from bleuprint.render.explanations.chrf import phrases
from bleuprint.render.explanations.chrf.phrases import arithmetic_of, evidence_of
from bleuprint.render.explanations.chrf.runs import CharacterRun, shade
from bleuprint.render.terminal_parts import SHADES, indented, make_table, step
from bleuprint.wording import count_of, format_fraction, format_score, visible

if TYPE_CHECKING:
    from bleuprint.metrics.chrf.explain import ChrfEvidence, ChrfOrderLine

LONGEST_DIGIT = 9


def view_parts(explanation: Explanation, ngrams: NgramLimit | None) -> Iterable[RenderableType]:
    """Lay an explanation out, part by part; n-grams are listed where somebody asks for them."""
    score, evidence = explanation.score, evidence_of(explanation)
    headline = Text(f"{score.label} = {score.printed}", style="bold")
    yield headline.append(f"   {phrases.headline_phrase(explanation)}", style="not bold")
    yield from step(1, "Split", phrases.split_phrase(explanation), *_texts(explanation))
    remark = "an n-gram matches as often as both texts have it; c: characters, w: words"
    yield from step(2, "Count", remark, _orders(explanation))
    if evidence and ngrams is None:
        yield indented(Text("each n-gram: --ngrams 10 or all, or evidence.ngrams in Python", style="dim"))
    if evidence and ngrams and ngrams.highest != 0:
        yield Padding(_ngrams(explanation, evidence, ngrams.highest), (1, 0, 0, 3))
    yield from (indented(Text(text)) for text in phrases.remarks(explanation))
    yield from step(
        3, "Combine", phrases.averaging_phrase(explanation), *map(Text, phrases.combination_lines(explanation))
    )


def _texts(explanation: Explanation) -> Iterable[RenderableType]:
    """Show each text, shaded by the longest match over its characters, with that length below."""
    evidence = evidence_of(explanation)
    if evidence is None:
        return
    highest = evidence.counting.char_order
    yield CharacterLines("candidate", phrases.candidate_runs(evidence), highest)
    if len(evidence.references) > 1:
        yield _references(explanation, evidence)
    yield CharacterLines(f"reference {evidence.chosen + 1}", phrases.reference_runs(evidence), highest)
    legend = "below each character: the length of the longest matched n-gram over it, · for none"
    more = f", + for more than {LONGEST_DIGIT}" if highest > LONGEST_DIGIT else ""
    yield Text(f"{legend}{more}; {phrases.whitespace_phrase(explanation)}", style="dim")


class CharacterLines:
    """A text in as many lines as the terminal's width asks for, each with its line of lengths below."""

    def __init__(self, name: str, runs: list[CharacterRun], highest: int) -> None:
        self.name: str = name
        self.runs: list[CharacterRun] = runs
        self.highest: int = highest

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[RenderableType]:
        """Lay the characters out for a width, parted at white space where there is some."""
        cells = [
            (visible(character), run.longest_match if counts else None)
            for run in self.runs
            for piece, counts in run.pieces
            for character in piece
        ]
        counted = sum(length is not None for _, length in cells)
        yield Text.assemble((self.name, "bold"), f" ({count_of(counted, 'character')})")
        for line in _wrap(cells, options.max_width - 2):
            words, marks = Text("  "), "  "
            for character, length in line:
                words.append(character, style=SHADES[shade(length or 0, self.highest)])
                marks += _mark(length).ljust(cell_len(character)) if cell_len(character) else ""
            yield from (words, Text(marks.rstrip(), style="dim"))


CharacterCell = tuple[str, int | None]


def _wrap(cells: list[CharacterCell], width: int) -> Iterable[list[CharacterCell]]:
    """Part characters into lines, after the last white space that fits, or where the line is full."""
    line: list[CharacterCell] = []
    for cell in cells:
        if line and sum(cell_len(character) for character, _ in line) + cell_len(cell[0]) > max(width, 2):
            after = next((place for place in range(len(line), 0, -1) if line[place - 1][1] is None), len(line))
            yield line[:after]
            line = line[after:]
        line.append(cell)
    if line:
        yield line


def _mark(length: int | None) -> str:
    if length is None:
        return " "
    return "·" if length == 0 else str(length) if length <= LONGEST_DIGIT else "+"


def _references(explanation: Explanation, evidence: ChrfEvidence) -> RenderableType:
    table = make_table("reference", explanation.score.label, "characters")
    for place, (score, parts) in enumerate(zip(evidence.reference_scores, evidence.reference_parts, strict=True)):
        style = "bold" if place == evidence.chosen else ""
        cells = (f"reference {place + 1}", format_score(score), str(len(parts.characters)))
        table.add_row(*(Text(cell, style=style) for cell in cells))
    return Group(Padding(table, (1, 0, 0, 0)), Padding(Text(phrases.reference_phrase(evidence)), (0, 0, 1, 0)))


def _orders(explanation: Explanation) -> Table:
    table = make_table("order", "matches", "candidate", "reference", "P", "R", "F")
    arithmetic = arithmetic_of(explanation)
    ruled = phrases.has_rules(arithmetic)
    if ruled:
        table.add_column("how", justify="left")
    for line in arithmetic.orders:
        counts = (str(line.matches), str(line.candidate), str(line.reference))
        values = (phrases.precision_text(line), phrases.recall_text(line), format_fraction(line.f))
        table.add_row(line.name, *counts, *values, *([phrases.order_rule(line, arithmetic)] if ruled else []))
    return table


def _ngrams(explanation: Explanation, evidence: ChrfEvidence, rows: int | None) -> RenderableType:
    """List the candidate's n-grams with their counts, at most ``rows`` of each order."""
    table = make_table("order", "n-gram", "candidate", "reference", "matches", texts=(0, 1))
    hidden = sum(_add_order(table, evidence, line, rows) for line in arithmetic_of(explanation).orders)
    if not hidden:
        return table
    return Group(
        table, Text(f"{count_of(hidden, 'more n-gram')}: --ngrams all, or evidence.ngrams in Python", style="dim")
    )


def _add_order(table: Table, evidence: ChrfEvidence, line: ChrfOrderLine, rows: int | None) -> int:
    """Add the n-grams of one order to the table, and give the number of those that are left out."""
    ngrams = [ngram for ngram in evidence.ngrams_of(line.unit, line.order) if ngram.count]
    shown = ngrams if rows is None else ngrams[:rows]
    for place, ngram in enumerate(shown):
        style = "" if ngram.matches == ngram.count else "yellow" if ngram.matches else "dim"
        words = visible(phrases.ngram_text(ngram))
        cells = (line.name, words, str(ngram.count), str(ngram.reference_count), str(ngram.matches))
        table.add_row(*(Text(cell, style=style) for cell in cells), end_section=place == len(shown) - 1)
    return len(ngrams) - len(shown)
