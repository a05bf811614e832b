"""Exercises for the terminal."""

from __future__ import annotations

from collections.abc import Collection

from rich.console import Group, RenderableType
from rich.text import Text

from bleuprint.lessons.exercises import Exercise
from bleuprint.render.exercises import words
from bleuprint.render.terminal_parts import indented, make_table


def view_exercise(exercise: Exercise, parts: Collection[str] = words.EXERCISE_PARTS) -> RenderableType:
    """Lay out the worksheet, the solution, or both."""
    shown: list[RenderableType] = [Text(words.title_of(exercise), style="bold")]
    if words.WORKSHEET in parts:
        shown += [Text(""), *map(Text, words.list_rules(exercise)), Text("")]
        table = make_table("which", "text", texts=(0, 1))
        for named in words.list_texts(exercise):
            table.add_row(Text(named.name), Text(named.text))
        shown += [table, Text(""), Text(words.ANSWER_HINT, style="dim")]
        shown += [Text(f"\n{name:<4} = ____________") for name in exercise.names]
    if words.SOLUTION in parts:
        shown += [Text(f"\n{words.SOLUTION_TITLE}", style="bold"), *_view_solution(exercise)]
    return Group(*shown)


def _view_solution(exercise: Exercise) -> list[RenderableType]:
    counted = [Text(f"{step.order}-grams: {step.counted}") for step in words.tell_orders(exercise)]
    return [*map(indented, counted), Text(""), *(indented(Text(step)) for step in words.list_steps(exercise))]
