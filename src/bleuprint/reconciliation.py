"""Reconciliation: the way from the score of one recipe to that of another, one axis at a time.

The axes are changed in the order in which the pipeline meets them, each step from where the last one ended; so the
steps add up, and the last one ends exactly at the other recipe's score.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from bleuprint.bleu_score import BleuScore
from bleuprint.corpus import ReferenceTexts, count_for, pair_for, score_table
from bleuprint.dialect_table import DIALECTS
from bleuprint.engines import score_rows
from bleuprint.formula import combine
from bleuprint.ngrams import count_ngrams, highest_counts
from bleuprint.recipe import Counting, Recipe, differing_axes
from bleuprint.segments import Segment, Segments, Text
from bleuprint.stats import BleuStats, StatsTable
from bleuprint.tokenizers import tokenize
from bleuprint.views import show
from bleuprint.wording import count_of, format_fraction, format_score, join_words, name_orders

SCHEMA = "bleuprint.reconciliation/1"
PIPELINE = (
    "case", "tokenizer", "reference_length", "segment_totals",
    "weights", "smoothing", "absent_order", "unmatched_order", "nothing_matches",
)  # fmt: skip
"""The axes in the order in which a text meets them: first those that decide counts, then those of the formula."""
MOST_CAUSES = 3
MOST_NGRAMS = 5
EQUAL = 1e-9
"""Scores that differ by less than this are the same number in all that follows the ninth decimal."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A segment that a step changed, and by how much the corpus score would change by this segment alone."""

    segment: int
    """counted from 0"""
    points: float
    gained: tuple[str, ...]
    """n-grams that match only after the step"""
    lost: tuple[str, ...]
    """n-grams that match only before it"""
    remark: str = ""


@dataclass(frozen=True)
class Step:
    """One axis changed: the score before and after, what happened, and where most of it came from."""

    axis: str
    before: BleuScore
    after: BleuScore
    sentence: str
    causes: tuple[Cause, ...]

    @property
    def points(self) -> float:
        """What the step adds to the score."""
        return self.after.score - self.before.score

    @property
    def choices(self) -> tuple[str, str]:
        """The choice on the axis before and after."""
        return self.before.recipe.choice(self.axis), self.after.recipe.choice(self.axis)


class Reconciliation:
    """Why two recipes disagree on the same texts."""

    def __init__(self, start: BleuScore, end: BleuScore, steps: Sequence[Step]) -> None:
        self.start, self.end, self.steps = start, end, tuple(steps)

    @property
    def points(self) -> float:
        """How far the two scores are apart."""
        return self.end.score - self.start.score

    @property
    def summary(self) -> str:
        """One sentence: how far apart, and which axes did it."""
        first, last = format_score(self.start.score), format_score(self.end.score)
        telling = sorted((step for step in self.steps if abs(step.points) > EQUAL), key=lambda step: -abs(step.points))
        if not telling:
            return f"Both give {first}: where the recipes differ, these texts do not show it."
        parts = [f"{axis_name(step.axis)} ({signed(step.points)})" for step in telling]
        return f"From {first} to {last}: {join_words(parts)}."

    def to_dict(self) -> dict[str, object]:
        """Give everything as plain data."""
        return {
            "schema": SCHEMA,
            "from": _score_data(self.start),
            "to": _score_data(self.end),
            "points": self.points,
            "summary": self.summary,
            "steps": [
                {
                    "axis": step.axis,
                    "from": step.choices[0],
                    "to": step.choices[1],
                    "points": step.points,
                    "score": step.after.score,
                    "sentence": step.sentence,
                    "causes": [
                        {
                            "segment": cause.segment + 1,
                            "points": cause.points,
                            "gained": list(cause.gained),
                            "lost": list(cause.lost),
                            "remark": cause.remark,
                        }
                        for cause in step.causes
                    ],
                }
                for step in self.steps
            ],
        }

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("html", self)

    def __repr__(self) -> str:
        return f"<Reconciliation {format_score(self.start.score)} to {format_score(self.end.score)}>"


@dataclass(frozen=True)
class DialectGroup:
    """Dialects that give the same number, and where they part from the group before."""

    names: tuple[str, ...]
    score: BleuScore
    parting: Step | None

    @property
    def sentence(self) -> str:
        """Say at which axis the group parts from the one before."""
        if self.parting is None:
            return ""
        before, after = self.parting.choices
        return f"{axis_name(self.parting.axis)}: {after} instead of {before}. {self.parting.sentence}"


