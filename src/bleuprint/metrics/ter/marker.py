"""Marks of a report: the words that stand where the reference has them, of themselves or after a shift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleuprint.metrics.marks import MATCHED, MOVED, UNMATCHED, Marks
from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.metrics.ter.counts import Words
from bleuprint.metrics.ter.evidence import ReferenceAlignment
from bleuprint.metrics.ter.stats import TerCounting, ter_layout

if TYPE_CHECKING:
    from bleuprint.metrics.metric import Tracer


class TerMarker:
    """The references of one segment; each candidate is held against the one that needs the fewest edits."""

    def __init__(self, references: Sequence[Words], counting: TerCounting, trace: Tracer) -> None:
        self._references, self._counting, self._trace = references, counting, trace

    def mark(self, candidate: Words) -> Marks:
        """Mark the words of the candidate and of that reference."""
        searches = self._trace(candidate, self._references, ter_layout(self._counting))
        tried = [
            ReferenceAlignment(candidate, words, search, self._counting)
            for words, search in zip(self._references, searches, strict=True)
        ]
        best = min(tried, key=lambda alignment: sum(alignment.edits))
        marks, own = [UNMATCHED] * len(candidate), [UNMATCHED] * len(best.reference)
        for line in best.lines:
            if line.step is EditStep.MATCH and line.candidate_place is not None and line.reference_place is not None:
                found = MOVED if line.moved_by else MATCHED
                marks[line.candidate_place] = own[line.reference_place] = found
        return Marks(marks, [own if alignment is best else None for alignment in tried])
