"""Identification: find the BLEU that gives a number which somebody reported.

The space of recipes is searched over statistics that are counted once for each way of counting. What gives the number
to its printed digits is listed, the most usual first; recipes that these texts cannot tell apart stand together.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cache, cached_property
from itertools import groupby, product
from operator import mul
from typing import cast

from bleuprint.corpus import ReferenceTexts, pair_for
from bleuprint.dialect_table import DIALECTS
from bleuprint.engines import count_together, score_rows
from bleuprint.errors import InputTypeError, ShapeError, quote
from bleuprint.formula import combine
from bleuprint.recipe import Counting, Recipe, differing_axes
from bleuprint.reconciliation import axis_name
from bleuprint.segments import Segments, Text
from bleuprint.stats import BleuStats, StatsTable
from bleuprint.tokenizers.casing import apply_case
from bleuprint.views import show
from bleuprint.wording import count_of, format_score, join_words

SCHEMA = "bleuprint.identification/1"
TOKENIZERS = ("13a", "whitespace", "intl", "zh", "char")
CASES = ("mixed", "lower")
ORDERS = (4, 3, 2, 1)
EXTRA_FORMULAS: tuple[Mapping[str, str], ...] = tuple(
    {"smoothing": smoothing, "absent_order": absent}
    for smoothing in ("none", "floor(0.1)", "add-k(1)", "epsilon(0.1)")
    for absent in ("zero", "drop")
)
"""Options of sacreBLEU and of the page that no dialect has by default."""
USUAL_OPTIONS: tuple[Mapping[str, str], ...] = (
    {"case": "lower"}, {"tokenizer": "intl"}, {"tokenizer": "zh"}, {"tokenizer": "char"},
    {"tokenizer": "intl", "case": "lower"}, {"tokenizer": "zh", "case": "lower"},
)  # fmt: skip
"""Options with which sacreBLEU is often run."""
MOST_NEAREST = 5
SAME = 1e-9
HIGHEST = 134
"""NLTK's methods 5 and 7 go beyond 100, but not beyond 4/3 of it."""
LONGEST_TURNED = 1000
MEAN = "mean of the segments' scores"


@dataclass(frozen=True, slots=True)
class Reported:
    """A number as it was printed: its digits say how exactly it is known."""

    text: str
    value: float
    unit: float
    """the worth of its last digit"""

    @classmethod
    def of(cls, number: object) -> Reported:
        """Read a number; a text keeps its zeros, which a float does not."""
        text = number.strip() if isinstance(number, str) else repr(number)
        try:
            value = Decimal(text)
        except InvalidOperation:
            value = Decimal("NaN")
        if isinstance(number, bool) or not value.is_finite() or not 0 <= value <= HIGHEST:
            raise InputTypeError(
                where="reported",
                wanted="a number from 0 to 100, as it was printed",
                got=quote(number),
                next_step="Give it as text to keep its last zeros: '33.80'.",
            )
        exponent = value.as_tuple().exponent
        return cls(text, float(value), 10.0 ** min(0, int(exponent)))

    def reading(self, score: float) -> str:
        """Say how a score on the reported scale reads as this number: ``rounded``, ``truncated``, or not at all."""
        if abs(score - self.value) <= 0.5 * self.unit + SAME:
            return "rounded"
        return "truncated" if 0 <= score - self.value < self.unit + SAME else ""


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

    @property
    def dialects(self) -> tuple[str, ...]:
        """The names of the recipe."""
        return self.recipe.dialects

    @property
    def title(self) -> str:
        """Name the reading in a few words."""
        name = ", ".join(self.dialects) or describe_recipe(self.recipe)
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
        self, reported: Sequence[Reported], findings: Sequence[Finding], tried: int, accidents: bool = False
    ) -> None:
        self.reported, self.findings, self.tried = tuple(reported), tuple(findings), tried
        self.tried_accidents = accidents

    @property
    def found(self) -> bool:
        """Whether anything gives the number."""
        return any(finding.fits for finding in self.findings)

    @property
    def summary(self) -> str:
        """One sentence: what it is, or what comes nearest."""
        numbers = ", ".join(number.text for number in self.reported)
        if not self.findings:
            return f"Nothing could be tried for {numbers}."
        best = self.findings[0]
        if not best.fits:
            return (
                f"None of {self.tried:,} readings gives {numbers}; the nearest is {best.best.title}, "
                f"{best.distance:.3g} away."
            )
        others = sum(finding.fits for finding in self.findings) - 1
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
                            "signature": str(reading.recipe),
                        }
                        for reading in finding.readings
                    ],
                }
                for finding in self.findings
            ],
        }

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("html", self)

    def __repr__(self) -> str:
        return f"<Identification: {self.summary}>"


