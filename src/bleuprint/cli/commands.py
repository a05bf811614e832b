"""The commands, each loaded when it is called, and what becomes of a command line that click cannot read."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

import click

import bleuprint
from bleuprint.cli.call import COMPLETION
from bleuprint.cli.options import HELP
from bleuprint.cli.printing import complain, print_out
from bleuprint.errors import nearest, quote
from bleuprint.wording import SUMMARY

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
        if COMPLETION in os.environ:
            from bleuprint.cli.completion import offer_values

            offer_values(command)
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


def run() -> int:
    """Run the command line, and return the exit code."""
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
    """Return click's message, with a hint to an option that is called otherwise, or to ``--``."""
    if not isinstance(error, click.NoSuchOption):
        return error.format_message()
    if error.option_name in SACREBLEU_FLAGS:
        return f"No such option {error.option_name!r}; sacreBLEU's is {SACREBLEU_FLAGS[error.option_name]} here."
    return f"{error.format_message()} (A text that begins with - goes after --.)"


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
