r"""A comparison as LaTeX: tables with booktabs, to be put into a paper with ``\input``."""

from __future__ import annotations

from bleuprint.comparison import Comparison
from bleuprint.render.comparison_tables import Shown, make_tables
from bleuprint.render.latex import escape, set_table


def render_latex(comparison: Comparison, shown: Shown) -> str:
    """Write every table with its caption; the signature and the settings are in the caption of the first."""
    parts = []
    for result in comparison.results:
        settings = comparison.settings
        how = (
            f"{result.recipe}; {settings.resamples:,} resamples, seed {settings.seed}, "
            f"test: paired {settings.test}, level {settings.level:g}"
        )
        for place, table in enumerate(make_tables(comparison, result, shown)):
            caption = f"{escape(table.title)}." if place else f"{escape(result.summary)} {escape(how)}."
            parts.append(set_table(table.cells, caption))
    return "\n".join(parts)
