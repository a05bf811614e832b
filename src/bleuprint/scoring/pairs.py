"""Pairs: all candidates against all references, each text against all others, and the best of many candidates."""

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
    """A matrix of scores on 0 to 100: ``scores[i][j]`` is the score of candidate i against references j.

    NumPy reads it without a copy: ``numpy.asarray(scores)``.
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
        """Return one row, or the rows of a slice."""
        chosen, width = range(len(self))[index], self.shape[1]
        if isinstance(chosen, range):
            return [self[row] for row in chosen]
        numbers = cast("memoryview[float]", memoryview(self._numbers))
        return numbers[chosen * width : (chosen + 1) * width].toreadonly()

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
    """The candidate with the best mean score against all references, and the means of all candidates."""

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
    """Score every text against all others. Repetitive texts score high, varied texts low.

    >>> self_bleu(["a b c d", "a b c d", "a b c d"]).mean
    100.0
    """
    wanted = Recipe.of(recipe)
    if wanted.metric_key != DEFAULT_METRIC:
        raise RecipeError(
            f"expected a recipe of {find_metric().name}, got one of {wanted.metric.name}.",
            "pairwise(texts, texts, recipe) scores every text against every other by any metric.",
            location=Location("recipe"),
        )
    threads = check_threads(threads)
    given = check_texts(texts, "texts", **wanted.text_kind)
    if len(given) < 2:
        raise ShapeError(
            f"expected at least two texts, got {len(given)}.",
            "Each text is scored against the others.",
            location=Location("texts"),
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

    Without references, the candidates themselves are the references, as samples of the system. The first of equal
    candidates wins. The best mean is the highest, or with TER the lowest.

    >>> choose_best(["the cat sat", "a cat sat down", "the cat sat down"]).candidate
    'the cat sat down'
    """
    wanted = Recipe.of(recipe)
    given = list(candidates) if isinstance(candidates, Iterator) else candidates
    texts = check_texts(given, "candidates", **wanted.text_kind)
    entries = [[text] for text in texts] if references is None else references
    means = pairwise(texts, entries, wanted, threads=threads).means()
    best = min(range(len(means)), key=lambda index: wanted.metric.sort_key(means[index]))
    return Choice(best, list(given)[best], means[best], means)


def _mean(scores: Sequence[float]) -> float:
    """Add in ascending order, so that the mean does not depend on the order of the scores."""
    total = 0.0
    for score in sorted(scores):
        total += score
    return total / len(scores)
