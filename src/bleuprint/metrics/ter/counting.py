"""TER's counting: the integers of a segment, and how they are counted. Every engine must return the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout, Statistics, Threshold
from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.metrics.ter.shifts import ShiftSearch, search_shifts
from bleuprint.text.tokenizers import apply_case
from bleuprint.text.tokenizers.tercom import prepare_text
from bleuprint.values import Value, keep

PARTS = 720_720
"""The parts of a word in which reference lengths are counted: the least that 1 to 16 divide, so that the mean length of
up to 16 references is a whole number of them."""
MOST_AVERAGED = 16


class TerCounting(NamedTuple):
    """The axes that decide the counts: all of them. Recipes that share them can share statistics."""

    case: str
    normalized: str
    asian: str
    punctuation: str
    reference_preparation: str
    shifted: str
    longest_shift: int
    empty_candidate: str


class TerStats(Statistics, Value):
    """The edits that make the candidate the reference, and the two lengths, of a segment or of a whole corpus.

    An insertion puts a word of the reference in, a deletion takes a word of the candidate out, a substitution does both
    in one place; a shift moves words that stand together. ``reference_parts`` is the mean length of the references, in
    parts of which a word has 720,720.

    >>> TerStats(5, 6 * PARTS, insertions=1) + TerStats(3, 3 * PARTS, shifts=1)
    TerStats(candidate_length=8, reference_parts=6486480, insertions=1, deletions=0, substitutions=0, shifts=1)
    """

    __match_args__ = ("candidate_length", "reference_parts", "insertions", "deletions", "substitutions", "shifts")
    __slots__ = __match_args__
    candidate_length: int
    reference_parts: int
    insertions: int
    deletions: int
    substitutions: int
    shifts: int

    def __init__(
        self,
        candidate_length: int,
        reference_parts: int,
        insertions: int = 0,
        deletions: int = 0,
        substitutions: int = 0,
        shifts: int = 0,
    ) -> None:
        keep(self, "candidate_length", candidate_length)
        keep(self, "reference_parts", reference_parts)
        keep(self, "insertions", insertions)
        keep(self, "deletions", deletions)
        keep(self, "substitutions", substitutions)
        keep(self, "shifts", shifts)

    @property
    def kinds(self) -> dict[str, int]:
        """How many edits there are of each kind."""
        return dict(zip(self.__match_args__[2:], self.to_row()[2:], strict=True))

    @property
    def edits(self) -> int:
        """All edits: insertions, deletions, substitutions and shifts."""
        return self.insertions + self.deletions + self.substitutions + self.shifts

    @property
    def reference_length(self) -> float:
        """The mean length of the references in words, summed over segments."""
        return self.reference_parts / PARTS

    @property
    def order(self) -> int:
        """Always 1: there are words, but no n-grams."""
        return 1

    def is_possible(self, segments: int) -> bool:
        """Whether texts could have these numbers: edited words are words of the candidate."""
        return self.deletions + self.substitutions <= self.candidate_length

    def to_row(self) -> tuple[int, ...]:
        """Return the numbers as a row."""
        row: tuple[int, ...] = self._read_fields(self)
        return row

    @classmethod
    def from_row(cls, row: Sequence[int]) -> TerStats:
        """Read a row back."""
        return cls(*row)


class TerCensus(NamedTuple):
    """How many segments there were, and how many of them are a reason for a note."""

    segments: int
    empty_candidates: int = 0
    empty_references: int = 0
    """segments all of whose references are empty"""


@lru_cache(maxsize=256)
def ter_layout(counting: TerCounting | None = None) -> Layout[TerStats]:
    """Lay out rows of TER's statistics; the column ``reference_length`` is in parts of a word.

    >>> ter_layout().columns[2:]
    ('insertions', 'deletions', 'substitutions', 'shifts')
    """
    return Layout(
        "ter", 1, counting,
        columns=("candidate_length", "reference_length", *TerStats.__match_args__[2:]),
        thresholds=(Threshold("empty_candidates", 0, 1), Threshold("empty_references", 1, 1)),
        read=TerStats.from_row,
        read_census=TerCensus._make,
        cased=counting is not None and counting.case != "mixed",
    )  # fmt: skip


Words = Sequence[str]
Searcher = Callable[[Words, Words, int], ShiftSearch]
NOTHING_TO_DO = ShiftSearch((), (0,), (), 0)


class Edits(NamedTuple):
    """What makes the candidate one of its references."""

    insertions: int
    deletions: int
    substitutions: int
    shifts: int


def split_text(text: Any, counting: TerCounting) -> list[str]:
    """Split a text into words, as the recipe says."""
    return normalise(text, counting).split()


def split_reference(text: Any, counting: TerCounting) -> list[str]:
    """Split a reference into words."""
    return normalise_reference(text, counting).split()


def normalise_reference(text: Any, counting: TerCounting) -> str:
    """Write a reference; sacreBLEU hands what it has written to the same rules again."""
    once = normalise(text, counting)
    if counting.normalized == "no" or counting.reference_preparation == "once":
        return once
    return normalise(" ".join(once.split()), counting)


def normalise(text: Any, counting: TerCounting) -> str:
    """Write a text so that its words are what white space parts."""
    return prepare_text(
        apply_case(text, counting.case),
        normalized=counting.normalized == "yes",
        asian=counting.asian == "yes",
        keep_punctuation=counting.punctuation == "keep",
    )


def count_words(candidate: Words, references: Sequence[Words], layouts: Sequence[Layout[TerStats]]) -> list[TerStats]:
    """Count the edits to the reference that needs the fewest, the first on a tie, and the mean length of all."""
    parts = sum(map(len, references)) * (PARTS // len(references))
    counted = []
    for layout in layouts:
        tried = (count_edits(search, layout.counting) for search in trace_words(candidate, references, layout))
        counted.append(TerStats(len(candidate), parts, *min(tried, key=sum)))
    return counted


def plain_matches(candidate: Words, references: Sequence[Words], layout: Layout[Any]) -> tuple[int, ...]:
    """Count the words of the candidate that occur in a reference at all."""
    known = {word for words in references for word in words}
    return (sum(word in known for word in candidate),)


def trace_words(
    candidate: Words, references: Sequence[Words], layout: Layout[Any], search: Searcher = search_shifts
) -> list[ShiftSearch]:
    """Tell how a candidate becomes each of its references."""
    counting = layout.counting
    return [edit(candidate, words, counting, search) for words in references]


def edit(candidate: Words, reference: Words, counting: TerCounting, search: Searcher = search_shifts) -> ShiftSearch:
    """Move and align words of one of the two texts, so that it becomes the other."""
    if not candidate and counting.empty_candidate == "no-edits":
        return NOTHING_TO_DO
    text, target = (candidate, reference) if counting.shifted == "candidate" else (reference, candidate)
    return search(text, target, counting.longest_shift)


def count_edits(found: ShiftSearch, counting: TerCounting) -> Edits:
    """Count the edits; a word taken out of the reference is one to be put into the candidate."""
    steps = Counter(found.steps)
    inserted, deleted = steps[EditStep.INSERTION], steps[EditStep.DELETION]
    if counting.shifted == "reference":
        inserted, deleted = deleted, inserted
    return Edits(inserted, deleted, steps[EditStep.SUBSTITUTION], len(found.shifts))
