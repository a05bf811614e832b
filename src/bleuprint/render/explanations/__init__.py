"""How explanations are shown: every metric has a room of its own here, with the same modules in each.

``phrases`` has its sentences and formulas, which templates of HTML use, too; ``lines`` what Markdown and CSV write;
``terminal`` its layout for the terminal, which alone needs rich.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from bleuprint.findings.explanation import Explanation


class NgramLimit(NamedTuple):
    """How many n-grams of each order to list, where somebody says so."""

    highest: int | None
    """None for all"""


USUAL_NGRAMS = NgramLimit(8)
"""What the terminal lists of BLEU where nobody says."""


def find_module(explanation: Explanation, name: str) -> Any:
    """Find a module in the room of the metric that is explained."""
    return import_module(f"{__name__}.{explanation.score.metric.key}.{name}")
