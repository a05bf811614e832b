"""Columnar files, Parquet and Arrow IPC: one file, several, a folder or a pattern, read batch by batch."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint.errors import FileError, name_list, quote
from bleuprint.io.lines import BATCH, missing_file, refuse_second_stdin
from bleuprint.io.paths import SUFFIXES, form_of, is_file, is_folder, is_url, list_columnar
from bleuprint.text.formats import STDIN, display_name
from bleuprint.text.formats.columns import ColumnNames
from bleuprint.text.formats.sources import LONGEST_LINE

__all__ = ["ColumnNames", "ColumnarPart", "find_columnar", "pack_parquet", "stream_columnar"]

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa


class ColumnarPart(NamedTuple):
    """A batch of rows and its origin."""

    source: str
    first_row: int
    batch: Any
    """a ``pyarrow.RecordBatch``"""


def find_columnar(names: Sequence[str], form: str) -> list[str]:
    """List the files that names, folders, patterns and URLs stand for, in the order of their names."""
    from glob import glob, has_magic

    found: list[str] = []
    for name in names:
        if is_url(name):
            files = [name]
        elif is_folder(name):
            files = [file for file in list_columnar(name) if form_of(file) == form]
        elif is_file(name) or not has_magic(name):
            files = [name]
        else:
            files = sorted(glob(name, recursive=True))
        if not files:
            endings = name_list(suffix for suffix, kind in SUFFIXES.items() if kind == form)
            raise FileError(f"There is no {form} file.", f"Their names must end in {endings}.", where=name)
        found += files
    return found


def stream_columnar(
    names: Sequence[str], form: str, columns: ColumnNames, batch: int = BATCH
) -> Iterator[tuple[ColumnarPart, ColumnNames]]:
    """Read the files one after the other, batch by batch; memory does not grow with their number or length."""
    from bleuprint.engines import arrow_memory

    refuse_second_stdin(names)
    for name in find_columnar(names, form):
        path = display_name(name)
        with _reading(path, form):
            opened = _open_parquet(name, columns, batch) if form == "parquet" else _open_ipc(name, columns, batch)
            first_row = 0
            for rows, settled in opened:
                for column in settled.needed():
                    arrow_memory.validate(rows.column(column), utf8=column in (settled.document, *settled.labels))
                    _check_length(rows.column(column), f"{path}, column {column!r}")
                yield ColumnarPart(path, first_row, rows), settled
                first_row += rows.num_rows


def _check_length(column: "pa.Array", where: str) -> None:
    """Raise an error about a text that is longer than a line of a text file may be."""
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
                message = f"expected texts of at most {LONGEST_LINE:,} bytes, got a longer one."
                raise FileError(message, "Each row is one segment. Split the text.", where=where)


@contextmanager
def _opened(name: str) -> Iterator["pa.NativeFile"]:
    """Open a file or a URL. A pipe is read into memory, because it is read twice."""
    import pyarrow as pa

    if name == STDIN:
        yield pa.BufferReader(sys.stdin.buffer.read())
    elif is_url(name):
        from bleuprint.io.opening import open_remote

        with open_remote(name) as file:
            yield file
    else:
        with pa.memory_map(name) as file:
            yield file


@contextmanager
def _parquet_source(name: str) -> Iterator["pa.NativeFile | Path"]:
    from pathlib import Path

    if name == STDIN or is_url(name):
        with _opened(name) as file:
            yield file
    else:
        yield Path(name)


def _open_parquet(path: str, columns: ColumnNames, batch: int) -> Iterator[tuple["pa.RecordBatch", ColumnNames]]:
    from pyarrow import parquet

    # Buffered and not read ahead: a row group may be larger than memory.
    with (
        _parquet_source(path) as source,
        parquet.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False) as file,
    ):
        settled = columns.within(file.schema_arrow.names, display_name(path))
        for rows in file.iter_batches(batch_size=batch, columns=settled.needed(), use_threads=False):
            yield rows, settled


def _open_ipc(path: str, columns: ColumnNames, batch: int) -> Iterator[tuple["pa.RecordBatch", ColumnNames]]:
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
    from bleuprint.io.opening import import_pyarrow

    pa = import_pyarrow(path, f"to read {form} files")
    try:
        yield
    except FileNotFoundError:
        raise missing_file(path) from None
    except MemoryError:  # pyarrow's is an ArrowException as well
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        fix = "Check the file. `form` says what it is if its name does not."
        if is_url(path):
            fix = "Name files one by one, as pyarrow reads them (file, s3, gs, abfs, hdfs), or download them first."
        raise FileError(f"Cannot read the {form} file: {quote(str(error))}.", fix, where=path) from None


def pack_parquet(columns: Mapping[str, Sequence[object]], metadata: Mapping[str, str]) -> bytes:
    """Return the bytes of a Parquet file with these columns and metadata."""
    from bleuprint.io.opening import import_pyarrow

    pa = import_pyarrow("parquet", "to write Parquet files")
    from pyarrow import parquet

    table = pa.table(dict(columns)).replace_schema_metadata(dict(metadata))
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed
