"""Every control of the recipe: the signature shown is the library's for the same choices, and the controls agree."""

from __future__ import annotations

import pytest

from bleuprint import Recipe, explain, score_sentence
from bleuprint.metrics.bleu.recipe import AXES, SMOOTHINGS
from bleuprint.recipes.registry import list_metrics
from bleuprint.text.tokenizers.registry import BUILT_IN, PRETOKENIZED, SPM, TokenizerEntry
from page.driver import Driver, Host, expected

CANDIDATE, REFERENCES = "The cat's on mat, 1,000 cats!", ["the cat's on the mat , 1,000 cats !", "Cats on mats"]
PAPER = Recipe.named("paper")
# The switches above have ids of their own; every other axis with a list of choices has a control of its name.
CHOICES = {field: list(axis.choices) for field, axis in AXES.items() if axis.choices}


def check(driver: Driver, recipe: Recipe) -> None:
    """The page must show this recipe, in its signature, in its controls and in its numbers."""
    assert driver.signature == str(recipe)
    assert driver.controls() == {field: recipe.choice(field) for field in AXES} | {"order": str(recipe.order)}
    assert driver.page.locator("#epsilon").is_checked() == (recipe.smoothing.kind == "epsilon")
    assert driver.page.locator("#lowercase").is_checked() == (recipe.case != "mixed")
    chosen = driver.page.locator("#base").input_value()
    assert chosen in recipe.names if recipe.names else chosen == "own"
    assert driver.read() == expected(explain(score_sentence(CANDIDATE, REFERENCES, recipe)).to_dict())


def test_it_starts_on_the_papers_recipe(driver: Driver):
    assert driver.signature == str(PAPER)
    assert driver.page.locator("#base").input_value() == "paper"


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.extended)])
def test_the_picker_has_every_dialect(driver: Driver, every: int):
    driver.write(CANDIDATE, REFERENCES)
    options = driver.page.locator("#base option:not([value=own])")
    offered = options.evaluate_all("(all) => all.map((one) => [one.value, one.parentElement.label])")
    assert offered == [[name, metric.name] for metric in list_metrics() for name in metric.dialects]
    offered = [name for name, metric in offered if metric == "BLEU"]
    for name in offered[::every]:
        driver.select("base", name)
        check(driver.settle(), Recipe.named(name))
        assert driver.page.locator("#base").input_value() == name


@pytest.mark.extended
@pytest.mark.parametrize("field", CHOICES)
def test_every_choice_of_an_axis(driver: Driver, field: str):
    driver.write(CANDIDATE, REFERENCES)
    driver.show_choices()
    offered = driver.page.locator(f"#{field} option").evaluate_all("(all) => all.map((one) => one.value)")
    assert offered == CHOICES[field]
    for choice in reversed(offered):
        check(driver.choose(field, choice), PAPER.replace(**{field: choice}))


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.extended)])
def test_every_tokenizer_that_the_host_can_run(driver: Driver, every: int):
    driver.write(CANDIDATE, REFERENCES)
    names = [name for name, entry in BUILT_IN.items() if can_run(entry, driver.host) and name != PRETOKENIZED]
    offered = driver.page.locator("#tokenizer option:enabled").evaluate_all("(all) => all.map((one) => one.value)")
    assert offered == [PAPER.replace(tokenizer=name).choice("tokenizer") for name in names]
    assert "zh-corrected" in offered
    for choice in reversed(offered[::every]):
        check(driver.choose("tokenizer", choice), PAPER.replace(tokenizer=choice))


@pytest.mark.needs("sentencepiece")
def test_a_tokenizer_that_the_host_cannot_run_is_greyed_with_the_reason(driver: Driver):
    greyed = driver.page.locator("#tokenizer option:disabled").evaluate_all(
        "(all) => Object.fromEntries(all.map((one) => [one.textContent.split(': ')[0], [one.textContent, one.title]]))"
    )
    assert set(greyed) == {name for name, entry in BUILT_IN.items() if not can_run(entry, driver.host)}
    text, title = greyed["flores200"]
    if driver.host.name == "static":
        assert text == "flores200: not in the browser"
        assert "bleuprint serve" in title
    else:
        assert text == "flores200: needs its model"
        assert "flores200_sacrebleu_tokenizer_spm.model" in title


def can_run(entry: TokenizerEntry, host: Host) -> bool:
    if entry.needs is None:
        return True
    return host.name == "served" and entry.name != SPM and not entry.find_obstacle()


