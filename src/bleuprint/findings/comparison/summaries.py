"""Summaries: the outcome of a comparison in one sentence, and how its numbers are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.findings.comparison.verdicts import MOST_RESAMPLES, PairVerdict, Verdict
from bleuprint.findings.significance import Interval
from bleuprint.wording import count_of, format_score, join_words, write_decimals

if TYPE_CHECKING:
    from bleuprint.findings.comparison.results import PairResult, RecipeResult


def summarise(result: RecipeResult) -> str:
    """Write the outcome in one sentence, which is true of every pair."""
    if result.verdict is Verdict.ONE_SYSTEM:
        return _summarise_system(result)
    if len(result.pairs) == 1:
        return summarise_pair(result.pairs[0], result)
    if result.verdict is Verdict.UNDECIDED:
        return _summarise_undecided(result)
    if result.baseline is not None:
        return _summarise_baseline(result)
    if result.verdict is Verdict.NONE_DIFFER:
        return f"No two of these {len(result.systems)} systems differ significantly."
    return _summarise_clusters(result)


def describe_needs(result: RecipeResult) -> str:
    """Say what there would have to be more of for a difference to be significant."""
    needed, settings = result.needed, result.settings
    parts = []
    if needed and settings.resamples < needed.resamples:
        parts.append(f"at least {needed.resamples:,} resamples (here {settings.resamples:,})")
    if needed and result.segments < needed.segments:
        parts.append(f"at least {needed.segments:,} segments (here {result.segments:,})")
    text = f"to be significant at {settings.level:g} it takes {join_words(parts)}"
    if needed and needed.resamples > MOST_RESAMPLES:
        text += f", and no more than {MOST_RESAMPLES:,} are drawn: compare fewer systems, or all with a baseline"
    return text


def interval_words(interval: Interval, digits: int = 2) -> str:
    """Write the bounds of an interval."""
    return f"{format_difference(interval.low, digits)} to {format_difference(interval.high, digits)}"


def interval_name(confidence: float) -> str:
    """Name an interval by its confidence: ``95 % interval``."""
    return f"{100 * confidence:g} % interval"


def format_difference(number: float, digits: int = 2) -> str:
    """Write a difference or a bound with so many decimals and a real minus sign; what rounds to 0 has none."""
    text = write_decimals(abs(number), digits)
    return f"\u2212{text}" if number < 0 and float(text) else text


def format_p(p: float) -> str:
    """Write a p-value with four decimals, or as a power of ten where it is smaller.

    >>> format_p(1.0), format_p(0.04321), format_p(0.00001)
    ('1.0000', '0.0432', '1.0e-05')
    """
    return f"{p:.4f}" if p >= 0.00005 else f"{p:.1e}"


def _summarise_system(result: RecipeResult) -> str:
    [only] = result.systems
    interval = f"{interval_name(result.settings.confidence)} {interval_words(only.interval, only.score.metric.digits)}"
    return f"{only.name} has {only.score.label} {only.score.printed} ({interval})."


def summarise_pair(pair: PairResult, result: RecipeResult) -> str:
    """Say of two systems which is ahead, and whether that is luck."""
    metric = result.recipe.metric
    if abs(pair.difference) < metric.margin:
        return f"{pair.first} and {pair.second} have the same score."
    way = "ahead of" if metric.is_ahead(pair.difference) else "behind"
    size = f"{format_score(abs(pair.difference), metric.digits)} {metric.title(result.recipe)}"
    outcome = f"{pair.first} is {way} {pair.second} by {size}"
    if pair.verdict is PairVerdict.UNDECIDED:
        return f"{outcome}; whether that is luck cannot be decided: {describe_needs(result)}."
    verdict = "significant" if pair.significant else "not significant"
    corrected = f", {format_p(pair.p_holm)} after Holm's correction" if len(result.pairs) > 1 else ""
    return f"{outcome}, which is {verdict} (p = {format_p(pair.p)}{corrected})."


def _summarise_undecided(result: RecipeResult) -> str:
    if result.baseline is None:
        what = f"any of these {len(result.systems)} systems differ"
    else:
        what = f"any of {count_of(len(result.pairs), 'system')} differs from {result.baseline}"
    return f"Whether {what} cannot be decided by {len(result.pairs):,} comparisons: {describe_needs(result)}."


def _summarise_baseline(result: RecipeResult) -> str:
    is_ahead = result.recipe.metric.is_ahead
    better = [pair.first for pair in result.pairs if pair.significant and is_ahead(pair.difference)]
    worse = [pair.first for pair in result.pairs if pair.significant and is_ahead(-pair.difference)]
    parts = [
        f"{join_words(names)} {way}"
        for names, way in ((better, "significantly better"), (worse, "significantly worse"))
        if names
    ]
    rest = len(result.pairs) - len(better) - len(worse)
    parts += [f"{count_of(rest, 'system')} without a significant difference"] if rest else []
    return f"Compared with {result.baseline}: {'; '.join(parts)}."


def _summarise_clusters(result: RecipeResult) -> str:
    clusters = result.clusters or ()
    if len(clusters) > 1:
        parts = " > ".join(", ".join(names) for names in clusters)
        return f"{len(clusters):,} clusters, each significantly ahead of the next: {parts}."
    parted = sum(pair.significant for pair in result.pairs)
    verb = "differs" if parted == 1 else "differ"
    return (
        f"{parted:,} of {len(result.pairs):,} pairs {verb} significantly, but nowhere do all systems above differ from "
        "all below: they are one cluster."
    )
