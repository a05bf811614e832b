r"""LaTeX: tables for a paper, set with booktabs, the signature in the caption.

The preamble needs ``\usepackage{booktabs}``, for segments ``\usepackage{longtable}`` as well. Texts are escaped, so
that a name cannot become a command.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from bleuprint.corpus import SegmentScores
from bleuprint.identification.results import Identification
from bleuprint.reconciliation.results import DialectGroups, Reconciliation
from bleuprint.render.tables import (
    Column,
    Scores,
    Table,
    table_groups,
    table_identification,
    table_reconciliation,
    table_scores,
    table_segments,
)

_MARKS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "−": "$-$", "·": r"$\cdot$", "→": r"$\rightarrow$", "≥": r"$\ge$", "–": "{--}", "…": r"\ldots{}",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"} | {mark: f"{{{mark}}}" for mark in "[]*"}  # fmt: skip
r"""``[`` and ``*`` mean something after ``\\``, where a row begins."""
_LIGATURE = re.compile(r"([-',])(?=\1)")


def render(result: Reconciliation | DialectGroups | Identification) -> str:
    """Write a result, whichever it is."""
    if isinstance(result, Reconciliation):
        ends = {"From": result.start.signature, "To": result.end.signature}
        return set_table(table_reconciliation(result), f"{escape(result.summary)} {_list_signatures(ends)}")
    if isinstance(result, DialectGroups):
        return set_table(
            table_groups(result), f"The dialects of BLEU on the same texts. {escape(result.remark)}".strip()
        )
    return set_table(table_identification(result), escape(result.summary))


def render_scores(scores: Scores, documents: Mapping[str, Scores]) -> str:
    """Write the scores of one or more recipes, then those of the documents under each."""
    signatures = {name: score.signature for name, score in scores.items()}
    parts = [set_table(table_scores(scores), f"BLEU. {_list_signatures(signatures)}", _remarks(scores))]
    for name, groups in documents.items():
        caption = f"BLEU by document. {_list_signatures({name: signatures[name]})}"
        parts.append(set_table(table_scores(groups, "document"), caption, _remarks(groups)))
    return "\n".join(parts)


def render_segments(scores: SegmentScores, documents: Sequence[str] | None) -> str:
    """Write every segment, in a table that goes over pages."""
    table, caption = table_segments(scores, documents), f"BLEU by segment. {_set_signature(str(scores.recipe))}"
    head = [r"\toprule", _row([column.title for column in table.columns]), r"\midrule"]
    lines = [
        "% needs \\usepackage{booktabs,longtable}",
        r"\begingroup\footnotesize",
        rf"\begin{{longtable}}{{{_layout(table)}}}",
        rf"\caption{{{caption}}}\\",
        *head,
        r"\endfirsthead",
        *head,
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *(_row(row) for row in table.rows),
        r"\end{longtable}",
        r"\endgroup",
    ]
    return "\n".join([*lines, ""])


def escape(text: str) -> str:
    r"""Keep a text from being read as commands: ``50%`` becomes ``50\%``; line breaks and controls become spaces."""
    plain = "".join(" " if unicodedata.category(mark) in ("Cc", "Zl", "Zp") else mark for mark in text)
    parts = [_MARKS.get(mark, mark) for mark in _LIGATURE.sub("\\1\x00", plain)]
    return "".join(parts).replace("\x00", "{}")


def set_table(table: Table, caption: str, remarks: Sequence[str] = ()) -> str:
    """Set a table with a caption, which is LaTeX already."""
    lines = [
        "% needs \\usepackage{booktabs}",
        *(f"% {escape(remark)}" for remark in remarks),
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{_layout(table)}}}",
        r"\toprule",
        _row([column.title for column in table.columns]),
        r"\midrule",
        *(_row(row, table.columns) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{caption}}}",
        r"\end{table}",
    ]
    return "\n".join([*lines, ""])


def _layout(table: Table) -> str:
    return "".join("l" if column.words else "r" for column in table.columns)


def _row(cells: Sequence[str], columns: Sequence[Column] = ()) -> str:
    shares = [column.share for column in columns] or [0.0] * len(cells)
    return " & ".join(_cell(cell, share) for cell, share in zip(cells, shares, strict=True)) + r" \\"


def _cell(text: str, share: float) -> str:
    if not share:
        return escape(text)
    words = _set_signature(text) if text.startswith("bleuprint:") else escape(text)
    return rf"\parbox[t]{{{share:g}\linewidth}}{{\raggedright {words}\strut}}"


def _list_signatures(signatures: Mapping[str, str]) -> str:
    return "; ".join(f"{escape(name)}: {_set_signature(signature)}" for name, signature in signatures.items())


def _set_signature(signature: str) -> str:
    """Set a signature in typewriter letters; a line may end after each of its parts."""
    breakable = (_MARKS["|"] + r"\allowbreak{}").join(map(escape, signature.split("|")))
    return rf"\texttt{{{breakable}}}"


def _remarks(scores: Scores) -> list[str]:
    return [f"{name}: note: {note}" for name, score in scores.items() for note in score.notes]
