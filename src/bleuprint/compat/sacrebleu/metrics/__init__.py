"""The metrics, where ``sacrebleu.metrics`` has them."""

from __future__ import annotations

from typing import Any

from bleuprint.compat.sacrebleu.metrics.base import Metric
from bleuprint.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from bleuprint.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from bleuprint.compat.sacrebleu.metrics.ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

METRICS: dict[str, type[Metric[Any]]] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
