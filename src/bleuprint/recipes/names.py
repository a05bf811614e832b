"""The names of recipes and of their options, for type checkers and editors."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.recipe import Smoothing

BleuName: TypeAlias = Literal[
    "paper", "sacrebleu", "sacrebleu-sentence", "nltk", "nltk-method1", "nltk-method2", "nltk-method3",
    "nltk-method4", "nltk-method5", "nltk-method6", "nltk-method7", "nltk-mean", "huggingface", "huggingface-smooth",
    "bleuscore", "torchmetrics", "torchmetrics-smooth", "moses", "moses-detok", "mteval-v13a", "mteval-v14",
    "sacrebleu@1.5", "sacrebleu-sentence@1.5", "sacrebleu-sentence@1.4", "nltk-method2@3.5",
    "fairseq", "fairseq-sentence", "pycocoevalcap", "codexglue-code", "codexglue-comments",
]  # fmt: skip
ChrfName: TypeAlias = Literal[
    "chrf", "chrf++", "chrf-popovic", "chrf++-popovic", "nltk-chrf", "torchmetrics-chrf",
]  # fmt: skip
TerName: TypeAlias = Literal["ter", "torchmetrics-ter"]


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
