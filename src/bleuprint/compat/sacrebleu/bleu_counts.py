"""BLEU's rows the way sacreBLEU lays them out, counted by bleuprint's engines.

A row is [candidate length, reference length, matches 1 … N, totals 1 … N], which is bleuprint's own row, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from bleuprint.compat.sacrebleu.counts import PREPARING, MetricCounts, Plan, Row, has_own
from bleuprint.counting.layout import Layout
from bleuprint.engines import find_engine
from bleuprint.metrics.bleu.counting import BleuStats, Counting, bleu_layout
from bleuprint.metrics.bleu.recipe import HIGHEST_ORDER
from bleuprint.recipes.recipe import Recipe

TOKENIZERS = {"none": "whitespace", "zh": "zh", "13a": "13a", "intl": "intl", "char": "char"}
"""sacreBLEU's tokenizers that the engines split with themselves, by the names that they have here."""


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

    def find_plan(self, metric: Any) -> Plan | None:
        """Return how the engine counts; it splits by white space if the metric has a tokenizer that it lacks."""
        order, tokenizer = metric.max_ngram_order, self._find_tokenizer(metric)
        if type(order) is not int or not 1 <= order <= HIGHEST_ORDER:
            return None
        layout = bleu_layout(order, Counting(tokenizer or "whitespace", "mixed", "closest", "exact"))
        return Plan(layout, self.find_change(metric, lowers=metric.lowercase) if tokenizer else None)

    def as_rows(self, numbers: list[int], layout: Layout[BleuStats]) -> list[Row]:
        """Return a table row by row."""
        return [numbers[start : start + layout.width] for start in range(0, len(numbers), layout.width)]

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
