"""The score: a number that carries its statistics, its recipe and its notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.errors import BleuprintError, Location, RecipeError, quote, wrong_type
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.recipes.signatures import check_label
from bleuprint.text.faults import NO_FAULTS, Faults
from bleuprint.text.segments import Segments, Text
from bleuprint.views import show
from bleuprint.wording import NLTK_STOPS, count_of, format_score

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.score import BleuScore
    from bleuprint.metrics.chrf.score import ChrfScore
    from bleuprint.metrics.metric import Metric
    from bleuprint.metrics.ter.score import TerScore


class Note(NamedTuple):
    """One remark on a score: a code to test for, and a sentence to read."""

    code: str
    text: str

    def __str__(self) -> str:
        return self.text


def note_skipped(skipped: Faults) -> list[Note]:
    """Note the rows that were left out, and why."""
    if not skipped:
        return []
    return [Note("skipped-rows", f"{count_of(skipped.total, 'malformed row')} left out: {skipped}")]


def note_empties(score: Score, candidates: str, references: str) -> list[Note]:
    """Note how many texts of a corpus are empty. The arguments are the effects on the score."""
    census, notes = score.census, []
    if census.empty_candidates:
        some = some_of(census.empty_candidates, census.segments, "candidate")
        notes.append(Note("empty-candidates", f"{some} empty: {candidates}"))
    if census.empty_references:
        some = some_of(census.empty_references, census.segments, "segment")
        notes.append(Note("empty-references", f"{some} held against an empty reference: {references}"))
    return notes


def some_of(number: int, whole: int, noun: str) -> str:
    """Write a share with its verb: ``1 of 3 segments is``."""
    return f"{number:,} of {count_of(whole, noun)} {'is' if number == 1 else 'are'}"


class Part(NamedTuple):
    """A title, a printed number, and its share of a whole for a bar."""

    title: str
    text: str
    share: float | None = None


TextNotes = Callable[[Segments, Any], Sequence[Note]]
"""Writes the notes that need the texts."""
ScoredSegment = tuple[tuple[int, ...], float, float, tuple[Any, ...]]
"""The row of a segment, its score on 0 to 100 and on 0 to 1, and its references."""
_new_float = float.__new__


def _check_segments(recipe: Recipe, segments: int) -> None:
    if segments > 1 and recipe.is_for_one_segment:
        message = f"This recipe is defined for one segment only, got {count_of(segments, 'segment')}."
        raise RecipeError(message, "Score every segment on its own.", location=Location("recipe"))


class Score(float):
    """One score, of a segment, a document or a corpus: a float on 0 to 100 that has its statistics and recipe with it.

    It compares, sorts, rounds and averages like any float. Two scores are equal if their numbers are; compare
    ``(score.stats, score.recipe)`` to know whether the statistics are, too. ``str(score)`` is a summary. For
    ``csv.writer``, YAML and ``torch.save`` pass ``float(score)``. A score never changes.
    """

    recipe: Recipe
    level: str = "segment"
    table: StatsTable[Any] | None = None
    skipped: Faults = NO_FAULTS
    """rows of data that were left out"""
    testset: str = ""
    """the name of the test set and a hash of its references, as in signatures; empty if unknown"""
    _recipe_type: ClassVar[type[Recipe]] = Recipe
    _stats_type: ClassVar[Any] = object
    _text_notes: TextNotes | None = None
    _candidate: Text
    _scored: tuple[Any, ...]
    """a ``ScoredSegment``, or the row of a corpus alone"""
    _census: tuple[int, ...] = ()

    def __new__(
        cls,
        stats: Any,
        recipe: Recipe | str | None = None,
        *,
        level: str = "corpus",
        census: Any = None,
        table: StatsTable[Any] | None = None,
        segments: Segments | None = None,
        text_notes: TextNotes | None = None,
        skipped: Faults = NO_FAULTS,
    ) -> Self:
        """Score statistics. A number without a recipe stays a plain float: ``statistics.mean`` makes its result so."""
        if recipe is None:
            return float(stats)  # type: ignore[return-value]
        wanted = Recipe.of(recipe)
        if not isinstance(wanted, cls._recipe_type):
            name = find_metric(cls._recipe_type.metric_key).name
            message = f"{cls.__name__} needs a recipe of {name}, got {quote(str(wanted))}."
            raise RecipeError(message, location=Location("recipe"))
        if not isinstance(stats, cls._stats_type):
            raise wrong_type(
                f"{cls._stats_type.__name__} for a {cls.__name__}",
                stats,
                f"score.stats has them, and {cls._stats_type.__name__}.from_row(row) reads a row.",
            )
        stats = cls._fit(stats, wanted)
        kept = {
            "stats": stats, "recipe": wanted, "level": level, "table": table, "segments": segments,
            "_text_notes": text_notes, "skipped": skipped,
        }  # fmt: skip
        if census is not None:
            _check_segments(wanted, census.segments)
            kept["census"] = census
        combination = kept["combination"] = cls.combine(stats, wanted)
        return cls._make(combination.score, kept)

    @classmethod
    def _make(cls, number: float, kept: Mapping[str, object]) -> Self:
        made = _new_float(cls, number)
        made.__dict__.update(kept)
        return made

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
        number: float | None = None,
    ) -> Self:
        """Score what was added up. If an engine has computed the number, the rest is computed when it is read."""
        _check_segments(recipe, sums.segments)
        kept = {
            "recipe": recipe, "level": level, "table": table, "segments": segments, "_text_notes": text_notes,
            "skipped": sums.skipped, "_scored": (sums.row,), "_census": sums.census,
        }  # fmt: skip
        if number is None:
            kept["stats"] = cls._fit(sums.stats, recipe)
            kept["census"] = sums.layout.read_census(sums.census)
            combination = kept["combination"] = cls.combine(kept["stats"], recipe)
            number = combination.score
        return cls._make(number, kept)

    @classmethod
    def of_segment(cls, candidate: Text, scored: ScoredSegment, recipe: Recipe, text_notes: TextNotes) -> Self:
        """Wrap the score of a segment that an engine counted and scored in one call. Everything else is lazy."""
        made = _new_float(cls, scored[1])
        kept = made.__dict__  # there are millions of these, and other ways to fill them take longer
        kept["recipe"] = recipe
        kept["_candidate"] = candidate
        kept["_scored"] = scored
        kept["fraction"] = scored[2]
        kept["_text_notes"] = text_notes
        return made

    @classmethod
    def _fit(cls, stats: Any, recipe: Recipe) -> Any:
        """Return the statistics that the recipe needs, or raise an error if there are others."""
        if len(stats.to_row()) != recipe.layout.width:
            message = f"{cls.__name__} needs statistics of {recipe.layout}, got {len(stats.to_row())} numbers."
            raise BleuprintError(message, "Count again with this recipe.")
        return stats

    @staticmethod
    def combine(stats: Any, recipe: Any) -> Any:
        """Compute the score from its statistics."""
        raise NotImplementedError

    @cached_property
    def stats(self) -> Any:
        """The integers that the score is computed from."""
        return self._stats_type.from_row(self._scored[0])

    @cached_property
    def census(self) -> Any:
        """The number of segments (``census.segments``), and how many of them are short or empty."""
        layout = self.recipe.layout
        if self._census:
            return layout.read_census(self._census)
        if self.level == "segment":
            return layout.read_census(layout.take_census(self.stats.to_row()))
        return layout.read_census((1,) + (0,) * len(layout.thresholds))

    @cached_property
    def segments(self) -> Segments | None:
        """The texts; None if the score was computed without them."""
        return Segments([self._candidate], [self._scored[3]])

    @cached_property
    def combination(self) -> Any:
        """Everything the formula computed."""
        return self.combine(self.stats, self.recipe)

    @cached_property
    def fraction(self) -> float:
        """The score on 0 to 1."""
        fraction: float = self.combination.fraction
        return fraction

    @property
    def metric(self) -> Metric:
        """The metric that the score is of."""
        return self.recipe.metric

    @property
    def score(self) -> float:
        """The score on 0 to 100, as a plain float."""
        return float(self)

    @property
    def is_corpus(self) -> bool:
        """Whether there may be several segments."""
        return self.level != "segment"

    @property
    def stops_because(self) -> str:
        """Why the recipe's tool raises an error here, so that the 0 is ours; else empty."""
        return self.metric.stops_because(self.stats, self.recipe)

    @property
    def tool_stops(self) -> bool:
        """Whether the recipe's tool raises an error here, so that the 0 is ours."""
        return bool(self.stops_because)

    @property
    def printed(self) -> str:
        """The score with two decimals, or ``NLTK stops`` if NLTK raises an error."""
        return NLTK_STOPS if self.tool_stops else format_score(self.score)

    @property
    def label(self) -> str:
        """The name of the score, such as ``BLEU-4``."""
        return self.recipe.label

    @property
    def signature(self) -> str:
        """The recipe in one line, to be printed with the number, and the test set if it has a name."""
        return self.recipe.signature_on(self.testset)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What may be surprising about this score, and why. Computed when first read."""
        notes = [] if self.skipped is NO_FAULTS else note_skipped(self.skipped)
        notes += self.statistics_notes
        if self._text_notes and self.segments is not None:
            notes.extend(self._text_notes(self.segments, self))
        return tuple(notes)

    @cached_property
    def statistics_notes(self) -> list[Note]:
        """The notes that follow from the statistics alone."""
        return self._list_notes(self)

    @staticmethod
    def _list_notes(score: Any) -> list[Note]:
        """Return the notes that follow from the statistics."""
        return []

    @property
    def parts(self) -> tuple[Part, ...]:
        """The numbers that tables show next to the score."""
        raise NotImplementedError

    @property
    def closer_parts(self) -> tuple[Part, ...]:
        """The same with more digits, shares and ratios."""
        return self.parts

    @property
    def quantities(self) -> dict[str, float]:
        """The numbers between the statistics and the score, by the names that files give their columns."""
        return {}

    @property
    def counts(self) -> dict[str, float]:
        """The statistics, by the names that files give their columns."""
        return dict(zip(self.recipe.layout.columns, self.metric.in_words(self.stats.to_row()), strict=True))

    def with_texts(self, segments: Segments | None, table: StatsTable[Any] | None) -> Self:
        """Return the same score, with the texts and the counts of its segments."""
        return self._make(self, self.__dict__ | {"segments": segments, "table": table})

    def on_testset(self, label: str) -> Self:
        """Return the same score, whose signature names the test set; an empty label changes nothing."""
        if label == "":
            return self
        check_label(label)
        return self._make(self, self.__dict__ | {"testset": label})

    def summary(self) -> str:
        """Return one line: the score, its parts and the signature."""
        return f"{self.label} = {self.printed} ({self._in_brackets()}) {self.signature}"

    def _in_brackets(self) -> str:
        """Return the parts of the score for the summary."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, object]:
        """Return the score as plain data."""
        return {
            "schema": "bleuprint.score/1",
            **as_data(self, "score", "fraction", "label", "level"),
            **self._details(),
            "segments": self.census.segments,
            "signature": self.signature,
            "notes": [note._asdict() for note in self.notes],
        }

    def _details(self) -> dict[str, object]:
        """Return what the metric adds to the plain data."""
        return {}

    def __str__(self) -> str:
        return "\n".join([self.summary(), *(f"  note: {note.text}" for note in self.notes)])

    def __repr__(self) -> str:
        return f"<{self.label} {self.printed}>"

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"a score never changes: its {name} is what it was scored with")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a score never changes: it keeps its {name}")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memory: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the numbers and the notes, not the texts."""
        names = ("recipe", "level", "skipped", "testset", "stats", "census", "fraction", "notes")
        kept = {name: getattr(self, name) for name in names}
        return self._make, (float(self), kept | {"segments": None})

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
"""``AnyScore`` is a score of any metric. ``OneScore`` is that of one metric, for type checkers."""


_PLAIN = {int, float, str, bool, type(None)}


def as_data(value: object, *names: str) -> dict[str, object]:
    """Return attributes of a value as plain data."""
    data = {}
    for name in names:
        one = getattr(value, name)
        data[name] = one if type(one) in _PLAIN else _make_plain(one)
    return data


def _make_plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_make_plain(one) for one in value] if value and isinstance(value[0], tuple) else list(value)
    return value.value if isinstance(value, StrEnum) else value


def print_length(length: float) -> str:
    """Print a count or a length; the mean length of several references may have decimals."""
    return f"{length:.2f}".removesuffix(".00")


def list_lengths(unit: str, candidate: int, reference: int) -> tuple[Part, ...]:
    """Return both lengths and their ratio, whose bar is half full at 1."""
    ratio = candidate / reference if reference else None
    return (
        Part(unit, f"{candidate:,}"),
        Part("reference", f"{reference:,}"),
        Part("ratio", "–") if ratio is None else Part("ratio", f"{ratio:.3f}", ratio / 2),
    )
