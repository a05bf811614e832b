"""References prepared once, to score many systems against."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Generic, Self, cast, overload

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.metrics.score import AnyScore, OneScore
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import ReferenceTexts, SegmentScores, score_table
from bleuprint.text.segments import Segments, Text, check_references, pair_segments

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore
    from bleuprint.metrics.chrf.recipe import ChrfRecipe
    from bleuprint.metrics.chrf.score import ChrfScore
    from bleuprint.metrics.ter.recipe import TerRecipe
    from bleuprint.metrics.ter.score import TerScore
    from bleuprint.recipes.names import BleuName, ChrfName, TerName


class References(Generic[OneScore]):
    """The reference side of a test set, checked and split once.

    Without a recipe, the defaults are those of ``score`` and ``score_segments``.

    >>> references = References(["the cat is on the mat", "it purrs"], recipe="paper")
    >>> [round(references.score(system).score, 2) for system in (["the cat is on mat", "it purrs"], ["a", "b"])]
    [62.29, 0.0]
    """

    @overload
    def __init__(
        self: References[BleuScore], references: ReferenceTexts, recipe: BleuRecipe | BleuName | None = None
    ) -> None: ...
    @overload
    def __init__(self: References[ChrfScore], references: ReferenceTexts, recipe: ChrfRecipe | ChrfName) -> None: ...
    @overload
    def __init__(self: References[TerScore], references: ReferenceTexts, recipe: TerRecipe | TerName) -> None: ...
    @overload
    def __init__(
        self: References[AnyScore], references: ReferenceTexts, recipe: Recipe | str | None = None
    ) -> None: ...
    def __init__(self, references: ReferenceTexts, recipe: Recipe | str | None = None) -> None:
        self._named = None if recipe is None else Recipe.of(recipe)
        self.recipe: Recipe = self._named or Recipe.named(DEFAULT)
        self._segment_recipe = self._named or Recipe.named(SEGMENT_DEFAULT)  # which counts alike
        self._references = check_references(references, **self.recipe.text_kind)
        self._prepared = find_engine().prepare(self._references, self.recipe.layout)

    def score(self, candidates: Iterable[Text], *, threads: int | None = None) -> OneScore:
        """Score a system."""
        segments = self._pair(candidates)
        return cast("OneScore", score_table(self._count(segments, threads), self.recipe, segments))

    def score_segments(self, candidates: Iterable[Text], *, threads: int | None = None) -> SegmentScores[OneScore]:
        """Score every segment of a system on its own."""
        segments = self._pair(candidates)
        return SegmentScores(self._count(segments, threads), self._segment_recipe, segments)

    def statistics(self, candidates: Iterable[Text], *, threads: int | None = None) -> StatsTable:
        """Count every segment of a system."""
        return self._count(self._pair(candidates), threads)

    def _pair(self, candidates: Iterable[Text]) -> Segments:
        return pair_segments(candidates, self._references, **self.recipe.text_kind)

    def _count(self, segments: Segments, threads: int | None) -> StatsTable:
        return self._prepared.count(segments.candidates, threads)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, References):
            return NotImplemented
        return (self._named, self._references) == (other._named, other._references)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memory: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the texts and the recipe. Unpickling splits the texts again."""
        return type(self), (self._references, self._named)

    def __len__(self) -> int:
        return len(self._references)

    def __repr__(self) -> str:
        return f"<References of {len(self)} segments, {self.recipe}>"
