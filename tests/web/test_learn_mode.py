"""Lessons in Python: every step of any texts by any recipe, what it says, and what is refused."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from bleuprint import Recipe, explain
from bleuprint.lessons.lesson import LESSON_STEPS, LESSONS
from bleuprint.lessons.steps import WAYS_TO_SMOOTH, mark_cuts, offer_slots, slide_window, smooth_by, trace_brevity
from bleuprint.lessons.worked_examples import EXAMPLES
from bleuprint.metrics.bleu.formula import brevity
from bleuprint.text.tokenizers.registry import BUILT_IN, PRETOKENIZED
from bleuprint.web.bridge import handle

TEXTS = [
    ["", ["a b"]],
    ["a", ["a"]],
    ["the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]],
    ["x y z", ["a b c d e"]],
    ["It's 3.5 <b>, isn't it?", ["It 's 3.5 < b > , is n't it ?", "a"]],
]


def ask(**request: object) -> dict:
    answer = handle({"action": "learn", **request})
    assert answer["ok"], answer["error"]["message"]
    return answer


def said(answer: dict) -> str:
    [words] = re.findall(r'class="learn-said"[^>]*>(.*?)</p>', answer["html"], re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", words).split())


@pytest.mark.parametrize("dialect", Recipe.dialects("bleu"))
def test_every_step_shows_any_texts_by_every_dialect(dialect: str):
    for step in LESSON_STEPS:
        for focus, order in ((0, 1), (2, 2), (4, 9)):
            form = {"segments": TEXTS, "recipe": {"base": dialect}, "focus": focus, "order": order}
            if step == "corpus" and Recipe.named(dialect).is_for_one_segment:
                refused = handle({"action": "learn", "lesson": "own", "step": step, **form})
                assert "one segment" in refused["error"]["message"]
                continue
            answer = ask(lesson="own", step=step, **form)
            assert said(answer)
            assert "<b>" not in answer["html"]
            assert answer["state"] == {
                "lesson": "own", "segments": TEXTS, "recipe": {"base": str(Recipe.named(dialect))}, "step": step,
                "focus": focus, "order": min(order, Recipe.named(dialect).order),
            }  # fmt: skip
            assert answer["address"] == ""
            again = ask(**answer["state"])
            assert again["html"] == answer["html"]


def test_every_tokenizer_shows_where_it_cut():
    for entry in BUILT_IN.values():
        if entry.needs is None and entry.name != PRETOKENIZED:
            ask(lesson="tokens", step="tokenise", recipe={"base": "paper", "tokenizer": entry.name})
    evidence = explain("Hello, world", "x", Recipe.named("paper").replace(tokenizer="13a", case="lower")).evidence
    cut = mark_cuts("Hello, world", evidence.candidate_view)
    assert cut == [("hello", False, True), (",", True, False), ("world", False, False)]


def test_windows_and_slots_recount_to_the_statistics():
    for candidate, references in TEXTS:
        explanation = explain(candidate, references, "paper")
        for order in range(1, 5):
            windows = slide_window(explanation.evidence, order)
            assert [window.place for window in windows] == list(range(explanation.score.stats.totals[order - 1]))
            assert sum(window.is_matched for window in windows) == explanation.plain_matches[order - 1]
            rows = offer_slots(explanation.evidence, order)
            assert sum(len(row.filled) for row in rows) == explanation.score.stats.matches[order - 1]
            assert sum(len(row.filled) + len(row.spilled) for row in rows) == len(windows)
            assert all((row.best is None) == (row.found.clip == 0) for row in rows)


def test_of_a_long_text_only_what_is_repeated_is_listed_one_by_one():
    candidate, reference = "the cat and the dog and a bird sat here for long", "the cat and the dog and birds sat there"
    for order, listed, groups in ((1, ["the", "and"], (3, 5)), (2, [], (5, 6))):
        html = ask(lesson="own", step="clip", segments=[[candidate, [reference]]], order=order)["html"]
        assert re.findall(r'<li><p><strong dir="auto">(.*?)</strong>', html) == listed
        assert html.count("<ul") == bool(listed)
        assert [html.count(f"learn-{kind}") for kind in ("found", "absent")] == list(groups)


def test_the_curve_runs_through_the_penalty_of_every_whole_length():
    curve = dict(trace_brevity(6, 10))
    assert {length: curve[length] for length in range(11)} == {length: brevity(length, 6) for length in range(11)}
    assert list(curve.values()) == sorted(curve.values())


def test_ways_to_smooth_are_alternatives():
    recipe = Recipe.named("paper").replace(smoothing="exp", absent_order="drop", case="lower")
    ways = {key: smooth_by(recipe, key) for key in WAYS_TO_SMOOTH}
    assert len(set(ways.values())) == len(ways)
    assert {way.case for way in ways.values()} == {"lower"}
    assert (ways["none"].choice("smoothing"), ways["none"].absent_order) == ("none", "zero")


def test_the_lessons_are_those_of_the_selftest_and_say_what_they_show():
    examples = {(example.candidates, example.references) for example in EXAMPLES}
    texts = {key: tuple(zip(*lesson.segments, strict=True)) for key, lesson in LESSONS.items()}
    assert {key for key in LESSONS if texts[key] not in examples} == {"tokens"}
    assert len({lesson.title for lesson in LESSONS.values()}) == len(LESSONS)
    assert all(lesson.step in LESSON_STEPS for lesson in LESSONS.values())
    assert said(ask(lesson="seven", step="clip")) == (
        "Of 7 occurrences, 7 are in a reference: plain precision is 7/7. "
        "But 5 of these find no slot, so 2 matches remain: clipped precision is 2/7."
    )
    assert said(ask(lesson="hello", step="combine")).startswith("p3 and p4 count as 0: the candidate is too short")


def test_the_formula_of_a_single_order_has_no_line_twice():
    for lesson, lines in (("there", 4), ("missing", 5)):
        formula, _ = ask(lesson=lesson, step="combine")["html"].split("</math>", 1)
        rows = [re.sub(r"<[^>]+>", "", row) for row in re.findall("<mtr.*?</mtr>", formula)]
        assert len(rows) == len(set(rows)) == lines


@pytest.mark.parametrize(
    ("request_", "where", "suggestion"),
    [
        ({"lesson": "sevn"}, "lesson", "seven"),
        ({"step": 3}, "step", None),
        ({"lesson": "own"}, "segments", None),
        ({"lesson": "own", "segments": []}, "lesson", None),
        ({"lesson": "own", "segments": [["a", ["b"]]] * 13}, "lesson", None),
        ({"lesson": "own", "segments": [["a" * 601, ["b"]]]}, "lesson", None),
        ({"lesson": "own", "segments": [["a", [" "]]]}, "references", None),
        ({"focus": 1}, "focus", None),
        ({"order": 0}, "order", None),
    ],
)
def test_what_cannot_be_taught_is_refused(request_: dict, where: str, suggestion: str | None):
    error = handle({"action": "learn", **request_})["error"]
    assert (error["where"], error["suggestion"]) == (where, suggestion)


def test_the_bridge_starts_without_lessons():
    program = (
        "import sys, bleuprint.web.bridge as bridge\n"
        "late = lambda: sorted(name for name in sys.modules if 'lesson' in name or 'learn' in name)\n"
        "before = late(); bridge.handle({'action': 'learn'}); print(before, len(late()) > 3)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[] True\n"


def test_another_metric_gives_way_to_the_papers_bleu():
    answer = ask(lesson="own", segments=TEXTS[2:3], recipe={"base": "chrf"})
    assert answer["state"]["recipe"] == {"base": str(Recipe.named("paper"))}
    assert "The recipe at hand is one of chrF: the paper's BLEU takes its place" in answer["html"]
    assert "takes its place" not in ask(**answer["state"])["html"]
