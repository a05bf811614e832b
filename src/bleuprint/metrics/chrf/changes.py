"""Changes: what another choice on one axis of chrF did to a score, in words."""

from __future__ import annotations

from bleuprint.metrics.changes import Change, find_matches, name_moved
from bleuprint.metrics.chrf.formula import EACH_ORDER, EACH_ORDER_EPS, EACH_ORDER_NLTK, EFFECTIVE_ORDER, list_orders
from bleuprint.text.shown_tokens import join_tokens
from bleuprint.wording import count_of, join_words

PIPELINE = (
    "case", "whitespace", "char_order", "word_order", "candidate_totals", "unmatched_segment", "beta", "averaging",
)  # fmt: skip
"""The axes in the order of computation: first those that decide counts, then those of the formula."""


AVERAGES = {
    EFFECTIVE_ORDER: "F is made once, of the mean precision and the mean recall of the orders that both texts have",
    EACH_ORDER: "F is made of every order, and the mean of all is taken",
    EACH_ORDER_EPS: "F is made of every order, one without n-grams counts as 1e-16, and the mean of all is taken",
    EACH_ORDER_NLTK: "F is made of every order, one without a match counts as 1e-16, and the mean of all is taken",
}


def tell_change(change: Change) -> str:
    """Say in plain words what the step did."""
    old, new = change.before.recipe, change.after.recipe
    if change.axis == "char_order":
        told = f"Characters count up to order {new.char_order} instead of {old.char_order}."
    elif change.axis == "word_order":
        told = f"Words count {_up_to(new.word_order)} instead of {_up_to(old.word_order)}."
    elif change.before.score == change.after.score and not change.moved:
        reason = _reason_for_nothing(change)
        return f"It changes nothing here: {reason}." if reason else "It changes no count here."
    elif change.axis == "beta":
        told = f"Recall weighs {new.choice('beta')} times as much as precision instead of {old.choice('beta')} times."
    elif change.axis == "averaging":
        told = f"{AVERAGES[new.averaging]}."
    else:
        return f"{name_moved(change)} {_tell_counts(change)}."
    return told + _tell_chosen(change)


def _reason_for_nothing(change: Change) -> str:
    """Find out why another choice changes neither counts nor the score; empty if there is no simple reason."""
    if change.axis == "candidate_totals":
        return "no candidate has n-grams of an order of which its reference has none"
    if change.axis == "unmatched_segment":
        unmatched = change.after.census.unmatched
        return "where nothing matches, the reference is empty" if unmatched else "something matches in every segment"
    if change.axis not in ("beta", "averaging"):
        return ""
    if zero := change.after.combination.zero_because:
        return str(zero)
    ways = {change.before.recipe.averaging, change.after.recipe.averaging}
    if change.axis == "averaging" and EFFECTIVE_ORDER not in ways:
        return "every order has a match" if all(change.after.stats.matches) else "1e-16 is too little to be seen"
    rates = {(term.precision, term.recall) for term in change.after.combination.terms}
    if all(precision == recall for precision, recall in rates):
        return "precision and recall are equal"
    return "every order has the same precision and recall" if change.axis == "averaging" and len(rates) == 1 else ""


def _tell_chosen(change: Change) -> str:
    """Say where the best reference is another one, which is all that the formula can do to counts."""
    if not change.moved:
        return ""
    return f" {name_moved(change)} another reference is the best."


def _tell_counts(change: Change) -> str:
    old, new = change.before.stats, change.after.stats
    if change.axis == "unmatched_segment":
        drops = change.after.recipe.unmatched_segment == "reference-dropped"
        return f"nothing matches, and the reference {'no longer counts' if drops else 'counts'}"
    if change.axis == "candidate_totals" and old.reference == new.reference:
        counts = change.after.recipe.candidate_totals == "always"
        return f"the reference is too short for an order, whose n-grams of the candidate {_now(counts)}"
    names = [f"{unit[0]}{order}" for unit, order in list_orders(change.after.recipe.counting)]
    matched = zip(names, old.matches, new.matches, strict=True)
    parts = [f"{now:,} instead of {was:,} {name}" for name, was, now in matched if was != now]
    lengths = {
        "candidates": (old.candidate_length, new.candidate_length),
        "references": (old.reference_length, new.reference_length),
    }
    told = [
        f"the {side} have {count_of(now, 'character')} instead of {was:,}"
        for side, (was, now) in lengths.items()
        if was != now
    ]
    if parts:
        told.append(f"{join_words(parts)} match")
    if told:
        return f"the counts change: {'; '.join(told)}"
    return f"the counts change, but not {'their sums' if old == new else 'the matches'}"


def _now(counts: bool) -> str:
    return "now count" if counts else "no longer count"


def _up_to(order: int) -> str:
    return f"up to order {order}" if order else "not at all"


def tell_cause(change: Change, place: int) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return n-grams of a segment that match only after the change, those only before, and a remark on its lengths."""
    recipes = change.before.recipe, change.after.recipe
    words = find_matches(change, place, recipes, lambda entry: (-len(join_tokens(entry[0])), -entry[1]))
    old, new = change.old[place].reference_length, change.new[place].reference_length
    return *words, "" if old == new else f"a reference of {new} characters instead of {old}"
