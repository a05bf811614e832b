"""A metric: its name and scale, its recipes, and how texts become counts and counts a score.

What explains scores or searches for recipes is in modules of each metric, which ``module_of`` finds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.errors import Location, ShapeError
from bleuprint.metrics.score import Part
from bleuprint.recipes.options import Axis, Dialect
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.counting.layout import Layout
    from bleuprint.counting.rows import StatsTable
    from bleuprint.counting.sums import Sums
    from bleuprint.metrics.score import AnyScore, ScoredSegment, TextNotes
    from bleuprint.text.segments import Segment, Segments, Text


class Better(StrEnum):
    """Which way is up."""

    HIGHER = "higher"
    LOWER = "lower"


class Metric(ABC):
    """One way of scoring. Recipes, statistics and scores passed to a metric are its own.

    A metric that counts no texts leaves out all that splits and counts them.
    """

    key: ClassVar[str]
    """its name in signatures and layouts"""
    name: str
    """its name for people"""
    better: Better = Better.HIGHER
    lowest: float = 0.0
    highest: float = 100.0
    """the ends of the scale that scores are usually on"""
    digits: int = 2
    """with how many decimals scores are shown"""
    margin: float = 1e-9
    """Differences this close are equal: another machine's logarithm may differ in the last bit."""
    counts_texts: ClassVar[bool] = True
    """whether it counts what is in texts; else there are scores alone, and no tokens or n-grams behind them"""
    recipe: type[Recipe]
    axes: Mapping[str, Axis]
    dialects: Mapping[str, Dialect]
    most_references: ClassVar[int | None] = None
    """how many references a segment may have; None for any number"""
    default: ClassVar[str]
    """the dialect for whoever names none"""
    has_ngrams: ClassVar[bool] = True
    """whether it counts n-grams, which an explanation can list"""
    length_unit: ClassVar[str]
    """the unit of lengths, which reports highlight as well: ``tokens``, ``characters`` or ``words``"""

    @property
    def arrow(self) -> str:
        """Point the way that is better."""
        return "↑" if self.better is Better.HIGHER else "↓"

    def is_ahead(self, difference: float) -> bool:
        """Whether a score that is so much above another is better."""
        return self.sort_key(difference) < 0

    def sort_key(self, score: float) -> float:
        """Give what sorts scores so that the best comes first."""
        return -score if self.better is Better.HIGHER else score

    @abstractmethod
    def label(self, recipe: Any) -> str:
        """Say what a score of a recipe is called."""

    def family(self, recipe: Any) -> str:
        """Return what people call a score of a recipe if they leave out its numbers."""
        return self.name

    def title(self, recipe: Any) -> str:
        """Say what stands over scores of a recipe, and behind differences between them."""
        return self.label(recipe)

    def heading(self, recipe: Any) -> str:
        """Say what stands over a column of scores, and that lower is better where it is."""
        return self.title(recipe) if self.better is Better.HIGHER else f"{self.title(recipe)} {self.arrow}"

    # counting

    def can_count(self, references: int) -> bool:
        """Whether a segment may have so many references."""
        return self.most_references is None or references <= self.most_references

    def check_references(self, references: Sequence[tuple[Text, ...]]) -> None:
        """Refuse a segment that has more references than the metric can count."""
        if self.most_references is None or max(map(len, references), default=0) <= self.most_references:
            return
        for place, texts in enumerate(references):
            self.check_number(texts, Location("references", place))

    def check_number(self, references: Sequence[Text], where: Location) -> None:
        """Refuse more references of one segment than the metric can count."""
        if self.most_references is not None and len(references) > self.most_references:
            raise ShapeError(
                where=where,
                wanted=f"1 to {self.most_references} references for {self.name}",
                got=str(len(references)),
                next_step="Leave some of them out.",
            )

    def read_ahead(self, texts: Iterable[Text], layout: Layout[Any]) -> None:  # noqa: B027
        """Hear which texts will be split, where splitting many at once is faster."""

    def split(self, text: Text, layout: Layout[Any]) -> Any:
        """Split a text into what is counted."""
        raise NotImplementedError

    def split_reference(self, text: Text, layout: Layout[Any]) -> Any:
        """Split a reference, where that is not done as with a candidate."""
        return self.split(text, layout)

    def split_segment(self, segment: Segment, layout: Layout[Any]) -> tuple[Any, list[Any]]:
        """Split a candidate and its references."""
        self.read_ahead(segment.texts, layout)
        references = [self.split_reference(text, layout) for text in segment.references]
        return self.split(segment.candidate, layout), references

    def count(self, candidate: Any, references: Sequence[Any], layouts: Sequence[Layout[Any]]) -> list[Any]:
        """Count a segment whose texts were split: the statistics under each layout, all of which split alike."""
        raise NotImplementedError

    @abstractmethod
    def read_census(self, numbers: Sequence[int]) -> Any:
        """Give the numbers of a census their names; ``segments`` is one of them."""

    def in_words(self, row: Sequence[int]) -> Sequence[float]:
        """Give a row as files for people show it, where a column counts parts of a word."""
        return row

    # scoring

    @abstractmethod
    def score_row(self, row: Sequence[int], recipe: Any) -> float:
        """Score one row of sums, on 0 to 100."""

    @abstractmethod
    def score_sums(
        self,
        sums: Sums[Any],
        recipe: Any,
        *,
        level: str = "corpus",
        table: StatsTable[Any] | None = None,
        segments: Segments | None = None,
        text_notes: TextNotes | None = None,
        number: float | None = None,
    ) -> AnyScore:
        """Score what was added up; the score keeps the rest beside its numbers."""

    def score_segment(
        self,
        candidate: Text,
        scored: ScoredSegment,
        recipe: Any,
        text_notes: TextNotes,
    ) -> AnyScore:
        """Make the score of a segment that an engine counted and scored in one call."""
        raise NotImplementedError

    def stops_because(self, stats: Any, recipe: Any) -> str:
        """Return why the tool that a recipe stands for raises an error on these statistics; empty if it does not."""
        return ""

    def segment_parts(self, stats: Any, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give the counts of a segment, as grids show them beside its score; the last two are both lengths."""
        raise NotImplementedError
