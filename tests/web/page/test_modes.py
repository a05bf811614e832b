"""What all modes share: an example, links of all times, results that say when they are outdated, every metric."""

from __future__ import annotations

import base64
import json

import pytest
from playwright.sync_api import expect

from bleuprint import compare, explain, identify, reconcile, score_sentence
from bleuprint.web.bridge import handle
from page.acting import press
from page.comparing import B, check, enter, fill
from page.corpora import R1, A
from page.driver import TYPED, Driver, Host, MakeDriver, expected
from page.looks import AXE_RUN, LOOKS, WIDER

MODES = ("corpus", "compare", "reconcile", "identify")


def example_of(mode: str) -> dict:
    return handle({"action": "example", "mode": mode})["state"]


def lines_of(state: dict) -> list[list[str]]:
    return [file["text"].split("\n") for file in state["files"]]


def test_every_mode_says_what_it_is_for_and_has_an_example(fresh: Driver):
    page, questions = fresh.page, set()
    for count, mode in enumerate(MODES):
        page.locator(f"#tab-{mode}").click()
        questions.add(page.locator("#question").inner_text())
        page.get_by_role("button", name="Show an example").click()
        done = "body[data-corpus]" if mode == "corpus" else f"body[data-worked='{count}']"
        page.locator(done).wait_for()
        assert page.locator(f"#tab-{mode}").get_attribute("aria-selected") == "true"
        assert fresh.problem == ""
        state = example_of(mode)
        candidates, *references = lines_of(state)
        if mode == "corpus":
            both = list(zip(*references, strict=True))
            assert fresh.read() == expected(explain(candidates, both, "sacrebleu").to_dict())
        elif mode == "compare":
            systems = {"north": candidates} | {one["name"]: one["text"].split("\n") for one in state["systems"]}
            made = compare(systems, references[0], ["sacrebleu", "chrf", "ter"], resamples=1000)
            check(fresh, made)
            verdicts = {pair.significant for result in made.results for pair in result.pairs}
            assert verdicts == {True, False}, "some differences are luck, and some are not"
        elif mode == "reconcile":
            way = reconcile(candidates, references[0], state["from"], state["to"])
            assert fresh.read()["reconciled"] == way.summary
            assert sum(step.tells for step in way.steps) >= 3
        else:
            found = identify(candidates, references[0], state["reported"])
            assert fresh.read()["identified"] == found.summary
            assert page.locator(".bp-finding .bp-family").first.inner_text() == "chrF++"
    page.locator("#tab-segment").click()
    assert fresh.settle().read()["bleu-100"] == "57.89"
    assert page.locator("#base").input_value() == "paper", "an example chooses no recipe for somebody"
    assert len(questions) == len(MODES)
    assert "" not in questions


PASTED = {
    "files": [{"name": "candidate lines", "text": "the cat is on mat\na dog"},
              {"name": "reference lines", "text": "the cat is on the mat\na dog"}],
    "pasted": True,
}  # fmt: skip
OLD_LINKS = {
    "segment": {"candidate": "the cat is on mat", "references": ["the cat is on the mat"],
                "recipe": {"base": "paper", "smoothing": "epsilon(0.1)", "order": "2"}},
    "corpus": {**PASTED, "recipe": {"base": "paper", "case": "lower"}},
    "compare": {**PASTED, "mode": "compare", "recipe": {"base": "sacrebleu"}, "name": "a", "with_first": True,
                "systems": [{"name": "b", "text": "a cat\nthe dog"}], "test": "bootstrap"},
    "reconcile": {**PASTED, "mode": "reconcile", "recipe": {"base": "paper"}, "from": "nltk", "to": "sacrebleu"},
    "identify": {**PASTED, "mode": "identify", "recipe": {"base": "paper"}, "reported": "67.53", "one": False,
                 "systems": []},
}  # fmt: skip
"""What links carried when the page knew BLEU alone."""


