"""Changes: what another choice on one axis of TER did to a score, in words."""

from __future__ import annotations

from bleuprint.metrics.changes import Change, find_matches, name_moved
from bleuprint.metrics.ter.recipe import AXES
from bleuprint.wording import count_of, join_words

PIPELINE = tuple(AXES)
"""The axes in the order of computation."""


def tell_change(change: Change) -> str:
    """Say in plain words what the step did."""
    if not change.moved:
        return "It changes no count here."
    old, new = change.before.stats, change.after.stats
    some = name_moved(change)
    edits = [
        f"{number:,} instead of {old.kinds[kind]:,} {kind}"
        for kind, number in new.kinds.items()
        if number != old.kinds[kind]
    ]
    lengths = []
    if new.candidate_length != old.candidate_length:
        lengths = [f"the candidates have {count_of(new.candidate_length, 'word')} instead of {old.candidate_length:,}"]
    if new.reference_parts != old.reference_parts:
        lengths += [f"the references have {new.reference_length:,.10g} words instead of {old.reference_length:,.10g}"]
    if not edits and not lengths:
        return f"{some} the counts change, but not their sums."
    parts = [f"there are {join_words(edits)}"] if edits else []
    return f"{some} the counts change: {'; '.join(parts + lengths)}."


def tell_cause(change: Change, place: int) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return words of a segment that match only after the change, those only before, and a remark on its edits."""
    words = find_matches(change, place, (change.before.recipe, change.after.recipe), lambda entry: -entry[1])
    return *words, f"{count_of(change.new[place].edits, 'edit')} instead of {change.old[place].edits:,}"
