"""What a reported number may be: the printed number, the readings that give it, and groups of equal readings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from numbers import Integral, Rational, Real
from typing import NamedTuple

from bleuprint.errors import Location, wrong_type
from bleuprint.metrics.score import Note
from bleuprint.numbers import is_plainly_written
from bleuprint.recipes.options import to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_label
from bleuprint.views import Result
from bleuprint.wording import count_of, format_score, join_words

SCHEMA = "bleuprint.identification/1"
SAME = 1e-9
"""Floats of different tools differ by less, in units of the reported scale; tiny ones by this share of their size."""
HIGHEST = 1_000
"""TER exceeds 100 by far if candidates are much too long: 1,000 is ten words per word of the reference."""
ROUNDED, TRUNCATED = "rounded", "truncated"


class Reported(NamedTuple):
    """A number as it was printed. Its digits show how exactly it is known."""

    text: str
    value: float
    unit: float
    """the worth of its last digit, or of the last bit of a float with fewer than 64"""
    percent: bool = False
    """whether a percent sign shows that it is on 0 to 100"""

    @classmethod
    def of(cls, number: object) -> Reported:
        """Read a number. A string or a Decimal keeps its zeros, which a float does not."""
        text = _print_number(number)
        digits = text.removesuffix("%").rstrip()
        try:
            value = Decimal(digits if is_plainly_written(digits) else "NaN")
        except InvalidOperation:
            value = Decimal("NaN")
        if not value.is_finite() or not 0 <= value <= HIGHEST:
            raise wrong_type(
                f"a number from 0 to 100 (of TER up to {HIGHEST:,}), as it was printed",
                number,
                "Pass it as a string to keep its last zeros: '33.80'.",
                location=Location("reported"),
            )
        last_digit = 10.0 ** min(0, int(value.as_tuple().exponent))
        return cls(text, float(value), max(last_digit, _last_bit(number)), digits != text)

    def may_be_on(self, scale: int, most: float) -> bool:
        """Whether the number can be on 0 to 100, or on 0 to 1, where ``most`` is the highest on 0 to 100."""
        return scale == 100 or (not self.percent and self.value <= most / 100)

    def ways(self, score: float, scale: int) -> set[str]:
        """Return how a score of 0 to 100 may have been printed as this number on a scale: rounded, cut off, or neither.

        Every tool computes 0 and 100 exactly, or with a rounding error upwards. So they cannot be cut off to less.
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
    """Return a number as text; empty for anything else."""
    if isinstance(number, str | Decimal):
        return str(number).strip()
    value = to_float(number)
    if value is None:
        return ""
    is_fraction = isinstance(number, Rational) and not isinstance(number, Integral)
    return repr(value) if is_fraction or isinstance(number, float) else str(number)


def _last_bit(number: object) -> float:
    """Return the worth of the last bit of a NumPy float with fewer than 64 bits; 0 for any other number."""
    bits = {2: 11, 4: 24}.get(getattr(getattr(number, "dtype", None), "itemsize", 0), 0)
    return math.ldexp(1.0, math.frexp(float(number))[1] - bits) if isinstance(number, Real) and bits else 0.0


class Reading(NamedTuple):
    """One way to get a number: the recipe, what it was applied to, and the scores."""

    recipe: Recipe
    applied: str
    """what was scored, if not simply all references: ``reference 2 alone``, ``mean of the segments' scores`` …"""
    accident: str
    scores: tuple[float, ...]
    """on 0 to 100, one for each system"""
    usual: int
    """how unusual it is: 0 for the default of a tool"""
    testset: str = ""
    """the test set as signatures name it, if it has a name"""

    @property
    def signature(self) -> str:
        """The recipe in one line, and the test set if the recipe was applied to it unchanged."""
        return self.recipe.signature_on("" if self.applied or self.accident else self.testset)

    @property
    def is_usual(self) -> bool:
        """Whether a tool does this by default."""
        return self.usual <= len(self.recipe.metric.dialects)

    @property
    def dialects(self) -> tuple[str, ...]:
        """The names of the recipe."""
        return self.recipe.names

    @property
    def title(self) -> str:
        """A short description of the reading."""
        name = ", ".join(self.dialects) or _describe_by_nearest(self.recipe)
        return " · ".join(part for part in (name, self.applied, self.accident) if part)

    def to_dict(self) -> dict[str, object]:
        """Return the reading as plain data."""
        return {
            "dialects": list(self.dialects),
            "applied": self.applied,
            "accident": self.accident,
            "signature": self.signature,
        }


