"""Explanations: the reasons for a score, as data.

The arithmetic follows from the statistics and exists at every level. The evidence belongs to one segment. A corpus has
a lazy list of the explanations of its segments instead.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, overload

from bleuprint.engines import find_engine
from bleuprint.errors import InputTypeError, Location
from bleuprint.metrics import module_of
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import ReferenceTexts, SegmentScores, score, score_sentence
from bleuprint.text.segments import Text, is_ordered
from bleuprint.views import Result

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import Arithmetic, SegmentEvidence
    from bleuprint.metrics.chrf.explain import ChrfArithmetic, ChrfEvidence
    from bleuprint.metrics.ter.explain import TerArithmetic, TerEvidence

    AnyArithmetic: TypeAlias = Arithmetic | ChrfArithmetic | TerArithmetic
    AnyEvidence: TypeAlias = SegmentEvidence | ChrfEvidence | TerEvidence
else:
    AnyArithmetic = AnyEvidence = object

__all__ = ["Explanation", "SegmentExplanations", "explain"]
SCHEMA = "bleuprint.explanation/1"
"""``explanation-1.schema.json`` is its JSON Schema."""


@overload
def explain(candidate: AnyScore) -> Explanation: ...
@overload
def explain(
    candidate: Text, references: Text | Iterable[Text | None], recipe: Recipe | str | None = None
) -> Explanation: ...
@overload
def explain(
    candidate: Iterable[Text], references: ReferenceTexts, recipe: Recipe | str | None = None
) -> Explanation: ...
def explain(
    candidate: AnyScore | Text | Iterable[Text],
    references: Text | Iterable[Text | None] | ReferenceTexts | None = None,
    recipe: Recipe | str | None = None,
) -> Explanation:
    """Explain a score, a segment (a text and its references) or a corpus (a list of texts and theirs).

    Without a recipe a segment is scored as ``score_sentence`` does, a corpus as ``score`` does.

    >>> explanation = explain("the cat is on mat", "the cat is on the mat", recipe="paper")
    >>> [f"{line.matches}/{line.total}" for line in explanation.arithmetic.orders]
    ['5/5', '3/4', '2/3', '1/2']
    """
    if isinstance(candidate, AnyScore):
        if references is not None or recipe is not None:
            raise InputTypeError(
                "A score has its references and its recipe.",
                "Call explain(score), or explain(candidate, references, recipe=...).",
                location=Location("references" if references is not None else "recipe"),
            )
        return Explanation(candidate)
    if references is None:
        if isinstance(candidate, SegmentScores):
            message, fix = "expected one score, got the scores of all segments.", "Call explain(scores[0])."
            raise InputTypeError(message, fix, location=Location("candidate"))
        message, fix = "Missing references.", "Call explain(candidate, references, recipe=...)."
        raise InputTypeError(message, fix, location=Location("references"))
    wanted = Recipe.of(DEFAULT if recipe is None else recipe)
    given = candidate if isinstance(candidate, (str, Sequence, Mapping, Set)) else _listed(candidate)
    if _is_one_text(given, wanted):
        one = Recipe.named(SEGMENT_DEFAULT) if recipe is None else wanted
        return Explanation(score_sentence(given, references, one))  # type: ignore[call-overload]
    return Explanation(score(given, references, wanted))  # type: ignore[call-overload]


def _listed(values: object) -> object:
    """Convert a generator or an array to a list. The checks raise errors for anything else."""
    try:
        return list(values) if is_ordered(values) else values
    except TypeError:  # an array without dimension
        return values


def _is_one_text(given: object, recipe: Recipe) -> bool:
    """Whether this is one text, not a list of texts: a string, or tokens that are not all sequences themselves."""
    if not isinstance(given, Sequence) or isinstance(given, (str, bytes)):
        return True
    return recipe.is_pretokenized and not (given and all(map(_is_sequence, given)))


def _is_sequence(text: object) -> bool:
    """Whether an element is a text of a corpus: a tuple, or a list or an array, which cannot be tokens."""
    return isinstance(text, tuple) or not isinstance(text, Hashable)


class Explanation(Result):
    """Why a score is what it is: ``arithmetic``, and for one segment its ``evidence``."""

    def __init__(
        self,
        score: AnyScore,
        *,
        plain_matches: tuple[int, ...] | None = None,
        mean_segment_score: float | None = None,
    ) -> None:
        """Explain a score. Sums that were counted with it can be passed."""
        self.score: AnyScore = score
        if plain_matches is not None:
            self.plain_matches = plain_matches
        if mean_segment_score is not None:
            self.mean_segment_score = mean_segment_score

    @cached_property
    def arithmetic(self) -> AnyArithmetic:
        """How the number follows from the statistics."""
        arithmetic: AnyArithmetic = module_of(self.score.metric, "explain").work_out(self.score)
        return arithmetic

    @cached_property
    def evidence(self) -> AnyEvidence | None:
        """Texts, tokens and n-grams of a single segment; None for a corpus or without texts."""
        segments = self.score.segments
        if segments is None or self.score.level != "segment":
            return None
        evidence: AnyEvidence = module_of(self.score.metric, "explain").gather(segments.segment(0), self.score)
        return evidence

    @cached_property
    def segments(self) -> SegmentExplanations | None:
        """The explanations of the segments of a corpus or a document; None without texts."""
        segments = self.score.segments
        if not segments or self.score.table is None or self.score.level == "segment":
            return None
        return SegmentExplanations(SegmentScores(self.score.table, self.score.recipe, segments))

    @cached_property
    def plain_matches(self) -> tuple[int, ...] | None:
        """Matches per order without clipping, summed over segments; None without texts."""
        if self.score.segments is None:
            return None
        return find_engine().count_plain(self.score.segments, self.score.recipe.layout)

    @cached_property
    def mean_segment_score(self) -> float | None:
        """The mean of the segments' scores, which is not the corpus score: BLEU sums counts, not scores."""
        if self.segments is None:
            return None
        scores = self.segments.scores.scores
        return math.fsum(scores) / len(scores)

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data; docs/explaining.md describes it."""
        score, recipe = self.score, self.score.recipe
        explain = module_of(score.metric, "explain")
        return {
            "schema": SCHEMA,
            "level": score.level,
            "label": score.label,
            "score": score.score,
            "fraction": score.fraction,
            "recipe": {
                "signature": score.signature,
                "dialects": list(recipe.names),
                "order": recipe.order,
                "axes": {field: recipe.choice(field) for field in recipe.metric.axes},
            },
            "arithmetic": explain.describe_arithmetic(self.arithmetic, self.plain_matches),
            "notes": [note._asdict() for note in score.notes],
            "evidence": explain.describe_evidence(self.evidence) if self.evidence else None,
            "segments": self.segments.to_list() if self.segments else None,
            "mean_segment_score": self.mean_segment_score,
        }

    @property
    def _values(self) -> tuple[object, ...]:
        """The statistics and the texts: the evidence is part of an explanation."""
        score = self.score
        return score.stats, score.recipe, score.level, score.segments

    def __hash__(self) -> int:
        return hash(self.score)

    def __copy__(self) -> Explanation:
        return self

    def __deepcopy__(self, _memory: object) -> Explanation:
        return self

    def __getstate__(self) -> dict[str, object]:
        """Pickle the texts as well. A score drops them, but the evidence needs them."""
        return {**self.__dict__, "_texts": (self.score.segments, self.score.table)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        score: AnyScore = state["score"]
        self.__dict__.update(state, score=score.with_texts(*state.pop("_texts")))

    def __repr__(self) -> str:
        return f"<Explanation of {self.score!r}>"


class SegmentExplanations(Sequence[Explanation]):
    """The explanations of a corpus' segments, computed on demand."""

    def __init__(self, scores: SegmentScores) -> None:
        self.scores: SegmentScores = scores

    def __len__(self) -> int:
        return len(self.scores)

    @overload
    def __getitem__(self, index: int) -> Explanation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Explanation]: ...
    def __getitem__(self, index: int | slice) -> Explanation | list[Explanation]:
        if isinstance(index, slice):
            return [self[one] for one in range(len(self))[index]]
        return Explanation(self.scores[index])

    def __iter__(self) -> Iterator[Explanation]:
        return (Explanation(score) for score in self.scores)

    def to_list(self) -> list[dict[str, object]]:
        """Return the number, the score and the statistics of every segment as plain data."""
        describe = module_of(self.scores.recipe.metric, "explain").describe_stats
        numbered = enumerate(zip(self.scores.scores, self.scores.table, strict=True), start=1)
        return [{"segment": number, "score": score, **describe(stats)} for number, (score, stats) in numbered]

    def __eq__(self, other: object) -> bool:
        return self.scores == other.scores if isinstance(other, SegmentExplanations) else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]
