"""A comparison on the page: its form filled in, and its result held to the library's."""

from __future__ import annotations

from bleuprint import Comparison
from page.corpora import lines
from page.driver import Driver

B = lines("candidate-b.txt")


def enter(driver: Driver) -> Driver:
    driver.page.locator("#tab-compare").click()
    driver.page.locator("#rivals textarea").wait_for()
    return driver


def fill(driver: Driver, first: str, others: dict[str, list[str]]) -> Driver:
    """Name the first system, and fill in the others."""
    driver.page.locator("#first-name").fill(first)
    for place, (name, texts) in enumerate(others.items()):
        if place:
            driver.page.locator("#add-rival").click()
        box = driver.page.locator("#rivals .system").nth(place)
        box.get_by_label("Its name").fill(name)
        box.locator("textarea").fill("\n".join(texts))
    return driver


def check(driver: Driver, made: Comparison) -> None:
    """What is shown is what the library says."""
    outcomes = driver.page.locator("#result-html .bp-outcome").all_inner_texts()
    assert outcomes == [result.summary for result in made.results]
    sections = driver.page.locator("#result-html .bp-recipe:not(#overview)")
    assert driver.page.locator("#overview").count() == (len(made.results) > 1)
    for place, result in enumerate(made.results):
        section = sections.nth(place)
        rows = section.locator("> .bp-scroll table").first.evaluate(
            "(table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
        )
        shown = [(row[0].removesuffix(" (baseline)"), row[1], row[2]) for row in rows]
        assert shown == [
            (one.name, f"{one.score.score:.2f}", f"{one.interval.low:.2f} to {one.interval.high:.2f}")
            for one in result.ranked
        ]
        assert section.locator(".bp-remarks li").all_inner_texts() == [note.text for note in result.notes]
        assert section.locator(".bp-signature code").inner_text() == str(result.recipe)
