"""TER's counts: the edits and lengths of one segment. The definition that every engine must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.metrics.ter.alignment import EditStep
from bleuprint.metrics.ter.shifts import ShiftSearch, search_shifts
from bleuprint.metrics.ter.stats import PARTS, TerCounting, TerStats, find_counting
from bleuprint.text.tokenizers import apply_case
from bleuprint.text.tokenizers.tercom import prepare_text

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


def count_words(candidate: Words, references: Sequence[Words], counting: TerCounting) -> TerStats:
    """Take the edits to the reference that needs the fewest, the first of such, and the mean length of all."""
    edits = min((count_edits(edit(candidate, words, counting), counting) for words in references), key=sum)
    lengths = sum(map(len, references))
    return TerStats(len(candidate), lengths * (PARTS // len(references)), *edits)


def plain_matches(candidate: Words, references: Sequence[Words], layout: Layout[Any]) -> tuple[int, ...]:
    """Count the words of the candidate that occur in a reference at all."""
    known = {word for words in references for word in words}
    return (sum(word in known for word in candidate),)


def trace_words(
    candidate: Words, references: Sequence[Words], layout: Layout[Any], search: Searcher = search_shifts
) -> list[ShiftSearch]:
    """Tell how a candidate becomes each of its references."""
    counting = find_counting(layout)
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
