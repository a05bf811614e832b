"""Modes and opened segments are addresses: Back, Forward and reload keep mode, texts, recipe and result."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bleuprint import Recipe, explain, score_sentence
from page.corpora import as_file, upload
from page.driver import Driver, Host, MakeDriver, expected

CANDIDATES, REFERENCES = ["the cat is on mat", "it rains a lot"], ["the cat is on the mat", "it rains a lot today"]
PAPER = Recipe.named("paper")


def shown_for(candidate: str, reference: str, recipe: Recipe = PAPER) -> dict[str, str]:
    return expected(explain(score_sentence(candidate, [reference], recipe)).to_dict())


def address(driver: Driver) -> str:
    return driver.page.url.removeprefix(driver.host.url)


def chosen(driver: Driver) -> str:
    return driver.page.locator("[role=tab][aria-selected=true]").get_attribute("id").removeprefix("tab-")


def test_back_forward_and_reload_keep_mode_texts_recipe_and_result(fresh: Driver):
    page, sent = fresh.page, []
    page.on("request", lambda request: sent.append(request.url))
    fresh.write("a b c d e", ["a b c d f"]).choose("order", "2")
    own = shown_for("a b c d e", "a b c d f", PAPER.replace(order=2))
    assert fresh.read() == own
    fresh.to_corpus().paste_lines(CANDIDATES, REFERENCES).score_corpus()
    corpus = fresh.read()
    assert address(fresh) == "#corpus"
    fresh.page.get_by_role("button", name="Explain segment 2", exact=True).click()
    opened = fresh.settle().read()
    assert opened == shown_for(CANDIDATES[1], REFERENCES[1], PAPER.replace(order=2))
    assert address(fresh) == ""

    page.go_back()
    page.locator(".bp-segments").wait_for()
    assert (chosen(fresh), fresh.read(), address(fresh)) == ("corpus", corpus, "#corpus")
    page.go_back()
    assert (chosen(fresh), fresh.settle().read(), fresh.references()) == ("segment", own, ["a b c d f"])
    page.go_forward()
    page.locator(".bp-segments").wait_for()
    page.go_forward()
    assert fresh.settle().read() == opened
    page.reload()
    assert fresh.await_engine().settle().read() == opened
    assert page.locator("#candidate").input_value() == CANDIDATES[1]
    page.go_back()
    page.locator(".bp-segments").wait_for()
    assert fresh.read() == corpus, "the corpus is scored again after a reload"
    page.reload()
    fresh.await_engine().page.locator(".bp-segments").wait_for()
    assert fresh.read() == corpus
    assert page.locator("#corpus-candidate").input_value() == "\n".join(CANDIDATES)
    assert not [url for url in sent if "rains" in url or "#" in url]


@pytest.mark.parametrize(("candidate", "reference"), [("", ""), ("my own text", "  "), ("x" * 50_001, "the cat")])
def test_what_is_said_of_the_lengths_of_texts_without_a_score_is_so_after_a_reload_too(
    fresh: Driver, candidate: str, reference: str
):
    page = fresh.write(candidate, [reference]).page
    said = [f"{len(text):,} of 50,000 characters" for text in (candidate, reference)]
    assert page.locator("#candidate-count, #reference-1-count").all_inner_texts() == said
    page.reload()
    assert fresh.await_engine().settle().references() == [reference]
    assert page.locator("#candidate-count, #reference-1-count").all_inner_texts() == said
    page.locator("#tab-corpus").click()
    page.reload()
    fresh.await_engine()
    page.go_back()
    expect(page.locator("#candidate")).to_have_value(candidate)
    assert page.locator("#candidate-count, #reference-1-count").all_inner_texts() == said


def test_a_mode_has_an_address_and_what_was_typed_outlives_a_reload(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open("#reconcile")
    assert chosen(driver) == "reconcile"
    driver.page.locator("#candidate").fill("x y z")
    driver.page.wait_for_timeout(300)
    driver.page.reload()
    driver.await_engine()
    assert (chosen(driver), driver.page.locator("#candidate").input_value()) == ("reconcile", "x y z")
    expect(driver.page.locator("#result-html .invitation"), "nothing was asked for before").to_be_visible()
    driver.page.locator("#tab-segment").click()
    assert driver.settle().read() == shown_for("x y z", "the cat is on the mat")


def test_an_address_with_texts_gives_way_when_the_texts_change(driver: Driver):
    driver.page.locator("#share").click()
    driver.page.get_by_text("Link copied; your texts are part of it.").wait_for()
    driver.page.locator("#candidate").click()
    driver.page.wait_for_timeout(300)
    assert address(driver).startswith("#s="), "nothing has changed yet"
    driver.write("the cat", ["the cat"])
    assert address(driver) == ""


def test_a_result_that_takes_long_says_so_and_is_not_exported(served: Host, new_driver: MakeDriver):
    driver, held = new_driver(served).open(), []
    busy = {"ok": False, "error": {"message": "too busy"}}
    driver.page.route("**/bridge", lambda route: route.fulfill(json=busy) if held else held.append(route))
    driver.page.locator("#candidate").fill("the cat")
    driver.page.locator("#outdated").get_by_text("Theirs is being worked out.").wait_for()
    held[0].fulfill(json=busy)
    driver.page.locator("#problem").get_by_text("too busy").wait_for()
    driver.page.locator(".export[data-format=json]").click()
    driver.page.locator("#said").get_by_text("Nothing was exported").wait_for()
    assert "Outdated" in driver.page.locator("#outdated").inner_text()


def test_an_example_leaves_what_somebody_wrote_one_step_back(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open()
    page, said = driver.page, driver.page.locator("#said")
    page.locator(".lesson").nth(1).click()
    driver.settle().write("my own words", ["my words"])
    page.locator(".lesson").nth(2).click()
    assert "one step back" in said.inner_text()
    page.locator(".lesson").nth(0).click()
    assert said.inner_text() == "", "an example that gives way to another is not lost"
    driver.settle()
    page.go_back()
    assert driver.settle().read() == shown_for("my own words", "my words")

    page.locator("#tab-compare").click()
    driver.paste_lines(CANDIDATES, REFERENCES)
    page.locator("#rivals textarea").fill("a rival\nand its second line")
    driver.await_change("worked", lambda: page.locator("#example").click())
    assert page.locator("#first-name").input_value() == "north"
    page.get_by_text("one step back").wait_for()
    driver.await_change("worked", lambda: page.locator("#example").click())
    page.go_back()
    page.locator("#result-html .invitation").get_by_text("Give the candidates").wait_for()
    assert page.locator("#corpus-candidate").input_value() == "\n".join(CANDIDATES)
    assert page.locator("#rivals textarea").input_value() == "a rival\nand its second line"


def test_the_texts_of_an_example_are_nobodys_own_in_another_mode_either(local: Driver):
    page = local.page
    for mode in ("compare", "reconcile", "corpus"):
        page.locator(f"#tab-{mode}").click()
        local.await_change("corpus" if mode == "corpus" else "worked", lambda: page.locator("#example").click())
        assert page.locator("#said").inner_text() == ""


def test_the_form_of_every_mode_outlives_a_reload_before_it_is_worked_out(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open("#compare")
    page = driver.page
    upload(driver, as_file("c.txt", b"some lines"), as_file("r.txt", b"some lines"))
    page.locator("#rivals textarea").fill("other lines")
    page.locator("#resamples").fill("500")
    page.locator("#tab-identify").click()
    page.locator("#reported").fill("12.3")
    page.locator("#tab-reconcile").click()
    page.locator("#to").select_option("moses")
    page.wait_for_timeout(300)
    for mode, control, value in [("reconcile", "#to", "moses"), ("identify", "#reported", "12.3"),
                                 ("compare", "#resamples", "500")]:  # fmt: skip
        page.reload()
        driver.await_engine().page.locator(f"#mode-{mode}").wait_for()
        expect(page.locator(control)).to_have_value(value)
        expect(page.locator("#result-html .invitation")).not_to_be_empty()
        page.go_back()
    page.go_forward()
    expect(page.locator("#rivals textarea")).to_have_value("other lines")
    assert page.locator("#first-name").input_value() == "", "the file has its name, and may give way to another"


def test_long_texts_stay_for_back_and_forward_and_are_missed_after_a_reload(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open("#corpus")
    page = driver.page
    upload(driver, as_file("c.txt", b"a " * 300_000), as_file("r.txt", b"b " * 300_000))
    page.locator("#tab-segment").click()
    assert page.evaluate("JSON.stringify(history.state).length") < 100, "browsers copy it with every change"
    driver.settle().write("x y z", ["x y z"])
    page.go_back()
    expect(page.locator("#tab-corpus")).to_have_attribute("aria-selected", "true")
    assert page.locator("#corpus-list").inner_text().split() == ["c.txt", "r.txt"]
    page.locator("#share").click()
    expect(page.locator("#said")).to_contain_text("at most 1,000,000 characters, and would need 1,600,")
    page.go_forward()
    assert driver.settle().read() == shown_for("x y z", "x y z")
    page.go_back()
    page.reload()
    driver.await_engine()
    expect(page.locator("#problem")).to_contain_text("too long to be kept")
    page.locator("#tab-segment").click()
    assert driver.settle().problem == ""
