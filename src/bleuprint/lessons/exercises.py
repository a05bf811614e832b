"""Exercises: texts to work BLEU out by hand, with the solution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, cast

from bleuprint import views
from bleuprint.counting.resampling import MASK
from bleuprint.errors import BleuprintError, InputTypeError, Location, name_list, nearest, quote
from bleuprint.findings.explanation import Explanation
from bleuprint.lessons.checking import CheckedAnswer, judge_answer
from bleuprint.lessons.levels import LEVELS, ExerciseLevel
from bleuprint.lessons.sentences import Draws, ExerciseTexts, draw_texts
from bleuprint.lessons.workings import MistakenNumbers, Quantity, list_mistaken_numbers, list_quantities_asked
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score, score_sentence
from bleuprint.whole_numbers import as_whole_number

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore

SCHEMA = "bleuprint.exercise/1"
APART = 0.0050001
"""Numbers that lie no farther apart are hard to tell with two digits. No two fractions of small numbers lie exactly so
far apart, so that the last bit of a float decides nothing."""
MOST_ATTEMPTS = 10_000
"""Texts that teach nothing are drawn again; some dozens of draws were enough for every seed that was tried."""


@dataclass(frozen=True)
class Exercise:
    """Texts, what is asked for, and its solution. Prints as a worksheet."""

    seed: int
    level: ExerciseLevel
    candidates: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    @property
    def recipe(self) -> Recipe:
        """How it is scored: as in the paper, with the N and the smoothing of the level."""
        return Recipe.named("paper").replace(order=self.level.order, smoothing=self.level.smoothing)

    @cached_property
    def solution(self) -> tuple[Quantity, ...]:
        """What is asked for, p1 to pN, BP and BLEU, as the library works it out."""
        return list_quantities_asked(self._score)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what is asked for."""
        return tuple(quantity.name for quantity in self.solution)

    def check(self, name: str, answer: str) -> CheckedAnswer:
        """Check the answer to one of the questions; what cannot be read is refused.

        >>> [mistake.happened for mistake in exercise(seed=7, level=2).check("BLEU", "150 %").mistakes]
        ['the precisions, or their percentages, are added']
        """
        self.refuse_unasked(name)
        [quantity] = [quantity for quantity in self.solution if quantity.name == name]
        return judge_answer(quantity, self.mistaken_numbers[name], answer)

    def refuse_unasked(self, name: str) -> None:
        """Refuse the name of something that is not asked for."""
        if name not in self.names:
            raise InputTypeError(
                where="name",
                wanted=name_list(self.names),
                got=quote(name),
                suggestion=nearest(name, self.names),
                next_step="Name what the answer is to.",
            )

    @cached_property
    def mistaken_numbers(self) -> MistakenNumbers:
        """The wrong numbers that usual mistakes give: by what is asked for, and by mistake."""
        return list_mistaken_numbers(ExerciseTexts(self.candidates, self.references), self._score)

    def explain(self) -> Explanation:
        """Explain the score, step by step."""
        return Explanation(self._score)

    def to_dict(self, *, solution: bool = True) -> dict[str, object]:
        """Give the exercise as plain data, with its solution or without; docs/teaching.md describes it."""
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
                quantity.name: {
                    "value": quantity.value,
                    "fraction": None if quantity.exact is None else str(quantity.exact),
                }
                for quantity in self.solution
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
        """Whether no order is without a match but the one to smooth, and every mistake of the level stands out."""
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
        return views.show("text", self)


def exercise(seed: int = 1, level: int = 1) -> Exercise:
    """Make the exercise of a seed and a level, the same one everywhere.

    Levels go from 1, one short pair and N = 2, to 6, a small corpus; ``LEVELS`` lists them.

    >>> exercise(seed=7, level=1).candidates
    ('the teacher waited again under the tree',)
    """
    start, number = as_whole_number(seed), as_whole_number(level)
    if start is None or not 0 <= start <= MASK:
        raise BleuprintError(
            where=Location("seed"),
            wanted="a whole number from 0 to 2^64 - 1",
            got=quote(seed),
            next_step="Every seed gives another exercise.",
        )
    if number is None or not 1 <= number <= len(LEVELS):
        raise BleuprintError(
            where=Location("level"),
            wanted=f"a whole number from 1 to {len(LEVELS)}",
            got=quote(level),
            next_step="1 is one short pair of texts, the highest a small corpus.",
        )
    chosen = LEVELS[number - 1]
    draws = Draws(start, number)
    drawn = (Exercise(start, chosen, *draw_texts(draws, chosen)) for _ in range(MOST_ATTEMPTS))
    return next(attempt for attempt in drawn if attempt._teaches)
