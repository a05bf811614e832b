"""Options as data: lists that commands put together, and the classes of options and commands.

A command gets the values of the lists that several commands share as one ``Call``, and its other values by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.types import FloatParamType, IntParamType

from bleuprint.cli.call import Call, InputOptions, RecipeOptions
from bleuprint.cli.printing import check_output, print_out
from bleuprint.errors import BleuprintError, FileError, RecipeError, quote, unknown_name
from bleuprint.findings.settings import USUAL_RESAMPLES, USUAL_SEED
from bleuprint.numbers import is_plainly_written


class Option(click.Option):
    """An option that suggests the nearest name, and reads numbers only as people write them."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Check the texts, then let click convert them."""
        for text in value if isinstance(value, tuple | list) else (value,):
            if isinstance(text, str):
                self._check(text)
        return super().type_cast_value(ctx, value)

    def _check(self, text: str) -> None:
        flag = self.opts[0]
        if text == "":
            raise FileError(f"{flag} is empty.", "Leave the option out to get its default.")
        if isinstance(self.type, IntParamType | FloatParamType) and not is_plainly_written(text):
            raise BleuprintError(f"{flag} is not a number in the digits 0 to 9: {quote(text)}.")
        if isinstance(self.type, click.Choice) and text not in self.type.choices:
            names, choices = text.replace(",", " ").split(), list(self.type.choices)
            each = " ".join(f"{min(self.opts, key=len)} {name}" for name in names)
            several = self.multiple and len(names) > 1 and set(names) <= set(choices)
            fix = f"Repeat the option for each: {each}." if several else ""
            raise unknown_name(flag, text, choices, fix)


class Command(click.Command):
    """A command whose function gets the values of shared options as one ``Call``."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options["add_help_option"] = False
        super().__init__(*args, **options)
        self.params.append(HELP)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the line; an error about an option without its value names the command."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Gather the shared values, and call the function."""
        values = dict(ctx.params)

        def take(fields: tuple[str, ...]) -> dict[str, Any]:
            return {name: values.pop(name) for name in fields if name in values}

        shared = take(Call._fields)
        if "recipes" in values:
            chosen = take(tuple(str(param.name) for param in self.params if isinstance(param, RecipeOption)))
            choices = tuple((name, value) for name, value in chosen.items() if value is not None)
            shared["recipe"] = RecipeOptions(**take(RecipeOptions._fields), choices=choices)
        if "form" in values:
            shared["reading"] = InputOptions(**take(InputOptions._fields))
        assert self.callback is not None
        return ctx.invoke(self.callback, *([Call(**shared)] if shared else []), **values)


def make_command(name: str, *params: click.Parameter, **options: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function and the list of its options."""
    return click.command(name, cls=Command, params=list(params), **options)


def _print_help(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        print_out(f"{ctx.get_help()}\n")
        ctx.exit()


HELP = click.Option(
    ["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, callback=_print_help,
    help="Show this message and exit.",
)  # fmt: skip
"""In the place of click's: that one exits with 1, as a failed gate does, if the reader of its output leaves."""


class RecipeOption(Option):
    """An option of the recipe, with one value for all recipes of a call."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options["multiple"] = True
        super().__init__(*args, **options)

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Raise an error about two values: click would take the last, but ``--order`` takes several, so people try."""
        values = super().process_value(ctx, value)
        if values and len(values) > 1:
            message = f"{self.opts[0]} takes one value for all recipes, got {', '.join(map(str, values))}."
            raise RecipeError(message, "Name several recipes instead, or run the command once for each.")
        return values[0] if values else None


FILES = [click.Argument(["candidate"]), click.Argument(["references"], nargs=-1, metavar="[REFERENCE]...")]
TESTSET = Option(
    ["--testset"], metavar="NAME",
    help="Take the references of a test set, as wmt22/en-de; `bleuprint testsets` lists them.",
)  # fmt: skip
DOCUMENTS = Option(["--documents"], metavar="FILE", help="A file with the document name of every segment.")
THREADS = Option(
    ["--threads"], type=int, metavar="N",
    help="How many threads count.  [default: one for small inputs, else all cores]",
)  # fmt: skip
RESAMPLING = [
    Option(["--resamples"], type=int, metavar="N", help=f"How often to resample.  [default: {USUAL_RESAMPLES}]"),
    Option(["--seed"], type=int, metavar="N", help=f"Same seed, same result.  [default: {USUAL_SEED}]"),
]


def output_options(*formats: str) -> list[Option]:
    """Return the options of the output: its format, the first by default, and its file."""
    return [
        Option(
            ["--format", "output_format"], type=click.Choice(list(formats)), default=formats[0], show_default=True,
            help="Output format.",
        ),
        Option(
            ["--output", "-o"], metavar="FILE", callback=check_output,
            help="Write to this file, whole or not at all, instead of standard output.",
        ),
    ]  # fmt: skip
