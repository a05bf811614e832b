"""Pairs: every candidate against every reference, every text against all others, and the best of many candidates."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple, cast, overload

from bleuprint.counting.rows import float_type
from bleuprint.engines import check_threads, find_engine
from bleuprint.errors import Location, RecipeError, ShapeError
from bleuprint.recipes.options import SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC, find_metric
from bleuprint.scoring.verbs import ReferenceTexts
from bleuprint.text.segments import Text, check_references, check_texts


class PairScores(Sequence["memoryview[float]"]):
    """A matrix of scores on 0 to 100: ``scores[i][j]`` holds candidate i against references j.

    NumPy sees it without a copy: ``numpy.asarray(scores)``.
    """

    def __init__(self, numbers: array[float], shape: tuple[int, int], recipe: Recipe) -> None:
        self._numbers = numbers
        self.shape: tuple[int, int] = shape
        self.recipe: Recipe = recipe

    def __len__(self) -> int:
        return self.shape[0]

    @overload
    def __getitem__(self, index: int) -> memoryview[float]: ...
    @overload
    def __getitem__(self, index: slice) -> list[memoryview[float]]: ...
    def __getitem__(self, index: int | slice) -> memoryview[float] | list[memoryview[float]]:
        """Give one row, or the rows of a slice."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        width = self.shape[1]
        numbers = cast("memoryview[float]", memoryview(self._numbers))
        return numbers[place * width : (place + 1) * width].toreadonly()

    def __iter__(self) -> Iterator[memoryview[float]]:
        return (self[place] for place in range(len(self)))

    def means(self) -> list[float]:
        """Average each row: how well a candidate agrees with all references."""
        return [_mean(row) for row in self]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairScores):
            return NotImplemented
        return (self.shape, self.recipe, self._numbers) == (other.shape, other.recipe, other._numbers)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def __array_interface__(self) -> dict[str, object]:
        return {"version": 3, "shape": self.shape, "typestr": float_type(), "data": memoryview(self._numbers)}

    def __repr__(self) -> str:
        return f"<PairScores of {self.shape[0]} candidates and {self.shape[1]} references>"


class SelfBleu(NamedTuple):
    """How alike texts are: the mean of their scores against each other, and the score of each."""

    mean: float
    scores: array[float]
    recipe: Recipe

    def __float__(self) -> float:
        return self.mean


class Choice(NamedTuple):
    """The candidate that agrees best with all references, and what each candidate got."""

    place: int
    candidate: Text
    mean: float
    means: list[float]


def pairwise(
    candidates: Iterable[Text],
    references: ReferenceTexts,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    *,
    threads: int | None = None,
) -> PairScores:
    """Score every candidate against every entry of references, each pair as one segment.

    >>> [[round(score) for score in row] for row in pairwise(["a b c d", "x y"], ["a b c d", "a b x y"])]
    [[100, 32], [0, 37]]
    """
    wanted = Recipe.of(recipe)
    threads = check_threads(threads)
    texts = check_texts(candidates, "candidates", **wanted.text_kind)
    paired = check_references(references, **wanted.text_kind)
    numbers = find_engine().score_pairs(texts, paired, wanted, threads)
    return PairScores(numbers, (len(texts), len(paired)), wanted)


def self_bleu(texts: Iterable[Text], recipe: Recipe | str = SEGMENT_DEFAULT, *, threads: int | None = None) -> SelfBleu:
    """Score every text against all others: high for texts that repeat each other, low for varied ones.

    >>> self_bleu(["a b c d", "a b c d", "a b c d"]).mean
    100.0
    """
    wanted = Recipe.of(recipe)
    if wanted.metric_key != DEFAULT_METRIC:
        raise RecipeError(
            where=Location("recipe"),
            wanted=f"a recipe of {find_metric().name}, which self_bleu is about",
            got=f"one of {wanted.metric.name}",
            next_step="pairwise(texts, texts, recipe) scores every text against every other under any metric.",
        )
    threads = check_threads(threads)
    given = check_texts(texts, "texts", **wanted.text_kind)
    if len(given) < 2:
        raise ShapeError(
            where=Location("texts"),
            wanted="at least two texts",
            got=str(len(given)),
            next_step="Each text is scored against the others.",
        )
    scores = find_engine().score_among_themselves(given, wanted, threads)
    return SelfBleu(_mean(scores), scores, wanted)


def choose_best(
    candidates: Iterable[Text],
    references: ReferenceTexts | None = None,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    *,
    threads: int | None = None,
) -> Choice:
    """Choose the candidate with the best mean score against all references: minimum-Bayes-risk decoding.

    Without references the candidates stand for them, as samples of what the system may say. Of equals the first wins.
    The best is the highest mean, under TER the lowest.

    >>> choose_best(["the cat sat", "a cat sat down", "the cat sat down"]).candidate
    'the cat sat down'
    """
    wanted = Recipe.of(recipe)
    given = list(candidates) if isinstance(candidates, Iterator) else candidates
    texts = check_texts(given, "candidates", **wanted.text_kind)
    entries = [[text] for text in texts] if references is None else references
    means = pairwise(texts, entries, wanted, threads=threads).means()
    best = min(range(len(means)), key=lambda place: wanted.metric.sort_key(means[place]))
    return Choice(best, list(given)[best], means[best], means)


def _mean(scores: Sequence[float]) -> float:
    """Add in ascending order: equal scores then have one mean, in whatever order they come."""
    total = 0.0
    for score in sorted(scores):
        total += score
    return total / len(scores)
