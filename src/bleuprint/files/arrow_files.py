"""Tables in files: Parquet and Arrow IPC, one file, several, a folder or a pattern, read batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob, has_magic
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from bleuprint.advice import Advice
from bleuprint.engines.arrow_memory import validate
from bleuprint.errors import FileError, MissingPackageError, name_list, nearest, quote
from bleuprint.files.kinds import is_file, is_folder, is_url

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
FORMS = ("parquet", "arrow")
BATCH = 16_384


class TablePart(NamedTuple):
    """A batch of rows, and where it comes from."""

    source: str
    first_row: int
    batch: pa.RecordBatch


class ColumnNames(NamedTuple):
    """The columns that hold a corpus; empty names stand for the usual ones."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    document: str = ""

    def within(self, names: Sequence[str], source: str) -> ColumnNames:
        """Settle the names for a table that has these columns."""
        usual = "references" if "references" in names else "reference"
        settled = ColumnNames(
            self.candidate or "candidate",
            self.references or (usual,),
            self.document or ("document" if "document" in names else ""),
        )
        for name in (settled.candidate, *settled.references, *([settled.document] if settled.document else [])):
            if names.count(name) != 1:
                raise FileError(
                    where=f"{source}, column {name!r}",
                    wanted=f"one of {name_list(names)}" if names else "a table with columns",
                    got="several columns of that name" if name in names else "no such column",
                    suggestion=None if name in names else nearest(name, names),
                    next_step=Advice.NAME_TABLE_COLUMNS,
                )
        return settled

    def needed(self) -> list[str]:
        """List each column once."""
        named = (self.candidate, *self.references, self.document)
        return list(dict.fromkeys(name for name in named if name))


def table_form(name: str) -> str:
    """Tell from a name whether it stands for Parquet or Arrow files; empty if for neither."""
    if own := _form_of(name):
        return own
    found = {_form_of(file) for file in _inside(name)} if is_folder(name) else set()
    return found.pop() if len(found) == 1 else ""


def find_tables(names: Sequence[str], form: str) -> list[str]:
    """List the files that names, folders, patterns and URLs stand for, in the order of their names."""
    found: list[str] = []
    for name in names:
        if is_url(name):
            own = [name]
        elif is_folder(name):
            own = [file for file in _inside(name) if _form_of(file) == form]
        elif is_file(name) or not has_magic(name):
            own = [name]
        else:
            own = sorted(glob(name, recursive=True))  # noqa: PTH207, an absolute pattern is fine
        if not own:
            raise FileError(
                where=name,
                wanted=f"at least one {form} file",
                got="none",
                next_step=f"Files that end in {name_list(s for s, kind in SUFFIXES.items() if kind == form)} are read.",
            )
        found += own
    return found


def stream_tables(
    names: Sequence[str], form: str, columns: ColumnNames, batch: int = BATCH
) -> Iterator[tuple[TablePart, ColumnNames]]:
    """Read the files one after the other, batch by batch; memory does not grow with their number or length."""
    for path in find_tables(names, form):
        with _reading(path, form):
            opened = _open_parquet(path, columns, batch) if form == "parquet" else _open_ipc(path, columns, batch)
            first_row = 0
            for rows, settled in opened:
                for name in settled.needed():
                    validate(rows.column(name), utf8=name == settled.document)
                yield TablePart(path, first_row, rows), settled
                first_row += rows.num_rows


def _form_of(name: str) -> str:
    """Tell the form of a file from the end of its name; what follows the path of a URL is no part of it."""
    path = urlsplit(name).path if is_url(name) else name
    return SUFFIXES.get(PurePath(path).suffix.lower(), "")


def _inside(folder: str) -> list[str]:
    """List the tables of a folder; names that begin with a dot or underscore are somebody's notes."""
    return [
        str(file)
        for file in sorted(Path(folder).rglob("*"))
        if _form_of(file.name) and file.is_file() and not file.name.startswith((".", "_"))
    ]


@contextmanager
def _opened(name: str) -> Iterator[pa.NativeFile]:
    """Open a file; a URL goes to pyarrow as it is."""
    import pyarrow as pa
    from pyarrow import fs

    if is_url(name):
        system, path = fs.FileSystem.from_uri(name)
        with system.open_input_file(path) as file:
            yield file
    else:
        with pa.memory_map(name) as file:
            yield file


def _open_parquet(path: str, columns: ColumnNames, batch: int) -> Iterator[tuple[pa.RecordBatch, ColumnNames]]:
    from pyarrow import parquet

    # Buffered and not read ahead: a row group may be larger than memory.
    source = path if is_url(path) else Path(path)
    with parquet.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False) as file:
        settled = columns.within(file.schema_arrow.names, path)
        for rows in file.iter_batches(batch_size=batch, columns=settled.needed(), use_threads=False):
            yield rows, settled


def _open_ipc(path: str, columns: ColumnNames, batch: int) -> Iterator[tuple[pa.RecordBatch, ColumnNames]]:
    import pyarrow as pa

    with _opened(path) as memory:
        is_file = memory.read(6) == b"ARROW1"
        memory.seek(0)
        reader = pa.ipc.open_file(memory) if is_file else pa.ipc.open_stream(memory)
        settled = columns.within(reader.schema.names, path)
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
    except ImportError:
        raise MissingPackageError(
            where=path,
            wanted=f"the package pyarrow, to read {form} files",
            got="no such package",
            next_step='Install it: pip install "bleuprint[arrow]".',
        ) from None
    try:
        yield
    except FileNotFoundError:
        raise FileError(
            where=path,
            wanted="a file",
            got="no file of that name",
            next_step="Check the name and the folder you are in.",
        ) from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FileError(
            where=path,
            wanted=f"a readable {form} file",
            got=quote(str(error)),
            next_step="Name files one by one, as pyarrow knows them (file, s3, gs, abfs, hdfs), or fetch them first."
            if is_url(path)
            else Advice.NAME_TABLE_FORM,
        ) from None
