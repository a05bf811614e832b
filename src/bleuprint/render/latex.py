r"""LaTeX: tables for a paper, set with booktabs, the signature in the caption.

The preamble needs ``\usepackage{booktabs}``, for segments ``\usepackage{longtable}`` as well. Texts are escaped, so
that a name cannot become a command.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from bleuprint.findings.identification.results import Identification
from bleuprint.findings.intervals import ScoreIntervals
from bleuprint.findings.reconciliation.results import DialectGroups, Reconciliation
from bleuprint.render.grids import (
    Grid,
    GridColumn,
    Scores,
    arrange_groups,
    arrange_identification,
    arrange_reconciliation,
    arrange_scores,
    arrange_segments,
    metric_name,
)
from bleuprint.render.latex_widths import LINE, SMALL, Fitted, count_lines, fit, measure
from bleuprint.scoring.verbs import SegmentScores

_MARKS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "−": "$-$", "·": r"$\cdot$", "→": r"$\rightarrow$", "≥": r"$\ge$", "–": "{--}", "…": r"\ldots{}",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"} | {mark: f"{{{mark}}}" for mark in "[]*"}  # fmt: skip
r"""``[`` and ``*`` mean something after ``\\``, where a row begins."""
_KNOWN = "‘’“”„«»—•€£†‡№"
"""Marks beyond Latin letters that pdfLaTeX has."""
MOST_LINES = 36
"""More lines than this do not fit onto a page."""
CAPTION_WORD = 120.0
"""Words that take more points than this may be broken in a caption."""
PIECE = 3
"""So many letters stay together in a word that may be broken."""
_PART = re.compile(r"[(\[{<]?[^\W_]+[\W_]?|[\W_]")
_LIGATURE = re.compile(r"([-',])(?=\1)")


def render(result: Reconciliation | DialectGroups | Identification) -> str:
    """Write a result, whichever it is."""
    if isinstance(result, Reconciliation):
        ends = {"From": result.start.signature, "To": result.end.signature}
        return set_table(arrange_reconciliation(result), f"{set_words(result.summary)} {_list_signatures(ends)}")
    if isinstance(result, DialectGroups):
        caption = f"The dialects of {metric_name(group.score for group in result)} on the same texts."
        return set_table(arrange_groups(result), f"{caption} {set_words(result.remark)}".strip())
    return set_table(arrange_identification(result), set_words(result.summary))


def render_scores(
    scores: Scores, groups: Mapping[str, Mapping[str, Scores]], intervals: ScoreIntervals | None = None
) -> str:
    """Write the scores of one or more recipes, then those of the groups under each."""
    signatures = {name: score.signature for name, score in scores.items()}
    caption = f"{metric_name(scores.values())}. {_list_signatures(signatures)}"
    remarks = _remarks(scores)
    if intervals is not None:
        caption += f"; {intervals.making}."
        remarks += [f"note: {note}" for note in intervals.notes]
    parts = [set_table(arrange_scores(scores, intervals=intervals), caption, remarks)]
    for by, by_recipe in groups.items():
        for name, own in by_recipe.items():
            caption = f"{scores[name].metric.name} by {set_words(by)}. {_list_signatures({name: signatures[name]})}"
            parts.append(set_table(arrange_scores(own, by), caption, _remarks(own)))
    return "\n".join(parts)


def render_segments(scores: SegmentScores, documents: Sequence[str] | None) -> str:
    """Write every segment, in a table that goes over pages."""
    caption = f"{scores.recipe.metric.name} by segment. {set_signature(scores.signature)}"
    return _set_over_pages(fit(arrange_segments(scores, documents)), caption)


def escape(text: str) -> str:
    r"""Keep a text from being read as commands: ``50%`` becomes ``50\%``; line breaks and controls become spaces."""
    plain = "".join(" " if unicodedata.category(mark) in ("Cc", "Zl", "Zp") else mark for mark in text)
    parts = [_MARKS.get(mark, mark) for mark in _LIGATURE.sub("\\1\x00", plain)]
    return "".join(parts).replace("\x00", "{}")


def set_table(grid: Grid, caption: str, remarks: Sequence[str] = ()) -> str:
    """Set a table with a caption, which is LaTeX already; one that no page could hold goes over pages."""
    grid, tight = fitted = fit(grid)
    if count_lines(grid) > MOST_LINES:
        return _set_over_pages(fitted, caption, remarks)
    lines = [
        *_open_table(grid, caption, "booktabs", remarks),
        r"\begin{table}",
        r"\centering",
        *([r"\footnotesize\setlength{\tabcolsep}{3pt}"] if tight else []),
        rf"\begin{{tabular}}{{{_layout(grid)}}}",
        r"\toprule",
        _head(grid),
        r"\midrule",
        *(_row(row, grid.columns) for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{caption}}}",
        r"\end{table}",
    ]
    return "\n".join([*lines, ""])


def _set_over_pages(fitted: Fitted, caption: str, remarks: Sequence[str] = ()) -> str:
    grid, tight = fitted
    head = [r"\toprule", _head(grid), r"\midrule"]
    close = r"\setlength{\tabcolsep}{3pt}" if tight else ""
    lines = [
        *_open_table(grid, caption, "booktabs,longtable", remarks),
        rf"\begingroup\footnotesize{close}",
        rf"\begin{{longtable}}{{{_layout(grid)}}}",
        rf"\caption{{{caption}}}\\",
        *head,
        r"\endfirsthead",
        *head,
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *(_row(row, grid.columns) for row in grid.rows),
        r"\end{longtable}",
        r"\endgroup",
    ]
    return "\n".join([*lines, ""])


def _open_table(grid: Grid, caption: str, packages: str, remarks: Sequence[str]) -> list[str]:
    """Say in comments what a table needs, and what else there is to say."""
    lines = [f"% needs \\usepackage{{{packages}}}"]
    titles = (column.title for column in grid.columns)
    if any(map(_is_beyond_pdflatex, [caption, *titles, *(cell for row in grid.rows for cell in row)])):
        lines.append("% needs LuaLaTeX or XeLaTeX, and a font that has all letters of these names and texts")
    return [*lines, *(f"% {escape(remark)}" for remark in remarks)]


def _is_beyond_pdflatex(text: str) -> bool:
    return any(mark > "\u017f" and mark not in _MARKS and mark not in _KNOWN for mark in text)


def _layout(grid: Grid) -> str:
    return "".join("l" if column.words else "r" for column in grid.columns)


def _head(grid: Grid) -> str:
    titles = [
        _set_box(column.title, column.head, "raggedright" if column.words else "raggedleft")
        if column.head
        else escape(column.title)
        for column in grid.columns
    ]
    return " & ".join(titles) + r" \\"


def _row(cells: Sequence[str], columns: Sequence[GridColumn]) -> str:
    set_cells = (
        _set_box(cell, column.share) if column.share else escape(cell)
        for cell, column in zip(cells, columns, strict=True)
    )
    return " & ".join(set_cells) + r" \\"


def _set_box(text: str, share: float, way: str = "raggedright") -> str:
    words = set_signature(text) if text.startswith("bleuprint:") else set_words(text, share * LINE / SMALL)
    return rf"\parbox[t]{{{share:g}\linewidth}}{{\{way}\hspace{{0pt}}{words}\strut}}"


def set_words(text: str, room: float = CAPTION_WORD) -> str:
    """Escape a text that stands in lines of so many points: they may end inside of words that are longer."""
    return " ".join(_break_up(word, room) if measure(word) > room else escape(word) for word in text.split(" "))


def _break_up(word: str, room: float) -> str:
    """Let a word end a line after its marks, and anywhere where it has none for longer than a line."""
    pieces = []
    for part in _PART.findall(word):
        size = PIECE if measure(part) > room else len(part)
        pieces += [part[place : place + size] for place in range(0, len(part), size)]
    return r"\allowbreak{}".join(map(escape, pieces))


def _list_signatures(signatures: Mapping[str, str]) -> str:
    return "; ".join(f"{set_words(name)}: {set_signature(signature)}" for name, signature in signatures.items())


def set_signature(signature: str) -> str:
    """Set a signature in typewriter letters; a line may end after each of its parts, and inside of long ones."""
    breakable = (_MARKS["|"] + r"\allowbreak{}").join(map(set_words, signature.split("|")))
    return rf"\texttt{{{breakable}}}"


def _remarks(scores: Scores) -> list[str]:
    return [f"{name}: note: {note}" for name, score in scores.items() for note in score.notes]
