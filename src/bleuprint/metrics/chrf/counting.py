"""chrF's counting: the integers of a segment, and how they are counted. Every engine must return the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from string import punctuation
from typing import Any, NamedTuple, Self

from bleuprint.counting.layout import Layout, OrderStatistics, Threshold
from bleuprint.counting.ngrams import Ngram, count_matches, count_ngrams, count_plain
from bleuprint.metrics.chrf.formula import Unit, combine, list_orders
from bleuprint.text.segments import Text
from bleuprint.text.tokenizers import apply_case
from bleuprint.values import Value, keep


class ChrfCounting(NamedTuple):
    """The axes that decide the counts: all, as the reference of a segment is the one that scores best."""

    case: str
    char_order: int
    word_order: int
    whitespace: str
    candidate_totals: str
    unmatched_segment: str
    beta: float
    averaging: str


class ChrfStats(OrderStatistics, Value):
    """Matches and n-grams of candidate and reference per order, characters first, and the two lengths in characters.

    >>> ChrfStats((2, 1), (3, 2), (4, 3), 3, 4) + ChrfStats((1, 0), (1, 0), (1, 0), 1, 1)
    ChrfStats(matches=(3, 1), candidate=(4, 2), reference=(5, 3), candidate_length=4, reference_length=5)
    """

    __match_args__ = ("matches", "candidate", "reference", "candidate_length", "reference_length")
    __slots__ = __match_args__
    matches: tuple[int, ...]
    candidate: tuple[int, ...]
    """the candidate's n-grams of each order, as the recipe counts them"""
    reference: tuple[int, ...]
    """those of the chosen reference"""
    candidate_length: int
    reference_length: int

    def __init__(
        self,
        matches: tuple[int, ...],
        candidate: tuple[int, ...],
        reference: tuple[int, ...],
        candidate_length: int,
        reference_length: int,
    ) -> None:
        keep(self, "matches", matches)
        keep(self, "candidate", candidate)
        keep(self, "reference", reference)
        keep(self, "candidate_length", candidate_length)
        keep(self, "reference_length", reference_length)

    @classmethod
    def from_row(cls, row: Sequence[int]) -> Self:
        """Read a row back."""
        order = (len(row) - 2) // 3
        matches, candidate, reference = (tuple(row[start : start + order]) for start in range(2, len(row), order))
        return cls(matches, candidate, reference, row[0], row[1])

    def is_possible(self, segments: int) -> bool:
        """Whether texts could have these numbers."""
        counts = zip(self.matches, self.candidate, self.reference, strict=True)
        return (
            all(matches <= min(candidate, reference) for matches, candidate, reference in counts)
            and max(self.candidate) <= self.candidate_length
            and max(self.reference) <= self.reference_length
        )


class ChrfCensus(NamedTuple):
    """How many segments there were, and how many of them are a reason for a note."""

    segments: int
    empty_candidates: int = 0
    empty_references: int = 0
    """segments whose chosen reference has no character"""
    unmatched: int = 0
    """segments in which nothing matches: without a character no longer n-gram does, nor a word"""


@lru_cache(maxsize=256)
def chrf_layout(counting: ChrfCounting) -> Layout[ChrfStats]:
    """Lay out rows of chrF's statistics: two lengths, then matches, the candidate's and the reference's n-grams.

    >>> chrf_layout(ChrfCounting("mixed", 1, 1, "removed", "always", "counted", 2.0, "each-order")).columns[2:6]
    ('matches_c1', 'matches_w1', 'candidate_c1', 'candidate_w1')
    """
    orders = [f"{unit[0]}{order}" for unit, order in list_orders(counting)]
    counts = [f"{kind}_{order}" for kind in ("matches", "candidate", "reference") for order in orders]
    return Layout(
        "chrf", len(orders), counting,
        columns=("candidate_length", "reference_length", *counts),
        thresholds=tuple(Threshold(name, column, 1) for column, name in enumerate(ChrfCensus._fields[1:])),
        read=ChrfStats.from_row,
        read_census=ChrfCensus._make,
        cased=counting.case != "mixed",
    )  # fmt: skip


SEPARATORS = "\x1c\x1d\x1e\x1f"
"""What Python counts to white space, and Unicode does not."""
TIE = 1e-12
"""What the rounding of 64-bit floats may make of equal scores on 0 to 100."""


class ChrfText(NamedTuple):
    """A text as its characters, white space treated as the recipe says, and as its words."""

    characters: str
    words: tuple[str, ...]

    def units(self, unit: Unit) -> Sequence[str]:
        """Give what n-grams of a kind are made of."""
        return self.characters if unit is Unit.CHARACTERS else self.words


