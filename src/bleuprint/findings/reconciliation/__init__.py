"""Reconciliation: the way from the score of one recipe to that of another, one axis at a time.

The axes are changed in the order of the pipeline, each step from the result of the one before. So the steps add up, and
the last one ends exactly at the other recipe's score.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.reconciliation.results import (
    EQUAL,
    Cause,
    DialectGroup,
    DialectGroups,
    Reconciliation,
    Step,
    agree,
)
from bleuprint.metrics import module_of
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC, check_metric
from bleuprint.scoring.text_notes import note_empty_references
from bleuprint.scoring.verbs import ReferenceTexts, count_for, pair_for, score_each, score_table
from bleuprint.text.segments import Segments, Text

MOST_CAUSES = 3


def reconcile(
    candidates: Text | Iterable[Text],
    references: Text | ReferenceTexts,
    start: Recipe | str,
    end: Recipe | str,
    *,
    threads: int | None = None,
) -> Reconciliation:
    """Explain why two recipes give different scores: the contribution of each axis on which they differ.

    >>> way = reconcile(["The cat sat.", "It purred."], ["the cat sat.", "It purred!"], "nltk", "sacrebleu-sentence")
    >>> [step.axis for step in way.steps]
    ['tokenizer', 'segment_totals', 'smoothing', 'absent_order', 'unmatched_order']
    >>> way.end.score == way.steps[-1].after.score
    True
    """
    recipes = [Recipe.of(start), Recipe.of(end)]
    return Workshop.of(candidates, references, recipes, threads).reconcile(*recipes)


def group_dialects(
    candidates: Text | Iterable[Text],
    references: Text | ReferenceTexts,
    metric: str = DEFAULT_METRIC,
    *,
    threads: int | None = None,
) -> DialectGroups:
    """Score every dialect of a metric, group those that agree, and name the axes on which the groups differ.

    >>> groups = group_dialects(["hello world"], ["hello world"])
    >>> [(round(group.score.score, 2), "sacrebleu-sentence" in group.names) for group in groups[:2]]
    [(100.0, True), (70.71, False)]
    """
    recipes = list(Recipe.dialects(check_metric(metric).key).values())
    return Workshop.of(candidates, references, recipes, threads).group_dialects(metric)


def recipes_between(start: Recipe, end: Recipe) -> list[Recipe]:
    """List the recipes on the way from one to the other, with both ends. Each changes one more axis."""
    recipes = [start]
    for axis in sorted(start.differing_axes(end), key=module_of(start.metric, "changes").PIPELINE.index):
        recipes.append(recipes[-1].with_choices({axis: getattr(end, axis)}))
    return recipes


def counted_as_far(recipe: Recipe, others: Iterable[Recipe]) -> Recipe:
    """Return a recipe that counts like this one, up to the highest order that any of the others needs.

    BLEU's counts of a lower order are part of those of a higher one. Other metrics count for one order alone.
    """
    if not isinstance(recipe, BleuRecipe):
        return recipe
    return recipe.replace(order=max(other.layout.order for other in (recipe, *others)))


class Workshop:
    """One corpus under many recipes: each way of counting is counted once, or not at all if ``tables`` has it."""

    def __init__(
        self,
        segments: Segments,
        recipes: Sequence[Recipe],
        threads: int | None = None,
        tables: Mapping[Hashable, StatsTable] | None = None,
    ) -> None:
        self._segments, self._recipes, self._threads = segments, recipes, threads
        self._tables: dict[Hashable, StatsTable] = dict(tables or {})

    @classmethod
    def of(cls, candidates: object, references: object, recipes: Sequence[Recipe], threads: int | None) -> Workshop:
        """Check the corpus, or the one segment, for all recipes."""
        if isinstance(candidates, str):
            candidates, references = [candidates], [references]
        return cls(pair_for(candidates, references, recipes), recipes, threads)

    def _table(self, recipe: Recipe) -> StatsTable:
        """Count for a recipe, up to the highest order that any recipe needs."""
        if recipe.counting not in self._tables:
            widest = counted_as_far(recipe, self._recipes)
            self._tables |= count_for(self._segments, [widest], self._threads)
        return self._tables[recipe.counting]

    def score(self, recipe: Recipe) -> AnyScore:
        """Score the corpus by a recipe."""
        return score_table(self._table(recipe), recipe, self._segments)

    def reconcile(self, start: Recipe, end: Recipe) -> Reconciliation:
        """Explain the difference between the scores of two recipes."""
        changes = self._list_changes(start, end)
        steps = [Step(one.axis, one.before, one.after, one.sentence(), one.causes()) for one in changes]
        first = self.score(start)
        return Reconciliation(first, self.score(end), tuple(steps), self._write_remarks(first))

    def group_dialects(self, metric: str = DEFAULT_METRIC, *, tell: bool = True) -> DialectGroups:
        """Score every dialect of a metric, and group those that agree. ``tell`` explains where groups differ."""
        only_segments, stopping = [], []
        by_score: list[tuple[AnyScore, list[str]]] = []
        for name, recipe in Recipe.dialects(metric).items():
            if recipe.is_for_one_segment and len(self._segments) > 1:
                only_segments.append(name)
                continue
            score = self.score(recipe)
            if score.tool_stops:
                stopping.append(name)
                continue
            names = next((names for known, names in by_score if agree(known, score)), None)
            if names is None:
                by_score.append((score, [name]))
            else:
                names.append(name)
        by_score.sort(key=lambda entry: entry[0].metric.sort_key(entry[0].score))
        groups: list[DialectGroup] = []
        for score, names in by_score:
            changes = self._list_changes(groups[-1].score.recipe, score.recipe) if groups and tell else ()
            partings = [
                Step(c.axis, c.before, c.after, c.sentence(), ()) for c in changes if not agree(c.before, c.after)
            ]
            groups.append(DialectGroup(tuple(names), score, tuple(partings)))
        remarks = self._write_remarks(groups[0].score) if groups else ()
        return DialectGroups(tuple(groups), tuple(only_segments), tuple(stopping), remarks)

    def _list_changes(self, start: Recipe, end: Recipe) -> Iterator[Change]:
        for old, new in pairwise(recipes_between(start, end)):
            (axis,) = old.differing_axes(new)
            yield Change(axis, self.score(old), self.score(new), self._table(old), self._table(new), self._segments)

    def _write_remarks(self, score: AnyScore) -> tuple[str, ...]:
        """Write notes on the texts under every recipe. Pickled results keep them, but not the texts."""
        return tuple(f"Note: {note}." for note in note_empty_references(self._segments, score.metric))


@dataclass(frozen=True)
class Change:
    """One axis changed, with all data that an explanation needs."""

    axis: str
    before: AnyScore
    after: AnyScore
    old: StatsTable
    new: StatsTable
    segments: Segments

    def sentence(self) -> str:
        """Describe in a sentence what the change did."""
        sentence: str = module_of(self.after.metric, "changes").tell_change(self)
        return sentence

    @cached_property
    def moved(self) -> list[int]:
        """The segments whose counts changed, in the columns that both recipes read and that both tables have."""
        read = dict.fromkeys((*self.before.recipe.layout.columns, *self.after.recipe.layout.columns))
        names = [name for name in read if name in self.old.columns and name in self.new.columns]
        old, new = (itemgetter(*map(table.columns.index, names)) for table in (self.old, self.new))
        return [index for index in range(len(self.segments)) if old(self.old.row(index)) != new(self.new.row(index))]

    def causes(self) -> tuple[Cause, ...]:
        """Find the segments that changed the score most: each is exchanged alone in the sums from before."""
        if self.before.recipe.counting == self.after.recipe.counting or self.old.columns != self.new.columns:
            return ()
        total = self.old.sum_row()
        swapped = StatsTable(self.old.layout)
        for index in self.moved:
            rows = zip(total, self.old.row(index), self.new.row(index), strict=True)
            swapped.append_row([whole - old + new for whole, old, new in rows])
        scores = score_each(swapped, self.after.recipe)
        points = [(score - self.before.score, index) for score, index in zip(scores, self.moved, strict=True)]
        tell_cause = module_of(self.after.metric, "changes").tell_cause
        ranked = sorted(points, key=lambda found: -abs(found[0]))[:MOST_CAUSES]
        return tuple(Cause(index, own, *tell_cause(self, index)) for own, index in ranked if abs(own) > EQUAL)
