"""The metric of given scores: which way is up, and how a mean is made. Of texts it knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import Any

from bleuprint.counting.sums import Sums
from bleuprint.metrics.given.scale import LIMB, Scale
from bleuprint.metrics.given.stats import GivenCensus
from bleuprint.metrics.metric import Better, Metric
from bleuprint.recipes.axis import Axis
from bleuprint.recipes.dialect import Dialect


class GivenMetric(Metric):
    """A metric of which nothing is known but scores of segments."""

    key = "given"
    axes: Mapping[str, Axis] = {}
    dialects: Mapping[str, Dialect] = {}
    counts_texts = False
    has_ngrams = False
    length_unit = default = ""

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


@lru_cache(maxsize=64)
def find_given(scale: Scale) -> GivenMetric:
    """Give the metric of a scale, the same one each time."""
    return GivenMetric(scale)
