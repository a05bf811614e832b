"""The metric, where ``sacrebleu.metrics`` has it."""

from __future__ import annotations

from collections.abc import Callable

from bleuprint.compat.sacrebleu.absent import OTHER_METRICS, refuse_absent
from bleuprint.compat.sacrebleu.metrics.base import Metric
from bleuprint.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore

__all__ = ["BLEU", "METRICS", "BLEUScore"]

METRICS: dict[str, type[Metric]] = {"BLEU": BLEU}

__getattr__: Callable[[str], object] = refuse_absent(__name__, OTHER_METRICS)
