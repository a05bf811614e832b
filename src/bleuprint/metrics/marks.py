"""Marks: what became of every token of a text, and which n-grams cover it.

Reports mark hundreds of thousands of tokens, so ``Matcher`` prepares the references once for all systems and makes no
object per n-gram. The evidence of a single segment lists its n-grams. Both mark alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from bleuprint.counting.ngrams import Ngram, count_ngrams, highest_counts, list_ngrams
from bleuprint.metrics.score import as_data
from bleuprint.text.shown_tokens import token_data
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
            counts = _mark(marks, list_ngrams(candidate, n), limits, n)
            if not counts:  # what has no match has none that is longer
                break
            for own, listed in zip(others, ngrams, strict=True):
                _mark(own, listed, counts, n)
        return Marks(marks, others)


def _mark(marks: list[int], ngrams: Iterable[Ngram], limits: Mapping[Ngram, int], n: int) -> dict[Ngram, int]:
    """Mark the matches of one order, and return how often the text has each n-gram that the other text has."""
    counts: dict[Ngram, int] = {}
    mark = [n + 1] * n
    for place, ngram in enumerate(ngrams):
        if ngram in limits:
            before = counts.get(ngram, 0)
            counts[ngram] = before + 1
            if before < limits[ngram]:
                marks[place : place + n] = mark
    return counts


def cover(length: int, matched: Iterable[tuple[int, Sequence[int]]]) -> list[int]:
    """Return for each token the length of the longest matched n-gram over it; ``matched`` is in rising order."""
    longest = [0] * length
    for order, starts in matched:
        for start in starts:
            longest[start : start + order] = [order] * order
    return longest


def find_places(tokens: Sequence[Hashable], order: int) -> dict[Ngram, list[int]]:
    """Return the n-grams of one order and the positions at which each starts."""
    places: dict[Ngram, list[int]] = {}
    for place, ngram in enumerate(list_ngrams(tokens, order)):
        places.setdefault(ngram, []).append(place)
    return places


def find_place(ngrams: Iterable[tuple[tuple[int, ...], ...]], text: int, place: object) -> int | None:
    """Return the number of the n-gram that starts at a position of a text; each n-gram lists its positions by text."""
    return next((number for number, places in enumerate(ngrams) if place in places[text]), None)


class FoundNgram(Protocol):
    """An n-gram of the evidence."""

    @property
    def order(self) -> int:
        """Its number of tokens."""

    @property
    def places(self) -> tuple[int, ...]:
        """The positions at which it starts in the candidate."""

    @property
    def matches(self) -> int:
        """How often it counts."""

    @property
    def is_known(self) -> bool:
        """Whether a reference has it."""


def mark_candidate(
    length: int, ngrams: Sequence[FoundNgram], lowest: Iterable[FoundNgram]
) -> Iterator[tuple[int, str]]:
    """Return for each token the longest match over it, and its status; the first copies of an n-gram count.

    A token without a match is ``clipped`` if an n-gram of the lowest order over it is in a reference.
    """
    longest = cover(length, ((n.order, n.places[: n.matches]) for n in ngrams))
    known = cover(length, ((n.order, n.places) for n in lowest if n.is_known))
    for match, covered in zip(longest, known, strict=True):
        yield match, "matched" if match else "clipped" if covered else "unmatched"


def mark_reference(length: int, found: Iterable[tuple[int, Sequence[int]]]) -> Iterator[tuple[int, str]]:
    """Return the same for a reference."""
    return ((match, "matched" if match else "missed") for match in cover(length, found))


def token_marks(tokens: Iterable[Any], name: str) -> list[dict[str, object]]:
    """Return the evidence of tokens as plain data; ``name`` is the attribute that has the token."""
    return [
        {
            name: token_data(getattr(token, name)),
            "start": token.span[0] if token.span else None,
            "end": token.span[1] if token.span else None,
            **as_data(token, "longest_match", "status"),
        }
        for token in tokens
    ]
