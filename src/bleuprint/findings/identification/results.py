"""What a reported number may be: the number as it was printed, readings that give it, and what cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from numbers import Integral, Rational, Real

from bleuprint.errors import InputTypeError, Location, quote
from bleuprint.metrics.score import Note
from bleuprint.recipes.options import to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_label
from bleuprint.views import show
from bleuprint.wording import count_of, format_score, join_words
from bleuprint.written_numbers import is_plainly_written

SCHEMA = "bleuprint.identification/1"
SAME = 1e-9
"""Floats of different tools differ by less, in units of the reported scale; tiny ones by this share of themselves."""
HIGHEST = 1_000
"""TER goes far beyond 100 where candidates are much too long; 1,000 is ten words for each of the reference's."""
ROUNDED, TRUNCATED = "rounded", "truncated"


@dataclass(frozen=True, slots=True)
class Reported:
    """A number as it was printed: its digits say how exactly it is known."""

    text: str
    value: float
    unit: float
    """the worth of its last digit, or of the last bit of a float with fewer than 64"""
    percent: bool = False
    """whether a percent sign says that it is on 0 to 100"""

    @classmethod
    def of(cls, number: object) -> Reported:
        """Read a number; a text or a Decimal keeps its zeros, which a float does not."""
        text = _print_number(number)
        digits = text.removesuffix("%").rstrip()
        try:
            value = Decimal(digits if is_plainly_written(digits) else "NaN")
        except InvalidOperation:
            value = Decimal("NaN")
        if not value.is_finite() or not 0 <= value <= HIGHEST:
            raise InputTypeError(
                where=Location("reported"),
                wanted=f"a number from 0 to 100 (of TER up to {HIGHEST:,}), as it was printed",
                got=quote(number),
                next_step="Give it as text to keep its last zeros: '33.80'.",
            )
        last_digit = 10.0 ** min(0, int(value.as_tuple().exponent))
        return cls(text, float(value), max(last_digit, _last_bit(number)), digits != text)

    def may_be_on(self, scale: int, most: float) -> bool:
        """Whether the number can be on 0 to 100, or on 0 to 1, where ``most`` is the highest on 0 to 100."""
        return scale == 100 or (not self.percent and self.value <= most / 100)

    def ways(self, score: float, scale: int) -> set[str]:
        """Say how a score of 0 to 100 may have been printed as this number on a scale: rounded, cut off, or neither.

        Every tool computes 0 and 100 without an error of rounding, or with one upwards: they cannot be cut off to less.
        """
        found = set()
        exact = score * scale / 100
        excess, noise = exact - self.value, SAME * min(1.0, max(exact, self.value))
        if abs(excess) <= 0.5 * self.unit + noise:
            found.add(ROUNDED)
        if excess == 0 if score in (0.0, 100.0) else -noise <= excess < self.unit + noise:
            found.add(TRUNCATED)
        return found


def _print_number(number: object) -> str:
    """Give a number as text; empty for what is none."""
    if isinstance(number, str | Decimal):
        return str(number).strip()
    value = to_float(number)
    if value is None:
        return ""
    is_fraction = isinstance(number, Rational) and not isinstance(number, Integral)
    return repr(value) if is_fraction or isinstance(number, float) else str(number)


def _last_bit(number: object) -> float:
    """Give the worth of the last bit of a float of NumPy with fewer than 64; 0 for any other number."""
    bits = {2: 11, 4: 24}.get(getattr(getattr(number, "dtype", None), "itemsize", 0), 0)
    return math.ldexp(1.0, math.frexp(float(number))[1] - bits) if isinstance(number, Real) and bits else 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to get a number: the recipe, what it was applied to, and how the result was printed."""

    recipe: Recipe
    applied: str
    """what was scored, if not simply all references: ``reference 2 alone``, ``mean of the segments' scores`` …"""
    accident: str
    scores: tuple[float, ...]
    """on 0 to 100, one for each system"""
    usual: int
    """how unusual it is: 0 for the default of a tool"""
    testset: str = ""
    """the test set as signatures name it; empty where it has no name"""

    @property
    def signature(self) -> str:
        """The recipe in one line, and the test set, where it was applied to that as it is."""
        return self.recipe.signature_on("" if self.applied or self.accident else self.testset)

    @property
    def is_usual(self) -> bool:
        """Whether it is what a tool gives by default."""
        return self.usual <= len(self.recipe.metric.dialects)

    @property
    def dialects(self) -> tuple[str, ...]:
        """The names of the recipe."""
        return self.recipe.names

    @property
    def title(self) -> str:
        """Name the reading in a few words."""
        name = ", ".join(self.dialects) or describe_by_nearest(self.recipe)
        return " · ".join(part for part in (name, self.applied, self.accident) if part)


