"""External scores: one number per segment from another metric, such as COMET.

A system's score is the mean over its segments. Each score becomes a whole number of decimal units, for example of
millionths. Sums of whole numbers are exact, so every engine and every machine resamples external scores to the same
bit, and one division at the end computes the mean. A row is ``(units, 1)``: the score and one segment.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple, Self

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.errors import RecipeError
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.score import Part, Score
from bleuprint.recipes.options import Axis, Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.values import keep
from bleuprint.wording import count_of, format_score

EXACT = 2**53
"""Floats represent all whole numbers up to here, and the kernel sums no larger ones."""
WIDE = 10.0
"""Scales at least this wide are shown with two decimals. All others, most of which end at 1, get four or more."""
QUARTERS = 4
_DECIMALS = Context(prec=17)
"""A float has at most 17 digits. A context of our own ignores what the caller set for ``decimal``."""


class Scale(NamedTuple):
    """The scale of one metric's scores."""

    name: str
    better: Better
    places: int
    """the decimal places of a unit: with 6, scores are whole numbers of millionths; below 0, a unit is larger than 1"""
    lowest: int
    highest: int
    """the lowest and the highest score, in units"""
    is_rounded: bool = False
    """whether some scores have more decimal places and were rounded to units"""

    @property
    def unit(self) -> Fraction:
        """The worth of a unit."""
        return Fraction(10) ** -self.places

    @property
    def span(self) -> float:
        """The range of the scores; if all are equal, their size."""
        return float((self.highest - self.lowest) * self.unit) or self.size or 1.0

    @property
    def size(self) -> float:
        """The largest absolute score."""
        return float(max(abs(self.lowest), abs(self.highest)) * self.unit)

    @property
    def digits(self) -> int:
        """The number of decimals that are shown."""
        return 2 if self.span >= WIDE else max(4, 3 - math.floor(math.log10(self.span)))

    def ends(self) -> tuple[float, float]:
        """Return round numbers around all scores. The quarters between them are round as well.

        >>> Scale("comet", Better.HIGHER, 2, 31, 93).ends()
        (0.2, 1.0)
        """
        low, high = self.lowest * self.unit, self.highest * self.unit
        power = Fraction(10) ** (Decimal(repr(self.span)) / QUARTERS).adjusted()
        for factor in (1, 2, 5, 10, 20):
            step = factor * power
            start = math.floor(low / step)
            if (start + QUARTERS) * step >= high:
                return float(start * step), float((start + QUARTERS) * step)
        raise AssertionError("twenty steps are always enough")


class ExternalStats(NamedTuple):
    """The sum of external scores, in units, and the number of segments."""

    units: int
    segments: int

    def to_row(self) -> tuple[int, int]:
        """Return the two numbers as a row."""
        return self


class ExternalCensus(NamedTuple):
    """The number of segments."""

    segments: int


def take_scores(
    name: str, scores: Mapping[str, Sequence[float]], better: Better
) -> tuple[ExternalRecipe, dict[str, StatsTable]]:
    """Convert the scores of all systems to tables of rows, and return the recipe that reads them.

    >>> recipe, tables = take_scores("comet", {"a": [0.25, -0.5]}, Better.HIGHER)
    >>> list(tables["a"].row(1)), recipe.metric.score_row(tables["a"].sum_row(), recipe)
    ([-50, 1], -0.125)
    """
    numbers = {system: [_shortest(score) for score in own] for system, own in scores.items()}
    finest = max((-int(n.as_tuple().exponent) for own in numbers.values() for n in own if n), default=0)
    largest = max(abs(number) for own in numbers.values() for number in own)
    # The kernel sums the differences of two systems as well, which may be twice as large.
    most = EXACT // 2 // max(map(len, numbers.values()))
    places = finest
    while _count_units(largest, places) > most:
        places -= 1
    units = {system: [_count_units(number, places) for number in own] for system, own in numbers.items()}
    lowest, highest = min(map(min, units.values())), max(map(max, units.values()))
    recipe = ExternalRecipe(Scale(name, better, places, lowest, highest, places < finest))
    return recipe, {
        system: StatsTable(recipe.layout, (number for count in own for number in (count, 1)))
        for system, own in units.items()
    }


def _shortest(score: float) -> Decimal:
    """Return the shortest decimal number that reads back as the same float, without trailing zeros."""
    return Decimal(repr(score)).normalize(_DECIMALS)


def _count_units(number: Decimal, places: int) -> int:
    """Round to units, half to even."""
    return int(_DECIMALS.to_integral_value(_DECIMALS.scaleb(number, places)))


