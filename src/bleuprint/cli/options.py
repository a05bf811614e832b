"""Options that several commands share: how to read a corpus, the recipe with one flag per axis, where to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any, TypeVar

import click

from bleuprint.errors import FileError, RecipeError, quote
from bleuprint.files.corpora import read_corpus, stream_files
from bleuprint.metrics.bleu.axes import AXES, SMOOTHINGS, format_number, parse_number
from bleuprint.metrics.bleu.dialects import DEFAULT, SEGMENT_DEFAULT
from bleuprint.metrics.bleu.recipe import Recipe
from bleuprint.text.formats import FORMS, Choices, Corpus
from bleuprint.text.tokenizers.registry import BUILT_IN, SPM, find_tokenizer

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]
_TOKENIZERS = ", ".join(f"{SPM}:PATH" if name == SPM else name for name in BUILT_IN)


def _chain(*decorators: Decorator) -> Callable[[Function], Function]:
    return lambda function: reduce(lambda inner, decorate: decorate(inner), reversed(decorators), function)


input_options: Decorator = _chain(
    click.option(
        "--input", "form",
        type=click.Choice(["auto", "plain", *dict.fromkeys(FORMS.values()), "parquet", "arrow"]), default="auto",
        help="Form of the files; auto goes by their names.",
    ),
    click.option(
        "--columns", metavar="NAMES",
        help="Columns of a TSV or CSV file without a header: candidate,reference,...,document.",
    ),
    click.option("--documents", metavar="FILE", help="A file with the document name of every segment."),
    click.option("--system", metavar="NAME", help="The candidate, in an SGML or XML file that holds several systems."),
    click.option(
        "--translator", "translators", multiple=True, metavar="NAME",
        help="A reference to use of an SGML or XML file; may be repeated.  [default: all]",
    ),
    click.option("--candidate-column", metavar="NAME", help="Parquet, Arrow: the candidates.  [default: candidate]"),
    click.option(
        "--reference-column", "reference_columns", multiple=True, metavar="NAME",
        help="Parquet, Arrow: references, strings or lists; may be repeated.  [default: references or reference]",
    ),
    click.option("--document-column", metavar="NAME", help="Parquet, Arrow: document names.  [default: document]"),
)  # fmt: skip


def _axis_option(field: str) -> Callable[[Any], Any]:
    axis = AXES[field]
    return click.option(
        f"--{field.replace('_', '-')}", field, type=click.Choice(list(axis.choices)), help=f"Axis: {axis.title}."
    )


def _make_recipe_options(several: str, default: str) -> Callable[[Function], Function]:
    """Offer the recipe with one flag per axis; ``several`` tells what more than one recipe gives."""
    return _chain(
        click.option(
            "--recipe", "recipes", multiple=True, metavar="NAME",
            help=f"A dialect or a signature{several}.  [default: {default}]",
        ),
        click.option(
            "--order", "-n", "orders", multiple=True, type=int, metavar="N",
            help=f"Highest n-gram order, with equal weights{several}.",
        ),
        click.option("--weights", multiple=True, metavar="W,W,...", help=f"Weights of the orders{several}."),
        click.option("--tokenizer", "-t", metavar="NAME", help=f"Axis: tokenizer. One of {_TOKENIZERS}."),
        _axis_option("case"),
        click.option(
            "--smoothing", metavar="RULE",
            help=f"Axis: smoothing, with its value in brackets: epsilon(0.1). One of {', '.join(SMOOTHINGS)}.",
        ),
        *map(
            _axis_option, ("reference_length", "segment_totals", "absent_order", "unmatched_order", "nothing_matches")
        ),
    )  # fmt: skip


segment_recipe_options: Decorator = _make_recipe_options("", SEGMENT_DEFAULT)
either_recipe_options: Decorator = _make_recipe_options("", f"{SEGMENT_DEFAULT} for one segment, {DEFAULT} for --files")
several_recipes_options: Decorator = _make_recipe_options("; several give a table", DEFAULT)

output_option: Decorator = click.option(
    "--output", "-o", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output."
)


threads_option: Decorator = click.option(
    "--threads", type=int, metavar="N", help="How many threads count.  [default: one for small inputs, else all cores]"
)


def format_option(*formats: str) -> Callable[[Any], Any]:
    """Offer output formats, the first by default."""
    return click.option(
        "--format", "output_format", type=click.Choice(list(formats)), default=formats[0], show_default=True,
        help="Output format.",
    )  # fmt: skip


def build_recipes(options: dict[str, Any], default: str = DEFAULT) -> dict[str, Recipe]:
    """Build every recipe asked for, by a name that tells them apart; takes its options out of ``options``."""
    names = options.pop("recipes") or (default,)
    orders, weights = options.pop("orders"), options.pop("weights")
    if orders and weights:
        raise RecipeError(
            where="--order and --weights",
            wanted="one of the two",
            got="both",
            next_step="Weights fix the order: as many weights as orders.",
        )
    sizes: list[dict[str, Any]] = [{"order": order} for order in orders]
    sizes += [{"weights": [parse_number(part, "--weights") for part in text.split(",")]} for text in weights]
    changes = {field: value for field in AXES if (value := options.pop(field, None)) is not None}
    if "tokenizer" in changes:
        find_tokenizer(changes["tokenizer"])  # a model given by its path is known before a signature names its digest
    recipes = {}
    for name in names:
        for size in sizes or [{}]:
            label = name if len(sizes) < 2 else f"{name} {_label(size)}"
            recipes[label] = Recipe.of(name).replace(**changes, **size)
    return recipes


def _label(size: dict[str, Any]) -> str:
    return f"N={size['order']}" if "order" in size else ",".join(map(format_number, size["weights"]))


def build_recipe(options: dict[str, Any], default: str = DEFAULT) -> Recipe:
    """Build the one recipe of a command that takes one."""
    recipes = build_recipes(options, default)
    if len(recipes) > 1:
        raise RecipeError(
            where="--recipe",
            wanted="one recipe for this command",
            got=", ".join(recipes),
            next_step="`bleuprint score` takes several.",
        )
    return next(iter(recipes.values()))


def read_input(candidate: str, references: Sequence[str], options: dict[str, Any], recipe: Recipe) -> Corpus:
    """Read the corpus that the arguments name, as the recipe reads it; takes its options out of ``options``."""
    from bleuprint.cli.tables import read_tables, take_table_options

    form, names = take_table_options(candidate, options)
    choices = input_choices(options)
    if form:
        return read_tables((candidate, *references), form, names, recipe)
    return read_corpus(candidate, references, **choices)


def refuse_documents(options: dict[str, Any], wanted: str, next_step: str) -> None:
    """Refuse the options that name documents where these mean nothing."""
    for field in ("documents", "document_column"):
        if options[field] is not None:
            raise FileError(
                where=f"--{field.replace('_', '-')}", wanted=wanted, got=quote(options[field]), next_step=next_step
            )


BY_DOCUMENT = "`bleuprint score --by-document` scores documents, `bleuprint segments` lists them."


def stream_input(candidate: str, references: Sequence[str], options: dict[str, Any]) -> Iterator[Corpus]:
    """Read the corpus that the arguments name batch by batch; takes its options out of ``options``."""
    return stream_files(candidate, references, **input_choices(options))


def input_choices(options: dict[str, Any]) -> Choices:
    """Take the choices of how to read out of ``options``."""
    given = options.pop("columns")
    columns = [name.strip() for name in (given or "").split(",") if name.strip()]
    if given is not None and not columns:
        raise FileError(
            where="--columns",
            wanted="names of columns between commas",
            got=quote(given),
            next_step="For example: candidate,reference,document.",
        )
    return {
        "form": options.pop("form"),
        "columns": columns,
        "documents": options.pop("documents"),
        "system": options.pop("system"),
        "translators": options.pop("translators"),
    }
