"""Exercises in HTML: parts of a page, or a document that needs nothing else."""

from __future__ import annotations

from collections.abc import Collection

from markupsafe import Markup

from bleuprint.lessons.exercises import Exercise
from bleuprint.render.exercises import words
from bleuprint.render.html import environment, render_part
from bleuprint.render.html.styles import stylesheet


def render(exercise: Exercise, parts: Collection[str] = words.EXERCISE_PARTS) -> str:
    """Write the worksheet, the solution, or both, as a complete document."""
    body = "".join(render_exercise_part(part, exercise) for part in words.EXERCISE_PARTS if part in parts)
    return (
        environment()
        .get_template("document.html")
        .render(
            title=words.title_of(exercise),
            style=Markup(stylesheet()),  # our own file, no text of a user's
            body=Markup(f'<article class="bp-explanation">{body}</article>'),
        )
    )


def render_exercise_part(part: str, exercise: Exercise, *, live: bool = False) -> str:
    """Render the worksheet or the solution as a part of a page; ``live`` has fields to fill in."""
    return render_part(part, exercise.explain(), exercise=exercise, wording=words, live=live)
