"""Columns of Arrow, counted: from their memory where the kernel can, by way of Python's strings elsewhere.

A column is anything that has a length and speaks Arrow's PyCapsule interface; the second way also asks for pyarrow's
``to_pylist``. Memory that breaks Arrow's format is refused. Rows that cannot be counted come back as faults and have no
row in the table.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads, count_segments
from bleuprint.engines.arrow_memory import check_memory
from bleuprint.metrics.bleu.recipe import Counting
from bleuprint.native_kernel import find_kernel
from bleuprint.text.faults import RowFault
from bleuprint.text.segments import Segments, Text, pair_segments
from bleuprint.text.tokenizers.registry import PRETOKENIZED


class Column(Protocol):
    """An array of pyarrow, or what behaves like one."""

    type: Any

    def __len__(self) -> int:
        """Count the rows."""

    def __getitem__(self, row: int) -> Any:
        """Give a row as a scalar with ``as_py``."""

    def to_pylist(self) -> list[Any]:
        """Give all rows as Python's values."""


def count_columns(
    candidates: Column, references: Sequence[Column], counting: Counting, order: int, threads: int | None = None
) -> tuple[StatsTable, list[RowFault]]:
    """Count every row that can be counted, and name the others."""
    check_threads(threads)
    if find_kernel() is not None:
        from bleuprint.engines import native

        if native.reads_columns(counting):
            _check_columns(candidates, references)
            return native.count_columns(candidates, references, counting, order, threads)
    pretokenized = counting.tokenizer == PRETOKENIZED
    segments, faults = read_columns(candidates, references, pretokenized=pretokenized)
    if pretokenized and len(segments):  # tokens may be anything, so they are looked at one by one
        cased = counting.case != "mixed"
        segments = pair_segments(segments.candidates, segments.references, pretokenized=True, cased=cased)
    return count_segments(segments, counting, order, threads), faults


def read_columns(
    candidates: Column, references: Sequence[Column], *, pretokenized: bool = False
) -> tuple[Segments, list[RowFault]]:
    """Turn columns into Python's texts: the definition of what the kernel reads, and of what it refuses."""
    _check_columns(candidates, references)
    kept = Segments([], [])
    faults: list[RowFault] = []
    columns = [_references(column, 1 + pretokenized) for column in references]
    for row, candidate in enumerate(_values(candidates)):
        own = [text for column in columns for text in column[row]]
        fault = _find_fault(candidate, own)
        if fault:
            faults.append(RowFault(row, fault))
        else:
            kept.candidates.append(candidate)
            kept.references.append(tuple(own))
    return kept, faults


def _check_columns(candidates: Column, references: Sequence[Column]) -> None:
    check_memory(candidates, "candidates")
    for column in references:
        check_memory(column, "references")


class _Broken:
    """Stands for bytes that are not UTF-8."""


def _find_fault(candidate: object, references: Sequence[object]) -> str:
    if candidate is None:
        return "null-candidate"
    if isinstance(candidate, _Broken):
        return "broken-candidate"
    if any(isinstance(text, _Broken) for text in references):
        return "broken-reference"
    return "" if references else "no-reference"


def _references(column: Column, list_depth: int) -> list[list[Text]]:
    """Give the references that each cell holds, the missing ones left out."""
    values = _values(column)
    if _depth(column) < list_depth:
        return [_lone(value) for value in values]
    return [
        [text for text in value if text is not None] if isinstance(value, list) else _lone(value) for value in values
    ]


def _lone(value: Any) -> list[Any]:
    return [] if value is None else [value]


def _depth(column: Column) -> int:
    """Count the lists around the values of a column."""
    depth, kind = 0, column.type
    while hasattr(kind, "value_field"):  # a type of lists
        depth, kind = depth + 1, kind.value_type
    return depth


def _values(column: Column) -> list[Any]:
    try:
        values = column.to_pylist()
    except UnicodeDecodeError:  # a string that is none, somewhere: look at every row
        values = [_scalar(column[row]) for row in range(len(column))]
    return [_decoded(value) for value in values]


def _scalar(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return _Broken()


def _decoded(value: Any) -> Hashable | list[Any]:
    if isinstance(value, list):
        return [_decoded(entry) for entry in value]
    if not isinstance(value, bytes):
        return value  # type: ignore[no-any-return]
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return _Broken()