@pytest.mark.extended
def test_every_smoothing_and_its_value(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    for kind, (usual, _) in SMOOTHINGS.items():
        driver.choose("smoothing", kind)
        check(driver, PAPER.replace(smoothing=kind))
        assert driver.page.locator("#smoothing-value").is_disabled() == (usual is None)
        if usual is not None:
            check(driver.choose("smoothing", f"{kind}(0.25)"), PAPER.replace(smoothing=f"{kind}(0.25)"))


def test_the_switches(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    driver.page.locator("#epsilon").check()
    check(driver.settle(), PAPER.replace(smoothing="epsilon(0.1)"))
    driver.page.locator("#lowercase").check()
    check(driver.settle(), PAPER.replace(smoothing="epsilon(0.1)", case="lower"))
    driver.page.locator("#epsilon").uncheck()
    check(driver.settle(), PAPER.replace(case="lower"))
    driver.page.locator("#lowercase").uncheck()
    check(driver.settle(), PAPER)


@pytest.mark.parametrize(
    ("orders", "several"),
    [
        ([9], ["1,0,0,1"]),
        pytest.param([1, 2, 9], ["0.6,0.4", "0.1,0.2,0.7", "1,0,0,1"], marks=pytest.mark.extended),
    ],
    ids=["one", "more"],
)
def test_orders_and_weights(driver: Driver, orders: list[int], several: list[str]):
    driver.write(CANDIDATE, REFERENCES)
    for order in orders:
        check(driver.choose("order", str(order)), PAPER.replace(order=order))
    for weights in several:
        given = [float(part) for part in weights.split(",")]
        check(driver.choose("weights", weights), PAPER.replace(weights=given))
    assert driver.page.locator("#order").input_value() == "4"
    check(driver.choose("order", "3"), PAPER.replace(order=3))
    driver.choose("weights", "0.5,0.5")
    check(driver.choose("weights", ""), PAPER)


@pytest.mark.complains("Failed to load resource")
def test_all_choices_come_when_they_are_opened_and_show_the_recipe_by_then(local: Driver):
    local.write(CANDIDATE, REFERENCES).select("base", "chrf")
    local.settle().select("base", "nltk-method2")
    local.page.locator("#order").fill("3")
    local.page.locator("#lowercase").check()
    local.settle()
    assert local.page.locator("#weights").count() == 0
    local.page.route("**/all_choices.html", lambda route: route.abort(), times=1)
    local.page.locator("#all-choices > summary").click()
    local.page.locator("#problem button").click()
    recipe = Recipe.named("nltk-method2").replace(order=3, case="lower")
    check(local, recipe)
    assert local.problem == ""
    assert local.page.locator("#weights").is_visible()
    assert local.page.locator("#all-choices [data-metric=chrf]:visible").count() == 0
    check(local.choose("brevity", "plus-1"), recipe.replace(brevity="plus-1"))


def test_choices_add_up_and_the_picker_takes_them_back(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    own = PAPER.replace(order=2, tokenizer="13a", reference_length="shortest", smoothing="floor(0.5)")
    check(driver.choose_recipe(own), own)
    driver.select("base", "sacrebleu")
    check(driver.settle(), Recipe.named("sacrebleu"))


def test_an_example_and_a_dialect_of_the_table_leave_nothing_of_the_recipe_before_them(driver: Driver):
    driver.choose("smoothing", "floor(0.5)").choose("weights", "0.5,0.5")
    driver.page.locator(".lesson").first.click()
    assert driver.settle().signature == str(PAPER)
    assert driver.page.locator("#weights").input_value() == ""
    driver.choose("weights", "0.5,0.5")
    driver.page.locator("[data-dialect=sacrebleu]").click()
    assert driver.settle().signature == str(Recipe.named("sacrebleu"))
    assert driver.page.locator("#weights").input_value() == ""


BAD = [
    ("weights", "x", ["Weights", "number", "'x'"], "1,1", PAPER.replace(weights=[1, 1])),
    ("order", "101", ["N: ", "1 to 100", "101"], "2", PAPER.replace(order=2)),
]
MORE_BAD = [
    ("weights", "0.5,,1", ["Weights", "number"], "", PAPER),
    ("weights", "-1,1", ["Weights"], "1", PAPER.replace(weights=[1])),
    ("weights", "0,0", ["Weights"], "1", PAPER.replace(weights=[1])),
    ("order", "0", ["N: ", "1 to 100", "0"], "2", PAPER.replace(order=2)),
    ("order", "2.5", ["2.5"], "2", PAPER.replace(order=2)),
]


@pytest.mark.parametrize("values", [BAD, pytest.param(MORE_BAD, marks=pytest.mark.extended)], ids=["some", "more"])
def test_a_bad_value_shows_a_clear_problem_and_the_page_recovers(driver: Driver, values: list[tuple]):
    for field, bad, words, good, recipe in values:
        before = driver.read()
        driver.choose(field, bad)
        assert all(word in driver.problem for word in words), driver.problem
        assert driver.page.locator(f"#{field}").input_value() == bad
        assert driver.read() == before
        assert driver.choose(field, good).problem == ""
        assert driver.signature == str(recipe)


def test_a_bad_value_of_a_smoothing_shows_a_clear_problem(driver: Driver):
    driver.choose("smoothing", "epsilon")
    driver.page.locator("#smoothing-value").fill("7")
    assert "a number above 0 and up to 1" in driver.settle().problem
    driver.page.locator("#smoothing-value").fill("0.5")
    assert driver.settle().problem == ""
    assert driver.signature == str(PAPER.replace(smoothing="epsilon(0.5)"))
