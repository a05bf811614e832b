"""The lessons, and the six steps of each from the text to the score."""

from __future__ import annotations

from typing import NamedTuple

from bleuprint.lessons.worked_examples import EXAMPLES, PAPER
from bleuprint.recipes.recipe import Recipe

TaughtSegment = tuple[str, tuple[str, ...]]
"""A candidate and its references."""


class LessonStep(NamedTuple):
    """One screen of a lesson."""

    key: str
    title: str
    idea: str


LESSON_STEPS = {
    step.key: step
    for step in (
        LessonStep(
            "tokenise", "Tokenise",
            "BLEU compares tokens. The tokenizer decides what a token is, and the case whether capitals "
            "count.",
        ),
        LessonStep(
            "ngrams", "N-grams",
            "An n-gram is a run of n tokens. A window of n slides over the candidate; where a reference has "
            "the same run, it lights up.",
        ),
        LessonStep(
            "clip", "Clip",
            "Every occurrence needs a slot of its own, and there are only as many as the best reference "
            "offers. What finds no slot does not count.",
        ),
        LessonStep(
            "brevity", "Brevity",
            "Precision alone would reward saying little. So a candidate that is shorter than its reference "
            "is punished.",
        ),
        LessonStep(
            "combine", "Combine",
            "The geometric mean of all precisions, times the brevity penalty: that is BLEU. One precision of "
            "0 takes all.",
        ),
        LessonStep(
            "corpus", "Corpus",
            "A corpus adds counts and lengths up first and computes once. That is not the mean of its "
            "segments' scores.",
        ),
    )
}  # fmt: skip
"""The steps by their keys, which are also part of addresses."""


class Lesson(NamedTuple):
    """Texts and a recipe that illustrate something, and the step that shows it best."""

    key: str
    title: str
    shows: str
    segments: tuple[TaughtSegment, ...]
    recipe: Recipe
    step: str


def _teach(key: str, title: str, step: str, example_name: str) -> Lesson:
    """Make a lesson from a worked example."""
    [example] = [one for one in EXAMPLES if one.name == example_name]
    segments = tuple(zip(example.candidates, example.references, strict=True))
    return Lesson(key, title, example.lesson, segments, example.recipe, step)


LESSONS = {
    lesson.key: lesson
    for lesson in (
        _teach("there", "“there” is missing: words alone", "brevity", "unigrams"),
        _teach("missing", "A word is missing: 57.89", "brevity", "brevity"),
        _teach("seven", "“the” seven times", "clip", "clipping"),
        _teach("plain", "Plain 6/6 against clipped 2/6", "clip", "plain against clipped"),
        _teach("hello", "“hello world”: perfect, and yet 0", "combine", "short"),
        _teach("corpus", "A corpus: sums, not means", "corpus", "corpus"),
        Lesson(
            "tokens", "Commas, capitals: what is a token?", "a comma or a capital decides what matches",
            (("Hello, world! The cat's here.", ("hello , world ! The cat 's here .",)),), PAPER, "tokenise",
        ),
    )
}  # fmt: skip
"""The lessons by their keys: those of ``bleuprint selftest``, and one on tokens."""
COMPANION: TaughtSegment = LESSONS["corpus"].segments[1]
"""The second segment of a corpus if there is only one."""
