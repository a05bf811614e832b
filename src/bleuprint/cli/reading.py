"""Reading a corpus as the options say: lines of text, or columnar files: Parquet and Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.errors import FileError
from bleuprint.files.columnar_names import ColumnNames
from bleuprint.files.corpora import read_corpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuprint.cli.option_values import InputOptions
    from bleuprint.recipes.recipe import Recipe
    from bleuprint.text.formats import RawCorpus


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


def read_input(candidate: str, references: Sequence[str], options: InputOptions, recipe: Recipe) -> RawCorpus:
    """Read the corpus that the arguments name, as the recipe reads it."""
    form = options.find_form(candidate)
    if form:
        from bleuprint.cli.columnar import read_columnar

        return read_columnar((candidate, *references), form, column_names(options), recipe)
    return read_corpus(candidate, references, **options.format_choices())
