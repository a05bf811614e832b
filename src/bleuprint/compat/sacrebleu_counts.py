"""Rows of statistics the way sacreBLEU lays them out, counted by bleuprint's engines.

A row is [candidate length, reference length, matches 1 … N, totals 1 … N], which is bleuprint's own row, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from typing import Any, cast

from bleuprint.engines import count_segments, prepare_references, score_segment
from bleuprint.engines.python import count_segment
from bleuprint.native_kernel import find_kernel
from bleuprint.recipe import HIGHEST_ORDER, Counting, Recipe
from bleuprint.segments import Segment, Segments, Text
from bleuprint.stats import StatsTable
from bleuprint.tokenizer_table import PRETOKENIZED
from bleuprint.tokenizers import tokenize

Row = list[int]
Preprocess = Callable[[Any], Any]
"""From a text as it was given to one in which only white space separates tokens."""

TOKENIZERS = {"none": "whitespace", "zh": "zh", "13a": "13a", "intl": "intl", "char": "char"}
"""sacreBLEU's tokenizers that the engines split with themselves, by the names that they have here."""


def are_plain(texts: list[Any]) -> bool:
    """Whether all of them are strings, and of a kind that the engine can read."""
    kernel = find_kernel()
    if kernel is None:
        return all(type(text) is str for text in texts)
    plain: bool = kernel.are_plain_texts(texts)
    return plain


def drop_missing(entries: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Leave out the references that are None."""
    return [tuple(text for text in entry if text is not None) if None in entry else entry for entry in entries]


def number_of_references(entries: Sequence[tuple[Any, ...]]) -> int:
    """Give the number of references that every segment has, or -1 where it varies."""
    numbers = set(map(len, entries))
    return numbers.pop() if len(numbers) == 1 else -1


class References:
    """The reference side, one entry per segment, that many candidates may be counted against.

    Texts that the engine can read are handed over as they are and split once; all others are preprocessed here.
    """

    def __init__(
        self, entries: list[tuple[Any, ...]], tokenizer: str | None, lowercase: bool, preprocess: Preprocess
    ) -> None:
        self._tokenizer, self._lowercase, self._preprocess = tokenizer, lowercase, preprocess
        self._direct = tokenizer is not None and all(entries) and are_plain([text for own in entries for text in own])
        if not self._direct:
            entries = [tuple(map(preprocess, own)) for own in entries]
        elif lowercase:
            entries = [tuple(map(str.lower, own)) for own in entries]
        self._entries, self._prepared = entries, cast("Any", None)

    def __len__(self) -> int:
        return len(self._entries)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_prepared": None}

    def count(self, candidates: Sequence[Any], order: int, *, keep: bool = False) -> list[Row]:
        """Count as many segments as both sides have; ``keep`` what was split, for the next candidates."""
        texts = list(islice(candidates, len(self)))
        if self._direct and are_plain(texts):
            return as_rows(self._count_directly(texts, order, keep), order)
        entries = self._entries[: len(texts)]
        if self._direct:
            entries = [tuple(map(self._preprocess, own)) for own in entries]
        texts = list(map(self._preprocess, texts))
        if all(entries) and are_plain(texts) and are_plain([text for own in entries for text in own]):
            return as_rows(_count(texts, entries, "whitespace", order), order)
        return [_count_one(text, own, order) for text, own in zip(texts, entries, strict=True)]

    def _count_directly(self, texts: list[Any], order: int, keep: bool) -> StatsTable:
        tokenizer = str(self._tokenizer)
        if self._lowercase:
            texts = list(map(str.lower, texts))
        if keep and len(texts) == len(self):
            self._prepared = self._prepared or prepare_references(self._entries, _counting(tokenizer))
            if self._prepared:
                counted: StatsTable = self._prepared.count(texts, max(1, order), None)
                return counted
        return _count(texts, self._entries[: len(texts)], tokenizer, order)


def count_quickly(candidate: Any, references: Any, tokenizer: str | None, order: Any) -> tuple[Row, int] | None:
    """Count one segment in which nothing is unusual, and its references; or give None."""
    if tokenizer is None or type(order) is not int or not 1 <= order <= HIGHEST_ORDER or type(references) is not list:
        return None
    scored = score_segment(candidate, references, _recipe(tokenizer, order))
    return None if scored is None else (list(scored[0]), len(scored[2]))


@cache
def _recipe(tokenizer: str, order: int) -> Recipe:
    return Recipe.named("sacrebleu").replace(tokenizer=tokenizer, order=order)


def as_rows(table: StatsTable, order: int) -> list[Row]:
    """Give rows of Python's integers; an order below 1 has lengths only."""
    numbers, width = table.numbers.tolist(), table.width
    kept = width if order >= 1 else 2
    return [numbers[start : start + kept] for start in range(0, len(numbers), width)]


def split(text: str, tokenizer: str) -> str:
    """Tokenise a text and join its tokens by spaces."""
    return " ".join(map(str, tokenize(text, tokenizer, "mixed")))


def _counting(tokenizer: str) -> Counting:
    return Counting(tokenizer, "mixed", "closest", "exact")


def _count(texts: list[Text], entries: list[tuple[Text, ...]], tokenizer: str, order: int) -> StatsTable:
    return count_segments(Segments(texts, entries), _counting(tokenizer), max(1, order))


def _count_one(text: Any, references: tuple[Any, ...], order: int) -> Row:
    """Count a segment that no engine reads: not strings, lone surrogates, or no reference at all."""
    tokens = tuple(text.split())
    if not references:
        if tokens and order >= 1:
            raise TypeError("a segment has no reference: all of its streams hold None there")
        return [len(tokens), -1, *[0] * (2 * max(0, order))]
    segment = Segment(tokens, tuple(tuple(reference.split()) for reference in references))
    row = count_segment(segment, _counting(PRETOKENIZED), max(1, order)).to_row()
    return list(row[: 2 + 2 * max(0, order)])
