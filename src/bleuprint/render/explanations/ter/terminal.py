"""Explanations of TER at the terminal: the number, its shifts as moves, the alignment, and the division."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations import NgramLimit
from bleuprint.render.explanations.ter import phrases
from bleuprint.render.explanations.ter.phrases import arithmetic_of, evidence_of
from bleuprint.render.terminal_parts import draw_shares, indented, make_table, step
from bleuprint.wording import count_of, visible

if TYPE_CHECKING:
    from bleuprint.metrics.ter.explain import AlignedWord, ReferenceAlignment, TerEvidence

NOBODY = "·"
"""What stands where the other text has a word and this one has none."""
STYLES = {"match": "", "substitution": "yellow", "insertion": "cyan", "deletion": "magenta"}
PART_STYLES = {"still": "", "moved": "bold reverse", "goal": "bold", "cut": "dim"}


def view_parts(explanation: Explanation, ngrams: NgramLimit | None) -> Iterable[RenderableType]:
    """Lay an explanation out, part by part; TER has no n-grams to list."""
    score, evidence = explanation.score, evidence_of(explanation)
    numbers = count(1)
    headline = Text(f"{score.label} = {score.printed}", style="bold")
    yield headline.append(f"   {phrases.headline_phrase(explanation)}", style="not bold")
    yield from step(next(numbers), "Split", phrases.split_phrase(explanation), *_lengths(evidence))
    if evidence:
        alignment = evidence.alignment
        if len(evidence.references) > 1:
            remark = "the one that needs the fewest edits"
            yield from step(next(numbers), "Choose a reference", remark, _references(evidence))
        yield from step(next(numbers), "Shift", phrases.shift_phrase(alignment), *_moves(alignment))
        yield from step(next(numbers), "Align", "what is left, word by word", *_aligned(alignment))
    lines = phrases.division_lines(explanation)
    corpus = phrases.corpus_phrase(explanation)
    remark = "edits per word of the reference"
    yield from step(next(numbers), "Divide", remark, *map(Text, [*lines, *([corpus] if corpus else [])]))
    yield from _points(explanation)


def _lengths(evidence: TerEvidence | None) -> Iterable[RenderableType]:
    if evidence is None:
        return
    lengths = [len(words) for words in evidence.reference_words]
    references = ", ".join(f"reference {number} has {length}" for number, length in enumerate(lengths, start=1))
    yield Text(f"the candidate has {count_of(len(evidence.candidate_words), 'word')}, {references}")


def _references(evidence: TerEvidence) -> RenderableType:
    table = make_table("reference", "insertions", "deletions", "substitutions", "shifts", "edits")
    table.add_column("", justify="left")
    for place, alignment in enumerate(evidence.alignments):
        style = "bold" if place == evidence.chosen else ""
        cells = [f"reference {place + 1}", *map(str, alignment.edits), str(sum(alignment.edits))]
        ended = "search ended early" if alignment.search.gave_up else ""
        table.add_row(*(Text(cell, style=style) for cell in (*cells, ended)))
    return Group(table, Text(phrases.reference_phrase(evidence)))


def _moves(alignment: ReferenceAlignment) -> Iterable[RenderableType]:
    """Draw each shift as a move: its words in brackets, before and after, and where they go."""
    for number, move in enumerate(alignment.moves, start=1):
        drawn = phrases.draw_move(move)
        yield Text.assemble((f"→{number}", "bold"), f"  {phrases.move_phrase(move)}")
        yield indented(Group(_line_of(drawn.before), _line_of(drawn.after)))
    if alignment.moves:
        yield Text(f"in brackets: the words that move; {phrases.GOAL} where they go", style="dim")
    if alignment.search.gave_up:
        yield Text(phrases.search_phrase(alignment))


def _line_of(parts: Sequence[tuple[str, str]]) -> Text:
    pieces = []
    for kind, group in groupby(parts, key=itemgetter(0)):
        words = Text(visible(" ".join(word for _, word in group)), style=PART_STYLES[kind])
        pieces.append(Text.assemble("[", words, "]") if kind == "moved" else words)
    return Text(" ").join(pieces)


def _aligned(alignment: ReferenceAlignment) -> Iterable[RenderableType]:
    if not alignment.lines:
        yield Text("there is nothing to align")
        return
    yield WordLines(alignment.lines)
    signs = "; ".join(f"{sign} {phrases.MEANINGS[step]}" for step, sign in phrases.SIGNS.items())
    moved = "; →1 moved by shift 1" if alignment.moves else ""
    yield Text(f"{signs}{moved}", style="dim")


class WordLines:
    """Both texts, the reference above and the candidate below, in as many lines as the terminal's width asks for."""

    TITLES = ("reference", "", "candidate")

    def __init__(self, lines: Sequence[AlignedWord]) -> None:
        self.lines: Sequence[AlignedWord] = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[RenderableType]:
        """Lay the words out for a width."""
        indent = max(map(len, self.TITLES)) + 2
        rows, used = self._begin(indent), indent
        for line in self.lines:
            cells = [line.reference_word, phrases.sign_of(line), line.candidate_word]
            words = [NOBODY if cell is None else visible(cell) for cell in cells]
            width = max(map(cell_len, words))
            if used + width > options.max_width and used > indent:
                yield Padding(Group(*rows), (0, 0, 1, 0))
                rows, used = self._begin(indent), indent
            for row, word in zip(rows, words, strict=True):
                row.append(word, style=STYLES[line.step])
                row.append(" " * (width + 2 - cell_len(word)))
            used += width + 2
        yield Padding(Group(*rows), (0, 0, 1, 0))

    def _begin(self, indent: int) -> list[Text]:
        return [Text(title.ljust(indent), style="", no_wrap=True) for title in self.TITLES]


def _points(explanation: Explanation) -> Iterable[RenderableType]:
    arithmetic = arithmetic_of(explanation)
    if not phrases.has_points(arithmetic):
        yield Text("\nWhere the points come from", style="bold")
        yield indented(Text(phrases.nothing_phrase(arithmetic)))
        return
    yield Text(f"\n{phrases.points_title(arithmetic)}", style="bold")
    names = phrases.counted_edits(arithmetic)
    shares = [line.count / arithmetic.edits for line in arithmetic.kinds]
    points = [line.points for line in arithmetic.kinds]
    yield indented(draw_shares(zip(names, points, shares, strict=True)))
