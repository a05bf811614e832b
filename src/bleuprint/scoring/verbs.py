"""The main functions: score a corpus, a sentence, every segment or every document, or only count."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from sys import maxsize
from typing import TYPE_CHECKING, Any, ClassVar, Generic, cast, overload

from bleuprint.counting.rows import LazyTable, StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.engines import find_engine
from bleuprint.errors import BleuprintError, Location, ShapeError, wrong_type
from bleuprint.metrics.score import AnyScore, OneScore
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.text_notes import text_notes
from bleuprint.text.segments import Segments, Text, is_token, list_entries, pair_one, pair_segments
from bleuprint.views import show
from bleuprint.wording import NLTK_STOPS, count_of, format_score

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore
    from bleuprint.metrics.chrf.recipe import ChrfRecipe
    from bleuprint.metrics.chrf.score import ChrfScore
    from bleuprint.metrics.ter.recipe import TerRecipe
    from bleuprint.metrics.ter.score import TerScore
    from bleuprint.recipes.names import BleuName, ChrfName, TerName

ReferenceTexts = Iterable[Text | Iterable[Text | None]]
"""One entry per candidate: a text, or a list of texts in which None is a missing reference."""


@overload
def score(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    recipe: BleuRecipe | BleuName = ...,
    *,
    threads: int | None = None,
) -> BleuScore: ...
@overload
def score(
    candidates: Iterable[Text], references: ReferenceTexts, recipe: ChrfRecipe | ChrfName, *, threads: int | None = None
) -> ChrfScore: ...
@overload
def score(
    candidates: Iterable[Text], references: ReferenceTexts, recipe: TerRecipe | TerName, *, threads: int | None = None
) -> TerScore: ...
@overload
def score(
    candidates: Iterable[Text], references: ReferenceTexts, recipe: Recipe | str, *, threads: int | None = None
) -> AnyScore: ...
def score(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    recipe: Recipe | str = DEFAULT,
    *,
    threads: int | None = None,
) -> AnyScore:
    """Score a corpus: counts are summed over all segments, then combined once.

    By default, small inputs are counted by one thread and large ones by all cores. The result does not depend on
    ``threads``.

    >>> round(score(["the cat is on mat"], ["the cat is on the mat"], recipe="paper").score, 10)
    57.8930067467
    """
    return score_recipes(candidates, references, [recipe], threads=threads)[0]


def score_recipes(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    recipes: Sequence[Recipe | str],
    *,
    threads: int | None = None,
) -> list[AnyScore]:
    """Score a corpus under several recipes. Those that count alike, such as BLEU-1 to BLEU-4, are counted once.

    >>> paper = Recipe.named("paper")
    >>> orders = [paper.replace(order=n) for n in (1, 2, 3, 4)]
    >>> [round(s.score, 2) for s in score_recipes(["the cat is on mat"], ["the cat is on the mat"], orders)]
    [81.87, 70.9, 64.98, 57.89]
    """
    listed = list_entries(
        recipes, "recipes", "a list of recipes", "For a single one use score(candidates, references, recipe)."
    )
    wanted = [Recipe.of(cast("Recipe | str", recipe)) for recipe in listed]
    if len(wanted) == 1:
        at_once = _score_at_once(candidates, references, wanted[0], threads)
        if at_once is not None:
            return [at_once]
    segments = pair_for(candidates, references, wanted)
    tables = count_for(segments, wanted, threads)
    return [score_table(tables[recipe.counting], recipe, segments) for recipe in wanted]


def _score_at_once(candidates: object, references: object, recipe: Recipe, threads: int | None) -> AnyScore | None:
    """Score a plain corpus in one pass of the engine. Return None if anything about it is unusual."""
    added_up = find_engine().add_up(candidates, references, recipe.layout, threads)
    if added_up is None:
        return None
    segments, sums = added_up
    table = LazyTable(recipe.layout, lambda: find_engine().count(segments, recipe.layout, threads))
    return _score_sums(sums, recipe, table=table, segments=segments)


@overload
def score_sentence(
    candidate: Text, references: Text | Iterable[Text | None], recipe: BleuRecipe | BleuName = ...
) -> BleuScore: ...
@overload
def score_sentence(
    candidate: Text, references: Text | Iterable[Text | None], recipe: ChrfRecipe | ChrfName
) -> ChrfScore: ...
@overload
def score_sentence(
    candidate: Text, references: Text | Iterable[Text | None], recipe: TerRecipe | TerName
) -> TerScore: ...
@overload
def score_sentence(candidate: Text, references: Text | Iterable[Text | None], recipe: Recipe | str) -> AnyScore: ...
def score_sentence(
    candidate: Text, references: Text | Iterable[Text | None], recipe: Recipe | str = SEGMENT_DEFAULT
) -> AnyScore:
    """Score one segment; ``references`` is a text or a list of texts.

    >>> print(score_sentence("hello world", "hello world").score)
    100.0
    """
    wanted = Recipe.of(recipe)
    scored = find_engine().score_one(candidate, references, wanted)
    if scored:
        return wanted.metric.score_type.of_segment(candidate, scored, wanted, text_notes)
    segments = pair_one_for(candidate, references, wanted)
    sums = find_engine().count(segments, wanted.layout).sums()
    return _score_sums(sums, wanted, level="segment", segments=segments)


def statistics(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    recipe: Recipe | str = DEFAULT,
    *,
    threads: int | None = None,
) -> StatsTable:
    """Count every segment: a table of integers with one row per segment, whose sum is that of the corpus."""
    return _count(candidates, references, Recipe.of(recipe), threads)[0]


def _count(candidates: object, references: object, recipe: Recipe, threads: int | None) -> tuple[StatsTable, Segments]:
    segments = pair_segments(candidates, references, **recipe.text_kind)
    return find_engine().count(segments, recipe.layout, threads), segments


@overload
def score_segments(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    recipe: BleuRecipe | BleuName = ...,
    *,
    threads: int | None = None,
) -> SegmentScores[BleuScore]: ...
@overload
def score_segments(
    candidates: Iterable[Text], references: ReferenceTexts, recipe: ChrfRecipe | ChrfName, *, threads: int | None = None
) -> SegmentScores[ChrfScore]: ...
@overload
def score_segments(
    candidates: Iterable[Text], references: ReferenceTexts, recipe: TerRecipe | TerName, *, threads: int | None = None
) -> SegmentScores[TerScore]: ...
@overload
def score_segments(
    candidates: Iterable[Text], references: ReferenceTexts, recipe: Recipe | str, *, threads: int | None = None
) -> SegmentScores[AnyScore]: ...
def score_segments(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    *,
    threads: int | None = None,
) -> SegmentScores[AnyScore]:
    """Score every segment on its own. The mean is not the corpus score, because BLEU sums counts and not scores."""
    wanted = Recipe.of(recipe)
    table, segments = _count(candidates, references, wanted, threads)
    return SegmentScores(table, wanted, segments)


@overload
def score_documents(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    documents: Iterable[str],
    recipe: BleuRecipe | BleuName = ...,
    *,
    threads: int | None = None,
) -> dict[str, BleuScore]: ...
@overload
def score_documents(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    documents: Iterable[str],
    recipe: ChrfRecipe | ChrfName,
    *,
    threads: int | None = None,
) -> dict[str, ChrfScore]: ...
@overload
def score_documents(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    documents: Iterable[str],
    recipe: TerRecipe | TerName,
    *,
    threads: int | None = None,
) -> dict[str, TerScore]: ...
@overload
def score_documents(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    documents: Iterable[str],
    recipe: Recipe | str,
    *,
    threads: int | None = None,
) -> dict[str, AnyScore]: ...
def score_documents(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    documents: Iterable[str],
    recipe: Recipe | str = DEFAULT,
    *,
    threads: int | None = None,
) -> dict[str, Any]:
    """Score every document, in order. ``documents[i]`` is the name of the document of segment i."""
    wanted = Recipe.of(recipe)
    table, segments = _count(candidates, references, wanted, threads)
    return group_table(table, documents, wanted, segments)


class SegmentScores(Sequence[OneScore], Generic[OneScore]):
    """The scores of all segments, computed on demand. ``scores`` is a plain buffer of floats on 0 to 100."""

    def __init__(self, table: StatsTable, recipe: Recipe, segments: Segments, testset: str = "") -> None:
        self.table: StatsTable = table
        self.recipe: Recipe = recipe
        self._segments = segments
        self._testset = testset

    @property
    def signature(self) -> str:
        """The recipe in one line, and the test set if it has a name."""
        return self.recipe.signature_on(self._testset)

    @cached_property
    def scores(self) -> array[float]:
        """All scores on 0 to 100, as 64-bit floats."""
        return score_each(self.table, self.recipe)

    def tool_stops(self, index: int) -> bool:
        """Whether NLTK, whose recipe this is, raises an error on a segment."""
        return bool(self.recipe.metric.stops_because(self.table[index], self.recipe))

    def printed(self, index: int) -> str:
        """Print the score of a segment with two decimals. If NLTK raises an error, say so instead."""
        return NLTK_STOPS if self.tool_stops(index) else format_score(self.scores[index])

    @property
    def remarks(self) -> list[str] | None:
        """A remark on every segment if the recipe's tool may raise an error on some; None for all other recipes."""
        if not self.recipe.may_stop:
            return None
        return [NLTK_STOPS if self.tool_stops(index) else "" for index in range(len(self))]

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> OneScore: ...
    @overload
    def __getitem__(self, index: slice) -> list[OneScore]: ...
    def __getitem__(self, index: int | slice) -> OneScore | list[OneScore]:
        chosen = range(len(self))[index]
        return [self._score(one) for one in chosen] if isinstance(chosen, range) else self._score(chosen)

    def __iter__(self) -> Iterator[OneScore]:
        return map(self._score, range(len(self)), self.scores)  # an engine scores all at once much faster

    def _score(self, index: int, number: float | None = None) -> OneScore:
        one = self._segments.slice(index, index + 1)
        score = score_table(self.table[index : index + 1], self.recipe, one, level="segment", number=number)
        return cast("OneScore", score.on_testset(self._testset))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SegmentScores):
            return NotImplemented
        return (self.table, self.recipe, self._segments) == (other.table, other.recipe, other._segments)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        return show("html", self)

    def __repr__(self) -> str:
        return f"<SegmentScores of {len(self)} segments>"


