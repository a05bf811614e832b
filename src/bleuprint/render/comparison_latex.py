r"""A comparison as LaTeX: tables with booktabs, to be put into a paper with ``\input``."""

from __future__ import annotations

from bleuprint.comparison import Comparison
from bleuprint.render.comparison_tables import PlainTable, Shown, make_tables

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "\u2212": r"$-$", "–": "--",
}  # fmt: skip


def render_latex(comparison: Comparison, shown: Shown) -> str:
    """Write every table with its caption; the signature and the settings are in the caption of the first."""
    parts = ["% needs \\usepackage{booktabs}"]
    for result in comparison.results:
        settings = comparison.settings
        how = (
            f"{result.recipe}; {settings.resamples:,} resamples, seed {settings.seed}, "
            f"test: paired {settings.test}, level {settings.level:g}"
        )
        for place, table in enumerate(make_tables(comparison, result, shown)):
            caption = f"{escape(table.title)}." if place else f"{escape(result.summary)} {escape(how)}."
            parts.append(_write_table(table, caption))
    return "\n\n".join(parts)


def escape(text: str) -> str:
    r"""Write a text so that LaTeX prints it as it is.

    >>> print(escape("50 % of a_b & c"))
    50 \% of a\_b \& c
    """
    return "".join(_SPECIAL.get(character, character) for character in " ".join(text.split()))


def _write_table(table: PlainTable, caption: str) -> str:
    columns = "".join("l" if place in table.texts else "r" for place in range(len(table.header)))
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
    ]
    lines += [_write_row(table.header), r"\midrule", *map(_write_row, table.rows), r"\bottomrule"]
    return "\n".join([*lines, r"\end{tabular}", r"\end{table}"])


def _write_row(cells: tuple[str, ...]) -> str:
    return " & ".join(map(escape, cells)) + r" \\"
