"""Explanations as blocks. A module per metric has its sentences and formulas, which the templates use as well."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bleuprint.findings.explanation import Explanation
from bleuprint.render.blocks import Block, Signature, list_notes

ALL_NGRAMS = sys.maxsize


def find_module(explanation: Explanation) -> Any:
    """Find the module of the metric that is explained."""
    return import_module(f"{__name__}_{explanation.score.metric.key}")


def build_explanation(explanation: Explanation, ngrams: int | None = None) -> Iterator[Block]:
    """Show how a score came to be, step by step, then its notes and signature.

    At most ``ngrams`` n-grams of each order are listed. Each metric has its own default.
    """
    yield from find_module(explanation).build(explanation, ngrams)
    yield from list_notes(note.text for note in explanation.score.notes)
    yield Signature(explanation.score.signature)


def list_quantities(explanation: Explanation) -> Iterator[tuple[str, object]]:
    """List every number of an explanation with its name, for CSV."""
    yield "quantity", "value"
    yield from find_module(explanation).list_quantities(explanation)
    yield from (("note", note.text) for note in explanation.score.notes)
    yield "signature", explanation.score.signature
