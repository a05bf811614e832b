"""The score: a number that carries its statistics, its recipe and its reasons, under any metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.errors import InputTypeError, RecipeError, quote
from bleuprint.metrics.note import Note, note_skipped
from bleuprint.metrics.part import Part
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.recipes.signatures import check_label
from bleuprint.text.faults import NO_FAULTS, Faults
from bleuprint.text.segments import Segments
from bleuprint.views import show
from bleuprint.wording import NLTK_STOPS, format_score

if TYPE_CHECKING:
    from typing import TypedDict

    from bleuprint.metrics.bleu.scores import BleuScore
    from bleuprint.metrics.chrf.scores import ChrfScore
    from bleuprint.metrics.metric import Metric
    from bleuprint.metrics.ter.scores import TerScore

TextNotes = Callable[[Segments, Any], Sequence[Note]]
"""Writes the notes that need the texts."""


if TYPE_CHECKING:

    class Kept(TypedDict, total=False):
        """What a score keeps beside its recipe and its statistics, of which type checkers are told metric by metric."""

        level: str
        census: Any
        table: StatsTable[Any] | None
        segments: Segments | None
        text_notes: TextNotes | None
        skipped: Faults | None


class Score:
    """One score, of a segment, a document or a corpus.

    ``score`` is on 0 to 100, ``fraction`` on 0 to 1; ``skipped`` tells of rows of data that were left out. A score
    compares, rounds and reckons like its number; ``==`` means equal statistics under equal recipes. It never
    changes.
    """

    recipe: Recipe
    level: str
    table: StatsTable[Any] | None
    segments: Segments | None
    skipped: Faults
    testset: str = ""
    """the name of the test set and a hash of its references, as signatures have them; empty where nobody said it"""
    _recipe_type: ClassVar[type[Recipe]] = Recipe
    """which recipes such a score can be computed by"""
    _stats_type: ClassVar[type] = object
    """what its numbers are"""
    _text_notes: TextNotes | None
    _sums: Sums[Any] | None = None
    """what the score was made of, where it was not made of statistics and a census themselves"""

    def __init__(
        self,
        stats: Any,
        recipe: Recipe | str,
        *,
        level: str = "corpus",
        census: Any = None,
        table: StatsTable[Any] | None = None,
        segments: Segments | None = None,
        text_notes: TextNotes | None = None,
        skipped: Faults | None = None,
    ) -> None:
        wanted = Recipe.of(recipe)
        if not isinstance(wanted, self._recipe_type):
            raise RecipeError(
                where=type(self).__name__,
                wanted=f"a recipe of {find_metric(self._recipe_type.metric_key).name}",
                got=str(wanted),
                next_step="Score with that recipe.",
            )
        if not isinstance(stats, self._stats_type):
            raise InputTypeError(
                where=type(self).__name__,
                wanted=self._stats_type.__name__,
                got=quote(stats),
                next_step=f"score.stats has them, and {self._stats_type.__name__}.from_row(row) reads a row.",
            )
        self.__dict__.update(
            stats=self._fit(stats, wanted), recipe=wanted, level=level, table=table, segments=segments,
            _text_notes=text_notes, skipped=NO_FAULTS if skipped is None else skipped,
        )  # fmt: skip
        if census is not None:
            self._check_segments(census.segments, wanted)
            self.__dict__["census"] = census

    @classmethod
    def of_sums(
        cls,
        sums: Sums[Any],
        recipe: Recipe,
        *,
        level: str = "corpus",
        table: StatsTable[Any] | None = None,
        segments: Segments | None = None,
        text_notes: TextNotes | None = None,
    ) -> Self:
        """Score what was added up; its numbers get their names when somebody reads them."""
        if sums.layout.order != recipe.layout.order:
            cls._check_order(sums.layout.order, recipe)
        if recipe.is_for_one_segment:
            cls._check_segments(sums.segments, recipe)
        made = object.__new__(cls)
        made.__dict__.update(
            recipe=recipe, level=level, table=table, segments=segments, _text_notes=text_notes, skipped=sums.skipped,
            _sums=sums,
        )  # fmt: skip
        return made

    @classmethod
    def _fit(cls, stats: Any, recipe: Any) -> Any:
        """Refuse statistics of another order, and leave out what the recipe does not need."""
        return stats

    @classmethod
    def _check_order(cls, order: int, recipe: Any) -> None:
        """Refuse statistics of another order, unless what the recipe needs is part of them."""

    @classmethod
    def _check_segments(cls, segments: int, recipe: Any) -> None:
        """Refuse sums of so many segments, where a recipe is for one."""

    @cached_property
    def stats(self) -> Any:
        """The whole numbers that the score is made of."""
        return self._added_up().stats

    @cached_property
    def census(self) -> Any:
        """How many segments there were (``census.segments``), and how many of them are a reason for a note."""
        return self.metric.read_census(self._sums.census) if self._sums else self._take_census()

    def _added_up(self) -> Sums[Any]:
        if self._sums is None:
            raise AttributeError("a score is made of sums, or of statistics")
        return self._sums

    def _take_census(self) -> Any:
        """Count of one segment, or of sums of which nobody said more, what a census tells."""
        raise NotImplementedError

    @property
    def metric(self) -> Metric:
        """The metric that the score is of."""
        return self.recipe.metric

    @property
    def score(self) -> float:
        """The score on 0 to 100."""
        return 100.0 * self.fraction

    @property
    def fraction(self) -> float:
        """The score on 0 to 1."""
        raise NotImplementedError

    @property
    def stops_because(self) -> str:
        """Why the tool that the recipe stands for stops with an error here, instead of giving a 0; else empty."""
        return ""

    @property
    def tool_stops(self) -> bool:
        """Whether the tool that the recipe stands for stops with an error here, so that the 0 is ours, not its."""
        return bool(self.stops_because)

    @property
    def printed(self) -> str:
        """The score with two decimals, or the words that NLTK stops."""
        return NLTK_STOPS if self.tool_stops else format_score(self.score)

    @property
    def label(self) -> str:
        """What the score is called, such as ``BLEU-4``."""
        return self.recipe.label

    @property
    def signature(self) -> str:
        """The recipe in one line, to be printed beside the number, and the test set where it has a name."""
        return self.recipe.signature_on(self.testset)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Why this score is not what one may have expected; computed when read."""
        notes = [] if self.skipped is NO_FAULTS else note_skipped(self.skipped)
        notes += self.statistics_notes
        if self._text_notes and self.segments is not None:
            notes.extend(self._text_notes(self.segments, self))
        return tuple(notes)

    @cached_property
    def statistics_notes(self) -> list[Note]:
        """The notes that the statistics alone give reason for."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple[Part, ...]:
        """The numbers that the score is made of, as grids show them beside it."""
        raise NotImplementedError

    @property
    def closer_parts(self) -> tuple[Part, ...]:
        """The same where there is room for more: digits, shares and ratios."""
        return self.parts

    @property
    def quantities(self) -> dict[str, float]:
        """The numbers between the statistics and the score, by the names that files give their columns."""
        return {}

    @property
    def counts(self) -> dict[str, float]:
        """The statistics, by the names that files give their columns."""
        return dict(zip(self.recipe.layout.columns, self.metric.in_words(self.stats.to_row()), strict=True))

    def with_texts(self, segments: Segments | None, table: StatsTable[Any] | None) -> Score:
        """Give the same score, with the texts and the counts of its segments at hand."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, segments=segments, table=table)
        return copy

    def on_testset(self, label: str) -> Self:
        """Give the same score, whose signature says which test set it is on; without a label it stays as it is."""
        if label == "":
            return self
        check_label(label)
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, testset=label)
        return copy

    def summary(self) -> str:
        """One line: the score, its parts and its signature."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, object]:
        """Give the score as plain data."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join([self.summary(), *(f"  note: {note.text}" for note in self.notes)])

    def __repr__(self) -> str:
        return f"<{self.label} {self.printed}>"

    def __float__(self) -> float:
        return self.score

    def __format__(self, spec: str) -> str:
        return format(self.score, spec) if spec else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(self.score, digits)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return (self.stats, self.recipe) == (other.stats, other.recipe)

    def __hash__(self) -> int:
        return hash((self.stats, self.recipe))

    def __lt__(self, other: Score | float) -> bool:
        number = self._number(other)
        return NotImplemented if number is None else self.score < number

    def __le__(self, other: Score | float) -> bool:
        number = self._number(other)
        return NotImplemented if number is None else self.score <= number

    def __gt__(self, other: Score | float) -> bool:
        number = self._number(other)
        return NotImplemented if number is None else self.score > number

    def __ge__(self, other: Score | float) -> bool:
        number = self._number(other)
        return NotImplemented if number is None else self.score >= number

    def __add__(self, other: Score | float) -> float:
        number = self._number(other)
        return NotImplemented if number is None else self.score + number

    def __radd__(self, other: float) -> float:
        return self.__add__(other)

    def __sub__(self, other: Score | float) -> float:
        number = self._number(other)
        return NotImplemented if number is None else self.score - number

    def __rsub__(self, other: float) -> float:
        number = self._number(other)
        return NotImplemented if number is None else number - self.score

    def __mul__(self, other: Score | float) -> float:
        number = self._number(other)
        return NotImplemented if number is None else self.score * number

    def __rmul__(self, other: float) -> float:
        return self.__mul__(other)

    def __truediv__(self, other: Score | float) -> float:
        """Divide, as numpy's mean of a single score does: a sum of several is a bare number already."""
        number = self._number(other)
        return NotImplemented if number is None else self.score / number

    def __rtruediv__(self, other: float) -> float:
        number = self._number(other)
        return NotImplemented if number is None else number / self.score

    def __neg__(self) -> float:
        return -self.score

    def __int__(self) -> int:
        return int(self.score)

    def _number(self, other: object) -> float | None:
        """Give the number to compare with; scores of different metrics have nothing in common."""
        if isinstance(other, Score):
            if other.metric is not self.metric:
                raise InputTypeError(
                    where="score",
                    wanted=f"another score of {self.metric.name}",
                    got=f"one of {other.metric.name}",
                    next_step="Numbers of different metrics cannot be compared; float(score) gives the bare number.",
                )
            return other.score
        if isinstance(other, int):  # as it is: Python orders those that no float holds, too
            return None if isinstance(other, bool) else other
        from numbers import Real

        return float(other) if isinstance(other, Real) else None

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"a score never changes: its {name} is what it was scored with")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a score never changes: it keeps its {name}")

    def __copy__(self) -> Score:
        return self

    def __deepcopy__(self, _memory: object) -> Score:
        return self

    def __getstate__(self) -> dict[str, object]:
        """Pickle the numbers and the notes, not the texts."""
        kept = {"stats": self.stats, "census": self.census, "notes": self.notes}
        return {**self.__dict__, **kept, "table": None, "segments": None, "_text_notes": None, "_sums": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _repr_html_(self) -> str:
        return show("html", self)


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    AnyScore: TypeAlias = BleuScore | ChrfScore | TerScore
    OneScore = TypeVar("OneScore", bound=Score, default=AnyScore, covariant=True)
else:
    from typing import TypeVar

    AnyScore = Score
    OneScore = TypeVar("OneScore", covariant=True)
"""The score of a metric that only the recipe tells, and that of one metric: type checkers know of each what it has."""
