"""A change: one axis with another choice, told in words, and the segments that did most of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from bleuprint.counting.rows import StatsTable
from bleuprint.findings.reconciliation.results import EQUAL, Cause
from bleuprint.metrics import module_of
from bleuprint.metrics.score import AnyScore
from bleuprint.scoring.verbs import score_each
from bleuprint.text.segments import Segments

MOST_CAUSES = 3


@dataclass(frozen=True)
class Change:
    """One axis changed, with all that is needed to say what happened."""

    axis: str
    before: AnyScore
    after: AnyScore
    old: StatsTable
    new: StatsTable
    segments: Segments

    def sentence(self) -> str:
        """Say in plain words what the step did."""
        sentence: str = module_of(self.after.metric, "changes").tell_change(self)
        return sentence

    @cached_property
    def moved(self) -> list[int]:
        """The segments whose counts changed, in the columns that the two recipes look at and that both tables have."""
        layouts = (self.before.recipe.layout, self.after.recipe.layout)
        looked_at = [
            name
            for name in dict.fromkeys(name for layout in layouts for name in layout.columns)
            if name in self.old.columns and name in self.new.columns
        ]
        old, new = (itemgetter(*map(table.columns.index, looked_at)) for table in (self.old, self.new))
        return [place for place in range(len(self.segments)) if old(self.old.row(place)) != new(self.new.row(place))]

    def causes(self) -> tuple[Cause, ...]:
        """Find the segments that did most of it: each alone, put in place of what it was before."""
        if self.before.recipe.counting == self.after.recipe.counting or not self.moved:
            return ()
        if self.old.columns != self.new.columns:  # where other orders are counted, no segment can take another's place
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
        gained, lost, remark = module_of(self.after.metric, "changes").tell_cause(self, place)
        return Cause(place, points, gained, lost, remark)
