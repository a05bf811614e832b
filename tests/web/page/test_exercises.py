"""Exercises on the page: every mistake is named as in Python; by keyboard, link and screen reader, and on paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from bleuprint.lessons import LEVELS, Exercise, Mistake, exercise
from bleuprint.render import exercise as wording
from packages import optional
from page.driver import Driver, Host, MakeDriver
from page.looks import LOOKS, WIDER, check_with_axe
from students import write, wrong_answers

PdfReader = optional("pypdf", "PdfReader")


def open_exercise(driver: Driver, seed: int, level: int) -> Exercise:
    """Go to an exercise, on a page that is open or not yet, and give that exercise."""
    place = f"#learn/exercises/{seed}/{level}"
    if driver.page.url.startswith(driver.host.url):
        act(driver, "exercised", lambda: driver.page.evaluate("(to) => { location.hash = to; }", place))
    else:
        driver.page.goto(f"{driver.host.url}{place}")
        driver.await_engine()
        driver.page.locator("body[data-exercised]").wait_for()
    return exercise(seed, level)


def act(driver: Driver, what: str, action) -> None:
    """Do something, and wait until the page has done its part."""
    before = driver.page.locator("body").get_attribute(f"data-{what}") or "0"
    action()
    expect(driver.page.locator("body")).to_have_attribute(f"data-{what}", str(int(before) + 1))


def check(driver: Driver, answers: dict[str, str]) -> None:
    """Write answers and press Check."""
    for field in driver.page.locator("#exercises [data-name]").all():
        field.fill(answers.get(field.get_attribute("data-name") or "", ""))
    act(driver, "checked", lambda: driver.page.locator("#exercises .primary").click())


def verdict(driver: Driver, name: str) -> Locator:
    return driver.page.locator(f"#verdict-{name}")


# Not as a person does it, key by key, which takes ten times as long; the test of the whole way does.
CHECK = """async (answers) => {
    const fields = [...document.querySelectorAll("#exercises [data-name]")];
    for (const field of fields) field.value = answers[field.dataset.name] ?? "";
    const before = document.body.dataset.checked;
    document.getElementById("exercise-sheet").requestSubmit();
    while (document.body.dataset.checked === before) await new Promise((done) => setTimeout(done, 5));
    return Object.fromEntries(fields.map((field) => {
        const verdict = document.getElementById(field.getAttribute("aria-describedby"));
        const invalid = field.getAttribute("aria-invalid");
        return [field.dataset.name, [verdict.textContent, verdict.dataset.mistakes, invalid]];
    }));
}"""
SEED = 1
ENOUGH = (2, 5, 6)
"""Levels that have every mistake among them."""


@pytest.mark.parametrize(
    "level",
    [pytest.param(level.number, marks=[] if level.number in ENOUGH else pytest.mark.extended) for level in LEVELS],
)
def test_every_mistake_is_named_and_every_right_answer_is_right(driver: Driver, level: int):
    made = open_exercise(driver, SEED, level)
    for named in wording.list_texts(made):
        assert driver.page.locator(".bp-named-texts").get_by_text(named.text, exact=True).first.is_visible()
    groups = wrong_answers(made)
    for place in range(max(map(len, groups.values()))):
        asked = {name: found[place] for name, found in groups.items() if place < len(found)}
        shown = driver.page.evaluate(CHECK, {name: write(number) for name, (number, _) in asked.items()})
        for name, (number, mistakes) in asked.items():
            words_shown, named, invalid = shown[name]
            assert set(named.split()) == {one.value for one in mistakes}
            assert words_shown == f"✗ {made.check(name, write(number)).message}"
            assert invalid == "true"
    check(driver, {quantity.name: repr(quantity.value) for quantity in made.solution})
    count = len(made.names)
    assert driver.page.locator("#exercise-summary").inner_text() == f"{count} of {count} answers right."
    assert driver.page.locator("#exercises [aria-invalid]").count() == 0
    assert driver.page.locator(".bp-verdict[data-kind=right]").count() == count


@pytest.mark.parametrize("host", ["static"], indirect=True)
def test_python_in_the_browser_draws_checks_and_solves_an_exercise(driver: Driver):
    made = open_exercise(driver, SEED, 3)
    texts = driver.page.locator(".bp-named-texts dd").all_inner_texts()
    assert texts == [named.text for named in wording.list_texts(made)]
    answers = {quantity.name: repr(quantity.value) for quantity in made.solution if quantity.name in made.names}
    mistaken, found = next(iter(wrong_answers(made).items()))
    answers[mistaken] = write(found[0][0])
    shown = driver.page.evaluate(CHECK, answers)
    assert {name: told for name, (told, *_) in shown.items()} == {
        name: f"{'✗' if name == mistaken else '✓'} {made.check(name, answer).message}"
        for name, answer in answers.items()
    }
    driver.page.locator("#exercise-solve").click()
    expect(driver.page.locator("#exercise-solution tbody tr")).to_have_count(len(made.solution))


def test_an_exercise_from_its_button_to_its_solution(driver: Driver):
    page = driver.page
    page.goto("about:blank")
    page.goto(f"{driver.host.url}#learn")
    driver.await_engine()
    expect(page.locator("#learn-step")).not_to_be_empty()
    assert page.locator("#exercises").is_hidden()
    act(driver, "exercised", lambda: page.locator("#open-exercises").click())
    assert page.locator("#learn-step").is_hidden()
    assert page.evaluate("() => document.activeElement.id") == "exercise-level"
    assert page.url.endswith("#learn/exercises/1/1")
    act(driver, "exercised", lambda: page.locator("#exercise-level").select_option("2"))
    page.locator("#exercise-seed").fill("7")
    act(driver, "exercised", lambda: page.keyboard.press("Enter"))
    assert page.url.endswith("#learn/exercises/7/2")
    made = exercise(7, 2)
    assert page.locator("#exercise-said").inner_text() == f"{wording.title_of(made)}. 4 fields to fill in."

    check(driver, {"p1": "1", "p2": "0,5", "BP": "0.7", "BLEU": "five"})
    assert verdict(driver, "p1").inner_text() == "✓ 1 is right."
    assert verdict(driver, "p2").inner_text() == "✓ 0,5 is right."
    assert "two digits or more" in verdict(driver, "BP").inner_text()
    assert "expected a fraction, a decimal or a percentage, got 'five'" in verdict(driver, "BLEU").inner_text()
    assert page.evaluate("() => document.activeElement.id") == "answer-BP"
    assert page.locator("#exercise-said").get_attribute("role") == "status"
    assert page.locator("#exercise-said").inner_text().startswith("2 of 4 answers right. BP: ")
    page.locator("#answer-BP").fill("0.67")
    act(driver, "checked", lambda: page.keyboard.press("Control+Enter"))
    assert verdict(driver, "BP").get_attribute("data-kind") == "right"

    check(driver, {"p2": "50", "BLEU": "0.473"})
    slips = {"p2": Mistake.NO_PERCENT_SIGN, "BLEU": Mistake.CUT_OFF}
    assert all(verdict(driver, name).get_attribute("data-mistakes") == slip.value for name, slip in slips.items())
    assert verdict(driver, "BP").inner_text() == ""

    page.locator("#exercise-solve").click()
    solution = page.locator("#exercise-solution")
    expect(solution.locator("table")).to_be_visible()
    assert page.locator("#exercise-solve").get_attribute("aria-expanded") == "true"
    shown = solution.locator("tbody tr").all_inner_texts()
    told = [f"{one.name}\t{one.exact or ''}\t{one.decimal}" for one in made.solution]
    assert [row.strip() for row in shown] == told
    page.locator("#exercise-solve").click()
    expect(solution).to_be_empty()

    act(driver, "exercised", lambda: page.locator("#exercise-new").click())
    seed = page.locator("#exercise-seed").input_value()
    assert page.url.endswith(f"#learn/exercises/{seed}/2")
    texts = page.locator(".bp-named-texts dd").all_inner_texts()
    assert texts == [named.text for named in wording.list_texts(exercise(int(seed), 2))]
    assert page.locator("#answer-p1").input_value() == ""

    page.locator("#exercise-seed").fill("-1")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_have_text(re.compile("^seed: expected a whole number from 0 to 2"))
    page.reload()
    driver.await_engine()
    expect(page.locator(".bp-named-texts dd").first).to_have_text(texts[0])
    page.locator("#exercise-close").click()
    expect(page.locator("#learn-step h2")).to_be_visible()
    assert page.evaluate("() => document.activeElement.id") == "open-exercises"
    expect(page).to_have_url(re.compile("#learn/there/tokenise$"))
    page.locator("#open-exercises").click()
    expect(page.locator(".bp-named-texts dd").first).to_have_text(texts[0])
    assert page.url.endswith(f"#learn/exercises/{seed}/2")
    page.locator("#learn-lesson").select_option("seven")
    expect(page.locator("#exercises")).to_be_hidden()
    expect(page).to_have_url(re.compile("#learn/seven/"))


def test_an_address_that_names_no_exercise_is_refused(driver: Driver):
    driver.page.goto("about:blank")
    driver.page.goto(f"{driver.host.url}#learn/exercises/seven/9")
    expect(driver.page.locator("#problem")).to_have_text(re.compile("^seed: expected a whole number .* got 'seven'"))
    assert driver.page.locator("#exercise-actions").is_hidden()
    driver.page.locator("#exercise-level").select_option("3")
    driver.page.locator("#exercise-seed").fill("5")
    act(driver, "exercised", lambda: driver.page.keyboard.press("Enter"))
    expect(driver.page.locator("#problem")).to_be_hidden()


def test_three_levels_have_every_mistake():
    found = [wrong_answers(exercise(SEED, level)).values() for level in ENOUGH]
    named = {mistake for groups in found for group in groups for _, mistakes in group for mistake in mistakes}
    assert named | {Mistake.NO_PERCENT_SIGN, Mistake.CUT_OFF} == set(Mistake)


def test_exercises_come_when_they_are_opened(served: Host, new_driver: MakeDriver):
    driver = new_driver(served)
    asked: list[str] = []
    driver.page.on("request", lambda request: asked.append(request.url))
    driver.open()
    assert not [url for url in asked if "exercis" in url or "learn" in url]
    driver.page.locator("#tab-learn").click()
    expect(driver.page.locator("#learn-step")).not_to_be_empty()
    assert not [url for url in asked if "exercis" in url]
    act(driver, "exercised", lambda: driver.page.locator("#open-exercises").click())
    assert [url.rpartition("/")[2] for url in asked if "exercis" in url] == ["exercises.js", "exercises.css"]


@pytest.mark.parametrize("look", [*LOOKS, "wide, both"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    served: Host, new_driver: MakeDriver, axe_source: str, keep_picture, look: str
):
    driver = new_driver(served, **LOOKS.get(look, {}))
    for level in (6,) if look == "wide" else (2, 6):
        made = open_exercise(driver, 7, level)
        wrong = {name: write(found[0][0]) for name, found in wrong_answers(made).items()}
        check(driver, wrong | {"p1": str(made.solution[0].exact)})
        driver.page.locator("#exercise-solve").click()
        expect(driver.page.locator("#exercise-solution table").first).to_be_visible()
        keep_picture(driver.page, f"exercise-{level}-{look}")
        driver.page.evaluate(axe_source)
        check_with_axe(driver)
        assert driver.page.evaluate(WIDER) == [True, []]


@pytest.mark.needs("pypdf")
def test_paper_has_the_worksheet(served: Host, new_driver: MakeDriver, tmp_path: Path):
    driver = new_driver(served)
    made = open_exercise(driver, 7, 4)
    driver.page.pdf(path=tmp_path / "sheet.pdf")
    pages = PdfReader(tmp_path / "sheet.pdf").pages
    assert len(pages) == 1
    text = " ".join(pages[0].extract_text().split())
    assert wording.title_of(made) in text
    assert all(named.text in text for named in wording.list_texts(made))
    for part in ("Check", "Show solution", "New exercise", "Tokenise", "Predict first", "Signature"):
        assert part not in text
