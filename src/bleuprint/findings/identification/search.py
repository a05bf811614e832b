"""The search: every reading of some texts that is worth an attempt, each way of counting counted once."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.findings.identification.accidents import ACCIDENTS, lower_texts
from bleuprint.findings.identification.results import Reading
from bleuprint.metrics import module_of
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.score import Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.scoring.text_notes import note_empty_references
from bleuprint.scoring.verbs import score_each
from bleuprint.text.segments import Segments

MEAN = "mean of the segments' scores"
TURNED = "100 minus the score, not below 0, as if higher were better"
SEARCHED = ("plain", "further", "accidents")
"""What is tried, and in which order, stage by stage."""
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
    is_turned: bool = False
    """whether a score of which lower is better is taken from 100"""

    @property
    def texts(self) -> Texts:
        """Which texts are scored."""
        return self.accident, self.reference

    @property
    def is_first(self) -> bool:
        """Whether the recipe is that of a dialect: it is tried with those of other metrics."""
        return bool(self.recipe.names)

    @property
    def applied(self) -> str:
        """Say what is scored, if not simply all references."""
        if self.is_turned:
            return TURNED
        return MEAN if self.is_mean else "" if self.reference is None else f"reference {self.reference + 1} alone"

    def give(self, scores: tuple[float, ...]) -> Reading:
        """Make the reading that came of the scores of its recipe."""
        return self.reread(tuple(max(0.0, 100.0 - score) for score in scores) if self.is_turned else scores)

    def reread(self, scores: tuple[float, ...]) -> Reading:
        """Make the reading whose own scores are known already."""
        return Reading(self.recipe, self.applied, self.accident, scores, self.usual)

    @property
    def splitting(self) -> tuple[Texts, str, Hashable]:
        """What attempts must share to be counted together."""
        return self.texts, self.recipe.metric_key, self.recipe.splitting


class Search:
    """Everything that is tried for the corpora of one or several systems: first plain readings, then accidents.

    All readings of the first metric are plain; of the others those are tried first that are usual.
    """

    def __init__(
        self, corpora: Sequence[Segments], threads: int | None = None, metrics: Sequence[Metric] | None = None
    ) -> None:
        self._corpora, self._threads = corpora, threads
        self._parts: dict[int, list[list[Attempt]]] = {}
        self._metrics = [find_metric()] if metrics is None else metrics

    @cached_property
    def plain(self) -> list[Attempt]:
        """The texts as they are: all references, each alone, and segment by segment."""
        lead, *others = (list(_plain_attempts(self._corpora, metric)) for metric in self._metrics)
        return _by_texts([*lead, *(attempt for own in others for attempt in own if attempt.is_first)])

    @cached_property
    def further(self) -> list[Attempt]:
        """All references under unusual recipes of the other metrics."""
        others = (_plain_attempts(self._corpora, metric) for metric in self._metrics[1:])
        return [attempt for own in others for attempt in own if not attempt.is_first and attempt.reference is None]

    @cached_property
    def accidents(self) -> list[Attempt]:
        """The texts as they are sometimes read by mistake, with the recipes of the dialects."""
        return list(_accidental_attempts(self._corpora, self._metrics))

    def parts_of(self, stage: int) -> list[list[Attempt]]:
        """Give the attempts of a stage in parts, each of which splits the texts in one way."""
        if stage not in self._parts:
            self._parts[stage] = _split(getattr(self, SEARCHED[stage]))
        return self._parts[stage]

    @property
    def notes(self) -> list[Note]:
        """What is odd about the texts."""
        return [
            *note_empty_references(self._corpora[0], self._metrics[0]),
            *_note_untried(self._corpora, self._metrics),
        ]

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


def _by_texts(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Put attempts with the same texts behind each other, so that these are counted once."""
    groups: dict[Texts, list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.texts, []).append(attempt)
    return [attempt for group in groups.values() for attempt in group]


