"""A whole corpus for commands: read as the options say, checked, and counted with progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bleuprint.counting.rows import StatsTable
from bleuprint.scoring.verbs import count_for, pair_for
from bleuprint.text.segments import Segments

if TYPE_CHECKING:
    from bleuprint.cli.call import Call, InputOptions
    from bleuprint.io.columnar import ColumnNames
    from bleuprint.recipes.recipe import Recipe
    from bleuprint.text.formats import RawCorpus

CHUNK = 16_384


def column_names(options: InputOptions) -> ColumnNames:
    """Return the columns of Parquet and Arrow files that the options name."""
    from bleuprint.io.columnar import ColumnNames

    return ColumnNames(options.candidate_column or "", options.reference_columns, options.document_column or "")


def read_labelled(call: Call, recipe: Recipe) -> tuple[RawCorpus, str]:
    """Read a corpus from files or with the references of a test set, and the label of the test set for signatures."""
    from bleuprint.io.lines import read_corpus
    from bleuprint.io.paths import COLUMNAR_FORMS

    call.check_names()
    form = call.reading.check(call.candidate)
    if call.reading.testset is not None:
        from bleuprint.cli.testset_reading import open_testset, read_for_testset

        testset = open_testset(call.reading.testset, call.references, call.reading.translators)
        return read_for_testset(call.candidate, testset, call.reading), testset.label
    if form in COLUMNAR_FORMS:
        return _read_columnar(call, form, recipe), ""
    return read_corpus(call.candidate, call.references, **call.reading.format_choices()), ""


def _read_columnar(call: Call, form: str, recipe: Recipe) -> RawCorpus:
    """Read Parquet and Arrow files whole, as the texts or tokens of the recipe."""
    from bleuprint.adapters.arrow.columns import RowCounter
    from bleuprint.cli.tally import read_labels
    from bleuprint.io.columnar import stream_columnar
    from bleuprint.text.faults import Faults, refuse_faults
    from bleuprint.text.formats import RawCorpus

    candidates: list[object] = []
    references: list[object] = []
    documents: list[str] = []
    skipped, columns, has_documents = Faults(), column_names(call.reading), False
    files = (call.candidate, *call.references)
    for part, names in stream_columnar(files, form, columns):
        counter = RowCounter(names.candidate, names.references, recipe, None, part.source)
        segments, faults = counter.read_one(part.batch)
        skipped += Faults.of(faults, part.source, part.first_row)
        candidates += segments.candidates
        references += segments.references
        has_documents = bool(names.document)
        if columns.document:
            documents += read_labels(part, names.document)
        elif has_documents:  # a column that no option names may have gaps
            labels = part.batch.column(names.document).to_pylist()
            documents += ["" if name is None else str(name) for name in labels]
    refuse_faults(skipped, ", ".join(files), may_skip=False)
    return RawCorpus(candidates, references, documents if has_documents else None, ", ".join(files))


def pair_corpus(corpus: RawCorpus, recipes: Sequence[Recipe]) -> Segments:
    """Check the texts of a corpus; an error names the file and the line."""
    with corpus.naming_lines():
        return pair_for(corpus.candidates, corpus.references, recipes)


def count_corpus(segments: Segments, recipe: Recipe, threads: int | None = None) -> StatsTable:
    """Count a corpus chunk by chunk, and show the progress."""
    table = StatsTable(recipe.layout)
    with showing_progress() as show:
        for start in range(0, len(segments), CHUNK):
            table.extend(count_for(segments.slice(start, start + CHUNK), [recipe], threads)[recipe.counting])
            show(len(table))
    return table


@contextmanager
def showing_progress() -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many segments are counted; a single batch is too short for that."""
    shown = 0

    def show(segments: int) -> None:
        nonlocal shown
        shown += 1
        if shown > 1 and sys.stderr.isatty():
            print(f"\rcounting: {segments:,} segments", end="", file=sys.stderr, flush=True)

    yield show
    if shown > 1 and sys.stderr.isatty():
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
