"""The frame of the page: a phone's screen, several lines, keys, files dropped anywhere, paper, forced colours."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bleuprint import Recipe, score, score_sentence
from page.driver import Driver, Host, MakeDriver

CANDIDATES, REFERENCES = ["the cat is on mat", "it rains a lot"], ["the cat is on the mat", "it rains a lot today"]
DROP = """([place, files]) => {
    const carried = new DataTransfer();
    for (const [name, text] of files) carried.items.add(new File([text], name));
    document.querySelector(place).dispatchEvent(
        new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""
CUT_OFF = """() => [...document.querySelectorAll(".bp-orders .bp-scroll")]
    .filter((one) => one.scrollWidth > one.clientWidth).length"""


@pytest.mark.complains("ERR_FAILED")
def test_on_a_phone_the_score_stays_in_sight_options_are_folded_and_no_precision_is_cut_off(
    served: Host, new_driver: MakeDriver
):
    driver = new_driver(served, viewport={"width": 320, "height": 640})
    driver.page.route("**/app.js", lambda route: route.abort())
    driver.page.goto(served.url)
    assert not driver.page.locator(".lesson").first.is_visible(), "nothing is folded before eyes when the script comes"
    driver.page.unroute("**/app.js")
    driver.open()
    page, bar = driver.page, driver.page.locator("#score-bar button")
    assert not page.locator("#order").is_visible()
    assert not page.locator(".lesson").first.is_visible()
    driver.write("the cat", ["the cat is on the mat"])
    for name in ("sacrebleu-sentence", "chrf", "ter", "chrf++"):
        driver.select("base", name)
        wanted = score_sentence("the cat", ["the cat is on the mat"], name)
        driver.settle()
        said = f"{wanted.label} {wanted.printed} Go to the result"
        assert bar.inner_text() == said, "no arrow, which says elsewhere whether more or less is better"
        assert page.evaluate(CUT_OFF) == 0, name
    box = bar.bounding_box()
    assert 0 < box["y"] <= 640 - box["height"]
    bar.click()
    assert page.evaluate("() => document.activeElement.id") == "result"
    assert abs(page.locator("#result").bounding_box()["y"]) < 5
    driver.write("the cat", [""])
    assert "outdated" in (page.locator("#score-bar").get_attribute("class") or "")

    driver.to_corpus().paste_lines(CANDIDATES, REFERENCES)
    page.locator("#corpus-candidate").focus()
    driver.score_corpus()
    assert abs(page.locator("#result").bounding_box()["y"]) < 5, "what was asked for is in sight"
    assert page.evaluate(CUT_OFF) == 0
    assert not bar.is_visible()


def test_what_was_asked_for_by_a_button_is_in_sight_on_a_wide_screen_and_the_keyboard_stays_there(
    served: Host, new_driver: MakeDriver
):
    driver = new_driver(served, viewport={"width": 1280, "height": 560}).open().to_corpus()
    page, button = driver.page, driver.page.locator("#corpus-run")
    driver.paste_lines(CANDIDATES * 3, REFERENCES * 3)
    page.locator("#all-choices > summary").click()
    page.locator("#weights").wait_for(state="attached")
    button.focus()
    driver.await_corpus(lambda: page.keyboard.press("Enter"))
    expect(page.locator("#result-html .bp-score").first).to_be_in_viewport()
    expect(button).to_be_focused()
    page.locator("#corpus-reference").fill("one line")
    button.focus()
    driver.await_corpus(lambda: page.keyboard.press("Enter"))
    expect(page.locator("#problem")).to_be_in_viewport()
    expect(button).to_be_focused()

    page.locator("#tab-compare").click()
    page.locator("#example").click()
    page.locator("#rival-2-0").wait_for()
    page.locator("#compare-run").scroll_into_view_if_needed()
    driver.await_change("worked", lambda: page.locator("#compare-run").click())
    expect(page.locator("#result-html h3").first).to_be_in_viewport()


def test_several_lines_are_offered_as_a_corpus(fresh: Driver):
    offer, button = fresh.page.locator("#lines"), fresh.page.locator("#lines-corpus")
    assert not offer.is_visible()
    fresh.write("\n".join(CANDIDATES), [REFERENCES[0]])
    assert offer.inner_text() == "The candidate has 2 lines, the references 1; here they are one segment."
    assert not button.is_visible()
    fresh.write("\n".join(CANDIDATES) + "\n", ["\n".join(REFERENCES)])
    assert "Each text has 2 lines; here they are one segment." in offer.inner_text()
    fresh.await_corpus(button.click)
    assert fresh.read()["bleu-100"] == score(CANDIDATES, REFERENCES, Recipe.parse(fresh.signature)).printed
    assert fresh.page.locator("#corpus-reference").input_value() == "\n".join(REFERENCES)
    fresh.page.go_back()
    fresh.settle()
    several = ["\n".join(REFERENCES), "\n".join(CANDIDATES)]
    fresh.write("\n".join(CANDIDATES), several)
    fresh.await_corpus(button.click)
    both = [list(pair) for pair in zip(REFERENCES, CANDIDATES, strict=True)]
    assert fresh.read()["bleu-100"] == score(CANDIDATES, both, Recipe.parse(fresh.signature)).printed


def test_files_dropped_anywhere_are_a_corpus_and_control_enter_scores_it(fresh: Driver):
    page, files = fresh.page, [["a.txt", "\n".join(CANDIDATES)], ["b.txt", "\n".join(REFERENCES)]]
    page.evaluate(DROP, [".help", files])
    page.locator("#corpus-list li").nth(1).wait_for()
    assert page.locator("#tab-corpus").get_attribute("aria-selected") == "true"
    page.locator("#tab-corpus").focus()
    fresh.await_scripts()
    fresh.await_corpus(lambda: page.keyboard.press("Control+Enter"))
    assert fresh.read()["bleu-100"] == score(CANDIDATES, REFERENCES, Recipe.parse(fresh.signature)).printed
    page.evaluate(DROP, ["#corpus-candidate", [["c.txt", "x"], ["d.txt", "y"]]])
    page.locator("#corpus-list").get_by_text("d.txt").wait_for()
    assert page.locator("#outdated").is_visible()
    page.evaluate(DROP, ["#drop", files])
    page.locator("#corpus-list").get_by_text("b.txt").wait_for()
    assert page.locator("#corpus-list li").all_inner_texts() == ["a.txt", "b.txt"], "taken once"


def test_paper_shows_what_is_folded_and_signatures_break_between_their_parts(driver: Driver):
    page = driver.page
    last = page.locator("#ngrams-html details").last
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert last.locator("table").is_visible()
    assert not page.locator("#score-bar, .bp-what-if, .bp-shading").first.is_visible()
    page.emulate_media(media="screen")
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert not last.locator("table").is_visible()
    driver.select("base", "sacrebleu")
    driver.settle()
    breaks = page.locator("#signature").evaluate("(one) => one.innerHTML.split('<wbr>')")
    assert [part for part in breaks if part] == [f"{part}|" for part in driver.signature.split("|")[:-1]] + [
        driver.signature.split("|")[-1]
    ]


def test_what_is_said_is_in_sight_until_somebody_goes_on(driver: Driver):
    page = driver.page
    page.locator("#copy-signature").click()
    page.locator("#said").get_by_text("Signature copied.").wait_for()
    page.evaluate("() => scrollTo(0, 0)")
    box = page.locator("#said").bounding_box()
    assert 0 < box["y"] < 900 - box["height"]
    page.locator("h1").click()
    assert page.locator("#said").inner_text() == ""


def test_forced_colours_show_the_chosen_tab_and_the_chosen_trial(served: Host, new_driver: MakeDriver):
    page = new_driver(served, forced_colors="active").open().page
    colour = "(one) => getComputedStyle(one).backgroundColor"
    for chosen, other in (
        ("#tab-segment", "#tab-corpus"),
        (".bp-trial[aria-pressed=true]", ".bp-trial[aria-pressed=false]"),
    ):
        assert page.locator(chosen).first.evaluate(colour) != page.locator(other).first.evaluate(colour)


def test_nothing_moves_on_a_narrow_screen_when_the_scripts_come(served: Host, new_driver: MakeDriver):
    driver, held = new_driver(served, viewport={"width": 320, "height": 640}), []
    page, top = driver.page, "(box) => box.getBoundingClientRect().top"
    page.route("**/static/app.js", lambda route: held.append(route))
    page.goto(served.url, wait_until="commit")
    page.locator("footer").wait_for()
    before = page.locator("#candidate").evaluate(top)
    assert not page.locator(".lesson").first.is_visible()
    [route] = held
    route.continue_()
    driver.await_engine()
    assert page.locator("#candidate").evaluate(top) == before
    driver.unfold()
    assert page.locator(".lesson").first.is_visible()
