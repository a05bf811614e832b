"""An explanation of chrF: the number, its characters, the orders, and how they combine."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from bleuprint.findings.explanation import Explanation
from bleuprint.metrics.chrf.formula import ChrfZero
from bleuprint.render.blocks import STEP, Aligned, Block, Heading, Paragraph, Table, numbers, texts
from bleuprint.render.phrases import SHADES, corpus_phrase, list_ngrams, list_ties
from bleuprint.text.tokenizers import apply_case
from bleuprint.wording import count_of, format_fraction, format_score, join_words

if TYPE_CHECKING:
    from bleuprint.metrics.chrf.explain import CharacterEvidence, ChrfArithmetic, ChrfEvidence, ChrfNgram, ChrfOrderLine
    from bleuprint.metrics.chrf.recipe import ChrfRecipe

WEIGHTED_MEAN = "(1 + β²) · P · R / (β² · P + R)"
"""What F is of precision and recall."""
UNCOUNTED = "uncounted"
SHADES_OF_MATCHES = 4
LONGEST_DIGIT = 9


def build(explanation: Explanation, ngrams: int | None) -> Iterator[Block]:
    """Show the headline and the steps."""
    score, evidence = explanation.score, evidence_of(explanation)
    yield Heading(f"{score.label} = {score.printed}", headline_phrase(explanation))
    yield Heading("1. Split", split_phrase(explanation), STEP)
    if evidence:
        yield from _align_texts(explanation, evidence)
    yield Heading("2. Count", "an n-gram matches as often as both texts have it; c: characters, w: words", STEP)
    yield _arrange_orders(arithmetic_of(explanation))
    if evidence and ngrams is None:
        yield Paragraph("each n-gram: --ngrams 10 or all, or evidence.ngrams in Python", dim=True)
    if evidence and ngrams:
        yield from _list_ngrams(evidence, arithmetic_of(explanation).orders, ngrams)
    yield from map(Paragraph, remarks(explanation))
    yield Heading("3. Combine", averaging_phrase(explanation), STEP)
    yield from map(Paragraph, combination_lines(explanation))


def _align_texts(explanation: Explanation, evidence: ChrfEvidence) -> Iterator[Block]:
    """Show candidate and chosen reference, each character with the length of its longest match below."""
    highest = evidence.counting.char_order
    candidate, reference = character_runs(evidence)
    yield _align("candidate", candidate, highest)
    if len(evidence.references) > 1:
        rows = [
            (f"reference {number}", format_score(score), str(len(parts.characters)))
            for number, (score, parts) in enumerate(
                zip(evidence.reference_scores, evidence.reference_parts, strict=True), start=1
            )
        ]
        columns = [*texts("reference"), *numbers(explanation.score.label, "characters")]
        yield Table(columns, rows, styles={evidence.chosen: "bold"})
        yield Paragraph(reference_phrase(evidence))
    legend = "below each character: the length of the longest matched n-gram over it, · for none"
    more = f", + for more than {LONGEST_DIGIT}" if highest > LONGEST_DIGIT else ""
    legend = f"{legend}{more}; {whitespace_phrase(explanation)}"
    yield _align(f"reference {evidence.chosen + 1}", reference, highest, legend)


def _align(name: str, runs: list[CharacterRun], highest: int, legend: str = "") -> Aligned:
    cells, characters = [], 0
    for run in runs:
        style = SHADES[shade(run.longest_match, highest)]
        digit = str(run.longest_match or "·") if run.longest_match <= LONGEST_DIGIT else "+"
        for piece, is_counted in run.pieces:
            characters += len(piece) * is_counted
            mark = (digit if is_counted else " ", "dim")
            cells += [[(character, style if is_counted else SHADES[0]), mark] for character in piece]
    return Aligned(cells, name, count_of(characters, "character"), gap=0, legend=legend)


def _arrange_orders(arithmetic: ChrfArithmetic) -> Table:
    rules = [order_rule(line, arithmetic) for line in arithmetic.orders]
    rows = []
    for line, rule in zip(arithmetic.orders, rules, strict=True):
        counts = map(str, (line.matches, line.candidate, line.reference))
        values = (precision_text(line), recall_text(line), format_fraction(line.f))
        rows.append([line.name, *counts, *values, *([rule] if any(rules) else [])])
    columns = [*texts("order"), *numbers("matches", "candidate", "reference", "P", "R", "F")]
    return Table([*columns, *texts(*["how"] * any(rules))], rows)


def _list_ngrams(evidence: ChrfEvidence, orders: Sequence[ChrfOrderLine], most: int) -> Iterator[Block]:
    """List the candidate's n-grams with their counts, at most so many of each order."""
    listed = [
        [
            (one.count, one.matches, (line.name, ngram_text(one), one.count, one.reference_count, one.matches))
            for one in evidence.ngrams_of(line.unit, line.order)
            if one.count
        ]
        for line in orders
    ]
    columns = [*texts("order", "n-gram"), *numbers("candidate", "reference", "matches")]
    return list_ngrams(columns, listed, most)


