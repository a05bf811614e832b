"""A text in runs of characters that are shaded alike, and between them the white space that is not counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bleuprint.text.tokenizers import apply_case

if TYPE_CHECKING:
    from bleuprint.metrics.chrf.explain import CharacterEvidence

UNCOUNTED = "uncounted"
SHADES_OF_MATCHES = 4


@dataclass
class CharacterRun:
    """Characters with the same longest match and status; white space between them belongs to the run, uncounted."""

    longest_match: int
    status: str
    pieces: list[tuple[str, bool]] = field(default_factory=list)
    """texts, each with whether it counts"""

    def add(self, text: str, counts: bool) -> None:
        """Put characters to the end."""
        if self.pieces and self.pieces[-1][1] == counts:
            text = self.pieces.pop()[0] + text
        self.pieces.append((text, counts))

    @property
    def text(self) -> str:
        """All of its characters."""
        return "".join(text for text, _ in self.pieces)


def list_runs(text: str, case: str, view: Sequence[CharacterEvidence]) -> list[CharacterRun]:
    """Part a text where the longest match over its characters changes."""
    runs: list[CharacterRun] = []
    gap = ""
    for character, part in list_characters(text, case, view):
        if part is None:
            gap += character
            continue
        joins = bool(runs) and (runs[-1].longest_match, runs[-1].status) == (part.longest_match, part.status)
        if gap and joins:
            runs[-1].add(gap, counts=False)
        elif gap:
            runs.append(CharacterRun(0, UNCOUNTED, [(gap, False)]))
        gap = ""
        if not joins:
            runs.append(CharacterRun(part.longest_match, part.status))
        runs[-1].add(character, counts=True)
    return [*runs, CharacterRun(0, UNCOUNTED, [(gap, False)])] if gap else runs


def list_characters(
    text: str, case: str, view: Sequence[CharacterEvidence]
) -> Iterable[tuple[str, CharacterEvidence | None]]:
    """Give every character of a text with what is known of it; those that were taken out are not counted."""
    counted = iter(view)
    expected = next(counted, None)
    for character in apply_case(text, case):
        if expected is not None and character == expected.character:
            yield character, expected
            expected = next(counted, None)
        else:
            yield character, None


def shade(longest_match: int, highest: int) -> int:
    """Give the shade of a match, from 1 to 4 for the longest that there can be; 0 for none.

    >>> [shade(length, 6) for length in range(7)]
    [0, 1, 2, 2, 3, 4, 4]
    """
    return -(-SHADES_OF_MATCHES * longest_match // highest)


def join_characters(ngram: Iterable[str], unit: str) -> str:
    """Write an n-gram: words with a space between them, characters together, with spaces made visible."""
    return " ".join(ngram) if unit == "words" else "".join(ngram).replace(" ", "␣")
