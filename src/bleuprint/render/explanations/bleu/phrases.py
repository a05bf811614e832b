"""Sentences and formulas that every view of an explanation of BLEU shows alike."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, cast

from bleuprint.errors import BleuprintError
from bleuprint.findings.explanation import Explanation
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC
from bleuprint.render.phrases import number_alike
from bleuprint.text.tokenizers.registry import find_summary
from bleuprint.wording import count_of, format_fraction, format_score, name_orders

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import Arithmetic, OrderLine, SegmentEvidence, TokenEvidence


def arithmetic_of(explanation: Explanation) -> Arithmetic:
    """Give how the score follows from its statistics."""
    return cast("Arithmetic", explanation.arithmetic)


def evidence_of(explanation: Explanation) -> SegmentEvidence | None:
    """Give what of a segment matched."""
    metric = explanation.score.metric
    if metric.key != DEFAULT_METRIC:  # which the page may ask for
        raise BleuprintError(
            where="explanation",
            wanted="one of BLEU",
            got=f"one of {metric.name}",
            next_step="The library and the command line explain it.",
        )
    return cast("SegmentEvidence | None", explanation.evidence)


def tokenizer_phrase(recipe: Recipe) -> str:
    """Say how the text was split."""
    summary = find_summary(recipe.tokenizer)
    meaning = f": {summary}" if summary else ""
    return f"tokenizer {recipe.choice('tokenizer')}{meaning}; case {recipe.metric.axes['case'].choices[recipe.case]}"


def brevity_phrase(arithmetic: Arithmetic) -> str:
    """Work the brevity penalty out in one line."""
    c, r = arithmetic.candidate_length, arithmetic.reference_length
    penalty = format_fraction(arithmetic.brevity_penalty)
    if arithmetic.brevity_rule == "plus-1":
        exponent = "0" if c >= r else f"1 − ({r} + 1)/({c} + 1)"
        return f"c = {c}, r = {r}, so BP = exp({exponent}) = {penalty}"
    if arithmetic.brevity_rule == "coco":
        penalty = f"exp(1 − ({r} + 1e-9)/({c} + 1e-15)) = {penalty}" if c <= r else "1"
        return f"c = {c}, r = {r}, so BP = {penalty}"
    if c == 0:
        return f"c = 0, so BP = {penalty}"
    if c >= r:
        return f"c = {c} ≥ r = {r}, so BP = 1"
    return f"c = {c} < r = {r}, so BP = exp(1 − {r}/{c}) = {penalty}"


def mean_phrase(arithmetic: Arithmetic) -> str:
    """Write the geometric mean, or the mean of several, with its numbers."""
    if arithmetic.means:
        parts = " + ".join(map(format_fraction, arithmetic.means))
        return f"({parts}) / {len(arithmetic.means)} = {format_fraction(arithmetic.geometric_mean)}"
    used = [line for line in arithmetic.orders if line.weight]
    factors = " · ".join(f"{format_fraction(line.smoothed or 0.0)}^{line.weight:.4g}" for line in used)
    return f"{factors} = {format_fraction(arithmetic.geometric_mean)}"


def combine_phrase(explanation: Explanation) -> str:
    """Multiply brevity penalty and geometric mean."""
    arithmetic = arithmetic_of(explanation)
    factors = f"{format_fraction(arithmetic.brevity_penalty)} · {format_fraction(arithmetic.geometric_mean)}"
    return (
        f"{explanation.score.label} = BP · mean = {factors} = {format_fraction(arithmetic.fraction)}, "
        f"that is {format_score(arithmetic.score)} of 100"
    )


def check_phrase(arithmetic: Arithmetic) -> str:
    """Say how the cross-check went."""
    check = arithmetic.cross_check
    if arithmetic.means:
        return f"the mean of the geometric means of orders 1 to n, for n from 1 to {len(arithmetic.means)}"
    if not check.applies:
        return "cross-check: not applicable, as the mean is 0 or too small"
    return f"cross-check: the product of powers {check.verdict} with the sum of logarithms"


def losses_title(arithmetic: Arithmetic) -> str:
    """Say what the table of losses adds up to."""
    return f"Where the points went: 100 − {format_score(arithmetic.score)} = {format_score(100 - arithmetic.score)}"


def loss_parts(arithmetic: Arithmetic) -> list[tuple[str, str, float]]:
    """Give the score and what was lost, which add up to 100, each with its kind, its name and its points."""
    losses = [(loss.name, loss_name(loss.name), loss.points) for loss in arithmetic.losses]
    return [("score", "BLEU", arithmetic.score), *losses]


def stop_phrase(explanation: Explanation) -> str:
    """Say that NLTK gives no number, and why."""
    return f"NLTK stops here with an error: {arithmetic_of(explanation).zero_because}"


def rating_phrase(arithmetic: Arithmetic) -> str:
    """Give the band and its reading, or say why there is none."""
    rating, unrated = arithmetic.rating, arithmetic.unrated
    return f"{rating.band}: {rating.meaning}" if rating else f"no rating: {unrated.reason if unrated else ''}"


def loss_name(name: str) -> str:
    """Name a loss in words."""
    if name == "mean":
        return "n-grams"
    return "brevity" if name == "brevity" else f"{name[1:]}-grams"


def zero_phrase(explanation: Explanation) -> str:
    """Say why a score of 0 has no shares."""
    arithmetic = arithmetic_of(explanation)
    if explanation.score.tool_stops:
        return f"{stop_phrase(explanation)}; there is nothing to share out."
    if arithmetic.zero_because:
        return f"The score is 0 because {arithmetic.zero_because}; there is nothing to share out."
    return f"The score is 0 because of the {name_orders(arithmetic.zero_orders, 'and')}; there is nothing to share out."


def corpus_phrase(explanation: Explanation) -> str:
    """Tell the corpus score from the mean of segment scores."""
    mean = explanation.mean_segment_score
    if mean is None:
        return ""
    return (
        f"Counts are summed over {count_of(explanation.score.census.segments, 'segment')} and combined once. "
        f"The mean of the segments' own scores is {format_score(mean)}, which is not BLEU."
    )


def precision_text(line: OrderLine) -> str:
    """Print a precision as counted."""
    return format_fraction(line.precision) if line.total else "none"


def smoothed_text(line: OrderLine) -> str:
    """Print the precision that the formula used."""
    return "left out" if line.smoothed is None else format_fraction(line.smoothed)


def shading_orders(evidence: SegmentEvidence) -> list[tuple[int, str]]:
    """List the orders that the texts can be shaded by, each with its name."""
    return [(order, f"{order}-grams") for order in range(1, evidence.order + 1)]


def token_views(evidence: SegmentEvidence, order: int | None) -> tuple[tuple[TokenEvidence, ...], ...]:
    """Give the tokens of the candidate and of each reference, shaded by the longest match or by one order alone."""
    if order is None:
        return (evidence.candidate_view, *evidence.reference_views)
    return (evidence.candidate_view_of(order), *evidence.reference_views_of(order))


def number_tokens(evidence: SegmentEvidence) -> dict[Hashable, int]:
    """Number the different tokens, so that equal ones can be found by their numbers."""
    return number_alike(evidence.candidate_tokens, *evidence.reference_tokens)
