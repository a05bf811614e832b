"""Spark: scores over data frames of any size, by way of ``mapInArrow``.

Every task turns its batches into a few whole numbers per group; Spark adds these, and the driver makes scores of the
sums. So the result does not depend on partitions, on the order of rows, or on tasks that were lost and run again.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bleuprint.adapters import arrow
from bleuprint.adapters.arrow import CANDIDATE, REFERENCES, GroupScores
from bleuprint.adapters.arrow.columns import Names, RowCounter, as_names, check_column, name_scores
from bleuprint.adapters.arrow.sums import FAULT_PLACES, sum_columns, sum_whole
from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.errors import ShapeError, quote
from bleuprint.findings.comparison import Comparison, compare_statistics
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.faults import Faults, check_choice, refuse_faults

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame
__all__ = ["SystemStatistics", "compare", "score", "score_segments", "statistics", "sum_statistics"]

BRANCHES = 64
"""Sums of partitions meet in so many branches before they meet in one place."""
BRANCH = "bleuprint_branch"


class SystemStatistics(dict[str, StatsTable]):
    """The rows of each system, all in the order of ``segments``; ``skipped`` tells what was left out of all of them."""

    segments: tuple[Any, ...] = ()
    skipped: Faults = Faults()


def score(
    df: DataFrame,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    by: Names = (),
    recipe: Recipe | str = DEFAULT,
    on_error: str = "fail",
    threads: int = 1,
) -> AnyScore | GroupScores:
    """Score a data frame; with ``by``, each group of rows, as a dictionary in the order of the groups' names.

    ``references`` names one column or several, of strings or of arrays of strings. With ``on_error="fail"`` the
    error reports all malformed rows of the data, not only the first. ``threads`` are those of one task.

    ``score(df, references=["reference"], by=["system", "language"])[("online-b", "de")]`` is a ``Score``.
    """
    check_choice(on_error)
    groups = as_names(by, "by")
    if groups:
        grouped = sum_statistics(df, candidate=candidate, references=references, by=by, recipe=recipe, threads=threads)
        sums = grouped.toArrow().sort_by([(name, "ascending") for name in groups])
    else:  # a row of each partition: the driver adds them before Spark would have planned to
        counter = _counter(df, candidate, references, recipe, threads)
        sums = _sum_partitions(df, counter, ()).toArrow()
    return arrow.score_sums(_sort_places(sums), by=by, recipe=recipe, on_error=on_error)


def sum_statistics(
    df: DataFrame,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    by: Names = (),
    recipe: Recipe | str = DEFAULT,
    threads: int = 1,
) -> DataFrame:
    """Sum the statistics of each group: a data frame, for groups that are too many to collect, or to be stored.

    ``bleuprint.adapters.arrow.score_sums`` makes scores of its rows.
    """
    from pyspark.sql import functions as F  # noqa: N812, the name that everybody uses

    groups = as_names(by, "by")
    counter = _counter(df, candidate, references, recipe, threads, groups)
    partials = _sum_partitions(df, counter, groups)
    sums = [F.sum(name).alias(name) for name in sum_columns(counter.recipe.layout)[:-1]]
    sums.append(F.flatten(F.collect_list(FAULT_PLACES)).alias(FAULT_PLACES))
    keys = [_column(name) for name in groups]
    return partials.groupBy(*keys, BRANCH).agg(*sums).groupBy(*keys).agg(*sums)


def _counter(
    df: DataFrame, candidate: str, references: Names, recipe: Recipe | str, threads: int, others: Sequence[str] = ()
) -> RowCounter:
    """Describe what is counted, and see that its columns and those that are kept are there."""
    names = as_names(references, "references")
    for name in (candidate, *names, *others):
        check_column(name, df.columns)
    return RowCounter(candidate, names, Recipe.of(recipe), threads)


def _sum_partitions(df: DataFrame, counter: RowCounter, by: Sequence[str]) -> DataFrame:
    """Sum within each partition: a row for each group and batch, or without groups one for the partition."""
    from pyspark.sql.types import ArrayType, LongType, StringType, StructField, StructType

    place = StructType([StructField("kind", StringType()), StructField("place", StringType())])
    schema = StructType(
        [df.schema[name] for name in by]
        + [StructField(name, LongType()) for name in sum_columns(counter.recipe.layout)[:-1]]
        + [StructField(FAULT_PLACES, ArrayType(place)), StructField(BRANCH, LongType())]
    )
    return _select(df, counter, by).mapInArrow(partial(_sum_partition, counter, by), schema)


def score_segments(
    df: DataFrame,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    column: str | None = None,
    on_error: str = "fail",
    threads: int = 1,
) -> DataFrame:
    """Add a column of scores on 0 to 100, one for each row. Their mean is not the corpus score.

    The column has the name of the metric, such as ``bleu``, unless told otherwise. With ``on_error="skip"`` malformed
    rows have a null score, and a further column, such as ``bleu_fault``, says why; otherwise the first one that a task
    meets ends the job.
    """
    from pyspark.sql.types import DoubleType, StringType, StructField, StructType

    check_choice(on_error)
    counter = _counter(df, candidate, references, recipe, threads)
    title = name_scores(column, counter.recipe)
    added = [StructField(title, DoubleType())]
    if on_error == "skip":
        added.append(StructField(f"{title}_fault", StringType()))
    for field in added:
        if field.name in df.columns:
            message = f"The data frame already has a column {field.name!r}."
            raise ShapeError(message, "Choose another name with `column`.")
    schema = StructType([*df.schema.fields, *added])
    return df.mapInArrow(partial(_score_partition, counter, title, on_error), schema)


def statistics(
    df: DataFrame,
    *,
    system: str,
    segment: Names,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    recipe: Recipe | str = DEFAULT,
    on_error: str = "fail",
    threads: int = 1,
) -> SystemStatistics:
    """Collect one row of statistics for each segment of each system, for tests that resample on the driver.

    ``segment`` names the columns that tell segments apart; every system must have the same ones, each once, and all
    tables follow their order. A segment that is malformed in one system is, with ``on_error="skip"``, left out of all.
    """
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    check_choice(on_error)
    keys = [system, *as_names(segment, "segment")]
    counter = _counter(df, candidate, references, recipe, threads, keys)
    layout = counter.recipe.layout
    counted = [StructField(name, LongType()) for name in layout.columns]
    schema = StructType([df.schema[name] for name in keys] + counted + [StructField("fault", StringType())])
    rows = _select(df, counter, keys).mapInArrow(partial(_count_partition, counter, keys), schema)
    return _by_system(rows.toArrow().sort_by([(name, "ascending") for name in keys]), keys, layout, on_error)


def compare(
    df: DataFrame,
    *,
    system: str,
    segment: Names,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    recipe: Recipe | str = DEFAULT,
    on_error: str = "fail",
    **choices: Any,
) -> Comparison:
    """Compare the systems of a data frame: intervals, paired tests and clusters, as ``bleuprint.compare`` gives them.

    Spark counts; the statistics rows of all systems (up to some 10,000,000) come to the driver, which resamples them.
    ``choices`` are those of ``compare``: baseline, test, resamples, confidence, seed, labels, threads. Segments are in
    the order of their keys. Texts stay where they are, so that what needs them says so; the report has the rest.
    """
    tables = statistics(
        df, system=system, segment=segment, candidate=candidate, references=references, recipe=recipe, on_error=on_error
    )
    return compare_statistics(_name_systems(tables), recipe, skipped=tables.skipped, **choices)


def _name_systems(tables: SystemStatistics) -> dict[str, StatsTable]:
    """Write the values that tell systems apart as names."""
    named = {str(name): table for name, table in tables.items()}
    if len(named) < len(tables):
        names = ", ".join(map(quote, tables))
        raise ShapeError(f"Different systems have the same name when written: {names}.", "Replace nulls by a name.")
    return named


def _sum_partition(counter: RowCounter, by: Names, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    number = _partition()
    found = arrow.each_sums(batches, counter._replace(source=f"partition {number}"), by)
    for sums in found if by else sum_whole(found, counter.recipe.layout):
        branch = pa.array([number % BRANCHES] * sums.num_rows, pa.int64())
        yield from sums.append_column(BRANCH, branch).combine_chunks().to_batches()


def _score_partition(
    counter: RowCounter, column: str, on_error: str, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    here = counter._replace(source=f"partition {_partition()}")
    for scored in arrow.each_scored(batches, here, column, on_error):
        yield from scored.combine_chunks().to_batches()


def _count_partition(counter: RowCounter, keys: Names, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for counted in arrow.each_statistics(batches, counter, keys, "skip"):
        yield from counted.combine_chunks().to_batches()


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context else 0


def _by_system(rows: pa.Table, keys: Sequence[str], layout: Layout, on_error: str) -> SystemStatistics:
    """Part sorted rows by system, and see that all systems have the same segments."""
    system, *segment = keys
    found = SystemStatistics()
    names = rows[system].unique().to_pylist()
    parts = {name: rows.filter(_equals(rows[system], name)) for name in names}
    segments = {
        name: list(zip(*(part[key].to_pylist() for key in segment), strict=True)) for name, part in parts.items()
    }
    _refuse_unpaired(segments)
    bad = [
        (name, place, kind)
        for name, part in parts.items()
        if part["fault"].null_count < part.num_rows
        for place, kind in enumerate(part["fault"].to_pylist())
        if kind
    ]
    for name, place, kind in bad:
        where = ", ".join(f"{key} {value}" for key, value in zip(segment, segments[name][place], strict=True))
        found.skipped += Faults({kind: 1}, {kind: (f"{system} {name}, {where}",)})
    if on_error == "fail":
        refuse_faults(found.skipped, "statistics")
    left_out = {place for _, place, _ in bad}
    common = next(iter(segments.values()), [])
    found.segments = tuple(
        key[0] if len(segment) == 1 else key for place, key in enumerate(common) if place not in left_out
    )
    kept = [place for place in range(len(common)) if place not in left_out] if left_out else None
    for name, part in parts.items():
        found[name] = _as_table(part if kept is None else part.take(kept), layout)
    return found


def _equals(column: pa.ChunkedArray, value: object) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    return pc.is_null(column) if value is None else pc.fill_null(pc.equal(column, value), False)


def _as_table(part: pa.Table, layout: Layout) -> StatsTable:
    table = StatsTable.zeros(layout, part.num_rows)
    numbers = table.numbers
    for place, name in enumerate(table.columns):
        column = part[name].combine_chunks()
        numbers[place :: table.width] = array("q", column.to_pylist())
    numbers.release()
    return table


def _refuse_unpaired(segments: dict[Any, list[Any]]) -> None:
    if not segments:
        raise ShapeError("The data frame has no rows.", "Check the filter that made it.")
    (first, expected), *others = segments.items()
    for name, found in segments.items():
        twice = next((a for a, b in pairwise(found) if a == b), None)
        if twice is not None:
            raise ShapeError(
                f"System {quote(name)} has the segment {quote(twice)} more than once.",
                "Name all columns that identify a segment in `segment`, such as document and line.",
            )
    for name, found in others:
        if found != expected:
            odd = sorted(set(found) ^ set(expected), key=str)
            raise ShapeError(
                f"System {quote(first)} has {len(expected):,} segments, system {quote(name)} has {len(found):,}; "
                f"only one of them has {quote(odd[0])}.",
                "Systems are compared on the same segments: keep those that all systems have.",
            )


def _sort_places(sums: pa.Table) -> pa.Table:
    """Put places in the order of partitions and rows, which sums meet in any order."""
    import pyarrow as pa

    places = sums[FAULT_PLACES].to_pylist()
    if any(places):
        for own in places:
            own.sort(key=lambda mark: [int(number) for number in re.findall(r"\d+", mark["place"])])
        field = sums.schema.get_field_index(FAULT_PLACES)
        sums = sums.set_column(field, FAULT_PLACES, pa.array(places, sums.schema.field(field).type))
    return sums


def _column(name: str) -> Column:
    from pyspark.sql import functions as F  # noqa: N812

    return F.col("`" + name.replace("`", "``") + "`")


def _select(df: DataFrame, counter: RowCounter, others: Sequence[str]) -> DataFrame:
    names = (counter.candidate, *counter.references, *others)
    return df.select(*map(_column, dict.fromkeys(names)))
