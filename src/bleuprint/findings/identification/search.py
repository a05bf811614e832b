"""The search: every reading of some texts that is worth an attempt, each way of counting counted once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import groupby, product
from operator import mul

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.findings.identification.accidents import ACCIDENTS, lower_texts
from bleuprint.findings.identification.results import Reading
from bleuprint.metrics.bleu.dialects import DIALECTS
from bleuprint.metrics.bleu.formula import combine, score_stats
from bleuprint.metrics.bleu.recipe import Recipe
from bleuprint.metrics.bleu.stats import BleuStats, Counting, bleu_layout
from bleuprint.scoring.verbs import score_each
from bleuprint.text.segments import Segments

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
MEAN = "mean of the segments' scores"
Texts = tuple[str, int | None]
"""What is scored: an accident if there was one, and which reference, None for all."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something to try: a recipe, what it is applied to, and how unusual that is."""

    recipe: Recipe
    usual: int
    accident: str = ""
    reference: int | None = None
    """the place of the one reference that is used, where not all are"""
    is_mean: bool = False
    """whether the scores of the segments are averaged"""

    @property
    def texts(self) -> Texts:
        """Which texts are scored."""
        return self.accident, self.reference

    @property
    def applied(self) -> str:
        """Say what is scored, if not simply all references."""
        return MEAN if self.is_mean else "" if self.reference is None else f"reference {self.reference + 1} alone"

    def give(self, scores: tuple[float, ...]) -> Reading:
        """Make the reading that came of it."""
        return Reading(self.recipe, self.applied, self.accident, scores, self.usual)

    @property
    def splitting(self) -> tuple[Texts, object, str]:
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
                scores = counted.mean(one.recipe) if one.is_mean else counted.score(one.recipe)
                readings.append(one.give(scores))
        return readings


def _split(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    parts: dict[tuple[Texts, object, str], list[Attempt]] = {}
    for attempt in attempts:
        parts.setdefault(attempt.splitting, []).append(attempt)
    return list(parts.values())


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
                self.cased[counting.case] = [lower_texts(corpus, counting.case) for corpus in self.corpora]
            alike = [other for other in self.keys if (other[0][:2], other[1]) == (counting[:2], highest)]
            plain = [bleu_layout(highest, other._replace(case="mixed")) for other, _ in alike]
            counts = [find_engine().count_together(one, plain, self.threads) for one in self.cased[counting.case]]
            self.tables |= dict(zip(alike, map(list, zip(*counts, strict=True)), strict=True))
        return self.tables[key]

    def score(self, recipe: Recipe) -> tuple[float, ...]:
        """Score every system."""
        key = self._key(recipe)
        if key not in self.totals:
            self.totals[key] = [table.total() for table in self.count(recipe)]
        return tuple(score_stats(total, recipe) for total in self.totals[key])

    def mean(self, recipe: Recipe) -> tuple[float, ...]:
        """Average the scores of the segments of every system."""
        return tuple(math.fsum(score_each(table, recipe)) / len(table) for table in self.count(recipe))

    def _key(self, recipe: Recipe) -> CountKey:
        """Say what is counted; with one reference every rule for its length counts the same."""
        counting = recipe.counting._replace(reference_length="closest") if self.single else recipe.counting
        return counting, max(*ORDERS, recipe.counted_order)


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
            yield Attempt(recipe, unusual)
        if len(corpora[0]) > 1 and (unusual <= len(DIALECTS) or recipe.order == max(ORDERS)):
            yield Attempt(recipe, unusual + 60, is_mean=True)
    if most == 1 or any(len(texts) != most for corpus in corpora for texts in corpus.references):
        return
    for number in range(most):
        chosen = _read_as(corpora, ("", number))
        for unusual, recipe in _recipes(several_references=False):
            if _is_defined(recipe, chosen):
                yield Attempt(recipe, unusual + 40 + number, reference=number)


def _accidental_attempts(corpora: Sequence[Segments]) -> Iterator[Attempt]:
    for number, (accident, change) in enumerate(ACCIDENTS.items()):
        if any(change(corpus) is None for corpus in corpora):
            continue
        changed = _read_as(corpora, (accident, None))
        for place, name in enumerate(DIALECTS):
            recipe = Recipe.named(name)
            if _is_defined(recipe, changed):
                yield Attempt(recipe, 50 + 20 * number + place, accident)


def _is_defined(recipe: Recipe, corpora: Sequence[Segments]) -> bool:
    """Whether a recipe gives these corpora a score as a whole, as its tool would."""
    if not recipe.is_for_one_segment:
        return True
    return len(corpora[0]) == 1 and not any(
        combine(find_engine().count(corpus, recipe.layout)[0], recipe).zero_because.tool_stops for corpus in corpora
    )


def _read_as(corpora: Sequence[Segments], texts: Texts) -> Sequence[Segments]:
    """Give the texts that attempts are made with."""
    accident, place = texts
    if accident:
        changed = [ACCIDENTS[accident](corpus) for corpus in corpora]
        return [corpus for corpus in changed if corpus is not None]
    if place is None:
        return corpora
    return [Segments(corpus.candidates, [(each[place],) for each in corpus.references]) for corpus in corpora]
