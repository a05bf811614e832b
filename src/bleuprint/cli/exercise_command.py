"""``bleuprint exercise``: a worksheet on BLEU from a seed and a level, and its solution."""

from __future__ import annotations

import click

from bleuprint.cli.call import Call
from bleuprint.cli.options import Option, make_command, output_options
from bleuprint.cli.printing import deliver, deliver_result
from bleuprint.lessons.exercises import exercise
from bleuprint.lessons.levels import LEVELS
from bleuprint.render.exercise import EXERCISE_PARTS, SOLUTION
from bleuprint.render.json import render_json

OPTIONS = [
    Option(
        ["--seed"], type=int, default=1, show_default=True, metavar="N", help="Every seed gives another exercise."
    ),
    Option(
        ["--level"], type=int, default=1, show_default=True, metavar="N",
        help=f"What it is about, from 1 to {len(LEVELS)}: "
        + ", ".join(f"{level.number} {level.title[0].lower()}{level.title[1:]}" for level in LEVELS) + ".",
    ),
    Option(
        ["--only"], type=click.Choice(EXERCISE_PARTS), help="Write the one without the other.  [default: both]"
    ),
]  # fmt: skip


@make_command("exercise", *OPTIONS, *output_options("text", "markdown", "latex", "html", "json"))
def command(call: Call, *, seed: int, level: int, only: str | None) -> None:
    """Write an exercise in working BLEU out by hand: the worksheet, then its solution.

    The same seed and level give the same exercise everywhere.
    """
    made, parts = exercise(seed, level), EXERCISE_PARTS if only is None else (only,)
    if call.output_format == "json":
        data = made.to_dict(solution=SOLUTION in parts)
        deliver(render_json(data["solution"] if only == SOLUTION else data), call.output)
    else:
        deliver_result(made, call, parts=parts)
