"""``bleuprint accelerate -- COMMAND``: run a Python command in this process, accelerated."""

from __future__ import annotations

import runpy
import shutil
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import TracebackType
from typing import Any

import click

from bleuprint.cli.options import make_command
from bleuprint.compat.acceleration import AccelerationError, accelerate, installed_tools
from bleuprint.errors import quote
from bleuprint.io.paths import is_file

PYTHON = ("python", "python3")


@make_command(
    "accelerate",
    click.Argument(["line"], metavar="-- COMMAND [ARGUMENT]...", nargs=-1, type=click.UNPROCESSED, required=True),
    epilog="Accelerated are BLEU and chrF of NLTK, and BLEU, chrF and TER of sacreBLEU and torchmetrics.",
    context_settings={"allow_interspersed_args": False},
)
def command(line: tuple[str, ...]) -> None:
    """Run COMMAND faster: bleuprint counts for the tools that it uses.

    It prints the same bytes and keeps its exit code. COMMAND is the command of an installed package (sacrebleu REF -i
    SYS --paired-bs), a script (train.py), or python with a script or -m MODULE. It runs in this process. Processes that
    it starts anew are not accelerated.
    """
    run = _find(line)
    with accelerate(*{Path(line[0]).name} & {*installed_tools()}):
        sys.exit(_run(*run))


Program = tuple[list[str], Path | None, Callable[[], object]]
"""The arguments of a program, the folder that it imports from, and how to run it."""


def _find(line: tuple[str, ...]) -> Program:
    """Find the program of a command line, without running it."""
    name, *arguments = line
    if name in PYTHON and arguments[:1] == ["-m"] and len(arguments) > 1:
        module = partial(runpy.run_module, arguments[1], run_name="__main__", alter_sys=True)
        return arguments[1:], Path.cwd(), module
    if name in PYTHON:
        if not arguments or arguments[0].startswith("-"):
            message = f"{name} needs a script, or -m and a module, not {quote(' '.join(arguments))}."
            raise AccelerationError(message, "Set other options of Python through its environment variables.")
        name, *arguments = arguments
    elif not name.endswith(".py"):
        entries = tuple(entry_points(group="console_scripts", name=Path(name).name))
        if not entries:
            raise AccelerationError(
                f"{quote(name)} is no command of an installed Python package.",
                "The command must be Python, installed with bleuprint: it runs in this process. It may also be a "
                "script that ends in .py, or python.",
            )
        return [shutil.which(name) or name, *arguments], None, lambda: entries[0].load()()
    if not is_file(name):
        raise AccelerationError(f"No such file: {name}.", "Check the path.")
    return [name, *arguments], Path(name).resolve().parent, partial(runpy.run_path, name, run_name="__main__")


def _run(arguments: list[str], folder: Path | None, call: Callable[[], object]) -> Any:
    """Run a program as Python does: what it returns or raises decides the exit code."""
    argv, path = sys.argv, list(sys.path)
    sys.argv = arguments
    if folder:
        sys.path.insert(0, str(folder))
    try:
        # A module or a script returns its globals, which are no exit code.
        result = call()
        return None if folder else result
    except Exception as error:
        seen = error.with_traceback(_beyond_here(error.__traceback__))
        sys.excepthook(type(seen), seen, seen.__traceback__)
        return 1
    finally:
        sys.argv, sys.path[:] = argv, path


def _beyond_here(traceback: TracebackType | None) -> TracebackType | None:
    """Leave out the frames of this file and of runpy."""
    own = (__file__, runpy.__file__, "<frozen runpy>")
    while traceback and traceback.tb_next and traceback.tb_frame.f_code.co_filename in own:
        traceback = traceback.tb_next
    return traceback