class Finding(NamedTuple):
    """Readings that give the same numbers on these texts, the most usual first, and how they fit what was reported."""

    readings: tuple[Reading, ...]
    scale: int
    """100 or 1"""
    printed: str
    """``rounded`` or ``truncated``; empty if it does not fit"""
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

    def to_dict(self) -> dict[str, object]:
        """Return the finding as plain data."""
        return {
            "fits": self.fits,
            "printed": self.printed,
            "scale": self.scale,
            "distance": self.distance,
            "scores": list(self.best.scores),
            "readings": [reading.to_dict() for reading in self.readings],
        }


@dataclass(frozen=True, repr=False)
class Identification(Result):
    """What a reported number may be."""

    reported: tuple[Reported, ...]
    findings: tuple[Finding, ...]
    tried: int
    tried_accidents: bool = False
    notes: tuple[Note, ...] = ()
    metrics: tuple[str, ...] = ()
    """the names of the metrics that were searched"""
    claimed: str = ""
    """what the number was reported as, if that was passed"""

    def on_testset(self, label: str) -> Identification:
        """Return the same result with a test set in its signatures."""
        check_label(label)
        findings = [
            one._replace(readings=tuple(reading._replace(testset=label) for reading in one.readings))
            for one in self.findings
        ]
        return replace(self, findings=tuple(findings))

    @property
    def question(self) -> str:
        """The question of the search: ``Which BLEU is 17.10?``."""
        names = join_words(self.metrics, "or") if self.metrics else "score"
        return f"Which {names} is {self._numbers}?"

    @property
    def found(self) -> bool:
        """Whether any reading gives the number."""
        return any(finding.fits for finding in self.findings)

    @property
    def summary(self) -> str:
        """What the number is, or the nearest reading, in one sentence, and notes on the texts."""
        return " ".join([self._verdict, *(f"Note: {note}." for note in self.notes)])

    @property
    def _numbers(self) -> str:
        return ", ".join(number.text for number in self.reported)

    @property
    def _verdict(self) -> str:
        if not self.findings:
            return f"Nothing could be tried for {self._numbers}."
        best, reading = self.findings[0], self.findings[0].best
        if not best.fits:
            return (
                f"None of {self.tried:,} readings gives {self._numbers}; the nearest is {reading.title}, "
                f"{best.distance:.3g} away on 0 to {best.scale}."
            )
        found = f"{self._numbers} is {reading.title}, {best.printed}, on 0 to {best.scale}."
        others = sum(len(finding.readings) for finding in self.findings if finding.fits) - 1
        if others:
            found += f" {count_of(others, 'other reading')} {'gives' if others == 1 else 'give'} it, too."
        family = reading.recipe.metric.family(reading.recipe)
        if self.claimed not in ("", family):
            found += f" It was reported as {self.claimed}, but computed as {family}."
        return found

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "schema": SCHEMA,
            "reported": [number.text for number in self.reported],
            "found": self.found,
            "tried": self.tried,
            "summary": self.summary,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def __repr__(self) -> str:
        return f"<Identification: {self.summary}>"


def _describe_by_nearest(recipe: Recipe) -> str:
    """Describe a recipe without a name by the nearest dialect and the differences."""
    nearest = min(recipe.metric.dialects, key=lambda name: len(Recipe.named(name).differing_axes(recipe)))
    parts = []
    for axis in Recipe.named(nearest).differing_axes(recipe):
        by_order = axis == "weights" and recipe.choice(axis) == "uniform"
        parts.append(f"N {recipe.order}" if by_order else f"{axis.replace('_', ' ')} {recipe.choice(axis)}")
    return f"{nearest} with {join_words(parts)}"


def describe_scores(scores: Sequence[float]) -> str:
    """Print the scores of all systems."""
    return ", ".join(format_score(score) for score in scores)
