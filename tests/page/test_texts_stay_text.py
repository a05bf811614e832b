"""Any text shows as text: markup and scripts in texts, file names, document names and links stay what they are."""

from __future__ import annotations

import base64
import json

import pytest

from bleuprint import explain, score_sentence
from page.driver import Driver, Host, MakeDriver, expected

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "\"'><iframe srcdoc='<script>alert(1)</script>'>",
    "</textarea></p><a href=javascript:alert(1) id=injected>x</a>",
    "{{ 7*7 }} {% print(1) %} ${alert(1)}",
    "&lt;b&gt; &#x3C;b&#x3E; <!-- --><math><mtext></mtext></math>",
    "' onfocus=alert(1) autofocus tabindex=1 x='",
]
COUNTS = """() => Object.fromEntries(["script", "img", "iframe", "a", "form", "[onerror], [onload], [onfocus]"]
    .map((name) => [name, document.querySelectorAll(name).length]))"""


@pytest.mark.parametrize("attack", ATTACKS)
def test_texts_of_a_segment(driver: Driver, attack: str):
    before = driver.page.evaluate(COUNTS)
    driver.write(attack, [attack, f"{attack} {attack}"])
    driver.page.locator(".bp-ngram").first.hover()
    tokens = driver.page.locator("[data-side=candidate] .bp-token").all_text_contents()
    assert tokens == attack.split()
    assert driver.page.evaluate(COUNTS) == before
    assert driver.read() == expected(explain(score_sentence(attack, [attack, f"{attack} {attack}"], "paper")).to_dict())


def test_texts_in_a_problem(driver: Driver):
    before = driver.page.evaluate(COUNTS)
    driver.choose("weights", "<img src=x onerror=alert(1)>")
    assert "<img src=x" in driver.problem
    assert driver.page.evaluate(COUNTS) == before


def test_names_of_files_and_documents_and_lines_of_a_corpus(fresh: Driver):
    before = fresh.page.evaluate(COUNTS)
    rows = [{"candidate": text, "references": [text], "document": text} for text in ATTACKS]
    name = "<img src=x onerror=alert(1)>.jsonl"
    data = "\n".join(json.dumps(row) for row in rows).encode()
    fresh.to_corpus()
    fresh.page.locator("#corpus-files").set_input_files([{"name": name, "mimeType": "text/plain", "buffer": data}])
    fresh.page.locator("#corpus-list li").wait_for()
    assert fresh.page.locator("#corpus-list").inner_text() == name
    fresh.score_corpus()
    assert [row[0] for row in fresh.table(".bp-by-document")] == [" ".join(text.split()) for text in ATTACKS]
    assert fresh.page.evaluate(COUNTS) == before
    fresh.page.get_by_role("button", name="Explain segment 2", exact=True).click()
    assert fresh.settle().page.locator("#candidate").input_value() == ATTACKS[1]
    assert fresh.page.evaluate(COUNTS) == before


def test_the_name_of_a_file_in_a_problem(fresh: Driver):
    before = fresh.page.evaluate(COUNTS)
    fresh.to_corpus()
    file = {"name": "<img src=x onerror=alert(1)>.txt", "mimeType": "text/plain", "buffer": b"x"}
    fresh.page.locator("#corpus-files").set_input_files([file])
    fresh.page.locator("#corpus-list li").wait_for()
    fresh.score_corpus()
    assert "<img src=x onerror=alert(1)>.txt" in fresh.problem
    assert fresh.page.evaluate(COUNTS) == before


@pytest.mark.parametrize("place", ["texts", "files", "base", "smoothing", "raw"])
def test_a_link(served: Host, new_driver: MakeDriver, place: str):
    attack = ATTACKS[1]
    form = {"candidate": "a", "references": ["a"], "recipe": {"base": "paper"}}
    if place == "texts":
        form |= {"candidate": attack, "references": [attack]}
    elif place == "files":
        form |= {"files": [{"name": attack, "text": attack}], "pasted": False}
        del form["candidate"]
    elif place != "raw":
        form["recipe"] = {"base": "paper", place: attack}
    fragment = "#s=" + base64.urlsafe_b64encode(json.dumps(form).encode()).decode().rstrip("=")
    clean = new_driver(served).open()
    driver = new_driver(served).open(f"#{attack}" if place == "raw" else fragment)
    assert driver.page.evaluate(COUNTS) == clean.page.evaluate(COUNTS)
    assert driver.page.locator("#injected").count() == 0


@pytest.mark.each_host
def test_a_lone_surrogate_is_refused_and_the_page_goes_on(driver: Driver):
    driver.page.evaluate(
        """() => { const box = document.getElementById("candidate"); box.value = "a \\ud83d b";
            box.dispatchEvent(new Event("input", { bubbles: true })); }"""
    )
    assert "surrogate" in driver.settle().problem
    driver.write("a b", ["a b"])
    assert driver.problem == ""
