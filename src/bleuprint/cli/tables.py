"""Parquet and Arrow files for commands: counted from Arrow's memory, or turned into texts where texts are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.cli.counting import SAMPLE, CorpusTally, telling_progress
from bleuprint.counting.rows import StatsTable
from bleuprint.engines.columns import read_columns
from bleuprint.errors import FileError, ShapeError, quote
from bleuprint.files.arrow_files import FORMS, ColumnNames, TablePart, stream_tables, table_form
from bleuprint.metrics.bleu.recipe import Recipe
from bleuprint.metrics.bleu.stats import Counting
from bleuprint.text.faults import Faults, RowFault, refuse_faults
from bleuprint.text.formats import Corpus
from bleuprint.text.segments import Segments

UNNAMED = {"columns": "--columns", "documents": "--documents", "system": "--system", "translators": "--translator"}
"""Flags for forms whose columns have no names of their own."""


def take_table_options(candidate: str, options: dict[str, Any]) -> tuple[str, ColumnNames]:
    """Tell the form of tables, empty if the input is none, and take the names of columns out of ``options``."""
    names = ColumnNames(
        options.pop("candidate_column") or "", options.pop("reference_columns"), options.pop("document_column") or ""
    )
    form = table_form(candidate) if options["form"] == "auto" else options["form"]
    if form not in FORMS:
        if names != ColumnNames():
            raise FileError(
                where="--candidate-column, --reference-column, --document-column",
                wanted="Parquet or Arrow files",
                got=candidate,
                next_step="Leave them out, or say --input parquet or --input arrow.",
            )
        return "", names
    for field, flag in UNNAMED.items():
        if options[field]:
            raise FileError(
                where=flag,
                wanted=f"no such flag beside {form} files, whose columns have names",
                got=quote(options[field]),
                next_step="Say --candidate-column, --reference-column and --document-column.",
            )
    return form, names


def tally_tables(
    files: Sequence[str],
    form: str,
    columns: ColumnNames,
    recipes: Sequence[Recipe],
    *,
    by_document: bool,
    on_error: str,
    threads: int | None = None,
) -> CorpusTally:
    """Count tables batch by batch, straight from Arrow's memory."""
    from bleuprint.adapters.arrow.columns import count_batch

    highest: dict[Counting, Recipe] = {}
    for recipe in sorted(recipes, key=lambda recipe: recipe.counted_order):
        highest[recipe.counting] = recipe
    tally = CorpusTally()
    with telling_progress() as tell:
        for part, names in stream_tables(files, form, columns):
            tables: dict[Counting, StatsTable] = {}
            faults: list[RowFault] = []
            for counting, recipe in highest.items():
                tables[counting], faults = count_batch(part.batch, names.candidate, names.references, recipe, threads)
            bad = {fault.row for fault in faults}
            documents = _documents(part, names, bad) if by_document else None
            tally.skipped += Faults.of(faults, part.source, part.first_row)
            tally.add(_sample(part, names, recipes[0], SAMPLE - tally.segments), tables, documents)
            tell(tally.segments)
    if on_error == "fail":
        refuse_faults(tally.skipped, "score")
    if not tally.segments:
        raise ShapeError(
            where=", ".join(files),
            wanted="at least one segment",
            got=f"malformed rows alone, {tally.skipped}" if tally.skipped else "no rows",
            next_step="BLEU of nothing is not defined; check that the right files were given.",
        )
    return tally


def read_tables(files: Sequence[str], form: str, columns: ColumnNames, recipe: Recipe) -> Corpus:
    """Read tables whole, as the texts or tokens that the recipe reads."""
    whole = Segments([], [])
    documents: list[str] = []
    skipped, named = Faults(), False
    for part, names in stream_tables(files, form, columns):
        segments, faults = _read_part(part, names, recipe)
        skipped += Faults.of(faults, part.source, part.first_row)
        whole.candidates.extend(segments.candidates)
        whole.references.extend(segments.references)
        named = bool(names.document)
        if columns.document:
            documents += _documents(part, names, set())
        elif named:  # nobody asked for it, so it may have gaps
            found = part.batch.column(names.document).to_pylist()
            documents += ["" if name is None else str(name) for name in found]
    refuse_faults(skipped, ", ".join(files), may_skip=False)
    return Corpus(list(whole.candidates), list(whole.references), documents if named else None, ", ".join(files))


def _sample(part: TablePart, names: ColumnNames, recipe: Recipe, wanted: int) -> Segments:
    """Give the first segments as texts, for the notes that need them."""
    if wanted <= 0:
        return Segments([], [])
    first = part._replace(batch=part.batch.slice(0, wanted))
    return _read_part(first, names, recipe)[0]


def _read_part(part: TablePart, names: ColumnNames, recipe: Recipe) -> tuple[Segments, list[RowFault]]:
    from bleuprint.adapters.arrow.columns import text_column

    candidates = text_column(part.batch, names.candidate, recipe, may_be_list=False)
    references = [text_column(part.batch, name, recipe, may_be_list=True) for name in names.references]
    return read_columns(candidates, references, pretokenized=recipe.is_pretokenized)


def _documents(part: TablePart, names: ColumnNames, bad: set[int]) -> list[str]:
    if not names.document:
        raise ShapeError(
            where="--by-document",
            wanted="the document of every segment",
            got="none",
            next_step="Name its column with --document-column.",
        )
    found = part.batch.column(names.document).to_pylist()
    for row, name in enumerate(found):
        if name is None:
            raise FileError(
                where=f"{part.source}, row {part.first_row + row}",
                wanted="a document name, as other rows have one",
                got="null",
                next_step="Name the document of every segment.",
            )
    return [str(name) for row, name in enumerate(found) if row not in bad]
