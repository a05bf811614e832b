"""Columnar files, Parquet and Arrow: what folders, patterns and URLs stand for, and the columns inside."""

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.advice import Advice
from bleuprint.errors import FileError, name_list, nearest
from bleuprint.files.kinds import SUFFIXES, form_of, is_file, is_folder, is_url, list_columnar
from bleuprint.text.formats.columns import usual_references

if TYPE_CHECKING:
    from collections.abc import Sequence


class ColumnNames(NamedTuple):
    """The columns that hold a corpus; empty names stand for the usual ones."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    document: str = ""
    labels: tuple[str, ...] = ()
    """columns with what a row belongs to, beside its document"""

    def within(self, names: "Sequence[str]", source: str) -> "ColumnNames":
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


def find_columnar(names: "Sequence[str]", form: str) -> list[str]:
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
