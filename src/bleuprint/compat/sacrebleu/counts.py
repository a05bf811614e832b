"""Rows of statistics the way sacreBLEU lays them out, counted by bleuprint's engines.

A row is [candidate length, reference length, matches 1 … N, totals 1 … N], which is bleuprint's own row, too. What is
said of a metric here holds for the drop-in's and for sacreBLEU's own, which is accelerated.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.metrics.bleu.recipe import HIGHEST_ORDER
from bleuprint.metrics.bleu.stats import BleuStats, Counting, bleu_layout
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, Text
from bleuprint.text.tokenizers import tokenize

Row = list[int]

TOKENIZERS = {"none": "whitespace", "zh": "zh", "13a": "13a", "intl": "intl", "char": "char"}
"""sacreBLEU's tokenizers that the engines split with themselves, by the names that they have here."""
COUNTING = ("_cache_references", "_extract_reference_info", "_compute_segment_statistics", "_get_closest_ref_len")
"""The methods that count: if one is somebody else's, the engines stay out of it."""
SCORING = ("_compute_score_from_stats", "compute_bleu")
"""The methods that make a score of statistics."""


def has_own(metric: Any, names: Sequence[str], methods: Mapping[str, Any]) -> bool:
    """Whether these methods of a metric are the tool's own: not of a subclass, not put into class or object."""
    kind, inside = type(metric), vars(metric)
    return all(getattr(kind, name, None) is methods[name] and name not in inside for name in names)


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


class CachedReferences(Sequence[Any]):
    """The reference side, one entry per segment, that many candidates may be counted against.

    References are split with the settings of the moment in which they were given, candidates with those of the moment
    in which they are scored; where both agree the engine does it all. Who looks inside finds what sacreBLEU puts there.
    """

    def __init__(self, metric: Any, entries: list[tuple[Any, ...]], tokenizer: str | None) -> None:
        """Keep references; ``tokenizer`` is the one of the engine that splits as the metric does, if there is one."""
        self._then = copy.copy(metric)
        self._entries, self._tokenizer = entries, tokenizer
        self._texts = entries
        if tokenizer and metric.lowercase:
            self._texts = [tuple(map(str.lower, own)) for own in entries]
        self._lines: list[tuple[Any, ...]] | None = None
        self._prepared: Any = None
        if tokenizer is None:
            self._lines = [tuple(map(metric._preprocess_segment, own)) for own in entries]

    @classmethod
    def of(cls, metric: Any, rows: list[tuple[Any, ...]], tokenizer: str | None) -> CachedReferences | None:
        """Keep the references of every segment and tell the metric their number; None where the engine cannot."""
        entries = drop_missing(rows)
        plain = all(entries) and type(metric.max_ngram_order) is int
        if not plain or not are_plain([text for own in entries for text in own]):
            return None
        metric.num_refs = number_of_references(entries)
        return cls(metric, entries, tokenizer)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        return self._then._extract_reference_info(list(self._split()[index]))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_prepared": None}

    def count_rows(self, metric: Any, texts: list[Any], tokenizer: str | None, *, keep: bool) -> list[Row]:
        """Count candidates, at most as many as there are entries; ``keep`` what was split, for the next ones."""
        order = metric.max_ngram_order
        alike = tokenizer == self._tokenizer and bool(metric.lowercase) == bool(self._then.lowercase)
        if tokenizer and alike and type(order) is int:
            table = self._count_directly(list(map(str.lower, texts)) if metric.lowercase else texts, order, keep)
        else:
            texts = list(map(metric._preprocess_segment, texts))
            lines = self._split()[: len(texts)]
            plain = type(order) is int and are_plain(texts) and are_plain([text for own in lines for text in own])
            if not plain:
                return [metric._compute_segment_statistics(text, own) for text, own in zip(texts, self)]
            table = _count(texts, lines, "whitespace", order)
        return self._forget_higher(as_rows(table, order), order)

    def _split(self) -> list[tuple[Any, ...]]:
        if self._lines is None:
            self._lines = [tuple(map(self._then._preprocess_segment, own)) for own in self._entries]
        return self._lines

    def _count_directly(self, texts: list[Any], order: int, keep: bool) -> StatsTable:
        tokenizer = str(self._tokenizer)
        if keep and len(texts) == len(self):
            layout = _layout(tokenizer, order)
            if self._prepared is None or self._prepared[0] != layout:
                self._prepared = layout, find_engine().prepare(self._texts, layout)
            counted: StatsTable = self._prepared[1].count(texts)
            return counted
        return _count(texts, self._texts[: len(texts)], tokenizer, order)

    def _forget_higher(self, rows: list[Row], order: int) -> list[Row]:
        """Match nothing above the order up to which the references were counted, if the metric has a higher one now."""
        counted = max(0, self._then.max_ngram_order)
        if counted < order:
            for row in rows:
                row[2 + counted : 2 + order] = [0] * (order - counted)
        return rows


def count_sentence(metric: Any, candidate: Any, references: Any, tokenizer: str | None) -> Row | None:
    """Count a single segment at once, where nothing is unusual about it; its references are streams of one text."""
    own: list[Any] = [stream[0] if type(stream) is list and len(stream) == 1 else None for stream in references]
    if None in own:
        return None
    if metric.lowercase:
        if not all(type(text) is str for text in (candidate, *own)):
            return None
        candidate, own = candidate.lower(), [text.lower() for text in own]
    order = metric.max_ngram_order
    if tokenizer is None or type(order) is not int or not 1 <= order <= HIGHEST_ORDER:
        return None
    scored = find_engine().score_one(candidate, own, _recipe(tokenizer, order))
    if scored is None:
        return None
    metric.num_refs = len(scored[2])
    return list(scored[0])


@cache
def _recipe(tokenizer: str, order: int) -> Recipe:
    return Recipe.named("sacrebleu").replace(tokenizer=tokenizer, order=order)


def as_rows(table: StatsTable, order: int) -> list[Row]:
    """Give rows of Python's integers; an order below 1 has lengths only."""
    numbers, width = table.numbers.tolist(), table.width
    kept = width if order >= 1 else 2
    return [numbers[start : start + kept] for start in range(0, len(numbers), width)]


def sum_rows(rows: Any) -> Row | None:
    """Add rows of whole numbers; None where they are of anything else, which may round, or of different lengths."""
    if type(rows) is not list or len(rows) < 2:
        return None
    try:
        sums = list(map(sum, zip(*rows, strict=True)))
    except (TypeError, ValueError):
        return None
    return sums if all(type(number) is int for number in sums) else None


def split(text: str, tokenizer: str) -> str:
    """Tokenise a text and join its tokens by spaces."""
    return " ".join(map(str, tokenize(text, tokenizer, "mixed")))


def _layout(tokenizer: str, order: int) -> Layout[BleuStats]:
    return bleu_layout(max(1, order), Counting(tokenizer, "mixed", "closest", "exact"))


def _count(texts: list[Text], entries: list[tuple[Text, ...]], tokenizer: str, order: int) -> StatsTable:
    return find_engine().count(Segments(texts, entries), _layout(tokenizer, order))
