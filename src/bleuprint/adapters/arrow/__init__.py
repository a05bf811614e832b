"""Arrow: record batches in, statistics out, straight from Arrow's memory to the kernel.

These are the functions to put inside anything that maps Arrow batches: Spark, Ray Data, DuckDB, Polars, a loop over a
Parquet file. ``sum_statistics`` turns a batch into a few whole numbers per group; such rows add, wherever they were
made, and ``score_sums`` makes scores of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from bleuprint.counting.sums import Sums
from bleuprint.errors import MissingPackageError, ShapeError, missing_package, quote
from bleuprint.metrics.score import AnyScore
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import score_each
from bleuprint.text.faults import NO_FAULTS, Faults, RowFault, check_choice, refuse_faults

try:
    import pyarrow as pa
except ImportError as _error:
    if _error.name == "pyarrow":
        raise missing_package("pyarrow", '"bleuprint[arrow]"') from None
    raise MissingPackageError(f"pyarrow cannot be imported: {quote(str(_error), 200)}.", "Reinstall it.") from None

from bleuprint.adapters.arrow.columns import (
    Data,
    Names,
    RowCounter,
    as_names,
    concatenate,
    find_column,
    name_scores,
    refuse_clash,
)
from bleuprint.adapters.arrow.sums import add_sums, good_rows, stats_columns, sum_columns, sum_groups

__all__ = ["GroupScores", "score", "score_segments", "score_sums", "statistics", "sum_statistics"]

CANDIDATE, REFERENCES = "candidate", "references"


class GroupScores(dict[Hashable, AnyScore]):
    """Scores by group. ``skipped`` counts malformed rows of all groups; ``empty`` names groups that had only such."""

    skipped: Faults = NO_FAULTS
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
    """Count every row: the columns named in ``keep``, then the columns of ``bleuprint.results.StatsTable``.

    ``references`` names one column or several, each of strings or of lists of strings. With ``on_error="skip"``
    malformed rows have nulls, and a last column ``fault`` that says why.

    >>> import pyarrow as pa
    >>> data = pa.table({"candidate": ["the cat is on mat"], "references": [["the cat is on the mat"]]})
    >>> statistics(data, recipe="paper").to_pylist()[0]["matches_1"]
    5
    """
    counter = RowCounter(candidate, references, Recipe.of(recipe), threads, source)
    return concatenate(list(each_statistics(data, counter, keep, on_error)))


def score_segments(
    data: Data,
    *,
    candidate: str = CANDIDATE,
    references: Names = REFERENCES,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    column: str | None = None,
    on_error: str = "fail",
    threads: int | None = None,
    source: str = "",
) -> pa.Table:
    """Add a column of scores on 0 to 100, one for each row. Their mean is not the corpus score.

    The column has the name of the metric, such as ``bleu``, unless told otherwise. With ``on_error="skip"`` malformed
    rows have a null score, and a further column, such as ``bleu_fault``, says why.
    """
    chosen = Recipe.of(recipe)
    counter = RowCounter(candidate, references, chosen, threads, source)
    return concatenate(list(each_scored(data, counter, name_scores(column, chosen), on_error)))


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
    counter = RowCounter(candidate, references, Recipe.of(recipe), threads, source)
    return concatenate(list(each_sums(data, counter, by)))


def score_sums(
    sums: Data, *, by: Names = (), recipe: Recipe | str = DEFAULT, on_error: str = "fail"
) -> AnyScore | GroupScores:
    """Score what ``sum_statistics`` made: one score, or with ``by`` a dictionary of them.

    The keys are values when ``by`` is a name, tuples of values when it is a list of names. Give the recipe that
    counted: sums are whole numbers, which do not tell by which tokenizer they were counted.
    """
    check_choice(on_error)
    wanted, groups = Recipe.of(recipe), as_names(by, "by")
    totals = add_sums(sums, groups, wanted.layout)
    if not groups:
        return _score_whole(totals.get((), Sums.zero(wanted.layout)), wanted, on_error)
    found = sum((own.skipped for own in totals.values()), NO_FAULTS)
    if on_error == "fail":
        refuse_faults(found, "score")
    scores = GroupScores()
    scores.skipped = found
    for key, own in totals.items():
        name = key[0] if isinstance(by, str) else key
        if own.segments:
            scores[name] = wanted.metric.score_sums(own, wanted)
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
) -> AnyScore | GroupScores:
    """Score a table, or a stream of batches in constant memory; with ``by``, each group of rows.

    >>> import pyarrow as pa
    >>> data = pa.table({"candidate": ["a b c d", "a b"], "reference": ["a b c d", "a c"], "system": ["x", "y"]})
    >>> print(score(data, references="reference", by="system", recipe="paper")["x"].score)
    100.0
    """
    check_choice(on_error)
    wanted = Recipe.of(recipe)
    counter = RowCounter(candidate, references, wanted, threads, source)
    if as_names(by, "by"):
        return score_sums(each_sums(data, counter, by), by=by, recipe=wanted, on_error=on_error)
    whole = sum((counted.sums() for counted in counter.count_each(data)), Sums.zero(wanted.layout))
    return _score_whole(whole, wanted, on_error)


def each_statistics(data: Data, counter: RowCounter, keep: Names, on_error: str) -> Iterator[pa.Table]:
    """Do what ``statistics`` does, batch by batch as they come."""
    check_choice(on_error)
    kept = as_names(keep, "keep")
    refuse_clash(kept, [*counter.recipe.layout.columns, "fault"])
    for counted in counter.count_each(data):
        batch, faults = counted.batch, counted.faults
        if on_error == "fail":
            refuse_faults(counted.report(faults), "statistics")
        columns = {name: find_column(batch, name) for name in kept}
        for name, column in stats_columns(counted.table).items():
            columns[name] = _spread(column, faults, batch.num_rows)
        if on_error == "skip":
            columns["fault"] = _fault_column(faults, batch.num_rows)
        yield pa.table(columns)


def each_scored(data: Data, counter: RowCounter, column: str, on_error: str) -> Iterator[pa.Table]:
    """Do what ``score_segments`` does, batch by batch as they come."""
    check_choice(on_error)
    for counted in counter.count_each(data):
        batch, table, faults = counted.batch, counted.table, counted.faults
        refuse_clash(batch.schema.names, [column, *([f"{column}_fault"] if on_error == "skip" else [])])
        if on_error == "fail":
            refuse_faults(counted.report(faults), "score_segments")
        numbers = score_each(table, counter.recipe)
        scores = pa.Array.from_buffers(pa.float64(), len(table), [None, pa.py_buffer(numbers)])
        part = pa.Table.from_batches([batch]).append_column(column, _spread(scores, faults, batch.num_rows))
        if on_error == "skip":
            part = part.append_column(f"{column}_fault", _fault_column(faults, batch.num_rows))
        yield part


def each_sums(data: Data, counter: RowCounter, by: Names) -> Iterator[pa.Table]:
    """Do what ``sum_statistics`` does, batch by batch as they come."""
    groups = as_names(by, "by")
    refuse_clash(groups, sum_columns(counter.recipe.layout))
    for counted in counter.count_each(data):
        yield sum_groups(counted, groups)


def _score_whole(sums: Sums, recipe: Recipe, on_error: str) -> AnyScore:
    """Score what all rows come to, unless some of them are malformed, or there is none."""
    if on_error == "fail":
        refuse_faults(sums.skipped, "score")
    if not sums.segments:
        found = f"has malformed rows only: {sums.skipped}" if sums.skipped else "is empty"
        raise ShapeError(f"There is nothing to score: the table {found}.", "Check that the right table was passed.")
    return recipe.metric.score_sums(sums, recipe)


def _spread(counted: pa.Array, faults: Sequence[RowFault], rows: int) -> pa.Array:
    """Put what was counted beside the rows it belongs to, with nulls beside the others."""
    if not faults:
        return counted
    places: list[int | None] = [None] * rows
    for place, row in enumerate(good_rows(faults, rows)):
        places[row] = place
    return counted.take(pa.array(places, pa.int64()))


def _fault_column(faults: Sequence[RowFault], rows: int) -> pa.Array:
    kinds: list[str | None] = [None] * rows
    for fault in faults:
        kinds[fault.row] = fault.kind
    return pa.array(kinds, pa.string())
