"""What a worksheet and a solution say, the same in every format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from bleuprint.findings.explanation import Explanation
from bleuprint.lessons.exercises import Exercise
from bleuprint.recipes.options import print_number
from bleuprint.wording import count_of, join_words

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import NgramEvidence, SegmentEvidence
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore

WORKSHEET, SOLUTION = "worksheet", "solution"
EXERCISE_PARTS = (WORKSHEET, SOLUTION)
SOLUTION_TITLE = "Solution"
BREVITY_RULE = "BP = 1 if c ≥ r, else e^(1 − r/c)"


class NamedText(NamedTuple):
    """A text of the exercise with its name."""

    name: str
    text: str
    begins: bool = False
    """whether it is the first of its segment"""


def title_of(exercise: Exercise) -> str:
    """Name the exercise, so that it can be made again."""
    return f"BLEU by hand: {exercise.level.title} (level {exercise.level.number}, seed {exercise.seed})"


def list_texts(exercise: Exercise) -> list[NamedText]:
    """List the texts in the order in which they are read."""
    found = []
    alone = len(exercise.candidates) == 1
    for number, (candidate, references) in enumerate(
        zip(exercise.candidates, exercise.references, strict=True), start=1
    ):
        end = "" if alone else f", segment {number}"
        found.append(NamedText(f"Candidate{end}", candidate, begins=True))
        single = len(references) == 1
        for place, text in enumerate(references, start=1):
            found.append(NamedText(f"Reference{'' if single else f' {place}'}{end}", text))
    return found


def list_rules(exercise: Exercise) -> list[str]:
    """Say what to do, as far as the level needs it."""
    level = exercise.level
    asked = join_words(exercise.names)
    rules = [
        f"Work out {asked} of the candidate{'s' if level.segments > 1 else ''}, with N = {level.order}. "
        "Tokens are the words between spaces.",
    ]
    if level.segments > 1:
        rules.append(f"The {count_of(level.segments, 'segment')} are one corpus.")
    if level.references > 1:
        rules.append("r is the length of the reference closest to the candidate's, the shorter one on a tie.")
    value = _smoothing_value(exercise)
    if value is not None:
        rules.append(f"An order without a match gets p = {value} / (number of its n-grams).")
    return [*rules, f"{BREVITY_RULE}; {bleu_rule(exercise)}."]


def bleu_rule(exercise: Exercise) -> str:
    """Write the formula of BLEU for the level's N."""
    precisions = " · ".join(f"p{order}" for order in range(1, exercise.level.order + 1))
    return f"BLEU = BP · ({precisions})^(1/{exercise.level.order})"


def _smoothing_value(exercise: Exercise) -> str | None:
    """Print what smoothing puts in place of no matches, where it puts anything."""
    value = cast("BleuRecipe", exercise.recipe).smoothing.value
    return None if value is None else print_number(value)


ANSWER_HINT = "Answers may be fractions (5/6), decimals (0.83) or percent (83.3 %)."


class OrderStep(NamedTuple):
    """How one order is counted."""

    order: int
    matches: int
    total: int
    used: str
    """what stands above the line: the matches, or what smoothing puts in their place"""
    counted: str


def score_of(exercise: Exercise) -> BleuScore:
    """Give the score of the solution."""
    return cast("BleuScore", exercise.explain().score)


def tell_orders(exercise: Exercise) -> list[OrderStep]:
    """Say for each order what is counted."""
    stats = score_of(exercise).stats
    value = _smoothing_value(exercise)
    return [
        OrderStep(order, matches, total, str(matches) if matches or value is None else value, _tell(exercise, order))
        for order, (matches, total) in enumerate(zip(stats.matches, stats.totals, strict=True), start=1)
    ]


def _tell(exercise: Exercise, order: int) -> str:
    """Say which n-grams count, and which do not."""
    told = [_tell_segment(one, order) for one in _segments_of(exercise.explain())]
    if len(told) == 1:
        return f"{told[0]}."
    return " ".join(f"Segment {number}: {words}." for number, words in enumerate(told, start=1))


def _segments_of(explanation: Explanation) -> list[SegmentEvidence]:
    ones = [explanation] if explanation.segments is None else explanation.segments
    return [cast("SegmentEvidence", one.evidence) for one in ones]


def _tell_segment(evidence: SegmentEvidence, order: int) -> str:
    own = [ngram for ngram in evidence.ngrams_of(order) if ngram.count]
    counted = _name([(ngram, ngram.matches) for ngram in own if ngram.matches])
    clipped = _name([(ngram, ngram.clipped) for ngram in own if ngram.clipped])
    missing = _name([(ngram, ngram.count) for ngram in own if not ngram.clip])
    parts = {"counted": counted or "none", "clipped": clipped, "in no reference": missing}
    return "; ".join(f"{kind}: {names}" for kind, names in parts.items() if names)


def _name(ngrams: Sequence[tuple[NgramEvidence, int]]) -> str:
    return ", ".join(
        f"“{' '.join(map(str, ngram.ngram))}”" + (f" ×{times}" if times > 1 else "") for ngram, times in ngrams
    )


def list_steps(exercise: Exercise) -> list[str]:
    """Work the solution out, one line for each quantity."""
    stats, known = score_of(exercise).stats, {quantity.name: quantity for quantity in exercise.solution}
    lines = []
    for step in tell_orders(exercise):
        quantity = known[f"p{step.order}"]
        fractions = dict.fromkeys([f"{step.used}/{step.total}", str(quantity.exact)])
        lines.append(f"p{step.order} = {' = '.join([*fractions, quantity.decimal])}")
    c, r = stats.candidate_length, stats.reference_length
    if c >= r:
        lines.append(f"c = {c} ≥ r = {r}, so BP = 1")
    else:
        lines.append(f"c = {c} < r = {r}, so BP = e^(1 − {r}/{c}) = {known['BP'].decimal}")
    precisions = " · ".join(str(known[name].exact) for name in exercise.names[:-2])
    values = f"{known['BP'].decimal} · ({precisions})^(1/{exercise.level.order})"
    lines.append(f"{bleu_rule(exercise)} = {values} = {known['BLEU'].decimal}")
    return lines
