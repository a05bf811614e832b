r"""A comparison as LaTeX: tables with booktabs, to be put into a paper with ``\input``."""

from __future__ import annotations

from collections.abc import Iterator

from bleuprint.findings.comparison import Comparison
from bleuprint.render.comparison_grids import Shown, TitledGrid, arrange_beginning, arrange_comparison
from bleuprint.render.latex import set_signature, set_table, set_words

SYSTEMS_ABREAST = 5
"""A table with a column for each system has at most so many of them; the others follow in tables of their own."""


def render_latex(comparison: Comparison, shown: Shown) -> str:
    """Write every table with its caption; the signature and the settings are in the caption of the first."""
    parts = [set_table(grid.cells, f"{set_words(grid.title)}.") for grid in arrange_beginning(comparison, shown)]
    for result in comparison.results:
        settings = comparison.settings
        how = (
            f"{settings.resamples:,} resamples, seed {settings.seed}, test: paired {settings.test}, "
            f"level {settings.level:g}."
        )
        for place, grid in enumerate(arrange_comparison(comparison, result, shown)):
            first = f"{set_words(result.summary)} {set_signature(result.signature)}; {set_words(how)}"
            for part in _split(grid):
                parts.append(set_table(part.cells, f"{set_words(part.title)}." if place else first))
    return "\n".join(parts)


def _split(grid: TitledGrid) -> Iterator[TitledGrid]:
    """Cut a table between the columns of systems, where there are many; each part begins with what names its rows."""
    names = range(*grid.systems)
    if len(names) <= SYSTEMS_ABREAST:
        yield grid
        return
    parts = [names[start : start + SYSTEMS_ABREAST] for start in range(0, len(names), SYSTEMS_ABREAST)]
    for number, own in enumerate(parts, start=1):
        after = range(names.stop, len(grid.header)) if number == len(parts) else ()
        kept = [*range(names.start), *own, *after]
        yield TitledGrid(
            f"{grid.title} ({number} of {len(parts)})",
            tuple(grid.header[place] for place in kept),
            tuple(tuple(row[place] for place in kept) for row in grid.rows),
            tuple(place for place, old in enumerate(kept) if old in grid.texts),
        )
