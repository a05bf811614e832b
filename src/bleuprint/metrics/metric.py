"""A metric: its name and scale, its recipes, and how texts are counted and counts are scored.

The modules of each metric that explain scores or search for recipes are found by ``module_of``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from sys import maxsize
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.errors import Location, ShapeError
from bleuprint.recipes.options import Axis, Dialect
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.counting.layout import Layout
    from bleuprint.counting.sums import Sums
    from bleuprint.metrics.score import AnyScore, Part
    from bleuprint.text.segments import Segment, Text


class Better(StrEnum):
    """Whether higher or lower scores are better."""

    HIGHER = "higher"
    LOWER = "lower"

    @property
    def arrow(self) -> str:
        """An arrow in the direction of better scores."""
        return "↑" if self is Better.HIGHER else "↓"


class Metric(ABC):
    """One way of scoring. A metric that counts no texts leaves out what splits and counts them."""

    key: ClassVar[str]
    """its name in signatures and layouts"""
    name: str
    """its name for people"""
    better: Better = Better.HIGHER
    lowest: float = 0.0
    highest: float = 100.0
    """the ends of the usual scale"""
    digits: int = 2
    """the number of decimals of a printed score"""
    margin: float = 1e-9
    """Differences this small are ties: another machine's logarithm may differ in the last bit."""
    counts_texts: ClassVar[bool] = True
    """whether it counts texts; False for external scores, which have no tokens or n-grams"""
    recipe: type[Recipe]
    score_type: type[AnyScore]
    axes: Mapping[str, Axis]
    dialects: Mapping[str, Dialect]
    default: ClassVar[str]
    """the name of the default recipe"""
    most_references: ClassVar[int] = maxsize
    """the highest number of references per segment"""
    has_ngrams: ClassVar[bool] = True
    """whether it counts n-grams, which an explanation can list"""
    length_unit: ClassVar[str]
    """the unit of lengths, which reports highlight as well: ``tokens``, ``characters`` or ``words``"""

    def is_ahead(self, difference: float) -> bool:
        """Whether a score that is higher by this difference is better."""
        return self.sort_key(difference) < 0

    def sort_key(self, score: float) -> float:
        """Return a key by which the best score comes first."""
        return -score if self.better is Better.HIGHER else score

    @abstractmethod
    def label(self, recipe: Any) -> str:
        """Return the name of a score, such as ``BLEU-4``."""

    def family(self, recipe: Any) -> str:
        """Return the name that people use without numbers."""
        return self.name

    def title(self, recipe: Any) -> str:
        """Return the title of scores of a recipe and of their differences."""
        return self.label(recipe)

    def heading(self, recipe: Any) -> str:
        """Return the title of a column of scores, with an arrow if lower is better."""
        return self.title(recipe) if self.better is Better.HIGHER else f"{self.title(recipe)} {self.better.arrow}"

    # counting

    def check_references(self, references: Sequence[tuple[Text, ...]], *, single: bool = False) -> None:
        """Raise an error if a segment has more references than the metric can count, or the single one has."""
        for index, texts in enumerate(references):
            if len(texts) > self.most_references:
                message = f"expected 1 to {self.most_references} references for {self.name}, got {len(texts)}."
                location = Location("references", None if single else index)
                raise ShapeError(message, "Leave some of them out.", location=location)

    def read_ahead(self, texts: Iterable[Text], layout: Layout[Any]) -> None:  # noqa: B027
        """Optional hook: tokenize many texts in one batch."""

    def split(self, text: Text, layout: Layout[Any]) -> Any:
        """Split a text into what is counted."""
        raise NotImplementedError

    def split_reference(self, text: Text, layout: Layout[Any]) -> Any:
        """Split a reference, which TER may prepare in another way than a candidate."""
        return self.split(text, layout)

    def split_segment(self, segment: Segment, layout: Layout[Any]) -> tuple[Any, list[Any]]:
        """Split a candidate and its references."""
        self.read_ahead(segment.texts, layout)
        references = [self.split_reference(text, layout) for text in segment.references]
        return self.split(segment.candidate, layout), references

    def count(self, candidate: Any, references: Sequence[Any], layouts: Sequence[Layout[Any]]) -> list[Any]:
        """Count a segment whose texts were split: the statistics under each layout, all of which split alike."""
        raise NotImplementedError

    def in_words(self, row: Sequence[int]) -> Sequence[float]:
        """Return a row in the units that people read: TER counts in fractions of a word."""
        return row

    def segment_parts(self, stats: Any, layout: Layout[Any]) -> tuple[Part, ...]:
        """Return the counts of a segment for tables. The last two are the lengths."""
        from bleuprint.metrics.score import Part, print_length

        numbers = dict(zip(layout.columns, map(print_length, self.in_words(stats.to_row())), strict=True))
        parts = [Part(title, "/".join(numbers[name] for name in names)) for title, names in layout.parts.items()]
        return (*parts, *(Part(side, numbers[f"{side}_length"]) for side in ("candidate", "reference")))

    # scoring

    def score_row(self, row: Sequence[int], recipe: Any) -> float:
        """Return the score of a sum of rows."""
        score: float = self.score_type.combine(recipe.layout.read(row), recipe).score
        return score

    def score_sums(self, sums: Sums[Any], recipe: Any, **kept: Any) -> AnyScore:
        """Return the score of sums. The other arguments become attributes of the score."""
        return self.score_type.of_sums(sums, recipe, **kept)

    def stops_because(self, stats: Any, recipe: Any) -> str:
        """Return why the recipe's tool raises an error on these statistics; empty if it does not."""
        return ""
