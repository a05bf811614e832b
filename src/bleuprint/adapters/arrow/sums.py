"""Sums: one row for each group of a batch. Such rows add, wherever they were made, and scores are made of them."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from bleuprint.adapters.arrow.columns import CountedBatch, Data, concatenate, each_batch, find_column, key_column
from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.text.faults import KINDS, PLACES, Faults, RowFault

FAULT_PLACES = "fault_places"
_PLACE_TYPE = pa.list_(pa.struct([("kind", pa.string()), ("place", pa.string())]))


def sum_groups(counted: CountedBatch, by: Sequence[str]) -> pa.Table:
    """Sum what was counted of a batch: a row for each group, and a further one for each group with malformed rows."""
    if not by:
        return _as_row(counted.sums())
    batch, table, faults = counted.batch, counted.table, counted.faults
    keys = pa.table({name: key_column(batch, name) for name in by})
    good = keys.take(pa.array(good_rows(faults, batch.num_rows), pa.int64())) if faults else keys
    groups = _number_groups(good)
    first = pc.unique(groups)
    sums, census = table.sum_groups(memoryview(groups.buffers()[1]).cast("q")[: len(groups)], len(first))
    numbers = stats_columns(sums)
    names = table.layout.census_columns
    for place, name in enumerate(names):
        numbers[name] = _as_array(census[place :: len(names)])
    own = good.take(pc.index_in(first, groups))
    good_sums = _sum_table({name: own[name] for name in by}, numbers, [Faults()] * len(first))
    return concatenate([good_sums, *_sum_faults(counted, keys)])


def sum_whole(sums: Data, layout: Layout) -> Iterator[pa.Table]:
    """Add rows of sums up to one, where there are any."""
    yield from map(_as_row, add_sums(sums, (), layout).values())


def _as_row(sums: Sums) -> pa.Table:
    return _sum_table({}, _sum_numbers([sums]), [sums.skipped])


def sum_columns(layout: Layout) -> list[str]:
    """Name the columns of sums, after those of the groups."""
    return [*Sums.names(layout), *map(_fault_name, KINDS), FAULT_PLACES]


def _number_groups(keys: pa.Table) -> pa.Array:
    """Number the groups in the order in which they appear; a null is a value like others."""
    groups = None
    for column in keys.columns:
        encoded = column.combine_chunks().dictionary_encode("encode")
        own = encoded.indices.cast(pa.int64())
        if groups is None:
            groups = own
        else:
            pairs = pc.add(pc.multiply(groups, len(encoded.dictionary)), own)
            groups = pairs.dictionary_encode().indices.cast(pa.int64())
    return groups


def _sum_faults(counted: CountedBatch, keys: pa.Table) -> Iterator[pa.Table]:
    """Give the malformed rows of each group."""
    groups: dict[tuple[object, ...], list[RowFault]] = {}
    for fault in counted.faults:
        groups.setdefault(tuple(column[fault.row].as_py() for column in keys.columns), []).append(fault)
    if groups:
        nothing = _sum_numbers([Sums.zero(counted.table.layout)] * len(groups))
        first = keys.take([own[0].row for own in groups.values()])
        found = [counted.report(own) for own in groups.values()]
        yield _sum_table({name: first[name] for name in keys.column_names}, nothing, found)


def _sum_numbers(groups: Sequence[Sums]) -> dict[str, pa.Array]:
    columns = zip(*(sums.numbers for sums in groups), strict=True)
    names = Sums.names(groups[0].layout)
    return {name: pa.array(column, pa.int64()) for name, column in zip(names, columns, strict=True)}


def _sum_table(keys: dict[str, Any], numbers: dict[str, pa.Array], found: Sequence[Faults]) -> pa.Table:
    counts = {_fault_name(kind): pa.array([own.counts.get(kind, 0) for own in found], pa.int64()) for kind in KINDS}
    places = [
        [{"kind": kind, "place": place} for kind, all_of in own.places.items() for place in all_of] for own in found
    ]
    return pa.table(keys | numbers | counts | {FAULT_PLACES: pa.array(places, _PLACE_TYPE)})


def add_sums(sums: Data, by: Sequence[str], layout: Layout) -> dict[tuple[Hashable, ...], Sums]:
    """Add rows of sums, group by group, in the order in which groups appear."""
    numbers: dict[tuple[Hashable, ...], list[int]] = {}
    places: dict[tuple[Hashable, ...], list[tuple[str, str]]] = {}
    names = sum_columns(layout)[:-1]
    for batch, _ in each_batch(sums):
        keys = [find_column(batch, name).to_pylist() for name in by]
        rows = zip(*(find_column(batch, name).to_pylist() for name in names), strict=True)
        has_places = FAULT_PLACES in batch.schema.names  # an engine that sums numbers may have left the lists out
        marks = find_column(batch, FAULT_PLACES).to_pylist() if has_places else [None] * batch.num_rows
        for key, row, own in zip(zip(*keys, strict=True) if by else [()] * batch.num_rows, rows, marks, strict=True):
            known = numbers.get(key)
            numbers[key] = list(row) if known is None else [a + b for a, b in zip(known, row, strict=True)]
            if own:
                places.setdefault(key, []).extend((mark["kind"], mark["place"]) for mark in own)
    return {key: _as_sums(row, places.get(key, []), layout) for key, row in numbers.items()}


def _as_sums(row: list[int], places: Sequence[tuple[str, str]], layout: Layout) -> Sums:
    width = len(Sums.names(layout))
    counts = {kind: count for kind, count in zip(KINDS, row[width:], strict=True) if count}
    kept = {kind: tuple(place for own, place in places if own == kind)[:PLACES] for kind in counts}
    return Sums.from_numbers(layout, tuple(row[:width]), Faults(counts, kept))


def _fault_name(kind: str) -> str:
    return f"fault_{kind.replace('-', '_')}"


def stats_columns(table: StatsTable) -> dict[str, pa.Array]:
    """Give the columns of a table to Arrow."""
    return {name: _as_array(table.column(name)) for name in table.columns}


def _as_array(numbers: array[int]) -> pa.Array:
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])


def good_rows(faults: Sequence[RowFault], rows: int) -> list[int]:
    """Tell which rows of a batch were counted."""
    bad = {fault.row for fault in faults}
    return [row for row in range(rows) if row not in bad]
