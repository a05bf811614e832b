"""Learn: one step of a lesson, for the texts of the lesson or for somebody's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from bleuprint.errors import InputTypeError, ShapeError, name_list, nearest, quote
from bleuprint.findings.explanation import Explanation
from bleuprint.lessons.lesson import COMPANION, LESSON_STEPS, LESSONS, Lesson, LessonStep, TaughtSegment
from bleuprint.lessons.steps import mark_cuts, offer_slots, slide_window, trace_brevity, try_smoothing
from bleuprint.recipes.recipe import Recipe
from bleuprint.render.html import render_part
from bleuprint.render.html.lesson_figures import BrevityFigure, plot_brevity, stand_bar
from bleuprint.scoring.verbs import score, score_sentence
from bleuprint.web.limits import MOST_TAUGHT_CHARACTERS, MOST_TAUGHT_SEGMENTS
from bleuprint.web.requests import FIRST_RECIPE, read_recipe, read_segment

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import Arithmetic, SegmentEvidence

_Named = TypeVar("_Named")
OWN = "own"
"""The lesson of somebody's own texts."""


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


def show_step(request: Mapping[str, Any]) -> dict[str, Any]:
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


def _read_screen(request: Mapping[str, Any]) -> Screen:
    key = request.get("lesson") or next(iter(LESSONS))
    lesson = None if key == OWN else _find(LESSONS, key, "lesson")
    segments = lesson.segments if lesson and "segments" not in request else _read_taught(request)
    given = lesson.recipe if lesson and "recipe" not in request else read_recipe(request)
    first = Recipe.named(FIRST_RECIPE)
    recipe = given if given.metric is first.metric else first
    step = _find(LESSON_STEPS, request.get("step") or next(iter(LESSON_STEPS)), "step")
    focus, order = request.get("focus", 0), request.get("order", 1)
    if type(focus) is not int or type(order) is not int or not 0 <= focus < len(segments) or order < 1:
        raise InputTypeError(
            where="step", wanted="one of the segments and an order", got=quote((focus, order)),
            next_step="Choose those shown.",
        )  # fmt: skip
    instead_of = "" if recipe is given else given.metric.name
    return Screen(step, lesson, segments, recipe, focus, min(order, recipe.order), instead_of)


def _find(known: Mapping[str, _Named], key: object, where: str) -> _Named:
    if isinstance(key, str) and key in known:
        return known[key]
    raise InputTypeError(
        where=where, wanted=name_list(known), got=quote(key), suggestion=nearest(key, known),
        next_step="Choose one on the page.",
    )  # fmt: skip


def _read_taught(request: Mapping[str, Any]) -> tuple[TaughtSegment, ...]:
    given = request.get("segments")
    if not isinstance(given, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
        raise InputTypeError(where="segments", wanted="pairs of texts", got=quote(given), next_step="Reload the page.")
    if not 1 <= len(given) <= MOST_TAUGHT_SEGMENTS:
        raise ShapeError(
            where="lesson", wanted=f"1 to {MOST_TAUGHT_SEGMENTS} segments, which fit a screen", got=f"{len(given):,}",
            next_step="Take some of them; the corpus mode shows all.",
        )  # fmt: skip
    return tuple(_read_pair(candidate, references) for candidate, references in given)


def _read_pair(candidate: object, references: object) -> TaughtSegment:
    boxes = read_segment({"candidate": candidate, "references": references})
    for text in (boxes.candidate, *boxes.references):
        if len(text) > MOST_TAUGHT_CHARACTERS:
            raise ShapeError(
                where="lesson", wanted=f"texts of at most {MOST_TAUGHT_CHARACTERS:,} characters, which fit a screen",
                got=f"{len(text):,}", next_step="Take a shorter text; the calculator takes this one.",
            )  # fmt: skip
    return boxes.candidate, tuple(boxes.references)
