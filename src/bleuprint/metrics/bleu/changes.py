"""Changes: what another choice on one axis of BLEU did to a score, in words."""

from __future__ import annotations

from bleuprint.metrics.bleu.counting import BleuStats
from bleuprint.metrics.bleu.score import BleuScore
from bleuprint.metrics.changes import Change, find_matches, name_moved
from bleuprint.wording import count_of, format_fraction, format_score, join_words, name_orders

PIPELINE = (
    "case", "tokenizer", "reference_length", "segment_totals",
    "weights", "smoothing", "absent_order", "unmatched_order", "nothing_matches", "brevity", "across_orders",
)  # fmt: skip
"""The axes in the order of computation: first those that decide counts, then those of the formula."""


def tell_change(change: Change) -> str:
    """Say in plain words what the step did."""
    if change.before.tool_stops != change.after.tool_stops:
        when, stopped = ("", change.after) if change.after.tool_stops else ("before, ", change.before)
        return f"NLTK stops {when}with an error: {stopped.stops_because}."
    if change.before.recipe.counting != change.after.recipe.counting:
        return f"{_tell_counts(change)}{_tell_zero(change)}" if change.moved else "It changes no count here."
    if change.before.score == change.after.score:
        reason = _reason_for_nothing(change)
        return f"It changes nothing here: {reason}." if reason else "It changes nothing here."
    if change.axis == "brevity":
        return _sentence(_brevity(change.before, change.after))
    if change.axis == "across_orders":
        return f"It is {change.after.recipe.label} instead of {change.before.recipe.label}.{_tell_zero(change)}"
    return f"{_tell_weights(change)}{_tell_zero(change)}" if change.axis == "weights" else _tell_precisions(change)


def _tell_counts(change: Change) -> str:
    old, new = change.before.stats, change.after.stats
    brevity = _brevity(change.before, change.after)
    if change.axis == "tokenizer" and (old.candidate_length, old.matches[0]) != (new.candidate_length, new.matches[0]):
        return (
            f"The candidates have {count_of(new.candidate_length, 'token')} instead of {old.candidate_length:,}, of "
            f"which {new.matches[0]:,} match ({_percent(new)}) instead of {old.matches[0]:,} ({_percent(old)}); "
            f"{brevity}."
        )
    some = name_moved(change)
    matches = _name_changes(change, old.matches, new.matches)
    totals = _name_changes(change, old.totals, new.totals)
    if change.axis == "segment_totals" and totals:
        return f"{some} the candidate is shorter than an order; together the candidates now have {totals}."
    if change.axis == "reference_length":
        told = [f"another reference length is chosen: r = {new.reference_length:,} instead of {old.reference_length:,}"]
    else:
        told = [f"other n-grams match: {matches}"] if matches else []
        if totals and (not matches or new.candidate_length != old.candidate_length):
            told.append(f"the candidates have other n-grams: {totals}")
        if new.reference_length != old.reference_length:
            told.append(
                f"the reference length changes: r = {new.reference_length:,} instead of {old.reference_length:,}"
            )
    if (new.candidate_length, new.reference_length) != (old.candidate_length, old.reference_length):
        told.append(brevity)
    return f"{some} {'; '.join(told) or 'the counts change, but not their sums'}."


def _name_changes(change: Change, old: tuple[int, ...], new: tuple[int, ...]) -> str:
    """Name the orders whose sums changed, among those that the score looks at; empty where none did."""
    # the tables may be counted further than either recipe needs
    highest = max(score.recipe.layout.order for score in (change.before, change.after))
    pairs = list(zip(old, new, strict=True))[:highest]
    parts = [f"{now:,} instead of {was:,} {n}-grams" for n, (was, now) in enumerate(pairs, start=1) if was != now]
    return join_words(parts) if parts else ""


def _tell_zero(change: Change) -> str:
    """Say that the score stays 0, or give the reason for a 0 that the change brings or takes away."""
    if change.before.score == change.after.score:
        return "" if change.after.score else " The score is 0 either way."
    before, after = change.before.combination.zero_because, change.after.combination.zero_because
    if after:
        return f" Now the score is 0: {after}."
    return f" Before, the score was 0: {before}." if before else ""