def score_each(table: StatsTable, recipe: Recipe) -> array[float]:
    """Score every row of a table on its own, on 0 to 100."""
    return find_engine().score_rows(table, recipe)


def pair_for(candidates: object, references: object, recipes: Sequence[Recipe]) -> Segments:
    """Check a corpus for several recipes, which must all read texts, or all tokens."""
    pretokenized = {recipe.is_pretokenized for recipe in recipes}
    if len(pretokenized) > 1:
        raise ShapeError(
            "expected recipes that all read texts, or that all read tokens.",
            "Score the recipes with `tokenizer=pretokenized` separately, with tokens.",
            location=Location("recipes"),
        )
    cased = any(recipe.text_kind["cased"] for recipe in recipes)
    segments = pair_segments(candidates, references, pretokenized=pretokenized == {True}, cased=cased)
    for recipe in recipes:
        if recipe.metric.most_references < maxsize:  # else the texts would be converted for nothing
            recipe.metric.check_references(segments.references)
    return segments


def pair_one_for(candidate: object, references: object, recipe: Recipe) -> Segments:
    """Check a single segment for a recipe."""
    segments = pair_one(candidate, references, **recipe.text_kind)
    if recipe.metric.most_references < maxsize:
        recipe.metric.check_references(segments.references, single=True)
    return segments