def list_quantities(explanation: Explanation) -> Iterator[tuple[str, object]]:
    """Name every number, for CSV."""
    score, arithmetic, evidence = explanation.score, arithmetic_of(explanation), evidence_of(explanation)
    yield score.label, score.score
    yield "fraction", score.fraction
    for name in ("precision", "recall", "beta", "candidate_length", "reference_length"):
        yield name.replace("_", " "), getattr(arithmetic, name)
    for line in arithmetic.orders:
        for name in ("matches", "candidate", "reference", "precision", "recall"):
            yield f"{name} {line.name}", getattr(line, name)
        yield f"F {line.name}", line.f
    if evidence:
        for number, reference_score in enumerate(evidence.reference_scores, start=1):
            yield f"against reference {number}", reference_score
        yield "chosen reference", evidence.chosen + 1


def arithmetic_of(explanation: Explanation) -> ChrfArithmetic:
    """Return how the score follows from its statistics."""
    return cast("ChrfArithmetic", explanation.arithmetic)


def evidence_of(explanation: Explanation) -> ChrfEvidence | None:
    """Return what of a segment matched."""
    return cast("ChrfEvidence | None", explanation.evidence)


def recipe_of(explanation: Explanation) -> ChrfRecipe:
    """Return the recipe by which the score was computed."""
    return cast("ChrfRecipe", explanation.score.recipe)


def headline_phrase(explanation: Explanation) -> str:
    """Say what the number is."""
    recipe = recipe_of(explanation)
    words = f" and word n-grams up to {recipe.word_order}" if recipe.word_order else ""
    return f"higher is better: F of character n-grams up to {recipe.char_order}{words}"


def split_phrase(explanation: Explanation) -> str:
    """Say how the text was split."""
    recipe = recipe_of(explanation)
    axes = recipe.metric.axes
    words = "; words are parted from one sign of punctuation at an end" if recipe.word_order else ""
    space, case = (axes[field].choices[recipe.choice(field)] for field in ("whitespace", "case"))
    return f"white space: {space}; case {case}{words}"


def reference_phrase(evidence: ChrfEvidence) -> str:
    """Say which reference was chosen, and why."""
    ties = list_ties(evidence.reference_scores, evidence.chosen)
    tie = f", the first of those that score the same ({join_words(ties)})" if ties else ""
    return f"reference {evidence.chosen + 1} counts, as the candidate scores best against it{tie}"


def is_tie(evidence: ChrfEvidence) -> bool:
    """Whether several references score best."""
    return bool(list_ties(evidence.reference_scores, evidence.chosen))


def order_title(line: ChrfOrderLine) -> str:
    """Name an order: ``character 2-grams``."""
    return f"{line.unit.value.removesuffix('s')} {line.order}-grams"


def order_rule(line: ChrfOrderLine, arithmetic: ChrfArithmetic) -> str:
    """Say what became of an order that is not simply divided."""
    if line.matches:
        return ""
    if line.candidate and line.reference:
        what = "no match"
    elif line.reference:
        what = "the candidate has none"
    else:
        what = "none of the reference counts" if line.candidate else "no n-grams count"
    if arithmetic.precision is None:
        return f"{what}: F = {line.f:.4g}"
    return what if line.candidate and line.reference else f"{what}: left out"


def has_rules(arithmetic: ChrfArithmetic) -> bool:
    """Whether there is something to say of an order."""
    return any(order_rule(line, arithmetic) for line in arithmetic.orders)


def precision_text(line: ChrfOrderLine) -> str:
    """Print the precision of an order."""
    return "none" if line.precision is None else format_fraction(line.precision)


def recall_text(line: ChrfOrderLine) -> str:
    """Print the recall of an order."""
    return "none" if line.recall is None else format_fraction(line.recall)


def used_orders(arithmetic: ChrfArithmetic) -> list[ChrfOrderLine]:
    """Return the orders whose precision and recall are averaged."""
    return [line for line in arithmetic.orders if line.precision is not None and line.recall is not None]


def averaging_phrase(explanation: Explanation) -> str:
    """Say how the orders are averaged, and how much recall weighs."""
    return f"{arithmetic_of(explanation).averaging_rule}; β = {recipe_of(explanation).choice('beta')}"


