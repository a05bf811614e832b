"""An explanation of BLEU: the number, four steps, where the points went."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from bleuprint.findings.explanation import Explanation
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.blocks import STEP, Aligned, Bars, Block, Heading, Paragraph, Table, numbers, texts
from bleuprint.render.phrases import SHADES, corpus_phrase, list_ngrams, number_alike
from bleuprint.text.shown_tokens import join_tokens, token_words
from bleuprint.text.tokenizers.registry import find_summary
from bleuprint.wording import count_of, format_fraction, format_score, name_orders

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import Arithmetic, OrderLine, SegmentEvidence, TokenEvidence
    from bleuprint.metrics.bleu.score import BleuScore

USUAL_NGRAMS = 8
LEGEND = "below each token: the length of the longest matched n-gram over it, · for none"


def build(explanation: Explanation, ngrams: int | None) -> Iterator[Block]:
    """Show the headline, the steps and the losses."""
    score, arithmetic = explanation.score, arithmetic_of(explanation)
    evidence = cast("SegmentEvidence | None", explanation.evidence)
    yield Heading(f"{score.label} = {score.printed}", rating_phrase(arithmetic))
    if arithmetic.rating:
        yield Paragraph(f"({arithmetic.rating.caveat})", dim=True)
    yield Heading("1. Tokenise", tokenizer_phrase(score.recipe), STEP)
    if evidence:
        yield _align("candidate", evidence.candidate_view)
        for number, view in enumerate(evidence.reference_views, start=1):
            yield _align(f"reference {number}", view, LEGEND if number == len(evidence.references) else "")
    yield Heading("2. Clip", "an n-gram counts at most as often as in its best reference", STEP)
    yield _arrange_orders(explanation)
    if evidence and ngrams != 0:
        yield from _list_ngrams(evidence, USUAL_NGRAMS if ngrams is None else ngrams)
    if corpus := corpus_phrase(explanation):
        yield Paragraph(corpus)
    yield Heading("3. Brevity penalty", f"reference length: {arithmetic.length_rule}", STEP)
    yield Paragraph(brevity_phrase(arithmetic))
    yield Heading("4. Combine", check_phrase(arithmetic), STEP)
    if score.tool_stops:
        yield Paragraph(stop_phrase(explanation))
    else:
        yield Paragraph(f"mean = {mean_phrase(arithmetic)}")
        yield Paragraph(combine_phrase(explanation))
    if arithmetic.losses:
        yield Heading(losses_title(arithmetic), level=STEP)
        yield Bars([(loss_name(loss.name), format_score(loss.points), loss.share) for loss in arithmetic.losses])
    else:
        yield Heading("Where the points went", level=STEP)
        yield Paragraph(zero_phrase(explanation))


def _align(name: str, view: tuple[TokenEvidence, ...], legend: str = "") -> Aligned:
    """Put below each token the length of its longest match."""
    cells = [
        [
            (token_words(part.token), SHADES[min(part.longest_match, 4)]),
            (str(part.longest_match or "·"), "dim"),
        ]
        for part in view
    ]
    return Aligned(cells, name, count_of(len(view), "token"), legend=legend)


def _arrange_orders(explanation: Explanation) -> Table:
    plain = explanation.plain_matches
    rows = []
    for line in arithmetic_of(explanation).orders:
        unclipped = f"{plain[line.order - 1]}/{line.total}" if plain else "–"
        values = (precision_text(line), smoothed_text(line), line.rule)
        rows.append([f"p{line.order}", str(line.matches), str(line.total), unclipped, *values])
    columns = numbers("matches", "total", "plain", "clipped p", "used p")
    return Table([*texts("order"), *columns, *texts("how")], rows)


def _list_ngrams(evidence: SegmentEvidence, most: int) -> Iterator[Block]:
    """List the candidate's n-grams with their counts, at most so many of each order."""
    references = (f"ref {number}" for number in range(1, len(evidence.references) + 1))
    columns = [*texts("n-gram"), *numbers("candidate", *references, "clip", "matches")]
    orders: list[list[tuple[int, int, Sequence[object]]]] = [[] for _ in range(evidence.order)]
    for one in evidence.ngrams:
        if one.count:
            cells = (join_tokens(one.ngram), one.count, *one.reference_counts, one.clip, one.matches)
            orders[one.order - 1].append((one.count, one.matches, cells))
    return list_ngrams(columns, orders, most)


def list_quantities(explanation: Explanation) -> Iterator[tuple[str, object]]:
    """Name every number, for CSV."""
    score, arithmetic = cast("BleuScore", explanation.score), arithmetic_of(explanation)
    if score.tool_stops:
        yield score.label, score.printed
    else:
        yield from [(score.label, score.score), ("fraction", score.fraction), ("geometric mean", score.geometric_mean)]
    yield "brevity penalty", score.brevity_penalty
    yield "candidate length", arithmetic.candidate_length
    yield "reference length", arithmetic.reference_length
    for line in arithmetic.orders:
        yield f"matches {line.order}", line.matches
        yield f"total {line.order}", line.total
        yield f"precision {line.order}", line.precision
        yield f"used precision {line.order}", line.smoothed


def arithmetic_of(explanation: Explanation) -> Arithmetic:
    """Return how the score follows from its statistics."""
    return cast("Arithmetic", explanation.arithmetic)


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
    """Return the score and what was lost, which add up to 100, each with its kind, its name and its points."""
    losses = [(loss.name, loss_name(loss.name), loss.points) for loss in arithmetic.losses]
    return [("score", "BLEU", arithmetic.score), *losses]


def stop_phrase(explanation: Explanation) -> str:
    """Say that NLTK gives no number, and why."""
    return f"NLTK stops here with an error: {arithmetic_of(explanation).zero_because}"


def rating_phrase(arithmetic: Arithmetic) -> str:
    """Return the band and its reading, or say why there is none."""
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
    """Return the tokens of the candidate and of each reference, shaded by the longest match or by one order alone."""
    if order is None:
        return (evidence.candidate_view, *evidence.reference_views)
    return (evidence.candidate_view_of(order), *evidence.reference_views_of(order))


def number_tokens(evidence: SegmentEvidence) -> dict[Hashable, int]:
    """Number the different tokens, so that equal ones can be found by their numbers."""
    return number_alike(evidence.candidate_tokens, *evidence.reference_tokens)
