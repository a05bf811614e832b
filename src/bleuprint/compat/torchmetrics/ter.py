"""``TranslationEditRate`` and ``translation_edit_rate`` of torchmetrics, counted by the engine."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch

from bleuprint.compat.torchmetrics.updates import add_exactly, is_sum, makes_plain_floats, pair_texts, prefer
from bleuprint.engines import find_engine
from bleuprint.metrics.ter.counting import MOST_AVERAGED, PARTS, TerCounting, ter_layout
from bleuprint.text.segments import Segments

FUNCTION = "_ter_update"
HOME = "torchmetrics.functional.text.ter"
LAYOUT = ter_layout(TerCounting("mixed", "no", "no", "keep", "once", "reference", 9, "no-edits"))
"""Of texts that are prepared already."""


def make_update(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that replaces torchmetrics'."""
    home = import_module(HOME)
    validate, tercom = home._validate_inputs, home._TercomTokenizer
    split = tercom.__call__

    def update(
        preds: Any,
        target: Any,
        tokenizer: Any,
        total_num_edits: torch.Tensor,
        total_tgt_length: torch.Tensor,
        sentence_ter: list[torch.Tensor] | None = None,
    ) -> Any:
        sums = (total_num_edits, total_tgt_length)
        usual = type(tokenizer) is tercom and tercom.__call__ is split and all(map(is_sum, sums))
        paired = pair_texts(validate, preds, target) if usual and makes_plain_floats() else None
        if paired is None or max(map(len, paired[1])) > MOST_AVERAGED:
            return None
        edits, lengths = _count(_prepare(*paired, tokenizer))
        if not add_exactly([total_num_edits], [sum(edits)]):
            return None
        _add_lengths(total_tgt_length, lengths)
        if sentence_ter is not None:
            sentence_ter += _score(edits, lengths)
        return total_num_edits, total_tgt_length, sentence_ter

    return prefer(update, theirs)


def _prepare(candidates: list[str], entries: list[list[str]], tokenizer: Any) -> Segments:
    """Prepare texts as their tokenizer does, up to white space."""
    change: Callable[[str], str] = str.lower if tokenizer.lowercase else str
    if tokenizer.normalize or tokenizer.no_punctuation:
        change = lambda text: tokenizer(text.rstrip())  # noqa: E731
    return Segments(list(map(change, candidates)), [tuple(map(change, own)) for own in entries])


def _count(segments: Segments) -> tuple[list[int], torch.Tensor]:
    """Give each segment's edits, and the mean length of its references as a float of torch."""
    numbers = find_engine().count(segments, LAYOUT).numbers.tolist()
    starts = range(0, len(numbers), LAYOUT.width)
    edits = [sum(numbers[start + 2 : start + LAYOUT.width]) for start in starts]
    counts = list(map(len, segments.references))
    lengths = [numbers[start + 1] // (PARTS // count) for start, count in zip(starts, counts, strict=True)]
    kind = torch.get_default_dtype()
    return edits, torch.tensor(lengths, dtype=kind) / torch.tensor(counts, dtype=kind)


def _add_lengths(total: torch.Tensor, lengths: torch.Tensor) -> None:
    """Add mean lengths, at once if nothing is rounded, else one by one, as torchmetrics does."""
    values = lengths.tolist()
    if all(value.is_integer() for value in values) and add_exactly([total], [sum(map(int, values))]):
        return
    for length in lengths.unbind():
        total += length


def _score(edits: list[int], lengths: torch.Tensor) -> list[torch.Tensor]:
    """Give the score of each segment: 1 where edits make an empty reference of the candidate."""
    divided = (torch.tensor(edits) / lengths).tolist()
    pairs = zip(edits, lengths.tolist(), divided, strict=True)
    return [torch.tensor([score if length else 1.0] if own else [0.0]) for own, length, score in pairs]
