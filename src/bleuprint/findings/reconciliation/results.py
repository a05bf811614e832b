"""What a reconciliation finds: steps from one score to another, their causes, and dialects grouped by scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

from bleuprint.metrics.score import AnyScore
from bleuprint.scoring.text_notes import note_empty_references
from bleuprint.views import show
from bleuprint.wording import format_score, join_words

SCHEMA = "bleuprint.reconciliation/1"
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
    before: AnyScore
    after: AnyScore
    sentence: str
    causes: tuple[Cause, ...]

    @property
    def points(self) -> float:
        """What the step adds to the score."""
        return self.after.score - self.before.score

    @property
    def tells(self) -> bool:
        """Whether the step changes the score."""
        return not agree(self.before, self.after)

    @property
    def choices(self) -> tuple[str, str]:
        """The choice on the axis before and after."""
        return self.before.recipe.choice(self.axis), self.after.recipe.choice(self.axis)


class Reconciliation:
    """Why two recipes disagree on the same texts."""

    def __init__(self, start: AnyScore, end: AnyScore, steps: Sequence[Step]) -> None:
        self.start: AnyScore = start
        self.end: AnyScore = end
        self.steps: tuple[Step, ...] = tuple(steps)
        self._remarks = _remarks(start)

    def on_testset(self, label: str) -> Reconciliation:
        """Give the same reconciliation, whose signatures say which test set it is on."""
        return Reconciliation(self.start.on_testset(label), self.end.on_testset(label), self.steps)

    @property
    def points(self) -> float:
        """How far the two scores are apart."""
        return self.end.score - self.start.score

    @property
    def summary(self) -> str:
        """One sentence: how far apart, and which axes did it."""
        first, last = self.start.printed, self.end.printed
        telling = sorted((step for step in self.steps if step.tells), key=lambda step: -abs(step.points))
        stops = [_tell_stop(score) for score in (self.start, self.end) if score.tool_stops]
        parts = [f"{axis_name(step.axis)} ({signed(step.points)})" for step in telling]
        if telling:
            found = f"From {first} to {last}: {join_words(parts)}."
        elif self.start.recipe == self.end.recipe:
            found = f"Both give {first}: they are the same recipe."
        else:
            found = f"Both give {first}: where the recipes differ, these texts do not show it."
        return " ".join([found, *stops, *self._remarks])

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

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Reconciliation) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    @property
    def _values(self) -> tuple[object, ...]:
        ends = [(score.stats, score.recipe) for score in (self.start, self.end)]
        return *ends, self.steps, self._remarks

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("html", self)

    def __repr__(self) -> str:
        return f"<Reconciliation {self.start.printed} to {self.end.printed}>"


@dataclass(frozen=True)
class DialectGroup:
    """Dialects that give the same number, and where they part from the group before."""

    names: tuple[str, ...]
    score: AnyScore
    partings: tuple[Step, ...]
    """the steps that change the score on the way from the group before, between the first dialects of the two"""

    @property
    def sentence(self) -> str:
        """Say at which axes the group parts from the one before, and what each is worth where there are several."""
        several = len(self.partings) > 1
        return " ".join(_tell_parting(step, several) for step in self.partings)


def _tell_parting(step: Step, several: bool) -> str:
    before, after = step.choices
    worth = f" ({signed(step.points)})" if several else ""
    return f"{axis_name(step.axis)}: {after} instead of {before}{worth}. {step.sentence}"


class DialectGroups(Sequence[DialectGroup]):
    """Every dialect side by side, grouped by equal scores, the best first."""

    def __init__(
        self, groups: Iterable[DialectGroup], only_segments: Iterable[str] = (), stopping: Iterable[str] = ()
    ) -> None:
        self._groups = tuple(groups)
        self._remarks = _remarks(self._groups[0].score) if self._groups else ()
        self.only_segments: tuple[str, ...] = tuple(only_segments)
        """The dialects that are defined for one segment only, where there are more."""
        self.stopping: tuple[str, ...] = tuple(stopping)
        """The dialects whose tool stops with an error instead of giving a number."""

    def on_testset(self, label: str) -> DialectGroups:
        """Give the same groups, whose signatures say which test set they are on."""
        groups = [replace(group, score=group.score.on_testset(label)) for group in self._groups]
        return DialectGroups(groups, self.only_segments, self.stopping)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The dialects that give these texts no number."""
        return self.only_segments + self.stopping

    @property
    def remark(self) -> str:
        """Say which dialects are missing, and why, and what is odd about the texts."""
        reasons = {"defined for one segment only": self.only_segments, "whose tool stops here": self.stopping}
        missing = [f"Left out: {join_words(names)}, {reason}." for reason, names in reasons.items() if names]
        return " ".join([*missing, *self._remarks])

    def __len__(self) -> int:
        return len(self._groups)

    @overload
    def __getitem__(self, index: int) -> DialectGroup: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DialectGroup, ...]: ...
    def __getitem__(self, index: int | slice) -> DialectGroup | tuple[DialectGroup, ...]:
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
                    "parts_at": max(group.partings, key=lambda step: abs(step.points)).axis if group.partings else None,
                    "partings": [
                        {
                            "axis": step.axis,
                            "from": step.choices[0],
                            "to": step.choices[1],
                            "points": step.points,
                            "sentence": step.sentence,
                        }
                        for step in group.partings
                    ],
                    "sentence": group.sentence,
                }
                for group in self
            ],
        }

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, DialectGroups) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    @property
    def _values(self) -> tuple[object, ...]:
        return self._groups, self.only_segments, self.stopping, self._remarks

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("html", self)

    def __repr__(self) -> str:
        return f"<DialectGroups: {len(self)} different scores>"


@dataclass(frozen=True)
class DialectsByMetric:
    """The dialects of several metrics, those of each grouped by equal scores."""

    groups: tuple[DialectGroups, ...]

    def to_dict(self) -> dict[str, object]:
        """Give everything as plain data."""
        return {
            "schema": "bleuprint.dialects-by-metric/1",
            "metrics": {groups[0].score.metric.key: groups.to_dict() for groups in self.groups},
        }


def agree(one: AnyScore, other: AnyScore) -> bool:
    """Whether two scores are the same number; where NLTK stops, there is none to be equal to."""
    return one.tool_stops == other.tool_stops and abs(one.score - other.score) <= EQUAL


def _remarks(score: AnyScore) -> tuple[str, ...]:
    """Say what is odd about the texts under every recipe, once: a score that was pickled has no texts any longer."""
    if not score.segments:
        return ()
    return tuple(f"Note: {note}." for note in note_empty_references(score.segments, score.metric))


def axis_name(axis: str) -> str:
    """Name an axis in a sentence."""
    return axis.replace("_", " ")


def signed(points: float) -> str:
    """Print a change of score with its sign."""
    return f"{'+' if points > 0 else '−'}{format_score(abs(points))}" if points else "0"


def _tell_stop(score: AnyScore) -> str:
    name = " and ".join(score.recipe.names) or "this recipe"
    return f"The tool of {name} gives no number here but stops: {score.stops_because}."


def _score_data(score: AnyScore) -> Mapping[str, object]:
    return {"score": score.score, "signature": score.signature, "dialects": list(score.recipe.names)}
