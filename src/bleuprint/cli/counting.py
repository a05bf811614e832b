"""Counting for commands: with a progress bar where somebody is watching."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import click

from bleuprint.corpus import count_for, pair_for
from bleuprint.errors import BleuprintError
from bleuprint.formats import Corpus
from bleuprint.recipe import Counting, Recipe
from bleuprint.segments import Segments
from bleuprint.stats import StatsTable

CHUNK = 2_000


def pair_corpus(corpus: Corpus, recipes: Sequence[Recipe]) -> Segments:
    """Check what the files held; an error names the file and the line."""
    try:
        return pair_for(corpus.candidates, corpus.references, recipes)
    except BleuprintError as error:
        found = re.match(r"(?:candidates|references)\[(\d+)\]", error.where)
        if found is None:
            raise
        where = f"{corpus.place(int(found[1]))} ({error.where})"
        next_step = error.next_step
        if recipes[0].is_pretokenized and isinstance(corpus.candidates[0], str):
            next_step = "Lines of text hold no tokens: use tokenizer whitespace, or JSONL with lists of tokens."
        raise type(error)(where=where, wanted=error.wanted, got=error.got, next_step=next_step) from None


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
