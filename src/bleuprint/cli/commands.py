"""The commands, each loaded when it is called, and what becomes of a command line that click cannot read."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

import click
from click.types import FloatParamType, IntParamType

import bleuprint
from bleuprint.cli.option_values import COMPLETION
from bleuprint.cli.printing import print_out
from bleuprint.errors import BleuprintError, FileError, name_list, nearest, quote
from bleuprint.wording import SUMMARY, count_of, join_words
from bleuprint.written_numbers import is_plainly_written

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "score": "Score a candidate against its references.",
    "explain": "Show step by step how a score came to be.",
    "segments": "Score every segment on its own.",
    "compare": "Compare systems: intervals, paired tests, a report.",
    "reconcile": "Show why two recipes disagree.",
    "identify": "Find the recipes behind a reported number.",
    "recipes": "List the dialects and the tokenizers.",
    "testsets": "List test sets; show, fetch or print one.",
    "accelerate": "Run a Python command faster, with the same output.",
    "selftest": "Work every documented example out again.",
    "exercise": "Make an exercise: a worksheet and its solution.",
    "serve": "Serve the page and the JSON API.",
    "site": "Build the page as a static site.",
    "completion": "Let the shell complete what you type.",
}
"""In the order in which people meet them, each with what it does: a list of them loads none."""


def _print_help(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        print_out(f"{ctx.get_help()}\n")
        ctx.exit()


HELP = click.Option(
    ["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, callback=_print_help,
    help="Show this message and exit.",
)  # fmt: skip
"""In the place of click's own, which ends with 1, as a gate that failed, where nobody reads to the end."""


class LazyGroup(click.Group):
    """A group that loads a command's module when it is called, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"bleuprint.cli.{cmd_name}_command").command
        assert isinstance(command, click.Command)
        for param in command.params:
            param.type = in_our_words(param)
        if COMPLETION in os.environ:
            from bleuprint.cli.completion import offer_values

            offer_values(command)
        if command.add_help_option:
            command.add_help_option = False
            command.params.append(HELP)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its whole summary."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Give the commands that begin so, and the options."""
        from click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; for a name that is none, say which is near."""
        if args[0] not in COMMANDS:
            meant = nearest(args[0], COMMANDS)
            ctx.fail(f"No such command {quote(args[0])}." + (f" Did you mean {meant!r}?" if meant else ""))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; where an option of it lacks its value, click does not say whose option that is."""
        try:
            return super().invoke(ctx)
        except click.BadOptionUsage as error:
            if ctx.invoked_subcommand is None:
                raise
            command = self.get_command(ctx, ctx.invoked_subcommand)
            option = next((one for one in command.params if error.option_name in one.opts), None) if command else None
            if option is None:
                raise
            takes = isinstance(option, click.Option) and not option.is_flag
            raise BleuprintError(
                where=error.option_name,
                wanted=count_of(option.nargs, "value") if takes else "no value",
                got="one" if not takes else "none" if option.nargs == 1 else "fewer",
                next_step=f"See: {ctx.command_path} {ctx.invoked_subcommand} --help",
            ) from None


def in_our_words(param: click.Parameter) -> Any:
    """Give the type of a parameter that reads what click's own does, and says better what it cannot read."""
    kind = param.type
    if type(kind) is click.Choice:
        return NamedChoice(kind.choices)
    if type(kind) in NUMBERS:
        return NUMBERS[type(kind)](**vars(kind))
    return NamedFile() if param.metavar == "FILE" else kind


class NamedChoice(click.Choice[str]):
    """A choice among names; for one that is none of them, it says which is near."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Find the name."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            names = value.replace(",", " ").split()
            if param and param.multiple and len(names) > 1 and set(names) <= set(self.choices):
                each = " ".join(f"{min(param.opts, key=len)} {name}" for name in names)
                _refuse_value(param, name_list(self.choices), value, f"Say it once for each: {each}.")
            _refuse_value(param, name_list(self.choices), value, _see_help(ctx), nearest(value, self.choices))


class NamedFile(click.types.StringParamType):
    """The name of a file; an empty one, as a variable without a value gives it, does not pass for none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Take the name as it is."""
        if value == "":
            raise FileError(
                where=param.opts[0] if param else "",
                wanted="the name of a file",
                got="an empty one",
                next_step="Leave the option out where there is none.",
            )
        return super().convert(value, param, ctx)


if TYPE_CHECKING:
    AnyParamType: TypeAlias = click.ParamType[Any]
else:
    AnyParamType = click.ParamType  # which says of what in newer versions of click alone


class PlainNumber(AnyParamType):
    """A number of a kind that click reads, as people write it: what only Python takes for one is none."""

    noun: ClassVar[str]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        if isinstance(value, str) and not is_plainly_written(value):
            _refuse_value(param, "a number in the digits 0 to 9", value, _see_help(ctx))
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            _refuse_value(param, self.noun + _describe_limits(self), value, _see_help(ctx))


class Whole(PlainNumber, IntParamType):
    """A whole number."""

    noun = "a whole number"


class Decimal(PlainNumber, FloatParamType):
    """A number with decimals."""

    noun = "a number"


class WholeRange(PlainNumber, click.IntRange):
    """A whole number between limits."""

    noun = "a whole number"


class DecimalRange(PlainNumber, click.FloatRange):
    """A number between limits."""

    noun = "a number"


NUMBERS: dict[type, Any] = {
    IntParamType: Whole, FloatParamType: Decimal, click.IntRange: WholeRange, click.FloatRange: DecimalRange,
}  # fmt: skip
"""Click's types of numbers, each with the one that takes its place, and its limits."""


