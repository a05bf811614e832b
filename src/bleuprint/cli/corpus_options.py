"""Options for reading a corpus and for the recipe, as lists that commands put together."""

from __future__ import annotations

from typing import Any

import click

from bleuprint.cli.options import DOCUMENTS, TESTSET, Option, RecipeOption
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.registry import METRICS, list_metrics
from bleuprint.text.formats import FORMS
from bleuprint.text.tokenizers.registry import BUILT_IN, SPM

INPUT = [
    Option(
        ["--input", "form"],
        type=click.Choice(["auto", "plain", *dict.fromkeys(FORMS.values()), "parquet", "arrow"]), default="auto",
        help="Form of the files; auto goes by their names.",
    ),
    Option(
        ["--columns"], metavar="NAMES",
        help="Columns of a TSV or CSV file without a header: candidate,reference,...,document.",
    ),
    Option(
        ["--no-header"], is_flag=True,
        help="With --columns: the first line is a segment, even if it looks like names of columns.",
    ),
    DOCUMENTS,
    Option(["--system"], metavar="NAME", help="The candidate, in an SGML or XML file that holds several systems."),
    Option(
        ["--translator", "translators"], multiple=True, metavar="NAME",
        help="A reference to use of an SGML or XML file or of a test set; may be repeated.  "
        "[default: all, or those usual for the set]",
    ),
    Option(
        ["--candidate-column"], metavar="NAME",
        help="TSV, CSV, JSONL, Parquet, Arrow: the candidates.  [default: candidate]",
    ),
    Option(
        ["--reference-column", "reference_columns"], multiple=True, metavar="NAME",
        help="The same for references, texts or lists; may be repeated.  [default: references or reference]",
    ),
    Option(["--document-column"], metavar="NAME", help="The same for document names.  [default: document]"),
    TESTSET,
]  # fmt: skip

RECIPE_OPTIONS = {
    field: option for metric in list_metrics() for field, option in metric.axes.items() if field != "weights"
}
"""The recipe options of all metrics with a flag of their name. Those of one name mean the same for every metric."""


def _recipe_option(field: str) -> RecipeOption:
    option = RECIPE_OPTIONS[field]
    flags, text, metavar = [f"--{field.replace('_', '-')}"], f"Axis: {option.title}.", "NUMBER"
    if field == "tokenizer":
        names = ", ".join(f"{SPM}:PATH" if name == SPM else name for name in BUILT_IN)
        flags, text, metavar = [*flags, "-t"], f"Axis: tokenizer. One of {names}.", "NAME"
    elif option.kinds:
        text = f"Axis: {field}, with its value in brackets: epsilon(0.1). One of {', '.join(option.kinds)}."
        metavar = "RULE"
    kind: Any = click.Choice(list(option.choices)) if option.choices else option.number
    shown = None if option.choices else metavar
    return RecipeOption([*flags, field], type=kind, metavar=shown, help=text)


def recipe_options(default: str = DEFAULT, several: str = "; several give a table") -> list[Option]:
    """Return the options of the recipe; ``several`` describes what more than one recipe returns."""
    return [
        Option(
            ["--metric", "-m", "metrics"], multiple=True, type=click.Choice(list(METRICS)),
            help=f"The default recipe of a metric{several}.",
        ),
        Option(
            ["--recipe", "recipes"], multiple=True, metavar="NAME",
            help=f"A dialect or a signature{several}.  [default: {default}]",
        ),
        Option(
            ["--order", "-n", "orders"], multiple=True, type=int, metavar="N",
            help=f"Highest n-gram order, with equal weights{several}.",
        ),
        Option(["--weights"], multiple=True, metavar="W,W,...", help=f"Weights of the orders{several}."),
        *map(_recipe_option, RECIPE_OPTIONS),
    ]  # fmt: skip


SEGMENT_RECIPE = recipe_options(SEGMENT_DEFAULT, "")
EITHER_RECIPE = recipe_options(f"{SEGMENT_DEFAULT} for one segment, {DEFAULT} for --files", "")
