"""Exercises in Markdown."""

from __future__ import annotations

from collections.abc import Collection

from bleuprint.lessons.exercises import Exercise
from bleuprint.render.exercises import words
from bleuprint.render.grids import Grid, GridColumn
from bleuprint.render.markdown_parts import escape, lay_out


def render(exercise: Exercise, parts: Collection[str] = words.EXERCISE_PARTS) -> str:
    """Write the worksheet, the solution, or both."""
    lines = [f"# {escape(words.title_of(exercise))}", ""]
    if words.WORKSHEET in parts:
        lines += _write_worksheet(exercise)
    if words.SOLUTION in parts:
        lines += [f"## {words.SOLUTION_TITLE}", "", *_write_solution(exercise)]
    return "\n".join(lines)


def _write_worksheet(exercise: Exercise) -> list[str]:
    texts = Grid(
        (GridColumn("which", words=True), GridColumn("text", words=True)),
        [(named.name, named.text) for named in words.list_texts(exercise)],
    )
    room = Grid(tuple(map(GridColumn, exercise.names)), [tuple(" " for _ in exercise.names)])
    rules = [line for rule in words.list_rules(exercise) for line in (escape(rule), "")]
    return [*rules, *lay_out(texts), "", words.ANSWER_HINT, "", *lay_out(room), ""]


def _write_solution(exercise: Exercise) -> list[str]:
    counted = [f"- {step.order}-grams: {escape(step.counted)}" for step in words.tell_orders(exercise)]
    steps = [f"- {escape(step)}" for step in words.list_steps(exercise)]
    rows: list[tuple[str, ...]] = [
        (quantity.name, "" if quantity.exact is None else str(quantity.exact), quantity.decimal)
        for quantity in exercise.solution
    ]
    table = Grid((GridColumn("asked", words=True), GridColumn("fraction"), GridColumn("decimal")), rows)
    return [*lay_out(table), "", *counted, "", *steps, ""]