class DialectGroups(Sequence[DialectGroup]):
    """Every dialect side by side, grouped by equal scores, the highest first."""

    def __init__(self, groups: Iterable[DialectGroup], left_out: Iterable[str] = ()) -> None:
        self._groups = tuple(groups)
        self.left_out = tuple(left_out)
        """The dialects that are defined for one segment only, where there are more."""

    @property
    def remark(self) -> str:
        """Say which dialects are missing, and why."""
        return f"Left out: {join_words(self.left_out)}, defined for one segment only." if self.left_out else ""

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        """Give one group, or several."""
        return self._groups[index]

    def to_dict(self) -> dict[str, object]:
        """Give everything as plain data."""
        return {
            "schema": "bleuprint.dialect-groups/1",
            "left_out": list(self.left_out),
            "groups": [
                {
                    "dialects": list(group.names),
                    "score": group.score.score,
                    "signature": group.score.signature,
                    "parts_at": group.parting.axis if group.parting else None,
                    "sentence": group.sentence,
                }
                for group in self
            ],
        }

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("html", self)

    def __repr__(self) -> str:
        return f"<DialectGroups: {len(self)} different scores>"


def reconcile(
    candidates: Text | Iterable[Text],
    references: Text | ReferenceTexts,
    start: Recipe | str,
    end: Recipe | str,
    *,
    threads: int | None = None,
) -> Reconciliation:
    """Show why two recipes give different scores: what each axis on which they differ contributes.

    >>> way = reconcile(["The cat sat.", "It purred."], ["the cat sat.", "It purred!"], "nltk", "sacrebleu-sentence")
    >>> [step.axis for step in way.steps]
    ['tokenizer', 'segment_totals', 'smoothing', 'absent_order', 'unmatched_order']
    >>> way.end.score == way.steps[-1].after.score
    True
    """
    return Workshop.of(candidates, references, [Recipe.of(start), Recipe.of(end)], threads).reconcile(
        Recipe.of(start), Recipe.of(end)
    )


def group_dialects(
    candidates: Text | Iterable[Text], references: Text | ReferenceTexts, *, threads: int | None = None
) -> DialectGroups:
    """Score every dialect, group those that agree, and say at which axis the groups part.

    >>> groups = group_dialects(["hello world"], ["hello world"])
    >>> [(round(group.score.score, 2), "sacrebleu-sentence" in group.names) for group in groups[:2]]
    [(100.0, True), (70.71, False)]
    """
    recipes = [Recipe.named(name) for name in DIALECTS]
    return Workshop.of(candidates, references, recipes, threads).group_dialects()


def axis_name(axis: str) -> str:
    """Name an axis in a sentence."""
    return axis.replace("_", " ")


def recipes_between(start: Recipe, end: Recipe) -> list[Recipe]:
    """List the recipes on the way from one to the other, both ends included: one more axis is changed in each."""
    recipes = [start]
    for axis in sorted(differing_axes(start, end), key=PIPELINE.index):
        recipes.append(recipes[-1].replace(**{axis: getattr(end, axis)}))
    return recipes


class Workshop:
    """One corpus under many recipes: each way of counting is counted once, or not at all if ``tables`` has it."""

    def __init__(
        self,
        segments: Segments,
        order: int,
        threads: int | None = None,
        tables: Mapping[Counting, StatsTable] | None = None,
    ) -> None:
        self._segments, self._order, self._threads = segments, order, threads
        self._tables: dict[Counting, StatsTable] = dict(tables or {})

    @classmethod
    def of(cls, candidates: object, references: object, recipes: Sequence[Recipe], threads: int | None) -> Workshop:
        """Check the corpus, or the one segment, for all recipes."""
        if isinstance(candidates, str):
            candidates, references = [candidates], [references]
        segments = pair_for(candidates, references, recipes)
        return cls(segments, max(recipe.counted_order for recipe in recipes), threads)

    def table(self, recipe: Recipe) -> StatsTable:
        """Count for a recipe, up to the highest order that any recipe needs."""
        if recipe.counting not in self._tables:
            highest = recipe.replace(order=self._order)
            self._tables |= count_for(self._segments, [highest], self._threads)
        return self._tables[recipe.counting]

    def score(self, recipe: Recipe) -> BleuScore:
        """Score for a recipe."""
        return score_table(self.table(recipe), recipe, self._segments)

    def reconcile(self, start: Recipe, end: Recipe) -> Reconciliation:
        """Walk from one recipe to the other."""
        steps = [self._tell(axis, before, after) for axis, before, after in self._walk(start, end)]
        return Reconciliation(self.score(start), self.score(end), steps)

    def group_dialects(self) -> DialectGroups:
        """Score every dialect, and group those that agree."""
        recipes = {name: Recipe.named(name) for name in DIALECTS}
        left_out = [name for name, recipe in recipes.items() if recipe.is_for_one_segment and len(self._segments) > 1]
        by_score: list[tuple[BleuScore, list[str]]] = []
        for name, recipe in recipes.items():
            if name in left_out:
                continue
            score = self.score(recipe)
            for known, names in by_score:
                if abs(known.score - score.score) <= EQUAL:
                    names.append(name)
                    break
            else:
                by_score.append((score, [name]))
        by_score.sort(key=lambda entry: -entry[0].score)
        groups: list[DialectGroup] = []
        for score, names in by_score:
            parting = self.first_parting(groups[-1].score.recipe, score.recipe) if groups else None
            groups.append(DialectGroup(tuple(names), score, parting))
        return DialectGroups(groups, left_out)

    def first_parting(self, start: Recipe, end: Recipe) -> Step | None:
        """Find the first axis on the way at which the score changes."""
        for axis, before, after in self._walk(start, end):
            if abs(before.score - after.score) > EQUAL:
                return self._tell(axis, before, after)
        return None

    def _walk(self, start: Recipe, end: Recipe) -> Iterable[tuple[str, BleuScore, BleuScore]]:
        for old, new in pairwise(recipes_between(start, end)):
            (axis,) = differing_axes(old, new)
            yield axis, self.score(old), self.score(new)

    def _tell(self, axis: str, before: BleuScore, after: BleuScore) -> Step:
        change = _Change(axis, before, after, self.table(before.recipe), self.table(after.recipe), self._segments)
        return Step(axis, before, after, change.sentence(), change.causes())


