"""BLEU's rows the way sacreBLEU lays them out, counted by bleuprint's engines.

A row is [candidate length, reference length, matches 1 … N, totals 1 … N], which is bleuprint's own row, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.counts import (
    PREPARING,
    Entries,
    KeptReferences,
    MetricCounts,
    Row,
    has_own,
    list_texts,
)
from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.metrics.bleu.counting import BleuStats, Counting, bleu_layout
from bleuprint.metrics.bleu.recipe import HIGHEST_ORDER
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, are_plain
from bleuprint.text.tokenizers import tokenize

TOKENIZERS = {"none": "whitespace", "zh": "zh", "13a": "13a", "intl": "intl", "char": "char"}
"""sacreBLEU's tokenizers that the engines split with themselves, by the names that they have here."""


class BleuReferences(KeptReferences):
    """References of BLEU: split by the engine where it splits as the metric does, else by the metric."""

    def __init__(self, metric: Any, entries: Entries, tokenizer: str | None) -> None:
        """Keep references; ``tokenizer`` is the one of the engine that splits as the metric does, if there is one."""
        super().__init__(metric, entries)
        self.tokenizer: str | None = tokenizer
        if tokenizer is None:
            self.split()
        elif metric.lowercase:
            self.texts: Entries = [tuple(map(str.lower, own)) for own in entries]

    def count_rows(self, metric: Any, texts: list[Any], tokenizer: str | None, *, keep: bool) -> list[Row]:
        """Count candidates, at most as many as there are entries; ``keep`` what was split, for the next ones."""
        order = metric.max_ngram_order
        alike = tokenizer == self.tokenizer and bool(metric.lowercase) == bool(self.then.lowercase)
        if tokenizer and alike and type(order) is int:
            lowered = list(map(str.lower, texts)) if metric.lowercase else texts
            table = self.count_texts(lowered, _layout(tokenizer, order), keep=keep)
        else:
            texts = list(map(metric._preprocess_segment, texts))
            lines = self.split()[: len(texts)]
            plain = type(order) is int and are_plain(texts) and are_plain(list_texts(lines))
            if not plain:
                return [metric._compute_segment_statistics(text, own) for text, own in zip(texts, self)]
            table = find_engine().count(Segments(texts, lines), _layout("whitespace", order))
        return self._forget_higher(as_rows(table, order), order)

    def _forget_higher(self, rows: list[Row], order: int) -> list[Row]:
        """Match nothing above the order up to which the references were counted, if the metric has a higher one now."""
        counted = max(0, self.then.max_ngram_order)
        if counted < order:
            for row in rows:
                row[2 + counted : 2 + order] = [0] * (order - counted)
        return rows


class BleuCounts(MetricCounts):
    """How the engines count for BLEU."""

    COUNTING: ClassVar[tuple[str, ...]] = (
        "_cache_references",
        "_extract_reference_info",
        "_compute_segment_statistics",
        "_get_closest_ref_len",
    )
    SCORING: ClassVar[tuple[str, ...]] = ("_compute_score_from_stats", "compute_bleu")

    def __init__(self, kind: Any, name_tokenizer: Callable[[Any], str | None]) -> None:
        """Take the metric's class, and who names what the engine splits with as a tokenizer of the tool does."""
        super().__init__(kind)
        self._name_tokenizer = name_tokenizer

    def scores_itself(self, metric: Any) -> bool:
        """Whether a metric makes scores of statistics as the tool does, of at least one order."""
        order = metric.max_ngram_order
        return super().scores_itself(metric) and type(order) is int and order >= 1

    def keep_entries(self, metric: Any, entries: Entries) -> KeptReferences | None:
        """Keep references that are plain."""
        if type(metric.max_ngram_order) is not int:
            return None
        return BleuReferences(metric, entries, self._find_tokenizer(metric))

    def count_rows(self, metric: Any, texts: list[Any], side: Any, *, keep: bool) -> list[Row] | None:
        """Count candidates that are plain."""
        rows: list[Row] = side.count_rows(metric, texts, self._find_tokenizer(metric), keep=keep)
        return rows

    def count_sentence(self, metric: Any, candidate: Any, references: Any) -> Row | None:
        """Count a single segment at once, where nothing is unusual about it; its references are streams of one text."""
        own: list[Any] = [stream[0] if type(stream) is list and len(stream) == 1 else None for stream in references]
        if None in own:
            return None
        if metric.lowercase:
            if not all(type(text) is str for text in (candidate, *own)):
                return None
            candidate, own = candidate.lower(), [text.lower() for text in own]
        order, tokenizer = metric.max_ngram_order, self._find_tokenizer(metric)
        if tokenizer is None or type(order) is not int or not 1 <= order <= HIGHEST_ORDER:
            return None
        scored = find_engine().score_one(candidate, own, _recipe(tokenizer, order))
        if scored is None:
            return None
        metric.num_refs = len(scored[-1])
        return list(scored[0])

    def score_sums(self, sums: Any, metric: Any) -> list[Any]:
        """Score every row of sums, as the metric would one by one, to the last bit."""
        from bleuprint.compat.sacrebleu.resampled_scores import score_bleu

        return score_bleu(sums, metric)

    def _find_tokenizer(self, metric: Any) -> str | None:
        """Name the tokenizer that the engine can use in place of ``_preprocess_segment``, if it can."""
        return self._name_tokenizer(metric.tokenizer) if has_own(metric, (PREPARING,), self.own) else None


def name_tokenizers(names: Mapping[Any, str]) -> Callable[[object], str | None]:
    """Return a function that names the engine's tokenizer for an object of one of these classes, if it is unchanged."""
    methods = {kind: kind.__call__ for kind in names}

    def name(tokenizer: object) -> str | None:
        kind: Any = type(tokenizer)
        return names[kind] if kind in methods and kind.__call__ is methods[kind] else None

    return name


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


def _layout(tokenizer: str, order: int) -> Layout[BleuStats]:
    return bleu_layout(max(1, order), Counting(tokenizer, "mixed", "closest", "exact"))
