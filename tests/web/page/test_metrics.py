"""chrF and TER on the page: the numbers of the library in every mode, and the options that each metric has."""

from __future__ import annotations

import pytest

from bleuprint import Recipe, compare, score, score_segments, score_sentence
from bleuprint.metrics.metric import Metric
from bleuprint.recipes.registry import list_metrics
from bleuprint.wording import format_fraction
from page.acting import press
from page.comparing import B, check, enter, fill
from page.corpora import R1, A
from page.driver import Driver

CANDIDATE, REFERENCES = "On the mat, the cat sat", ["the cat sat on the mat .", "a cat is on the mat"]
METRICS = [metric for metric in list_metrics() if metric.key != "bleu"]
EACH_METRIC = pytest.mark.parametrize("metric", METRICS, ids=[metric.key for metric in METRICS])
USUAL = pytest.mark.parametrize("name", [metric.default for metric in METRICS])
LAST_USUAL = pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(metric.default, marks=pytest.mark.extended) for metric in METRICS[:-1]),
        METRICS[-1].default,  # of which less is better
    ],
)


def check_segment(driver: Driver, recipe: Recipe) -> None:
    """Signature, headline and parts must be those of the library."""
    scored = score_sentence(CANDIDATE, REFERENCES, recipe)
    shown = driver.read()
    assert driver.signature == str(recipe)
    assert (shown["score-100"], shown["score-1"]) == (scored.printed, format_fraction(scored.fraction))
    for name, count in scored.counts.items():
        if name.startswith("matches_") or name in ("insertions", "deletions", "substitutions", "shifts"):
            assert shown[name.replace("_", "-")] == str(count)
    assert driver.problem == ""


def shown_axes(driver: Driver) -> list[str]:
    driver.show_choices()
    return driver.page.locator("[data-axis]").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.dataset.axis)"
    )


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.extended)])
@EACH_METRIC
def test_every_dialect_shows_the_librarys_numbers(driver: Driver, metric: Metric, every: int):
    driver.write(CANDIDATE, REFERENCES)
    for name in list(metric.dialects)[::every]:
        driver.select("base", name)
        check_segment(driver.settle(), Recipe.named(name))
        assert driver.page.locator(".bp-dialects").first.get_attribute("data-metric") == metric.key
    rows = {
        row[0]: row[1:3] for row in driver.table(f".bp-dialects[data-metric={metric.key}] .bp-scroll:has(> .bp-behind)")
    }
    scored = {one: score_sentence(CANDIDATE, REFERENCES, one) for one in metric.dialects}
    assert rows == {one: [own.printed, format_fraction(own.fraction)] for one, own in scored.items()}


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("served", "chrf"),
        ("static", "ter"),
        pytest.param("served", "ter", marks=pytest.mark.extended),
        pytest.param("static", "chrf", marks=pytest.mark.extended),
    ],
    indirect=["host"],
)
def test_one_segment_then_its_corpus(driver: Driver, name: str):
    driver.write(CANDIDATE, REFERENCES).select("base", name)
    check_segment(driver.settle(), Recipe.named(name))
    for part in ("texts", "derivation"):
        assert driver.page.locator(f"#{part}-html").inner_text().strip()
    driver.to_corpus().paste_lines(A[:7], R1[:7]).score_corpus()
    whole, segments = score(A[:7], R1[:7], name), score_segments(A[:7], R1[:7], name)
    assert driver.read()["score-100"] == whole.printed
    rows = driver.table(".bp-segments")
    for place, row in enumerate(rows):
        *counts, candidate, reference = (
            part.text for part in whole.metric.segment_parts(segments.table[place], segments.table.layout)
        )
        assert row[:-1] == [str(place + 1), segments.printed(place), A[place], candidate, reference, *counts]
    assert len(rows) == 7


@pytest.mark.extended  # each metric alone; all three are compared on one page where that mode is tried
@USUAL
def test_compare_ranks_as_the_library_does(fresh: Driver, name: str):
    enter(fresh).select("base", name)
    fill(fresh.paste_lines(A[:9], R1[:9]), "a", {"b": B[:9], "c": R1[:9]})
    press(fresh, "compare-run")
    check(fresh, compare({"a": A[:9], "b": B[:9], "c": R1[:9]}, R1[:9], name, resamples=1000))


@EACH_METRIC
def test_the_options_are_those_of_the_metric(driver: Driver, metric: Metric):
    before = shown_axes(driver)
    driver.write(CANDIDATE, REFERENCES).select("base", metric.default)
    assert sorted(shown_axes(driver)) == sorted(metric.axes), "at once, before there is an answer"
    driver.settle()
    assert not driver.page.locator("#order, #tokenizer, #epsilon, #smoothing, #weights").evaluate_all(
        "(all) => all.some((one) => one.checkVisibility())"
    )
    recipe = Recipe.named(metric.default)
    for field, axis in metric.axes.items():
        choice = list(axis.choices)[-1] if axis.choices else "3"
        if axis.choices:
            driver.select(field, choice)
        else:
            driver.page.locator(f"#{field}").fill(choice)
        recipe = recipe.with_choices({field: choice if axis.number is None else axis.number(choice)})
    check_segment(driver.settle(), recipe)
    shown = {field: driver.page.locator(f"#{field}").input_value() for field in metric.axes}
    assert shown == {field: recipe.choice(field) for field in metric.axes}
    driver.select("base", "paper")
    assert shown_axes(driver.settle()) == before


@LAST_USUAL
def test_a_link_keeps_metric_and_choices(fresh: Driver, name: str):
    fresh.write(CANDIDATE, REFERENCES).select("base", name)
    fresh.choose("case", "lower-ascii")
    fresh.page.locator("#share").click()
    fresh.page.get_by_text("Link copied; your texts are part of it.").wait_for()
    link = fresh.page.evaluate("() => navigator.clipboard.readText()")
    fresh.page.goto("about:blank")
    fresh.open(link.removeprefix(fresh.host.url))
    check_segment(fresh, Recipe.named(name).replace(case="lower-ascii"))
