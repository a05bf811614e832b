"""The names of the dialects, metric by metric, for type checkers: who scores by one gets the score of its metric."""

from __future__ import annotations

from typing import Literal, TypeAlias

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
