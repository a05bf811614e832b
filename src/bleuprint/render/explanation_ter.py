"""An explanation of TER: the number, its shifts as moves, the alignment, and the division."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, cast

from bleuprint.findings.explanation import Explanation
from bleuprint.render.blocks import STEP, Aligned, Bars, Block, Heading, Paragraph, Table, numbers, texts
from bleuprint.render.phrases import corpus_phrase, list_ties, number_alike
from bleuprint.wording import count_of, format_fraction, format_score, join_words

if TYPE_CHECKING:
    from bleuprint.metrics.ter.explain import AlignedWord, Move, ReferenceAlignment, TerArithmetic, TerEvidence
    from bleuprint.metrics.ter.recipe import TerRecipe

GOAL = "▾"
"""Marks where words go."""
AROUND = 3
"""How many words are shown on either side of a move."""
SIGNS = {"match": "=", "substitution": "S", "insertion": "I", "deletion": "D"}
MEANINGS = {
    "match": "match",
    "substitution": "substitution, one word for another",
    "insertion": "insertion, a word that the candidate lacks",
    "deletion": "deletion, a word too many",
}
NOBODY = "·"
"""What stands where the other text has a word and this one has none."""
STYLES = {"match": "", "substitution": "yellow", "insertion": "cyan", "deletion": "magenta"}
PART_STYLES = {"still": "", "moved": "bold reverse", "goal": "bold", "cut": "dim"}


def build(explanation: Explanation, ngrams: int | None) -> Iterator[Block]:
    """Show the headline, the steps and where the points come from; TER has no n-grams to list."""
    score, arithmetic, evidence = explanation.score, arithmetic_of(explanation), evidence_of(explanation)
    step = count(1)
    yield Heading(f"{score.label} = {score.printed}", headline_phrase(explanation))
    yield Heading(f"{next(step)}. Split", split_phrase(explanation), STEP)
    if evidence:
        lengths = (f"reference {number} has {len(own)}" for number, own in enumerate(evidence.reference_words, 1))
        yield Paragraph(f"the candidate has {count_of(len(evidence.candidate_words), 'word')}, {', '.join(lengths)}")
        if len(evidence.references) > 1:
            yield Heading(f"{next(step)}. Choose a reference", "the one that needs the fewest edits", STEP)
            yield _arrange_references(evidence)
            yield Paragraph(reference_phrase(evidence))
        yield Heading(f"{next(step)}. Shift", shift_phrase(evidence.alignment), STEP)
        yield from _draw_moves(evidence.alignment)
        yield Heading(f"{next(step)}. Align", "what is left, word by word", STEP)
        yield _align(evidence.alignment)
    yield Heading(f"{next(step)}. Divide", "edits per word of the reference", STEP)
    yield from map(Paragraph, division_lines(explanation))
    if corpus := corpus_phrase(explanation):
        yield Paragraph(corpus)
    if has_points(arithmetic):
        yield Heading(points_title(arithmetic), level=STEP)
        points = [(format_score(line.points), line.count / arithmetic.edits) for line in arithmetic.kinds]
        yield Bars([(name, *own) for name, own in zip(counted_edits(arithmetic), points, strict=True)])
    else:
        yield Heading("Where the points come from", level=STEP)
        yield Paragraph(nothing_phrase(arithmetic))


def _arrange_references(evidence: TerEvidence) -> Table:
    rows = [
        [
            f"reference {number}",
            *map(str, alignment.edits),
            str(sum(alignment.edits)),
            "search ended early" if alignment.search.gave_up else "",
        ]
        for number, alignment in enumerate(evidence.alignments, start=1)
    ]
    columns = numbers("insertions", "deletions", "substitutions", "shifts", "edits")
    return Table([*texts("reference"), *columns, *texts("")], rows, styles={evidence.chosen: "bold"})


def _draw_moves(alignment: ReferenceAlignment) -> Iterator[Block]:
    """Draw each shift as a move: its words in brackets, before and after, and where they go."""
    for number, move in enumerate(alignment.moves, start=1):
        yield Paragraph(f"→{number} “{' '.join(move.words)}”: {move_phrase(move)}")
        drawn = draw_move(move)
        legend = f"in brackets: the words that move; {GOAL} where they go" if number == len(alignment.moves) else ""
        yield _align_move(drawn.before)
        yield _align_move(drawn.after, legend)
    if alignment.search.gave_up:
        yield Paragraph(search_phrase(alignment))


def _align_move(parts: Sequence[tuple[str, str]], legend: str = "") -> Aligned:
    moved = [place for place, (kind, _) in enumerate(parts) if kind == "moved"]
    words = [f"{'[' * (place == moved[0])}{word}{']' * (place == moved[-1])}" for place, (_, word) in enumerate(parts)]
    return Aligned([[(word, PART_STYLES[kind])] for word, (kind, _) in zip(words, parts, strict=True)], legend=legend)


def _align(alignment: ReferenceAlignment) -> Block:
    if not alignment.lines:
        return Paragraph("there is nothing to align")
    cells = []
    for line in alignment.lines:
        words = (line.reference_word, sign_of(line), line.candidate_word)
        cells.append([(NOBODY if word is None else word, STYLES[line.step]) for word in words])
    signs = "; ".join(f"{sign} {MEANINGS[step]}" for step, sign in SIGNS.items())
    moved = "; →1 moved by shift 1" if alignment.moves else ""
    return Aligned(cells, titles=("reference", "edit", "candidate"), gap=2, legend=f"{signs}{moved}")


def list_quantities(explanation: Explanation) -> Iterator[tuple[str, object]]:
    """Name every number, for CSV."""
    score, arithmetic, evidence = explanation.score, arithmetic_of(explanation), evidence_of(explanation)
    yield from [(score.label, score.score), ("fraction", score.fraction), ("edits", arithmetic.edits)]
    yield from ((line.name, line.count) for line in arithmetic.kinds)
    yield from ((f"points of {line.name}", line.points) for line in arithmetic.kinds)
    yield "candidate length", arithmetic.candidate_length
    yield "reference length", arithmetic.reference_length
    if evidence:
        yield from ((f"edits to reference {number}", own) for number, own in enumerate(edits_of(evidence), start=1))
        yield "chosen reference", evidence.chosen + 1


def arithmetic_of(explanation: Explanation) -> TerArithmetic:
    """Return how the score follows from its statistics."""
    return cast("TerArithmetic", explanation.arithmetic)


def evidence_of(explanation: Explanation) -> TerEvidence | None:
    """Return how a candidate becomes its references."""
    return cast("TerEvidence | None", explanation.evidence)


def recipe_of(explanation: Explanation) -> TerRecipe:
    """Return the recipe by which the score was computed."""
    return cast("TerRecipe", explanation.score.recipe)


def headline_phrase(explanation: Explanation) -> str:
    """Say what the number is."""
    arithmetic = arithmetic_of(explanation)
    length = length_text(arithmetic.reference_length)
    return f"lower is better: {count_of(arithmetic.edits, 'edit')} over a reference length of {length}"


def split_phrase(explanation: Explanation) -> str:
    """Say how the text was split."""
    recipe = recipe_of(explanation)
    axes = recipe.metric.axes
    parts = [axes["normalized"].choices[recipe.normalized], f"case {axes['case'].choices[recipe.case]}"]
    if recipe.asian == "yes":
        parts.append(f"Chinese and Japanese: {axes['asian'].choices['yes']}")
    if recipe.punctuation == "remove":
        parts.append("punctuation is taken out")
    if recipe.normalized == "yes" and recipe.reference_preparation == "twice":
        parts.append("references are prepared twice, as sacreBLEU does")
    return "; ".join(parts)


def reference_phrase(evidence: TerEvidence) -> str:
    """Say which reference was chosen, and why."""
    ties = list_ties(edits_of(evidence), evidence.chosen)
    tie = f", the first of those with as many ({join_words(ties)})" if ties else ""
    return f"reference {evidence.chosen + 1} counts, as it needs the fewest edits{tie}; the length is the mean of all"


def edits_of(evidence: TerEvidence) -> list[int]:
    """Return the number of edits to each reference."""
    return [sum(alignment.edits) for alignment in evidence.alignments]


def is_tie(evidence: TerEvidence) -> bool:
    """Whether several references need the fewest edits."""
    return bool(list_ties(edits_of(evidence), evidence.chosen))


def shift_phrase(alignment: ReferenceAlignment) -> str:
    """Say what shifts are, and whose words are moved."""
    whose = "reference" if alignment.moves_reference else "candidate"
    what = "words that stand together are moved at once, for one edit"
    return f"{what}; here those of the {whose}: {count_of(len(alignment.moves), 'shift')}"


def search_phrase(alignment: ReferenceAlignment) -> str:
    """Say that the search reached its limit."""
    tried = f"{alignment.search.tried:,}"
    return f"After {tried} tries the search reached its limit and ended; a shift that was to come next was not made."


class DrawnMove(NamedTuple):
    """The words around a move, before it and after it, in parts; the words that move, and where they go, are told."""

    before: list[tuple[str, str]]
    after: list[tuple[str, str]]
    """kind (``still``, ``moved``, ``goal`` or ``cut``) and text of each part"""


def draw_move(move: Move) -> DrawnMove:
    """Show a move: the words that go, where to, and how the text reads afterwards."""
    first, last = min(move.start, move.lands), max(move.start, move.lands) + move.length
    window = range(max(0, first - AROUND), min(len(move.before), last + AROUND))
    before = _draw_words(move.before, window, move.start, move.length)
    goal = move.lands if move.lands < move.start else move.lands + move.length
    before.insert(goal - window.start, ("goal", GOAL))
    after = _draw_words(move.after, window, move.lands, move.length)
    head = [("cut", "…")] if window.start else []
    tail = [("cut", "…")] if window.stop < len(move.before) else []
    return DrawnMove([*head, *before, *tail], [*head, *after, *tail])


def _draw_words(words: Sequence[str], window: range, start: int, length: int) -> list[tuple[str, str]]:
    moved = range(start, start + length)
    return [("moved" if place in moved else "still", words[place]) for place in window]


def move_phrase(move: Move) -> str:
    """Say which words move, from where to where, and what that saves."""
    last = move.length - 1
    start, lands = (f"{at + 1}–{at + 1 + last}" if last else f"{at + 1}" for at in (move.start, move.lands))
    moves = f"words {start} become {lands}" if last else f"word {start} becomes {lands}"
    saved = f"{count_of(move.edits_before, 'edit')} left before, {move.edits_after} after"
    return f"{moves}: {saved}, so it saves {move.saved} and costs 1"


def sign_of(line: AlignedWord) -> str:
    """Return the sign of what is done to a word, with the shifts that moved it."""
    return SIGNS[line.step] + "".join(f" →{number + 1}" for number in line.moved_by)


def counted_edits(arithmetic: TerArithmetic) -> list[str]:
    """Write every kind of edit with its number."""
    return [count_of(line.count, line.name.removesuffix("s")) for line in arithmetic.kinds]


def length_text(length: float) -> str:
    """Print a length in words; a mean of several references may have decimals."""
    return f"{length:,.2f}".removesuffix(".00")


def division_lines(explanation: Explanation) -> list[str]:
    """Add the edits up, and divide them by the length of the reference: the mean of several."""
    arithmetic, evidence = arithmetic_of(explanation), evidence_of(explanation)
    names = " + ".join(line.name for line in arithmetic.kinds)
    counts = " + ".join(str(line.count) for line in arithmetic.kinds)
    lines = [f"edits = {names} = {counts} = {arithmetic.edits}"]
    length = length_text(arithmetic.reference_length)
    if evidence and len(evidence.references) > 1:
        lengths = list(map(len, evidence.reference_words))
        summed = f"({' + '.join(map(str, lengths))}) / {len(lengths)}"
        lines.append(f"length = {summed} = {length}, the mean of all references")
    result = f"{format_fraction(arithmetic.fraction)}, that is {format_score(arithmetic.score)} for 100 words"
    if arithmetic.settled:
        return [*lines, f"TER = {result}, without a division: {arithmetic.settled}"]
    return [*lines, f"TER = edits / length = {arithmetic.edits} / {length} = {result}"]


def points_title(arithmetic: TerArithmetic) -> str:
    """Say what the table of points adds up to."""
    return f"Where the {format_score(arithmetic.score)} points come from"


def nothing_phrase(arithmetic: TerArithmetic) -> str:
    """Say why there are no points to share out."""
    if arithmetic.settled:
        return f"TER is {format_score(arithmetic.score)} without a division: {arithmetic.settled}."
    return "No edit is counted, so TER is 0."


def point_parts(arithmetic: TerArithmetic) -> list[tuple[str, str, float]]:
    """Return the points of each kind of edit, which add up to the score, each with its kind and its name."""
    return [(line.name, line.name, line.points) for line in arithmetic.kinds]


def has_points(arithmetic: TerArithmetic) -> bool:
    """Whether the score is made of points of edits."""
    return arithmetic.edits > 0 and not arithmetic.settled


def number_words(evidence: TerEvidence) -> dict[str, int]:
    """Number the different words, so that equal ones can be found by their numbers."""
    return number_alike(evidence.candidate_words, *evidence.reference_words)
