"""Exercises on the page: a worksheet with fields, what its answers are worth, and the solution. Nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping

from bleuprint.errors import BleuprintError
from bleuprint.lessons.exercises import Exercise, exercise
from bleuprint.render.exercise import SOLUTION, WORKSHEET, title_of
from bleuprint.render.html import render_exercise_part
from bleuprint.web.requests import Answer, Request, is_blank, is_text, read, read_whole
from bleuprint.wording import count_of


def show_exercise(request: Request) -> Answer:
    """Return the worksheet. A seed is a text, because JavaScript's numbers cannot represent every one."""
    made = _read_exercise(request)
    return {
        "html": render_exercise_part(WORKSHEET, made, live=True),
        "announced": f"{title_of(made)}. {count_of(len(made.names), 'field')} to fill in.",
        "seed": str(made.seed),
        "level": str(made.level.number),
        "address": f"learn/exercises/{made.seed}/{made.level.number}",
    }


def check_answers(request: Request) -> Answer:
    """Check the answers (``answers``, by name) one by one. A blank one is none; an unreadable one gets a message."""
    made = _read_exercise(request)
    answers = read(request, "answers", lambda given: isinstance(given, Mapping) and all(map(is_text, given.values())))
    verdicts = [_judge(made, name, text) for name, text in answers.items() if not is_blank(text)]
    right = sum(verdict["kind"] == "right" for verdict in verdicts)
    summary = f"{right} of {count_of(len(made.names), 'answer')} right." if verdicts else "There is no answer to check."
    told = [str(one["message"]) for one in verdicts if one["kind"] != "right"]
    return {"verdicts": verdicts, "summary": summary, "announced": " ".join([summary, *told])}


def show_solution(request: Request) -> Answer:
    """Return the solution."""
    return {"html": render_exercise_part(SOLUTION, _read_exercise(request))}


def _judge(made: Exercise, name: str, text: str) -> Answer:
    made.find_quantity(name)
    try:
        checked = made.check(name, text)
    except BleuprintError as error:
        return {"name": name, "kind": "unreadable", "message": str(error), "mistakes": []}
    return {
        "name": name,
        "kind": "right" if checked.is_right else "wrong",
        "message": checked.message,
        "mistakes": [mistake.value for mistake in checked.mistakes],
    }


def _read_exercise(request: Request) -> Exercise:
    seed, level = (read_whole(request.get(name)) for name in ("seed", "level"))
    return exercise(seed, level)  # type: ignore[arg-type]
