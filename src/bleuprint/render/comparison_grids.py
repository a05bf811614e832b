"""What every view of a comparison shows, its headline and its grids: terminal, Markdown and LaTeX read the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.agreement import RecipeAgreement
from bleuprint.findings.comparison.breakdowns import Breakdown
from bleuprint.findings.comparison.closeup import Disagreement, NgramDifference
from bleuprint.findings.comparison.results import (
    PairResult,
    PairVerdict,
    RecipeResult,
    SystemResult,
    interval_name,
    interval_words,
)
from bleuprint.metrics.metric import Better
from bleuprint.render.grids import Grid, GridColumn
from bleuprint.text.shown_tokens import text_words
from bleuprint.wording import count_of, format_difference, format_p, format_score, write_decimals


class TitledGrid(NamedTuple):
    """A grid with its title; the columns at ``texts`` hold words, the others numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: tuple[int, ...] = (0,)
    systems: tuple[int, int] = (0, 0)
    """the columns that hold one system each: the first of them, and the first behind them"""

    @property
    def cells(self) -> Grid:
        """The grid without its title."""
        columns = (GridColumn(title, words=place in self.texts) for place, title in enumerate(self.header))
        return Grid(tuple(columns), list(self.rows))


class Shown(NamedTuple):
    """What of a comparison is to be shown beside scores and tests."""

    by: tuple[str, ...] = ()
    examples: int = 0
    focus: tuple[str, str] | None = None
    agreement: bool = False
    """how far recipes agree"""


NOTHING_MORE = Shown()
DIFFER = {PairVerdict.SIGNIFICANT: "yes", PairVerdict.NOT_SIGNIFICANT: "no", PairVerdict.UNDECIDED: "undecided"}
"""Whether two systems differ, in a word."""


BEST = "*"
"""Marks the best score of a column."""


def headline(comparison: Comparison, result: RecipeResult) -> str:
    """Say what was compared."""
    systems, segments = count_of(len(comparison.names), "system"), count_of(comparison.segments, "segment")
    return f"{systems} on {segments}, {result.title}."


def describe_settings(comparison: Comparison) -> str:
    """Write what somebody needs to get the same numbers."""
    settings = comparison.settings
    return f"resamples {settings.resamples:,}, seed {settings.seed}, test {settings.test}, level {settings.level:g}"


def arrange_overview(comparison: Comparison) -> TitledGrid | None:
    """Put all systems under all recipes side by side, the best by the first recipe first; None for a single recipe."""
    results = comparison.results
    if len(results) < 2:
        return None
    titles = title_results(results)
    header = [f"{title} {result.recipe.metric.arrow}" for title, result in zip(titles, results, strict=True)]
    columns = [_score_column(result) for result in results]
    names = [system.name for system in results[0].ranked]
    rows = tuple((name_system(comparison, name), *(column[name] for column in columns)) for name in names)
    title = f"All recipes side by side, {BEST} before the best score" if len(names) > 1 else "All recipes side by side"
    return TitledGrid(title, ("system", *header), rows)


def title_results(results: Sequence[RecipeResult]) -> list[str]:
    """Say for each recipe what its scores are called; where two are called alike, what the recipe is called."""
    titles = [result.recipe.metric.title(result.recipe) for result in results]
    return [title if titles.count(title) == 1 else result.name for title, result in zip(titles, results, strict=True)]


def arrange_beginning(comparison: Comparison, shown: Shown) -> list[TitledGrid]:
    """Make the grids that are about all recipes together; none for a single recipe."""
    overview = arrange_overview(comparison)
    grids = [] if overview is None else [overview]
    return [*grids, arrange_agreement(comparison)] if shown.agreement else grids


def arrange_agreement(comparison: Comparison) -> TitledGrid:
    """Say for every pair of recipes how far they agree."""
    rows = tuple(
        (one.first, one.second, *("–" if r is None else _signed(r, 3) for r in _list_correlations(one)))
        for one in comparison.agreement()
    )
    title = "How far recipes agree on what is better: Pearson's r and Kendall's τ, over segments and over systems"
    return TitledGrid(title, ("first", "second", "r segments", "τ segments", "r systems", "τ systems"), rows, (0, 1))


