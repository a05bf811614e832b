"""Options that several commands share: how to read a corpus, the recipe with one flag per axis, how many threads count.

A command gets those for its recipes as one value, ``recipe``, and those for its input as another, ``reading``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, TypeVar

import click

from bleuprint.cli.option_values import InputOptions, RecipeOptions, in_one_value, take_one
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT, Axis
from bleuprint.recipes.registry import METRICS, list_metrics
from bleuprint.text.formats import FORMS
from bleuprint.text.tokenizers.registry import BUILT_IN, SPM

Decorator = Callable[[Any], Any]
Function = TypeVar("Function", bound=Callable[..., Any])
_TOKENIZERS = ", ".join(f"{SPM}:PATH" if name == SPM else name for name in BUILT_IN)
_AXES = {axis.field: axis for metric in list_metrics() for axis in metric.axes.values()}
"""The axes of all metrics; where several have one of the same name, it means the same for them."""
_WITH_FLAGS = [field for field in _AXES if field != "weights"]
"""Those with a flag that is made of them; weights have one of their own."""


def _grouped(
    keyword: str, gather: Callable[[dict[str, Any]], object], *options: Callable[[Any], Any]
) -> Callable[[Function], Function]:
    """Offer options, and hand what they were given to the command as one value; ``gather`` takes it out of all."""

    def decorate(function: Function) -> Function:
        return reduce(lambda inner, option: option(inner), reversed(options), in_one_value(function, keyword, gather))  # type: ignore[return-value]

    return decorate


testset_option: Decorator = click.option(
    "--testset", metavar="NAME",
    help="Take the references of a test set, as wmt22/en-de; `bleuprint testsets` lists them.",
)  # fmt: skip

input_options: Decorator = _grouped(
    "reading", InputOptions.gather,
    click.option(
        "--input", "form",
        type=click.Choice(["auto", "plain", *dict.fromkeys(FORMS.values()), "parquet", "arrow"]), default="auto",
        help="Form of the files; auto goes by their names.",
    ),
    click.option(
        "--columns", metavar="NAMES",
        help="Columns of a TSV or CSV file without a header: candidate,reference,...,document.",
    ),
    click.option(
        "--no-header", is_flag=True,
        help="With --columns: the first line is a segment, even if it looks like names of columns.",
    ),
    click.option("--documents", metavar="FILE", help="A file with the document name of every segment."),
    click.option("--system", metavar="NAME", help="The candidate, in an SGML or XML file that holds several systems."),
    click.option(
        "--translator", "translators", multiple=True, metavar="NAME",
        help="A reference to use of an SGML or XML file or of a test set; may be repeated.  "
        "[default: all, or those usual for the set]",
    ),
    click.option(
        "--candidate-column", metavar="NAME",
        help="TSV, CSV, JSONL, Parquet, Arrow: the candidates.  [default: candidate]",
    ),
    click.option(
        "--reference-column", "reference_columns", multiple=True, metavar="NAME",
        help="The same for references, texts or lists; may be repeated.  [default: references or reference]",
    ),
    click.option(
        "--document-column", metavar="NAME", help="The same for document names.  [default: document]"
    ),
    testset_option,
)  # fmt: skip


def _axis_option(axis: Axis) -> Callable[[Any], Any]:
    flags, text, metavar = [f"--{axis.field.replace('_', '-')}"], f"Axis: {axis.title}.", "NUMBER"
    if axis.field == "tokenizer":
        flags, text, metavar = [*flags, "-t"], f"Axis: tokenizer. One of {_TOKENIZERS}.", "NAME"
    elif axis.kinds:
        text = f"Axis: {axis.field}, with its value in brackets: epsilon(0.1). One of {', '.join(axis.kinds)}."
        metavar = "RULE"
    kind: Any = click.Choice(list(axis.choices)) if axis.choices else axis.number
    shown = None if axis.choices else metavar
    return click.option(*flags, axis.field, type=kind, metavar=shown, help=text, multiple=True, callback=take_one)


def _make_recipe_options(several: str, default: str) -> Callable[[Function], Function]:
    """Offer the recipe with one flag per axis; ``several`` tells what more than one recipe gives."""
    return _grouped(
        "recipe", partial(RecipeOptions.gather, _WITH_FLAGS),
        click.option(
            "--metric", "-m", "metrics", multiple=True, type=click.Choice(list(METRICS)),
            help=f"The default recipe of a metric{several}.",
        ),
        click.option(
            "--recipe", "recipes", multiple=True, metavar="NAME",
            help=f"A dialect or a signature{several}.  [default: {default}]",
        ),
        click.option(
            "--order", "-n", "orders", multiple=True, type=int, metavar="N",
            help=f"Highest n-gram order, with equal weights{several}.",
        ),
        click.option("--weights", multiple=True, metavar="W,W,...", help=f"Weights of the orders{several}."),
        *(_axis_option(_AXES[field]) for field in _WITH_FLAGS),
    )  # fmt: skip


segment_recipe_options: Decorator = _make_recipe_options("", SEGMENT_DEFAULT)
either_recipe_options: Decorator = _make_recipe_options("", f"{SEGMENT_DEFAULT} for one segment, {DEFAULT} for --files")
several_recipes_options: Decorator = _make_recipe_options("; several give a table", DEFAULT)

threads_option: Decorator = click.option(
    "--threads",
    type=int,
    metavar="N",
    help="How many threads count.  [default: one for small inputs, else all cores]",
)
