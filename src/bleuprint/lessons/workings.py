"""The numbers of an exercise: the right ones, and those of every usual mistake.

A mistake in counting is the right formula on wrong statistics. A mistake in combining is a wrong formula on right ones.
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
"""A fraction if the number is one, else a float."""
ROUNDING = 1e-12
"""Numbers farther apart are different."""


class Quantity(NamedTuple):
    """A number of an exercise: its name (``p1`` …, ``BP``, ``BLEU``), its value on 0 to 1, and its fraction if any."""

    name: str
    value: float
    exact: Fraction | None

    @property
    def decimal(self) -> str:
        """The value with four decimals."""
        return format_fraction(self.value)

    def __str__(self) -> str:
        return f"{self.name} = {self.decimal if self.exact is None else self.exact}"


def are_same(one: ExactNumber, other: ExactNumber) -> bool:
    """Whether two numbers are equal except for rounding errors."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    return abs(float(one) - float(other)) <= ROUNDING


def work_out_exactly(stats: BleuStats, recipe: BleuRecipe) -> dict[str, ExactNumber]:
    """Compute p1 to pN, BP and BLEU from statistics by the library's formula, as fractions if possible."""
    combination = combine(stats, recipe)
    # The library's precision is a decimal over a total, so this finds the fraction again.
    precisions = [
        Fraction(precision.value or 0.0).limit_denominator(10_000)
        for precision in smooth(stats, recipe.smoothing, recipe.order)
    ]
    penalty = _exact_penalty(combination.brevity_penalty)
    root = _exact_root(math.prod(precisions, start=Fraction(1)), recipe.order) if penalty == 1 else None
    bleu = combination.fraction if root is None else root
    return {**{f"p{order}": value for order, value in enumerate(precisions, start=1)}, "BP": penalty, "BLEU": bleu}


def list_quantities_asked(score: BleuScore) -> tuple[Quantity, ...]:
    """Return the solution: the library's numbers, each with its fraction."""
    terms = score.combination.terms
    floats = [*(term.smoothed or 0.0 for term in terms), score.brevity_penalty, score.fraction]
    numbers = work_out_exactly(score.stats, score.recipe)
    return tuple(
        Quantity(name, value, number if isinstance(number, Fraction) else None)
        for (name, number), value in zip(numbers.items(), floats, strict=True)
    )


MistakenNumbers = Mapping[str, Mapping[Mistake, tuple[ExactNumber, ...]]]
"""By the name of the quantity and by mistake, the wrong numbers."""


def list_mistaken_numbers(texts: ExerciseTexts, score: BleuScore) -> MistakenNumbers:
    """Compute the numbers of every usual mistake, except those that are right nevertheless."""
    right = work_out_exactly(score.stats, score.recipe)
    found: dict[str, dict[Mistake, tuple[ExactNumber, ...]]] = {name: {} for name in right}
    for mistake, numbers in _list_workings(texts, score, right):
        for name, number in numbers.items():
            known = found[name].get(mistake, ())
            if not any(are_same(number, other) for other in (right[name], *known)):
                found[name][mistake] = (*known, number)
    return found


def _list_workings(
    texts: ExerciseTexts, score: BleuScore, right: Mapping[str, ExactNumber]
) -> Iterator[tuple[Mistake, Mapping[str, ExactNumber]]]:
    recipe = score.recipe
    for mistake, stats in _count_wrongly(texts, score):
        yield mistake, work_out_exactly(stats, recipe)
    if recipe.smoothing.kind != "none":
        yield Mistake.NO_SMOOTHING, work_out_exactly(score.stats, recipe.replace(smoothing="none"))
    if len(texts.candidates) > 1:
        segments = score_segments(texts.candidates, texts.references, recipe)
        workings = [work_out_exactly(segment.stats, recipe) for segment in segments]
        yield Mistake.MEAN_OF_SEGMENTS, {name: _average([working[name] for working in workings]) for name in right}
    own, other = score.stats.candidate_length, score.stats.reference_length
    # c and r are exchanged in the power, in the condition as well, or in the power of the other case
    turned = [math.exp(1 - own / other), _exact_penalty(brevity(other, own))]
    for penalty in [*turned, math.exp(other / own - 1)] if own < other else turned:
        yield Mistake.BREVITY_INVERTED, {"BP": penalty, "BLEU": penalty * score.geometric_mean}
    *precisions, penalty, _ = right.values()
    added = sum(precisions)
    yield Mistake.ARITHMETIC_MEAN, {"BLEU": penalty * (added / len(precisions))}
    yield Mistake.PRECISIONS_ADDED, {"BLEU": penalty * added}
    yield Mistake.PRECISIONS_ADDED, {"BLEU": added}
    yield Mistake.NO_ROOT, {"BLEU": penalty * math.prod(precisions)}


def _count_wrongly(texts: ExerciseTexts, score: BleuScore) -> Iterator[tuple[Mistake, BleuStats]]:
    stats, segments = score.stats, len(texts.candidates)
    lengths = [[len(text.split()) for text in references] for references in texts.references]
    references = len(lengths[0])
    yield Mistake.NO_CLIPPING, stats.replace(matches=Explanation(score).plain_matches)
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
    """Miscount the candidate's n-grams, its tokens, both, or the reference's tokens."""
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
        for n in range(1, order + 1):
            limits: Counter[Ngram] = Counter()
            for reference in references:
                limits += count_ngrams(reference.split(), n)
            matches[n - 1] += count_matches(count_ngrams(candidate.split(), n), limits)
    return tuple(matches)


def _average(numbers: Sequence[ExactNumber]) -> ExactNumber:
    exact = [number for number in numbers if isinstance(number, Fraction)]
    if len(exact) == len(numbers):
        return sum(exact, Fraction(0)) / len(exact)
    return math.fsum(numbers) / len(numbers)


def _exact_penalty(penalty: float) -> ExactNumber:
    return Fraction(1) if penalty == 1.0 else penalty


def _exact_root(power: Fraction, order: int) -> Fraction | None:
    """Return the fraction whose power this is, or None."""
    above, below = (round(number ** (1 / order)) for number in (power.numerator, power.denominator))
    root = Fraction(above, below)
    return root if root**order == power else None
