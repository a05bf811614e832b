"""Every example button, clicked and typed by hand: the page shows what the library prints."""

from __future__ import annotations

import pytest

from bleuprint import Recipe, explain, score_sentence
from bleuprint.lessons.worked_examples import EXAMPLES
from bleuprint.web.page import EXAMPLE_BUTTONS, ExampleButton
from page.driver import Driver, Host, MakeDriver, expected
from page.links import FOLLOW, fragment

PLACES = {
    "BLEU": "bleu-100",
    "BLEU, 0 to 1": "bleu-1",
    "brevity penalty": "brevity-penalty",
    "geometric mean": "geometric-mean",
}


def recipe_of(lesson: ExampleButton) -> Recipe:
    changes = {field: choice for field, choice in lesson.recipe.items() if field != "base"}
    return Recipe.of(lesson.recipe["base"]).replace(**changes)


def check_shown(driver: Driver, lesson: ExampleButton) -> None:
    score = score_sentence(lesson.candidate, lesson.references, recipe_of(lesson))
    if score.metric.key == "bleu":
        assert driver.read() == expected(explain(score).to_dict()), lesson.title
    else:
        assert (driver.read()["score-100"], driver.signature) == (score.printed, str(score.recipe)), lesson.title


def test_clicked_it_shows_what_the_library_prints(driver: Driver):
    for lesson in reversed(EXAMPLE_BUTTONS):  # the first one is shown already
        button = driver.page.get_by_role("button", name=f"{lesson.title} {lesson.lesson}", exact=True)
        button.click()
        check_shown(driver.settle(), lesson)
        assert driver.page.locator("#candidate").input_value() == lesson.candidate
        assert driver.references() == list(lesson.references)


@pytest.mark.extended  # the box that is typed into while its result follows, with another text
def test_typed_by_hand_it_shows_what_the_library_prints(driver: Driver):
    first = EXAMPLE_BUTTONS[0]
    driver.type(first.candidate, first.references).choose_recipe(recipe_of(first))
    check_shown(driver, first)


def test_the_page_shows_the_numbers_that_the_worked_examples_state_and_checks_them_itself(driver: Driver):
    for example in (one for one in EXAMPLES if len(one.candidates) == 1):
        form = {"candidate": example.candidates[0], "references": example.references[0]}
        driver.page.evaluate(FOLLOW, fragment({**form, "recipe": {"base": str(example.recipe)}}))
        shown = driver.settle().read()
        shown |= {name: shown[place] for name, place in PLACES.items()}
        orders = range(1, example.recipe.order + 1)
        shown |= {f"p{n}": f"{shown[f'matches-{n}']}/{shown[f'totals-{n}']}" for n in orders}
        shown |= {f"plain p{row[0][1:]}": row[3] for row in driver.table(".bp-orders")}
        notes = driver.page.get_by_test_id("notes").locator("p").all()
        shown["notes"] = ", ".join(note.get_attribute("data-code") or "" for note in notes)
        asked = [quantity for quantity in example.expected if quantity in shown]
        assert asked
        assert {name: shown[name] for name in asked} == {name: example.expected[name] for name in asked}, example.name
    driver.page.get_by_role("button", name="Check them here").click()
    driver.page.locator("#selftest-html [data-check=passed]").wait_for()


def test_the_corpus_example_comes_out_in_corpus_mode(host: Host, new_driver: MakeDriver):
    driver = new_driver(host).open()
    example = next(example for example in EXAMPLES if example.name == "corpus")
    driver.to_corpus().select("base", "paper")
    driver.paste_lines(example.candidates, [texts[0] for texts in example.references]).score_corpus()
    shown = driver.read()
    assert shown == expected(example.explain().to_dict())
    assert shown["bleu-100"] == example.expected["BLEU"]
    assert example.expected["mean of segment scores"] in driver.page.locator("#result-html").inner_text()
