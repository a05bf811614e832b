"""The search: every reading of some texts that is worth an attempt, each way of counting counted once."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, TypeVar, cast

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.findings.identification.results import Reading
from bleuprint.metrics import module_of
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.score import Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
from bleuprint.scoring.text_notes import note_empty_references, turn_references
from bleuprint.scoring.verbs import score_each
from bleuprint.text.segments import Segments, Text
from bleuprint.text.tokenizers import apply_case

MEAN = "mean of the segments' scores"
TURNED = "100 minus the score, not below 0, as if higher were better"
STAGES = ("plain", "further", "accidents")
"""The stages of the search, in order."""
Texts = tuple[str, int | None]
"""What is scored: an accident if there was one, and which reference, None for all."""
CountKey = tuple[str, Hashable, Layout]
"""What a recipe counts: texts in some case, split and laid out in some way."""
Grouped = TypeVar("Grouped")


class Attempt(NamedTuple):
    """Something to try: a recipe, what it is applied to, and how unusual that is."""

    recipe: Recipe
    usual: int
    accident: str = ""
    reference: int | None = None
    """the index of the one reference that is used, if not all are"""
    is_mean: bool = False
    """whether the scores of the segments are averaged"""
    is_turned: bool = False
    """whether a score of which lower is better is subtracted from 100"""

    @property
    def texts(self) -> Texts:
        """The texts that are scored."""
        return self.accident, self.reference

    @property
    def applied(self) -> str:
        """What is scored, if not simply all references."""
        if self.is_turned:
            return TURNED
        return MEAN if self.is_mean else "" if self.reference is None else f"reference {self.reference + 1} alone"

    def reread(self, scores: tuple[float, ...]) -> Reading:
        """Return the reading with these scores."""
        return Reading(self.recipe, self.applied, self.accident, scores, self.usual)


class Search:
    """Everything that is tried for the corpora of one or several systems, stage by stage.

    All readings of the first metric are plain. Of the other metrics, the named recipes are plain and the rest further.
    """

    def __init__(
        self,
        corpora: Sequence[Segments],
        threads: int | None = None,
        metrics: Sequence[Metric] | None = None,
        claimed: str = "",
    ) -> None:
        self._corpora, self._threads = corpora, threads
        self._parts: dict[int, list[list[Attempt]]] = {}
        self._metrics = [find_metric()] if metrics is None else metrics
        self.claimed: str = claimed
        """what the number was reported as, if that is known and one thing"""

    @cached_property
    def plain(self) -> list[Attempt]:
        """The texts as they are: all references, each alone, and segment by segment."""
        lead, *others = (list(_plain_attempts(self._corpora, metric)) for metric in self._metrics)
        named = (attempt for own in others for attempt in own if attempt.recipe.names)
        return [attempt for group in _group([*lead, *named], lambda one: one.texts) for attempt in group]

    @cached_property
    def further(self) -> list[Attempt]:
        """All references under unusual recipes of the other metrics."""
        others = (_plain_attempts(self._corpora, metric) for metric in self._metrics[1:])
        return [attempt for own in others for attempt in own if not attempt.recipe.names and attempt.reference is None]

    @cached_property
    def accidents(self) -> list[Attempt]:
        """The texts as they are sometimes read by mistake, with the recipes of the dialects."""
        return list(_accidental_attempts(self._corpora, self._metrics))

    def parts_of(self, stage: int) -> list[list[Attempt]]:
        """Return the attempts of a stage in parts, each of which splits the texts in one way."""
        if stage not in self._parts:
            attempts = getattr(self, STAGES[stage])
            self._parts[stage] = _group(attempts, lambda one: (one.texts, one.recipe.metric_key, one.recipe.splitting))
        return self._parts[stage]

    @property
    def notes(self) -> list[Note]:
        """Notes on the texts."""
        return [
            *note_empty_references(self._corpora[0], self._metrics[0]),
            *_note_untried(self._corpora[0], self._metrics),
        ]

    def read(self, attempts: Iterable[Attempt]) -> list[Reading]:
        """Score all attempts."""
        readings = []
        for texts, group in groupby(attempts, key=lambda attempt: attempt.texts):
            tried = list(group)
            counted = _count_all(_read_as(self._corpora, texts), [one.recipe for one in tried], self._threads)
            for one in tried:
                tables, sums = counted[one.recipe]
                if one.is_mean:
                    scores = [math.fsum(score_each(table, one.recipe)) / len(table) for table in tables]
                else:
                    scores = [one.recipe.metric.score_row(row, one.recipe) for row in sums]
                if one.is_turned:
                    scores = [max(0.0, 100.0 - score) for score in scores]
                readings.append(one.reread(tuple(scores)))
        return readings


def _group(values: Iterable[Grouped], key: Callable[[Grouped], Hashable]) -> list[list[Grouped]]:
    """Group values by a key. Groups and values keep their order."""
    groups: dict[Hashable, list[Grouped]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return list(groups.values())


def _count_all(
    corpora: Sequence[Segments], recipes: Iterable[Recipe], threads: int | None
) -> dict[Recipe, tuple[list[StatsTable], list[tuple[int, ...]]]]:
    """Return the tables and the sums of all corpora for every recipe. Each way of counting is counted once."""
    single = all(len(texts) == 1 for corpus in corpora for texts in corpus.references)
    keys: dict[Recipe, CountKey] = {}
    for recipe in recipes:
        case, layout = module_of(recipe.metric, "search").search_layout(recipe, single)
        keys[recipe] = case, recipe.splitting, layout
    cased = {"mixed": corpora}
    counted = {}
    for alike in _group(dict.fromkeys(keys.values()), lambda key: (*key[:2], key[2].metric, key[2].order)):
        case = alike[0][0]
        if case not in cased:
            cased[case] = [_lower(corpus, case) for corpus in corpora]
        layouts = [layout for *_, layout in alike]
        tables = [find_engine().count_together(corpus, layouts, threads) for corpus in cased[case]]
        for key, own in zip(alike, zip(*tables, strict=True), strict=True):
            counted[key] = list(own), [table.sum_row() for table in own]
    return {recipe: counted[key] for recipe, key in keys.items()}


def _plain_attempts(corpora: Sequence[Segments], metric: Metric) -> Iterator[Attempt]:
    if _most_references(corpora) > metric.most_references:
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
            if _most_references(changed) > metric.most_references:
                continue
            for place, name in enumerate(module_of(metric, "search").ACCIDENTAL):
                recipe = Recipe.named(name)
                if _is_defined(recipe, changed):
                    yield Attempt(recipe, 50 + 20 * number + place, accident)


def _note_untried(corpus: Segments, metrics: Sequence[Metric]) -> Iterator[Note]:
    """Note the metrics that cannot count so many references."""
    for metric in metrics:
        if _most_references([corpus]) <= metric.most_references:
            continue
        first = next(index for index, texts in enumerate(corpus.references) if len(texts) > metric.most_references)
        text = (
            f"{metric.name} was not tried: segment {first + 1:,} has {len(corpus.references[first])} references, and "
            f"{metric.name} takes at most {metric.most_references}"
        )
        yield Note("untried-metric", text)


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
    """Return the texts of an attempt."""
    accident, reference = texts
    if accident:
        return [changed for corpus in corpora if (changed := ACCIDENTS[accident](corpus)) is not None]
    if reference is None:
        return corpora
    return [Segments(corpus.candidates, [(each[reference],) for each in corpus.references]) for corpus in corpora]


def _lower(corpus: Segments, case: str = "lower", candidates: bool = True, references: bool = True) -> Segments:
    """Lower the texts of a corpus."""

    def lower(texts: Iterable[Text], chosen: bool) -> list[Text]:
        return [apply_case(cast("str", text), case) for text in texts] if chosen else list(texts)

    return Segments(
        lower(corpus.candidates, candidates), [tuple(lower(texts, references)) for texts in corpus.references]
    )


def _swap(corpus: Segments) -> Segments | None:
    if any(len(texts) != 1 for texts in corpus.references):
        return None
    return Segments([texts[0] for texts in corpus.references], [(text,) for text in corpus.candidates])


def _shift(corpus: Segments, first: int, other: int) -> Segments | None:
    """Pair the candidates from ``first`` on with the references from ``other`` on."""
    if len(corpus) < 3:
        return None
    size = len(corpus) - 1
    return Segments(corpus.candidates[first : first + size], corpus.references[other : other + size])


def _turn(corpus: Segments) -> Segments | None:
    turned = turn_references(corpus)
    return None if turned is None else Segments(corpus.candidates, turned)


def _spread(corpus: Segments) -> Segments | None:
    """Read a string as a list of references, one per character.

    A character that occurs twice counts once: neither the best reference nor the chosen length depends on it.
    """
    if any(len(texts) != 1 or not str(texts[0]).strip() for texts in corpus.references):
        return None
    return Segments(corpus.candidates, [tuple(dict.fromkeys(str(texts[0]))) for texts in corpus.references])


ACCIDENTS: dict[str, Callable[[Segments], Segments | None]] = {
    "candidate and reference swapped": _swap,
    "candidates one line too late": lambda corpus: _shift(corpus, 0, 1),
    "candidates one line too early": lambda corpus: _shift(corpus, 1, 0),
    "references turned: columns taken for rows": _turn,
    "a reference read as a list of characters": _spread,
    "only the candidates lower-cased": lambda corpus: _lower(corpus, references=False),
    "only the references lower-cased": lambda corpus: _lower(corpus, candidates=False),
}
"""Texts as they are sometimes read by mistake. The plain search has strings scored as characters (tokenizer char)."""
