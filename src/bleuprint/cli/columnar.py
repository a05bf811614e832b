"""Parquet and Arrow files for commands: what the Arrow adapter counts of them, or the texts where texts are needed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from bleuprint.adapters.arrow.columns import CountedBatch, RowCounter, key_column
from bleuprint.adapters.arrow.sums import add_sums, sum_groups
from bleuprint.cli.counting import SAMPLE, CorpusTally, telling_progress
from bleuprint.counting.sums import Sums
from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.io.columnar import ColumnarPart, ColumnNames, stream_columnar
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.faults import Faults, refuse_faults
from bleuprint.text.formats import RawCorpus
from bleuprint.text.formats.documents import is_nameless
from bleuprint.text.formats.sources import DOCUMENT
from bleuprint.text.segments import Segments

GROUPED_BY = "document"


def tally_columnar(
    files: Sequence[str],
    form: str,
    columns: ColumnNames,
    recipes: Sequence[Recipe],
    *,
    by: Sequence[str],
    on_error: str,
    keeps_rows: bool = False,
    threads: int | None = None,
) -> CorpusTally:
    """Count columnar files batch by batch, straight from Arrow's memory."""
    highest = {recipe.counting: recipe for recipe in sorted(recipes, key=lambda recipe: recipe.layout.order)}
    tally = CorpusTally(keeps_rows=keeps_rows)
    with telling_progress() as tell:
        for part, names in stream_columnar(files, form, columns):
            counters = {counting: _counter(part, names, recipe, threads) for counting, recipe in highest.items()}
            counted = {
                counting: counter.count_one(part.batch, part.first_row) for counting, counter in counters.items()
            }
            _add(tally, part, names, counted, _counter(part, names, recipes[0]), by)
            tell(tally.segments)
    if on_error == "fail":
        refuse_faults(tally.skipped, "score")
    if not tally.segments:
        raise ShapeError(
            where=", ".join(files),
            wanted="at least one segment",
            got=f"malformed rows alone, {tally.skipped}" if tally.skipped else "no rows",
            next_step="A score of nothing is not defined; check that the right files were given.",
        )
    return tally


def _counter(part: ColumnarPart, names: ColumnNames, recipe: Recipe, threads: int | None = None) -> RowCounter:
    return RowCounter(names.candidate, names.references, recipe, threads, part.source)


def _add(
    tally: CorpusTally,
    part: ColumnarPart,
    names: ColumnNames,
    counted: dict[Hashable, CountedBatch],
    reader: RowCounter,
    by: Sequence[str],
) -> None:
    """Add a batch, with its first segments as texts for the notes that need them."""
    columns = {name: names.document if name == DOCUMENT else name for name in by}
    for column in columns.values():
        _check_labels(part, column)
    one = next(iter(counted.values()))
    tally.skipped += one.report(one.faults)
    wanted = max(0, SAMPLE - tally.segments)
    sample, faults = reader.read_one(part.batch.slice(0, wanted)) if wanted else (Segments([], []), [])
    tally.add_whole(sample, {counting: own.table for counting, own in counted.items()})
    bad = {fault.row for fault in faults}
    for label, column in columns.items():
        named = [name for row, name in enumerate(_list_labels(part, column, wanted)) if row not in bad]
        places: dict[str, list[int]] = {}
        for place, name in enumerate(named):
            places.setdefault(name, []).append(place)
        for counting, own in counted.items():
            for name, sums in _sum_parts(own, column):
                tally.add_part(label, counting, name, sums, sample.pick(places.get(name, ())))


def _sum_parts(counted: CountedBatch, column: str) -> Iterator[tuple[str, Sums]]:
    """Give what each part comes to; of malformed rows the whole tells."""
    keys = counted.batch.select([column]).rename_columns([GROUPED_BY])  # which is the name of no statistic
    layout = counted.table.layout
    for (key,), sums in add_sums(sum_groups(counted._replace(batch=keys), [GROUPED_BY]), [GROUPED_BY], layout).items():
        if sums.segments:
            yield str(key), Sums.from_numbers(layout, sums.numbers)


def read_columnar(files: Sequence[str], form: str, columns: ColumnNames, recipe: Recipe) -> RawCorpus:
    """Read columnar files whole, as the texts or tokens that the recipe reads."""
    whole = Segments([], [])
    documents: list[str] = []
    skipped, named = Faults(), False
    for part, names in stream_columnar(files, form, columns):
        segments, faults = _counter(part, names, recipe).read_one(part.batch)
        skipped += Faults.of(faults, part.source, part.first_row)
        whole.candidates.extend(segments.candidates)
        whole.references.extend(segments.references)
        named = bool(names.document)
        if columns.document:
            _check_labels(part, names.document)
        if named:
            documents += _list_labels(part, names.document)
    refuse_faults(skipped, ", ".join(files), may_skip=False)
    return RawCorpus(list(whole.candidates), list(whole.references), documents if named else None, ", ".join(files))


def _list_labels(part: ColumnarPart, column: str, rows: int | None = None) -> list[str]:
    """List the label of every row, or of the first ones; in a column that nobody asked for there may be gaps."""
    return ["" if name is None else str(name) for name in part.batch.column(column).slice(0, rows).to_pylist()]


def _check_labels(part: ColumnarPart, column: str) -> None:
    """See that every row says what it belongs to."""
    if not column:
        raise ShapeError(
            where="--by-document",
            wanted="the document of every segment",
            got="none",
            next_step="Name its column with --document-column.",
        )
    found = key_column(part.batch, column).to_pylist()
    gap = next((row for row, name in enumerate(found) if is_nameless(name)), None)
    if gap is not None:
        raise FileError(
            where=f"{part.source}, row {part.first_row + gap}",
            wanted=f"a name under {column!r}, as other rows have one",
            got="null" if found[gap] is None else quote(found[gap]),
            next_step="Name what every segment belongs to.",
        )
