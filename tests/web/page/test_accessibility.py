"""For everybody: axe finds nothing in any state, everything works by keyboard, at 320 pixels and without motion.

Pictures of all states are kept in $BLEUPRINT_SCREENSHOTS if that is set.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bleuprint import Recipe
from page.driver import Driver, Host, MakeDriver
from page.looks import FOCUS, LOOKS, WIDER, check_with_axe

LONG = "the cat is on the mat and it purrs " * 12


def nothing(driver: Driver) -> None: ...


def zero(driver: Driver) -> None:
    driver.write("the the the", ["a cat", "on a mat"])


def perfect(driver: Driver) -> None:
    driver.write(LONG, [LONG, LONG])


def problem(driver: Driver) -> None:
    driver.choose("order", "0")
    assert driver.problem


def too_long(driver: Driver) -> None:
    driver.page.locator("#candidate").fill("a" * 50_001)
    assert driver.settle().problem


def all_choices(driver: Driver) -> None:
    driver.write("the the cat sat", ["the cat is on the mat", "a cat"])
    driver.choose_recipe(Recipe.named("paper").replace(smoothing="floor(0.2)", weights=[0.5, 0.5]))
    for details in driver.page.locator("#ngrams-html details, .help details").all():
        details.evaluate("(one) => (one.open = true)")
    driver.page.locator("#why-zero > p").wait_for()


def trying(driver: Driver) -> None:
    driver.write("the the\ncat sat", ["the cat is\non the mat"])
    driver.page.locator(".bp-trial[data-field=order][data-choice='2']").click()
    driver.settle().page.locator("[data-side=candidate] .bp-token").nth(1).click()
    driver.page.locator("#selftest").click()
    driver.page.locator("[data-check=passed] + details").evaluate("(one) => (one.open = true)")
    for part in ("#edit", "#tried", "#lines"):
        assert driver.page.locator(part).is_visible()


def right_to_left(driver: Driver) -> None:
    driver.write("החתול יושב על השטיח", ["החתול ישב על השטיח", "القطة تجلس على السجادة"])


def corpus_empty(driver: Driver) -> None:
    driver.to_corpus()


def corpus_result(driver: Driver) -> None:
    rows = [f"{LONG}{number}\t{LONG}\tpart {number % 3}" for number in range(60)]
    text = "\n".join(["candidate\treference\tdocument", *rows]).encode()
    file = {"name": "corpus.tsv", "mimeType": "text/plain", "buffer": text}
    driver.to_corpus().page.locator("#corpus-files").set_input_files([file])
    driver.page.locator("#corpus-list li").wait_for()
    driver.score_corpus()
    assert not driver.problem


def corpus_problem(driver: Driver) -> None:
    driver.to_corpus().paste_lines(["a", "b"], ["a"]).score_corpus()
    assert driver.problem


STATES = [nothing, all_choices, corpus_result]
MORE_STATES = [zero, perfect, problem, too_long, trying, right_to_left, corpus_empty, corpus_problem]
PLAIN = "first-paint"


CONTROLS = """() => {
    const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
    const inTurn = (one) => one.type !== "radio" || one.checked; // arrow keys reach the others
    const reached = (one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0 && inTurn(one);
    return [...all].filter(reached).map((one) => one.id || one.classList[0] || one.tagName); }"""


def check_tab_order(driver: Driver) -> None:
    """Tab must reach every control in the order of the page, and each must show that it has the focus."""
    controls = driver.page.evaluate(CONTROLS)
    assert len(controls) > 40
    driver.page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    driver.page.locator("body").evaluate(
        "(body) => { body.tabIndex = -1; body.focus(); body.removeAttribute('tabindex'); }"
    )
    reached = []
    for _ in controls:
        driver.page.keyboard.press("Tab")
        focus = driver.page.evaluate(FOCUS)
        assert focus["seen"], f"{focus['name']} has the focus and does not show it"
        reached.append(focus["name"])
    assert reached == controls


def check_picture(driver: Driver, path: Path, look: str) -> None:
    driver.page.screenshot(path=path, full_page=True)
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert data.startswith(b"\x89PNG")
    assert width == LOOKS[look].get("viewport", {"width": 1280})["width"]
    assert height > 900
    assert len(data) > 20_000


def name_of(state: Callable[[Driver], None]) -> str:
    return PLAIN if state is nothing else state.__name__.replace("_", "-")


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    "state", [*STATES, *(pytest.param(state, marks=pytest.mark.extended) for state in MORE_STATES)], ids=name_of
)
def test_axe_finds_nothing_nothing_is_wider_than_the_window_tab_reaches_every_control_and_a_picture_is_kept(
    served: Host,
    new_driver: MakeDriver,
    axe_source: str,
    screenshots: Path,
    keep_picture: Callable[[Page, str], None],
    state: Callable[[Driver], None],
    look: str,
):
    driver = new_driver(served, **LOOKS[look]).open()
    state(driver)
    if look == "wide" and state in (all_choices, corpus_result):
        keep_picture(driver.page, f"{name_of(state)}-{look}")
        check_tab_order(driver)
    else:
        check_picture(driver, screenshots / f"{name_of(state)}-{look}.png", look)
    driver.page.evaluate(axe_source)
    check_with_axe(driver)
    assert driver.page.evaluate(WIDER) == [True, []]


@pytest.mark.extended
def test_axe_finds_nothing_on_the_static_page(static: Host, new_driver: MakeDriver, axe_source: str):
    driver = new_driver(static).open()
    right_to_left(driver)
    driver.page.evaluate(axe_source)
    check_with_axe(driver)


@pytest.mark.extended
@pytest.mark.complains("Failed to load resource")
def test_axe_finds_nothing_when_the_engine_failed(static: Host, new_driver: MakeDriver, axe_source: str):
    driver = new_driver(static)
    driver.page.context.route("**/package.zip", lambda route: route.abort())
    driver.page.goto(static.url)
    driver.page.locator("#problem").wait_for()
    driver.page.evaluate(axe_source)
    check_with_axe(driver)


def test_the_skip_link_leads_to_the_result(driver: Driver):
    driver.page.reload()
    driver.await_engine()
    driver.page.keyboard.press("Tab")
    skip = driver.page.get_by_text("Skip to the result")
    assert skip.evaluate("(one) => one === document.activeElement && one.getBoundingClientRect().left >= 0")
    driver.page.keyboard.press("Enter")
    assert driver.page.evaluate("() => document.activeElement.id") == "result"


def test_tabs_switch_with_the_arrow_keys(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open()
    driver.page.locator("#tab-segment").focus()
    keys = ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight", "End", "Home"]
    names = ["corpus", "compare", "corpus", "segment", "learn", "segment", "learn", "segment"]
    for key, name in zip(keys, names, strict=True):
        driver.page.keyboard.press(key)
        assert driver.page.evaluate("() => document.activeElement.id") == f"tab-{name}"
        assert driver.page.locator(f"#tab-{name}").get_attribute("aria-selected") == "true"
        expect(driver.page.locator(f"#mode-{name}")).to_be_visible()  # what is in it comes with the mode
        assert driver.page.locator("[role=tab][tabindex='-1']").count() == 5


def test_everything_works_by_keyboard_alone(driver: Driver):
    driver.page.locator("#candidate").focus()
    press = driver.page.keyboard.press
    press("Control+a")
    driver.page.keyboard.type("the cat is on the mat")
    press("Tab")
    press("Control+a")
    driver.page.keyboard.type("there is a cat on the mat")
    assert driver.settle().read()["matches-1"] == "5"
    driver.page.locator("#base").focus()
    press("ArrowDown")
    assert driver.settle().signature == str(Recipe.named("sacrebleu"))
    driver.page.locator("#lowercase").focus()
    press("Space")
    assert driver.settle().signature == str(Recipe.named("sacrebleu").replace(case="lower"))
    driver.page.locator("#ngrams-html summary").nth(1).focus()
    press("Enter")
    assert driver.page.locator("#ngrams-html details").nth(1).evaluate("(one) => one.open")


def test_no_name_in_a_formula_is_broken_on_a_narrow_screen(served: Host, new_driver: MakeDriver):
    names = "(all) => Object.fromEntries(all.map((one) => [one.textContent, one.getBoundingClientRect().width]))"
    shares = set()
    for width in (1280, 320):
        driver = new_driver(served, viewport={"width": width, "height": 640}).open()
        widths = driver.page.locator("#derivation-html mtd:first-child > mi").evaluate_all(names)
        shares.add(round(widths["mean"] / widths["BLEU-4"], 1))
    assert len(shares) == 1, "BLEU-4 lost its 4 to a second line that nobody sees"


def test_signatures_go_on_in_a_new_line_between_their_parts(local: Driver):
    page = local.page
    for mode, signatures in (("compare", 3), ("reconcile", 2), ("identify", 2)):
        page.locator(f"#tab-{mode}").click()
        local.await_change("worked", lambda: page.locator("#example").click())
        shown = page.locator("main :is(#result-html, #told-html) .bp-signature code")
        assert shown.filter(has=page.locator("wbr")).count() == shown.count() >= signatures


def test_changes_are_announced(driver: Driver):
    assert driver.page.locator("#result-html").get_attribute("aria-live") == "polite"
    assert driver.page.locator("#problem").get_attribute("role") == "alert"
    assert driver.page.locator("#said").get_attribute("role") == "status"
    assert driver.to_corpus().page.locator("#corpus-progress").get_attribute("role") == "status"


def test_nothing_moves_for_those_who_want_no_motion(served: Host, new_driver: MakeDriver):
    driver = new_driver(served, reduced_motion="reduce").open()
    driver.write("the the cat sat", ["the cat is on the mat"])
    moving = """() => [...document.querySelectorAll("*")].filter((one) => { const style = getComputedStyle(one);
        const times = style.transitionDuration.split(",").map(parseFloat);
        return style.animationName !== "none" || Math.max(...times) > 0 || style.scrollBehavior === "smooth";
    }).map((one) => one.tagName)"""
    assert driver.page.evaluate(moving) == []


@pytest.mark.parametrize("text", ["שלום עולם טוב מאוד", pytest.param("مرحبا بالعالم", marks=pytest.mark.extended)])
def test_right_to_left_text_runs_from_the_right(driver: Driver, text: str):
    driver.write(text, [text])
    direction = "(one) => getComputedStyle(one).direction"
    assert driver.page.locator("#candidate").evaluate("(box) => box.matches(':dir(rtl)')")
    assert driver.page.locator("[data-side=candidate]").evaluate(direction) == "rtl"
    assert driver.page.locator("[data-side=reference-0]").evaluate(direction) == "rtl"
    first, second = (driver.page.locator("[data-side=candidate] .bp-token").nth(place) for place in (0, 1))
    assert first.bounding_box()["x"] > second.bounding_box()["x"]
