"""Comparison: several systems on one test set, with what is luck and what is not.

Each system is counted once. Scores, intervals, tests, parts of the test set, the weight of every segment: all of it
follows from those rows of whole numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.errors import BleuprintError, InputTypeError, Location, quote
from bleuprint.findings.comparison import as_data
from bleuprint.findings.comparison.agreement import RecipeAgreement, measure_agreement
from bleuprint.findings.comparison.breakdowns import (
    FREQUENCY,
    LENGTH,
    Breakdown,
    break_down_frequencies,
    break_down_labels,
    break_down_lengths,
)
from bleuprint.findings.comparison.checks import (
    Recipes,
    check_labels,
    check_recipes,
    check_settings,
    check_sources,
    check_systems,
    check_tables,
    name_recipe,
    pair_systems,
)
from bleuprint.findings.comparison.closeup import (
    Disagreement,
    Influence,
    NgramDifference,
    compare_ngrams,
    find_disagreements,
    measure_influences,
    sort_influences,
)
from bleuprint.findings.comparison.external import check_scores
from bleuprint.findings.comparison.in_words import note_external, note_same_counts, note_same_texts
from bleuprint.findings.comparison.measurement import judge_systems, measure_systems, randomise_tables
from bleuprint.findings.comparison.results import PairResult, RecipeResult, Settings, check_name
from bleuprint.findings.settings import USUAL_CONFIDENCE, USUAL_RESAMPLES, USUAL_SEED
from bleuprint.metrics.score import note_skipped
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_label
from bleuprint.scoring.verbs import ReferenceTexts, count_for
from bleuprint.text.faults import Faults
from bleuprint.text.segments import Segments, Text
from bleuprint.views import show
from bleuprint.whole_numbers import as_whole_number
from bleuprint.wording import count_of

CountedSystems = dict[Hashable, dict[str, StatsTable]]
"""The counts of every system, for each way of counting."""


class Comparison:
    """Systems compared on one test set. ``results`` holds the numbers; the rest is computed when asked for.

    Where statistics were compared and the texts stayed where they are, ``systems`` is empty, ``has_texts`` is False,
    and what needs texts says so. Comparisons are equal if their counts, settings and results are.
    """

    def __init__(
        self,
        systems: Mapping[str, Segments],
        tables: CountedSystems,
        results: Sequence[RecipeResult],
        settings: Settings,
        baseline: str | None,
        labels: Mapping[str, Sequence[str]],
        sources: Sequence[str] = (),
    ) -> None:
        self.systems: dict[str, Segments] = dict(systems)
        self.tables: CountedSystems = tables
        self.results: tuple[RecipeResult, ...] = tuple(results)
        self.settings: Settings = settings
        self.baseline: str | None = baseline
        self.labels: dict[str, Sequence[str]] = dict(labels)
        self.sources: Sequence[str] = sources

    def on_testset(self, label: str) -> Comparison:
        """Give the same comparison, whose signatures say which test set it is on; without a label it stays as it is."""
        if label == "":
            return self
        check_label(label)
        results = [
            replace(
                result,
                testset=label,
                systems=tuple(replace(system, score=system.score.on_testset(label)) for system in result.systems),
            )
            for result in self.results
        ]
        return Comparison(self.systems, self.tables, results, self.settings, self.baseline, self.labels, self.sources)

    @property
    def names(self) -> list[str]:
        """The names of the systems, in the order in which they were given."""
        return [system.name for system in self.results[0].systems]

    @property
    def segments(self) -> int:
        """How many segments the test set has."""
        return self.results[0].segments

    @property
    def has_texts(self) -> bool:
        """Whether texts are at hand, or statistics alone."""
        return bool(self.systems)

    @property
    def parts(self) -> list[str]:
        """The names that ``breakdown`` knows: the labels that were given and, where there are texts, two more."""
        return list(dict.fromkeys([*self.labels, *([LENGTH, FREQUENCY] if self.has_texts else [])]))

    def result(self, recipe: str | None = None) -> RecipeResult:
        """Give the result of a recipe by its name; without a name that of the first."""
        if recipe is None:
            return self.results[0]
        check_name(recipe, [result.name for result in self.results], "recipe")
        return next(result for result in self.results if result.name == recipe)

    def pair(self, first: str, second: str, recipe: str | None = None) -> PairResult:
        """Give what two systems come to: the first minus the second, and how sure that is."""
        for name in (first, second):
            check_name(name, self.names, "system")
        return self.result(recipe).pair(first, second)

    def focus(self, recipe: str | None = None) -> tuple[str, str] | None:
        """Name the two systems that most questions are about: the best and the baseline, or the best two."""
        ranked = [system.name for system in self.result(recipe).ranked if system.name != self.baseline]
        if self.baseline is not None:
            ranked.insert(1, self.baseline)
        return (ranked[0], ranked[1]) if len(ranked) > 1 else None

    def breakdown(self, by: str, recipe: str | None = None) -> Breakdown:
        """Score parts of the test set: by a label that was given, by ``length`` or by ``frequency``."""
        if by in (LENGTH, FREQUENCY) and by not in self.labels:
            self._check_texts(f"by {by}")
        check_name(by, self.parts, "by")
        chosen = self.result(recipe).recipe
        if by in self.labels:
            return break_down_labels(by, self.labels[by], self.tables[chosen.counting], chosen)
        if by == LENGTH:
            first, measure = next(iter(self.systems.values())), chosen if chosen.metric.counts_texts else self._first
            return break_down_lengths(first, self.tables[chosen.counting], chosen, measure)
        self._check_counted(f"by {by}", chosen)
        return break_down_frequencies(self.systems, chosen)

    def breakdowns(self, by: Iterable[str], recipe: str | None = None) -> list[Breakdown]:
        """Score parts of the test set by several names; external scores have no breakdown by frequency."""
        counted = self.result(recipe).recipe.metric.counts_texts
        return [self.breakdown(name, recipe) for name in by if counted or name != FREQUENCY or name in self.labels]

    def influences(self, system: str, recipe: str | None = None) -> list[Influence]:
        """Give what every segment does to a system's score, from what raises it most to what lowers it most."""
        return sort_influences(measure_influences(self._table(system, recipe), self.result(recipe).recipe))

    def disagreements(self, first: str, second: str, recipe: str | None = None) -> list[Disagreement]:
        """List the segments on which two systems part, the one that moves their difference most first."""
        tables = (self._table(first, recipe), self._table(second, recipe))
        texts = (self.systems[first], self.systems[second]) if self.has_texts else None
        return find_disagreements(tables, texts, self.result(recipe).recipe)

    def ngrams(self, first: str, second: str, recipe: str | None = None) -> list[NgramDifference]:
        """List the n-grams that one of two systems matches more often, from the first's gains to the second's."""
        for name in (first, second):
            check_name(name, self.names, "system")
        self._check_texts("n-grams")
        chosen = self.result(recipe).recipe
        self._check_counted("n-grams", chosen)
        return compare_ngrams((self.systems[first], self.systems[second]), chosen)

    def has_ngrams(self, recipe: str | None = None) -> bool:
        """Whether there are n-grams to list under a recipe: where texts are at hand, and were counted."""
        return self.has_texts and self.result(recipe).recipe.metric.counts_texts

    def agreement(self) -> list[RecipeAgreement]:
        """Say for every pair of recipes how far they agree, over segments and over systems."""
        return measure_agreement(self)

    def _check_texts(self, where: str) -> None:
        if not self.has_texts:
            raise BleuprintError(
                where=where,
                wanted="a comparison of texts",
                got="one of statistics alone",
                next_step="Give the texts to bleuprint.compare; scores, tests, influences and labels need none.",
            )

    @staticmethod
    def _check_counted(where: str, recipe: Recipe) -> None:
        if not recipe.metric.counts_texts:
            raise BleuprintError(
                where=where,
                wanted="a recipe that counts what is in texts",
                got=f"{quote(recipe.metric.name)}, whose scores are external",
                next_step="Name another recipe of the comparison, or none for the first.",
            )

    @property
    def _first(self) -> Recipe:
        return self.results[0].recipe

    def _table(self, system: str, recipe: str | None) -> StatsTable:
        check_name(system, self.names, "system")
        return self.tables[self.result(recipe).recipe.counting][system]

    def to_dict(
        self, *, by: Iterable[str] = (), examples: int = 0, focus: tuple[str, str] | None = None
    ) -> dict[str, object]:
        """Give the comparison as plain data, schema ``bleuprint.comparison/1``; ``docs/comparing.md`` describes it.

        ``by`` names the breakdowns to include. ``examples`` is how many segments and n-grams a close-up has, 0 for no
        close-up; it shows the pair ``focus``, by default what ``focus()`` says.
        """
        shown = as_whole_number(examples)
        if shown is None or shown < 0:
            raise BleuprintError(
                where=Location("examples"),
                wanted="a whole number from 0 on",
                got=quote(examples),
                next_step="0 leaves the close-up out.",
            )
        if isinstance(by, str):
            raise InputTypeError(
                where=Location("by"),
                wanted="a list of names",
                got=quote(by),
                next_step="Put the name into a list; breakdown(name) gives one alone.",
            )
        return as_data.describe_comparison(self, tuple(by), shown, focus)

    def to_html(self) -> str:
        """Give the whole report as one HTML document that needs nothing else; ``docs/comparing.md`` describes it."""
        return show("report", self)

    def __str__(self) -> str:
        return show("text", self)

    def _repr_html_(self) -> str:
        return show("summary", self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and all(
            getattr(self, name) == getattr(other, name)
            for name in ("settings", "baseline", "labels", "results", "tables")
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        systems, segments = count_of(len(self.names), "system"), count_of(self.segments, "segment")
        return f"<Comparison of {systems} on {segments}>"


def compare(
    systems: Mapping[str, Iterable[Text]],
    references: ReferenceTexts,
    recipe: Recipes = DEFAULT,
    *,
    baseline: str | None = None,
    test: str = "randomisation",
    resamples: int = USUAL_RESAMPLES,
    confidence: float = USUAL_CONFIDENCE,
    seed: int = USUAL_SEED,
    labels: Mapping[str, Iterable[str]] | None = None,
    sources: Iterable[str] | None = None,
    scores: Mapping[str, Mapping[str, Iterable[float]]] | None = None,
    lower_is_better: Iterable[str] = (),
    threads: int | None = None,
) -> Comparison:
    """Compare systems on one test set: scores with intervals, paired tests, clusters of equals.

    ``systems`` maps names to candidates. ``recipe`` is one recipe or a list of them, or maps names to recipes. With a
    ``baseline`` each other system is compared with it, else all pairs are. ``test`` decides what is significant:
    ``randomisation`` or ``bootstrap``; both are computed. ``labels`` maps names of breakdowns to a label per segment;
    ``sources`` are the texts that were translated, to be shown beside candidates and references. ``scores`` are what
    other metrics gave for every segment, by metric and by system: ``{"comet": {"a": [0.8, 0.9], "b": [0.7, 0.9]}}``;
    a system's score is their mean, on its own scale, and ``lower_is_better`` names the metrics that count errors.
    The outcome depends on the ``seed``, not on machine, engine or number of ``threads``.

    >>> systems = {"a": ["the cat is on the mat", "it purrs"], "b": ["the cat is on mat", "it purrs"]}
    >>> comparison = compare(systems, ["the cat is on the mat", "it purrs"], "paper", resamples=100)
    >>> pair = comparison.pair("a", "b")
    >>> round(pair.difference, 2), pair.verdict.value
    (37.71, 'undecided')
    """
    settings = check_settings(test, resamples, confidence, seed)
    threads = None if threads is None else check_threads(threads)
    recipes = check_recipes(recipe)
    texts = check_systems(systems, baseline)
    paired = pair_systems(texts, references, list(recipes.values()))
    known = check_labels(labels, len(next(iter(paired.values()))))
    translated = check_sources(sources, len(next(iter(paired.values()))))
    has_external = scores is not None or lower_is_better != ()
    external = check_scores(scores, lower_is_better, paired, recipes) if has_external else {}
    tables: CountedSystems = {}
    for name, segments in paired.items():
        for counting, table in count_for(segments, list(recipes.values()), threads).items():
            tables.setdefault(counting, {})[name] = table
    for brought, own in external.values():
        tables[brought.counting] = own
    notes = note_same_texts(paired)
    results = []
    for label, one in (recipes | {name: own for name, (own, _) in external.items()}).items():
        measured = measure_systems(tables[one.counting], paired, one, settings, threads)
        randomise = randomise_tables(measured, settings, threads)
        more = [*note_external(one), *notes]
        results.append(judge_systems(label, measured, baseline, settings, more, randomise))
    return Comparison(paired, tables, results, settings, baseline, known, translated)


def compare_statistics(
    tables: Mapping[str, StatsTable],
    recipe: Recipe | str = DEFAULT,
    *,
    baseline: str | None = None,
    test: str = "randomisation",
    resamples: int = USUAL_RESAMPLES,
    confidence: float = USUAL_CONFIDENCE,
    seed: int = USUAL_SEED,
    labels: Mapping[str, Iterable[str]] | None = None,
    threads: int | None = None,
    skipped: Faults | None = None,
) -> Comparison:
    """Compare systems by their statistics alone, which may have been counted elsewhere.

    Every table has a row per segment, in the same order, counted by ``recipe``; ``skipped`` tells of segments that were
    left out. The other arguments are those of ``compare``, which gives the same numbers from texts.

    >>> from bleuprint.scoring.verbs import statistics
    >>> references = ["the cat is on the mat", "it purrs"]
    >>> candidates = {"a": references, "b": ["the cat is on mat", "it purrs"]}
    >>> tables = {name: statistics(texts, references, "paper") for name, texts in candidates.items()}
    >>> round(compare_statistics(tables, "paper", resamples=100).pair("a", "b").difference, 2)
    37.71
    """
    settings = check_settings(test, resamples, confidence, seed)
    threads = None if threads is None else check_threads(threads)
    wanted = Recipe.of(recipe)
    check_tables(tables, baseline, wanted)
    known = check_labels(labels, len(next(iter(tables.values()))))
    measured = measure_systems(tables, {}, wanted, settings, threads)
    randomise = randomise_tables(measured, settings, threads)
    notes = [*note_skipped(skipped or Faults()), *note_same_counts(tables)]
    result = judge_systems(name_recipe(recipe, wanted), measured, baseline, settings, notes, randomise)
    return Comparison({}, {wanted.counting: dict(tables)}, [result], settings, baseline, known)
