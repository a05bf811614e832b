"""Names of columnar files, Parquet and Arrow: what folders, patterns and URLs stand for, and the columns inside."""

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.advice import Advice
from bleuprint.errors import FileError, name_list, nearest
from bleuprint.files.kinds import is_file, is_folder, is_url
from bleuprint.text.formats import suffix_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
COLUMNAR_FORMS = ("parquet", "arrow")


class ColumnNames(NamedTuple):
    """The columns that hold a corpus; empty names stand for the usual ones."""

    candidate: str = ""
    references: tuple[str, ...] = ()
    document: str = ""

    def within(self, names: "Sequence[str]", source: str) -> "ColumnNames":
        """Settle the names for a file that has these columns."""
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
                    next_step=Advice.NAME_COLUMNAR_COLUMNS,
                )
        return settled

    def needed(self) -> list[str]:
        """List each column once."""
        named = (self.candidate, *self.references, self.document)
        return list(dict.fromkeys(name for name in named if name))


def columnar_form(name: str) -> str:
    """Tell from a name whether it stands for Parquet or Arrow files; empty if for neither."""
    if own := _form_of(name):
        return own
    found = {_form_of(file) for file in _inside(name)} if is_folder(name) else set()
    return found.pop() if len(found) == 1 else ""


def find_columnar(names: "Sequence[str]", form: str) -> list[str]:
    """List the files that names, folders, patterns and URLs stand for, in the order of their names."""
    from glob import glob, has_magic

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


def _form_of(name: str) -> str:
    """Tell the form of a file from the end of its name; what follows the path of a URL is no part of it."""
    if is_url(name):
        from urllib.parse import urlsplit

        name = urlsplit(name).path
    return SUFFIXES.get(suffix_of(name).lower(), "")


def _inside(folder: str) -> list[str]:
    """List the columnar files of a folder; names that begin with a dot or underscore are somebody's notes."""
    from pathlib import Path

    return [
        str(file)
        for file in sorted(Path(folder).rglob("*"))
        if _form_of(file.name) and file.is_file() and not file.name.startswith((".", "_"))
    ]
