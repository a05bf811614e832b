"""What a reconciliation finds: steps from one score to another, their causes, and dialects grouped by scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, overload

from bleuprint.metrics.score import AnyScore
from bleuprint.values import plain_data
from bleuprint.views import Result
from bleuprint.wording import format_score, join_words

SCHEMA = "bleuprint.reconciliation/1"
EQUAL = 1e-9
"""Scores that differ by less are the same number."""


class Cause(NamedTuple):
    """A segment that a step changed, and the change of the corpus score by this segment alone."""

    segment: int
    """counted from 0"""
    points: float
    gained: tuple[str, ...]
    """n-grams that match only after the step"""
    lost: tuple[str, ...]
    """n-grams that match only before it"""
    remark: str = ""


class Step(NamedTuple):
    """One axis changed: the score before and after, what happened, and the segments that did most of it."""

    axis: str
    before: AnyScore
    after: AnyScore
    sentence: str
    causes: tuple[Cause, ...]

    @property
    def points(self) -> float:
        """The change of the score."""
        return self.after.score - self.before.score

    @property
    def tells(self) -> bool:
        """Whether the step changes the score."""
        return not agree(self.before, self.after)

    @property
    def choices(self) -> tuple[str, str]:
        """The choice on the axis before and after."""
        return self.before.recipe.choice(self.axis), self.after.recipe.choice(self.axis)

    def to_dict(self) -> dict[str, object]:
        """Return the step without its causes as plain data."""
        before, after = self.choices
        return {"axis": self.axis, "from": before, "to": after, "points": self.points, "sentence": self.sentence}


@dataclass(frozen=True, eq=False, repr=False)
class Reconciliation(Result):
    """Why two recipes disagree on the same texts."""

    start: AnyScore
    end: AnyScore
    steps: tuple[Step, ...]
    remarks: tuple[str, ...] = ()
    """notes on the texts"""

    def on_testset(self, label: str) -> Reconciliation:
        """Return the same reconciliation with a test set in its signatures."""
        return replace(self, start=self.start.on_testset(label), end=self.end.on_testset(label))

    @property
    def points(self) -> float:
        """The difference of the two scores."""
        return self.end.score - self.start.score

    @property
    def summary(self) -> str:
        """The difference and the axes that cause it, in one sentence."""
        first, last = self.start.printed, self.end.printed
        telling = sorted((step for step in self.steps if step.tells), key=lambda step: -abs(step.points))
        if telling:
            parts = [f"{axis_name(step.axis)} ({signed(step.points)})" for step in telling]
            found = f"From {first} to {last}: {join_words(parts)}."
        elif self.start.recipe == self.end.recipe:
            found = f"Both give {first}: they are the same recipe."
        else:
            found = f"Both give {first}: where the recipes differ, these texts do not show it."
        stops = [
            f"The tool of {' and '.join(score.recipe.names) or 'this recipe'} gives no number here but stops: "
            f"{score.stops_because}."
            for score in (self.start, self.end)
            if score.tool_stops
        ]
        return " ".join([found, *stops, *self.remarks])

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "schema": SCHEMA,
            "from": _score_data(self.start),
            "to": _score_data(self.end),
            "points": self.points,
            "summary": self.summary,
            "steps": [
                step.to_dict()
                | {
                    "score": step.after.score,
                    "causes": [plain_data(cause._replace(segment=cause.segment + 1)) for cause in step.causes],
                }
                for step in self.steps
            ],
        }

    @property
    def _values(self) -> tuple[object, ...]:
        return self.start.stats, self.start.recipe, self.end.stats, self.end.recipe, self.steps, self.remarks

    def __repr__(self) -> str:
        return f"<Reconciliation {self.start.printed} to {self.end.printed}>"


class DialectGroup(NamedTuple):
    """Dialects that give the same number, and the differences from the group before."""

    names: tuple[str, ...]
    score: AnyScore
    partings: tuple[Step, ...]
    """the steps that change the score on the way from the group before, between the first dialects of the two"""

    @property
    def sentence(self) -> str:
        """Name the axes on which the group differs from the one before, and the points of each if there are several."""
        parts = []
        for step in self.partings:
            before, after = step.choices
            worth = f" ({signed(step.points)})" if len(self.partings) > 1 else ""
            parts.append(f"{axis_name(step.axis)}: {after} instead of {before}{worth}. {step.sentence}")
        return " ".join(parts)

    def to_dict(self) -> dict[str, object]:
        """Return the group as plain data."""
        return {
            "dialects": list(self.names),
            "score": self.score.score,
            "signature": self.score.signature,
            "parts_at": max(self.partings, key=lambda step: abs(step.points)).axis if self.partings else None,
            "partings": plain_data(self.partings),
            "sentence": self.sentence,
        }


@dataclass(frozen=True, repr=False)
class DialectGroups(Result, Sequence[DialectGroup]):
    """All dialects of a metric, grouped by equal scores, the best first."""

    groups: tuple[DialectGroup, ...]
    only_segments: tuple[str, ...] = ()
    """the dialects that are defined for one segment only, if there are more"""
    stopping: tuple[str, ...] = ()
    """the dialects whose tool raises an error instead of returning a number"""
    remarks: tuple[str, ...] = ()
    """notes on the texts"""

    def on_testset(self, label: str) -> DialectGroups:
        """Return the same groups with a test set in their signatures."""
        return replace(self, groups=tuple(one._replace(score=one.score.on_testset(label)) for one in self.groups))

    @property
    def left_out(self) -> tuple[str, ...]:
        """The dialects that give these texts no number."""
        return self.only_segments + self.stopping

    @property
    def remark(self) -> str:
        """The dialects that are missing, and why, and notes on the texts."""
        reasons = {"defined for one segment only": self.only_segments, "whose tool stops here": self.stopping}
        missing = [f"Left out: {join_words(names)}, {reason}." for reason, names in reasons.items() if names]
        return " ".join([*missing, *self.remarks])

    def __len__(self) -> int:
        return len(self.groups)

    @overload
    def __getitem__(self, index: int) -> DialectGroup: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DialectGroup, ...]: ...
    def __getitem__(self, index: int | slice) -> DialectGroup | tuple[DialectGroup, ...]:
        """Return one group, or several."""
        return self.groups[index]

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "schema": "bleuprint.dialect-groups/1",
            "left_out": list(self.left_out),
            "groups": plain_data(self.groups),
        }

    def __repr__(self) -> str:
        return f"<DialectGroups: {len(self)} different scores>"


class DialectsByMetric(NamedTuple):
    """The dialects of several metrics, those of each grouped by equal scores."""

    groups: tuple[DialectGroups, ...]

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "schema": "bleuprint.dialects-by-metric/1",
            "metrics": {groups[0].score.metric.key: groups.to_dict() for groups in self.groups},
        }


def agree(one: AnyScore, other: AnyScore) -> bool:
    """Whether two scores are the same number. If NLTK raises an error, there is no number."""
    return one.tool_stops == other.tool_stops and abs(one.score - other.score) <= EQUAL


def axis_name(axis: str) -> str:
    """Name an axis in a sentence."""
    return axis.replace("_", " ")


def signed(points: float) -> str:
    """Print a change of score with its sign."""
    return f"{'+' if points > 0 else '−'}{format_score(abs(points))}" if points else "0"


def _score_data(score: AnyScore) -> Mapping[str, object]:
    return {"score": score.score, "signature": score.signature, "dialects": list(score.recipe.names)}
