"""Sentences and formulas that every view of an explanation of chrF shows alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bleuprint.findings.explanation import Explanation
from bleuprint.metrics.chrf.formula import ChrfZero
from bleuprint.render.explanations.chrf.runs import CharacterRun, join_characters, list_runs, shade
from bleuprint.wording import count_of, format_fraction, format_score, join_words

if TYPE_CHECKING:
    from bleuprint.metrics.chrf.explain import CharacterEvidence, ChrfArithmetic, ChrfEvidence, ChrfNgram, ChrfOrderLine
    from bleuprint.metrics.chrf.recipe import ChrfRecipe

WEIGHTED_MEAN = "(1 + β²) · P · R / (β² · P + R)"
"""What F is of precision and recall."""


def arithmetic_of(explanation: Explanation) -> ChrfArithmetic:
    """Give how the score follows from its statistics."""
    return cast("ChrfArithmetic", explanation.arithmetic)


def evidence_of(explanation: Explanation) -> ChrfEvidence | None:
    """Give what of a segment matched."""
    return cast("ChrfEvidence | None", explanation.evidence)


def recipe_of(explanation: Explanation) -> ChrfRecipe:
    """Give the recipe by which the score was computed."""
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
    scores = evidence.reference_scores
    best = scores[evidence.chosen]
    alike = [str(place + 1) for place, score in enumerate(scores) if score == best and place != evidence.chosen]
    tie = f", the first of those that score the same ({join_words(alike)})" if alike else ""
    return f"reference {evidence.chosen + 1} counts, as the candidate scores best against it{tie}"


def is_tie(evidence: ChrfEvidence) -> bool:
    """Whether several references score best."""
    return evidence.reference_scores.count(max(evidence.reference_scores)) > 1


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
    """Give the orders whose precision and recall are averaged."""
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


def corpus_phrase(explanation: Explanation) -> str:
    """Tell the corpus score from the mean of segment scores."""
    mean = explanation.mean_segment_score
    if mean is None:
        return ""
    return (
        f"Counts are summed over {count_of(explanation.score.census.segments, 'segment')}, each against the reference "
        "that it scores best against, and combined once. "
        f"The mean of the segments' own scores is {format_score(mean)}, which is another number."
    )


def remarks(explanation: Explanation) -> list[str]:
    """Say what is to be said below the table of orders."""
    return [text for text in (corpus_phrase(explanation), dropped_phrase(explanation)) if text]


def whitespace_phrase(explanation: Explanation) -> str:
    """Say whether white space counts."""
    rule = recipe_of(explanation).whitespace
    if rule == "kept":
        return "white space counts as any character"
    return f"{'spaces are' if rule == 'spaces-removed' else 'white space is'} shown, but not counted"


def candidate_runs(evidence: ChrfEvidence) -> list[CharacterRun]:
    """Give the candidate in runs of equal shade."""
    return _runs(evidence.candidate, evidence.candidate_view, evidence)


def reference_runs(evidence: ChrfEvidence) -> list[CharacterRun]:
    """Give the chosen reference in runs of equal shade."""
    return _runs(evidence.references[evidence.chosen], evidence.reference_view, evidence)


def _runs(text: str, view: tuple[CharacterEvidence, ...], evidence: ChrfEvidence) -> list[CharacterRun]:
    return list_runs(text, evidence.counting.case, view)


def character_runs(evidence: ChrfEvidence, order: int | None) -> tuple[list[CharacterRun], list[CharacterRun]]:
    """Give candidate and chosen reference in runs, shaded by the longest match or by one order alone."""
    if order is None:
        return candidate_runs(evidence), reference_runs(evidence)
    own, other = evidence.views_of(order)
    reference = evidence.references[evidence.chosen]
    return _runs(evidence.candidate, own, evidence), _runs(reference, other, evidence)


def shading_orders(evidence: ChrfEvidence) -> list[tuple[int, str]]:
    """List the orders that the texts can be shaded by, each with its name."""
    return [(order, str(order)) for order in range(1, evidence.counting.char_order + 1)]


def shade_order_of(order: int, evidence: ChrfEvidence) -> int:
    """Give the shade of what one order matched, from 1 to 4."""
    return shade(order, evidence.counting.char_order)


def shade_of(run: CharacterRun, evidence: ChrfEvidence) -> int:
    """Give the shade of a run, from 0 to 4."""
    return shade(run.longest_match, evidence.counting.char_order)


def ngram_remark(ngram: ChrfNgram) -> str:
    """Say what became of an n-gram that does not match as often as the candidate has it."""
    if not ngram.count:
        return "missed"
    return "unmatched" if not ngram.matches else "clipped" if ngram.matches < ngram.count else ""


def ngram_text(ngram: ChrfNgram) -> str:
    """Write an n-gram."""
    return join_characters(ngram.ngram, ngram.unit)