def _describe_limits(kind: PlainNumber) -> str:
    """Say between which limits a number must be, if there are any."""
    if not isinstance(kind, click.IntRange | click.FloatRange):
        return ""
    least = None if kind.min is None else f"{'above' if kind.min_open else 'at least'} {kind.min:,}"
    most = None if kind.max is None else f"{'below' if kind.max_open else 'at most'} {kind.max:,}"
    return f", {join_words(filter(None, [least, most]))}"


def _refuse_value(
    param: click.Parameter | None, wanted: str, value: Any, next_step: str, meant: str | None = None
) -> NoReturn:
    """Refuse what an option, or an argument, was given."""
    name = param.opts[0] if isinstance(param, click.Option) else param.human_readable_name if param else "value"
    raise BleuprintError(where=name, wanted=wanted, got=quote(value), suggestion=meant, next_step=next_step)


def _see_help(ctx: click.Context | None) -> str:
    return f"See: {ctx.command_path if ctx else 'bleuprint'} --help"


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        from bleuprint.native_kernel import advise_kernel, engine

        advice = advise_kernel()
        print_out(f"bleuprint {bleuprint.__version__}, engine: {engine()}\n" + (f"{advice}\n" if advice else ""))
        ctx.exit()


@click.group(
    cls=LazyGroup,
    add_help_option=False,
    no_args_is_help=False,
    invoke_without_command=True,
    help=f"""{SUMMARY}

    A line is a segment. The default recipe is sacrebleu, for single segments sacrebleu-sentence;
    `bleuprint recipes` lists the others.

    For example: bleuprint score out.txt ref.txt
    """,
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version and the engine that runs.",
)  # fmt: skip
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Run a command, or show the help where none is named."""
    if ctx.invoked_subcommand is None:
        print_out(f"{ctx.get_help()}\n")


cli.params.append(HELP)


def run(complain: Callable[[str], int]) -> int:
    """Run what the command line says; ``complain`` tells what is wrong with it, and gives the exit code for that."""
    if COMPLETION in os.environ:
        from bleuprint.cli.completion import prepare_completion

        prepare_completion()
    try:
        status = cli.main(prog_name="bleuprint", standalone_mode=False)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "bleuprint"
        return complain(f"{_describe_usage(error)} See: {command} --help")
    except click.ClickException as error:
        return complain(error.format_message())
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0


def _describe_usage(error: click.UsageError) -> str:
    """Say what click refuses; of options that are near it would list several, in its own form."""
    if isinstance(error, click.MissingParameter) and error.param and error.ctx:
        kind = error.param.type
        wanted = name_list(kind.choices) if isinstance(kind, click.Choice) else error.param.human_readable_name
        return f"{error.ctx.info_name}: expected {wanted}, got none."
    if not isinstance(error, click.NoSuchOption):
        return _describe_extra(error.ctx, error.message) if type(error) is click.UsageError else error.format_message()
    known = [name for param in error.ctx.command.params for name in param.opts] if error.ctx else []
    if error.option_name in SACREBLEU_FLAGS:
        return f"No such option {error.option_name!r}; sacreBLEU's is {SACREBLEU_FLAGS[error.option_name]} here."
    hint = "" if (meant := nearest(error.option_name, known)) is None else f" Did you mean {meant!r}?"
    return f"No such option {error.option_name!r}.{hint} (A text that begins with - goes after --.)"


def _describe_extra(ctx: click.Context | None, message: str) -> str:
    """Say what a command takes, where there is more: nothing else is wrong with its line alone, as click sees it."""
    if ctx is None or isinstance(ctx.command, click.Group):
        return message
    names = [param.human_readable_name for param in ctx.command.params if isinstance(param, click.Argument)]
    wanted = f"{join_words(names)} alone" if names else "no argument"
    return f"{ctx.info_name}: expected {wanted}, {message[0].lower()}{message[1:]}."


SACREBLEU_FLAGS = {
    "-i": "the first file (bleuprint score OUT REFERENCE), and of several systems bleuprint compare -s NAME=OUT",
    "-l": "the end of --testset NAME/PAIR",
    "--language-pair": "the end of --testset NAME/PAIR",
    "--lowercase": "--case lower",
    "--metrics": "--metric, once for each",
    "--paired-ar": "bleuprint compare",
    "--paired-bs": "bleuprint compare --test bootstrap",
    "--sentence-level": "bleuprint segments",
    "--smooth-method": "--smoothing",
    "--smooth-value": "the number in --smoothing 'floor(0.1)'",
    "--test-set": "--testset NAME/PAIR",
    "--tokenize": "--tokenizer",
    "-w": "--format json, with all digits,",
    "--width": "--format json, with all digits,",
}
"""What people type who come from sacreBLEU, where it differs; docs/migrating.md has every flag."""
