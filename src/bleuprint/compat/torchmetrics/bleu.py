"""``BLEUScore``, ``SacreBLEUScore`` and their functions in torchmetrics, counted by the kernel.

Where the tokenizer is not one of torchmetrics' own, it is asked for every text as before, and only the counting of its
tokens is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any

import torch

from bleuprint.compat.torchmetrics.updates import BUILT_IN, add_exactly, is_sum, prefer
from bleuprint.engines import find_engine
from bleuprint.metrics.bleu.counting import Counting, bleu_layout
from bleuprint.metrics.bleu.recipe import HIGHEST_ORDER
from bleuprint.native_kernel import find_kernel
from bleuprint.text.segments import Segments, SnapshotSegments
from bleuprint.text.tokenizers.registry import PRETOKENIZED

FUNCTION = "_bleu_score_update"
HOME = "torchmetrics.functional.text.bleu"
SACRE_HOME = "torchmetrics.functional.text.sacre_bleu"
SPLITTERS = {"_tokenize_base": "whitespace", "_tokenize_13a": "13a", "_tokenize_zh": "zh", "_tokenize_char": "char"}
"""torchmetrics' tokenizers that the kernel has, too. Not intl: its classes are those of the package regex at hand."""

Tokenizer = Callable[[str], Sequence[str]]


def make_update(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that replaces torchmetrics'."""
    plain: Tokenizer = import_module(HOME)._tokenize_fn
    sacre: Any = import_module(SACRE_HOME)._SacreBLEUTokenizer

    def update(
        preds: Any,
        target: Any,
        numerator: torch.Tensor,
        denominator: torch.Tensor,
        preds_len: torch.Tensor,
        target_len: torch.Tensor,
        n_gram: int = 4,
        tokenizer: Tokenizer = plain,
    ) -> Any:
        kernel, sums = find_kernel(), (numerator, denominator, preds_len, target_len)
        if kernel is None or not _are_lists(preds, target) or not _hold_counts(sums, n_gram):
            return None
        name, lowers = ("whitespace", False) if tokenizer is plain else _find_tokenizer(tokenizer, sacre)
        if name:
            segments = _pair_texts(kernel, preds, target, name, lowers)
            return (preds_len, target_len) if _count(segments, "whitespace" if lowers else name, n_gram, sums) else None
        columns = _split(preds, target, tokenizer)
        if _count(_pair_tokens(kernel, *columns), PRETOKENIZED, n_gram, sums):
            return preds_len, target_len
        return theirs(preds, target, *sums, n_gram, _replay(preds, target, columns))

    return prefer(update, theirs)


def _are_lists(preds: Any, target: Any) -> bool:
    """Whether there are two lists of one length, and every entry of the second is a list, as documented."""
    return (
        type(preds) in BUILT_IN
        and type(target) in BUILT_IN
        and len(preds) == len(target) > 0
        and all(type(entry) in BUILT_IN for entry in target)
    )


def _hold_counts(sums: tuple[torch.Tensor, ...], n_gram: object) -> bool:
    """Whether the sums are what torchmetrics makes: two vectors of n_gram floats, and two floats."""
    if type(n_gram) is not int or not 1 <= n_gram <= HIGHEST_ORDER:
        return False
    return all(map(is_sum, sums, ((n_gram,), (n_gram,), (), ())))


def _count(segments: Segments | None, tokenizer: str, order: int, sums: tuple[torch.Tensor, ...]) -> bool:
    """Count and add, unless there is nothing that the kernel reads, or a sum would be rounded."""
    if segments is None:
        return False
    layout = bleu_layout(order, Counting(tokenizer, "mixed", "closest-first", "exact"))
    stats = find_engine().count(segments, layout).total()
    return add_exactly(sums, (stats.matches, stats.totals, stats.candidate_length, stats.reference_length))


def _find_tokenizer(tokenizer: Any, sacre: Any) -> tuple[str, bool]:
    """Name the kernel's tokenizer for an unchanged one of torchmetrics, if there is one, and whether it lowers."""
    if type(tokenizer) is not sacre:
        return "", False
    function = getattr(tokenizer.tokenize_fn, "__func__", None)
    if getattr(function, "__module__", "") != SACRE_HOME:
        return "", False
    return SPLITTERS.get(getattr(function, "__name__", ""), ""), bool(tokenizer.lowercase)


def _pair_texts(kernel: ModuleType, preds: Any, target: Any, name: str, lowers: bool) -> Segments | None:
    """Return the texts for the kernel to split, or None if it would split them in another way."""
    candidates = list(preds)
    references = kernel.pair_texts(list(target)) if kernel.are_plain_texts(candidates) else None
    if references is None:
        return None
    if name == "13a" and any(map(_ends_in_hyphen, chain(candidates, chain.from_iterable(references)))):
        return None
    if not lowers:
        return Segments(candidates, references)

    def lower(text: str) -> str:
        return " ".join(kernel.tokenize(text, name)).lower()

    return Segments(list(map(lower, candidates)), [tuple(map(lower, texts)) for texts in references])


def _ends_in_hyphen(text: str) -> bool:
    """Whether a hyphen stands before a line feed at the end, which sacreBLEU keeps and torchmetrics removes."""
    return text[-1:].isspace() and text.rstrip().endswith(("-", "<skipped>"))


def _split(preds: Any, target: Any, tokenizer: Tokenizer) -> tuple[list[Any], list[Any]]:
    """Call a tokenizer as often and in the order that torchmetrics does."""
    references = [[tokenizer(line) if line else [] for line in lines] for lines in target]
    return [tokenizer(line) if line else [] for line in preds], references


def _pair_tokens(kernel: ModuleType, candidates: list[Any], references: list[Any]) -> Segments | None:
    """Give the tokens for the kernel to count, or None where any is not a string."""
    snapshot = kernel.TokenSnapshot.take(candidates, references)
    return None if snapshot is None else SnapshotSegments(snapshot, len(candidates))


def _replay(preds: Any, target: Any, columns: tuple[list[Any], list[Any]]) -> Tokenizer:
    """Make a tokenizer that gives once more what a user's gave, which may not be called twice for a text."""
    candidates, references = columns
    lines = chain(chain.from_iterable(target), preds)
    tokens = iter([own for line, own in zip(lines, chain(chain.from_iterable(references), candidates)) if line])
    return lambda _line: next(tokens)