def _split(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    parts: dict[tuple[Texts, str, Hashable], list[Attempt]] = {}
    for attempt in attempts:
        parts.setdefault(attempt.splitting, []).append(attempt)
    return list(parts.values())


class CountKey(NamedTuple):
    """What a recipe counts: texts in some case, split and laid out in some way."""

    case: str
    splitting: Hashable
    layout: Layout

    @property
    def alike(self) -> tuple[Hashable, ...]:
        """What is the same where texts can be counted together."""
        return self.case, self.splitting, self.layout.metric, self.layout.order


@dataclass
class _Counted:
    """Corpora of several systems under many ways of counting: each is lowered, counted and summed once."""

    corpora: Sequence[Segments]
    threads: int | None
    wanted: Iterable[Recipe]
    cased: dict[str, Sequence[Segments]] = field(default_factory=dict)
    tables: dict[CountKey, list[StatsTable]] = field(default_factory=dict)
    totals: dict[CountKey, list[tuple[int, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cased["mixed"] = self.corpora
        self.single = all(len(texts) == 1 for corpus in self.corpora for texts in corpus.references)
        self.keys = {self._key(recipe) for recipe in self.wanted}

    def count(self, recipe: Recipe) -> list[StatsTable]:
        """Count every system; with what was asked for, all that is wanted and splits alike."""
        key = self._key(recipe)
        if key not in self.tables:
            if key.case not in self.cased:
                self.cased[key.case] = [lower_texts(corpus, key.case) for corpus in self.corpora]
            alike = [one for one in self.keys if one.alike == key.alike]
            layouts = [one.layout for one in alike]
            counts = [find_engine().count_together(corpus, layouts, self.threads) for corpus in self.cased[key.case]]
            self.tables |= dict(zip(alike, map(list, zip(*counts, strict=True)), strict=True))
        return self.tables[key]

    def score(self, recipe: Recipe) -> tuple[float, ...]:
        """Score every system."""
        key = self._key(recipe)
        if key not in self.totals:
            self.totals[key] = [table.sum_row() for table in self.count(recipe)]
        return tuple(recipe.metric.score_row(total, recipe) for total in self.totals[key])

    def mean(self, recipe: Recipe) -> tuple[float, ...]:
        """Average the scores of the segments of every system."""
        return tuple(math.fsum(score_each(table, recipe)) / len(table) for table in self.count(recipe))

    def _key(self, recipe: Recipe) -> CountKey:
        case, layout = module_of(recipe.metric, "search").search_layout(recipe, self.single)
        return CountKey(case, recipe.splitting, layout)


def _plain_attempts(corpora: Sequence[Segments], metric: Metric) -> Iterator[Attempt]:
    if not metric.can_count(_most_references(corpora)):
        return
    search = module_of(metric, "search")
    most, usual = _most_references(corpora[:1]), len(metric.dialects)
    for unusual, recipe in search.list_readings(most > 1):
        if _is_defined(recipe, corpora):
            yield Attempt(recipe, unusual)
            if metric.better is Better.LOWER and unusual <= usual:
                yield Attempt(recipe, unusual + 45, is_turned=True)
        if len(corpora[0]) > 1 and (unusual <= usual or search.is_common(recipe)):
            yield Attempt(recipe, unusual + 60, is_mean=True)
    if most == 1 or any(len(texts) != most for corpus in corpora for texts in corpus.references):
        return
    for number in range(most):
        chosen = _read_as(corpora, ("", number))
        for unusual, recipe in search.list_readings(False):
            if _is_defined(recipe, chosen):
                yield Attempt(recipe, unusual + 40 + number, reference=number)


def _accidental_attempts(corpora: Sequence[Segments], metrics: Sequence[Metric]) -> Iterator[Attempt]:
    for number, (accident, change) in enumerate(ACCIDENTS.items()):
        if any(change(corpus) is None for corpus in corpora):
            continue
        changed = _read_as(corpora, (accident, None))
        for metric in metrics:
            if not metric.can_count(_most_references(changed)):
                continue
            for place, name in enumerate(module_of(metric, "search").ACCIDENTAL):
                recipe = Recipe.named(name)
                if _is_defined(recipe, changed):
                    yield Attempt(recipe, 50 + 20 * number + place, accident)


def _find_uncounted(metric: Metric, corpus: Segments) -> int | None:
    """Find the first segment that has more references than the metric counts."""
    most = metric.most_references
    if most is None:
        return None
    return next((place for place, texts in enumerate(corpus.references) if len(texts) > most), None)


def _note_untried(corpora: Sequence[Segments], metrics: Sequence[Metric]) -> Iterator[Note]:
    """Tell of metrics that cannot count the texts as they are."""
    for metric in metrics:
        place = _find_uncounted(metric, corpora[0])
        if place is not None:
            number, name = len(corpora[0].references[place]), metric.name
            text = f"segment {place + 1:,} has {number} references, and {name} takes at most {metric.most_references}"
            yield Note("untried-metric", f"{name} was not tried: {text}")


def _most_references(corpora: Sequence[Segments]) -> int:
    return max(max(map(len, corpus.references)) for corpus in corpora)


def _is_defined(recipe: Recipe, corpora: Sequence[Segments]) -> bool:
    """Whether a recipe gives these corpora a score as a whole, as its tool would."""
    if not recipe.is_for_one_segment:
        return True
    return len(corpora[0]) == 1 and not any(
        recipe.metric.stops_because(find_engine().count(corpus, recipe.layout)[0], recipe) for corpus in corpora
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
