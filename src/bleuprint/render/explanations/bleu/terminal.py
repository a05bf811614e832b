"""Explanations of BLEU at the terminal: the number, the four steps, where the points went."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations import USUAL_NGRAMS, NgramLimit
from bleuprint.render.explanations.bleu import phrases
from bleuprint.render.explanations.bleu.phrases import arithmetic_of, evidence_of
from bleuprint.render.terminal_parts import SHADES, draw_shares, indented, make_table, step
from bleuprint.text.shown_tokens import join_tokens, token_words
from bleuprint.wording import count_of, visible

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import NgramEvidence, SegmentEvidence, TokenEvidence


def view_parts(explanation: Explanation, ngrams: NgramLimit | None) -> Iterable[RenderableType]:
    """Lay an explanation out, part by part."""
    arithmetic, evidence = arithmetic_of(explanation), evidence_of(explanation)
    rows = (ngrams or USUAL_NGRAMS).highest
    corpus = phrases.corpus_phrase(explanation)
    return [
        _headline(explanation),
        *step(1, "Tokenise", phrases.tokenizer_phrase(explanation.score.recipe), *_texts(evidence)),
        *step(2, "Clip", "an n-gram counts at most as often as in its best reference", _orders(explanation)),
        *([Padding(_ngrams(evidence, rows), (1, 0, 0, 3))] if evidence and rows != 0 else []),
        *([indented(Text(corpus))] if corpus else []),
        *step(3, "Brevity penalty", f"reference length: {arithmetic.length_rule}",
              Text(phrases.brevity_phrase(arithmetic))),
        *step(4, "Combine", phrases.check_phrase(arithmetic), *map(Text, _combination(explanation))),
        *_losses(explanation),
    ]  # fmt: skip


def _headline(explanation: Explanation) -> Text:
    score, arithmetic = explanation.score, arithmetic_of(explanation)
    rating = arithmetic.rating
    text = Text(f"{score.label} = {score.printed}", style="bold")
    text.append(f"   {phrases.rating_phrase(arithmetic)}", style="not bold")
    return text.append(f"\n({rating.caveat})", style="not bold dim") if rating else text


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
        yield indented(Text(phrases.zero_phrase(explanation)))
        return
    yield Text(f"\n{phrases.losses_title(arithmetic)}", style="bold")
    yield indented(draw_shares((phrases.loss_name(loss.name), loss.points, loss.share) for loss in arithmetic.losses))
