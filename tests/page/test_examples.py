"""Every example button, clicked and typed by hand: the page shows what the library prints."""

from __future__ import annotations

import pytest

from bleuprint import Recipe, explain, score_sentence
from bleuprint.findings.worked_examples import EXAMPLES, WorkedExample
from bleuprint.web.page import Lesson, lessons
from page.driver import Driver, Host, MakeDriver, expected

PLACES = {
    "BLEU": "bleu-100",
    "BLEU, 0 to 1": "bleu-1",
    "brevity penalty": "brevity-penalty",
    "geometric mean": "geometric-mean",
}
LESSONS = [pytest.param(lesson, id=lesson.title.replace(" ", "-")) for lesson in lessons()]
TYPED = [LESSONS[0], *(pytest.param(*one.values, id=one.id, marks=pytest.mark.matrix) for one in LESSONS[1:])]
"""Keys are keys: typing one lesson tries what typing the others does."""


def recipe_of(lesson: Lesson) -> Recipe:
    changes = {field: choice for field, choice in lesson.recipe.items() if field != "base"}
    return Recipe.of(lesson.recipe["base"]).replace(**changes)


def shown_for(lesson: Lesson) -> dict[str, str]:
    return expected(explain(score_sentence(lesson.candidate, lesson.references, recipe_of(lesson))).to_dict())


@pytest.mark.parametrize("lesson", LESSONS)
def test_clicked_it_shows_what_the_library_prints(driver: Driver, lesson: Lesson):
    driver.page.get_by_role("button", name=lesson.title, exact=True).click()
    assert driver.settle().read() == shown_for(lesson)
    assert driver.page.locator("#candidate").input_value() == lesson.candidate
    assert driver.references() == list(lesson.references)
    assert driver.page.locator("#lesson-text").inner_text() == lesson.lesson


@pytest.mark.parametrize("lesson", TYPED)
def test_typed_by_hand_it_shows_what_the_library_prints(driver: Driver, lesson: Lesson):
    driver.type(lesson.candidate, lesson.references).choose_recipe(recipe_of(lesson))
    assert driver.read() == shown_for(lesson)


@pytest.mark.parametrize(
    "example",
    [pytest.param(one, id=one.name.replace(" ", "-")) for one in EXAMPLES if len(one.candidates) == 1],
)
def test_the_page_shows_the_numbers_that_a_worked_example_states(driver: Driver, example: WorkedExample):
    driver.page.get_by_role("button", name=example.name, exact=True).click()
    shown = driver.settle().read()
    shown |= {name: shown[place] for name, place in PLACES.items()}
    shown |= {f"p{n}": f"{shown[f'matches-{n}']}/{shown[f'totals-{n}']}" for n in range(1, example.recipe.order + 1)}
    shown |= {f"plain p{row[0][1:]}": row[3] for row in driver.table(".bp-orders")}
    notes = [note.get_attribute("data-code") or "" for note in driver.page.get_by_test_id("notes").locator("p").all()]
    shown["notes"] = ", ".join(notes)
    asked = [quantity for quantity in example.expected if quantity in shown]
    assert asked
    assert {quantity: shown[quantity] for quantity in asked} == {name: example.expected[name] for name in asked}


def test_the_corpus_example_comes_out_in_corpus_mode(host: Host, new_driver: MakeDriver):
    driver = new_driver(host).open()
    example = next(example for example in EXAMPLES if example.name == "corpus")
    driver.to_corpus().select("base", "paper")
    driver.paste_lines(example.candidates, [texts[0] for texts in example.references]).score_corpus()
    shown = driver.read()
    assert shown == expected(example.explain().to_dict())
    assert shown["bleu-100"] == example.expected["BLEU"]
    assert example.expected["mean of segment scores"] in driver.page.locator("#result-html").inner_text()
