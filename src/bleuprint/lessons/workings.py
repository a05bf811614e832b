"""What comes out: of an exercise worked out rightly, and of every usual mistake.

A mistake in counting is the right formula on wrong statistics; one in combining is a wrong formula on the right ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.counting.ngrams import Ngram, count_matches, count_ngrams
from bleuprint.findings.explanation import Explanation
from bleuprint.lessons.mistakes import Mistake
from bleuprint.lessons.sentences import ExerciseTexts
from bleuprint.metrics.bleu.formula import brevity, combine, smooth
from bleuprint.scoring.verbs import score_segments
from bleuprint.wording import format_fraction

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.counting import BleuStats
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore

ExactNumber = Fraction | float
"""A fraction where the number is one, else a float."""
ROUNDING = 1e-12
"""Two numbers that are no nearer than this are different ones."""


class Quantity(NamedTuple):
    """What is asked for: its name (``p1`` …, ``BP``, ``BLEU``), its value on 0 to 1, and the same as a fraction.

    ``exact`` is None where the value is no fraction.
    """

    name: str
    value: float
    exact: Fraction | None

    @property
    def decimal(self) -> str:
        """The value with four decimals."""
        return format_fraction(self.value)

    def __str__(self) -> str:
        return f"{self.name} = {self.decimal if self.exact is None else self.exact}"


class Working(NamedTuple):
    """All that is asked for, as somebody worked it out."""

    precisions: tuple[Fraction, ...]
    brevity: ExactNumber
    bleu: ExactNumber

    def by_name(self) -> dict[str, ExactNumber]:
        """Give the numbers by the names of what is asked for."""
        precisions = {f"p{order}": value for order, value in enumerate(self.precisions, start=1)}
        return {**precisions, "BP": self.brevity, "BLEU": self.bleu}


def are_same(one: ExactNumber, other: ExactNumber) -> bool:
    """Whether two numbers are equal, but for what floats round."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    return abs(float(one) - float(other)) <= ROUNDING


def work_out_exactly(stats: BleuStats, recipe: BleuRecipe) -> Working:
    """Work out what follows from statistics, by the library's formula; in fractions as far as these go."""
    combination = combine(stats, recipe)
    penalty = _exact_penalty(combination.brevity_penalty)
    # What smoothing gives is a decimal over a total, so this finds the fraction again.
    precisions = tuple(
        Fraction(precision.value or 0.0).limit_denominator(10_000)
        for precision in smooth(stats, recipe.smoothing, recipe.order)
    )
    product = math.prod(precisions, start=Fraction(1))
    root = _exact_root(product, recipe.order) if isinstance(penalty, Fraction) else None
    return Working(precisions, penalty, combination.fraction if root is None else root)


def list_quantities_asked(score: BleuScore) -> tuple[Quantity, ...]:
    """Give the solution: the library's numbers, each with its fraction."""
    terms = score.combination.terms
    floats = [*(term.smoothed or 0.0 for term in terms), score.brevity_penalty, score.fraction]
    numbers = work_out_exactly(score.stats, score.recipe).by_name()
    return tuple(
        Quantity(name, value, number if isinstance(number, Fraction) else None)
        for (name, number), value in zip(numbers.items(), floats, strict=True)
    )


MistakenNumbers = Mapping[str, Mapping[Mistake, tuple[ExactNumber, ...]]]
"""By the name of what is asked for and by mistake, the wrong numbers that come of it."""


def list_mistaken_numbers(texts: ExerciseTexts, score: BleuScore) -> MistakenNumbers:
    """Work out what every usual mistake gives; where it gives the right number, it is none."""
    right = work_out_exactly(score.stats, score.recipe)
    found: dict[str, dict[Mistake, tuple[ExactNumber, ...]]] = {name: {} for name in right.by_name()}
    for mistake, working in _list_workings(texts, score, right):
        for name, number in working.items():
            known = found[name].get(mistake, ())
            if not any(are_same(number, other) for other in (right.by_name()[name], *known)):
                found[name][mistake] = (*known, number)
    return found


def _list_workings(
    texts: ExerciseTexts, score: BleuScore, right: Working
) -> Iterator[tuple[Mistake, Mapping[str, ExactNumber]]]:
    recipe = score.recipe
    for mistake, stats in _count_wrongly(texts, score):
        yield mistake, work_out_exactly(stats, recipe).by_name()
    if recipe.smoothing.kind != "none":
        yield Mistake.NO_SMOOTHING, work_out_exactly(score.stats, recipe.replace(smoothing="none")).by_name()
    if len(texts.candidates) > 1:
        yield Mistake.MEAN_OF_SEGMENTS, _average_segments(texts, recipe)
    for penalty in _turn_round(score.stats):
        yield Mistake.BREVITY_INVERTED, {"BP": penalty, "BLEU": penalty * score.geometric_mean}
    yield from _combine_wrongly(right)


