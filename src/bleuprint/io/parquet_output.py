"""Rows as a Parquet file, for what reads columns: DuckDB, pandas, polars, Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.errors import MissingPackageError


def pack_parquet(columns: Mapping[str, Sequence[object]], metadata: Mapping[str, str]) -> bytes:
    """Give the bytes of a Parquet file with these columns; what is true of all rows stands in its metadata."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingPackageError(
            where="parquet",
            wanted="the package pyarrow, to write Parquet files",
            got="no such package",
            next_step='Install it: pip install "bleuprint[arrow]".',
        ) from None
    table = pa.table(dict(columns)).replace_schema_metadata(dict(metadata))
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed
