"""Columnar files, Parquet and Arrow IPC: one file, several, a folder or a pattern, read batch by batch."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.advice import Advice
from bleuprint.engines.arrow_memory import validate
from bleuprint.errors import FileError, MissingPackageError, quote
from bleuprint.files.columnar_names import ColumnNames, find_columnar
from bleuprint.files.kinds import is_url
from bleuprint.files.lines import BATCH, refuse_second_stdin
from bleuprint.files.remote import open_remote
from bleuprint.text.formats import STDIN, display_name
from bleuprint.text.formats.sources import LONGEST_LINE

if TYPE_CHECKING:
    import pyarrow as pa


class ColumnarPart(NamedTuple):
    """A batch of rows, and where it comes from."""

    source: str
    first_row: int
    batch: pa.RecordBatch


def stream_columnar(
    names: Sequence[str], form: str, columns: ColumnNames, batch: int = BATCH
) -> Iterator[tuple[ColumnarPart, ColumnNames]]:
    """Read the files one after the other, batch by batch; memory does not grow with their number or length."""
    refuse_second_stdin(names)
    for name in find_columnar(names, form):
        path = display_name(name)
        with _reading(path, form):
            opened = _open_parquet(name, columns, batch) if form == "parquet" else _open_ipc(name, columns, batch)
            first_row = 0
            for rows, settled in opened:
                for column in settled.needed():
                    validate(rows.column(column), utf8=column in (settled.document, *settled.labels))
                    _check_length(rows.column(column), f"{path}, column {column!r}")
                yield ColumnarPart(path, first_row, rows), settled
                first_row += rows.num_rows


def _check_length(column: pa.Array, where: str) -> None:
    """Refuse a text that is longer than a line of a text file may be."""
    import pyarrow as pa
    from pyarrow import compute, types

    if column.nbytes <= LONGEST_LINE:  # then no text is longer
        return
    if types.is_dictionary(column.type):
        _check_length(column.dictionary, where)
    elif hasattr(column, "flatten") and hasattr(column.type, "value_field"):
        _check_length(column.flatten(), where)
    else:
        with suppress(pa.ArrowNotImplementedError):  # no column of texts, which is refused later
            lengths = compute.binary_length(column.cast(pa.large_binary()))
            if (compute.max(lengths).as_py() or 0) > LONGEST_LINE:
                raise FileError(
                    where=where,
                    wanted=f"texts of at most {LONGEST_LINE:,} bytes",
                    got="a longer one",
                    next_step="Each row is one segment. Split the text.",
                )


@contextmanager
def _opened(name: str) -> Iterator[pa.NativeFile]:
    """Open a file; a URL goes to pyarrow as it is. What comes through a pipe is held in memory, as it is read twice."""
    import pyarrow as pa

    if name == STDIN:
        yield pa.BufferReader(sys.stdin.buffer.read())
    elif is_url(name):
        with open_remote(name) as file:
            yield file
    else:
        with pa.memory_map(name) as file:
            yield file


@contextmanager
def _parquet_source(name: str) -> Iterator[pa.NativeFile | Path]:
    if name == STDIN or is_url(name):
        with _opened(name) as file:
            yield file
    else:
        yield Path(name)


def _open_parquet(path: str, columns: ColumnNames, batch: int) -> Iterator[tuple[pa.RecordBatch, ColumnNames]]:
    from pyarrow import parquet

    # Buffered and not read ahead: a row group may be larger than memory.
    with (
        _parquet_source(path) as source,
        parquet.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False) as file,
    ):
        settled = columns.within(file.schema_arrow.names, display_name(path))
        for rows in file.iter_batches(batch_size=batch, columns=settled.needed(), use_threads=False):
            yield rows, settled


def _open_ipc(path: str, columns: ColumnNames, batch: int) -> Iterator[tuple[pa.RecordBatch, ColumnNames]]:
    import pyarrow as pa

    with _opened(path) as memory:
        is_file = memory.read(6) == b"ARROW1"
        memory.seek(0)
        reader = pa.ipc.open_file(memory) if is_file else pa.ipc.open_stream(memory)
        settled = columns.within(reader.schema.names, display_name(path))
        every = (reader.get_batch(place) for place in range(reader.num_record_batches)) if is_file else reader
        for rows in every:
            rows.validate()  # a length that is negative would be no rows
            chosen = rows.select(settled.needed())
            for start in range(0, chosen.num_rows, batch):
                yield chosen.slice(start, batch), settled


@contextmanager
def _reading(path: str, form: str) -> Iterator[None]:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingPackageError(
            where=path,
            wanted=f"the package pyarrow, to read {form} files",
            got="no such package" if error.name == "pyarrow" else quote(str(error), 200),
            next_step='Install it: pip install "bleuprint[arrow]".',
        ) from None
    try:
        yield
    except FileNotFoundError:
        raise FileError(
            where=path,
            wanted="a file",
            got="no file of that name",
            next_step=Advice.CHECK_NAME,
        ) from None
    except MemoryError:  # pyarrow's is an ArrowException as well
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FileError(
            where=path,
            wanted=f"a readable {form} file",
            got=quote(str(error)),
            next_step="Name files one by one, as pyarrow knows them (file, s3, gs, abfs, hdfs), or fetch them first."
            if is_url(path)
            else Advice.NAME_COLUMNAR_FORM,
        ) from None
