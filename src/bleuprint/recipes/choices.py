"""The choices that recipes take as keywords, by name, for type checkers and editors."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.recipe import Smoothing


class Choices(TypedDict, total=False):
    """A choice for each axis of any metric; ``order`` stands for that many equal weights."""

    tokenizer: str | Callable[[str], Sequence[Hashable]]
    case: str
    order: int
    weights: Iterable[float]
    smoothing: str | Smoothing
    reference_length: str
    segment_totals: str
    absent_order: str
    unmatched_order: str
    nothing_matches: str
    brevity: str
    across_orders: str
    char_order: int
    word_order: int
    beta: float
    whitespace: str
    candidate_totals: str
    unmatched_segment: str
    averaging: str
    normalized: str
    asian: str
    punctuation: str
    reference_preparation: str
    shifted: str
    longest_shift: int | str
    empty_candidate: str
