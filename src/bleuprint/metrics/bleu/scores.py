"""The score: a number that carries its statistics, its recipe and its reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from bleuprint.advice import Advice
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.errors import BleuprintError, RecipeError, quote
from bleuprint.metrics.bleu.formula import Combination, combine, tool_stops
from bleuprint.metrics.bleu.notes import Note, Scored, note_skipped, statistics_notes
from bleuprint.metrics.bleu.recipe import Recipe, uniform_weights
from bleuprint.metrics.bleu.stats import BleuStats, Census
from bleuprint.text.faults import Faults
from bleuprint.text.segments import Segments, Text
from bleuprint.wording import NLTK_STOPS, count_of, format_score

TextNotes = Callable[[Segments, "BleuScore"], Sequence[Note]]


class BleuScore:
    """One BLEU score, of a segment, a document or a corpus.

    ``score`` is on 0 to 100, ``fraction`` on 0 to 1; ``precisions`` are matches / totals, ``smoothed_precisions`` what
    the formula used; ``skipped`` tells of rows of a table that were left out. Equal statistics under equal recipes are
    equal scores.
    """

    def __init__(
        self,
        stats: BleuStats,
        recipe: Recipe | str,
        *,
        level: str = "corpus",
        census: Census | None = None,
        table: StatsTable | None = None,
        segments: Segments | None = None,
        text_notes: TextNotes | None = None,
        skipped: Faults | None = None,
    ) -> None:
        self.recipe = Recipe.of(recipe)
        if stats.order < self.recipe.counted_order:
            raise BleuprintError(
                where="BleuScore",
                wanted=f"statistics up to order {self.recipe.counted_order}, as the recipe says",
                got=f"order {stats.order}",
                next_step="Count again with this recipe, or choose a smaller order.",
            )
        if self.recipe.is_for_one_segment and census and census.segments > 1:
            raise RecipeError(
                where=f"recipe, smoothing {self.recipe.smoothing}",
                wanted="one segment: on a corpus NLTK looks at the last one only, so that no sums give its number",
                got=count_of(census.segments, "segment"),
                next_step=Advice.SCORE_SEGMENTS,
            )
        highest = self.recipe.counted_order
        self.stats = stats if stats.order == highest else stats.up_to(highest)
        self.level = level
        self._census = census
        self._fraction: float | None = None
        self.table = table
        self.segments = segments
        self._text_notes = text_notes
        self.skipped = skipped or Faults()

    @property
    def census(self) -> Census:
        """How many segments there were, and how many of them are short or empty."""
        if self._census is None:
            self._census = Census.of_segment(self.stats) if self.level == "segment" else Census(1, (0,) * self.order)
        return self._census

    @cached_property
    def combination(self) -> Combination:
        """Everything the formula computed."""
        return combine(self.stats, self.recipe)

    @property
    def score(self) -> float:
        """BLEU on 0 to 100."""
        return 100.0 * self.fraction

    @property
    def fraction(self) -> float:
        """BLEU on 0 to 1."""
        if self._fraction is None:
            self._fraction = self.combination.fraction
        return self._fraction

    @property
    def tool_stops(self) -> bool:
        """Whether the tool that the recipe stands for stops with an error here, so that the 0 is ours, not its."""
        return tool_stops(self.stats, self.recipe)

    @property
    def printed(self) -> str:
        """The score with two decimals, or the words that NLTK stops."""
        return NLTK_STOPS if self.tool_stops else format_score(self.score)

    @property
    def precisions(self) -> tuple[float, ...]:
        """Clipped precision per order as counted, on 0 to 1; 0 for an order without n-grams."""
        return tuple(term.precision for term in self.combination.terms)

    @property
    def smoothed_precisions(self) -> tuple[float | None, ...]:
        """The precision per order that the formula used; None where an order was left out."""
        return tuple(term.smoothed for term in self.combination.terms)

    @property
    def brevity_penalty(self) -> float:
        """What the length takes: 1 for nothing."""
        return self.combination.brevity_penalty

    @property
    def geometric_mean(self) -> float:
        """The weighted geometric mean of the smoothed precisions."""
        return self.combination.geometric_mean

    @property
    def order(self) -> int:
        """The highest n-gram order N."""
        return self.recipe.order

    @property
    def label(self) -> str:
        """``BLEU-4`` for N = 4."""
        return f"BLEU-{self.order}"

    @property
    def signature(self) -> str:
        """The recipe in one line, to be printed beside the number."""
        return str(self.recipe)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Why this score is not what one may have expected; computed when read."""
        scored = Scored(self.stats, self.recipe, self.combination, self.census, self.level)
        notes = [*note_skipped(self.skipped), *statistics_notes(scored)]
        if self._text_notes and self.segments is not None:
            notes.extend(self._text_notes(self.segments, self))
        return tuple(notes)

    def at_order(self, order: int) -> BleuScore:
        """Give BLEU-n for a smaller n from the same statistics, with equal weights."""
        weights = uniform_weights(order)
        if order > self.order:
            raise BleuprintError(
                where="at_order",
                wanted=f"one of the orders 1 to {self.order}, which were counted",
                got=quote(order),
                next_step=f"Score again with recipe.replace(order={order}).",
            )
        return self._under(self.recipe.replace(weights=weights))

    def _under(self, recipe: Recipe) -> BleuScore:
        return BleuScore(
            self.stats, recipe, level=self.level, census=self.census, table=self.table,
            segments=self.segments, text_notes=self._text_notes, skipped=self.skipped,
        )  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """Give the score as plain data."""
        return {
            "schema": "bleuprint.score/1",
            "score": self.score,
            "fraction": self.fraction,
            "label": self.label,
            "level": self.level,
            "precisions": list(self.precisions),
            "smoothed_precisions": list(self.smoothed_precisions),
            "brevity_penalty": self.brevity_penalty,
            "geometric_mean": self.geometric_mean,
            "matches": list(self.stats.matches),
            "totals": list(self.stats.totals),
            "candidate_length": self.stats.candidate_length,
            "reference_length": self.stats.reference_length,
            "segments": self.census.segments,
            "signature": self.signature,
            "notes": [note._asdict() for note in self.notes],
        }

    def summary(self) -> str:
        """One line: the score, its parts and its signature."""
        parts = "/".join("–" if p is None else f"{100 * p:.1f}" for p in self.smoothed_precisions)
        stats = self.stats
        return (
            f"{self.label} = {self.printed} "
            f"({parts}, BP = {self.brevity_penalty:.3f}, candidate {stats.candidate_length}, "
            f"reference {stats.reference_length}) {self.signature}"
        )

    def __str__(self) -> str:
        return "\n".join([self.summary(), *(f"  note: {note}" for note in self.notes)])

    def __repr__(self) -> str:
        return f"<{self.label} {self.printed}>"

    def __float__(self) -> float:
        return self.score

    def __format__(self, spec: str) -> str:
        return format(self.score, spec) if spec else str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BleuScore) and (self.stats, self.recipe) == (other.stats, other.recipe)

    def __hash__(self) -> int:
        return hash((self.stats, self.recipe))

    def __copy__(self) -> BleuScore:
        return self

    def __deepcopy__(self, _memory: object) -> BleuScore:
        return self

    def __getstate__(self) -> dict[str, object]:
        """Pickle the numbers and the notes, not the texts."""
        kept = {"stats": self.stats, "notes": self.notes, "table": None, "segments": None, "_text_notes": None}
        return {**self.__dict__, **kept}


