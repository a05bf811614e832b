"""The metric of given scores: which way is up, and how a mean is made. Of texts it knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from bleuprint.counting.sums import Sums
from bleuprint.errors import BleuprintError
from bleuprint.metrics.given.scale import Scale
from bleuprint.metrics.given.stats import GivenCensus
from bleuprint.metrics.metric import Metric
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


_of_texts: Any = _refuse_texts


class GivenMetric(Metric):
    """A metric of which nothing is known but scores of segments."""

    key = "given"
    axes: Mapping[str, Axis] = {}
    dialects: Mapping[str, Dialect] = {}
    counts_texts = False
    zero_because = ""
    has_ngrams = False
    empty_reference = parts_title = length_unit = default = ""
    pipeline = ()

    def __init__(self, scale: Scale) -> None:
        self.scale: Scale = scale
        self.name = scale.name
        self.better = scale.better
        self.lowest, self.highest = scale.ends()
        self.digits = scale.digits
        # what rounding a mean may do to its last bit, and what on 0 to 100 is a thousand millionth
        self.margin = 1e-15 * scale.size + 1e-11 * scale.span

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
        """Give the mean of what was added up."""
        return self.scale.read(row)

    def score_sums(self, sums: Sums[Any], recipe: Any, **kept: Any) -> Any:
        """Give the mean as a score; the texts beside it are not what it was made of."""
        from bleuprint.metrics.given.scores import GivenScore

        return GivenScore(sums.stats, recipe, **kept | {"segments": None, "text_notes": None})

    def stops_because(self, stats: Any, recipe: Any) -> str:
        """Give nothing: no tool stops."""
        return ""

    read_foreign_signature = counted_as_far = may_be = score_segment = segment_parts = readings = is_common = _of_texts
    split = count = count_plain = split_words = locate = make_marker = part_columns = length_layout = _of_texts
    gather = work_out = describe_arithmetic = describe_evidence = describe_stats = tell_change = tell_cause = _of_texts
    search_layout = match = _of_texts


@lru_cache(maxsize=64)
def find_given(scale: Scale) -> GivenMetric:
    """Give the metric of a scale, the same one each time."""
    return GivenMetric(scale)