def _list_correlations(one: RecipeAgreement) -> tuple[float | None, ...]:
    return one.segments, one.segments_kendall, one.systems, one.systems_kendall


def _score_column(result: RecipeResult) -> dict[str, str]:
    counted = [system for system in result.ranked if not system.score.tool_stops]
    best = counted[0].score.score if len(counted) > 1 else None
    return {
        system.name: f"{BEST} {system.score.printed}"
        if system in counted and best is not None and abs(system.score.score - best) < result.recipe.metric.margin
        else system.score.printed
        for system in result.systems
    }


def name_system(comparison: Comparison, name: str, shown: str | None = None) -> str:
    """Say which system is the baseline behind its name, or behind what is ``shown`` in the place of it."""
    shown = name if shown is None else shown
    return f"{shown} (baseline)" if name == comparison.baseline else shown


def arrange_comparison(comparison: Comparison, result: RecipeResult, shown: Shown) -> list[TitledGrid]:
    """Make every grid of one recipe."""
    grids = [arrange_systems(comparison, result), *arrange_pairs(comparison, result)]
    grids += map(arrange_breakdown, comparison.breakdowns(shown.by, result.name))
    if shown.examples:
        pair = shown.focus or comparison.focus(result.name)
        grids += _arrange_influences(comparison, result, pair or comparison.names, shown.examples)
        if pair:
            grids += _arrange_focus(comparison, result, pair, shown.examples)
    return grids


def arrange_systems(
    comparison: Comparison, result: RecipeResult, systems: Sequence[SystemResult] | None = None
) -> TitledGrid:
    """List the systems: the best first, unless they are given in another order."""
    ranked = result.clusters is not None
    header = [
        "system",
        result.recipe.metric.heading(result.recipe),
        interval_name(comparison.settings.confidence),
        "std. error",
        *(["rank", "cluster"] if ranked else []),
    ]
    rows, digits = [], result.recipe.metric.digits
    for system in result.ranked if systems is None else systems:
        cells = [name_system(comparison, system.name), system.score.printed, interval_words(system.interval, digits)]
        cells.append(write_decimals(system.interval.standard_error, digits))
        if system.ranks:
            low, high = system.ranks
            cells += [str(low) if low == high else f"{low}–{high}", str(system.cluster)]
        rows.append(tuple(cells))
    return TitledGrid("Systems", tuple(header), tuple(rows))


def arrange_pairs(
    comparison: Comparison, result: RecipeResult, pairs: Sequence[PairResult] | None = None
) -> list[TitledGrid]:
    """List the comparisons, unless they are given in another order; of a single system there are none."""
    pairs = result.pairs if pairs is None else pairs
    if not pairs:
        return []
    several = len(pairs) > 1
    header = (
        "first",
        "second",
        "difference",
        interval_name(comparison.settings.confidence),
        "p",
        *(["p (Holm)"] if several else []),
    )
    rows, digits = [], result.recipe.metric.digits
    for pair in pairs:
        ps = (format_p(pair.p), *([format_p(pair.p_holm)] if several else []))
        cells = (format_difference(pair.difference, digits), interval_words(pair.interval, digits), *ps)
        detects = "–" if pair.detectable is None else write_decimals(pair.detectable, digits)
        rows.append((pair.first, pair.second, *cells, DIFFER[pair.verdict], detects))
    title = "Differences" if _is_higher_better(result) else "Differences: below 0 the first is ahead"
    return [TitledGrid(title, (*header, "differ", "detects"), tuple(rows), (0, 1))]


def title_breakdown(breakdown: Breakdown) -> str:
    """Say by what the test set is parted, and what was measured."""
    unit = f" in {breakdown.length_unit}" if breakdown.length_unit else ""
    return f"By {breakdown.name}{unit}: {breakdown.measure}"


