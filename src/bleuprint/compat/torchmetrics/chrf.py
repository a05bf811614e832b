"""``CHRFScore`` and ``chrf_score`` of torchmetrics, counted by the engine.

torchmetrics chooses a segment's reference by scores of 32-bit floats. So every reference is counted on its own, and the
scores are made of tensors here, too, all at once and with the same operations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import torch

from bleuprint.compat.plain_texts import are_plain
from bleuprint.compat.torchmetrics.sums import EXACT, is_sum, makes_plain_floats, pair_texts, stays_exact
from bleuprint.engines import find_engine
from bleuprint.metrics.chrf.recipe import EACH_ORDER, HIGHEST_BETA, HIGHEST_ORDER
from bleuprint.metrics.chrf.stats import ChrfCounting, chrf_layout
from bleuprint.text.segments import Segments

FUNCTION = "_chrf_score_update"
HOME = "torchmetrics.functional.text.chrf"
MODULES = (HOME, "torchmetrics.text.chrf")

Update = Callable[..., Any]
Row = list[int]
Sums = tuple[dict[int, torch.Tensor], ...]
"""By order: n-grams of candidates, first of characters, then of words; the same of references, and matches."""


def make_update(own: Update) -> Update:
    """Write torchmetrics' counting function anew; ``own`` is the one that it has."""
    home = import_module(HOME)
    validate = home._validate_inputs

    @wraps(own)
    def update(
        preds: Any,
        target: Any,
        total_preds_char_n_grams: dict[int, torch.Tensor],
        total_preds_word_n_grams: dict[int, torch.Tensor],
        total_target_char_n_grams: dict[int, torch.Tensor],
        total_target_word_n_grams: dict[int, torch.Tensor],
        total_matching_char_n_grams: dict[int, torch.Tensor],
        total_matching_word_n_grams: dict[int, torch.Tensor],
        n_char_order: int,
        n_word_order: int,
        n_order: float,
        beta: float,
        lowercase: bool,
        whitespace: bool,
        sentence_chrf_score: list[torch.Tensor] | None = None,
    ) -> Any:
        sums = (
            total_preds_char_n_grams,
            total_preds_word_n_grams,
            total_target_char_n_grams,
            total_target_word_n_grams,
            total_matching_char_n_grams,
            total_matching_word_n_grams,
        )
        orders = (n_char_order, n_word_order)
        rest = (*orders, n_order, beta, lowercase, whitespace, sentence_chrf_score)
        if not _are_usual(*orders, n_order, beta) or not _hold_counts(sums, *orders) or not makes_plain_floats():
            return own(preds, target, *sums, *rest)
        paired = pair_texts(validate, preds, target)
        texts = paired and _list_pairs(*paired, lowercase)
        if paired is None or texts is None:
            return own(preds, target, *sums, *rest)
        rows = _count(*texts, *orders, whitespace)
        scores = _score(rows, n_char_order, n_order, beta, home._EPS_SMOOTHING)
        chosen = _choose(scores, list(map(len, paired[1])))
        if not _add(sums, _total(rows, chosen, *orders)):
            return own(preds, target, *sums, *rest)
        if sentence_chrf_score is not None:
            sentence_chrf_score += [torch.tensor([score]) for _, score in chosen]
        return (*sums, sentence_chrf_score)

    return update


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


def _list_pairs(
    candidates: list[str], entries: list[list[str]], lowers: bool
) -> tuple[list[str], list[tuple[str, ...]]] | None:
    """Put each candidate beside each of its references; None where a text is not plain."""
    texts = [text for text, own in zip(candidates, entries, strict=True) for _ in own]
    references = [text for own in entries for text in own]
    if not are_plain(texts + references):
        return None
    if lowers:
        texts, references = list(map(str.lower, texts)), list(map(str.lower, references))
    return texts, [(text,) for text in references]


def _count(
    texts: list[str], references: list[tuple[str, ...]], characters: int, words: int, whitespace: object
) -> list[Row]:
    counting = ChrfCounting(
        "mixed", characters, words, "kept" if whitespace else "spaces-removed", "always", "counted", 1.0, EACH_ORDER
    )
    table = find_engine().count(Segments(list(texts), [*references]), chrf_layout(counting))
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


def _total(rows: list[Row], chosen: list[tuple[int, float]], characters: int, words: int) -> list[list[int]]:
    """Sum each column, in the order of torchmetrics' sums; where nothing matches, the candidate alone counts."""
    orders = characters + words
    totals = [0] * (3 * orders)
    for place, score in chosen:
        row = rows[place]
        counted = row if score > 0 else [0] * orders + row[orders : 2 * orders] + [0] * orders
        totals = list(map(int.__add__, totals, counted))
    matches, candidate, reference = (totals[start : start + orders] for start in range(0, 3 * orders, orders))
    return [part for own in (candidate, reference, matches) for part in (own[:characters], own[characters:])]


def _add(sums: Sums, totals: list[list[int]]) -> bool:
    """Add in place what torchmetrics would add one by one, unless a float would round on the way."""
    pairs = list(zip([part for own in sums for part in own.values()], [n for own in totals for n in own], strict=True))
    if not all(stays_exact([float(part)], [added], EXACT[part.dtype]) for part, added in pairs):
        return False
    for part, added in pairs:
        part += added
    return True
