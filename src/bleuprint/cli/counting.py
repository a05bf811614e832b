"""Counting for commands: batch by batch, so that memory does not grow, and with progress where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.errors import ShapeError
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.text_notes import text_notes
from bleuprint.scoring.verbs import count_for, pair_for
from bleuprint.text.faults import NO_FAULTS, Faults
from bleuprint.text.formats import RawCorpus
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.text.segments import Segments

CHUNK = 16_384
SAMPLE = 10_000
"""Notes about the texts of a long corpus look at so many of its first segments."""


class SampledSums:
    """What segments add up to, with the first of them for the notes that need texts."""

    def __init__(self, sums: Sums) -> None:
        self.sums: Sums = sums
        self.sample: Segments = Segments([], [])

    def add(self, sums: Sums, sample: Segments) -> None:
        """Add what more segments come to, and what of their texts is kept."""
        self.sums += sums
        self.sample.candidates.extend(sample.candidates)
        self.sample.references.extend(sample.references)

    def score(self, recipe: Recipe, level: str, skipped: Faults = NO_FAULTS) -> AnyScore:
        """Score what was added."""
        sums = self.sums if skipped is NO_FAULTS else self.sums.replace(skipped=skipped)
        return recipe.metric.score_sums(sums, recipe, level=level, segments=self.sample, text_notes=text_notes)


class CorpusTally:
    """What a stream of segments adds up to, for each way of counting: the whole, and each part of it.

    Parts are documents, or what segments have in another column: by the name of that, and by theirs.
    With ``keeps_rows`` it also keeps what every segment counts, which resampling needs.
    """

    def __init__(self, *, keeps_rows: bool = False) -> None:
        self.keeps_rows: bool = keeps_rows
        self.tables: dict[Hashable, StatsTable] = {}
        self.whole: dict[Hashable, SampledSums] = {}
        self.parts: dict[str, dict[Hashable, dict[str, SampledSums]]] = {}
        self.segments: int = 0
        self.skipped: Faults = NO_FAULTS

    def add(self, segments: Segments, tables: dict[Hashable, StatsTable], labels: Mapping[str, Sequence[str]]) -> None:
        """Add a batch, and to each part that segments belong to its share of it."""
        sampled = self.add_whole(segments, tables)
        for by, values in labels.items():
            places: dict[str, list[int]] = {}
            for place, name in enumerate(values):
                places.setdefault(name, []).append(place)
            for counting, table in tables.items():
                for name, own in places.items():
                    kept = segments.pick(place for place in own if place < sampled)
                    self.add_part(by, counting, name, table.pick(own).sums(), kept)

    def add_whole(self, segments: Segments, tables: dict[Hashable, StatsTable]) -> int:
        """Add a batch to the whole; of its segments only the first are looked at, if they are wanted at all."""
        sampled = max(0, min(len(segments), SAMPLE - self.segments))
        self.segments += len(next(iter(tables.values())))
        for counting, table in tables.items():
            whole = self.whole.setdefault(counting, SampledSums(Sums.zero(table.layout)))
            whole.add(table.sums(), segments.slice(0, sampled))
            if self.keeps_rows:
                self.tables.setdefault(counting, StatsTable(table.layout)).extend(table)
        return sampled

    def add_part(self, by: str, counting: Hashable, name: str, sums: Sums, sample: Segments) -> None:
        """Add to a part."""
        parts = self.parts.setdefault(by, {}).setdefault(counting, {})
        parts.setdefault(name, SampledSums(Sums.zero(sums.layout))).add(sums, sample)

    def score(self, recipe: Recipe) -> AnyScore:
        """Score the whole."""
        return self.whole[recipe.counting].score(recipe, "corpus", self.skipped)

    def score_parts(self, by: str, recipe: Recipe) -> dict[str, AnyScore]:
        """Score each part, in the order of their first segments."""
        level = DOCUMENT if by == DOCUMENT else "part"
        return {name: tally.score(recipe, level) for name, tally in self.parts[by][recipe.counting].items()}


def tally_corpus(
    batches: Iterable[RawCorpus],
    recipes: Sequence[Recipe],
    *,
    by: Sequence[str],
    keeps_rows: bool = False,
    threads: int | None = None,
) -> CorpusTally:
    """Count a corpus that comes batch by batch, ``by`` documents or other labels, too."""
    tally = CorpusTally(keeps_rows=keeps_rows)
    with telling_progress() as tell:
        for corpus in batches:
            segments = pair_corpus(corpus, recipes)
            labels = {name: _find_labels(corpus, name) for name in by}
            tally.add(segments, count_for(segments, recipes, threads), labels)
            tell(tally.segments)
    return tally


def _find_labels(corpus: RawCorpus, name: str) -> Sequence[str]:
    if name != DOCUMENT:
        return corpus.labels[name]
    if corpus.documents is None:
        raise ShapeError(
            where="--by-document",
            wanted="the document of every segment",
            got="none",
            next_step="Give --documents FILE, or a document column or key.",
        )
    return corpus.documents


@contextmanager
def telling_progress() -> Iterator[Callable[[int], None]]:
    """Keep a watching person informed; a single batch is over before anybody could read."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    told = 0

    def tell(segments: int) -> None:
        nonlocal told
        told += 1
        if told > 1:
            print(f"\rcounting: {segments:,} segments", end="", file=sys.stderr, flush=True)

    yield tell
    if told > 1:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)


def pair_corpus(corpus: RawCorpus, recipes: Sequence[Recipe]) -> Segments:
    """Check what the files held; an error names the file and the line."""
    with corpus.naming_lines():
        return pair_for(corpus.candidates, corpus.references, recipes)


def count_corpus(
    segments: Segments, recipes: Sequence[Recipe], *, threads: int | None = None
) -> dict[Hashable, StatsTable]:
    """Count a corpus chunk by chunk; on a terminal a long one shows its progress."""
    import click

    tables: dict[Hashable, StatsTable] = {}
    starts = range(0, len(segments), CHUNK)
    hidden = not sys.stderr.isatty() or len(starts) < 3
    with click.progressbar(starts, label="counting", file=sys.stderr, hidden=hidden) as chunks:
        for start in chunks:
            for counting, table in count_for(segments.slice(start, start + CHUNK), recipes, threads).items():
                if counting in tables:
                    tables[counting].extend(table)
                else:
                    tables[counting] = table
    return tables