def _reason_for_nothing(change: Change) -> str:
    """Find out why another choice leaves the score as it is; empty if there is no simple reason."""
    before, after = change.before.combination, change.after.combination
    stats = change.after.stats.up_to(change.after.order)
    unmatched = [
        place
        for place, (matches, total) in enumerate(zip(stats.matches, stats.totals, strict=True))
        if total and not matches
    ]
    if before.zero_because and before.zero_because is after.zero_because:
        return str(after.zero_because)
    if change.axis == "absent_order" and all(stats.totals):
        return "the candidates have n-grams of every order"
    if change.axis == "nothing_matches":
        rules = change.before.recipe.nothing_matches, change.after.recipe.nothing_matches
        if all(stats.matches):
            return "something matches at every order"
        if any(stats.matches) and "zero-if-any" not in rules:
            return "something matches"
    if change.axis == "unmatched_order" and not unmatched:
        return "every order with n-grams has a match"
    if change.axis == "smoothing" and all(stats.matches) and _fills_gaps(change.before) and _fills_gaps(change.after):
        return "every order has a match"
    if not change.after.score:
        return "the score is 0 either way"
    if change.axis == "brevity":
        return _brevity(change.before, change.after)
    if change.axis == "across_orders":
        means = before.means or after.means
        return f"BLEU-1 to BLEU-{len(means)} are equal" if min(means) == max(means) else ""
    precisions = [[term.smoothed for term in combination.terms if term.weight] for combination in (before, after)]
    if change.axis == "weights":
        return "all precisions are equal" if len({*precisions[0], *precisions[1]}) == 1 else ""
    if before.means and before.means == after.means:
        return f"BLEU-1 to BLEU-{len(before.means)} stay as they are"
    if precisions[0] != precisions[1]:
        return ""
    if change.axis == "absent_order" and before.terms == after.terms:
        return "smoothing fills every order without n-grams"
    if (
        change.axis == "unmatched_order"
        and all(after.terms[place].smoothed for place in unmatched)
        and before.terms == after.terms
    ):
        return "smoothing fills every order without a match"
    return "every precision that counts stays as it is"


def _fills_gaps(score: BleuScore) -> bool:
    """Whether smoothing leaves an order with a match alone."""
    return score.recipe.smoothing.kind in ("none", "epsilon", "floor", "exp", "nltk-method4")


def _tell_weights(change: Change) -> str:
    old, new = change.before.recipe, change.after.recipe
    if old.order != new.order:
        return f"The orders up to {new.order} count instead of those up to {old.order}."
    return "The orders count with other weights."


def _tell_precisions(change: Change) -> str:
    """Name the orders whose precision the formula now takes for something else."""
    parts = []
    for old, new in zip(change.before.combination.terms, change.after.combination.terms, strict=True):
        was, now = (_precision(term.smoothed) for term in (old, new))
        if was != now:
            parts.append(f"p{new.order} is {now} ({new.rule}) instead of {was} ({old.rule})")
    if not parts:  # in a mean over orders, precisions may change up to a lower order only
        means = zip(change.before.combination.means, change.after.combination.means, strict=True)
        for order, pair in enumerate(means, start=1):
            was, now = (format_score(100 * change.after.brevity_penalty * mean) for mean in pair)
            if was != now:
                parts.append(f"BLEU-{order} is {now} instead of {was}")
    stats = change.after.stats
    absent = [n for n in range(1, change.after.order + 1) if not stats.totals[n - 1]]
    unmatched = [n for n in range(1, change.after.order + 1) if stats.totals[n - 1] and not stats.matches[n - 1]]
    because = ""
    if absent:
        because = f"The candidates have no {name_orders(absent)}. "
    elif unmatched:
        because = f"No {name_orders(unmatched, plural=False)} matches. "
    return f"{because}{join_words(parts) if parts else 'The precisions change less than is shown'}."


def tell_cause(change: Change, place: int) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return n-grams of a segment that match only after the change, those only before, and a remark on its counts."""
    recipes = change.before.recipe.replace(order=change.after.order), change.after.recipe
    words = find_matches(change, place, recipes, lambda entry: (len(entry[0]), -entry[1]))  # single words first
    old, new = change.old[place], change.new[place]
    remark = ""
    if change.axis == "reference_length":
        remark = f"reference length {new.reference_length} instead of {old.reference_length}"
    elif change.axis == "segment_totals":
        remark = f"the candidate has {count_of(new.candidate_length, 'token')}"
    return *words, remark


def _percent(stats: BleuStats) -> str:
    return f"{100 * stats.matches[0] / stats.candidate_length:.1f} %" if stats.candidate_length else "none"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _precision(value: float | None) -> str:
    return "left out" if value is None else format_fraction(value)


def _brevity(before: BleuScore, after: BleuScore) -> str:
    old, new = (format_fraction(score.brevity_penalty) for score in (before, after))
    if old != new:
        return f"the brevity penalty is {new} instead of {old}"
    if before.brevity_penalty != after.brevity_penalty:
        return f"the brevity penalty of {new} changes less than is shown"
    return f"the brevity penalty stays {new}"