@dataclass(frozen=True)
class _Change:
    """One axis changed, with all that is needed to say what happened."""

    axis: str
    before: BleuScore
    after: BleuScore
    old: StatsTable
    new: StatsTable
    segments: Segments

    def sentence(self) -> str:
        """Say in plain words what the step did."""
        if self.before.recipe.counting != self.after.recipe.counting:
            return self._tell_counts() if self.moved else "It changes no count here."
        if self.before.score == self.after.score:
            return self._tell_nothing()
        return self._tell_weights() if self.axis == "weights" else self._tell_precisions()

    @cached_property
    def moved(self) -> list[int]:
        """The segments whose counts changed."""
        return [place for place in range(len(self.segments)) if self.old.row(place) != self.new.row(place)]

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
            shorter = [n for n in range(1, self.after.order + 1) if old.totals[n - 1] != new.totals[n - 1]]
            changed = join_words([f"{new.totals[n - 1]:,} instead of {old.totals[n - 1]:,} {n}-grams" for n in shorter])
            return f"{some} the candidate is shorter than an order; together the candidates now have {changed}."
        more = [n for n in range(1, self.after.order + 1) if old.matches[n - 1] != new.matches[n - 1]]
        changed = join_words([f"{new.matches[n - 1]:,} instead of {old.matches[n - 1]:,} {n}-grams" for n in more])
        return f"{some} other n-grams match: {changed}." if more else f"{some} the counts change, but not their sums."

    def _tell_nothing(self) -> str:
        reasons = {
            "smoothing": "every order has a match",
            "absent_order": "the candidates have n-grams of every order",
            "unmatched_order": "no order was left without a match",
            "nothing_matches": "something matches at every order",
        }
        stats = self.after.stats
        holds = {
            "smoothing": all(stats.matches),
            "absent_order": all(stats.totals),
            "unmatched_order": all(stats.matches),
            "nothing_matches": all(stats.matches),
        }
        reason = f": {reasons[self.axis]}" if holds.get(self.axis) else ""
        return f"It changes nothing here{reason}."

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
        total = array("q", self.old.total().to_row())
        swapped = StatsTable(self.old.order)
        for place in self.moved:
            pairs = zip(total, self.old.row(place), self.new.row(place), strict=True)
            swapped.append(BleuStats.from_row([sum_ - old + new for sum_, old, new in pairs]))
        recipe = self.after.recipe
        scores = score_rows(swapped, recipe) or [
            100.0 * combine(stats.up_to(recipe.counted_order), recipe).fraction for stats in swapped
        ]
        ranked = sorted(zip(scores, self.moved, strict=True), key=lambda found: -abs(found[0] - self.before.score))
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
                matched[n, " ".join(map(str, ngram))] += min(count, limits[ngram])
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


def signed(points: float) -> str:
    """Print a change of score with its sign."""
    return f"{'+' if points > 0 else '−'}{format_score(abs(points))}" if points else "0"


def _score_data(score: BleuScore) -> Mapping[str, object]:
    return {"score": score.score, "signature": score.signature, "dialects": list(score.recipe.dialects)}
