"""From data of any kind to batches, and from a batch's columns of text to rows of statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.engines import find_engine
from bleuprint.engines.arrow_memory import check_memory
from bleuprint.engines.columns import read_columns
from bleuprint.errors import (
    BleuprintError,
    InputTypeError,
    Location,
    ShapeError,
    name_list,
    quote,
    unknown_name,
    wrong_type,
)
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.faults import Faults, RowFault, name_place
from bleuprint.text.formats.sources import name_side
from bleuprint.text.segments import Segments, is_ordered

Data = Any
"""A RecordBatch, a Table, a RecordBatchReader, an iterable of batches, or anything that exports an Arrow stream."""
Names = str | Sequence[str]


class CountedBatch(NamedTuple):
    """A batch, the statistics of its rows, and the rows that could not be counted."""

    batch: pa.RecordBatch
    table: StatsTable
    faults: Sequence[RowFault]
    source: str
    first_row: int

    def report(self, faults: Sequence[RowFault]) -> Faults:
        """Say where rows of this batch stand in the data."""
        return Faults.of(faults, self.source, self.first_row)

    def sums(self) -> Sums:
        """Add up what was counted, and what was not."""
        return self.table.sums(self.report(self.faults) if self.faults else None)


class RowCounter(NamedTuple):
    """Which columns to count by which recipe, and what to call the place that they come from."""

    candidate: str
    references: Names
    recipe: Recipe
    threads: int | None
    source: str = ""

    def count_each(self, data: Data) -> Iterator[CountedBatch]:
        """Count batch by batch, as they come."""
        for batch, first_row in each_batch(data):
            yield self.count_one(batch, first_row)

    def count_one(self, batch: pa.RecordBatch, first_row: int = 0) -> CountedBatch:
        """Count one batch, which begins at this row of its source."""
        try:
            columns = self._text_columns(batch)
            table, faults = find_engine().count_columns(*columns, self.recipe.layout, self.threads)
        except BleuprintError as error:
            if error.location is None or error.index is None:
                raise
            row = name_place(self.source, first_row + error.index)
            raise error.reworded(where=", ".join([row, *name_side(error.location)])) from None
        return CountedBatch(batch, table, faults, self.source, first_row)

    def read_one(self, batch: pa.RecordBatch) -> tuple[Segments, list[RowFault]]:
        """Return the rows of one batch as the texts or tokens that are counted, and the rows that cannot be."""
        return read_columns(*self._text_columns(batch), pretokenized=self.recipe.is_pretokenized)

    def _text_columns(self, batch: pa.RecordBatch) -> tuple[pa.Array, list[pa.Array]]:
        """Find the column of the candidates, and those of the references."""
        names = as_names(self.references, "references")
        if not names:
            fix = f"The table has {name_list(batch.schema.names)}."
            raise ShapeError("No column of references is named.", fix, location=Location("references"))
        candidates = _text_column(batch, self.candidate, self.recipe, may_be_list=False)
        return candidates, [_text_column(batch, name, self.recipe, may_be_list=True) for name in names]


def each_batch(data: Data) -> Iterator[tuple[pa.RecordBatch, int]]:
    """Give the batches of any kind of data, each with the number of its first row; an empty table is one batch."""
    first_row = 0
    for batch in _batches(data):
        _check_lengths(batch)
        yield batch, first_row
        first_row += batch.num_rows


def _check_lengths(batch: pa.RecordBatch) -> None:
    try:
        batch.validate()
    except pa.ArrowInvalid as error:
        fix = "The data is damaged, or was put together wrongly: read or make it again."
        raise ShapeError(f"The data breaks Arrow's format: {quote(str(error), 200)}.", fix) from None


def _batches(data: Data) -> Iterator[pa.RecordBatch]:
    if isinstance(data, pa.RecordBatch):
        yield data
    elif isinstance(data, pa.Table):
        yield from data.to_batches() or [pa.RecordBatch.from_pylist([], data.schema)]
    elif isinstance(data, pa.RecordBatchReader):
        yield from data
    elif hasattr(data, "__arrow_c_stream__"):
        yield from pa.RecordBatchReader.from_stream(data)
    elif isinstance(data, Iterable) and not isinstance(data, (str, bytes, dict)):
        for part in data:
            yield from _batches(part)
    else:
        fix = "pyarrow.table(...) makes a table of columns."
        raise wrong_type("a RecordBatch, a Table, or batches of them", data, fix, location=Location("data"))


def concatenate(parts: Sequence[pa.Table]) -> pa.Table:
    """Make one table of several, of which there must be one at least."""
    if not parts:
        fix = "Pass an empty table, which has a schema, as a pyarrow.Table."
        raise ShapeError("There is no batch, so the columns are unknown.", fix, location=Location("data"))
    return parts[0] if len(parts) == 1 else pa.concat_tables(parts)


def as_names(names: Names, argument: str) -> tuple[str, ...]:
    """Take one name as a list of one; refuse what is no name, and what could be read but once or in any order."""
    if isinstance(names, str):
        return (names,)
    are_in_order = isinstance(names, list | tuple) or (is_ordered(names) and not isinstance(names, Iterator))
    listed = tuple(names) if are_in_order else None
    if listed is None or not all(isinstance(name, str) for name in listed):
        raise wrong_type("the name of a column, or a list of names", names, location=Location(argument))
    return listed


def name_scores(column: str | None, recipe: Recipe) -> str:
    """Name the column that scores are put into: as the metric, unless told otherwise."""
    if column is not None and not isinstance(column, str):
        fix = f"Omit it to call the column {recipe.metric.key}."
        raise wrong_type("a name for the column of scores", column, fix, location=Location("column"))
    return column or recipe.metric.key


def refuse_clash(own: Iterable[str], made: Iterable[str]) -> None:
    """Refuse a column of the data that has the name of one to be made."""
    clash = [name for name in own if name in set(made)]
    if clash:
        raise ShapeError(f"The statistics have a column {clash[0]!r} themselves.", "Rename the column first.")


def check_column(name: str, names: Sequence[str]) -> None:
    """See that a column is there, once."""
    if names.count(name) != 1:
        if name in names:
            raise ShapeError(f"The table has several columns {name!r}.", "Rename them first.")
        fix = f"The table has {name_list(names)}." if names else "The table has no columns."
        raise unknown_name("column", name, names, fix, error=ShapeError)


def find_column(batch: pa.RecordBatch, name: str, *, utf8: bool = True) -> pa.Array:
    """Find a column by its name, and see that its memory can be read; what is not UTF-8 may be left to others."""
    check_column(name, batch.schema.names)
    column = batch.column(name)
    check_memory(column, name, utf8=utf8)
    return column


def key_column(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Find a column to group by."""
    column = find_column(batch, name)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type):
        message = f"The column {name!r} has Arrow's type {column.type}, which cannot be grouped by."
        raise InputTypeError(message, "Make a field of it a column of its own.")
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def _text_column(batch: pa.RecordBatch, name: str, recipe: Recipe, *, may_be_list: bool) -> pa.Array:
    """Find a column of what the recipe reads: texts or tokens, of references also lists of these."""
    column = find_column(batch, name, utf8=False)
    depth, kind = 0, column.type
    while _is_list(kind):
        depth, kind = depth + 1, kind.value_type
    least = int(recipe.is_pretokenized)
    fits = least <= depth <= least + may_be_list or pa.types.is_null(column.type)
    is_text = _is_text(kind.value_type if pa.types.is_dictionary(kind) else kind)
    if not fits or not (is_text or recipe.is_pretokenized):
        text = "lists of tokens" if recipe.is_pretokenized else "strings"
        expected = text + (f" or lists of {text}" if may_be_list else "")
        raise InputTypeError(
            f"The column {name!r} has Arrow's type {column.type}, but {expected} are needed.",
            "Name another column, or cast it.",
        )
    return column


def _is_list(kind: pa.DataType) -> bool:
    tests: tuple[Callable[[pa.DataType], bool], ...] = (
        pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list,
        pa.types.is_list_view, pa.types.is_large_list_view,
    )  # fmt: skip
    return any(test(kind) for test in tests)


def _is_text(kind: pa.DataType) -> bool:
    tests: tuple[Callable[[pa.DataType], bool], ...] = (
        pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null,
        pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view,
    )  # fmt: skip
    return any(test(kind) for test in tests)
