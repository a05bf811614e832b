"""Reading a corpus as the options say: lines of text, or columnar files: Parquet and Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.errors import FileError, quote
from bleuprint.files.columnar_names import COLUMNAR_FORMS, ColumnNames, columnar_form
from bleuprint.files.corpora import read_corpus, stream_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuprint.cli.option_values import InputOptions
    from bleuprint.recipes.recipe import Recipe
    from bleuprint.text.formats import FormatChoices, RawCorpus


def find_form(candidate: str, options: InputOptions) -> str:
    """Tell the form of columnar files, empty if the input is none; options that mean nothing for it are refused."""
    form = columnar_form(candidate) if options.form == "auto" else options.form
    if form in COLUMNAR_FORMS:
        _refuse_line_options(form, options)
        return form
    if options.reference_columns or (options.candidate_column, options.document_column) != (None, None):
        raise FileError(
            where="--candidate-column, --reference-column, --document-column",
            wanted="Parquet or Arrow files",
            got=candidate,
            next_step="Leave them out, or say --input parquet or --input arrow.",
        )
    return ""


def column_names(options: InputOptions) -> ColumnNames:
    """Give the columns of Parquet and Arrow files that were named."""
    if "" in (options.candidate_column, options.document_column, *options.reference_columns):
        raise FileError(
            where="--candidate-column, --reference-column, --document-column",
            wanted="the name of a column",
            got="an empty one",
            next_step="Leave the option out for the usual name.",
        )
    return ColumnNames(options.candidate_column or "", options.reference_columns, options.document_column or "")


def _refuse_line_options(form: str, options: InputOptions) -> None:
    """Refuse what is for forms whose columns have no names of their own."""
    lines = {
        "--columns": options.columns,
        "--documents": options.documents,
        "--system": options.system,
        "--translator": options.translators or None,
    }
    for flag, value in lines.items():
        if value is not None:
            raise FileError(
                where=flag,
                wanted=f"no such flag beside {form} files, whose columns have names",
                got=quote(value),
                next_step="Say --candidate-column, --reference-column and --document-column.",
            )


def read_input(candidate: str, references: Sequence[str], options: InputOptions, recipe: Recipe) -> RawCorpus:
    """Read the corpus that the arguments name, as the recipe reads it."""
    form = find_form(candidate, options)
    if form:
        from bleuprint.cli.columnar import read_columnar

        return read_columnar((candidate, *references), form, column_names(options), recipe)
    return read_corpus(candidate, references, **_choices(options))


def stream_input(candidate: str, references: Sequence[str], options: InputOptions) -> Iterator[RawCorpus]:
    """Read lines of text batch by batch."""
    return stream_files(candidate, references, **_choices(options))


def _choices(options: InputOptions) -> FormatChoices:
    if options.documents == "":
        raise FileError(
            where="--documents",
            wanted="the name of a file",
            got="an empty one",
            next_step="Leave the option out where there is none.",
        )
    return {
        "form": options.form,
        "columns": options.column_list(),
        "documents": options.documents,
        "system": options.system,
        "translators": options.translators,
    }