class ExternalRecipe(Recipe):
    """The mean of external scores on their own scale. It has no options."""

    __slots__ = ("scale",)
    metric_key: ClassVar[str] = "external"
    scale: Scale
    layout: Layout[ExternalStats]
    counting: Scale
    """rows of different scales cannot be added"""

    def __new__(cls, scale: Scale) -> Self:
        """Make one; no dialect and no axis plays a part."""
        return object.__new__(cls)

    def __init__(self, scale: Scale) -> None:
        keep(self, "scale", scale)
        keep(self, "metric", find_external(scale))
        keep(self, "_hash", hash((type(self), scale)))
        keep(self, "_line", f"external:{scale.name}|score:mean-of-segments|better:{scale.better}")
        keep(self, "order", 1)
        keep(self, "counting", self.scale)
        keep(self, "splitting", None)
        columns, reads = ("units", "segments"), (ExternalStats._make, ExternalCensus._make)
        keep(self, "layout", Layout("external", 1, self.scale, columns, (), *reads))
        keep(self, "is_for_one_segment", False)

    def with_choices(self, changes: Mapping[str, object]) -> Self:
        """Raise an error for every option."""
        if not changes:
            return self
        raise RecipeError(
            f"{self.scale.name} has no options, got {', '.join(changes)}.",
            "Only metrics that bleuprint computes have options.",
        )

    @classmethod
    def has_axis(cls, field: str) -> bool:
        """Return False: there are no options."""
        return False

    @property
    def _values(self) -> tuple[Any, ...]:
        return (self.scale,)

    def __reduce__(self) -> tuple[object, ...]:
        return ExternalRecipe, (self.scale,)


class ExternalCombination(NamedTuple):
    """The mean. Its scale has no share of 100, so the fraction is the same."""

    score: float
    fraction: float


class ExternalScore(Score):
    """The mean of external scores on their own scale, which may not be 0 to 100."""

    recipe: ExternalRecipe
    stats: ExternalStats
    """the sum of the segments' scores"""

    @staticmethod
    def combine(stats: ExternalStats, recipe: ExternalRecipe) -> ExternalCombination:
        """Compute the mean."""
        mean = recipe.metric.score_row(stats, recipe)
        return ExternalCombination(mean, mean)

    @property
    def printed(self) -> str:
        """The score with as many decimals as its scale takes."""
        return format_score(self.score, self.metric.digits)

    @cached_property
    def census(self) -> ExternalCensus:
        """The number of segments."""
        return ExternalCensus(self.stats.segments)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The number of segments."""
        return (Part("segments", f"{self.stats.segments:,}"),)

    def to_dict(self) -> dict[str, object]:
        """Return the score as plain data."""
        data = super().to_dict()
        del data["fraction"]
        return data

    def _in_brackets(self) -> str:
        return f"mean of {count_of(self.stats.segments, 'segment')}"


class ExternalMetric(Metric):
    """A metric that is computed elsewhere: only the scores of segments are known."""

    score_type: Any = ExternalScore
    key = "external"
    axes: Mapping[str, Axis] = {}
    dialects: Mapping[str, Dialect] = {}
    counts_texts = False
    has_ngrams = False
    length_unit = default = ""

    def __init__(self, scale: Scale) -> None:
        self.name: str = scale.name
        self.better: Better = scale.better
        lowest, highest = scale.ends()
        self.lowest: float = lowest
        self.highest: float = highest
        self.digits: int = scale.digits
        self._unit = scale.unit.as_integer_ratio()
        # rounding may change the last bit of a mean; 1e-11 of the range corresponds to 1e-9 between 0 and 100
        self.margin: float = 1e-15 * scale.size + 1e-11 * scale.span

    def label(self, recipe: Any) -> str:
        """Return the name of the metric."""
        return self.name

    def score_row(self, row: Sequence[int], recipe: Any) -> float:
        """Compute the mean of the scores in a sum of rows, rounded once. Without segments it is 0."""
        units, segments = row
        worth, units_of_one = self._unit
        return units * worth / (units_of_one * segments) if segments else 0.0

    def score_sums(self, sums: Sums[Any], recipe: Any, **kept: Any) -> Any:
        """Return the mean as a score, without texts: it was not computed from them."""
        return super().score_sums(sums, recipe, **kept | {"segments": None, "text_notes": None})


@lru_cache(maxsize=64)
def find_external(scale: Scale) -> ExternalMetric:
    """Return the metric of a scale, the same object each time: scores of different metrics do not compare."""
    return ExternalMetric(scale)
