"""Exercises: texts whose BLEU is computed by hand, with the solution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, cast

from bleuprint.counting.resampling import MASK
from bleuprint.errors import Location, unknown_name
from bleuprint.findings.explanation import Explanation
from bleuprint.lessons.checking import CheckedAnswer, judge_answer
from bleuprint.lessons.levels import LEVELS, ExerciseLevel
from bleuprint.lessons.sentences import Draws, ExerciseTexts, draw_texts
from bleuprint.lessons.workings import MistakenNumbers, Quantity, list_mistaken_numbers, list_quantities_asked
from bleuprint.numbers import check_whole_number
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score, score_sentence
from bleuprint.views import show

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore

SCHEMA = "bleuprint.exercise/1"
APART = 0.0050001
"""Closer numbers are hard to distinguish with two digits. No two fractions of small numbers are exactly this far apart.
So the last bit of a float decides nothing."""
MOST_ATTEMPTS = 10_000
"""Texts that teach nothing are drawn again. Some dozens of draws were enough for every seed that was tried."""


@dataclass(frozen=True)
class Exercise:
    """Texts, the quantities to compute, and the solution. Prints as a worksheet."""

    seed: int
    level: ExerciseLevel
    candidates: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    @property
    def recipe(self) -> Recipe:
        """The recipe of the paper with the N and the smoothing of the level."""
        return Recipe.named("paper").replace(order=self.level.order, smoothing=self.level.smoothing)

    @cached_property
    def solution(self) -> tuple[Quantity, ...]:
        """The quantities p1 to pN, BP and BLEU, as the library computes them."""
        return list_quantities_asked(self._score)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the quantities."""
        return tuple(quantity.name for quantity in self.solution)

    def check(self, name: str, answer: str) -> CheckedAnswer:
        """Check the answer for a quantity.

        >>> [mistake.happened for mistake in exercise(seed=7, level=2).check("BLEU", "150 %").mistakes]
        ['the precisions, or their percentages, are added']
        """
        return judge_answer(self.find_quantity(name), self.mistaken_numbers[name], answer)

    def find_quantity(self, name: str) -> Quantity:
        """Return a quantity by its name."""
        found = {quantity.name: quantity for quantity in self.solution}
        if name not in found:
            raise unknown_name("quantity", name, found, location=Location("name"))
        return found[name]

    @cached_property
    def mistaken_numbers(self) -> MistakenNumbers:
        """The wrong numbers that usual mistakes give, by quantity and by mistake."""
        return list_mistaken_numbers(ExerciseTexts(self.candidates, self.references), self._score)

    def explain(self) -> Explanation:
        """Explain the score, step by step."""
        return Explanation(self._score)

    def to_dict(self, *, solution: bool = True) -> dict[str, object]:
        """Return the exercise as plain data, with its solution or without; docs/teaching.md describes it."""
        data: dict[str, object] = {
            "schema": SCHEMA,
            "seed": self.seed,
            "level": self.level.number,
            "title": self.level.title,
            "order": self.level.order,
            "smoothing": self.level.smoothing,
            "candidates": list(self.candidates),
            "references": [list(references) for references in self.references],
            "asked": list(self.names),
            "signature": str(self.recipe),
        }
        if solution:
            data["solution"] = {
                name: {"value": value, "fraction": None if exact is None else str(exact)}
                for name, value, exact in self.solution
            }
        return data

    @cached_property
    def _score(self) -> BleuScore:
        recipe = cast("BleuRecipe", self.recipe)
        if len(self.candidates) == 1:
            return score_sentence(self.candidates[0], self.references[0], recipe)
        return score(self.candidates, self.references, recipe)

    @property
    def _teaches(self) -> bool:
        """Whether only the order to smooth is without a match, and every mistake of the level gives another number."""
        matched = [bool(matches) for matches in self._score.stats.matches]
        if matched != [True] * (len(matched) - 1) + [self.level.smoothing == "none"]:
            return False
        if min(len(text.split()) for text in self.candidates) <= self.level.order:
            return False
        mistaken = self.mistaken_numbers["BLEU"]
        if any(mistake not in mistaken for mistake in self.level.brings_out):
            return False
        numbers = [self._score.fraction, *(float(mistaken[mistake][0]) for mistake in self.level.brings_out)]
        return all(abs(one - other) > APART for one, other in combinations(numbers, 2))

    def __str__(self) -> str:
        return show("text", self)


def exercise(seed: int = 1, level: int = 1) -> Exercise:
    """Return the exercise of a seed and a level, the same one on every machine.

    Levels go from 1, one short pair and N = 2, to 6, a small corpus; ``LEVELS`` lists them.

    >>> exercise(seed=7, level=1).candidates
    ('the teacher waited again under the tree',)
    """
    start = check_whole_number("seed", seed, 0, MASK, "Each seed is another exercise.")
    number = check_whole_number(
        "level", level, 1, len(LEVELS), "1 is a short pair of texts, the highest a small corpus."
    )
    chosen, draws = LEVELS[number - 1], Draws(start, number)
    drawn = (Exercise(start, chosen, *draw_texts(draws, chosen)) for _ in range(MOST_ATTEMPTS))
    return next(attempt for attempt in drawn if attempt._teaches)