def identify(
    candidates: Iterable[Text] | Mapping[str, Iterable[Text]],
    references: ReferenceTexts,
    reported: object,
    *,
    threads: int | None = None,
) -> Identification:
    """Find the recipes that give a reported number on these texts.

    Several systems narrow it down together: give ``candidates`` and ``reported`` as mappings with the same names.

    >>> found = identify(["The cat sat on the mat.", "It rains."], ["The cat sat on a mat.", "It rains!"], "45.18")
    >>> found.findings[0].best.dialects
    ('sacrebleu',)
    """
    systems, numbers = _pair_systems(candidates, reported)
    texts = list(references) if isinstance(references, Iterable) and not isinstance(references, str) else references
    plain = [Recipe.named("sacrebleu")]
    search = Search([pair_for(system, texts, plain) for system in systems], threads)
    readings = search.read(search.plain)
    if suspects_accident(readings, numbers):
        readings += search.read(search.accidents)
    return conclude(readings, numbers)


def _pair_systems(candidates: object, reported: object) -> tuple[list[object], list[Reported]]:
    if isinstance(candidates, Mapping) != isinstance(reported, Mapping):
        raise InputTypeError(
            where="identify",
            wanted="candidates and reported numbers both as mappings by system, or neither",
            got="one of each",
            next_step='For example: identify({"a": …, "b": …}, references, {"a": "33.8", "b": "31.2"}).',
        )
    if not isinstance(candidates, Mapping) or not isinstance(reported, Mapping):
        return [candidates], [Reported.of(reported)]
    if set(candidates) != set(reported) or not candidates:
        raise ShapeError(
            where="identify",
            wanted="a reported number for every system, and at least one system",
            got=f"systems {quote(sorted(candidates))}, numbers for {quote(sorted(reported))}",
            next_step="Name them alike.",
        )
    return list(candidates.values()), [Reported.of(reported[name]) for name in candidates]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something to try: a recipe, what it is applied to, and how unusual that is."""

    recipe: Recipe
    applied: str
    accident: str
    usual: int

    @property
    def texts(self) -> str:
        """Which texts are scored: empty for those given, as they are."""
        return self.accident or ("" if self.applied == MEAN else self.applied)

    def give(self, scores: tuple[float, ...]) -> Reading:
        """Make the reading that came of it."""
        return Reading(self.recipe, self.applied, self.accident, scores, self.usual)

    @property
    def splitting(self) -> tuple[str, object, str]:
        """What attempts must share to be counted together."""
        return self.texts, self.recipe.tokenizer, self.recipe.case


class Search:
    """Everything that is tried for the corpora of one or several systems: first plain readings, then accidents."""

    def __init__(self, corpora: Sequence[Segments], threads: int | None = None) -> None:
        self._corpora, self._threads = corpora, threads

    @cached_property
    def plain(self) -> list[Attempt]:
        """The texts as they are: all references, each alone, and segment by segment."""
        return list(_plain_attempts(self._corpora))

    @cached_property
    def accidents(self) -> list[Attempt]:
        """The texts as they are sometimes read by mistake, with the recipes of the dialects."""
        return list(_accidental_attempts(self._corpora))

    @property
    def parts(self) -> list[list[Attempt]]:
        """The attempts in parts that can be made one after the other, each counting the texts split in one way."""
        return [*_split(self.plain), *_split(self.accidents)]

    def read(self, attempts: Iterable[Attempt]) -> list[Reading]:
        """Make attempts."""
        readings = []
        for texts, group in groupby(attempts, key=lambda attempt: attempt.texts):
            tried = list(group)
            counted = _Counted(_read_as(self._corpora, texts), self._threads, [one.recipe for one in tried])
            for one in tried:
                scores = counted.mean(one.recipe) if one.applied == MEAN else counted.score(one.recipe)
                readings.append(one.give(scores))
        return readings


def _split(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    parts: dict[tuple[str, object, str], list[Attempt]] = {}
    for attempt in attempts:
        parts.setdefault(attempt.splitting, []).append(attempt)
    return list(parts.values())


def suspects_accident(readings: Iterable[Reading], numbers: Sequence[Reported]) -> bool:
    """Whether no reading that anybody would call ordinary gives the numbers."""
    return not any(_is_usual(reading, numbers) for reading in readings)


def conclude(readings: Sequence[Reading], numbers: Sequence[Reported]) -> Identification:
    """Say what the numbers may be."""
    accidents = any(reading.accident for reading in readings)
    return Identification(numbers, _sort_findings(readings, numbers), len(readings), accidents)


CountKey = tuple[Counting, int]
"""A way of counting, and up to which order."""


@dataclass
class _Counted:
    """Corpora of several systems under many ways of counting: each is lowered, counted and summed once."""

    corpora: Sequence[Segments]
    threads: int | None
    wanted: Iterable[Recipe]
    cased: dict[str, Sequence[Segments]] = field(default_factory=dict)
    tables: dict[CountKey, list[StatsTable]] = field(default_factory=dict)
    totals: dict[CountKey, list[BleuStats]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cased["mixed"] = self.corpora
        self.single = all(len(texts) == 1 for corpus in self.corpora for texts in corpus.references)
        self.keys = {self._key(recipe) for recipe in self.wanted}

    def count(self, recipe: Recipe) -> list[StatsTable]:
        """Count every system; with what was asked for, all that is wanted and splits alike."""
        key = self._key(recipe)
        if key not in self.tables:
            counting, highest = key
            if counting.case not in self.cased:
                self.cased[counting.case] = [_lower(corpus, counting.case) for corpus in self.corpora]
            alike = [other for other in self.keys if (other[0][:2], other[1]) == (counting[:2], highest)]
            plain = [other._replace(case="mixed") for other, _ in alike]
            counts = [count_together(one, plain, highest, self.threads) for one in self.cased[counting.case]]
            self.tables |= dict(zip(alike, map(list, zip(*counts, strict=True)), strict=True))
        return self.tables[key]

    def score(self, recipe: Recipe) -> tuple[float, ...]:
        """Score every system."""
        key = self._key(recipe)
        if key not in self.totals:
            self.totals[key] = [table.total() for table in self.count(recipe)]
        return tuple(100.0 * combine(total.up_to(recipe.counted_order), recipe).fraction for total in self.totals[key])

    def mean(self, recipe: Recipe) -> tuple[float, ...]:
        """Average the scores of the segments of every system."""
        return tuple(_mean(_segment_scores(table, recipe)) for table in self.count(recipe))

    def _key(self, recipe: Recipe) -> CountKey:
        """Say what is counted; with one reference every rule for its length counts the same."""
        counting = recipe.counting._replace(reference_length="closest") if self.single else recipe.counting
        return counting, max(*ORDERS, recipe.counted_order)


def _lower(corpus: Segments, case: str) -> Segments:
    def lower(text: Text) -> Text:
        return apply_case(cast("str", text), case)

    return Segments(list(map(lower, corpus.candidates)), [tuple(map(lower, texts)) for texts in corpus.references])


def _segment_scores(table: StatsTable, recipe: Recipe) -> array[float] | list[float]:
    scored = score_rows(table, recipe)
    if scored is not None:
        return scored
    return [100.0 * combine(stats.up_to(recipe.counted_order), recipe).fraction for stats in table]


def _mean(scores: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores)


def _formulas() -> list[Mapping[str, object]]:
    """List every way to turn counts into a score that a dialect or an option of a tool has, the most usual first."""
    fields = ("smoothing", "segment_totals", "absent_order", "unmatched_order", "nothing_matches")
    found: list[Mapping[str, object]] = []
    base = Recipe.named("paper")
    recipes = [Recipe.named(name) for name in ("sacrebleu", *DIALECTS)]
    recipes += [base.replace(**extra) for extra in EXTRA_FORMULAS]
    for recipe in recipes:
        if recipe.is_for_one_segment:
            continue  # as a mean over segments only, where they are rare
        formula = {name: getattr(recipe, name) for name in fields}
        if formula not in found:
            found.append(formula)
    return found


@cache
def _recipes(several_references: bool) -> tuple[tuple[int, Recipe], ...]:
    return tuple(_list_recipes(several_references))


def _list_recipes(several_references: bool) -> Iterator[tuple[int, Recipe]]:
    """Give the recipes of the search, each with how unusual it is; the dialects come first."""
    seen: set[Recipe] = set()
    for place, name in enumerate(["sacrebleu", *DIALECTS]):
        recipe = Recipe.named(name)
        if recipe not in seen:
            seen.add(recipe)
            yield place, recipe
    for place, options in enumerate(USUAL_OPTIONS, start=len(DIALECTS) + 1):
        recipe = Recipe.named("sacrebleu").replace(**options)
        seen.add(recipe)
        yield place, recipe
    rules = ("closest", "shortest", "closest-first") if several_references else ("closest",)
    base = Recipe.named("paper")
    for formula in _formulas():
        for tokenizer, case, rule, order in product(TOKENIZERS, CASES, rules, ORDERS):
            recipe = base.replace(tokenizer=tokenizer, case=case, reference_length=rule, order=order, **formula)
            if recipe in seen:
                continue
            seen.add(recipe)
            steps = (TOKENIZERS.index(tokenizer), CASES.index(case), rules.index(rule), ORDERS.index(order))
            yield 100 + sum(map(mul, steps, (20, 15, 25, 10))), recipe


def _plain_attempts(corpora: Sequence[Segments]) -> Iterator[Attempt]:
    most = max(len(texts) for texts in corpora[0].references)
    for unusual, recipe in _recipes(most > 1):
        if _is_defined(recipe, corpora):
            yield Attempt(recipe, "", "", unusual)
        if unusual <= len(DIALECTS) or recipe.order == max(ORDERS):
            yield Attempt(recipe, MEAN, "", unusual + 60)
    if most == 1 or any(len(texts) != most for corpus in corpora for texts in corpus.references):
        return
    for number in range(most):
        for unusual, recipe in _recipes(several_references=False):
            if _is_defined(recipe, corpora):
                yield Attempt(recipe, f"reference {number + 1} alone", "", unusual + 40 + number)


def _accidental_attempts(corpora: Sequence[Segments]) -> Iterator[Attempt]:
    for number, (accident, change) in enumerate(_ACCIDENTS.items()):
        if any(change(corpus) is None for corpus in corpora):
            continue
        for place, name in enumerate(DIALECTS):
            recipe = Recipe.named(name)
            if _is_defined(recipe, corpora):
                yield Attempt(recipe, "", accident, 50 + 20 * number + place)


def _is_defined(recipe: Recipe, corpora: Sequence[Segments]) -> bool:
    """Whether a recipe gives these corpora a score as a whole."""
    return not recipe.is_for_one_segment or len(corpora[0]) == 1


def _read_as(corpora: Sequence[Segments], texts: str) -> Sequence[Segments]:
    """Give the texts that attempts are made with."""
    if not texts:
        return corpora
    if texts in _ACCIDENTS:
        changed = [_ACCIDENTS[texts](corpus) for corpus in corpora]
        return [corpus for corpus in changed if corpus is not None]
    place = int(texts.split()[1]) - 1
    return [Segments(corpus.candidates, [(each[place],) for each in corpus.references]) for corpus in corpora]


def _swap(corpus: Segments) -> Segments | None:
    if any(len(texts) != 1 for texts in corpus.references):
        return None
    return Segments([texts[0] for texts in corpus.references], [(text,) for text in corpus.candidates])


def _shift(corpus: Segments, by: int) -> Segments | None:
    if len(corpus) < 3:
        return None
    if by > 0:
        return Segments(corpus.candidates[by:], corpus.references[:-by])
    return Segments(corpus.candidates[:by], corpus.references[-by:])


def _turn(corpus: Segments) -> Segments | None:
    size = len(corpus)
    if not 2 <= size <= LONGEST_TURNED or any(len(texts) != size for texts in corpus.references):
        return None
    return Segments(corpus.candidates, list(zip(*corpus.references, strict=True)))


def _spread(corpus: Segments) -> Segments | None:
    """Read a text where a list of texts is due: each character is then a reference of its own.

    A character that comes twice counts as once: neither the best reference nor the chosen length depends on it.
    """
    if any(len(texts) != 1 or not str(texts[0]).strip() for texts in corpus.references):
        return None
    return Segments(corpus.candidates, [tuple(dict.fromkeys(str(texts[0]))) for texts in corpus.references])


def _lower_candidates(corpus: Segments) -> Segments:
    return Segments(_lower(corpus, "lower").candidates, corpus.references)


def _lower_references(corpus: Segments) -> Segments:
    return Segments(corpus.candidates, _lower(corpus, "lower").references)


_ACCIDENTS: dict[str, Callable[[Segments], Segments | None]] = {
    "candidate and reference swapped": _swap,
    "candidates one line too late": lambda corpus: _shift(corpus, -1),
    "candidates one line too early": lambda corpus: _shift(corpus, 1),
    "references turned: columns taken for rows": _turn,
    "a reference read as a list of characters": _spread,
    "only the candidates lower-cased": _lower_candidates,
    "only the references lower-cased": _lower_references,
}
"""What happens to people; strings scored as characters is the tokenizer char of the plain search."""


def _is_usual(reading: Reading, numbers: Sequence[Reported]) -> bool:
    """Whether a reading that nobody would call odd gives the numbers: then no accident need be suspected."""
    return reading.usual <= len(DIALECTS) and any(_fit(reading, numbers, scale)[0] for scale in (100, 1))


def _fit(reading: Reading, numbers: Sequence[Reported], scale: int) -> tuple[str, float]:
    """Say how a reading gives all numbers on a scale, or not, and how far it is from them."""
    pairs = [(number, score * scale / 100) for number, score in zip(numbers, reading.scores, strict=True)]
    ways = {number.reading(score) for number, score in pairs}
    printed = "" if "" in ways else "truncated" if "truncated" in ways else "rounded"
    return printed, max(abs(number.value - score) for number, score in pairs)


def _sort_findings(readings: Iterable[Reading], numbers: Sequence[Reported]) -> list[Finding]:
    """Group what cannot be told apart, and put what fits first, then what is usual."""
    groups: dict[tuple[float, ...], list[Reading]] = {}
    for reading in readings:
        groups.setdefault(tuple(round(score / SAME) * SAME for score in reading.scores), []).append(reading)
    findings = []
    for group in groups.values():
        group.sort(key=lambda reading: reading.usual)
        for scale in (100, 1):
            if scale == 1 and any(number.value > 1 + number.unit for number in numbers):
                continue
            printed, distance = _fit(group[0], numbers, scale)
            findings.append(Finding(tuple(group), scale, printed, distance))
    fitting = [finding for finding in findings if finding.fits]
    if not fitting:
        return sorted(findings, key=lambda finding: (finding.distance, finding.best.usual))[:MOST_NEAREST]
    fitting.sort(key=lambda finding: (finding.best.usual + 30 * (finding.printed == "truncated"), finding.distance))
    usual = fitting[0].best.usual <= len(DIALECTS)
    return [finding for finding in fitting if not (usual and finding.best.accident)]


def describe_recipe(recipe: Recipe) -> str:
    """Describe a recipe without a name by the dialect that it is nearest to, and what is different."""
    nearest = min(DIALECTS, key=lambda name: len(differing_axes(Recipe.named(name), recipe)))
    parts = []
    for axis in differing_axes(Recipe.named(nearest), recipe):
        if axis == "weights" and recipe.choice(axis) == "uniform":
            parts.append(f"N {recipe.order}")
        else:
            parts.append(f"{axis_name(axis)} {recipe.choice(axis)}")
    return f"{nearest} with {join_words(parts)}"


def describe_scores(scores: Sequence[float]) -> str:
    """Print the scores of all systems."""
    return ", ".join(format_score(score) for score in scores)
