"""A result belongs to its own texts: once they are replaced it is called outdated, and no export hands it out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bleuprint import Recipe, explain
from page.corpora import as_file, upload
from page.driver import Driver, expected

USUAL = Recipe.named("sacrebleu")
CANDIDATES = ["the cat is on mat", "it rains a lot today"]
REFERENCES = ["the cat is on the mat", "it rains a lot today"]
OTHERS = ["a dog sat on a mat", "it snows a lot today"]
REFUSED = "Nothing was exported: there is no result of these texts and options yet."


@pytest.fixture
def corpus(local: Driver) -> Driver:
    """A corpus that is scored."""
    return local.to_corpus().paste_lines(CANDIDATES, REFERENCES).score_corpus()


def outdated(driver: Driver) -> str:
    mark = driver.page.locator("#outdated")
    return mark.inner_text() if mark.is_visible() else ""


def export_is_refused(driver: Driver, format_: str) -> bool:
    """Press a button for a file; the bridge is not asked for one."""
    asked = []
    driver.page.evaluate("() => (document.getElementById('said').textContent = '')")
    driver.page.on("request", lambda request: asked.append(request.post_data or ""))
    driver.page.locator(f".export[data-format={format_}]").click()
    driver.page.locator("#said").get_by_text(REFUSED).wait_for()
    driver.page.wait_for_timeout(200)
    return not any('-export"' in data for data in asked)


def work(driver: Driver, button: str) -> None:
    before = driver.page.evaluate("() => document.body.dataset.worked ?? '0'")
    driver.page.locator(f"#{button}").click()
    driver.page.wait_for_function("(before) => (document.body.dataset.worked ?? '0') !== before", arg=before)


def test_a_corpus_whose_lines_are_put_back_or_replaced(corpus: Driver):
    before = corpus.read()
    assert outdated(corpus) == ""
    corpus.page.locator("#corpus-reference").fill("x\ny")
    assert outdated(corpus)
    corpus.page.locator("#corpus-reference").fill("\n".join(REFERENCES))
    assert outdated(corpus) == ""
    with corpus.page.expect_download() as downloading:
        corpus.page.locator(".export[data-format=json]").click()
    text = Path(downloading.value.path()).read_text(encoding="utf-8")
    assert json.loads(text)["score"] == explain(CANDIDATES, REFERENCES, USUAL).score.score

    corpus.page.locator("#corpus-candidate").fill("\n".join(OTHERS))
    assert outdated(corpus).startswith("Outdated: this is not the result of the texts and options as they are now.")
    assert "Score the corpus" in outdated(corpus)
    assert corpus.read() == before
    for format_ in ("json", "csv", "markdown"):
        assert export_is_refused(corpus, format_)
    corpus.score_corpus()
    assert outdated(corpus) == ""
    assert corpus.page.locator("#said").inner_text() == ""
    assert corpus.read() == expected(explain(OTHERS, REFERENCES, USUAL).to_dict())


def test_a_corpus_whose_lines_give_way_to_files(corpus: Driver):
    upload(corpus, as_file("a.txt", "\n".join(OTHERS)), as_file("b.txt", "\n".join(REFERENCES)))
    corpus.page.locator("#outdated").wait_for()
    assert export_is_refused(corpus, "json")
    corpus.score_corpus()
    assert outdated(corpus) == ""
    assert corpus.read() == expected(explain(OTHERS, REFERENCES, USUAL).to_dict())
    upload(corpus, as_file("c.txt", "\n".join(CANDIDATES)), as_file("d.txt", "\n".join(REFERENCES)))
    corpus.page.locator("#outdated").wait_for()
    assert export_is_refused(corpus, "json")

    # Something dropped that is no file changes nothing.
    corpus.page.evaluate(
        """() => {
            const carried = new DataTransfer();
            carried.setData("text/plain", "a word");
            document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: carried }));
        }"""
    )
    corpus.page.wait_for_timeout(200)
    assert corpus.page.locator("#corpus-list li").all_inner_texts() == ["c.txt", "d.txt"]


def test_a_corpus_that_is_refused_after_one_that_was_scored_and_again_when_somebody_comes_back(corpus: Driver):
    corpus.paste_lines(CANDIDATES, REFERENCES[:1]).score_corpus()
    assert "reference lines" in corpus.problem
    assert outdated(corpus)
    assert export_is_refused(corpus, "json")

    corpus.page.locator("#corpus-reference").fill("only one line")
    corpus.page.locator("#tab-segment").click()
    corpus.settle()
    corpus.page.locator("#tab-corpus").click()
    corpus.page.locator("#problem").wait_for()
    assert "bleu-100" not in corpus.read(), "no other result"
    assert corpus.page.locator("#corpus-table").inner_text() == ""
    assert export_is_refused(corpus, "csv")


def test_texts_that_change_while_they_are_counted(local: Driver):
    held = []
    local.to_corpus().paste_lines(CANDIDATES, REFERENCES)
    counting = re.compile('"corpus-count"')
    hold = lambda route: held.append(route) if counting.search(route.request.post_data or "") else route.continue_()  # noqa: E731
    local.page.route("**/bridge", hold)
    local.page.locator("#corpus-run").click()
    local.page.locator("#corpus-progress").get_by_text("of 2 segments").wait_for()
    local.page.locator("#corpus-candidate").fill("\n".join(OTHERS))
    held.pop().continue_()
    local.page.locator("body[data-corpus]").wait_for()
    assert local.read() == expected(explain(CANDIDATES, REFERENCES, USUAL).to_dict())
    assert outdated(local)


def test_a_recipe_that_changes_while_a_corpus_is_counted_counts_it_anew(local: Driver):
    """No row of one recipe may be added to those of another."""
    seen, held = [], []
    local.to_corpus().paste_lines(CANDIDATES * 300, REFERENCES * 300)

    def hold_first(route) -> None:
        data = route.request.post_data or ""
        if '"corpus-count"' in data:
            seen.append(json.loads(data)["recipe"])
        if seen and not held:
            held.append(route)
        else:
            route.continue_()

    local.page.route("**/bridge", hold_first)
    local.page.locator("#corpus-run").click()
    local.page.locator("#corpus-progress").get_by_text("of 600 segments").wait_for()
    local.page.locator("#order").fill("2")
    held[0].continue_()
    local.page.get_by_test_id("signature").get_by_text("N:2").wait_for()
    wanted = explain(CANDIDATES * 300, REFERENCES * 300, USUAL.replace(order=2))
    assert local.read() == expected(wanted.to_dict())
    assert seen == [{"base": "sacrebleu"}, *[{"base": "sacrebleu", "order": "2"}] * 2]


def test_a_segment_that_is_refused_does_not_leave_the_corpus_result_in_its_place(corpus: Driver):
    corpus.page.locator("#tab-segment").click()
    corpus.write("the cat", [""])
    corpus.page.locator("#tab-corpus").click()
    corpus.page.locator(".bp-segments").wait_for()
    corpus.page.locator("#tab-segment").click()
    corpus.settle()
    assert "nothing to score" in corpus.problem
    assert "bleu-100" not in corpus.read()
    assert corpus.page.locator("#derivation-html").inner_text() == ""
    assert outdated(corpus) == ""


def test_details_that_do_not_come_leave_nothing_older_in_their_place(local: Driver):
    def refuse(route) -> None:
        if '"details"' in (route.request.post_data or ""):
            route.fulfill(status=200, json={"ok": False, "error": {"message": "busy"}})
        else:
            route.continue_()

    local.page.route("**/bridge", refuse)
    local.page.locator("#candidate").fill("a cat is on the mat")
    local.page.locator("#problem").get_by_text("busy").wait_for()
    assert local.page.locator("#texts-html").inner_text() == ""
    assert local.page.locator("#derivation-html").inner_text() == ""


def test_a_result_about_one_segment_that_is_replaced(local: Driver):
    for mode, format_ in (("reconcile", "markdown"), ("identify", "html")):
        local.page.locator(f"#tab-{mode}").click()
        if mode == "identify":
            local.page.locator("#reported").fill("57.89")
        work(local, f"{mode}-run")
        assert outdated(local) == "", mode
        local.page.locator("#candidate").fill(f"something else for {mode}")
        assert outdated(local).startswith("Outdated"), mode
        assert local.page.locator(f"#{mode}-run").inner_text() in outdated(local)
        assert export_is_refused(local, format_), mode
        work(local, f"{mode}-run")
        assert outdated(local) == "", mode


def test_a_comparison_of_systems_that_are_replaced(local: Driver):
    local.page.locator("#tab-compare").click()
    local.paste_lines(CANDIDATES, REFERENCES)
    local.page.locator("#rivals textarea").fill("\n".join(OTHERS))
    work(local, "compare-run")
    assert outdated(local) == ""
    local.page.locator("#rivals textarea").fill("\n".join(CANDIDATES))
    assert outdated(local).startswith("Outdated")
    assert export_is_refused(local, "csv")


def test_blank_boxes_of_other_systems_and_references_are_none(local: Driver):
    local.page.locator("#tab-reconcile").click()
    local.page.get_by_role("button", name="Add a reference").click()
    work(local, "reconcile-run")
    assert local.page.locator("#reference-2-count").inner_text().startswith("blank, so left out")
    shown = local.page.locator("#result-html").inner_text()
    local.page.locator("#references .remove").last.click()
    work(local, "reconcile-run")
    assert local.page.locator("#result-html").inner_text() == shown
    local.page.locator("#tab-identify").click()
    local.page.locator("#reported").fill("57.89")
    local.page.locator("#add-system").click()
    work(local, "identify-run")
    assert local.problem == ""
    local.page.locator("#tab-compare").click()
    local.paste_lines(CANDIDATES, REFERENCES)
    local.page.locator("#rivals textarea").fill(" \n ")
    work(local, "compare-run")
    assert "system 1" in local.page.get_by_test_id("compared").inner_text()


def test_a_file_that_cannot_be_read_is_a_clear_problem(local: Driver):
    local.to_corpus().page.locator("#drop").wait_for()
    local.page.evaluate(
        """() => {
            const folder = new File([], "a folder");
            folder.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
            const carried = { files: [folder] };
            const event = new DragEvent("drop");
            Object.defineProperty(event, "dataTransfer", { value: carried });
            document.getElementById("drop").dispatchEvent(event);
        }"""
    )
    local.page.locator("#problem").get_by_text("a folder: expected a file").wait_for()
    local.page.locator("#problem").evaluate("(one) => (one.textContent = '')")
    local.page.locator("#corpus-run").click()
    expect(local.page.locator("#problem:visible")).to_contain_text("a folder: expected a file")


def test_the_options_are_those_of_the_recipe_though_it_has_no_score(local: Driver):
    local.write("the cat", [""]).select("base", "ter")
    local.page.locator("#recipe-text").get_by_text("sacreBLEU's TER").wait_for()
    assert local.problem
    assert local.page.locator("#lowercase").is_checked()
    assert outdated(local)