def test_links_from_before_there_were_other_metrics_still_open(fresh: Driver):
    page = fresh.page
    candidates, references = lines_of(PASTED)
    for mode, state in OLD_LINKS.items():
        packed = base64.urlsafe_b64encode(json.dumps(state).encode()).decode().rstrip("=")
        before = page.evaluate("() => document.body.dataset.worked ?? ''")
        page.goto(f"{fresh.host.url}#s={packed}")
        expect(page.locator(f"#tab-{mode}")).to_have_attribute("aria-selected", "true")
        if mode == "segment":
            recipe = "bleuprint:1|tok:whitespace|case:mixed|N:2|weights:uniform|smooth:epsilon(0.1)"
            assert fresh.settle().signature.startswith(recipe)
            continue
        fresh.await_other(*(("corpus", "") if mode == "corpus" else ("worked", before)))
        assert fresh.problem == "", mode
        if mode == "corpus":
            recipe = explain(candidates, references, "paper").score.recipe.replace(case="lower")
            assert fresh.read() == expected(explain(candidates, references, recipe).to_dict())
        elif mode == "compare":
            systems = {"a": candidates, "b": ["a cat", "the dog"]}
            check(fresh, compare(systems, references, baseline="a", test="bootstrap", resamples=1000))
        elif mode == "reconcile":
            assert fresh.read()["reconciled"] == reconcile(candidates, references, "nltk", "sacrebleu").summary
        else:
            assert fresh.read()["identified"] == identify(candidates, references, "67.53").summary


def test_all_that_is_shown_is_marked_when_it_is_outdated_and_the_table_can_still_be_read(local: Driver):
    page = local.to_corpus().paste_lines(A[:9], R1[:9]).score_corpus().page
    page.locator(".bp-find").fill("harbour")
    page.locator("#corpus-table").get_by_text("of 9 segments").wait_for()
    assert not page.locator("#outdated").is_visible(), "looking for a word changes no text"
    page.locator("#corpus-reference").fill("other")
    assert page.locator("#outdated").inner_text().startswith("Outdated")
    assert page.locator("#result-html.stale").count() == page.locator("#more.stale").count() == 1
    page.locator(".export[data-format=json]").click()
    page.get_by_text("Nothing was exported").wait_for()
    page.locator("#tab-reconcile").click()
    assert page.locator(".stale").count() == 0
    page.locator("#example").click()
    page.locator("body[data-worked]").wait_for()
    page.locator("#from").focus()
    local.select("to", "a signature…")
    assert page.locator("#outdated").inner_text().startswith("Outdated")
    assert page.locator("#more.stale #told-html").is_visible()


def test_all_parts_of_the_result_of_a_segment_are_marked_when_it_is_outdated(driver: Driver):
    parts = [f"{part}-html" for part in ("result", "texts", "what-if", "summary")] + ["more"]
    for references, stale in ([""], parts), (["the cat"], []):
        driver.write("the cat sat", references)
        assert driver.page.locator(".stale").evaluate_all("(all) => all.map((one) => one.id)") == stale


def test_where_texts_are_long_dialects_of_other_metrics_wait_for_a_button(driver: Driver):
    sections, text = driver.page.locator(".bp-dialects[data-metric]"), " ".join(A[:4])
    driver.write(text, [" ".join(R1[:4])])
    assert sections.count() == 1
    driver.page.get_by_role("button", name="Every dialect of chrF and TER, too").click()
    sections.nth(2).wait_for()
    assert [one.get_attribute("data-metric") for one in sections.all()] == ["bleu", "chrf", "ter"]
    driver.page.locator("[data-dialect=chrf]").click()
    assert driver.settle().read()["score-100"] == score_sentence(text, [" ".join(R1[:4])], "chrf").printed


