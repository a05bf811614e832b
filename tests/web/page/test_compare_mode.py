"""Compare on the page: the numbers of the library, progress, links, files; names stay text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from bleuprint import Recipe, compare
from bleuprint.render import render
from bleuprint.render.json import render_json
from page.acting import act, press
from page.attacks import ATTACKS, COUNTS
from page.comparing import B, check, enter, fill
from page.corpora import EXAMPLES, R1, A, lines, upload
from page.driver import TYPED, Driver, Host, MakeDriver
from page.links import fragment
from page.looks import AXE_RUN, LOOKS, WIDER

FILES = [EXAMPLES / name for name in ("candidate-a.txt", "reference-1.txt")]
RUN = "compare-run"
BROKEN = """() => [...document.querySelectorAll("th, td")].filter((cell) => cell.checkVisibility()).flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const { 0: word, index } of node.data.matchAll(/\\w+/g)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
        }
    return found;
})"""
"""Words of tables that go on in another line."""


@pytest.fixture
def fresh(fresh: Driver) -> Driver:
    return enter(fresh)


@pytest.fixture
def local(local: Driver) -> Driver:
    return enter(local)


def test_the_numbers_are_the_librarys(fresh: Driver):
    upload(fresh, *FILES)
    fresh.page.locator("#rival-files").set_input_files([EXAMPLES / "candidate-b.txt", EXAMPLES / "reference-2.txt"])
    fresh.page.locator("#rivals .system").nth(1).wait_for()
    assert fresh.page.locator("#rivals .system").count() == 2, "the empty box gave way"
    fresh.select("base", "sacrebleu")
    fresh.page.locator("#resamples").fill("200")  # Python in the browser takes long for 1000
    press(fresh, RUN)
    systems = {"candidate-a.txt": A, "candidate-b.txt": B, "reference-2.txt": lines("reference-2.txt")}
    check(fresh, compare(systems, R1, resamples=200))

    fresh.select("compared-pairs", "first")
    fresh.select("test", "bootstrap")
    fresh.choose("smoothing", "epsilon(0.1)")
    assert fresh.page.locator("#result-html.stale").count() == 1, "what is shown belongs to another recipe"
    press(fresh, RUN)
    recipe = Recipe.named("sacrebleu").replace(smoothing="epsilon(0.1)")
    made = compare(systems, R1, recipe, resamples=200, baseline="candidate-a.txt", test="bootstrap")
    check(fresh, made)

    with fresh.page.expect_download() as downloading:
        fresh.page.get_by_role("button", name="Download the report").click()
    assert downloading.value.suggested_filename == "bleuprint-compare.html"
    report = Path(downloading.value.path()).read_text(encoding="utf-8")
    assert report.startswith("<!doctype html>")
    assert made.result().summary in report


def test_a_table_on_paper_fits_and_breaks_no_word(fresh: Driver):
    page = fresh.page
    page.locator("#example").click()
    page.locator("#more-recipes button").nth(1).wait_for()
    if not page.evaluate("() => document.body.dataset.worked"):
        press(fresh, RUN)
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 between its margins
    page.emulate_media(media="print")
    assert page.locator("#result-html th:text-is('difference')").count() == 3
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(WIDER) == [True, []]


def test_several_recipes_and_own_settings_go_with_the_link(fresh: Driver):
    systems = {"first": A[:9], "<b>": B[:9], "c": R1[:9]}
    page = fill(fresh.paste_lines(A[:9], R1[:9]), "first", {"<b>": B[:9], "c": R1[:9]}).page
    for name in ("chrf", "ter", "chrf"):
        fresh.select("add-recipe", name)
    assert page.locator("#more-recipes button").all_inner_texts() == ["chrf ✕", "ter ✕"]
    settings = {"resamples": "300", "confidence": "0.9", "seed": "7"}
    for name, value in settings.items():
        page.locator(f"#{name}").fill(value)
    fresh.select("test", "bootstrap")
    fresh.select("compared-pairs", "first")
    press(fresh, RUN)
    wanted = {"test": "bootstrap", "resamples": 300, "confidence": 0.9, "seed": 7, "baseline": "first"}
    made = compare(systems, R1[:9], ["sacrebleu", "chrf", "ter"], **wanted)
    check(fresh, made)
    heads = page.locator("#overview thead th").all_inner_texts()
    assert heads[1:] == ["BLEU ↑", "chrF2 ↑", "TER ↓"]
    with page.expect_download() as downloading:
        page.locator(".export[data-format=json]").click()
    assert Path(downloading.value.path()).read_text(encoding="utf-8") == render_json(made.to_dict())
    box, form = (page.locator(one).bounding_box() for one in ("#result", "#form"))
    assert box["width"] == form["width"], "the result is as wide as the page"

    shown = page.locator("#result-html").inner_html()
    page.locator("#share").click()
    page.get_by_text("Link copied; your texts are part of it.").wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    page.locator("body[data-worked='1']").wait_for()
    assert page.locator("#result-html").inner_html() == shown
    assert page.locator("#tab-compare").get_attribute("aria-selected") == "true"
    assert page.locator("#rivals .system").count() == 2
    assert page.locator("#compared-pairs").input_value() == "first"
    assert page.locator("#seed").input_value() == "7"
    page.get_by_role("button", name="Remove chrf").click()
    assert page.locator("#outdated").inner_text().startswith("Outdated")
    page.locator("#seed").fill("")
    press(fresh, RUN)
    assert fresh.problem.startswith("seed: expected a whole number from 0")
    assert "Leave it out" not in fresh.problem, "that is what was done"


def test_a_card_holds_name_lines_and_file_of_a_system(local: Driver):
    card = local.page.locator("#rivals .system")
    card.locator("input[type=file]").set_input_files([EXAMPLES / "candidate-b.txt"])
    card.get_by_text("60 lines").wait_for()
    assert card.get_by_label("Its name").input_value() == "candidate-b.txt"
    assert card.locator("textarea").input_value() == "\n".join([*B, ""])
    card.locator("textarea").fill("a\nb")
    assert card.locator(".count").inner_text() == "2 lines"
    latin = {"name": "latin.txt", "mimeType": "text/plain", "buffer": b"\xff"}
    card.locator("input[type=file]").set_input_files([latin])
    local.page.locator("#problem").get_by_text("latin.txt: expected UTF-8").wait_for()
    assert card.locator("textarea").input_value() == "a\nb", "nothing is lost"


def test_exports_are_the_librarys(local: Driver):
    fill(local.paste_lines(A[:9], R1[:9]), "a", {"b": B[:9]})
    local.page.locator(".export[data-format=json]").click()
    local.page.get_by_text("there is no result of these texts and options yet.").wait_for()
    press(local, RUN)
    made = compare({"a": A[:9], "b": B[:9]}, R1[:9], resamples=1000)
    wanted = {
        "json": render_json(made.to_dict()),
        "csv": render(made, "csv"),
        "markdown": render(made, "markdown"),
        "html": made.to_html(),
    }
    for format_, text in wanted.items():
        with local.page.expect_download() as downloading:
            local.page.locator(f".export[data-format={format_}]").click()
        assert Path(downloading.value.path()).read_bytes().decode("utf-8") == text


REFUSED = [
    ({"b": ["x"]}, "system 'b': expected 2 lines, got 1"),
    ({"a": ["x", "y"]}, "systems: expected every name once, got 'a' twice"),
    ({"b": []}, "system 'b': expected a text, got blanks alone"),
]


def test_a_link_with_more_systems_than_the_page_compares_loses_none_of_them(served: Host, new_driver: MakeDriver):
    driver = new_driver(served)
    files = [{"name": "", "text": "a b c d"}] * 2
    systems = [{"name": f"rival {place}", "text": "a b"} for place in range(11)]
    state = {"mode": "compare", "files": files, "pasted": True, "recipe": {"base": "paper"}, "systems": systems}
    driver.page.goto(f"{served.url}{fragment(state)}")
    expect(driver.page.locator("#problem:visible")).to_contain_text(
        "systems: expected at most 9 after the first, got 11"
    )
    assert driver.page.locator("#rivals .system").count() == 11


def test_problems_are_shown_in_words(local: Driver):
    local.paste_lines(["a", "b"], ["a", "b"])
    for others, message in REFUSED:
        press(fill(local, "a", others), RUN)
        expect(local.page.locator("#problem:visible")).to_contain_text(message)
        assert not local.page.locator("#work-progress").is_visible()


def test_one_system_alone_has_its_interval(local: Driver):
    press(local.paste_lines(A, R1), RUN)
    check(local, compare({"system 1": A}, R1, resamples=1000))


def test_too_many_files_are_refused_and_none_is_taken(local: Driver):
    files = [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": b"a"} for n in range(10)]
    local.page.locator("#rival-files").set_input_files(files)
    local.page.get_by_text("At most 10 systems can be compared here; no file was taken.").wait_for()
    assert local.page.locator("#rivals .system").count() == 1
    local.page.locator("#rival-files").set_input_files(files[:9])
    local.page.locator("#rivals .system").nth(8).wait_for()
    assert local.problem == ""
    assert local.page.locator("#add-rival").is_disabled()


def test_names_and_texts_stay_text(fresh: Driver):
    before = fresh.page.evaluate(COUNTS)
    fill(fresh.paste_lines(ATTACKS, ATTACKS), ATTACKS[0], {ATTACKS[1]: ATTACKS[::-1]})
    press(fresh, RUN)
    places = [fresh.page.locator(f"#{name}").bounding_box()["y"] for name in ("resamples", "base", RUN, "result")]
    assert places == sorted(places), "what can be chosen stands before the button"
    assert ATTACKS[1] in fresh.page.locator("#result-html").inner_text()
    assert fresh.page.evaluate(COUNTS) == before


def test_work_can_be_watched_and_cancelled(served: Host, new_driver: MakeDriver):
    driver = enter(new_driver(served).open())
    held: list[Route] = []

    def hold(route: Route) -> None:
        swap = json.loads(route.request.post_data or "{}").get("action") == "compare-swap"
        held.append(route) if swap else route.continue_()

    driver.page.route("**/bridge", hold)
    fill(driver.paste_lines(A[:5], R1[:5]), "a", {"b": B[:5], "c": R1[:5]})
    driver.page.locator(f"#{RUN}").click()
    driver.page.get_by_text("pair 1 of 3: 0 of 1,000 resamples").wait_for()
    assert driver.page.locator("#work-progress progress").evaluate("(bar) => bar.value") == 0.25
    driver.page.locator("#work-cancel").click()
    assert not driver.page.locator("#work-progress").is_visible()
    assert driver.page.evaluate("() => document.activeElement.id") == RUN
    with driver.page.expect_response("**/bridge"):
        held[0].continue_()
    driver.page.evaluate(TYPED)
    assert len(held) == 1, "what was cancelled goes on"
    assert driver.page.evaluate("() => document.body.dataset.worked") is None
    driver.page.unroute("**/bridge")
    press(driver, RUN)
    check(driver, compare({"a": A[:5], "b": B[:5], "c": R1[:5]}, R1[:5], resamples=1000))


@pytest.mark.extended
@pytest.mark.parametrize("look", ["wide", "dark", "narrow"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    served: Host, new_driver: MakeDriver, axe_source: str, look: str
):
    driver = enter(new_driver(served, **LOOKS[look]).open())
    driver.page.evaluate(axe_source)
    fill(driver.paste_lines(A, R1), "a system with quite a long name, as papers have them", {"b": B, "c": R1})
    for state in ("before", "result"):
        if state == "result":
            press(driver, RUN)
        assert driver.page.evaluate(AXE_RUN) == [], state
        assert driver.page.evaluate(WIDER) == [True, []], state


def test_it_works_by_keyboard(local: Driver):
    board = local.page.keyboard

    def tab_to(name: str) -> None:
        for _ in range(12):
            if local.page.evaluate("() => document.activeElement.id") == name:
                return
            board.press("Tab")
        raise AssertionError(f"{name} is not reached")

    local.paste_lines(A[:2], R1[:2]).page.locator("#first-name").focus()
    board.type("a")
    tab_to("rival-2-0")
    board.type("b")
    board.press("Tab")
    board.insert_text("\n".join(B[:2]))
    for control in ("add-recipe", "base", RUN):  # the options stand before the button
        tab_to(control)
    act(local, lambda: board.press("Enter"))
    check(local, compare({"a": A[:2], "b": B[:2]}, R1[:2], resamples=1000))
