"""A change: one axis with another choice, told in words, and the segments that did most of it."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from bleuprint.counting.ngrams import count_ngrams, highest_counts
from bleuprint.counting.rows import StatsTable
from bleuprint.findings.reconciliation.results import EQUAL, Cause
from bleuprint.metrics.bleu.recipe import Recipe
from bleuprint.metrics.bleu.scores import BleuScore
from bleuprint.metrics.bleu.stats import BleuStats
from bleuprint.scoring.verbs import score_each
from bleuprint.text.segments import Segment, Segments
from bleuprint.text.shown_tokens import join_tokens
from bleuprint.text.tokenizers import tokenize
from bleuprint.wording import count_of, format_fraction, join_words, name_orders

MOST_CAUSES = 3
MOST_NGRAMS = 5


@dataclass(frozen=True)
class Change:
    """One axis changed, with all that is needed to say what happened."""

    axis: str
    before: BleuScore
    after: BleuScore
    old: StatsTable
    new: StatsTable
    segments: Segments

    def sentence(self) -> str:
        """Say in plain words what the step did."""
        if self.before.tool_stops != self.after.tool_stops:
            when, stopped = ("", self.after) if self.after.tool_stops else ("before, ", self.before)
            return f"NLTK stops {when}with an error: {stopped.combination.zero_because}."
        if self.before.recipe.counting != self.after.recipe.counting:
            return self._tell_counts() if self.moved else "It changes no count here."
        if self.before.score == self.after.score:
            return self._tell_nothing()
        return self._tell_weights() if self.axis == "weights" else self._tell_precisions()

    @cached_property
    def moved(self) -> list[int]:
        """The segments whose counts changed, of the orders that the two recipes look at."""
        return [
            place for place in range(len(self.segments)) if self._row(self.old, place) != self._row(self.new, place)
        ]

    @property
    def order(self) -> int:
        """The highest order that one of the recipes looks at; the tables may be counted further."""
        return max(self.before.recipe.counted_order, self.after.recipe.counted_order)

    def _row(self, table: StatsTable, place: int) -> array[int]:
        row, order = table.row(place), table.layout.order
        return row if order == self.order else row[: 2 + self.order] + row[2 + order : 2 + order + self.order]

    def _tell_counts(self) -> str:
        old, new = self.before.stats, self.after.stats
        some = f"In {count_of(len(self.moved), 'segment')} of {len(self.segments):,}"
        if self.axis == "tokenizer":
            return (
                f"The candidates have {new.candidate_length:,} tokens instead of {old.candidate_length:,}, of which "
                f"{new.matches[0]:,} match ({_percent(new)}) instead of {old.matches[0]:,} ({_percent(old)}); "
                f"{_brevity(self.before, self.after)}."
            )
        if self.axis == "reference_length":
            return (
                f"{some} another reference length is chosen: r = {new.reference_length:,} instead of "
                f"{old.reference_length:,}; {_brevity(self.before, self.after)}."
            )
        if self.axis == "segment_totals":
            totals = self._name_changes(old.totals, new.totals)
            if totals:
                return f"{some} the candidate is shorter than an order; together the candidates now have {totals}."
        else:
            matches = self._name_changes(old.matches, new.matches)
            if matches:
                return f"{some} other n-grams match: {matches}."
        return f"{some} the counts change, but not their sums."

    def _name_changes(self, old: tuple[int, ...], new: tuple[int, ...]) -> str:
        """Name the orders whose sums changed, among those that the score looks at; empty where none did."""
        pairs = list(zip(old, new, strict=True))[: self.order]
        parts = [f"{now:,} instead of {was:,} {n}-grams" for n, (was, now) in enumerate(pairs, start=1) if was != now]
        return join_words(parts) if parts else ""

    def _tell_nothing(self) -> str:
        reason = self._reason_for_nothing()
        return f"It changes nothing here: {reason}." if reason else "It changes nothing here."

    def _reason_for_nothing(self) -> str:
        before, after = self.before.combination, self.after.combination
        stats = self.after.stats.up_to(self.after.order)
        if before.zero_because and before.zero_because is after.zero_because:
            return str(after.zero_because)
        if self.axis == "absent_order" and all(stats.totals):
            return "the candidates have n-grams of every order"
        if self.axis == "nothing_matches" and any(stats.matches):
            return "something matches at every order" if all(stats.matches) else "something matches"
        if self.axis in ("smoothing", "unmatched_order") and all(stats.matches):
            return "every order has a match" if self.axis == "smoothing" else "no order was left without a match"
        if (
            self.axis in ("absent_order", "unmatched_order")
            and before.terms == after.terms
            and all(term.smoothed for term in after.terms)
        ):
            return "smoothing fills every order without a match"
        return "" if self.after.score else "the score is 0 either way"

    def _tell_weights(self) -> str:
        old, new = self.before.recipe, self.after.recipe
        if old.order != new.order:
            return f"The orders up to {new.order} count instead of those up to {old.order}."
        return "The orders count with other weights."

    def _tell_precisions(self) -> str:
        """Name the orders whose precision the formula now takes for something else."""
        parts = []
        for old, new in zip(self.before.combination.terms, self.after.combination.terms, strict=True):
            if old.smoothed != new.smoothed:
                was, now = (_precision(term.smoothed) for term in (old, new))
                parts.append(f"p{new.order} is {now} ({new.rule}) instead of {was} ({old.rule})")
        stats = self.after.stats
        absent = [n for n in range(1, self.after.order + 1) if not stats.totals[n - 1]]
        unmatched = [n for n in range(1, self.after.order + 1) if stats.totals[n - 1] and not stats.matches[n - 1]]
        because = ""
        if absent:
            because = f"The candidates have no {name_orders(absent)}. "
        elif unmatched:
            because = f"No {name_orders(unmatched, plural=False)} matches. "
        return f"{because}{join_words(parts)}." if parts else because.strip()

    def causes(self) -> tuple[Cause, ...]:
        """Find the segments that did most of it: each alone, put in place of what it was before."""
        if self.before.recipe.counting == self.after.recipe.counting or not self.moved:
            return ()
        total = self.old.sum_row()
        swapped = StatsTable(self.old.layout)
        for place in self.moved:
            pairs = zip(total, self.old.row(place), self.new.row(place), strict=True)
            swapped.append_row([sum_ - old + new for sum_, old, new in pairs])
        recipe = self.after.recipe
        ranked = sorted(
            zip(score_each(swapped, recipe), self.moved, strict=True),
            key=lambda found: -abs(found[0] - self.before.score),
        )
        return tuple(
            self._cause(place, score - self.before.score)
            for score, place in ranked[:MOST_CAUSES]
            if abs(score - self.before.score) > EQUAL
        )

    def _cause(self, place: int, points: float) -> Cause:
        segment = self.segments.segment(place)
        old = _matched(segment, self.before.recipe, self.after.order)
        new = _matched(segment, self.after.recipe, self.after.order)
        return Cause(place, points, _first(new - old), _first(old - new), self._remark(place))

    def _remark(self, place: int) -> str:
        old, new = self.old[place], self.new[place]
        if self.axis == "reference_length":
            return f"reference length {new.reference_length} instead of {old.reference_length}"
        if self.axis == "segment_totals":
            return f"the candidate has {count_of(new.candidate_length, 'token')}"
        return ""


def _matched(segment: Segment, recipe: Recipe, order: int) -> Counter[tuple[int, str]]:
    """Count the n-grams of a segment that match, by their order and their words."""
    counting = recipe.counting
    candidate = tokenize(segment.candidate, counting.tokenizer, counting.case)
    references = [tokenize(text, counting.tokenizer, counting.case) for text in segment.references]
    matched: Counter[tuple[int, str]] = Counter()
    for n in range(1, order + 1):
        limits = highest_counts(count_ngrams(reference, n) for reference in references)
        for ngram, count in count_ngrams(candidate, n).items():
            if limits[ngram]:
                matched[n, join_tokens(ngram)] += min(count, limits[ngram])
    return matched


def _first(ngrams: Counter[tuple[int, str]]) -> tuple[str, ...]:
    """Name a few of them: single words first, the most frequent first."""
    ranked = sorted(ngrams.items(), key=lambda entry: (entry[0][0], -entry[1]))
    return tuple(words for (_, words), _ in ranked[:MOST_NGRAMS])


def _percent(stats: BleuStats) -> str:
    return f"{100 * stats.matches[0] / stats.totals[0]:.1f} %" if stats.totals[0] else "none"


def _precision(value: float | None) -> str:
    return "left out" if value is None else format_fraction(value)


def _brevity(before: BleuScore, after: BleuScore) -> str:
    old, new = (format_fraction(score.brevity_penalty) for score in (before, after))
    return f"the brevity penalty stays {new}" if old == new else f"the brevity penalty is {new} instead of {old}"
