"""Rows of ids to measure with, and the recipe that is measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import bleuprint as bp

SHAPES = ((256, 256, 1, 21), (256, 1024, 1, 36), (256, 1024, 4, 59), (1024, 1024, 1, 88), (4096, 256, 1, 82),
          (64, 4096, 1, 76), (64, 4096, 4, None), (64, 16_384, 1, None))  # fmt: skip
"""Rows, ids in each, references, and the microseconds that a first draft of the kernel took, where it was tried."""
TEXTS = ("copies with changes", "nothing in common", "20 ids", "the same")


def draw_ids(kind: str, rows: int, columns: int, references: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw candidates and references as tensors of 64-bit ids, on the device where there is one."""
    draw = np.random.default_rng(seed)
    size = 20 if kind == "20 ids" else 50_000
    texts = draw.integers(1, size, (rows, references, columns))
    ids = draw.integers(1, size, (rows, columns))
    if kind == "copies with changes":  # runs of a reference, about five ids long
        ids = np.where(draw.random((rows, columns)) < 0.8, texts[:, 0], ids)
    if kind == "the same":  # every n-gram of the candidate is in the table, and is found
        ids = texts[:, 0]
    where = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.from_numpy(ids.copy()).to(where), torch.from_numpy(texts).to(where)


def recipe() -> Any:
    """Give the recipe that is timed."""
    return bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="pretokenized", case="mixed")
