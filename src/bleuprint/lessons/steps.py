"""The steps of a lesson as data: windows, slots, a curve, and other ways to smooth.

The library computes every number, so no formula is written twice.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.counting.ngrams import Ngram
from bleuprint.findings.explanation import Explanation
from bleuprint.metrics.bleu.formula import brevity
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_sentence

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import NgramEvidence, SegmentEvidence, TokenEvidence

FINENESS = 10
"""Points of the curve for each token."""


class CutToken(NamedTuple):
    """A token, and how the tokenizer made it."""

    token: Hashable
    is_cut: bool
    """whether there was no space before it"""
    is_changed: bool
    """whether the text has it in another form, for example with a capital letter"""


def mark_cuts(text: str, view: Sequence[TokenEvidence]) -> list[CutToken]:
    """Find where the tokenizer split a text, and which tokens it changed."""
    cut, end = [], None
    for part in view:
        start = part.span[0] if part.span else None
        changed = part.span is None or text[slice(*part.span)] != part.token
        cut.append(CutToken(part.token, start is not None and start == end, changed))
        end = part.span[1] if part.span else None
    return cut


class Window(NamedTuple):
    """The window at one position of the candidate, and the positions of the same n-gram in each reference."""

    place: int
    ngram: Ngram
    reference_places: tuple[tuple[int, ...], ...]

    @property
    def is_matched(self) -> bool:
        """Whether any reference has it."""
        return any(self.reference_places)


def slide_window(evidence: SegmentEvidence, order: int) -> list[Window]:
    """Slide a window of ``order`` tokens over the candidate."""
    windows = [
        Window(place, found.ngram, found.reference_places)
        for found in evidence.ngrams_of(order)
        for place in found.places
    ]
    return sorted(windows, key=lambda window: window.place)


class Slots(NamedTuple):
    """One n-gram of the candidate: its occurrences, and the slots of its best reference."""

    found: NgramEvidence
    best: int | None
    """the index of the first reference with most slots; None if no reference has any"""

    @property
    def is_found_once(self) -> bool:
        """Whether it occurs once and finds a slot."""
        return self.found.count == 1 and self.found.matches == 1

    @property
    def is_absent_once(self) -> bool:
        """Whether it occurs once and is in no reference."""
        return self.found.count == 1 and self.found.matches == 0

    @property
    def filled(self) -> range:
        """The occurrences that find a slot, numbered from 1."""
        return range(1, self.found.matches + 1)

    @property
    def empty(self) -> range:
        """The empty slots."""
        return range(self.found.clip - self.found.matches)

    @property
    def spilled(self) -> range:
        """The occurrences that find no slot; their numbers continue those of ``filled``."""
        return range(self.found.matches + 1, self.found.count + 1)


def offer_slots(evidence: SegmentEvidence, order: int) -> list[Slots]:
    """Assign the occurrences of each n-gram of the candidate to the slots of its best reference."""
    return [
        Slots(found, found.reference_counts.index(found.clip) if found.clip else None)
        for found in evidence.ngrams_of(order)
        if found.count
    ]


def trace_brevity(reference_length: int, longest: int) -> list[tuple[float, float]]:
    """Return the brevity penalty for every length of the candidate, from 0 to the longest."""
    # Both lengths are in tenths of a token, because the penalty depends only on their ratio.
    tenths = range(longest * FINENESS + 1)
    return [(tenth / FINENESS, brevity(tenth, reference_length * FINENESS)) for tenth in tenths]


class Smoothed(NamedTuple):
    """The same segment under another smoothing."""

    key: str
    name: str
    explanation: Explanation
    chosen: bool


WAYS_TO_SMOOTH: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "none": ("none", {}),
    "epsilon": ("ε = 0.1", {"smoothing": "epsilon(0.1)"}),
    "add-1": ("add 1", {"smoothing": "add-k(1)"}),
    "exp": ("halve", {"smoothing": "exp"}),
    "effective": ("effective order", {"absent_order": "drop"}),
}
"""Ways to treat an order without a match or without n-grams, by a key: the name, and the options of the recipe."""


def smooth_by(recipe: Recipe, key: str) -> Recipe:
    """Return the recipe with one of these ways, and none of the others."""
    return recipe.with_choices({"smoothing": "none", "absent_order": "zero", **WAYS_TO_SMOOTH[key][1]})


def try_smoothing(recipe: Recipe, candidate: str, references: tuple[str, ...]) -> list[Smoothed]:
    """Score a segment in each of these ways."""
    recipes = {key: smooth_by(recipe, key) for key in WAYS_TO_SMOOTH}
    return [
        Smoothed(key, WAYS_TO_SMOOTH[key][0], Explanation(score_sentence(candidate, references, way)), way == recipe)
        for key, way in recipes.items()
    ]