def pair_system(name: str, candidates: object, references: object, recipes: Sequence[Recipe]) -> Segments:
    """Check the corpus of one system among several. An error about its candidates names the system."""
    try:
        return pair_for(candidates, references, recipes)
    except BleuprintError as error:
        if error.location and error.location.argument == "candidates":
            raise error.reworded(where=error.location._replace(system=name)) from None
        raise


def count_for(segments: Segments, recipes: Sequence[Recipe], threads: int | None = None) -> dict[Hashable, StatsTable]:
    """Count once for each way of counting, up to the highest order that its recipes need."""
    widest: dict[Hashable, Recipe] = {}
    for recipe in recipes:
        known = widest.get(recipe.counting)
        if known is None or recipe.layout.order > known.layout.order:
            widest[recipe.counting] = recipe
    alike: dict[Hashable, list[Recipe]] = {}
    for recipe in widest.values():
        alike.setdefault((recipe.metric_key, recipe.splitting, recipe.layout.order), []).append(recipe)
    tables: dict[Hashable, StatsTable] = {}
    for together in alike.values():
        counted = find_engine().count_together(segments, [recipe.layout for recipe in together], threads)
        tables |= zip((recipe.counting for recipe in together), counted, strict=True)
    return {counting: tables[counting] for counting in widest}


def score_table(
    table: StatsTable,
    recipe: Recipe,
    segments: Segments | None = None,
    *,
    level: str = "corpus",
    number: float | None = None,
) -> AnyScore:
    """Score counted segments. ``number`` is their score if an engine has computed it."""
    return _score_sums(table.sums(), recipe, level=level, table=table, segments=segments, number=number)


def _score_sums(sums: Sums, recipe: Recipe, number: float | None = None, **kept: Any) -> AnyScore:
    """Make a score of sums. The kernel computes the number, and the terms of the formula follow when they are read."""
    if number is None and len(sums.row) == recipe.layout.width:
        number = find_engine().score_row(sums.row, recipe)
    return recipe.metric.score_sums(sums, recipe, text_notes=text_notes, number=number, **kept)


def list_per_segment(values: object, segments: int, noun: str, location: Location, where: str = "") -> list[object]:
    """List the entries of an argument that needs one per segment."""
    expected = f"{count_of(segments, noun)} (one per segment)"
    fix = f"Pass one {noun} per segment, in the order of the references."
    listed = list_entries(values, where or location, expected, fix)
    if len(listed) != segments:
        raise ShapeError(f"expected {expected}, got {len(listed):,}.", fix, location=location, where=where)
    return listed


def group_table(
    table: StatsTable, documents: Iterable[str], recipe: Recipe, segments: Segments | None = None
) -> dict[str, AnyScore]:
    """Score the documents of a counted corpus."""
    indices: dict[str, list[int]] = {}
    for index, name in enumerate(list_per_segment(documents, len(table), "name", Location("documents"))):
        if name is None or not is_token(name):
            raise wrong_type("a name", name, "Names are strings.", location=Location("documents", index))
        indices.setdefault(cast("str", name), []).append(index)
    return {
        name: score_table(table.pick(own), recipe, segments.pick(own) if segments else None, level="document")
        for name, own in indices.items()
    }
