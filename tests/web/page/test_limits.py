"""The boxes: live token counts, 50,000 characters with a clear message, up to 20 references, lines as one segment."""

from __future__ import annotations

import re

import pytest

from bleuprint import Recipe, explain, score_sentence
from bleuprint.web.limits import MOST_CHARACTERS, MOST_REFERENCES
from page.driver import Driver, expected

PAPER = Recipe.named("paper")


def count_text(driver: Driver, box: str) -> str:
    return driver.page.locator(f"#{box}-count").inner_text()


def test_tokens_and_characters_are_counted_live(driver: Driver):
    driver.write("one two three", ["one", "one two"])
    assert count_text(driver, "candidate") == "3 tokens, 13 of 50,000 characters"
    assert count_text(driver, "reference-1") == "1 token, 3 of 50,000 characters"
    assert count_text(driver, "reference-2") == "2 tokens, 7 of 50,000 characters"
    driver.page.locator("#candidate").press_sequentially(" four")
    assert count_text(driver.settle(), "candidate") == "4 tokens, 18 of 50,000 characters"
    driver.select("tokenizer", "char")
    assert count_text(driver.settle(), "candidate").startswith("15 tokens")


@pytest.mark.parametrize(
    "texts",
    [["a b", "a b c d e"], pytest.param(["a", "a b", "a b c d"], marks=pytest.mark.extended)],
    ids=["two", "more"],
)
def test_the_result_follows_while_typing(driver: Driver, texts: list[str]):
    driver.write("", ["a b c d e"])
    box = driver.page.locator("#candidate")
    for text in texts:
        box.press_sequentially(text.removeprefix(box.input_value()))
        assert driver.settle().read() == expected(explain(score_sentence(text, ["a b c d e"], PAPER)).to_dict())


@pytest.mark.parametrize("host", ["static"], indirect=True)  # the server scores them where they make a link
def test_50_000_characters_are_scored(driver: Driver):
    text = ("word " * 10_000)[:MOST_CHARACTERS]
    driver.write(text, [text])
    assert driver.problem == ""
    assert driver.read()["bleu-100"] == "100.00"
    assert driver.read()["totals-1"] == "10000"


def test_one_character_more_shows_a_message_and_cuts_nothing(driver: Driver):
    before, text = driver.read(), "a" * (MOST_CHARACTERS + 1)
    driver.page.locator("#candidate").fill(text)
    driver.settle()
    for part in ("candidate", "at most 50,000 characters", "50,001", "Nothing was cut"):
        assert part in driver.problem
    assert driver.page.locator("#candidate").input_value() == text
    assert driver.page.locator("#candidate").get_attribute("aria-invalid") == "true"
    assert count_text(driver, "candidate") == "50,001 of 50,000 characters"
    assert driver.read() == before
    driver.page.locator("#candidate").fill(text[1:])
    assert driver.settle().problem == ""
    assert driver.page.locator("#candidate").get_attribute("aria-invalid") == "false"


def test_the_counter_and_the_engine_count_the_same_characters(driver: Driver):
    driver.page.locator("#candidate").fill("🙂" * 25_001)  # more than 50,000 units of UTF-16
    assert driver.settle().problem == ""
    assert count_text(driver, "candidate") == "1 token, 25,001 of 50,000 characters"
    assert driver.page.locator("#candidate").get_attribute("aria-invalid") == "false"


def test_several_lines_count_as_one_segment(driver: Driver):
    driver.write("the cat\nis on\n\nthe mat\n", ["the cat is on\nthe mat"])
    score = score_sentence("the cat is on the mat", ["the cat is on the mat"], PAPER)
    assert driver.read() == expected(explain(score).to_dict())
    for tokenizer in ("13a", "char"):
        driver.choose("tokenizer", tokenizer)
        recipe = PAPER.replace(tokenizer=tokenizer)
        score = score_sentence("the cat is on  the mat", ["the cat is on the mat"], recipe)
        assert driver.read() == expected(explain(score).to_dict())


def test_references_are_added_and_removed(driver: Driver):
    remove = driver.page.locator("#references .remove")
    assert remove.count() == 1
    assert not remove.first.is_visible()
    driver.page.locator("#add-reference").click()
    assert driver.page.locator("#reference-2").evaluate("(box) => box === document.activeElement")
    driver.write("a b c d e", ["x", "a b c d e", "y"])
    assert driver.read()["bleu-100"] == "100.00"
    driver.page.get_by_role("button", name="Remove reference 2").click()
    assert driver.settle().references() == ["x", "y"]
    assert driver.read()["bleu-100"] == "0.00"
    labels = [re.sub(r"\s+", " ", label.inner_text()) for label in driver.page.locator("#references label").all()]
    assert labels == ["Reference 1", "Reference 2"]
    assert driver.page.get_by_label("Reference 2", exact=True).input_value() == "y"


def test_there_are_at_most_20_references(driver: Driver):
    driver.write("a", [f"a {number}" for number in range(MOST_REFERENCES)])
    assert driver.problem == ""
    assert driver.page.locator("#add-reference").is_disabled()
    assert count_text(driver, f"reference-{MOST_REFERENCES}").startswith("2 tokens")
    driver.page.locator("#references .remove").last.click()
    assert driver.page.locator("#add-reference").is_enabled()


def test_an_empty_candidate_is_explained_and_not_rated(driver: Driver):
    driver.write("", ["the cat"])
    assert driver.problem == ""
    assert driver.read() == expected(explain("", "the cat", PAPER).to_dict())
    assert driver.read()["rating"] == "no rating: the candidate is empty"


def test_an_added_box_that_is_still_blank_changes_nothing(driver: Driver):
    driver.write("the cat", ["the cat is on the mat"])
    driver.choose("order", "2")
    before = driver.read()
    assert before["bleu-100"] == "13.53"
    driver.page.get_by_role("button", name="Add a reference").click()
    driver.settle()
    shown = driver.read()
    assert shown.pop("left-out") == "Reference 2 is blank and left out."
    assert shown == before
    assert count_text(driver, "reference-2").startswith("blank, so left out; 0 of")
    driver.page.locator("#reference-2").fill("a cat")
    driver.settle()
    assert "left-out" not in driver.read()
    assert count_text(driver, "reference-2").startswith("2 tokens")


def test_without_any_reference_the_page_says_that_there_is_nothing_to_score(driver: Driver):
    before = driver.read()
    driver.write("the cat", [" "])
    assert "nothing to score" in driver.problem
    assert driver.read() == before
    assert driver.page.locator("#outdated").inner_text().startswith("Outdated: this is not the result of the texts")
    driver.page.locator(".export[data-format=json]").click()
    driver.page.wait_for_timeout(300)
    assert "nothing to score" in driver.problem
    driver.write("the cat", ["the cat"])
    assert not driver.page.locator("#outdated").is_visible()
