"""The sums of a corpus for ``bleuprint score``: batch by batch, so that memory does not grow."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.cli.corpus import column_names, pair_corpus, showing_progress
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.text_notes import text_notes
from bleuprint.scoring.verbs import count_for
from bleuprint.text.faults import NO_FAULTS, Faults
from bleuprint.text.formats import RawCorpus
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.text.segments import Segments

if TYPE_CHECKING:
    from bleuprint.cli.call import Call
    from bleuprint.io.columnar import ColumnarPart

SAMPLE = 10_000
"""The number of segments whose texts are kept for notes."""
WHOLE = ("", "")


class Tally:
    """The sums of a corpus and of groups of its segments, for every way of counting.

    A group is named by what it is grouped by and its label: ``("document", "d1")``. With ``keeps_rows`` the rows of
    all segments are kept for resampling.
    """

    def __init__(self, *, keeps_rows: bool = False) -> None:
        self.keeps_rows: bool = keeps_rows
        self.tables: dict[Hashable, StatsTable] = {}
        self.sums: dict[tuple[str, str], dict[Hashable, Sums]] = {}
        self.samples: dict[tuple[str, str], Segments] = {}
        """the first texts of each group, for notes"""
        self.segments: int = 0
        self.skipped: Faults = NO_FAULTS

    def add(self, sample: Segments, tables: Mapping[Hashable, StatsTable], labels: Mapping[str, Sequence[str]]) -> None:
        """Add a batch: its first texts, its rows for every way of counting, and the labels of its segments."""
        kept = max(0, min(len(sample), SAMPLE - self.segments))
        self.segments += len(next(iter(tables.values())))
        self._add(WHOLE, sample.slice(0, kept), {counting: table.sums() for counting, table in tables.items()})
        if self.keeps_rows:
            for counting, table in tables.items():
                self.tables.setdefault(counting, StatsTable(table.layout)).extend(table)
        for by, names in labels.items():
            numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
            positions: dict[str, list[int]] = {name: [] for name in numbers}
            for position, name in enumerate(names[:kept]):
                positions[name].append(position)
            groups = [numbers[name] for name in names]
            counted = {counting: _sum_groups(table, groups, len(numbers)) for counting, table in tables.items()}
            for name, number in numbers.items():
                sums = {counting: each[number] for counting, each in counted.items()}
                self._add((by, name), sample.pick(positions[name]), sums)

    def _add(self, group: tuple[str, str], sample: Segments, sums: Mapping[Hashable, Sums]) -> None:
        kept = self.samples.setdefault(group, Segments([], []))
        kept.candidates.extend(sample.candidates)
        kept.references.extend(sample.references)
        known = self.sums.setdefault(group, {})
        for counting, own in sums.items():
            known[counting] = known[counting] + own if counting in known else own

    def score(self, recipe: Recipe, group: tuple[str, str] = WHOLE) -> AnyScore:
        """Score the corpus, or a group."""
        sums = self.sums[group][recipe.counting]
        if group == WHOLE:
            sums = sums.replace(skipped=self.skipped)
        level = {"": "corpus", DOCUMENT: DOCUMENT}.get(group[0], "part")
        sample = self.samples[group]
        return recipe.metric.score_sums(sums, recipe, level=level, segments=sample, text_notes=text_notes)

    def score_groups(self, by: str, recipe: Recipe) -> dict[str, AnyScore]:
        """Score each group, in the order of their first segments."""
        return {group[1]: self.score(recipe, group) for group in self.sums if group[0] == by}


def _sum_groups(table: StatsTable, groups: Sequence[int], count: int) -> list[Sums]:
    rows, census = table.sum_groups(groups, count)
    wide = len(table.layout.census_columns)
    return [
        Sums(table.layout, tuple(rows.row(number)), tuple(census[number * wide : (number + 1) * wide]))
        for number in range(count)
    ]


Batch = tuple[Segments, dict[Hashable, StatsTable], dict[str, Sequence[str]]]
"""The first texts of a batch, its rows for every way of counting, and the labels of its segments."""


def count_lines(
    batches: Iterable[RawCorpus], recipes: Sequence[Recipe], by: Sequence[str], threads: int | None
) -> Iterator[tuple[Batch, Faults]]:
    """Count lines of text, batch by batch."""
    for corpus in batches:
        segments = pair_corpus(corpus, recipes)
        labels = {name: _documents(corpus) if name == DOCUMENT else corpus.labels[name] for name in by}
        yield (segments, count_for(segments, recipes, threads), labels), NO_FAULTS


def _documents(corpus: RawCorpus) -> Sequence[str]:
    if corpus.documents is None:
        raise ShapeError("--by-document needs documents.", "Add --documents FILE, or a document column or key.")
    return corpus.documents


def count_columnar(call: Call, recipes: Sequence[Recipe], by: Sequence[str]) -> Iterator[tuple[Batch, Faults]]:
    """Count Parquet and Arrow files batch by batch, straight from Arrow's memory."""
    from bleuprint.adapters.arrow.columns import RowCounter
    from bleuprint.io.columnar import stream_columnar

    columns = column_names(call.reading)._replace(labels=tuple(name for name in by if name != DOCUMENT))
    highest = {recipe.counting: recipe for recipe in sorted(recipes, key=lambda recipe: recipe.layout.order)}
    sampled = 0
    form = call.reading.form_of(call.candidate)
    for part, names in stream_columnar((call.candidate, *call.references), form, columns):
        counters = {
            counting: RowCounter(names.candidate, names.references, recipe, call.threads, part.source)
            for counting, recipe in highest.items()
        }
        counted = {key: counter.count_one(part.batch, part.first_row) for key, counter in counters.items()}
        first = next(iter(counted.values()))
        bad = {fault.row for fault in first.faults}
        labels: dict[str, Sequence[str]] = {}
        for name in by:
            own = read_labels(part, names.document if name == DOCUMENT else name)
            labels[name] = [label for row, label in enumerate(own) if row not in bad] if bad else own
        sample = Segments([], [])
        if sampled < SAMPLE:
            sample, _ = counters[recipes[0].counting].read_one(part.batch.slice(0, SAMPLE - sampled))
            sampled += len(sample)
        yield (sample, {key: batch.table for key, batch in counted.items()}, labels), first.report(first.faults)


def tally(counted: Iterable[tuple[Batch, Faults]], *, keeps_rows: bool) -> Tally:
    """Add up the batches of a corpus, and show the progress."""
    total = Tally(keeps_rows=keeps_rows)
    with showing_progress() as show:
        for batch, faults in counted:
            total.add(*batch)
            total.skipped += faults
            show(total.segments)
    return total


def read_labels(part: ColumnarPart, column: str) -> list[str]:
    """Return the label of every row, which none may lack."""
    from bleuprint.adapters.arrow.columns import key_column
    from bleuprint.text.formats.documents import is_nameless

    if not column:
        raise ShapeError("--by-document needs documents.", "Name their column with --document-column.")
    found = key_column(part.batch, column).to_pylist()
    gap = next((row for row, name in enumerate(found) if is_nameless(name)), None)
    if gap is not None:
        where = f"{part.source}, row {part.first_row + gap}"
        got = "null" if found[gap] is None else quote(found[gap])
        raise FileError(f"expected a name under {column!r}, got {got}.", "Every row needs one.", where=where)
    return list(map(str, found))
