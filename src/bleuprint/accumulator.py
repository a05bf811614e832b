"""The accumulator: a corpus score that grows as text arrives, in batches, processes or machines."""

from __future__ import annotations

import json
from collections.abc import Iterable

from bleuprint.bleu_score import BleuScore
from bleuprint.corpus import ReferenceTexts
from bleuprint.dialect_table import DEFAULT
from bleuprint.engines import count_segments
from bleuprint.errors import BleuprintError, RecipeError, quote
from bleuprint.recipe import Recipe
from bleuprint.segments import Segments, Text, pair_one, pair_segments
from bleuprint.stats import BleuStats, Census

SCHEMA = "bleuprint.accumulator/1"


class Accumulator:
    """Add segments now, ask for the score later; statistics add, so the order and the batches do not matter.

    >>> total = Accumulator(recipe="paper")
    >>> total.add("the cat is on mat", "the cat is on the mat")
    >>> total.add_batch(["a b c d"], [["a b c d"]])
    >>> round(total.score().score, 2)
    73.58
    """

    def __init__(self, recipe: Recipe | str = DEFAULT) -> None:
        self.recipe = Recipe.of(recipe)
        self.stats = BleuStats.zero(self.recipe.counted_order)
        self.census = Census.zero(self.recipe.counted_order)

    def add(self, candidate: Text, references: Text | Iterable[Text | None]) -> None:
        """Add one segment."""
        self._count(pair_one(candidate, references, **self.recipe.text_kind))

    def add_batch(self, candidates: Iterable[Text], references: ReferenceTexts, *, threads: int | None = None) -> None:
        """Add many segments; if one is refused, none is added."""
        self._count(pair_segments(candidates, references, **self.recipe.text_kind), threads)

    def _count(self, segments: Segments, threads: int | None = None) -> None:
        table = count_segments(segments, self.recipe.counting, self.recipe.counted_order, threads)
        self.stats += table.total()
        self.census += table.census()

    def merge(self, other: Accumulator) -> None:
        """Take in what another accumulator of the same recipe has counted."""
        if not isinstance(other, Accumulator) or other.recipe != self.recipe:
            raise RecipeError(
                where="Accumulator.merge",
                wanted=f"an accumulator of {self.recipe}",
                got=str(other.recipe) if isinstance(other, Accumulator) else quote(other),
                next_step="Only counts made by one recipe can be added; build both with the same one.",
            )
        self.stats += other.stats
        self.census += other.census

    def score(self) -> BleuScore:
        """Score everything added so far."""
        if not self.census.segments:
            raise BleuprintError(
                where="Accumulator.score",
                wanted="at least one segment",
                got="none",
                next_step="Add segments with add or add_batch first.",
            )
        return BleuScore(self.stats, self.recipe, census=self.census)

    def to_json(self) -> str:
        """Write the state as JSON, to be read by ``from_json`` anywhere."""
        census = self.census
        state = {
            "schema": SCHEMA,
            "recipe": str(self.recipe),
            "row": self.stats.to_row(),
            "segments": census.segments,
            "short": census.short,
            "empty": [census.empty_candidates, census.empty_references],
        }
        return json.dumps(state)

    @classmethod
    def from_json(cls, text: str) -> Accumulator:
        """Read what ``to_json`` wrote."""
        try:
            state = json.loads(text)
        except (ValueError, TypeError):
            state = None
        if not isinstance(state, dict) or state.get("schema") != SCHEMA:
            raise _refusal(text)
        restored = cls(state.get("recipe", ""))
        order = restored.recipe.counted_order
        numbers = (state.get("row"), [state.get("segments")], state.get("short"), state.get("empty"))
        if not all(map(_are_counts, numbers, (2 + 2 * order, 1, order, 2))):
            raise _refusal(text)
        restored.stats = BleuStats.from_row(state["row"])
        restored.census = Census(state["segments"], tuple(state["short"]), *state["empty"])
        return restored

    def __repr__(self) -> str:
        return f"<Accumulator of {self.census.segments} segments, {self.recipe}>"


def _are_counts(values: object, length: int) -> bool:
    return isinstance(values, list) and len(values) == length and all(type(n) is int and n >= 0 for n in values)


def _refusal(text: str) -> BleuprintError:
    return BleuprintError(
        where="Accumulator.from_json",
        wanted=f"JSON with the schema {SCHEMA}",
        got=quote(text),
        next_step="Give the text as to_json wrote it.",
    )