def combination_lines(explanation: Explanation) -> list[str]:
    """Work out how the orders become one number."""
    arithmetic, label = arithmetic_of(explanation), explanation.score.label
    result = f"{format_fraction(arithmetic.fraction)}, that is {format_score(arithmetic.score)} of 100"
    if arithmetic.precision is None or arithmetic.recall is None:
        sum_of_f = _sum([line.f for line in arithmetic.orders])
        return [f"of each order F = {WEIGHTED_MEAN}", f"{label} = {sum_of_f} / {len(arithmetic.orders)} = {result}"]
    used = used_orders(arithmetic)
    if not used:
        return [f"no order has n-grams on both sides, so P = R = 0 and {label} = {result}"]
    precision, recall = format_fraction(arithmetic.precision), format_fraction(arithmetic.recall)
    lines = [
        f"P = {_sum([line.precision or 0.0 for line in used])} / {len(used)} = {precision}",
        f"R = {_sum([line.recall or 0.0 for line in used])} / {len(used)} = {recall}",
    ]
    if not arithmetic.precision + arithmetic.recall:
        return [*lines, f"nothing matches, so {label} = {result}"]
    square = arithmetic.beta * arithmetic.beta
    divided = f"{1 + square:g} · {precision} · {recall} / ({square:g} · {precision} + {recall})"
    return [*lines, f"{label} = {WEIGHTED_MEAN} = {divided} = {result}"]


def _sum(values: list[float]) -> str:
    return f"({' + '.join(map(format_fraction, values))})"


def dropped_phrase(explanation: Explanation) -> str:
    """Say that the reference of a segment does not count where nothing matches, if the recipe says so."""
    dropped = recipe_of(explanation).unmatched_segment == "reference-dropped"
    arithmetic = arithmetic_of(explanation)
    if not dropped or explanation.score.level != "segment" or arithmetic.zero_because is not ChrfZero.NOTHING_MATCHES:
        return ""
    return "Nothing matches, so this recipe, as torchmetrics, does not count the n-grams of the reference."


def remarks(explanation: Explanation) -> list[str]:
    """Say what is to be said below the table of orders."""
    return [text for text in (corpus_phrase(explanation), dropped_phrase(explanation)) if text]


def whitespace_phrase(explanation: Explanation) -> str:
    """Say whether white space counts."""
    rule = recipe_of(explanation).whitespace
    if rule == "kept":
        return "white space counts as any character"
    return f"{'spaces are' if rule == 'spaces-removed' else 'white space is'} shown, but not counted"


def character_runs(evidence: ChrfEvidence, order: int | None = None) -> tuple[list[CharacterRun], list[CharacterRun]]:
    """Split candidate and chosen reference into runs, shaded by the longest match or by one order alone."""
    views = (evidence.candidate_view, evidence.reference_view) if order is None else evidence.views_of(order)
    case, reference = evidence.counting.case, evidence.references[evidence.chosen]
    return _split_runs(evidence.candidate, case, views[0]), _split_runs(reference, case, views[1])


class CharacterRun(NamedTuple):
    """Characters with the same longest match and status; white space between them belongs to the run, uncounted."""

    longest_match: int
    status: str
    pieces: list[tuple[str, bool]]
    """texts, each with whether it counts"""


def _split_runs(text: str, case: str, view: Sequence[CharacterEvidence]) -> list[CharacterRun]:
    """Split a text where the longest match over its characters changes."""
    runs: list[CharacterRun] = []
    counted, gap = deque(view), ""
    for character in apply_case(text, case):
        if not counted or counted[0].character != character:
            gap += character
            continue
        part = counted.popleft()
        if runs and runs[-1][:2] == (part.longest_match, part.status):
            runs[-1].pieces.extend([(gap, False), ("", True)] if gap else [])
        else:
            runs += [CharacterRun(0, UNCOUNTED, [(gap, False)])] if gap else []
            runs.append(CharacterRun(part.longest_match, part.status, [("", True)]))
        gap = ""
        runs[-1].pieces[-1] = (runs[-1].pieces[-1][0] + character, True)
    return [*runs, CharacterRun(0, UNCOUNTED, [(gap, False)])] if gap else runs


def shade(longest_match: int, highest: int) -> int:
    """Choose the shade of a match, from 1 to 4 for the longest that there can be; 0 for none.

    >>> [shade(length, 6) for length in range(7)]
    [0, 1, 2, 2, 3, 4, 4]
    """
    return -(-SHADES_OF_MATCHES * longest_match // highest)


def shading_orders(evidence: ChrfEvidence) -> list[tuple[int, str]]:
    """List the orders that the texts can be shaded by, each with its name."""
    return [(order, str(order)) for order in range(1, evidence.counting.char_order + 1)]


def shade_order_of(order: int, evidence: ChrfEvidence) -> int:
    """Return the shade of what one order matched, from 1 to 4."""
    return shade(order, evidence.counting.char_order)


def shade_of(run: CharacterRun, evidence: ChrfEvidence) -> int:
    """Return the shade of a run, from 0 to 4."""
    return shade(run.longest_match, evidence.counting.char_order)


def ngram_remark(ngram: ChrfNgram) -> str:
    """Say what became of an n-gram that does not match as often as the candidate has it."""
    if not ngram.count:
        return "missed"
    return "unmatched" if not ngram.matches else "clipped" if ngram.matches < ngram.count else ""


def ngram_text(ngram: ChrfNgram) -> str:
    """Write an n-gram: words with a space between them, characters together, with spaces made visible."""
    return " ".join(ngram.ngram) if ngram.unit == "words" else "".join(ngram.ngram).replace(" ", "␣")
