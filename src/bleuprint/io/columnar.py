"""Columnar files, Parquet and Arrow IPC: one file, several, a folder or a pattern, read batch by batch."""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint.advice import Advice
from bleuprint.errors import FileError, name_list, nearest, quote
from bleuprint.io.lines import BATCH, refuse_second_stdin
from bleuprint.io.paths import SUFFIXES, form_of, is_file, is_folder, is_url, list_columnar
from bleuprint.text.formats import STDIN, display_name
from bleuprint.text.formats.columns import usual_references
from bleuprint.text.formats.sources import LONGEST_LINE

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa


class ColumnNames(NamedTuple):
    """The columns that hold a corpus; empty names stand for the usual ones."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    document: str = ""
    labels: tuple[str, ...] = ()
    """columns with what a row belongs to, beside its document"""

    def within(self, names: Sequence[str], source: str) -> "ColumnNames":
        """Settle the names for a file that has these columns."""
        settled = ColumnNames(
            self.candidate or "candidate",
            self.references or (usual_references(names),),
            self.document or ("document" if "document" in names else ""),
            self.labels,
        )
        for name in settled.needed():
            if names.count(name) != 1:
                raise FileError(
                    where=f"{source}, column {name!r}",
                    wanted=f"one of {name_list(names)}" if names else "a table with columns",
                    got="several columns of that name" if name in names else "no such column",
                    suggestion=None if name in names else nearest(name, names),
                    next_step="Name a column of the table." if name in self.labels else Advice.NAME_COLUMNAR_COLUMNS,
                )
        return settled

    def needed(self) -> list[str]:
        """List each column once."""
        named = (self.candidate, *self.references, self.document, *self.labels)
        return list(dict.fromkeys(name for name in named if name))


class ColumnarPart(NamedTuple):
    """A batch of rows, and where it comes from."""

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
            own = [name]
        elif is_folder(name):
            own = [file for file in list_columnar(name) if form_of(file) == form]
        elif is_file(name) or not has_magic(name):
            own = [name]
        else:
            own = sorted(glob(name, recursive=True))
        if not own:
            raise FileError(
                where=name,
                wanted=f"at least one {form} file",
                got="none",
                next_step=f"Files that end in {name_list(s for s, kind in SUFFIXES.items() if kind == form)} are read.",
            )
        found += own
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
def _opened(name: str) -> Iterator["pa.NativeFile"]:
    """Open a file; a URL goes to pyarrow as it is. What comes through a pipe is held in memory, as it is read twice."""
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


def pack_parquet(columns: Mapping[str, Sequence[object]], metadata: Mapping[str, str]) -> bytes:
    """Give the bytes of a Parquet file with these columns; what is true of all rows stands in its metadata."""
    from bleuprint.io.opening import import_pyarrow

    pa = import_pyarrow("parquet", "to write Parquet files")
    from pyarrow import parquet

    table = pa.table(dict(columns)).replace_schema_metadata(dict(metadata))
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed
