r"""LaTeX: tables for a paper, set with booktabs, the signature in the caption.

A comment above each table lists the packages it needs. LaTeX itself computes the widths: long texts are in X columns of
``tabularx``, and tables longer than a page use ``longtable`` or ``xltabular``. Texts are escaped, so that a name cannot
become a command.
"""

from __future__ import annotations

import math
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
"""Tables with more lines than this continue on the next page."""
MOST_ROWS = 1000
"""Tables with columns that wrap are cut after so many rows: TeX holds all of them in memory. 3,000 are too many."""
WIDTH, SMALL = r"{\linewidth}", r"\footnotesize\setlength{\tabcolsep}{3pt}"
LINE, GAP = 68, 2.5
"""About how many letters fit into a line of the article class, and into the space between columns."""
SMALL_LINE, SMALL_GAP = 78, 1.5
"""The same for small letters."""
LIMITS = (99, 18, 12, 8, 5)
"""In a wide table, columns with more letters than this wrap. The first limit that leaves enough room is used."""
LEAST = 6
"""The letters that fit into each line of a column that wraps, at least."""
CAPTION_WORD = 24
"""Words with more letters than this may be broken in a caption."""
PIECE = 3
"""So many letters stay together in a word that may be broken."""
BREAK = r"\discretionary{}{}{}"
"""Lines may end here, without a hyphen. LaTeX prefers to end them between words."""
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
    return set_table(arrange_segments(scores, documents), caption, is_long=True)


def escape(text: str) -> str:
    r"""Keep a text from being read as commands: ``50%`` becomes ``50\%``; line breaks and controls become spaces."""
    plain = "".join(" " if unicodedata.category(mark) in ("Cc", "Zl", "Zp") else mark for mark in text)
    parts = [_MARKS.get(mark, mark) for mark in _LIGATURE.sub("\\1\x00", plain)]
    return "".join(parts).replace("\x00", "{}")


def set_table(grid: Grid, caption: str, remarks: Sequence[str] = (), is_long: bool = False) -> str:
    """Set a table with a caption, which is LaTeX already. A long one continues on the next page."""
    wrapped, room, size = _choose_widths(grid)
    if wrapped and len(grid.rows) > MOST_ROWS:
        starts = range(0, len(grid.rows), MOST_ROWS)
        parts = [Grid(grid.columns, grid.rows[start : start + MOST_ROWS]) for start in starts]
        return "\n".join(set_table(part, caption, remarks, is_long) for part in parts)
    cells = [tuple(column.title for column in grid.columns), *grid.rows]
    heights = (max([1, *(math.ceil(_count_letters(row[place]) / room) for place in wrapped)]) for row in cells)
    is_long = is_long or sum(heights) > MOST_LINES
    kind = ("xltabular" if is_long else "tabularx") if wrapped else "longtable" if is_long else "tabular"
    columns = "".join(_column_type(column, place in wrapped) for place, column in enumerate(grid.columns))
    titles, *rows = (
        " & ".join(_set_cell(cell, room) if place in wrapped else escape(cell) for place, cell in enumerate(row))
        + r" \\"
        for row in cells
    )
    begin, end = rf"\begin{{{kind}}}{WIDTH if wrapped else ''}{{{columns}}}", rf"\end{{{kind}}}"
    head, foot, caption_line = [r"\toprule", titles, r"\midrule"], r"\bottomrule", rf"\caption{{{caption}}}"
    if is_long:
        head = [caption_line + r"\\", *head, r"\endfirsthead", *head, r"\endhead", foot, r"\endfoot"]
        lines = [r"\begingroup" + (size or r"\footnotesize"), begin, *head, *rows, end, r"\endgroup"]
    else:
        lines = [r"\begin{table}", rf"\centering{size}", begin, *head, *rows, foot, end, caption_line, r"\end{table}"]
    comments = [r"needs \usepackage{booktabs" + ("}" if kind == "tabular" else f",{kind}}}")]
    if any(map(_is_beyond_pdflatex, [caption, *(cell for row in cells for cell in row)])):
        comments.append("needs LuaLaTeX or XeLaTeX, and a font that has all letters of these names and texts")
    return "\n".join([*(f"% {comment}" for comment in [*comments, *map(escape, remarks)]), *lines, ""])


def _choose_widths(grid: Grid) -> tuple[set[int], int, str]:
    """Return the columns that wrap, about how many letters fit into a line of each, and the size of the text."""
    lengths = [
        max(map(_count_letters, cells)) for cells in zip([c.title for c in grid.columns], *grid.rows, strict=True)
    ]
    if sum(lengths) + GAP * len(lengths) <= LINE:
        return set(), LEAST, ""
    wrapped, room = set[int](), 0.0
    for limit in LIMITS:
        wrapped = {place for place, length in enumerate(lengths) if length > limit}
        room = SMALL_LINE - SMALL_GAP * len(lengths) - sum(length for length in lengths if length <= limit)
        if room >= LEAST * len(wrapped):
            break
    return wrapped, max(LEAST, int(room / max(1, len(wrapped)))), SMALL


def _count_letters(text: str) -> int:
    """Count wide letters twice: capitals, m, w and those such as 中."""
    return sum(1 + (mark.isupper() or mark in "mw" or unicodedata.east_asian_width(mark) in "WF") for mark in text)


def _column_type(column: GridColumn, wraps: bool) -> str:
    if not wraps:
        return "l" if column.words else "r"
    return rf">{{\ragged{'right' if column.words else 'left'}\arraybackslash}}X"


def _is_beyond_pdflatex(text: str) -> bool:
    return any(mark > "\u017f" and mark not in _MARKS and mark not in _KNOWN for mark in text)


def _set_cell(text: str, room: int) -> str:
    return set_signature(text, room) if text.startswith("bleuprint:") else set_words(text, room)


def set_words(text: str, room: int = CAPTION_WORD) -> str:
    """Escape a text. Lines may end inside of words with more letters than ``room``."""
    return " ".join(_break_up(word, room) if _count_letters(word) > room else escape(word) for word in text.split(" "))


def _break_up(word: str, room: int) -> str:
    """Let a line end after the marks of a word, and inside of parts that are still longer."""
    pieces = []
    for part in _PART.findall(word):
        size = PIECE if _count_letters(part) > room else len(part)
        pieces += [part[place : place + size] for place in range(0, len(part), size)]
    return BREAK.join(map(escape, pieces))


def _list_signatures(signatures: Mapping[str, str]) -> str:
    return "; ".join(f"{set_words(name)}: {set_signature(signature)}" for name, signature in signatures.items())


def set_signature(signature: str, room: int = CAPTION_WORD) -> str:
    """Set a signature in typewriter letters; a line may end after each of its parts, and inside of long ones."""
    breakable = (_MARKS["|"] + r"\allowbreak{}").join(set_words(part, room) for part in signature.split("|"))
    return rf"\texttt{{{breakable}}}"


def _remarks(scores: Scores) -> list[str]:
    return [f"{name}: note: {note}" for name, score in scores.items() for note in score.notes]
