"""Comparison: several systems on one test set, with intervals and significance tests.

Each system is counted once. Scores, intervals, tests, breakdowns and influences follow from those rows of integers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.errors import BleuprintError, Location, quote, wrong_type
from bleuprint.findings.comparison.agreement import RecipeAgreement, measure_agreement
from bleuprint.findings.comparison.as_data import describe_comparison
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
from bleuprint.findings.comparison.measurement import judge_systems, measure_systems
from bleuprint.findings.comparison.notes import note_external, note_same_counts, note_same_texts
from bleuprint.findings.comparison.results import PairResult, RecipeResult, check_name
from bleuprint.findings.settings import USUAL_CONFIDENCE, USUAL_RESAMPLES, USUAL_SEED, Settings
from bleuprint.metrics.score import note_skipped
from bleuprint.numbers import check_whole_number
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_label
from bleuprint.scoring.verbs import ReferenceTexts, count_for
from bleuprint.text.faults import NO_FAULTS, Faults
from bleuprint.text.segments import Segments, Text
from bleuprint.views import Result, show
from bleuprint.wording import count_of

CountedSystems = dict[Hashable, dict[str, StatsTable]]
"""The counts of every system, for each way of counting."""


class Comparison(Result):
    """Systems compared on one test set. ``results`` has the numbers; everything else is computed on demand.

    If only statistics were compared, ``systems`` is empty and ``has_texts`` is False. What needs texts then raises an
    error. Comparisons are equal if their counts, settings and results are.
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
        """Return the same comparison with a test set in its signatures. An empty label changes nothing."""
        if label == "":
            return self
        check_label(label)
        results = []
        for result in self.results:
            systems = [system._replace(score=system.score.on_testset(label)) for system in result.systems]
            results.append(replace(result, testset=label, systems=tuple(systems)))
        return Comparison(self.systems, self.tables, results, self.settings, self.baseline, self.labels, self.sources)

    @property
    def names(self) -> list[str]:
        """The names of the systems, in the order in which they were passed."""
        return [system.name for system in self.results[0].systems]

    @property
    def segments(self) -> int:
        """The number of segments of the test set."""
        return self.results[0].segments

    @property
    def has_texts(self) -> bool:
        """Whether texts were compared, or only statistics."""
        return bool(self.systems)

    @property
    def parts(self) -> list[str]:
        """The names of the breakdowns: the labels and, with texts, ``length`` and ``frequency``."""
        return list(dict.fromkeys([*self.labels, *([LENGTH, FREQUENCY] if self.has_texts else [])]))

    def result(self, recipe: str | None = None) -> RecipeResult:
        """Return the result of a recipe by its name, by default the first."""
        if recipe is None:
            return self.results[0]
        results = {result.name: result for result in self.results}
        check_name(recipe, results, "recipe")
        return results[recipe]

    def pair(self, first: str, second: str, recipe: str | None = None) -> PairResult:
        """Return the difference of two systems (the first minus the second) and its significance."""
        self._check_systems(first, second)
        return self.result(recipe).pair(first, second)

    def focus(self, recipe: str | None = None) -> tuple[str, str] | None:
        """Name the two systems to look at first: the best and the baseline, or the best two."""
        ranked = [system.name for system in self.result(recipe).ranked if system.name != self.baseline]
        if self.baseline is not None:
            ranked.insert(1, self.baseline)
        return (ranked[0], ranked[1]) if len(ranked) > 1 else None

    def breakdown(self, by: str, recipe: str | None = None) -> Breakdown:
        """Score parts of the test set: by a name of ``labels``, by ``length`` or by ``frequency``."""
        if by in (LENGTH, FREQUENCY) and by not in self.labels:
            self._check_texts(f"by {by}")
        check_name(by, self.parts, "breakdown", "by")
        chosen = self.result(recipe).recipe
        if by in self.labels:
            return break_down_labels(by, self.labels[by], self.tables[chosen.counting], chosen)
        if by == LENGTH:
            measure = chosen if chosen.metric.counts_texts else self.results[0].recipe
            return break_down_lengths(next(iter(self.systems.values())), self.tables[chosen.counting], chosen, measure)
        self._check_texts(f"by {by}", chosen)
        return break_down_frequencies(self.systems, chosen)

    def breakdowns(self, by: Iterable[str], recipe: str | None = None) -> list[Breakdown]:
        """Score parts of the test set by several names. External scores have no breakdown by frequency."""
        counted = self.result(recipe).recipe.metric.counts_texts
        return [self.breakdown(name, recipe) for name in by if counted or name != FREQUENCY or name in self.labels]

    def influences(self, system: str, recipe: str | None = None) -> list[Influence]:
        """List the influence of every segment on a system's score, the highest first."""
        return sort_influences(measure_influences(self._table(system, recipe), self.result(recipe).recipe))

    def disagreements(self, first: str, second: str, recipe: str | None = None) -> list[Disagreement]:
        """List the segments that two systems do not score alike, the one that moves their difference most first."""
        tables = (self._table(first, recipe), self._table(second, recipe))
        texts = (self.systems[first], self.systems[second]) if self.has_texts else None
        return find_disagreements(tables, texts, self.result(recipe).recipe)

    def ngrams(self, first: str, second: str, recipe: str | None = None) -> list[NgramDifference]:
        """List the n-grams that one of two systems matches more often, from the first's gains to the second's."""
        self._check_systems(first, second)
        chosen = self.result(recipe).recipe
        self._check_texts("n-grams", chosen)
        return compare_ngrams((self.systems[first], self.systems[second]), chosen)

    def has_ngrams(self, recipe: str | None = None) -> bool:
        """Whether there are n-grams to list under a recipe: there are texts, and the recipe counts them."""
        return self.has_texts and self.result(recipe).recipe.metric.counts_texts

    def agreement(self) -> list[RecipeAgreement]:
        """Measure how far every pair of recipes agrees, over segments and over systems."""
        return measure_agreement(self)

    def _check_systems(self, *systems: str) -> None:
        for name in systems:
            check_name(name, self.names, "system")

    def _check_texts(self, where: str, recipe: Recipe | None = None) -> None:
        """Raise an error if there are no texts, or if the recipe does not count them."""
        if not self.has_texts:
            raise BleuprintError(
                "expected a comparison of texts, got one of statistics alone.",
                "Pass the texts to bleuprint.compare. Scores, tests, influences and labels need none.",
                where=where,
            )
        if recipe is not None and not recipe.metric.counts_texts:
            raise BleuprintError(
                f"expected a recipe that counts texts, got {quote(recipe.metric.name)}, whose scores are external.",
                "Name another recipe of the comparison.",
                where=where,
            )

    def _table(self, system: str, recipe: str | None) -> StatsTable:
        self._check_systems(system)
        return self.tables[self.result(recipe).recipe.counting][system]

    def to_dict(
        self, *, by: Iterable[str] = (), examples: int = 0, focus: tuple[str, str] | None = None
    ) -> dict[str, object]:
        """Return the comparison as plain data, schema ``bleuprint.comparison/1``; ``docs/comparing.md`` describes it.

        ``by`` names the breakdowns to include. ``examples`` is the number of segments and n-grams of the close-up; 0
        leaves the close-up out. It shows the pair ``focus``, by default that of ``focus()``.
        """
        shown = check_whole_number("examples", examples, 0, None, "0 leaves the close-up out.")
        if isinstance(by, str):
            fix = "Put the name into a list. For a single breakdown call breakdown(name)."
            raise wrong_type("a list of names", by, fix, location=Location("by"))
        return describe_comparison(self, tuple(by), shown, focus)

    def to_html(self) -> str:
        """Return the whole report as one HTML document without external files; ``docs/comparing.md`` describes it."""
        return show("report", self)

    def _repr_html_(self) -> str:
        return show("summary", self)

    @property
    def _values(self) -> tuple[object, ...]:
        return self.settings, self.baseline, self.labels, self.results, self.tables

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
    ``randomisation`` or ``bootstrap``; both are computed. ``labels`` maps names of breakdowns to a label per segment.
    ``sources`` are the texts that were translated, which reports show. ``scores`` are segment scores of other metrics,
    by metric and by system: ``{"comet": {"a": [0.8, 0.9], "b": [0.7, 0.9]}}``. A system's score is their mean, on the
    scale of the metric, and ``lower_is_better`` names the metrics that count errors. The results depend on the
    ``seed``, but not on the machine, the engine or the number of ``threads``.

    >>> systems = {"a": ["the cat is on the mat", "it purrs"], "b": ["the cat is on mat", "it purrs"]}
    >>> comparison = compare(systems, ["the cat is on the mat", "it purrs"], "paper", resamples=100)
    >>> pair = comparison.pair("a", "b")
    >>> round(pair.difference, 2), pair.verdict.value
    (37.71, 'undecided')
    """
    settings = check_settings(test, resamples, confidence, seed)
    threads = check_threads(threads)
    recipes = check_recipes(recipe)
    paired = pair_systems(check_systems(systems, baseline), references, list(recipes.values()))
    size = len(next(iter(paired.values())))
    known, translated = check_labels(labels, size), check_sources(sources, size)
    tables: CountedSystems = {}
    for name, segments in paired.items():
        for counting, table in count_for(segments, list(recipes.values()), threads).items():
            tables.setdefault(counting, {})[name] = table
    for name, (external, own) in check_scores(scores, lower_is_better, paired, recipes).items():
        recipes[name], tables[external.counting] = external, own
    notes = note_same_texts(paired)
    results = []
    for label, one in recipes.items():
        measured = measure_systems(tables[one.counting], paired, one, settings, threads)
        results.append(judge_systems(label, measured, baseline, settings, [*note_external(one), *notes]))
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
    skipped: Faults = NO_FAULTS,
) -> Comparison:
    """Compare systems by their statistics alone, which may have been counted elsewhere.

    Every table has a row per segment, in the same order, counted by ``recipe``; ``skipped`` are the segments that were
    left out. The other arguments are those of ``compare``, which computes the same numbers from texts.

    >>> from bleuprint.scoring.verbs import statistics
    >>> references = ["the cat is on the mat", "it purrs"]
    >>> candidates = {"a": references, "b": ["the cat is on mat", "it purrs"]}
    >>> tables = {name: statistics(texts, references, "paper") for name, texts in candidates.items()}
    >>> round(compare_statistics(tables, "paper", resamples=100).pair("a", "b").difference, 2)
    37.71
    """
    settings = check_settings(test, resamples, confidence, seed)
    threads = check_threads(threads)
    wanted = Recipe.of(recipe)
    check_tables(tables, baseline, wanted)
    known = check_labels(labels, len(next(iter(tables.values()))))
    measured = measure_systems(tables, {}, wanted, settings, threads)
    notes = [*note_skipped(skipped), *note_same_counts(tables)]
    result = judge_systems(name_recipe(recipe, wanted), measured, baseline, settings, notes)
    return Comparison({}, {wanted.counting: dict(tables)}, [result], settings, baseline, known)
