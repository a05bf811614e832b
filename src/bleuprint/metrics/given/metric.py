"""The metric of given scores: which way is up, and how a mean is made. Of texts it knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import Any, ClassVar, NoReturn

from bleuprint.counting.sums import Sums
from bleuprint.errors import BleuprintError
from bleuprint.metrics.given.scale import LIMB, Scale
from bleuprint.metrics.given.stats import GivenCensus
from bleuprint.metrics.metric import Better, Metric
from bleuprint.recipes.axis import Axis
from bleuprint.recipes.dialect import Dialect
from bleuprint.recipes.recipe import Recipe


def _refuse_texts(self: GivenMetric, *_given: object, **_named: object) -> NoReturn:
    raise BleuprintError(
        where=self.name,
        wanted="a metric that is counted here",
        got="one whose scores were given",
        next_step="Tokens, n-grams and reasons are there for bleu, chrf and ter.",
    )


class GivenMetric(Metric):
    """A metric of which nothing is known but scores of segments."""

    key = "given"
    axes: Mapping[str, Axis] = {}
    dialects: Mapping[str, Dialect] = {}
    counts_texts = False
    zero_because = ""
    has_ngrams = False
    empty_reference = parts_title = length_unit = default = ""
    pipeline: ClassVar[tuple[str, ...]] = ()

    def __init__(self, scale: Scale) -> None:
        self.scale: Scale = scale
        self.name: str = scale.name
        self.better: Better = scale.better
        self.lowest: float = scale.ends()[0]
        self.highest: float = scale.ends()[1]
        self.digits: int = scale.digits
        self._worth = [*(LIMB**limb for limb in range(scale.limbs)), scale.lowest]
        """what 1 in each column is worth, in units: what a segment adds is its lowest score, and how far it is above"""
        self._unit = scale.unit
        # what rounding a mean may do to its last bit, and what on 0 to 100 is a thousand millionth
        self.margin: float = 1e-15 * scale.size + 1e-11 * scale.span

    def label(self, recipe: Any) -> str:
        """Give the name under which the scores came."""
        return self.name

    def for_single_segments(self, recipe: Any) -> Recipe:
        """Give the recipe itself: a segment has the score that was given."""
        own: Recipe = recipe
        return own

    def read_census(self, numbers: Sequence[int]) -> GivenCensus:
        """Give the number of segments its name."""
        return GivenCensus(*numbers)

    def score_row(self, row: Sequence[int], recipe: Any) -> float:
        """Give the mean of the scores that were added up, rounded once; of none it is 0."""
        segments = row[-1]
        if not segments:
            return 0.0
        mean: float = sum(map(mul, row, self._worth)) / (self._unit * segments)
        return mean

    def score_sums(self, sums: Sums[Any], recipe: Any, **kept: Any) -> Any:
        """Give the mean as a score; the texts beside it are not what it was made of."""
        from bleuprint.metrics.given.scores import GivenScore

        return GivenScore.of_sums(sums, recipe, **kept | {"segments": None, "text_notes": None})

    def stops_because(self, stats: Any, recipe: Any) -> str:
        """Give nothing: no tool stops."""
        return ""

    # What needs texts: a metric must have it, and this one has none.
    read_foreign_signature: Any = _refuse_texts
    print_foreign_signature: Any = _refuse_texts
    counted_as_far: Any = _refuse_texts
    may_be: Any = _refuse_texts
    may_be_segments: Any = _refuse_texts
    score_segment: Any = _refuse_texts
    segment_parts: Any = _refuse_texts
    readings: Any = _refuse_texts
    is_common: Any = _refuse_texts
    split: Any = _refuse_texts
    count: Any = _refuse_texts
    count_plain: Any = _refuse_texts
    split_words: Any = _refuse_texts
    locate: Any = _refuse_texts
    make_marker: Any = _refuse_texts
    part_columns: Any = _refuse_texts
    length_layout: Any = _refuse_texts
    gather: Any = _refuse_texts
    work_out: Any = _refuse_texts
    describe_arithmetic: Any = _refuse_texts
    describe_evidence: Any = _refuse_texts
    describe_stats: Any = _refuse_texts
    tell_change: Any = _refuse_texts
    tell_cause: Any = _refuse_texts
    search_layout: Any = _refuse_texts
    match: Any = _refuse_texts


@lru_cache(maxsize=64)
def find_given(scale: Scale) -> GivenMetric:
    """Give the metric of a scale, the same one each time."""
    return GivenMetric(scale)