def score_sums(sums: Sums[BleuStats], recipe: Recipe, **kept: Any) -> BleuScore:
    """Score what was added up; ``kept`` is what the score keeps beside its numbers."""
    return BleuScore(
        sums.stats, recipe, census=Census.from_numbers(sums.census), skipped=sums.skipped, **kept
    )  # fmt: skip


class SegmentScore(BleuScore):
    """The score of one segment that an engine counted and scored in one call; the rest is made when it is asked for."""

    level = "segment"
    table = None
    _census = None
    skipped = Faults()

    def __init__(
        self,
        candidate: Text,
        scored: tuple[tuple[int, ...], float, tuple[str, ...]],
        recipe: Recipe,
        text_notes: TextNotes,
    ) -> None:
        self.recipe = recipe
        self._candidate = candidate
        self._row, self._fraction, self._references = scored
        self._text_notes = text_notes

    def __getattr__(self, name: str) -> Any:
        made: object
        if name == "stats":
            made = BleuStats.from_row(self._row)
        elif name == "segments":
            made = Segments([self._candidate], [self._references])
        else:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.__dict__[name] = made
        return made

    def __getstate__(self) -> dict[str, object]:
        """Pickle the numbers and the notes, not the texts."""
        return {**super().__getstate__(), "_candidate": None, "_references": None}
