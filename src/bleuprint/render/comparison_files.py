"""A comparison as Markdown and as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from bleuprint.findings.comparison import Comparison
from bleuprint.findings.comparison.results import PairResult, RecipeResult
from bleuprint.render.comparison_grids import (
    NOTHING_MORE,
    Shown,
    arrange_beginning,
    arrange_comparison,
    describe_settings,
    headline,
)
from bleuprint.render.csv import write_rows
from bleuprint.render.markdown_parts import escape, lay_out

CSV_COLUMNS = (
    "recipe", "kind", "first", "second", "group", "size", "value", "low", "high", "standard_error",
    "p_randomisation", "p_bootstrap", "p", "p_holm", "significant", "verdict", "detectable", "best_rank", "worst_rank",
    "cluster", "signature", "metric", "better",
)  # fmt: skip


def render_markdown(comparison: Comparison, shown: Shown = NOTHING_MORE) -> str:
    """Write the same as Markdown."""
    lines: list[str] = []
    for grid in arrange_beginning(comparison, shown):
        lines += [f"{escape(grid.title)}:", "", *lay_out(grid.cells), ""]
    for result in comparison.results:
        lines += [f"**{escape(headline(comparison, result))}** {escape(result.summary)}", ""]
        for grid in arrange_comparison(comparison, result, shown):
            lines += [f"{escape(grid.title)}:", "", *lay_out(grid.cells), ""]
        lines += [f"- Note: {escape(note.text)}" for note in result.notes]
        lines += ["", f"Signature: `{result.signature}` ({describe_settings(comparison)})", ""]
    return "\n".join(lines)


def render_csv(comparison: Comparison, shown: Shown = NOTHING_MORE) -> str:
    """Write one line per system, pair, and system in a part of the test set; numbers with all their digits."""
    rows = [row for result in comparison.results for row in _csv_rows(comparison, result, shown)]
    for one in comparison.agreement() if shown.agreement else ():
        for kind, group, value in (
            ("agreement", "segments", one.segments),
            ("agreement", "systems", one.systems),
            ("agreement kendall", "segments", one.segments_kendall),
            ("agreement kendall", "systems", one.systems_kendall),
        ):
            rows.append({"kind": kind, "first": one.first, "second": one.second, "group": group, "value": value})
    return write_rows([CSV_COLUMNS, *([row.get(name) for name in CSV_COLUMNS] for row in rows)])


def _verdict_cells(pair: PairResult) -> dict[str, object]:
    return {"significant": str(pair.significant).lower(), "verdict": pair.verdict.value}


def _csv_rows(comparison: Comparison, result: RecipeResult, shown: Shown) -> Iterator[dict[str, object]]:
    metric = result.recipe.metric
    common: dict[str, object] = {"recipe": result.name, "signature": result.signature, "metric": metric.key}
    common["better"] = metric.better.value
    for system in result.systems:
        best, worst = system.ranks or (None, None)
        own = {"kind": "system", "first": system.name, "value": system.score.score, "cluster": system.cluster}
        yield common | own | system.interval._asdict() | {"best_rank": best, "worst_rank": worst}
    for pair in result.pairs:
        names = {"kind": "pair", "first": pair.first, "second": pair.second, "value": pair.difference}
        ps = {name: getattr(pair, name) for name in ("p_randomisation", "p_bootstrap", "p", "p_holm", "detectable")}
        yield common | names | pair.interval._asdict() | ps | _verdict_cells(pair)
    for breakdown in comparison.breakdowns(shown.by, result.name):
        for group in breakdown.groups:
            for name, value in group.values.items():
                own = {
                    "kind": f"by {breakdown.name}",
                    "first": name,
                    "group": group.name,
                    "size": group.size,
                    "value": value,
                }
                yield common | own
