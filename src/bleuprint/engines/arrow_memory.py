"""Arrow's memory is validated before it is read: offsets, views and indices may come from a damaged file.

Arrow's full validation does the work, with two exceptions. Bytes that are not UTF-8 are faults of their rows, not of
the column, so texts are validated as bytes. Only the part of a slice that its rows reach is validated, so that many
slices of one array take no longer than the array.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bleuprint.errors import BleuprintError, quote


def check_columns(candidates: Any, references: Iterable[Any]) -> None:
    """Raise an error for columns whose memory breaks Arrow's format."""
    check_memory(candidates, "candidates")
    for column in references:
        check_memory(column, "references")


def check_memory(column: Any, name: str, *, utf8: bool = False) -> None:
    """Raise an error for a column of pyarrow that breaks Arrow's format. Other columns cannot be checked here."""
    if not hasattr(column, "validate"):
        return
    from pyarrow import ArrowException

    try:
        validate(column, utf8=utf8)
    except ArrowException as error:
        raise BleuprintError(
            f"The memory of the column {name!r} breaks Arrow's format: {quote(str(error), 200)}.",
            "Read or create the data again.",
        ) from None


def validate(column: Any, *, utf8: bool = False) -> None:
    """Validate a column as far as its rows reach, with ``utf8`` its strings as well. Raises what pyarrow raises."""
    from pyarrow import ArrowInvalid, types

    column.validate()  # the sizes of all buffers, at every depth, without a look at the rows
    if column.offset < 0:
        raise ArrowInvalid(f"Array offset is negative: {column.offset}")
    if types.is_dictionary(column.type):
        _validate_dictionary(column, utf8)
    elif hasattr(column.type, "value_field") and not types.is_map(column.type):  # a type of lists
        _validate_lists(column, utf8)
    else:
        (column if utf8 else _as_bytes(column)).validate(full=True)


def _validate_dictionary(column: Any, utf8: bool) -> None:
    import pyarrow as pa
    from pyarrow import compute

    column.indices.validate(full=True)
    first, last = compute.min_max(column.indices).as_py().values()
    if first is None:  # nulls alone
        first, last = 0, -1
    elif not 0 <= first <= last < len(column.dictionary):
        raise pa.ArrowInvalid(f"Dictionary indices {first} to {last}, of {len(column.dictionary)} values")
    validate(column.dictionary.slice(first, last - first + 1), utf8=utf8)


def _validate_lists(column: Any, utf8: bool) -> None:
    import pyarrow as pa
    from pyarrow import compute, types

    kind, values = column.type, column.values
    if types.is_fixed_size_list(kind):
        hollow, buffers = pa.list_(pa.null(), kind.list_size), 1
    elif types.is_list_view(kind) or types.is_large_list_view(kind):
        hollow, buffers = (pa.list_view if types.is_list_view(kind) else pa.large_list_view)(pa.null()), 3
    else:
        hollow, buffers = (pa.list_ if types.is_list(kind) else pa.large_list)(pa.null()), 2
    # The same lists of as many nulls: what is looked at are the lists alone.
    pa.Array.from_buffers(
        hollow, len(column), column.buffers()[:buffers], offset=column.offset, children=[pa.nulls(len(values))]
    ).validate(full=True)
    if not len(column):
        first, end = 0, 0
    elif buffers == 1:
        first, end = column.offset * kind.list_size, (column.offset + len(column)) * kind.list_size
    elif buffers == 2:
        first, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
    else:
        first = compute.min(column.offsets).as_py()
        end = compute.max(compute.add_checked(column.offsets, column.sizes)).as_py()
    if not 0 <= first <= end <= len(values):
        raise pa.ArrowInvalid(f"Lists of the values {first} to {end}, of {len(values)}")
    validate(values.slice(first, end - first), utf8=utf8)


def _as_bytes(column: Any) -> Any:
    """View strings as bytes, which need not be UTF-8."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_string(column.type):
        return column.view(pa.binary())
    if types.is_large_string(column.type):
        return column.view(pa.large_binary())
    return column.view(pa.binary_view()) if types.is_string_view(column.type) else column
