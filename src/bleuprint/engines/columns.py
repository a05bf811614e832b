"""Arrow columns as Python's texts: the definition of what an engine reads from Arrow's memory.

A column has a length and Arrow's PyCapsule interface. This module also needs pyarrow's ``to_pylist``. Memory that
breaks Arrow's format is an error. Rows that cannot be counted are returned as faults.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bleuprint.engines.arrow_memory import check_columns
from bleuprint.errors import BleuprintError
from bleuprint.text.faults import RowFault
from bleuprint.text.segments import Segments, Text


def read_columns(
    candidates: Any, references: Sequence[Any], *, pretokenized: bool = False
) -> tuple[Segments, list[RowFault]]:
    """Convert columns to Python's texts, and name the rows that cannot be counted."""
    check_columns(candidates, references)
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


@contextmanager
def naming_rows(faults: Sequence[RowFault]) -> Iterator[None]:
    """Give errors about the rows that ``read_columns`` kept their index in the columns."""
    try:
        yield
    except BleuprintError as error:
        if error.location is None or error.location.position is None:
            raise
        row = error.location.position
        for fault in faults:  # which are in the order of rows
            row += fault.row <= row
        raise error.reworded(where=error.location._replace(position=row)) from None


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


def _references(column: Any, list_depth: int) -> list[list[Text]]:
    """Return the references in each cell without the missing ones."""
    values = _values(column)
    if _depth(column) < list_depth:
        return [_lone(value) for value in values]
    return [
        [text for text in value if text is not None] if isinstance(value, list) else _lone(value) for value in values
    ]


def _lone(value: Any) -> list[Any]:
    return [] if value is None else [value]


def _depth(column: Any) -> int:
    """Count the lists around the values of a column."""
    depth, kind = 0, column.type
    while hasattr(kind, "value_field"):  # a type of lists
        depth, kind = depth + 1, kind.value_type
    return depth


def _values(column: Any) -> list[Any]:
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
