"""Reconciliation: the way from the score of one recipe to that of another, one axis at a time.

The axes are changed in the order in which the pipeline meets them, each step from where the last one ended; so the
steps add up, and the last one ends exactly at the other recipe's score.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.reconciliation.change import Change
from bleuprint.findings.reconciliation.results import DialectGroup, DialectGroups, Reconciliation, Step, agree
from bleuprint.metrics import module_of
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC, check_metric
from bleuprint.scoring.verbs import ReferenceTexts, count_for, pair_for, score_table
from bleuprint.text.segments import Segments, Text


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
    candidates: Text | Iterable[Text],
    references: Text | ReferenceTexts,
    metric: str = DEFAULT_METRIC,
    *,
    threads: int | None = None,
) -> DialectGroups:
    """Score every dialect of a metric, group those that agree, and say at which axis the groups part.

    >>> groups = group_dialects(["hello world"], ["hello world"])
    >>> [(round(group.score.score, 2), "sacrebleu-sentence" in group.names) for group in groups[:2]]
    [(100.0, True), (70.71, False)]
    """
    recipes = list(Recipe.dialects(check_metric(metric).key).values())
    return Workshop.of(candidates, references, recipes, threads).group_dialects(metric)


def recipes_between(start: Recipe, end: Recipe) -> list[Recipe]:
    """List the recipes on the way from one to the other, both ends included: one more axis is changed in each."""
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
        segments = pair_for(candidates, references, recipes)
        return cls(segments, recipes, threads)

    def table(self, recipe: Recipe) -> StatsTable:
        """Count for a recipe, up to the highest order that any recipe needs."""
        if recipe.counting not in self._tables:
            widest = counted_as_far(recipe, self._recipes)
            self._tables |= count_for(self._segments, [widest], self._threads)
        return self._tables[recipe.counting]

    def score(self, recipe: Recipe) -> AnyScore:
        """Score for a recipe."""
        return score_table(self.table(recipe), recipe, self._segments)

    def reconcile(self, start: Recipe, end: Recipe) -> Reconciliation:
        """Walk from one recipe to the other."""
        steps = [self._tell(axis, before, after) for axis, before, after in self._walk(start, end)]
        return Reconciliation(self.score(start), self.score(end), steps)

    def group_dialects(self, metric: str = DEFAULT_METRIC, *, tell: bool = True) -> DialectGroups:
        """Score every dialect of a metric, and group those that agree, the best first; ``tell`` where they part."""
        recipes = Recipe.dialects(metric)
        only_segments = [
            name for name, recipe in recipes.items() if recipe.is_for_one_segment and len(self._segments) > 1
        ]
        scores = {name: self.score(recipe) for name, recipe in recipes.items() if name not in only_segments}
        stopping = [name for name, score in scores.items() if score.tool_stops]
        by_score: list[tuple[AnyScore, list[str]]] = []
        for name, score in scores.items():
            if name in stopping:
                continue
            for known, names in by_score:
                if agree(known, score):
                    names.append(name)
                    break
            else:
                by_score.append((score, [name]))
        by_score.sort(key=lambda entry: entry[0].metric.sort_key(entry[0].score))
        groups: list[DialectGroup] = []
        for score, names in by_score:
            partings = self._partings(groups[-1].score.recipe, score.recipe) if groups and tell else ()
            groups.append(DialectGroup(tuple(names), score, partings))
        return DialectGroups(groups, only_segments, stopping)

    def _walk(self, start: Recipe, end: Recipe) -> Iterable[tuple[str, AnyScore, AnyScore]]:
        for old, new in pairwise(recipes_between(start, end)):
            (axis,) = old.differing_axes(new)
            yield axis, self.score(old), self.score(new)

    def _partings(self, start: Recipe, end: Recipe) -> tuple[Step, ...]:
        """Give the steps of a reconciliation that change the score, without the segments that did it."""
        return tuple(
            Step(axis, before, after, self._change(axis, before, after).sentence(), ())
            for axis, before, after in self._walk(start, end)
            if not agree(before, after)
        )

    def _tell(self, axis: str, before: AnyScore, after: AnyScore) -> Step:
        change = self._change(axis, before, after)
        return Step(axis, before, after, change.sentence(), change.causes())

    def _change(self, axis: str, before: AnyScore, after: AnyScore) -> Change:
        return Change(axis, before, after, self.table(before.recipe), self.table(after.recipe), self._segments)