def arrange_breakdown(breakdown: Breakdown) -> TitledGrid:
    """List the parts of the test set with what each system reaches."""
    names = list(breakdown.groups[0].values) if breakdown.groups else []
    several = len(names) > 1
    rows = []
    for group in breakdown.groups:
        values = (format_score(group.values[name], breakdown.digits) for name in names)
        rows.append((group.name, f"{group.size:,}", *values, *([group.leader or "–"] if several else [])))
    title = title_breakdown(breakdown)
    texts = (0, 2 + len(names)) if several else (0,)
    return TitledGrid(
        title,
        (breakdown.name, breakdown.unit, *names, *(["ahead"] if several else [])),
        tuple(rows),
        texts,
        (2, 2 + len(names)),
    )


def _arrange_influences(
    comparison: Comparison, result: RecipeResult, names: Sequence[str], examples: int
) -> list[TitledGrid]:
    grids = []
    for name in names:
        found = comparison.influences(name, result.name)
        chosen = [one for one in found[:examples] if one.points > 0]
        chosen += [one for one in found[-examples:] if one.points < 0 and one not in chosen]
        texts = comparison.systems.get(name)
        rows = []
        for one in chosen:
            candidate = (text_words(texts.candidates[one.segment]),) if texts else ()
            rows.append((str(one.segment + 1), _signed(one.points, result.recipe.metric.digits + 1), *candidate))
        title = f"Segments that move {name} most: the score minus what it were without them"
        title += "" if _is_higher_better(result) else "; above 0 they make it worse"
        header = ("segment", "points", "candidate") if texts else ("segment", "points")
        grids.append(TitledGrid(title, header, tuple(rows), (2,)))
    return grids


def _arrange_focus(
    comparison: Comparison, result: RecipeResult, pair: tuple[str, str], examples: int
) -> list[TitledGrid]:
    first, second = pair
    found = comparison.disagreements(first, second, result.name)[:examples]
    sources = comparison.sources
    rows = tuple(
        row
        for one in found
        for row in _disagreement_rows(one, pair, sources[one.segment] if sources else None, result.recipe.metric.digits)
    )
    title = f"Where {first} and {second} part: what a segment does to the difference"
    title += "" if _is_higher_better(result) else f"; below 0 it helps {first}"
    grids = [TitledGrid(title, ("segment", "points", "text", "score"), rows, (2,))]
    if not comparison.has_ngrams(result.name):
        return grids
    ngrams = comparison.ngrams(first, second, result.name)
    gains = [one for one in ngrams[:examples] if one.difference > 0]
    losses = [one for one in ngrams[::-1][:examples] if one.difference < 0]
    for better, worse, own in ((first, second, gains), (second, first, losses)):
        units = "n-grams" if result.recipe.metric.has_ngrams else "words"
        title = f"{units.capitalize()} that {better} gets and {worse} misses: matches"
        grids.append(TitledGrid(title, (units.removesuffix("s"), first, second), tuple(map(_ngram_row, own))))
    return grids


def _is_higher_better(result: RecipeResult) -> bool:
    return result.recipe.metric.better is Better.HIGHER


def _disagreement_rows(
    one: Disagreement, pair: Sequence[str], source: str | None, digits: int
) -> list[tuple[str, ...]]:
    texts = [""] * 2 if one.candidates is None else [f": {text_words(text)}" for text in one.candidates]
    first, second = (
        (f"{name}{text}", format_score(score, digits))
        for name, text, score in zip(pair, texts, one.scores, strict=True)
    )
    rows: list[tuple[str, ...]] = [(str(one.segment + 1), _signed(one.points, digits + 1), *first), ("", "", *second)]
    rows += [("", "", f"reference: {text_words(text)}", "") for text in one.references or ()]
    return rows if source is None else [*rows, ("", "", f"source: {source}", "")]


def _ngram_row(one: NgramDifference) -> tuple[str, ...]:
    return (one.ngram, str(one.matches[0]), str(one.matches[1]))


def _signed(points: float, digits: int) -> str:
    text = write_decimals(abs(points), digits)
    return text if not float(text) else f"\u2212{text}" if points < 0 else f"+{text}"
