"""Any text shows as text: markup and scripts in texts, file names, document names and links stay what they are."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from bleuprint import explain, score_sentence
from page.attacks import ATTACKS, COUNTS
from page.corpora import as_file, upload
from page.driver import Driver, Host, MakeDriver, expected
from page.links import FOLLOW, first_alone, fragment


@pytest.mark.parametrize("attacks", first_alone([ATTACKS, *([attack] for attack in ATTACKS)]))
def test_texts_of_a_segment(driver: Driver, attacks: list[str]):
    candidate, references = " ".join(attacks), [*attacks, f"{attacks[0]} {attacks[0]}"]
    before = driver.page.evaluate(COUNTS)
    driver.write(candidate, references)
    driver.page.locator(".bp-ngram").first.hover()
    tokens = driver.page.locator("[data-side=candidate] .bp-token").all_text_contents()
    assert tokens == candidate.split()
    assert driver.page.evaluate(COUNTS) == before
    assert driver.read() == expected(explain(score_sentence(candidate, references, "paper")).to_dict())


def test_texts_in_a_problem(driver: Driver):
    before = driver.page.evaluate(COUNTS)
    driver.choose("weights", "<img src=x onerror=alert(1)>")
    assert "<img src=x" in driver.problem
    assert driver.page.evaluate(COUNTS) == before


def test_names_of_files_and_documents_and_lines_of_a_corpus(fresh: Driver):
    before = fresh.page.evaluate(COUNTS)
    fresh.to_corpus()
    upload(fresh, as_file("<img src=x onerror=alert(1)>.txt", "x"))
    fresh.score_corpus()
    assert "<img src=x onerror=alert(1)>.txt" in fresh.problem
    assert fresh.page.evaluate(COUNTS) == before
    fresh.page.get_by_role("button", name="Remove the files").click()

    rows = [{"candidate": text, "references": [text], "document": text} for text in ATTACKS]
    name = "<img src=x onerror=alert(1)>.jsonl"
    upload(fresh, as_file(name, "\n".join(json.dumps(row) for row in rows)))
    assert fresh.page.locator("#corpus-list").inner_text() == name
    fresh.score_corpus()
    assert [row[0] for row in fresh.table(".bp-by-document")] == [" ".join(text.split()) for text in ATTACKS]
    assert fresh.page.evaluate(COUNTS) == before
    fresh.page.get_by_role("button", name="Explain segment 2", exact=True).click()
    assert fresh.settle().page.locator("#candidate").input_value() == ATTACKS[1]
    assert fresh.page.evaluate(COUNTS) == before


ATTACK = ATTACKS[1]
FORM = {"candidate": "a", "references": ["a"], "recipe": {"base": "paper"}}
LINKS = {
    "texts": fragment(FORM | {"candidate": ATTACK, "references": [ATTACK]}),
    "files": fragment({"files": [{"name": ATTACK, "text": ATTACK}], "pasted": False, "recipe": {"base": "paper"}}),
    "base": fragment(FORM | {"recipe": {"base": ATTACK}}),
    "smoothing": fragment(FORM | {"recipe": {"base": "paper", "smoothing": ATTACK}}),
    "raw": f"#{ATTACK}",
}


@pytest.mark.parametrize("place", first_alone(list(LINKS)))
def test_a_link(served: Host, new_driver: MakeDriver, place: str):
    clean = new_driver(served).open()
    driver = new_driver(served).open(LINKS[place])
    assert driver.page.evaluate(COUNTS) == clean.page.evaluate(COUNTS)
    assert driver.page.locator("#injected").count() == 0


def test_links_that_an_open_page_follows_and_refuses(local: Driver):
    before = local.page.evaluate(COUNTS)
    for place in ("base", "smoothing", "raw", "files"):
        local.page.evaluate("() => (document.getElementById('problem').textContent = '')")
        local.page.evaluate(FOLLOW, LINKS[place])
        expect(local.page.locator("#problem:visible")).to_contain_text("onerror=alert(1)")
        assert local.page.evaluate(COUNTS) == before, place
        assert local.page.locator("#injected").count() == 0, place


def test_a_lone_surrogate_is_refused_and_the_page_goes_on(driver: Driver):
    driver.page.evaluate(
        """() => { const box = document.getElementById("candidate"); box.value = "a \\ud83d b";
            box.dispatchEvent(new Event("input", { bubbles: true })); }"""
    )
    assert "surrogate" in driver.settle().problem
    driver.write("a b", ["a b"])
    assert driver.problem == ""
