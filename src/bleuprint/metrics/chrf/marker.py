"""Marks of a report: over each character the longest matched n-gram, in the reference that scores best."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.metrics.chrf.counts import ChrfText, choose_best_reference
from bleuprint.metrics.chrf.stats import ChrfCounting
from bleuprint.metrics.marks import Marks, Matcher


class ChrfMarker:
    """The references of one segment; each candidate is held against the one that is best for it."""

    def __init__(self, references: Sequence[ChrfText], counting: ChrfCounting) -> None:
        self._references, self._counting = references, counting
        self._matchers: dict[int, Matcher] = {}

    def mark(self, candidate: ChrfText) -> Marks:
        """Mark the characters of the candidate and of its best reference."""
        place = 0
        if len(self._references) > 1:
            place, _ = choose_best_reference(candidate, self._references, self._counting)
        if place not in self._matchers:
            self._matchers[place] = Matcher([self._references[place].characters], self._counting.char_order)
        marks, [own] = self._matchers[place].mark(candidate.characters)
        return Marks(marks, [own if number == place else None for number in range(len(self._references))])
