"""Marks: what became of every token of a text, for texts of many segments at once.

The marks are those of an explanation's evidence, found without making its objects where that is slow: a report has
hundreds of thousands of tokens, and what the references need is prepared once for all systems.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from bleuprint.counting.ngrams import Ngram, count_ngrams, highest_counts, list_ngrams
from bleuprint.text.tokenizers import Tokens

UNMATCHED, CLIPPED = 0, 1
"""Marks of tokens under no match; a match of n tokens has the mark n + 1."""
MATCHED, MOVED = 2, 3
"""Marks of words that stand where a reference has them, of themselves or after a shift."""


class Marks(NamedTuple):
    """A mark for every token of a candidate, and of each reference as this candidate meets it."""

    candidate: list[int]
    references: Sequence[list[int] | None]
    """None for a reference that the candidate is not held against"""


class Marker(Protocol):
    """The references of one segment, ready to be held against any number of candidates, split as they are."""

    def mark(self, candidate: Any) -> Marks:
        """Mark the tokens of a candidate, and those of the references as it meets them."""


class Matcher:
    """A marker that goes by n-grams: the mark of a token is the longest matched n-gram over it.

    >>> Matcher([["the", "cat", "is", "here"]], order=4).mark(["the", "the", "cat", "was"])
    Marks(candidate=[2, 3, 3, 0], references=[[3, 3, 0, 0]])
    """

    def __init__(self, references: Sequence[Tokens], order: int) -> None:
        self.references = references
        orders = range(1, order + 1)
        self._limits = [highest_counts(count_ngrams(tokens, n) for tokens in references) for n in orders]
        self._ngrams = [[list(list_ngrams(tokens, n)) for tokens in references] for n in orders]

    def mark(self, candidate: Tokens) -> Marks:
        """Mark tokens; of an n-gram that comes too often, the first occurrences are those that count."""
        known = self._limits[0]
        marks = [CLIPPED if (token,) in known else UNMATCHED for token in candidate]
        others = [[UNMATCHED] * len(tokens) for tokens in self.references]
        for n, (limits, ngrams) in enumerate(zip(self._limits, self._ngrams, strict=True), start=1):
            counts = _mark_candidate(marks, candidate, limits, n)
            if not counts:  # what has no match has none that is longer
                break
            for own, listed in zip(others, ngrams, strict=True):
                _mark_reference(own, listed, counts, n)
        return Marks(marks, others)


def _mark_candidate(marks: list[int], tokens: Tokens, limits: dict[Ngram, int], n: int) -> dict[Ngram, int]:
    """Mark the matches of one order; give how often the candidate has each n-gram that a reference has."""
    counts: dict[Ngram, int] = {}
    mark = [n + 1] * n
    for place, ngram in enumerate(list_ngrams(tokens, n)):
        if ngram in limits:
            before = counts.get(ngram, 0)
            counts[ngram] = before + 1
            if before < limits[ngram]:
                marks[place : place + n] = mark
    return counts


def _mark_reference(marks: list[int], ngrams: Sequence[Ngram], counts: dict[Ngram, int], n: int) -> None:
    seen: dict[Ngram, int] = {}
    mark = [n + 1] * n
    for place, ngram in enumerate(ngrams):
        if ngram in counts:
            before = seen.get(ngram, 0)
            seen[ngram] = before + 1
            if before < counts[ngram]:
                marks[place : place + n] = mark


def cover(length: int, matched: Iterable[tuple[int, Sequence[int]]]) -> list[int]:
    """Return for each token the length of the longest matched n-gram over it; ``matched`` is in rising order."""
    longest = [0] * length
    for order, starts in matched:
        for start in starts:
            longest[start : start + order] = [order] * order
    return longest
