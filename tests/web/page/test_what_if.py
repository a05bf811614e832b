"""What if: other choices with their scores, a token left out or changed, what that did to the score, and undo."""

from __future__ import annotations

import pytest

from bleuprint import Recipe, score_sentence
from page.driver import Driver, token

CANDIDATE, REFERENCES = "the cat is on the the mat", ["the cat is on the mat"]
PAPER = Recipe.named("paper")


def printed(candidate: str, recipe: Recipe = PAPER) -> str:
    return score_sentence(candidate, REFERENCES, recipe).printed


def told(driver: Driver) -> str:
    return driver.page.locator("#tried-text").inner_text()


def leave_out(driver: Driver) -> None:
    """Press the button; Python takes the token out of the text, and after that comes its score."""
    driver.await_change("complete", driver.page.get_by_role("button", name="Leave it out").click)


def trial(driver: Driver, field: str, choice: str):
    return driver.page.locator(f".bp-trial[data-field={field}][data-choice='{choice}']")


def test_a_token_is_left_out_another_is_changed_and_both_are_taken_back(driver: Driver):
    page = driver.write(CANDIDATE, REFERENCES).page
    before, perfect = printed(CANDIDATE), "100.00"
    token(driver, "candidate", 5).click()
    leave_out(driver)
    shown = driver.read()
    assert (shown["bleu-100"], page.locator("#candidate").input_value()) == (perfect, REFERENCES[0])
    assert told(driver) == f"without “the”: BLEU-4 {before} → BLEU-4 {perfect} (+{100 - float(before):.2f})"
    assert page.locator("#undo").evaluate("(one) => one === document.activeElement")

    # The same by keyboard: to the last token, open it, write another word.
    token(driver, "candidate", 0).focus()
    for key in ("End", "Enter", "Tab"):
        page.keyboard.press(key)
    page.keyboard.press("Control+a")
    page.keyboard.type("rug")
    page.keyboard.press("Enter")
    driver.page.get_by_text("“mat” as “rug”").wait_for()
    assert driver.settle().read()["bleu-100"] == printed("the cat is on the rug")
    page.locator("#undo").click()
    assert told(driver.settle()).startswith("without “the”")
    page.locator("#undo").click()
    shown = driver.settle().read()
    assert (shown["bleu-100"], told(driver), page.locator("#candidate").input_value()) == (before, "", CANDIDATE)
    assert not page.locator("#tried").is_visible()


def test_choices_show_what_they_would_give_and_give_it(driver: Driver):
    page = driver.write("the the cat", REFERENCES).page
    for order in "1234":
        recipe = PAPER.replace(order=int(order))
        assert trial(driver, "order", order).locator("strong").inner_text() == printed("the the cat", recipe)
    assert trial(driver, "order", "4").get_attribute("aria-pressed") == "true"
    trial(driver, "smoothing", "epsilon(0.1)").click()
    assert driver.settle().signature == str(PAPER.replace(smoothing="epsilon(0.1)"))
    assert page.locator("#epsilon").is_checked()
    smoothed = printed("the the cat", PAPER.replace(smoothing="epsilon(0.1)"))
    assert told(driver) == f"ε = 0.1: BLEU-4 0.00 → BLEU-4 {smoothed} (+{smoothed})"
    trial(driver, "order", "1").click()
    assert driver.settle().signature == str(PAPER.replace(smoothing="epsilon(0.1)", order=1))
    for _ in range(2):
        page.locator("#undo").click()
        driver.settle()
    assert driver.signature == str(PAPER)
    trial(driver, "order", "1").click()
    driver.settle()
    page.locator("#candidate").fill("the cat")
    assert told(driver.settle()) == "", "what was typed is no trial, and is not taken back"


@pytest.mark.parametrize(("name", "field", "choice"), [("chrf", "word_order", "2"), ("ter", "punctuation", "remove")])
def test_chrf_and_ter_try_words_and_choices(driver: Driver, name: str, field: str, choice: str):
    driver.write("on the mat , the cat", ["the cat on the mat"]).select("base", name)
    page = driver.settle().page
    page.locator(".bp-word").nth(3).click()
    leave_out(driver)
    own = score_sentence("on the mat the cat", ["the cat on the mat"], name)
    assert driver.read()["score-100"] == own.printed
    assert told(driver).startswith("without “,”: ")
    recipe = own.recipe.with_choices({field: int(choice) if choice.isdigit() else choice})
    other = score_sentence("on the mat the cat", ["the cat on the mat"], recipe).printed
    assert trial(driver, field, choice).locator("strong").inner_text() == other
    trial(driver, field, choice).click()
    assert driver.settle().read()["score-100"] == other
