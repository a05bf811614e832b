"""Learn: one step of a lesson, for the texts of the lesson or for custom ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bleuprint.errors import Location, ShapeError
from bleuprint.findings.explanation import Explanation
from bleuprint.lessons.lesson import COMPANION, LESSON_STEPS, LESSONS, Lesson, LessonStep, TaughtSegment
from bleuprint.lessons.steps import mark_cuts, offer_slots, slide_window, trace_brevity, try_smoothing
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.html import render_part
from bleuprint.render.html.lesson_figures import BrevityFigure, plot_brevity, stand_bar
from bleuprint.scoring.verbs import score, score_sentence
from bleuprint.web.limits import MOST_TAUGHT_CHARACTERS, MOST_TAUGHT_SEGMENTS
from bleuprint.web.requests import (
    FIRST_RECIPE,
    Answer,
    Request,
    is_list,
    is_whole,
    read,
    read_name,
    read_recipe,
    read_segment,
)

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import Arithmetic, SegmentEvidence

OWN = "own"
"""The lesson of custom texts."""


class Screen(NamedTuple):
    """What a step shows: of which texts, by which recipe, and which part of them."""

    step: LessonStep
    lesson: Lesson | None
    segments: tuple[TaughtSegment, ...]
    recipe: Recipe
    focus: int
    """the segment that all steps but the last look at"""
    order: int
    """the n of the n-grams"""
    instead_of: str = ""
    """the metric of the recipe that was given, where its recipe gave way to one of BLEU"""

    @property
    def is_untouched(self) -> bool:
        """Whether these are the texts and the recipe of the lesson."""
        return self.lesson is not None and (self.segments, self.recipe) == (self.lesson.segments, self.lesson.recipe)


def show_step(request: Request) -> Answer:
    """Show one step; ``state`` is what to send for it again, ``address`` a short name for it where there is one."""
    screen = _read_screen(request)
    number = list(LESSON_STEPS).index(screen.step.key) + 1
    lesson = screen.lesson.key if screen.lesson else OWN
    return {
        "html": render_part(
            f"learn/{screen.step.key}", **_gather(screen), screen=screen, number=number, stand_bar=stand_bar
        ),
        "announced": f"Step {number} of {len(LESSON_STEPS)}: {screen.step.title}. {screen.step.idea}",
        "address": f"learn/{lesson}/{screen.step.key}" if screen.is_untouched else "",
        "state": {
            "lesson": lesson,
            "segments": [[candidate, list(references)] for candidate, references in screen.segments],
            "recipe": {"base": str(screen.recipe)},
            "step": screen.step.key,
            "focus": screen.focus,
            "order": screen.order,
        },
    }


def _gather(screen: Screen) -> dict[str, Any]:
    """Gather what a step shows beside its words."""
    candidate, references = screen.segments[screen.focus]
    explanation = Explanation(score_sentence(candidate, references, screen.recipe))
    evidence, key = cast("SegmentEvidence", explanation.evidence), screen.step.key
    gathered: dict[str, Any] = {"explanation": explanation}
    if key == "tokenise":
        views = (evidence.candidate_view, *evidence.reference_views)
        gathered["cut"] = [mark_cuts(text, view) for text, view in zip((candidate, *references), views, strict=True)]
    elif key == "ngrams":
        gathered["windows"] = slide_window(evidence, screen.order)
    elif key == "clip":
        gathered["rows"] = offer_slots(evidence, screen.order)
    elif key == "brevity":
        gathered["figure"] = _plot(explanation)
    elif key == "combine":
        gathered["ways"] = try_smoothing(screen.recipe, candidate, references)
    else:
        gathered |= _sum_up(screen)
    return gathered


def _plot(explanation: Explanation) -> BrevityFigure:
    arithmetic = cast("Arithmetic", explanation.arithmetic)
    c, r = arithmetic.candidate_length, arithmetic.reference_length
    longest = max(c + 2, r + r // 2 + 1)
    return plot_brevity(trace_brevity(r, longest), r, c, arithmetic.brevity_penalty)


def _sum_up(screen: Screen) -> dict[str, Any]:
    """Score all segments as a corpus; a single one gets a companion."""
    segments = screen.segments if len(screen.segments) > 1 else (*screen.segments, COMPANION)
    candidates, references = zip(*segments, strict=True)
    return {
        "explanation": Explanation(score(list(candidates), [list(texts) for texts in references], screen.recipe)),
        "taught": segments,
        "has_companion": segments != screen.segments,
    }


def _read_screen(request: Request) -> Screen:
    key = read_name(request, "lesson", [*LESSONS, OWN], next(iter(LESSONS)))
    lesson = LESSONS.get(key)
    segments = lesson.segments if lesson and "segments" not in request else _read_taught(request)
    given = lesson.recipe if lesson and "recipe" not in request else read_recipe(request)
    first = Recipe.named(FIRST_RECIPE)
    recipe = given if given.metric is first.metric else first
    step = LESSON_STEPS[read_name(request, "step", LESSON_STEPS, next(iter(LESSON_STEPS)))]
    focus, order = read(request, "focus", is_whole(0, len(segments) - 1), 0), read(request, "order", is_whole(1), 1)
    instead_of = "" if recipe is given else given.metric.name
    return Screen(step, lesson, segments, recipe, focus, min(order, recipe.order), instead_of)


def _read_taught(request: Request) -> tuple[TaughtSegment, ...]:
    given = read(request, "segments", is_list(is_list(size=2)))
    if not 1 <= len(given) <= MOST_TAUGHT_SEGMENTS:
        raise _too_much(f"1 to {MOST_TAUGHT_SEGMENTS} segments", len(given), "Choose some. Corpus mode shows all.")
    return tuple(_read_pair(candidate, references) for candidate, references in given)


def _read_pair(candidate: object, references: object) -> TaughtSegment:
    boxes = read_segment({"candidate": candidate, "references": references})
    longest = max(map(len, (boxes.candidate, *boxes.references)))
    if longest > MOST_TAUGHT_CHARACTERS:
        most = f"texts of at most {MOST_TAUGHT_CHARACTERS:,} characters"
        raise _too_much(most, longest, "Choose a shorter text. The calculator accepts this one.")
    return boxes.candidate, tuple(boxes.references)


def _too_much(most: str, given: int, fix: str) -> ShapeError:
    return ShapeError(f"expected {most}, which fit a screen, got {given:,}.", fix, location=Location("lesson"))
