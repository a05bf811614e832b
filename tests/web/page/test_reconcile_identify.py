"""Reconcile and identify on the page: the numbers of the library, by keyboard, for everybody, in links and files."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bleuprint import Recipe, identify, reconcile, score
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.render import render
from bleuprint.render.html import render_document
from bleuprint.render.json import render_json
from bleuprint.wording import format_score
from page.acting import act, press
from page.attacks import ATTACKS, COUNTS
from page.corpora import EXAMPLES, R1, R2, A, lines, upload
from page.driver import Driver, Host, MakeDriver
from page.looks import AXE_RUN, LOOKS, WIDER

B = lines("candidate-b.txt")
FILES = [EXAMPLES / name for name in ("candidate-b.txt", "reference-1.txt")]
SHORT, SHORT_REFERENCES = B[:12], R1[:12]
"""Python in the browser tries a thousand readings of these in little time."""


def enter(driver: Driver, mode: str, source: str = "corpus") -> Driver:
    driver.page.locator(f"#tab-{mode}").click()
    driver.page.locator(f"[name=source][value={source}]").check()
    return driver


def report(driver: Driver, number: str) -> Driver:
    driver.page.locator("#reported").fill(number)
    return press(driver, "identify-run")


def heading(driver: Driver) -> str:
    return driver.page.locator("#result-html h3").first.inner_text()


def check_steps(driver: Driver, way) -> None:
    shown = driver.read()
    assert shown["reconciled"] == way.summary
    assert (shown["reconcile-start"], shown["reconcile-end"]) == (
        format_score(way.start.score),
        format_score(way.end.score),
    )
    told = [" ".join(text.split()) for text in driver.page.locator("#told-html .bp-steps > li").all_text_contents()]
    telling, same = ([step for step in way.steps if step.tells is wanted] for wanted in (True, False))
    assert len(told) == len(way.steps)
    for text, step in zip(told, [*telling, *same], strict=True):
        assert " ".join(step.sentence.split()) in text
        assert text.count("alone:") == len(step.causes)
    assert driver.page.locator(".bp-waterfall rect").count() == len(telling) + 2
    folded = driver.page.locator("#result-html .bp-folded")
    assert folded.locator("tbody tr").count() == len(same)
    assert folded.evaluate_all("(all) => all.some((one) => one.open)") is False
    check_axis(driver)


def check_axis(driver: Driver) -> None:
    """The tops of the two outer columns are apart as their scores are, on the axis that stands beside them."""
    levels = driver.page.locator(".bp-waterfall .bp-tick").evaluate_all(
        "(all) => all.map((one) => [Number(one.textContent), Number(one.getAttribute('y'))])"
    )
    columns = driver.page.locator(".bp-fall-score").evaluate_all("(all) => all.map((one) => +one.getAttribute('y'))")
    scores = [float(driver.read()[name]) for name in ("reconcile-start", "reconcile-end")]
    assert len(levels) >= 2
    (low, bottom), (high, top) = levels[0], levels[-1]
    for number, y in zip(scores, columns, strict=True):
        assert abs(bottom + (top - bottom) * (number - low) / (high - low) - y) < 2


def test_the_steps_and_the_groups_are_the_librarys(fresh: Driver):
    upload(enter(fresh, "reconcile"), *FILES)
    check_steps(press(fresh, "reconcile-run"), reconcile(B, R1, "nltk", "sacrebleu"))

    signature = str(Recipe.named("paper").replace(order=2, case="lower"))
    act(fresh, lambda: fresh.select("from", "mteval-v14"))
    fresh.select("to", "a signature…")
    fresh.page.locator("#to-signature").fill(signature)
    check_steps(press(fresh, "reconcile-run"), reconcile(B, R1, "mteval-v14", signature))

    press(fresh, "reconcile-all")
    for metric in ("bleu", "chrf", "ter"):
        groups, section = group_dialects(B, R1, metric), f".bp-groups[data-metric={metric}]"
        dots = fresh.table(f"{section} .bp-scroll:has(> .bp-dots)")
        assert [row[:2] for row in dots] == [[", ".join(group.names), group.score.printed] for group in groups]
        places = fresh.page.locator(f"{section} .bp-dot").evaluate_all(
            "(all) => all.map((one) => one.getBoundingClientRect().left)"
        )
        assert places == sorted(places, reverse=metric != "ter"), "the best is the outermost"
        if len(groups) > 1:
            behind = fresh.table(f"{section} .bp-scroll:has(> .bp-behind)")
            assert [row[2] for row in behind] == [" ".join(group.sentence.split()) for group in groups]


def test_the_texts_are_those_of_the_mode_one_comes_from(local: Driver):
    local.write("the cat sat", ["The cat sat", "a cat"])
    local.page.locator("#tab-reconcile").click()
    assert local.page.locator("#candidate").is_visible()
    check_steps(press(local, "reconcile-run"), reconcile("the cat sat", ["The cat sat", "a cat"], "nltk", "sacrebleu"))
    local.to_corpus().page.locator("#tab-reconcile").click()
    assert local.page.locator("#candidate").is_visible(), "a corpus that is empty is not worth a change"
    local.to_corpus().paste_lines(SHORT, SHORT_REFERENCES).page.locator("#tab-reconcile").click()
    assert local.page.locator("#corpus-candidate").is_visible()
    assert not local.page.locator("#candidate").is_visible()
    assert "Choose two recipes" in local.page.locator("#result-html").inner_text()
    check_steps(press(local, "reconcile-run"), reconcile(SHORT, SHORT_REFERENCES, "nltk", "sacrebleu"))
    local.page.locator("#corpus-candidate").fill("other")
    assert local.page.locator("#result-html.stale").count() == 1, "what is shown belongs to other texts"


def test_a_number_is_identified_and_its_recipe_used(fresh: Driver):
    enter(fresh, "identify").paste_lines(SHORT, SHORT_REFERENCES)
    number = f"{score(SHORT, SHORT_REFERENCES, 'nltk-method2').score:.4f}"
    found = identify(SHORT, SHORT_REFERENCES, number)
    report(fresh, number)
    assert fresh.read()["identified"] == found.summary
    codes = fresh.page.locator(".bp-finding > .bp-signature code").all_inner_texts()
    assert codes == [str(finding.best.recipe) for finding in found.findings]
    fresh.page.locator(".bp-copy").first.click()
    fresh.page.get_by_text("Signature copied.").wait_for()
    assert fresh.page.evaluate("() => navigator.clipboard.readText()") == codes[0]

    fresh.await_corpus(fresh.page.locator(".bp-use").first.click)
    assert fresh.page.locator("#tab-corpus").get_attribute("aria-selected") == "true"
    assert fresh.signature == codes[0]
    assert fresh.read()["bleu-100"] == format_score(score(SHORT, SHORT_REFERENCES, codes[0]).score)


def test_an_accident_is_shown(fresh: Driver):
    number = f"{score(SHORT[1:], SHORT_REFERENCES[:-1], 'huggingface-smooth').score:.6f}"
    report(enter(fresh, "identify").paste_lines(SHORT, SHORT_REFERENCES), number)
    assert fresh.read()["identified"] == identify(SHORT, SHORT_REFERENCES, number).summary
    assert (
        "An accident, not a recipe: candidates one line too early." in fresh.page.locator("#result-html").inner_text()
    )
    fresh.await_corpus(fresh.page.locator(".bp-use").first.click)
    assert "candidates one line too early" in fresh.page.locator("#said").inner_text()


def test_several_systems_and_a_segment(local: Driver):
    upload(enter(local, "identify"), *FILES)
    local.page.locator("#add-system").click()
    local.page.locator("#systems input[type=file]").set_input_files([EXAMPLES / "candidate-a.txt"])
    expect(local.page.locator("#systems textarea")).to_have_value("\n".join([*A, ""]))
    local.page.get_by_label("Its reported number").fill("36.2")
    report(local, "17.1")
    found = identify({"b": B, "a": A}, R1, {"b": "17.1", "a": "36.2"})
    assert local.read()["identified"] == found.summary
    local.page.locator("#systems .remove").click()
    assert local.page.locator("#systems textarea").count() == 0

    enter(local, "identify", "segment").write("the cat is on mat", ["the cat is on the mat", "a mat"])
    report(local, "57.89")
    segment = [["the cat is on the mat", "a mat"]]
    assert local.read()["identified"] == identify(["the cat is on mat"], segment, "57.89").summary
    local.page.locator(".bp-use").first.click()
    assert local.settle().read()["bleu-100"] == "57.89"
    assert local.page.locator("#tab-segment").get_attribute("aria-selected") == "true"


@pytest.mark.parametrize(
    ("host_name", "mode"),
    [
        ("served", "reconcile"),
        ("served", "identify"),
        pytest.param("static", "reconcile", marks=pytest.mark.extended),
    ],
)
def test_a_link_restores_the_mode_and_its_result(
    request: pytest.FixtureRequest, new_driver: MakeDriver, host_name: str, mode: str
):
    fresh = new_driver(request.getfixturevalue(host_name)).open()
    enter(fresh, mode).paste_lines(SHORT[:4], SHORT_REFERENCES[:4])
    if mode == "reconcile":
        fresh.select("from", "torchmetrics")
        fresh.select("to", "a signature…")
        fresh.page.locator("#to-signature").fill(str(Recipe.named("paper").replace(order=1)))
        press(fresh, "reconcile-run")
    else:
        fresh.page.locator("#add-system").click()
        fresh.page.locator("#systems textarea").fill("<b>\nb\nc\nd")
        fresh.page.get_by_label("Its reported number").fill("0.0")
        report(fresh, "1")
    shown = fresh.page.locator("#result-html").inner_html()
    fresh.page.locator("#share").click()
    fresh.page.get_by_text("Link copied; your texts are part of it.").wait_for()
    link = fresh.page.evaluate("() => navigator.clipboard.readText()")
    fresh.page.goto("about:blank")
    fresh.page.goto(link)
    fresh.await_engine().page.locator("body[data-worked='1']").wait_for()
    assert fresh.page.locator("#result-html").inner_html() == shown
    assert fresh.page.locator(f"#tab-{mode}").get_attribute("aria-selected") == "true"
    assert fresh.page.locator("#corpus-candidate").input_value() == "\n".join(SHORT[:4])


def test_exports_are_the_librarys(local: Driver):
    enter(local, "reconcile").paste_lines(SHORT, SHORT_REFERENCES)
    local.page.locator(".export[data-format=json]").click()
    local.page.get_by_text("there is no result of these texts and options yet.").wait_for()
    press(local, "reconcile-run")
    way = reconcile(SHORT, SHORT_REFERENCES, "nltk", "sacrebleu")
    found = identify(SHORT, SHORT_REFERENCES, "3.14")
    for name, result in (("reconcile", way), ("identify", found)):
        if name == "identify":
            report(enter(local, "identify"), "3.14")
        assert not local.page.locator(".export[data-format=csv]").is_visible()
        wanted = {
            "json": render_json(result.to_dict()),
            "markdown": render(result, "markdown"),
            "html": render_document(result),
        }
        for format_, text in wanted.items():
            with local.page.expect_download() as downloading:
                local.page.locator(f".export[data-format={format_}]").click()
            assert (
                downloading.value.suggested_filename == f"bleuprint-{name}.{'md' if format_ == 'markdown' else format_}"
            )
            assert Path(downloading.value.path()).read_bytes().decode("utf-8") == text


REFUSED = [
    ("identify", ["a", "b"], ["a", "b"], "17,1", "Write a decimal point."),
    ("identify", ["a", "b"], ["a", "b"], "", "reported number: "),
    ("identify", ["a", "b"], ["a"], "1", "candidate lines"),
    ("reconcile", [], [], "", "candidate lines: expected a text, got blanks alone"),
    ("reconcile", ["a", "b"], ["a"], "", "candidate lines"),
]


def test_problems_are_shown_in_words(local: Driver):
    for mode, candidates, references, number, message in REFUSED:
        enter(local, mode).paste_lines(candidates, references)
        if mode == "identify":
            local.page.locator("#reported").fill(number)
        local.page.locator("#problem").evaluate("(one) => (one.textContent = '')")
        press(local, f"{mode}-run")
        expect(local.page.locator("#problem:visible")).to_contain_text(message)
        assert not local.page.locator("#work-progress").is_visible()
    local.page.locator("#tab-segment").click()
    assert local.settle().problem == ""


def test_a_signature_that_is_none_is_refused_by_its_side(local: Driver):
    enter(local, "reconcile", "segment")
    local.select("from", "a signature…")
    local.page.locator("#from-signature").fill("<img src=x onerror=alert(1)>")
    press(local, "reconcile-run")
    assert "Unknown recipe" in local.problem
    assert "<img src=x" in local.problem


def test_texts_stay_text(fresh: Driver):
    before = fresh.page.evaluate(COUNTS)
    text = f"{ATTACKS[1]} is a cat"
    enter(fresh, "reconcile").paste_lines([text], [text.upper()])
    fresh.select("from", "paper")
    fresh.select("to", "a signature…")
    fresh.page.locator("#to-signature").fill(str(Recipe.named("paper").replace(case="lower")))
    press(fresh, "reconcile-run")
    assert "now matching: <img · src=x · onerror=alert(1)>" in fresh.page.locator("#told-html").inner_text()
    report(enter(fresh, "identify").paste_lines(ATTACKS, ATTACKS), "100")
    assert fresh.page.evaluate(COUNTS) == before


def test_work_can_be_watched_and_cancelled(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open()
    seen: list[int] = []

    def hold(route) -> None:
        """Let some parts through, and none after them."""
        request = json.loads(route.request.post_data or "{}")
        if request.get("action") == "identify-part":
            seen.append(request["part"])
            if len(seen) > 1:
                return
        route.continue_()

    driver.page.route("**/bridge", hold)
    enter(driver, "identify", "segment").page.locator("#reported").fill("57.89")
    driver.page.locator("#identify-run").click()
    driver.page.get_by_text("ordinary readings: 8 of").wait_for()
    driver.page.locator("#work-cancel").click()
    assert not driver.page.locator("#work-progress").is_visible()
    assert driver.page.evaluate("() => document.activeElement.id") == "identify-run"
    tried = len(seen)
    time.sleep(0.8)
    assert len(seen) <= tried + 1, "what was cancelled goes on"
    assert driver.page.evaluate("() => document.body.dataset.worked") is None
    driver.page.unroute("**/bridge")
    assert press(driver, "identify-run").read()["identified"].startswith("57.89 is sacrebleu")


def test_everything_works_by_keyboard(local: Driver):
    key = local.page.keyboard.press
    local.page.locator("#tab-segment").focus()
    for _ in range(3):
        key("ArrowRight")
    assert local.page.evaluate("() => document.activeElement.id") == "tab-reconcile"
    assert local.page.locator("#question").inner_text() == "Why do two tools disagree?"
    local.page.locator("#mode-reconcile:not([inert])").wait_for()
    local.page.locator("#from").focus()
    key("Tab")
    key("Tab")
    act(local, lambda: key("Enter"))
    assert (
        local.read()["reconciled"]
        == reconcile("the cat is on mat", "the cat is on the mat", "nltk", "sacrebleu").summary
    )
    local.page.locator("#tab-reconcile").focus()
    key("ArrowRight")
    assert local.page.locator("#question").inner_text() == "Which BLEU, chrF or TER is this number?"
    local.page.locator("#mode-identify:not([inert])").wait_for()
    local.page.locator("#reported").focus()
    local.page.keyboard.type("57.89")
    act(local, lambda: key("Enter"))
    local.page.locator(".bp-use").first.focus()
    key("Enter")
    assert local.settle().page.evaluate("() => document.activeElement.id") == "result"
    local.page.locator("#tab-segment").focus()
    key("ArrowLeft")
    assert local.page.evaluate("() => document.activeElement.id") == "tab-learn", "the last of them"


@pytest.mark.extended
@pytest.mark.parametrize("look", ["wide", "dark", "narrow"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    served: Host, new_driver: MakeDriver, axe_source: str, look: str
):
    driver = new_driver(served, **LOOKS[look]).open()
    driver.page.evaluate(axe_source)

    def check(state: str) -> None:
        assert driver.page.evaluate(AXE_RUN) == [], state
        assert driver.page.evaluate(WIDER) == [True, []], state

    upload(enter(driver, "reconcile"), *FILES)
    driver.select("to", "a signature…")
    driver.page.locator("#to-signature").fill(str(Recipe.named("mteval-v14")))
    press(driver, "reconcile-run")
    check("steps")
    press(driver, "reconcile-all")
    check("groups")
    enter(driver, "identify").page.locator("#add-system").click()
    driver.page.locator("#systems textarea").fill("\n".join(A))
    driver.page.get_by_label("Its reported number").fill("9")
    report(driver, "3.1")
    for details in driver.page.locator(".bp-finding details").all():
        details.evaluate("(one) => (one.open = true)")
    assert driver.page.locator(".bp-finding").count() == 5
    check("findings")
    report(driver, "x")
    check("problem")


def test_what_does_not_come_is_said_and_can_be_tried_again(
    served: Host, new_driver: MakeDriver, request: pytest.FixtureRequest
):
    request.node.add_marker(pytest.mark.complains("Failed to load resource"))
    driver = new_driver(served)
    page, again = driver.page, driver.page.get_by_role("button", name="Try again")
    for address in ("reconcile.js", "identify.html", "modes.css", "files.js", "keep.js", "explore.js", "help.html"):
        page.route(f"**/{address}", lambda route: route.abort())
    driver.open()
    page.locator("#why-zero > summary").click()
    expect(again).to_be_in_viewport()
    assert driver.problem.startswith("The answer could not be loaded: ")
    page.unroute("**/help.html")
    again.click()
    expect(page.locator("#why-zero > p")).to_contain_text("The geometric mean of anything with 0 is 0.")
    expect(page.locator("#why-zero > summary")).to_be_focused()
    assert page.locator(".help > details:not(:has(> p))").count() == 0, "all answers have come"
    page.locator("#copy-signature").click()
    again.wait_for()
    assert driver.problem.startswith("What copies and exports could not be loaded: ")
    page.unroute("**/keep.js")
    again.click()
    expect(page.locator("#said")).not_to_be_empty()
    page.locator(".bp-trial[aria-pressed=false]").first.click()
    expect(page.locator("#problem")).to_contain_text("What shows and tries details could not be loaded: ")
    page.unroute("**/explore.js")
    again.click()
    page.locator("#undo").wait_for()
    for mode, missing, control in (
        ("reconcile", ["reconcile.js", "modes.css", "files.js"], "#from"),
        ("identify", ["identify.html"], "#reported"),
    ):
        page.locator(f"#tab-{mode}").click()
        for address in missing:
            again.wait_for()
            assert driver.problem.startswith(f"{mode.capitalize()} could not be loaded: ")
            assert "Nothing you wrote is lost." in driver.problem
            assert page.locator(control).count() == 0, "nothing is shown that would not work"
            page.unroute(f"**/{address}")
            again.click()
            assert page.evaluate("document.activeElement.id") == f"tab-{mode}"
        page.locator(control).wait_for()
        assert driver.problem == ""
    page.locator("#tab-segment").click()
    assert driver.settle().references() == ["the cat is on the mat"]

    driver.write("my own words", ["my words"])
    page.route("**/learning.js", lambda route: route.abort())
    page.locator("#tab-learn").click()
    anew = page.get_by_role("button", name="Load the page anew")
    again.wait_for()
    assert not anew.is_visible(), "trying again may be enough"
    expect(page.locator("#mode-learn .waiting")).to_have_text("This mode is being loaded.")
    assert not page.locator("#mode-learn .waiting").is_visible(), "it is not, as is said above"
    again.click()
    anew.wait_for()
    page.unroute("**/learning.js")
    anew.click()
    page.locator("#learn-step").wait_for()
    assert page.locator("#candidate").input_value() == "my own words"


def test_both_references_of_a_table_are_used(local: Driver):
    rows = [f"{a}\t{b}\t{c}" for a, b, c in zip(A, R1, R2, strict=True)]
    text = "\n".join(["candidate\treference\treference", *rows]).encode()
    enter(local, "reconcile")
    upload(local, {"name": "corpus.tsv", "mimeType": "text/plain", "buffer": text})
    local.select("to", "torchmetrics")
    check_steps(press(local, "reconcile-run"), reconcile(A, list(zip(R1, R2, strict=True)), "nltk", "torchmetrics"))
    assert heading(local).startswith("From 44.24 to 45.10")