def _count_wrongly(texts: ExerciseTexts, score: BleuScore) -> Iterator[tuple[Mistake, BleuStats]]:
    stats, segments = score.stats, len(texts.candidates)
    lengths = [[len(text.split()) for text in references] for references in texts.references]
    counts = {len(own) for own in lengths}
    plain = Explanation(score).plain_matches
    assert plain is not None
    assert len(counts) == 1
    [references] = counts
    yield Mistake.NO_CLIPPING, stats.replace(matches=plain)
    yield Mistake.SUMMED_CLIPPING, stats.replace(matches=_clip_by_sums(texts, stats.order))
    yield Mistake.LONGEST_REFERENCE, stats.replace(reference_length=sum(map(max, lengths)))
    yield Mistake.SHORTEST_REFERENCE, stats.replace(reference_length=sum(map(min, lengths)))
    yield (
        Mistake.MEAN_REFERENCE,  # a mean is no whole number: both lengths are taken so many times
        stats.replace(
            candidate_length=stats.candidate_length * references, reference_length=sum(map(sum, lengths))
        ),
    )  # fmt: skip
    yield Mistake.NO_BREVITY, stats.replace(reference_length=min(stats.candidate_length, stats.reference_length))
    yield Mistake.TOKENS_AS_TOTALS, stats.replace(totals=(stats.candidate_length,) * stats.order)
    for step in {1, -1, segments, -segments}:
        yield from ((Mistake.MISCOUNTED, wrong) for wrong in _miscount(stats, step))


def _miscount(stats: BleuStats, step: int) -> Iterator[BleuStats]:
    """Count the candidate's n-grams, its tokens, both, or the reference's tokens wrongly."""
    # Nobody has fewer n-grams than matches: an order where all match keeps its total, and the others are miscounted.
    totals = tuple(
        total + step if 0 < total + step >= matches else total
        for total, matches in zip(stats.totals, stats.matches, strict=True)
    )
    length = stats.candidate_length + step
    yield stats.replace(candidate_length=length)
    yield stats.replace(reference_length=stats.reference_length + step)
    yield stats.replace(totals=totals)
    yield stats.replace(totals=totals, candidate_length=length)


def _clip_by_sums(texts: ExerciseTexts, order: int) -> tuple[int, ...]:
    """Count matches with the references of a segment added up."""
    matches = [0] * order
    for candidate, references in zip(*texts, strict=True):
        for place in range(order):
            limits: Counter[Ngram] = Counter()
            for reference in references:
                limits += count_ngrams(reference.split(), place + 1)
            matches[place] += count_matches(count_ngrams(candidate.split(), place + 1), limits)
    return tuple(matches)


def _turn_round(stats: BleuStats) -> list[ExactNumber]:
    """Give what BP becomes with c and r in each other's place, in the power alone, or in the condition, too."""
    own, other = stats.candidate_length, stats.reference_length
    turned: list[ExactNumber] = [math.exp(1 - own / other), _exact_penalty(brevity(other, own))]
    return [*turned, math.exp(other / own - 1)] if own < other else turned


def _average_segments(texts: ExerciseTexts, recipe: BleuRecipe) -> dict[str, ExactNumber]:
    scores = score_segments(texts.candidates, texts.references, recipe)
    workings = [work_out_exactly(score.stats, recipe).by_name() for score in scores]
    return {name: _average([working[name] for working in workings]) for name in workings[0]}


def _average(numbers: Sequence[ExactNumber]) -> ExactNumber:
    exact = [number for number in numbers if isinstance(number, Fraction)]
    if len(exact) == len(numbers):
        return sum(exact, Fraction(0)) / len(exact)
    return math.fsum(numbers) / len(numbers)


def _combine_wrongly(right: Working) -> Iterator[tuple[Mistake, dict[str, ExactNumber]]]:
    """Combine the right precisions with the right penalty in a wrong way."""
    added = sum(right.precisions, Fraction(0))
    yield Mistake.ARITHMETIC_MEAN, {"BLEU": right.brevity * (added / len(right.precisions))}
    yield Mistake.PRECISIONS_ADDED, {"BLEU": right.brevity * added}
    yield Mistake.PRECISIONS_ADDED, {"BLEU": added}
    yield Mistake.NO_ROOT, {"BLEU": right.brevity * math.prod(right.precisions)}


def _exact_penalty(penalty: float) -> ExactNumber:
    return Fraction(1) if penalty == 1.0 else penalty


def _exact_root(power: Fraction, order: int) -> Fraction | None:
    """Find the fraction whose power this is; None where none is."""
    above, below = (round(number ** (1 / order)) for number in (power.numerator, power.denominator))
    root = Fraction(above, below)
    return root if root**order == power else None
