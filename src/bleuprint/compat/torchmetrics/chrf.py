"""``CHRFScore`` and ``chrf_score`` of torchmetrics, counted by the engine.

torchmetrics chooses a segment's reference by scores of 32-bit floats. So every reference is counted on its own, and the
scores are made of tensors here, too, all at once and with the same operations.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch

from bleuprint.compat.torchmetrics.updates import add_exactly, is_sum, makes_plain_floats, pair_texts, prefer
from bleuprint.engines import find_engine
from bleuprint.metrics.chrf.counting import ChrfCounting, chrf_layout
from bleuprint.metrics.chrf.formula import EACH_ORDER
from bleuprint.metrics.chrf.recipe import HIGHEST_BETA, HIGHEST_ORDER
from bleuprint.text.segments import Segments, Text

FUNCTION = "_chrf_score_update"
HOME = "torchmetrics.functional.text.chrf"

Row = list[int]


def make_update(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that replaces torchmetrics'."""
    home = import_module(HOME)
    validate = home._validate_inputs

    def update(preds: Any, target: Any, *given: Any) -> Any:
        # by order, the n-grams of candidates, first of characters, then of words; those of references; and matches
        sums, (characters, words, orders, beta, lowercase, whitespace, *rest) = given[:6], given[6:]
        if not _are_usual(characters, words, orders, beta) or not _hold_counts(sums, characters, words):
            return None
        paired = pair_texts(validate, preds, target) if makes_plain_floats() else None
        if paired is None:
            return None
        rows = _count(*paired, characters, words, lowercase, whitespace)
        scores = _score(rows, characters, orders, beta, home._EPS_SMOOTHING)
        chosen = _choose(scores, list(map(len, paired[1])))
        parts = [part for own in sums for part in own.values()]
        if not add_exactly(parts, _total(rows, chosen, characters, words)):
            return None
        sentence_scores = rest[0] if rest else None
        if sentence_scores is not None:
            sentence_scores += [torch.tensor([score]) for _, score in chosen]
        return (*sums, sentence_scores)

    return prefer(update, theirs)


def _are_usual(characters: object, words: object, orders: object, beta: object) -> bool:
    return (
        type(characters) is type(words) is int
        and 1 <= characters <= HIGHEST_ORDER
        and 0 <= words <= HIGHEST_ORDER
        and orders == characters + words
        and type(beta) in (int, float)
        and 0 <= beta <= HIGHEST_BETA  # type: ignore[operator]
    )


def _hold_counts(sums: Any, characters: int, words: int) -> bool:
    """Whether the sums are what torchmetrics makes: a float for each order, by its number."""
    return all(
        type(own) is dict and list(own) == list(range(1, highest + 1)) and all(map(is_sum, own.values()))
        for own, highest in zip(sums, (characters, words) * 3, strict=True)
    )


def _count(
    candidates: list[str], entries: list[list[str]], characters: int, words: int, lowercase: object, whitespace: object
) -> list[Row]:
    """Count every candidate against each of its references."""
    change: Callable[[str], str] = str.lower if lowercase else str
    texts: list[Text] = [change(text) for text, own in zip(candidates, entries, strict=True) for _ in own]
    references: list[tuple[Text, ...]] = [(change(text),) for own in entries for text in own]
    counting = ChrfCounting(
        "mixed", characters, words, "kept" if whitespace else "spaces-removed", "always", "counted", 1.0, EACH_ORDER
    )
    table = find_engine().count(Segments(texts, references), chrf_layout(counting))
    numbers, width = table.numbers.tolist(), table.width
    return [numbers[start + 2 : start + width] for start in range(0, len(numbers), width)]


def _score(rows: list[Row], characters: int, orders: float, beta: float, epsilon: torch.Tensor) -> list[float]:
    """Score every pair, operation by operation as torchmetrics does."""
    counts = torch.tensor(rows, dtype=torch.get_default_dtype())
    matches, candidate, reference = counts.tensor_split(3, dim=1)
    zero = torch.tensor(0.0)
    precision = torch.where(candidate > 0, matches / candidate, zero)
    recall = torch.where(reference > 0, matches / reference, zero)
    denominator = torch.max(beta**2 * precision + recall, epsilon)
    terms = (1 + beta**2) * precision * recall / denominator
    of_characters = of_words = torch.zeros(len(rows))
    for place, term in enumerate(terms.unbind(dim=1)):
        if place < characters:
            of_characters = of_characters + term
        else:
            of_words = of_words + term
    scores: list[float] = ((of_characters + of_words) / torch.tensor(orders)).tolist()
    return scores


def _choose(scores: list[float], numbers: list[int]) -> list[tuple[int, float]]:
    """Of each segment's pairs give the first with the highest score, and that score."""
    chosen, start = [], 0
    for number in numbers:
        best = max(scores[start : start + number])
        chosen.append((scores.index(best, start), best))
        start += number
    return chosen


def _total(rows: list[Row], chosen: list[tuple[int, float]], characters: int, words: int) -> Row:
    """Sum each column, in the order of torchmetrics' sums; if nothing matches, only the candidate counts."""
    orders = characters + words
    totals = [0] * (3 * orders)
    for place, score in chosen:
        row = rows[place]
        counted = row if score > 0 else [0] * orders + row[orders : 2 * orders] + [0] * orders
        totals = list(map(int.__add__, totals, counted))
    return totals[orders:] + totals[:orders]
