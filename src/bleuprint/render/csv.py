"""CSV: the numbers of an explanation, or of every segment, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from bleuprint.findings.explanation import Explanation
from bleuprint.render.explanations import find_module
from bleuprint.scoring.verbs import SegmentScores

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""What a formula may begin with; spreadsheets take the fullwidth forms of the signs as well."""


def render_explanation(explanation: Explanation) -> str:
    """Write quantity and value, one per line."""
    score = explanation.score
    notes = [("note", note.text) for note in score.notes]
    quantities = find_module(explanation, "lines").list_quantities(explanation)
    return write_rows([("quantity", "value"), *quantities, *notes, ("signature", score.signature)])


def render_segments(scores: SegmentScores) -> str:
    """Write one line per segment: its score and its counts."""
    remarks, in_words = scores.remarks, scores.recipe.metric.in_words
    header = ("segment", "score", *scores.table.columns, *(["remark"] if remarks else []))
    rows = (
        (place + 1, score, *in_words(scores.table.row(place)), *([remarks[place]] if remarks else []))
        for place, score in enumerate(scores.scores)
    )
    return write_rows([header, *rows])


def write_rows(rows: Iterable[Iterable[object]]) -> str:
    """Write rows of cells."""
    stream = io.StringIO()
    writer = csv.writer(_LineFeeds(stream))  # ends rows with CRLF, so that it quotes a cell with either of the two
    writer.writerows([_defuse(cell) for cell in row] for row in rows)
    return stream.getvalue()


class _LineFeeds:
    """Ends rows with LF."""

    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    def write(self, row: str) -> None:
        """Write a row, which ends with CRLF."""
        self._stream.write(row.removesuffix("\r\n") + "\n")


def _defuse(cell: object) -> object:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
