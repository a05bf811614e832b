"""Gates: limits for scores. A build fails if one of them is not met."""

from __future__ import annotations

from typing import NamedTuple

from bleuprint.errors import ShapeError
from bleuprint.findings.comparison.results import (
    PairResult,
    PairVerdict,
    RecipeResult,
    describe_needs,
    summarise_pair,
)
from bleuprint.metrics.metric import Better
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.options import print_number


class Gate(NamedTuple):
    """A rule, and whether it was met."""

    recipe: str
    """the name of the recipe that it is about"""
    rule: str
    passed: bool
    reason: str
    """a sentence without its full stop"""

    @property
    def verdict(self) -> str:
        """The outcome in a word."""
        return "passed" if self.passed else "failed"

    @property
    def line(self) -> str:
        """The outcome in a line."""
        return f"gate {self.verdict}: {self.reason}"


def judge_score(recipe: str, score: AnyScore, limit: float) -> Gate:
    """Compare a score with a limit: the lowest allowed score, or the highest if lower is better."""
    metric = score.metric
    side = "under" if metric.better is Better.HIGHER else "over"
    rule = f"{score.label} not {side} {print_number(limit)}"
    if score.tool_stops:
        return Gate(recipe, rule, False, f"there is no {score.label}: {score.stops_because}, and NLTK stops")
    misses = metric.is_ahead(limit - score.score)
    number = _print_apart(score, limit, misses)
    words = f"{score.label} {number} is {'' if misses else 'not '}{side} {print_number(limit)}"
    return Gate(recipe, rule, not misses, words)


def _print_apart(score: AnyScore, limit: float, misses: bool) -> str:
    """Print a score as usual, or with all digits if the usual ones are on the other side of the limit."""
    printed = score.printed
    return printed if score.metric.is_ahead(limit - float(printed)) == misses else repr(score.score)


def judge_baseline(result: RecipeResult, margin: float) -> list[Gate]:
    """Check every system against the baseline: none may be significantly worse by more than the margin."""
    return [_judge_pair(result, pair, margin) for pair in result.pairs]


def _judge_pair(result: RecipeResult, pair: PairResult, margin: float) -> Gate:
    metric = result.recipe.metric
    points = f"{print_number(margin)} {metric.title(result.recipe)}"
    rule = f"{pair.first} not significantly worse than {pair.second}" + (f" by more than {points}" if margin else "")
    if pair.verdict is PairVerdict.UNDECIDED:
        raise ShapeError(
            f"too little to decide whether {pair.first} is worse than {pair.second}: {describe_needs(result)}.",
            "Such a gate could never fail. Use a larger test set or more resamples.",
            where=f"recipe {result.name}",
        )
    is_worse = pair.significant and metric.is_ahead(-pair.difference)
    passed = not is_worse or abs(pair.difference) <= margin
    reason = summarise_pair(pair, result).removesuffix(".")
    if is_worse and margin:
        reason += f", and {'within' if passed else 'beyond'} the margin of {points}"
    return Gate(result.name, rule, passed, reason)
