"""Reading a corpus as the options say: lines of text, or columnar files: Parquet and Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.io.columnar import ColumnNames
from bleuprint.io.lines import read_corpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuprint.cli.option_values import InputOptions
    from bleuprint.recipes.recipe import Recipe
    from bleuprint.text.formats import RawCorpus


def column_names(options: InputOptions) -> ColumnNames:
    """Give the columns of Parquet and Arrow files that were named."""
    options.refuse_empty_columns()
    return ColumnNames(options.candidate_column or "", options.reference_columns, options.document_column or "")


class LabelledCorpus(NamedTuple):
    """A corpus, and what signatures say of its test set; nothing where it has no name."""

    corpus: RawCorpus
    label: str = ""


def read_labelled(candidate: str, references: Sequence[str], options: InputOptions, recipe: Recipe) -> LabelledCorpus:
    """Read the corpus, from files or with the references of a test set."""
    if options.testset is not None:
        from bleuprint.cli.testset_reading import open_testset, read_for_testset

        testset = open_testset(options.testset, references, options.translators)
        return LabelledCorpus(read_for_testset(candidate, testset, options), testset.label)
    form = options.find_form(candidate)
    if form:
        from bleuprint.cli.columnar import read_columnar

        return LabelledCorpus(read_columnar((candidate, *references), form, column_names(options), recipe))
    return LabelledCorpus(read_corpus(candidate, references, **options.format_choices()))
