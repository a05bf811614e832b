"""Arrow: record batches in, statistics out, straight from Arrow's memory to the kernel.

These are the functions to put inside anything that maps Arrow batches: Spark, Ray Data, DuckDB, Polars, a loop over a
Parquet file. ``sum_statistics`` turns a batch into a few whole numbers per group; such rows add, wherever they were
made, and ``score_sums`` makes scores of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from bleuprint.bleu_score import BleuScore
from bleuprint.corpus import score_each
from bleuprint.dialect_table import DEFAULT
from bleuprint.engines.columns import count_columns
from bleuprint.errors import InputTypeError, MissingPackageError, ShapeError, name_list, quote
from bleuprint.faults import KINDS, PLACES, Faults, RowFault, check_choice, refuse_faults
from bleuprint.recipe import Recipe
from bleuprint.stats import BleuStats, Census, StatsTable

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError:
    raise MissingPackageError(
        where="bleuprint.adapters.arrow",
        wanted="the package pyarrow",
        got="nothing by that name",
        next_step='Install it: pip install "bleuprint[arrow]".',
    ) from None

Data = Any
"""A RecordBatch, a Table, a RecordBatchReader, an iterable of batches, or anything that exports an Arrow stream."""
Names = str | Sequence[str]
CANDIDATE, REFERENCES = "candidate", "references"
FAULT_PLACES = "fault_places"
_PLACE_TYPE = pa.list_(pa.struct([("kind", pa.string()), ("place", pa.string())]))


class GroupScores(dict[Hashable, BleuScore]):
    """Scores by group. ``skipped`` counts malformed rows of all groups; ``empty`` names groups that had only such."""

    skipped: Faults = Faults()
    empty: tuple[Hashable, ...] = ()


def statistics(
    data: Data,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    recipe: Recipe | str = DEFAULT,
    keep: Names = (),
    on_error: str = "fail",
    threads: int | None = None,
    source: str = "",
) -> pa.Table:
    """Count every row: the columns named in ``keep``, then the columns of ``bleuprint.StatsTable``.

    ``references`` names one column or several, each of strings or of lists of strings. With ``on_error="skip"``
    malformed rows have nulls, and a last column ``fault`` that says why.

    >>> import pyarrow as pa
    >>> data = pa.table({"candidate": ["the cat is on mat"], "references": [["the cat is on the mat"]]})
    >>> statistics(data, recipe="paper").to_pylist()[0]["matches_1"]
    5
    """
    return _concatenate(list(each_statistics(data, candidate, references, recipe, keep, on_error, threads, source)))


def score_segments(
    data: Data,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    recipe: Recipe | str = DEFAULT,
    column: str = "bleu",
    on_error: str = "fail",
    threads: int | None = None,
    source: str = "",
) -> pa.Table:
    """Add a column of scores on 0 to 100, one for each row. Their mean is not the corpus score.

    With ``on_error="skip"`` malformed rows have a null score, and a further column ``bleu_fault`` says why.
    """
    return _concatenate(list(each_scored(data, candidate, references, recipe, column, on_error, threads, source)))


def sum_statistics(
    data: Data,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    by: Names = (),
    recipe: Recipe | str = DEFAULT,
    threads: int | None = None,
    source: str = "",
) -> pa.Table:
    """Count and sum: one row for each group and batch, to be summed further by anybody.

    Malformed rows are counted by kind, with their first places, in which ``source`` says where the rows come from;
    ``score_sums`` decides what to do about them.
    """
    return _concatenate(
        list(
            sum_batches(
                data, candidate=candidate, references=references, by=by, recipe=recipe, threads=threads, source=source
            )
        )
    )


def sum_batches(
    data: Data,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    by: Names = (),
    recipe: Recipe | str = DEFAULT,
    threads: int | None = None,
    source: str = "",
) -> Iterator[pa.Table]:
    """Do what ``sum_statistics`` does, batch by batch as they come."""
    wanted, groups = Recipe.of(recipe), _as_names(by)
    _refuse_clash(groups, sum_columns(wanted.counted_order))
    for batch, first_row in _each_batch(data):
        yield sum_batch(batch, candidate, references, groups, wanted, threads, source, first_row)


def score_sums(
    sums: Data, *, by: Names = (), recipe: Recipe | str = DEFAULT, on_error: str = "fail"
) -> BleuScore | GroupScores:
    """Score what ``sum_statistics`` made: one score, or with ``by`` a dictionary of them.

    The keys are values when ``by`` is a name, tuples of values when it is a list of names.
    """
    check_choice(on_error)
    wanted, groups = Recipe.of(recipe), _as_names(by)
    totals = _add_rows(sums, groups, wanted.counted_order)
    found = sum((faults for _, _, faults in totals.values()), Faults())
    if on_error == "fail":
        refuse_faults(found, "score")
    if not groups:
        stats, census, faults = totals.get(
            (), (BleuStats.zero(wanted.counted_order), Census.zero(wanted.counted_order), Faults())
        )
        _refuse_nothing(census, faults)
        return BleuScore(stats, wanted, census=census, skipped=faults)
    scores = GroupScores()
    scores.skipped = found
    for key, (stats, census, faults) in totals.items():
        name = key[0] if isinstance(by, str) else key
        if census.segments:
            scores[name] = BleuScore(stats, wanted, level="corpus", census=census, skipped=faults)
        else:
            scores.empty += (name,)
    return scores


def score(
    data: Data,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    by: Names = (),
    recipe: Recipe | str = DEFAULT,
    on_error: str = "fail",
    threads: int | None = None,
    source: str = "",
) -> BleuScore | GroupScores:
    """Score a table, or a stream of batches in constant memory; with ``by``, each group of rows.

    >>> import pyarrow as pa
    >>> data = pa.table({"candidate": ["a b c d", "a b"], "reference": ["a b c d", "a c"], "system": ["x", "y"]})
    >>> print(score(data, references="reference", by="system", recipe="paper")["x"].score)
    100.0
    """
    check_choice(on_error)
    parts = sum_batches(
        data, candidate=candidate, references=references, by=by, recipe=recipe, threads=threads, source=source
    )
    return score_sums(parts, by=by, recipe=recipe, on_error=on_error)


def each_statistics(
    data: Data,
    candidate: str,
    references: Names,
    recipe: Recipe | str,
    keep: Names,
    on_error: str,
    threads: int | None,
    source: str,
) -> Iterator[pa.Table]:
    """Do what ``statistics`` does, batch by batch as they come."""
    check_choice(on_error)
    wanted, kept = Recipe.of(recipe), _as_names(keep)
    _refuse_clash(kept, [*StatsTable(wanted.counted_order).columns, "fault"])
    for batch, first_row in _each_batch(data):
        table, faults = count_batch(batch, candidate, references, wanted, threads)
        if on_error == "fail":
            refuse_faults(Faults.of(faults, source, first_row), "statistics")
        columns = {name: _column(batch, name) for name in kept}
        for name, column in _stats_columns(table).items():
            columns[name] = _spread(column, faults, batch.num_rows)
        if on_error == "skip":
            columns["fault"] = _fault_column(faults, batch.num_rows)
        yield pa.table(columns)


def each_scored(
    data: Data,
    candidate: str,
    references: Names,
    recipe: Recipe | str,
    column: str,
    on_error: str,
    threads: int | None,
    source: str,
) -> Iterator[pa.Table]:
    """Do what ``score_segments`` does, batch by batch as they come."""
    check_choice(on_error)
    wanted = Recipe.of(recipe)
    for batch, first_row in _each_batch(data):
        _refuse_clash(batch.schema.names, [column, *([f"{column}_fault"] if on_error == "skip" else [])])
        table, faults = count_batch(batch, candidate, references, wanted, threads)
        if on_error == "fail":
            refuse_faults(Faults.of(faults, source, first_row), "score_segments")
        scores = pa.Array.from_buffers(pa.float64(), len(table), [None, pa.py_buffer(score_each(table, wanted))])
        part = pa.Table.from_batches([batch]).append_column(column, _spread(scores, faults, batch.num_rows))
        if on_error == "skip":
            part = part.append_column(f"{column}_fault", _fault_column(faults, batch.num_rows))
        yield part


def count_batch(
    batch: pa.RecordBatch, candidate: str, references: Names, recipe: Recipe, threads: int | None = None
) -> tuple[StatsTable, list[RowFault]]:
    """Count the rows of one batch that can be counted, and name the others."""
    names = _as_names(references)
    if not names:
        raise ShapeError(
            where="references",
            wanted="the name of at least one column",
            got="none",
            next_step=f"The table has {name_list(batch.schema.names)}.",
        )
    candidates = _text_column(batch, candidate, recipe, may_be_list=False)
    columns = [_text_column(batch, name, recipe, may_be_list=True) for name in names]
    return count_columns(candidates, columns, recipe.counting, recipe.counted_order, threads)


def sum_batch(
    batch: pa.RecordBatch,
    candidate: str,
    references: Names,
    by: Sequence[str],
    recipe: Recipe,
    threads: int | None = None,
    source: str = "",
    first_row: int = 0,
) -> pa.Table:
    """Count one batch and sum it: a row for each group, and a further one for each group with malformed rows."""
    table, faults = count_batch(batch, candidate, references, recipe, threads)
    if not by:
        return _sum_rows({}, [_numbers(table.total(), table.census())], [Faults.of(faults, source, first_row)], recipe)
    keys = pa.table({name: _key_column(batch, name) for name in by})
    good = keys.take(_good_rows(faults, batch.num_rows)) if faults else keys
    numbers = _stats_columns(table) | _census_columns(table)
    rows = pa.table({name: good[name] for name in by} | numbers)
    summed = rows.group_by(list(by), use_threads=False).aggregate([(name, "sum") for name in numbers])
    summed = summed.rename_columns([*by, *numbers])
    none = {_fault_name(kind): _zeros(summed.num_rows) for kind in KINDS}
    summed = pa.table({name: summed[name] for name in summed.column_names} | none | _no_places(summed.num_rows))
    return _concatenate([summed, *_sum_faults(keys, faults, recipe, source, first_row)])


def sum_columns(order: int) -> list[str]:
    """Name the columns of sums, after those of the groups."""
    return [*StatsTable(order).columns, *_census_names(order), *map(_fault_name, KINDS), FAULT_PLACES]


def sum_schema(keys: Sequence[pa.Field], order: int) -> pa.Schema:
    """Describe a table of sums."""
    numbers = [pa.field(name, pa.int64()) for name in sum_columns(order)[:-1]]
    return pa.schema([*keys, *numbers, pa.field(FAULT_PLACES, _PLACE_TYPE)])


def _sum_faults(
    keys: pa.Table, faults: Sequence[RowFault], recipe: Recipe, source: str, first_row: int
) -> Iterator[pa.Table]:
    """Give the malformed rows of each group."""
    groups: dict[tuple[object, ...], list[RowFault]] = {}
    for fault in faults:
        groups.setdefault(tuple(column[fault.row].as_py() for column in keys.columns), []).append(fault)
    if groups:
        nothing = _numbers(BleuStats.zero(recipe.counted_order), Census.zero(recipe.counted_order))
        found = [Faults.of(own, source, first_row) for own in groups.values()]
        first = keys.take([own[0].row for own in groups.values()])
        columns = {name: first[name] for name in keys.column_names}
        yield _sum_rows(columns, [nothing] * len(found), found, recipe)


def _sum_rows(keys: dict[str, Any], rows: Sequence[list[int]], found: Sequence[Faults], recipe: Recipe) -> pa.Table:
    counts = [[faults.counts.get(kind, 0) for kind in KINDS] for faults in found]
    places = [
        [{"kind": kind, "place": place} for kind, own in faults.places.items() for place in own] for faults in found
    ]
    numbers = zip(*(row + own for row, own in zip(rows, counts, strict=True)), strict=True)
    columns = {
        name: pa.array(column, pa.int64())
        for name, column in zip(sum_columns(recipe.counted_order)[:-1], numbers, strict=True)
    }
    return pa.table(keys | columns | {FAULT_PLACES: pa.array(places, _PLACE_TYPE)})


Total = tuple[BleuStats, Census, Faults]


def _add_rows(sums: Data, by: Sequence[str], order: int) -> dict[tuple[Hashable, ...], Total]:
    """Add rows of sums, group by group, in the order in which groups appear."""
    numbers: dict[tuple[Hashable, ...], list[int]] = {}
    places: dict[tuple[Hashable, ...], list[tuple[str, str]]] = {}
    names = sum_columns(order)[:-1]
    for batch, _ in _each_batch(sums):
        keys = [_column(batch, name).to_pylist() for name in by]
        rows = zip(*(_column(batch, name).to_pylist() for name in names), strict=True)
        has_places = FAULT_PLACES in batch.schema.names  # an engine that sums numbers may have left the lists out
        marks = _column(batch, FAULT_PLACES).to_pylist() if has_places else [None] * batch.num_rows
        for key, row, own in zip(zip(*keys, strict=True) if by else [()] * batch.num_rows, rows, marks, strict=True):
            known = numbers.get(key)
            numbers[key] = list(row) if known is None else [a + b for a, b in zip(known, row, strict=True)]
            if own:
                places.setdefault(key, []).extend((mark["kind"], mark["place"]) for mark in own)
    return {key: _as_total(row, places.get(key, []), order) for key, row in numbers.items()}


def _as_total(row: list[int], places: Sequence[tuple[str, str]], order: int) -> Total:
    width = 2 + 2 * order
    segments, *short, empty_references = row[width : width + 2 + order]
    counts = {kind: count for kind, count in zip(KINDS, row[width + 2 + order :], strict=True) if count}
    kept = {kind: tuple(place for own, place in places if own == kind)[:PLACES] for kind in counts}
    census = Census(segments, tuple(short), short[0], empty_references)
    return BleuStats.from_row(row[:width]), census, Faults(counts, kept)


def _refuse_nothing(census: Census, faults: Faults) -> None:
    if not census.segments:
        raise ShapeError(
            where="score",
            wanted="at least one segment",
            got=f"malformed rows alone, {faults}" if faults else "an empty table",
            next_step="BLEU of nothing is not defined; check that the right table was given.",
        )


def _numbers(stats: BleuStats, census: Census) -> list[int]:
    return [*stats.to_row(), census.segments, *census.short, census.empty_references]


def _census_names(order: int) -> list[str]:
    return ["segments", *(f"short_{n}" for n in range(1, order + 1)), "empty_references"]


def _fault_name(kind: str) -> str:
    return f"fault_{kind.replace('-', '_')}"


def _stats_columns(table: StatsTable) -> dict[str, pa.Array]:
    return {
        name: pa.Array.from_buffers(pa.int64(), len(table), [None, pa.py_buffer(table.column(name))])
        for name in table.columns
    }


def _census_columns(table: StatsTable) -> dict[str, pa.Array]:
    """Give what each row adds to the census."""
    lengths, reference_lengths = (_stats_columns(table)[name] for name in ("candidate_length", "reference_length"))
    short = {f"short_{n}": pc.cast(pc.less(lengths, n), pa.int64()) for n in range(1, table.order + 1)}
    empty = pc.cast(pc.equal(reference_lengths, 0), pa.int64())
    return {"segments": pa.repeat(pa.scalar(1, pa.int64()), len(table))} | short | {"empty_references": empty}


def _zeros(rows: int) -> pa.Array:
    return pa.repeat(pa.scalar(0, pa.int64()), rows)


def _no_places(rows: int) -> dict[str, pa.Array]:
    return {FAULT_PLACES: pa.array([[]] * rows, _PLACE_TYPE)}


def _good_rows(faults: Sequence[RowFault], rows: int) -> list[int]:
    bad = {fault.row for fault in faults}
    return [row for row in range(rows) if row not in bad]


def _spread(counted: pa.Array, faults: Sequence[RowFault], rows: int) -> pa.Array:
    """Put what was counted beside the rows it belongs to, with nulls beside the others."""
    if not faults:
        return counted
    places: list[int | None] = [None] * rows
    for place, row in enumerate(_good_rows(faults, rows)):
        places[row] = place
    return counted.take(pa.array(places, pa.int64()))


def _fault_column(faults: Sequence[RowFault], rows: int) -> pa.Array:
    kinds: list[str | None] = [None] * rows
    for fault in faults:
        kinds[fault.row] = fault.kind
    return pa.array(kinds, pa.string())


def _each_batch(data: Data) -> Iterator[tuple[pa.RecordBatch, int]]:
    """Give the batches of any kind of data, each with the number of its first row; an empty table is one batch."""
    first_row = 0
    for batch in _batches(data):
        yield batch, first_row
        first_row += batch.num_rows


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
        raise InputTypeError(
            where="data",
            wanted="a RecordBatch, a Table, or batches of them",
            got=f"{type(data).__name__} {quote(data)}",
            next_step="pyarrow.table(...) makes a table of columns.",
        )


def _concatenate(parts: Sequence[pa.Table]) -> pa.Table:
    if not parts:
        raise ShapeError(
            where="data",
            wanted="at least one batch, which says what columns there are",
            got="none",
            next_step="An empty table has a schema all the same: give it as pyarrow.Table.",
        )
    return parts[0] if len(parts) == 1 else pa.concat_tables(parts)


def _as_names(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _refuse_clash(own: Iterable[str], made: Iterable[str]) -> None:
    clash = [name for name in own if name in set(made)]
    if clash:
        raise ShapeError(
            where=f"column {clash[0]!r}",
            wanted="a name that the statistics do not have themselves",
            got="such a name",
            next_step="Rename the column first.",
        )


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    if batch.schema.names.count(name) != 1:
        raise ShapeError(
            where=f"column {name!r}",
            wanted=f"one of {name_list(batch.schema.names)}" if batch.schema.names else "a table with columns",
            got="several columns of that name" if name in batch.schema.names else "no such column",
            next_step="Name the columns with candidate=, references= and by=.",
        )
    return batch.column(name)


def _key_column(batch: pa.RecordBatch, name: str) -> pa.Array:
    column = _column(batch, name)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def _text_column(batch: pa.RecordBatch, name: str, recipe: Recipe, *, may_be_list: bool) -> pa.Array:
    column = _column(batch, name)
    depth, kind = 0, column.type
    while _is_list(kind):
        depth, kind = depth + 1, kind.value_type
    least = int(recipe.is_pretokenized)
    fits = least <= depth <= least + may_be_list or pa.types.is_null(column.type)
    is_text = _is_text(kind.value_type if pa.types.is_dictionary(kind) else kind)
    if not fits or not (is_text or recipe.is_pretokenized):
        text = "lists of tokens" if recipe.is_pretokenized else "strings"
        raise InputTypeError(
            where=f"column {name!r}",
            wanted=text + (f", or lists of {text}" if may_be_list else "") + " (or bytes that are UTF-8)",
            got=f"Arrow's type {column.type}",
            next_step="Name the right column, or cast it.",
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