@dataclass(frozen=True)
class Finding:
    """Readings that give the same numbers on these texts, the most usual first, and how they fit what was reported."""

    readings: tuple[Reading, ...]
    scale: int
    """100 or 1"""
    printed: str
    """``rounded`` or ``truncated``; empty for one that does not fit"""
    distance: float
    """the largest distance to a reported number, on the reported scale"""

    @property
    def best(self) -> Reading:
        """The most usual of the readings."""
        return self.readings[0]

    @property
    def fits(self) -> bool:
        """Whether it gives the reported numbers to their last digit."""
        return bool(self.printed)


class Identification:
    """What a reported number may be."""

    def __init__(
        self,
        reported: Sequence[Reported],
        findings: Sequence[Finding],
        tried: int,
        accidents: bool = False,
        notes: Sequence[Note] = (),
        metrics: Sequence[str] = (),
        claimed: str = "",
    ) -> None:
        self.reported: tuple[Reported, ...] = tuple(reported)
        self.findings: tuple[Finding, ...] = tuple(findings)
        self.tried: int = tried
        self.tried_accidents: bool = accidents
        self.notes: tuple[Note, ...] = tuple(notes)
        self.metrics: tuple[str, ...] = tuple(metrics)
        """The names of the metrics that were searched."""
        self.claimed: str = claimed
        """What the number was reported as, where that was said."""

    def on_testset(self, label: str) -> Identification:
        """Give the same, whose signatures say which test set it is on."""
        check_label(label)
        findings = [
            replace(one, readings=tuple(replace(reading, testset=label) for reading in one.readings))
            for one in self.findings
        ]
        return Identification(
            self.reported, findings, self.tried, self.tried_accidents, self.notes, self.metrics, self.claimed
        )

    @property
    def question(self) -> str:
        """What was asked: ``Which BLEU is 17.10?``."""
        names = join_words(self.metrics, "or") if self.metrics else "score"
        return f"Which {names} is {', '.join(number.text for number in self.reported)}?"

    @property
    def found(self) -> bool:
        """Whether anything gives the number."""
        return any(finding.fits for finding in self.findings)

    @property
    def summary(self) -> str:
        """One sentence: what it is, or what comes nearest; and what is odd about the texts, if anything is."""
        return " ".join([self._verdict, *self._confusion, *(f"Note: {note}." for note in self.notes)])

    @property
    def _confusion(self) -> list[str]:
        """Say that a number has the name of another."""
        best = self.findings[0].best if self.found else None
        family = best.recipe.metric.family(best.recipe) if best else self.claimed
        if not self.claimed or family == self.claimed:
            return []
        return [f"It was reported as {self.claimed}, but computed as {family}."]

    @property
    def _verdict(self) -> str:
        numbers = ", ".join(number.text for number in self.reported)
        if not self.findings:
            return f"Nothing could be tried for {numbers}."
        best = self.findings[0]
        if not best.fits:
            return (
                f"None of {self.tried:,} readings gives {numbers}; the nearest is {best.best.title}, "
                f"{best.distance:.3g} away on 0 to {best.scale}."
            )
        others = sum(len(finding.readings) for finding in self.findings if finding.fits) - 1
        give = "gives" if others == 1 else "give"
        also = f" {count_of(others, 'other reading')} {give} it, too." if others else ""
        return f"{numbers} is {best.best.title}, {best.printed}, on 0 to {best.scale}.{also}"

    def to_dict(self) -> dict[str, object]:
        """Give everything as plain data."""
        return {
            "schema": SCHEMA,
            "reported": [number.text for number in self.reported],
            "found": self.found,
            "tried": self.tried,
            "summary": self.summary,
            "findings": [
                {
                    "fits": finding.fits,
                    "printed": finding.printed,
                    "scale": finding.scale,
                    "distance": finding.distance,
                    "scores": list(finding.best.scores),
                    "readings": [
                        {
                            "dialects": list(reading.dialects),
                            "applied": reading.applied,
                            "accident": reading.accident,
                            "signature": reading.signature,
                        }
                        for reading in finding.readings
                    ],
                }
                for finding in self.findings
            ],
        }

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Identification) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    @property
    def _values(self) -> tuple[object, ...]:
        return self.reported, self.findings, self.tried, self.tried_accidents, self.notes, self.metrics, self.claimed

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("html", self)

    def __repr__(self) -> str:
        return f"<Identification: {self.summary}>"


def describe_by_nearest(recipe: Recipe) -> str:
    """Describe a recipe without a name by the dialect that it is nearest to, and what is different."""
    nearest = min(recipe.metric.dialects, key=lambda name: len(Recipe.named(name).differing_axes(recipe)))
    parts = []
    for axis in Recipe.named(nearest).differing_axes(recipe):
        by_order = axis == "weights" and recipe.choice(axis) == "uniform"
        parts.append(f"N {recipe.order}" if by_order else f"{axis.replace('_', ' ')} {recipe.choice(axis)}")
    return f"{nearest} with {join_words(parts)}"


def describe_scores(scores: Sequence[float]) -> str:
    """Print the scores of all systems."""
    return ", ".join(format_score(score) for score in scores)