def test_a_mode_whose_script_comes_late_does_not_replace_what_is_shown_by_then(served: Host, new_driver: MakeDriver):
    driver = new_driver(served)
    held = []
    driver.page.route("**/compare.js", lambda route: held.append(route))
    before = driver.open().read()
    driver.page.locator("#tab-compare").click()
    driver.await_change("complete", driver.page.locator("#tab-segment").click)
    assert driver.read() == before
    with driver.page.expect_response("**/compare.js"):
        held[0].continue_()
    driver.page.locator("#rivals").wait_for(state="attached")
    driver.page.evaluate(TYPED)
    assert driver.read() == before

    driver.page.route("**/learning.js", lambda route: held.append(route))
    driver.page.locator("#tab-learn").click()
    expect(driver.page.locator("#mode-learn")).to_have_text("This mode is being loaded.")
    boxes = "[...document.querySelectorAll('main section')].filter((one) => one.offsetHeight && !one.innerText.trim())"
    assert driver.page.evaluate(f"{boxes}.length") == 0, "an empty box says nothing"
    held[1].continue_()
    driver.page.locator("#learn-step").wait_for()
    assert "being loaded" not in driver.page.locator("#mode-learn").inner_text()


def test_what_is_done_before_python_or_a_script_is_there_is_not_lost(served: Host, new_driver: MakeDriver):
    driver, held = new_driver(served), []
    page = driver.page
    page.route("**/engine-served.js", lambda route: held.append(route))
    page.route("**/explore.js", lambda route: held.append(route))
    page.goto(served.url)
    page.locator("#tab-reconcile").click()
    page.locator("#example").click()
    page.get_by_text("Python is still loading. Try again in a moment.").wait_for()
    page.locator("#tab-segment").click()
    assert page.locator("#result-html .invitation").count()
    held.pop().continue_()
    assert driver.await_engine().settle().read()["bleu-100"] == "57.89", "not what another mode has left"
    page.locator("#texts-html [data-side=candidate] .bp-token").first.press("Enter")
    page.locator("#signature").hover()
    assert not page.locator("#edit").is_visible()
    held.pop().continue_()
    page.locator("#edit").wait_for()
    assert page.locator("#edit-token").inner_text() == "the"
    assert page.evaluate("document.activeElement.id") == "edit-out"
    driver.await_change("complete", page.locator("#edit-out").click)
    assert page.locator("#undo").inner_text() == "Undo"
    assert page.locator("#candidate").input_value() == "cat is on mat"


@pytest.mark.extended
@pytest.mark.parametrize("look", ["wide", "dark", "narrow"])
def test_axe_finds_nothing_where_another_metric_is_chosen_and_in_every_example(
    served: Host, new_driver: MakeDriver, axe_source: str, look: str
):
    driver = new_driver(served, **LOOKS[look]).open()
    page = driver.page
    page.evaluate(axe_source)

    def look_at(state: str) -> None:
        page.locator(".bp-folded").evaluate_all("(all) => all.forEach((one) => (one.open = true))")
        assert page.evaluate(AXE_RUN) == [], state
        assert page.evaluate(WIDER) == [True, []], state

    for name in ("chrf++", "ter"):
        driver.write("On the mat, the cat sat", ["the cat sat on the mat .", "a cat is on the mat"])
        driver.select("base", name)
        look_at(f"{name}, a segment: {driver.settle().signature}")
        driver.to_corpus().paste_lines(A[:5], R1[:5]).score_corpus()
        look_at(f"{name}, a corpus")
        page.locator(".bp-open").nth(2).click()
        driver.settle()
        look_at(f"{name}, an opened segment")
        page.locator("#back-to-corpus").click()
        page.locator("#tab-segment").click()
        driver.settle()
    fill(enter(driver), "a", {"b": B[:5]})
    driver.select("add-recipe", "chrf")
    press(driver, "compare-run")
    look_at("TER and chrF compared")
    for count, mode in enumerate(MODES[1:], start=2):
        page.locator(f"#tab-{mode}").click()
        page.locator("#example").click()
        page.locator(f"body[data-worked='{count}']").wait_for()
        look_at(f"the example of {mode}")
    page.locator("#tab-reconcile").click()
    press(driver, "reconcile-all")
    look_at("every dialect of every metric")
