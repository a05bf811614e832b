"""A comparison as blocks and as CSV: the report in HTML shows the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.breakdowns import Breakdown
from bleuprint.findings.comparison.closeup import Disagreement
from bleuprint.findings.comparison.results import PairResult, PairVerdict, RecipeResult, SystemResult
from bleuprint.findings.significance import interval_name, interval_words
from bleuprint.metrics.metric import Better
from bleuprint.render.blocks import Block, Column, Heading, Paragraph, Signature, Table, list_notes, numbers, texts
from bleuprint.text.shown_tokens import text_words
from bleuprint.wording import count_of, format_difference, format_p, format_score, write_decimals


class Shown(NamedTuple):
    """What to show of a comparison in addition to scores and tests."""

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


def build_comparison(comparison: Comparison, shown: Shown = NOTHING_MORE) -> Iterator[Block]:
    """Show all recipes side by side, then for each the outcome, tables, notes and its signature."""
    overview = arrange_overview(comparison)
    if overview:
        yield overview
    if shown.agreement:
        yield arrange_agreement(comparison)
    systems, segments = count_of(len(comparison.names), "system"), count_of(comparison.segments, "segment")
    settings = comparison.settings
    making = f"resamples {settings.resamples:,}, seed {settings.seed}, test {settings.test}, level {settings.level:g}"
    for result in comparison.results:
        yield Heading(f"{systems} on {segments}, {result.title}.", result.summary)
        yield arrange_systems(comparison, result)
        if result.pairs:
            yield arrange_pairs(comparison, result)
        yield from map(arrange_breakdown, comparison.breakdowns(shown.by, result.name))
        if shown.examples:
            pair = shown.focus or comparison.focus(result.name)
            for name in pair or comparison.names:
                yield _arrange_influences(comparison, result, name, shown.examples)
            if pair:
                yield _arrange_disagreements(comparison, result, pair, shown.examples)
                if comparison.has_ngrams(result.name):
                    yield from _arrange_ngrams(comparison, result, pair, shown.examples)
        yield from list_notes(note.text for note in result.notes)
        yield Signature(result.signature)
        yield Paragraph(making, dim=True)


def arrange_overview(comparison: Comparison) -> Table | None:
    """Put all systems under all recipes side by side, the best by the first recipe first; None for a single recipe."""
    results = comparison.results
    if len(results) < 2:
        return None
    titles = title_results(results)
    header = [f"{title} {result.recipe.metric.better.arrow}" for title, result in zip(titles, results, strict=True)]
    columns = [_score_column(result) for result in results]
    names = [system.name for system in results[0].ranked]
    rows = [(name_system(comparison, name), *(column[name] for column in columns)) for name in names]
    title = f"All recipes side by side{f', {BEST} before the best score' if len(names) > 1 else ''}"
    return Table([*texts("system"), *numbers(*header)], rows, title)


def title_results(results: Sequence[RecipeResult]) -> list[str]:
    """Say for each recipe what its scores are called; where two are called alike, what the recipe is called."""
    titles = [result.recipe.metric.title(result.recipe) for result in results]
    return [title if titles.count(title) == 1 else result.name for title, result in zip(titles, results, strict=True)]


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


def arrange_agreement(comparison: Comparison) -> Table:
    """Say for every pair of recipes how far they agree."""
    columns = [*texts("first", "second"), *numbers("r segments", "τ segments", "r systems", "τ systems")]
    rows = []
    for one in comparison.agreement():
        correlations = (one.segments, one.segments_kendall, one.systems, one.systems_kendall)
        rows.append((one.first, one.second, *("–" if r is None else _signed(r, 3) for r in correlations)))
    title = "How far recipes agree on what is better: Pearson's r and Kendall's τ, over segments and over systems"
    return Table(columns, rows, title)


def arrange_systems(
    comparison: Comparison, result: RecipeResult, systems: Sequence[SystemResult] | None = None
) -> Table:
    """List the systems: the best first, unless they are in another order."""
    metric, ranked = result.recipe.metric, ["rank", "cluster"] if result.clusters is not None else []
    header = [metric.heading(result.recipe), interval_name(comparison.settings.confidence), "std. error", *ranked]
    rows = []
    for system in result.ranked if systems is None else systems:
        cells = [name_system(comparison, system.name), system.score.printed]
        cells += [interval_words(system.interval, metric.digits)]
        cells += [write_decimals(system.interval.standard_error, metric.digits)]
        if system.ranks:
            low, high = system.ranks
            cells += [str(low) if low == high else f"{low}–{high}", str(system.cluster)]
        rows.append(cells)
    return Table([*texts("system"), *numbers(*header)], rows, "Systems")


def arrange_pairs(comparison: Comparison, result: RecipeResult, pairs: Sequence[PairResult] | None = None) -> Table:
    """List the comparisons, unless they are in another order."""
    pairs, digits = result.pairs if pairs is None else pairs, result.recipe.metric.digits
    several = len(pairs) > 1
    header = ["difference", interval_name(comparison.settings.confidence), "p", *(["p (Holm)"] if several else [])]
    rows = [
        (
            pair.first,
            pair.second,
            format_difference(pair.difference, digits),
            interval_words(pair.interval, digits),
            *map(format_p, [pair.p, pair.p_holm][: 1 + several]),
            DIFFER[pair.verdict],
            "–" if pair.detectable is None else write_decimals(pair.detectable, digits),
        )
        for pair in pairs
    ]
    columns = [*texts("first", "second"), *numbers(*header, "differ", "detects")]
    return Table(columns, rows, f"Differences{_where_lower(result, ': below 0 the first is ahead')}")


def title_breakdown(breakdown: Breakdown) -> str:
    """Say by what the test set is parted, and what was measured."""
    unit = f" in {breakdown.length_unit}" if breakdown.length_unit else ""
    return f"By {breakdown.name}{unit}: {breakdown.measure}"


def arrange_breakdown(breakdown: Breakdown) -> Table:
    """List the parts of the test set with what each system reaches."""
    names = list(breakdown.groups[0].values) if breakdown.groups else []
    ahead = ["ahead"] if len(names) > 1 else []
    systems = [Column(name, is_system=True) for name in names]
    rows = []
    for group in breakdown.groups:
        values = (format_score(group.values[name], breakdown.digits) for name in names)
        rows.append((group.name, f"{group.size:,}", *values, *(group.leader or "–" for _ in ahead)))
    columns = [*texts(breakdown.name), *numbers(breakdown.unit), *systems, *texts(*ahead)]
    return Table(columns, rows, title_breakdown(breakdown))


def _arrange_influences(comparison: Comparison, result: RecipeResult, name: str, examples: int) -> Table:
    found, system = comparison.influences(name, result.name), comparison.systems.get(name)
    chosen = [one for one in found[:examples] if one.points > 0]
    chosen += [one for one in found[-examples:] if one.points < 0 and one not in chosen]
    digits = result.recipe.metric.digits + 1
    rows = [
        (
            str(one.segment + 1),
            _signed(one.points, digits),
            *([text_words(system.candidates[one.segment])] if system else []),
        )
        for one in chosen
    ]
    title = f"Segments that move {name} most: the score minus what it were without them"
    columns = [*numbers("segment", "points"), *texts(*(["candidate"] if system else []))]
    return Table(columns, rows, title + _where_lower(result, "; above 0 they make it worse"))


def _arrange_disagreements(comparison: Comparison, result: RecipeResult, pair: tuple[str, str], examples: int) -> Table:
    rows: list[Sequence[str]] = []
    for one in comparison.disagreements(*pair, result.name)[:examples]:
        rows += _disagreement_rows(one, pair, result.recipe.metric.digits)
        if comparison.sources:
            rows.append(("", "", f"source: {comparison.sources[one.segment]}", ""))
    title = f"Where {pair[0]} and {pair[1]} part: what a segment does to the difference"
    columns = [*numbers("segment", "points"), *texts("text"), *numbers("score")]
    return Table(columns, rows, title + _where_lower(result, f"; below 0 it helps {pair[0]}"))


def _disagreement_rows(one: Disagreement, pair: tuple[str, str], digits: int) -> Iterator[Sequence[str]]:
    head = (str(one.segment + 1), _signed(one.points, digits + 1))
    for name, text, score in zip(pair, one.candidates or (None, None), one.scores, strict=True):
        yield (*head, name if text is None else f"{name}: {text_words(text)}", format_score(score, digits))
        head = ("", "")
    for text in one.references or ():
        yield "", "", f"reference: {text_words(text)}", ""


def _arrange_ngrams(
    comparison: Comparison, result: RecipeResult, pair: tuple[str, str], examples: int
) -> Iterator[Table]:
    first, second = pair
    ngrams = comparison.ngrams(first, second, result.name)
    unit = "n-gram" if result.recipe.metric.has_ngrams else "word"
    for better, worse, found, sign in ((first, second, ngrams, 1), (second, first, ngrams[::-1], -1)):
        rows = [(one.ngram, *map(str, one.matches)) for one in found[:examples] if one.difference * sign > 0]
        title = f"{unit.capitalize()}s that {better} gets and {worse} misses: matches"
        yield Table([*texts(unit), *numbers(first, second)], rows, title)


def _where_lower(result: RecipeResult, words: str) -> str:
    """Return the words if lower scores are better."""
    return words if result.recipe.metric.better is Better.LOWER else ""


def _signed(points: float, digits: int) -> str:
    text = write_decimals(abs(points), digits)
    return text if not float(text) else f"\u2212{text}" if points < 0 else f"+{text}"


CSV_COLUMNS = (
    "recipe", "kind", "first", "second", "group", "size", "value", "low", "high", "standard_error",
    "p_randomisation", "p_bootstrap", "p", "p_holm", "significant", "verdict", "detectable", "best_rank", "worst_rank",
    "cluster", "signature", "metric", "better",
)  # fmt: skip


def list_rows(comparison: Comparison, shown: Shown = NOTHING_MORE) -> Iterator[Sequence[object]]:
    """List a row per system, pair, and system in a part of the test set, for CSV; numbers have all their digits."""
    yield CSV_COLUMNS
    rows = [row for result in comparison.results for row in _result_rows(comparison, result, shown)]
    for one in comparison.agreement() if shown.agreement else ():
        names = {"first": one.first, "second": one.second}
        for kind, segments, systems in (
            ("agreement", one.segments, one.systems),
            ("agreement kendall", one.segments_kendall, one.systems_kendall),
        ):
            rows.append(names | {"kind": kind, "group": "segments", "value": segments})
            rows.append(names | {"kind": kind, "group": "systems", "value": systems})
    yield from ([row.get(name) for name in CSV_COLUMNS] for row in rows)


def _result_rows(comparison: Comparison, result: RecipeResult, shown: Shown) -> Iterator[dict[str, object]]:
    metric = result.recipe.metric
    common: dict[str, object] = {"recipe": result.name, "signature": result.signature, "metric": metric.key}
    common["better"] = metric.better.value
    for system in result.systems:
        best, worst = system.ranks or (None, None)
        own = {"kind": "system", "first": system.name, "value": system.score.score, "cluster": system.cluster}
        yield common | own | system.interval._asdict() | {"best_rank": best, "worst_rank": worst}
    for pair in result.pairs:
        own = {"kind": "pair", "value": pair.difference, "significant": str(pair.significant).lower()}
        equal = ("first", "second", "p_randomisation", "p_bootstrap", "p", "p_holm", "detectable")
        own |= {name: getattr(pair, name) for name in equal}
        yield common | own | pair.interval._asdict() | {"verdict": pair.verdict.value}
    for breakdown in comparison.breakdowns(shown.by, result.name):
        for group in breakdown.groups:
            own = {"kind": f"by {breakdown.name}", "group": group.name, "size": group.size}
            yield from (common | own | {"first": name, "value": value} for name, value in group.values.items())
