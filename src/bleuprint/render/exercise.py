"""Exercises as blocks: the worksheet, with room for answers, and the solution, step by step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from bleuprint.lessons.exercises import Exercise
from bleuprint.recipes.options import print_number
from bleuprint.render.blocks import (
    DOCUMENT,
    Block,
    Formula,
    Heading,
    Item,
    Items,
    Paragraph,
    Table,
    bullets,
    numbers,
    texts,
)
from bleuprint.wording import count_of, join_words

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import NgramEvidence, SegmentEvidence
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore

WORKSHEET, SOLUTION = "worksheet", "solution"
EXERCISE_PARTS = (WORKSHEET, SOLUTION)
SOLUTION_TITLE = "Solution"
BREVITY_RULE = "BP = 1 if c ≥ r, else e^(1 − r/c)"
ANSWER_HINT = "Answers may be fractions (5/6), decimals (0.83) or percent (83.3 %)."
ROOM = "____________"


def build_exercise(exercise: Exercise, parts: Collection[str] = (WORKSHEET,)) -> Iterator[Block]:
    """Show the worksheet, the solution, or both."""
    yield Heading(title_of(exercise), level=DOCUMENT)
    if WORKSHEET in parts:
        yield from map(Paragraph, list_rules(exercise))
        yield Formula(BREVITY_RULE)
        yield Formula(bleu_rule(exercise))
        yield Items([Item(named.text, named.name) for named in list_texts(exercise)])
        yield Paragraph(ANSWER_HINT)
        yield from (Items([Item(f"= {ROOM}", name)]) for name in exercise.names)
    if SOLUTION in parts:
        yield Heading(SOLUTION_TITLE, level=DOCUMENT)
        rows = [
            (quantity.name, "" if quantity.exact is None else str(quantity.exact), quantity.decimal)
            for quantity in exercise.solution
        ]
        yield Table([*texts("asked"), *numbers("fraction", "decimal")], rows)
        yield from bullets(count_orders(exercise))
        yield from map(Formula, list_steps(exercise))


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
    return rules


def bleu_rule(exercise: Exercise) -> str:
    """Write the formula of BLEU for the level's N."""
    precisions = " · ".join(f"p{order}" for order in range(1, exercise.level.order + 1))
    return f"BLEU = BP · ({precisions})^(1/{exercise.level.order})"


def _smoothing_value(exercise: Exercise) -> str | None:
    """Print what smoothing puts in place of no matches, where it puts anything."""
    value = cast("BleuRecipe", exercise.recipe).smoothing.value
    return None if value is None else print_number(value)


def score_of(exercise: Exercise) -> BleuScore:
    """Return the score of the solution."""
    return cast("BleuScore", exercise.explain().score)


def count_orders(exercise: Exercise) -> list[str]:
    """Say for each order which n-grams count, and which do not."""
    explanation = exercise.explain()
    segments = [cast("SegmentEvidence", one.evidence) for one in explanation.segments or [explanation]]
    lines = []
    for order in range(1, exercise.level.order + 1):
        counted = [_count_segment(segment, order) for segment in segments]
        if len(counted) > 1:
            counted = [f"Segment {number}: {words}" for number, words in enumerate(counted, start=1)]
        lines.append(f"{order}-grams: {'. '.join(counted)}.")
    return lines


def _count_segment(evidence: SegmentEvidence, order: int) -> str:
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
    lines, smoothed = [], _smoothing_value(exercise)
    for order, (matches, total) in enumerate(zip(stats.matches, stats.totals, strict=True), start=1):
        quantity = known[f"p{order}"]
        used = matches or smoothed or "0"
        fractions = dict.fromkeys([f"{used}/{total}", str(quantity.exact)])
        lines.append(f"p{order} = {' = '.join([*fractions, quantity.decimal])}")
    c, r = stats.candidate_length, stats.reference_length
    if c >= r:
        lines.append(f"c = {c} ≥ r = {r}, so BP = 1")
    else:
        lines.append(f"c = {c} < r = {r}, so BP = e^(1 − {r}/{c}) = {known['BP'].decimal}")
    precisions = " · ".join(str(known[name].exact) for name in exercise.names[:-2])
    values = f"{known['BP'].decimal} · ({precisions})^(1/{exercise.level.order})"
    lines.append(f"{bleu_rule(exercise)} = {values} = {known['BLEU'].decimal}")
    return lines
