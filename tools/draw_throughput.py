"""Draw docs/throughput.svg from the numbers that bench/throughput.py left in bench/results, as ``make docs`` does.

Both panels are tables of the results: a first column to go along, then a line for each other column. Where a tool has
no threads its cells are empty, and its line goes on level, dotted. The colours of paper and ink are left to the
reader's choice of a light or a dark look.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from markdown_tables import read_tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).parent.parent
NUMBERS = ROOT / "bench/results/throughput.md"
PICTURE = ROOT / "docs/throughput.svg"


class Pair(NamedTuple):
    """A colour, in the light and in the dark."""

    light: str
    dark: str


PAPER, INK, GRID = Pair("#ffffff", "#14181d"), Pair("#20262e", "#e4e8ed"), Pair("#d9dee4", "#353c45")
LINES = (
    (Pair("#b3261e", "#ff8a80"), "o"),
    (Pair("#1d5fa8", "#7ab8ff"), "s"),
    (Pair("#2b7a3d", "#7fd08f"), "^"),
    (Pair("#8a5a00", "#e5b454"), "D"),
    (Pair("#626b75", "#a3acb6"), ""),
)
"""The colour and the mark of each column; the last is the limit."""


class Panel(NamedTuple):
    """A table: what stands in its first column, and each other column by its title."""

    along: str
    places: list[float]
    columns: dict[str, list[float | None]]


def read_panels(text: str) -> list[Panel]:
    """Read every table of a file of results."""
    panels = []
    for (along, *titles), *body in read_tables(text):
        rows = [[_number(cell) for cell in row] for row in body]
        places, *columns = (list(column) for column in zip(*rows, strict=True))
        panels.append(Panel(along, [place for place in places if place], dict(zip(titles, columns, strict=True))))
    return panels


def _number(cell: str) -> float | None:
    return float(cell.replace(",", "")) if cell else None


def draw(panels: list[Panel]) -> str:
    """Draw the panels side by side."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    looks = {"svg.fonttype": "none", "svg.hashsalt": "throughput", "font.family": ["DejaVu Sans"], "font.size": 10}
    inks = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK.light)
    with mpl.rc_context({**looks, **inks, "grid.color": GRID.light, "axes.facecolor": PAPER.light}):
        figure = Figure(figsize=(9, 4.4), facecolor=PAPER.light, layout="constrained")
        for axes, panel in zip(figure.subplots(1, len(panels), sharey=True), panels, strict=True):
            _draw_panel(axes, panel)
        figure.axes[0].set_ylabel("MB of text per second")
        figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return _for_both_looks(written.getvalue())


def _draw_panel(axes: Axes, panel: Panel) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    for (title, values), (colour, mark) in zip(panel.columns.items(), LINES, strict=True):
        known = [(place, value) for place, value in zip(panel.places, values, strict=True) if value is not None]
        style = {"color": colour.light, "marker": mark, "markersize": 5, "label": title}
        axes.plot(*zip(*known, strict=True), linestyle="-" if mark else "--", **style)
        if len(known) < len(values):
            last_place, last = known[-1]
            axes.plot([last_place, panel.places[-1]], [last, last], color=colour.light, linestyle=":")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(panel.places)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.set_xlabel(panel.along)
    axes.grid(visible=True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _for_both_looks(picture: str) -> str:
    """Let a style sheet, which knows the look, choose each colour."""
    pairs = [PAPER, INK, GRID, *(colour for colour, _ in LINES)]
    for number, pair in enumerate(pairs):
        picture = picture.replace(pair.light, f"var(--colour-{number})")
    light, dark = (
        "".join(f" --colour-{number}: {colour};" for number, colour in enumerate(colours))
        for colours in zip(*pairs, strict=True)
    )
    font = "text { font-family: 'DejaVu Sans', Verdana, sans-serif !important; }"
    looks = f"<style>svg {{{light} }} {font}\n@media (prefers-color-scheme: dark) {{ svg {{{dark} }} }}</style>\n"
    return re.sub(r"[ \t]+$", "", picture.replace("<defs>", f"{looks}<defs>", 1), flags=re.MULTILINE)


def build() -> str:
    """Draw the picture of the stored numbers."""
    return draw(read_panels(NUMBERS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    PICTURE.write_text(build(), encoding="utf-8")