def split_text(text: Text, counting: ChrfCounting) -> ChrfText:
    """Split a text, which was checked to be a string, into characters and words."""
    assert isinstance(text, str)
    cased = apply_case(text, counting.case)
    return ChrfText(treat_whitespace(cased, counting.whitespace), tuple(split_words(cased)))


def treat_whitespace(text: str, rule: str) -> str:
    """Remove white space, as far as the rule says."""
    if rule == "removed":
        return "".join(text.split())
    if rule == "removed-unicode":
        return "".join(character for character in text if not character.isspace() or character in SEPARATORS)
    return text.strip().replace(" ", "") if rule == "spaces-removed" else text


def split_words(text: str) -> list[str]:
    """Split at white space; of a longer word one sign of ASCII's punctuation is parted, the last or else the first.

    >>> split_words('(hi) "there" x')
    ['(hi', ')', '"there', '"', 'x']
    """
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def count_texts(candidate: ChrfText, references: Sequence[ChrfText], layouts: Sequence[Layout[Any]]) -> list[ChrfStats]:
    """Count a segment under several layouts, against the reference that is best under each."""
    return [choose_best_reference(candidate, references, layout.counting)[1] for layout in layouts]


def choose_best_reference(
    candidate: ChrfText, references: Sequence[ChrfText], counting: ChrfCounting
) -> tuple[int, ChrfStats]:
    """Find the reference with which the segment scores best, the first on a tie, and count against it."""
    tried = try_references(candidate, references, counting)
    place = find_best([combine(stats, counting).score for stats in tried], counting)
    best = tried[place]
    if counting.unmatched_segment == "reference-dropped" and not any(best.matches):
        best = best.replace(reference=(0,) * best.order)
    return place, best


def find_best(scores: Sequence[float], counting: ChrfCounting) -> int:
    """Find the highest score, the first on a tie.

    torchmetrics' floats of 32 bits tie where those of 64 bits may differ in the last bits; sacreBLEU and chrF++.py
    compare these as they are.
    """
    tie = TIE if counting.unmatched_segment == "reference-dropped" else 0.0
    best = 0
    for place, score in enumerate(scores):
        if score > scores[best] + tie:
            best = place
    return best


def try_references(candidate: ChrfText, references: Sequence[ChrfText], counting: ChrfCounting) -> list[ChrfStats]:
    """Count the candidate against each of its references."""
    own = _count_orders(candidate, counting)
    return [_hold_against(own, candidate, reference, counting) for reference in references]


def _hold_against(
    own: list[Counter[Ngram]], candidate: ChrfText, reference: ChrfText, counting: ChrfCounting
) -> ChrfStats:
    """Count the candidate against one reference."""
    others = _count_orders(reference, counting)
    counts_always = counting.candidate_totals == "always"
    return ChrfStats(
        matches=tuple(map(count_matches, own, others)),
        candidate=tuple(
            ngrams.total() if counts_always or other else 0 for ngrams, other in zip(own, others, strict=True)
        ),
        reference=tuple(ngrams.total() for ngrams in others),
        candidate_length=len(candidate.characters),
        reference_length=len(reference.characters),
    )


def _count_orders(text: ChrfText, counting: ChrfCounting) -> list[Counter[Ngram]]:
    return [count_ngrams(text.units(unit), order) for unit, order in list_orders(counting)]


def plain_matches(candidate: ChrfText, references: Sequence[ChrfText], layout: Layout[Any]) -> tuple[int, ...]:
    """Per order, how many of the candidate's n-grams occur in the best reference at all, however often."""
    counting = layout.counting
    place, _ = choose_best_reference(candidate, references, counting)
    return tuple(map(count_plain, _count_orders(candidate, counting), _count_orders(references[place], counting)))


def matched_ngrams(candidate: ChrfText, references: Sequence[ChrfText], counting: ChrfCounting) -> Counter[Ngram]:
    """Give the n-grams that match in the best reference, each with how often it counts.

    A run of characters is written as one element; a word that is such a run, too, counts as both.
    """
    place, _ = choose_best_reference(candidate, references, counting)
    found: Counter[Ngram] = Counter()
    for (unit, order), own, other in zip(
        list_orders(counting),
        _count_orders(candidate, counting),
        _count_orders(references[place], counting),
        strict=True,
    ):
        for ngram, count in (own & other).items():
            found[ngram if unit is Unit.WORDS and order > 1 else ("".join(map(str, ngram)),)] += count
    return found
