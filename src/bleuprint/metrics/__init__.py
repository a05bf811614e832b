"""Metrics: one package each, with the same modules. What explains or searches is looked up here and called directly."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from types import ModuleType

    from bleuprint.metrics.metric import Metric


def module_of(metric: Metric, topic: Literal["changes", "counting", "explain", "sacrebleu", "search"]) -> ModuleType:
    """Return the module of a metric on some topic; each metric of texts has the same functions there.

    >>> from bleuprint.recipes.registry import find_metric
    >>> module_of(find_metric("ter"), "explain").__name__
    'bleuprint.metrics.ter.explain'
    """
    if not metric.counts_texts:
        from bleuprint.errors import BleuprintError

        raise BleuprintError(
            f"bleuprint has only scores of {metric.name}.",
            "Tokens, n-grams and explanations exist for bleu, chrf and ter.",
        )
    return import_module(f"bleuprint.metrics.{metric.key}.{topic}")
