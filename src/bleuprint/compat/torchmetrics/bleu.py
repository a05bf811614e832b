"""``BLEUScore``, ``SacreBLEUScore`` and their functions in torchmetrics, counted by the kernel.

Where the tokenizer is not one of torchmetrics' own, it is asked for every text as before, and only the counting of its
tokens is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, NamedTuple

import torch

from bleuprint.compat.torchmetrics.sums import BUILT_IN, EXACT, stays_exact
from bleuprint.engines import find_engine
from bleuprint.metrics.bleu.recipe import HIGHEST_ORDER
from bleuprint.metrics.bleu.stats import BleuStats, Counting, bleu_layout
from bleuprint.native_kernel import find_kernel
from bleuprint.text.segments import Segments, SnapshotSegments
from bleuprint.text.tokenizers.registry import PRETOKENIZED

FUNCTION = "_bleu_score_update"
HOME = "torchmetrics.functional.text.bleu"
SACRE_HOME = "torchmetrics.functional.text.sacre_bleu"
MODULES = (HOME, SACRE_HOME, "torchmetrics.text.bleu", "torchmetrics.text.sacre_bleu")
SPLITTERS = {"_tokenize_base": "whitespace", "_tokenize_13a": "13a", "_tokenize_zh": "zh", "_tokenize_char": "char"}
"""torchmetrics' tokenizers that the kernel has, too. Not intl: its classes are those of the package regex at hand."""

Tokenizer = Callable[[str], Sequence[str]]
Update = Callable[..., tuple[torch.Tensor, torch.Tensor]]


class Splitting(NamedTuple):
    """How the kernel splits as a tokenizer of torchmetrics does: first by name, then lowered."""

    name: str
    lowers: bool


def make_update(own: Update) -> Update:
    """Write torchmetrics' counting function anew; ``own`` is the one that it has."""
    plain: Tokenizer = import_module(HOME)._tokenize_fn
    sacre: type = import_module(SACRE_HOME)._SacreBLEUTokenizer

    @wraps(own)
    def update(
        preds: Any,
        target: Any,
        numerator: torch.Tensor,
        denominator: torch.Tensor,
        preds_len: torch.Tensor,
        target_len: torch.Tensor,
        n_gram: int = 4,
        tokenizer: Tokenizer = plain,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        sums = (numerator, denominator, preds_len, target_len)
        kernel = find_kernel()
        if kernel is None or not _are_usual(preds, target) or not _hold_counts(sums, n_gram):
            return own(preds, target, *sums, n_gram, tokenizer)
        splitting = Splitting("whitespace", False) if tokenizer is plain else _find_splitting(tokenizer, sacre)
        if splitting:
            segments = _pair_texts(kernel, preds, target, splitting)
        else:
            columns = _split(preds, target, tokenizer)
            segments = _pair_tokens(kernel, *columns)
            tokenizer = _replay(preds, target, columns)
        if segments is None or not _add(sums, _count(segments, splitting, n_gram)):
            return own(preds, target, *sums, n_gram, tokenizer)
        return preds_len, target_len

    return update


def _are_usual(preds: Any, target: Any) -> bool:
    """Whether there are two lists of one length, each entry of the second being a list, as the documentation asks."""
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
    shapes = ((n_gram,), (n_gram,), (), ())
    return all(
        isinstance(part, torch.Tensor) and part.dtype in EXACT and tuple(part.shape) == shape
        for part, shape in zip(sums, shapes, strict=True)
    )


def _find_splitting(tokenizer: object, sacre: type) -> Splitting | None:
    """Name the kernel's tokenizer for an unchanged one of torchmetrics, if it has one."""
    if type(tokenizer) is not sacre:
        return None
    function = getattr(tokenizer.tokenize_fn, "__func__", None)  # type: ignore[attr-defined]
    name = SPLITTERS.get(getattr(function, "__name__", ""))
    is_own = getattr(function, "__module__", "") == SACRE_HOME
    return Splitting(name, bool(tokenizer.lowercase)) if name and is_own else None  # type: ignore[attr-defined]


def _pair_texts(kernel: ModuleType, preds: Any, target: Any, splitting: Splitting) -> Segments | None:
    """Give the texts for the kernel to split, or None where it would split them in another way."""
    candidates = list(preds)
    references = kernel.pair_texts(list(target)) if kernel.are_plain_texts(candidates) else None
    if references is None:
        return None
    if splitting.name == "13a" and any(map(_ends_in_hyphen, chain(candidates, chain.from_iterable(references)))):
        return None
    if not splitting.lowers:
        return Segments(candidates, references)

    def lower(text: str) -> str:
        return " ".join(kernel.tokenize(text, splitting.name)).lower()

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


def _count(segments: Segments, splitting: Splitting | None, order: int) -> BleuStats:
    name = PRETOKENIZED if splitting is None else "whitespace" if splitting.lowers else splitting.name
    layout = bleu_layout(order, Counting(name, "mixed", "closest-first", "exact"))
    return find_engine().count(segments, layout).total()  # type: ignore[no-any-return]


def _add(sums: tuple[torch.Tensor, ...], stats: BleuStats) -> bool:
    """Add in place what torchmetrics would add one by one, unless a float would round on the way."""
    counts = (stats.matches, stats.totals, (stats.candidate_length,), (stats.reference_length,))
    for part, added in zip(sums, counts, strict=True):
        if not stays_exact(part.reshape(-1).tolist(), added, EXACT[part.dtype]):
            return False
    for part, added in zip(sums, counts, strict=True):
        part += torch.tensor(added, dtype=part.dtype, device=part.device).reshape(part.shape)
    return True
