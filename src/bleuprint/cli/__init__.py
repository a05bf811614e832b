"""The command line. ``main`` turns every refusal into one line on standard error and exit code 2.

What nobody foresaw keeps its traceback and ends with 70: 1 is for gates that failed.

Nothing is imported here that a short command can do without: starting takes longer than scoring.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from bleuprint.cli.call import read_plain_score
from bleuprint.cli.printing import complain, print_to_stderr, refuse_output, replace_closed_streams
from bleuprint.errors import BleuprintError, FileError, quote

if TYPE_CHECKING:
    from bleuprint.cli.call import Call, ScoreOptions


DEFECT = 70
"""EX_SOFTWARE of sysexits.h"""


def run_program() -> NoReturn:
    """Run the command line in a process of its own: the memory of a short command goes to the system as it is."""
    main(owns_process=True)


def main(*, owns_process: bool = False) -> NoReturn:
    """Run the command line."""
    replace_closed_streams()
    try:
        plain = read_plain_score(sys.argv[1:])
        status = _run(plain)
        if plain and owns_process:
            sys.stderr.flush()
            os._exit(status)
    except BleuprintError as error:
        from bleuprint.cli.wording import translate

        status = complain(str(translate(error)))
    except MemoryError:
        status = complain("Not enough memory for this input. Use smaller files, or raise the memory limit.")
    except KeyboardInterrupt:
        status = 130
    except Exception:  # whoever runs a gate must not take a defect for a bad score
        import traceback

        print_to_stderr(traceback.format_exc(), end="")
        status = complain("this is a defect of bleuprint, not of what was given to it. Please report it.", DEFECT)
    sys.exit(status)


def _run(plain: tuple[Call, ScoreOptions] | None) -> int:
    try:
        status = _score(*plain) if plain else _call_click()
        sys.stdout.flush()
    except OSError as error:
        if error.filename is None:  # of a stream: click prints its help itself
            raise refuse_output(error) from None
        message = f"{error.filename} cannot be used: {quote(error.strerror or str(error), 200)}."
        raise FileError(message, "Check its name, its folder and the permissions.") from None
    return status


def _score(call: Call, options: ScoreOptions) -> int:
    gc.disable()  # importing makes much, and nothing of it is garbage
    try:
        from bleuprint.cli.scoring import score_files
    finally:
        gc.freeze()
        gc.enable()
    return score_files(call, options)


def _call_click() -> int:
    from bleuprint.cli.commands import run

    return run()
