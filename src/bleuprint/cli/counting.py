"""Counting for commands: with a progress bar where somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from bleuprint.corpus import count_for
from bleuprint.recipe import Counting, Recipe
from bleuprint.segments import Segments
from bleuprint.stats import StatsTable

CHUNK = 2_000


def count_corpus(segments: Segments, recipes: Sequence[Recipe]) -> dict[Counting, StatsTable]:
    """Count a corpus chunk by chunk; on a terminal a long one shows its progress."""
    tables: dict[Counting, StatsTable] = {}
    starts = range(0, len(segments), CHUNK)
    hidden = not sys.stderr.isatty() or len(starts) < 3
    with click.progressbar(starts, label="counting", file=sys.stderr, hidden=hidden) as chunks:
        for start in chunks:
            for counting, table in count_for(segments.slice(start, start + CHUNK), recipes).items():
                if counting in tables:
                    tables[counting].extend(table)
                else:
                    tables[counting] = table
    return tables
