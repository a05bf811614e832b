"""CSV: the numbers of an explanation, of every segment or of a comparison, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from bleuprint.scoring.verbs import SegmentScores

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""What a formula may begin with; spreadsheets take the fullwidth forms of the signs as well."""


def list_segments(scores: SegmentScores) -> Iterator[Sequence[object]]:
    """List a row per segment: its score and its counts."""
    remarks, in_words = scores.remarks, scores.recipe.metric.in_words
    yield "segment", "score", *scores.table.columns, *(["remark"] if remarks else [])
    for index, score in enumerate(scores.scores):
        yield index + 1, score, *in_words(scores.table.row(index)), *([remarks[index]] if remarks else [])


def write(rows: Iterable[Iterable[object]]) -> str:
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
