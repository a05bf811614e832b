"""Learn: every lesson step by step, with the library's numbers; to play with, to predict, to project, to link to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from bleuprint import Recipe, explain, score, score_segments, score_sentence
from bleuprint.lessons.lesson import COMPANION, LESSON_STEPS, LESSONS, Lesson
from bleuprint.wording import format_fraction, format_score
from page.driver import Driver, Host, MakeDriver
from page.looks import LOOKS, WIDER, check_with_axe

NUMBERS = """() => Object.fromEntries([...document.querySelectorAll("#learn-step [data-learn]")]
    .map((element) => [element.dataset.learn, element.textContent]))"""
NAME_PAGE = "() => (window.named ??= String(Math.random()))"
ALL_STEPS = list(LESSON_STEPS)


def teach(driver: Driver, act: Callable[[], object]) -> Driver:
    """Do something, and wait for the step or the problem that it leads to; a page that is new has shown none."""
    before, page = driver.page.evaluate("() => document.body.dataset.taught ?? ''"), driver.page.evaluate(NAME_PAGE)
    act()
    driver.await_engine()
    before = before if driver.page.evaluate(NAME_PAGE) == page else ""
    return driver.await_other("taught", before)


def enter(driver: Driver, lesson: str, step: str) -> Driver:
    return teach(driver, lambda: driver.page.evaluate("(to) => { location.hash = to; }", f"#learn/{lesson}/{step}"))


def go(driver: Driver, step: str) -> Driver:
    return teach(driver, lambda: driver.page.locator(f"[data-step={step}]").click())


def shown(driver: Driver) -> dict[str, str]:
    """Read every number of the step."""
    found: dict[str, str] = driver.page.evaluate(NUMBERS)
    return found


def title(driver: Driver) -> str:
    return driver.page.locator("#learn-step h2").inner_text()


def address(driver: Driver) -> str:
    return driver.page.url.removeprefix(driver.host.url)


def expected(lesson: Lesson, step: str) -> dict[str, str]:
    """What a step must show of the first segment of a lesson at n = 1, from the library's verbs."""
    candidate, references = lesson.segments[0]
    one = score_sentence(candidate, references, lesson.recipe)
    explanation, stats = explain(one), one.stats
    fraction, penalty = format_fraction(one.fraction), format_fraction(one.brevity_penalty)
    if step == "tokenise":
        lengths = map(len, explanation.evidence.reference_tokens)
        return {"c": str(stats.candidate_length)} | {f"r{k}": str(length) for k, length in enumerate(lengths, start=1)}
    if step == "ngrams":
        return {"windows": str(stats.totals[0]), "found": str(explanation.plain_matches[0])}
    if step == "clip":
        counts = {"matches": str(stats.matches[0]), "total": str(stats.totals[0])}
        return counts | {"precision": format_fraction(one.precisions[0]), "plain": str(explanation.plain_matches[0])}
    if step == "brevity":
        return {"c": str(stats.candidate_length), "r": str(stats.reference_length), "penalty": penalty}
    if step == "combine":
        mean = format_fraction(explanation.arithmetic.geometric_mean)
        bare = lesson.recipe.replace(smoothing="none", absent_order="zero")
        ways = {
            "none": bare, "epsilon": bare.replace(smoothing="epsilon(0.1)"),
            "add-1": bare.replace(smoothing="add-k(1)"), "exp": bare.replace(smoothing="exp"),
            "effective": bare.replace(absent_order="drop"),
        }  # fmt: skip
        smoothed = {f"way-{key}": score_sentence(candidate, references, way).printed for key, way in ways.items()}
        return {"penalty": penalty, "mean": mean, "fraction": fraction, "score": one.printed, **smoothed}
    segments = lesson.segments if len(lesson.segments) > 1 else (*lesson.segments, COMPANION)
    texts = [text for text, _ in segments], [list(others) for _, others in segments]
    sums, each = score(*texts, lesson.recipe), score_segments(*texts, lesson.recipe)
    mean = sum(each.scores) / len(each)
    counts = {}
    for order, (matches, total) in enumerate(zip(sums.stats.matches, sums.stats.totals, strict=True), start=1):
        counts |= {f"matches-{order}": str(matches), f"total-{order}": str(total)}
    return {
        **counts, "penalty": format_fraction(sums.brevity_penalty), "fraction": format_fraction(sums.fraction),
        **{f"segment-{place}": one.printed for place, one in enumerate(each, start=1)}, "score": sums.printed,
        "result": sums.printed, "mean": format_score(mean), "gap": format_score(abs(mean - sums.score)),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "few"),
    [(["seven", "corpus"], 10), pytest.param(list(LESSONS), 30, marks=pytest.mark.extended)],
    ids=["two", "all"],
)
def test_every_step_of_every_lesson_shows_the_numbers_of_the_library(driver: Driver, keys: list[str], few: int):
    said = set()
    for key in keys:
        lesson = LESSONS[key]
        enter(driver, key, ALL_STEPS[0])
        for number, (step, content) in enumerate(LESSON_STEPS.items(), start=1):
            assert title(driver) == f"{number} {content.title}"
            assert address(driver) == f"#learn/{key}/{step}"
            assert driver.page.locator("#learn-steps [aria-current=step]").get_attribute("data-step") == step
            assert shown(driver) == expected(lesson, step), (key, step)
            assert driver.page.locator("#learn-step math mtr").count() >= 2, "the general formula above the numbers"
            words = driver.page.locator(".learn-said").inner_text()
            assert words.split() == driver.page.locator("#learn-status").inner_text().split()[-len(words.split()) :]
            said.add(words)
            if number < len(ALL_STEPS):
                teach(driver, driver.page.locator("#learn-next").click)
        assert driver.page.locator("#learn-next").is_disabled()
        assert driver.page.evaluate("() => document.activeElement.id") == "learn-step"
    assert len(said) > few, "every step says what it shows of these texts"


def test_the_documented_numbers_are_there(driver: Driver):
    there = [shown(enter(driver, "there", step)) for step in ("clip", "brevity", "combine")]
    assert (there[0]["matches"], there[0]["total"]) == ("5", "6")
    assert (there[1]["penalty"], there[2]["fraction"]) == ("0.8465", "0.7054")
    assert shown(enter(driver, "missing", "combine"))["score"] == "57.89"
    seven = enter(driver, "seven", "clip").page
    assert [seven.locator(f".learn-{kind}").count() for kind in ("slot", "ball", "spilled")] == [2, 7, 5]
    plain = shown(enter(driver, "plain", "clip"))
    assert (plain["plain"], plain["matches"], plain["total"]) == ("6", "2", "6")
    hello = shown(enter(driver, "hello", "combine"))
    assert (hello["way-none"], hello["way-epsilon"], hello["way-effective"]) == ("0.00", "31.62", "100.00")
    corpus = shown(enter(driver, "corpus", "corpus"))
    assert (corpus["result"], corpus["mean"], corpus["gap"]) == ("77.81", "78.95", "1.14")


SHELL = {
    "bleuprint.css", "page.css", "app.js", "addresses.js", "engine.js", "frame.js", "late.js", "limits.js", "modes.js",
    "options.js", "places.js", "result.js", "segment.js", "segment_form.js",
}  # fmt: skip
"""What the page fetches before its first score: what is added here everybody waits for (bench/page_weight.py)."""
PYTHON = {"worker.js", "pyodide.js", "pyodide.asm.js", "service-worker.js"}


def test_what_the_first_score_does_not_need_is_loaded_when_it_is_opened(host: Host, new_driver: MakeDriver):
    driver, asked = new_driver(host), []
    driver.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    driver.open().write("the cat sat", ["the cat is on the mat"])
    driver.write("the cat is on mat", ["the cat is on the mat"])
    shell = {*SHELL, f"engine-{host.name}.js"}
    assert {name for name in asked if name.endswith((".js", ".css", ".html"))} - PYTHON == shell
    assert not driver.page.locator("[data-into], #corpus-candidate, #learn-step, #weights").count()
    late = {"learn.js", "learn.css", "learn.html", "projector.js"}
    teach(driver, driver.page.locator("#tab-learn").click)
    assert late <= set(asked)
    assert shown(driver) == expected(next(iter(LESSONS.values())), "tokenise")
    assert not driver.page.locator("#form").is_visible()
    enter(driver, "nothing", "clip")
    assert "'nothing'" in driver.problem
    driver.page.locator("#tab-segment").click()
    assert driver.settle().read()["bleu-100"] == "57.89", "the calculator has kept its texts"


def test_steps_go_by_keys_back_and_reload_keep_them_and_keys_of_controls_stay_theirs(fresh: Driver):
    page, press = fresh.page, fresh.page.keyboard.press
    enter(fresh, "seven", "clip")
    page.locator("#learn-step").focus()
    for key, step in (
        ("ArrowRight", "brevity"),
        ("ArrowLeft", "clip"),
        ("ArrowLeft", "ngrams"),
        ("ArrowRight", "clip"),
    ):
        teach(fresh, lambda key=key: press(key))
        assert address(fresh) == f"#learn/seven/{step}"
    page.locator("#learn-order-1").focus()
    teach(fresh, lambda: press("ArrowRight"))
    assert (title(fresh), page.locator("#learn-order-2").is_checked()) == ("3 Clip", True)
    assert page.evaluate("() => document.activeElement.id") == "learn-order-2", "the focus stays"
    stats = score_sentence(*LESSONS["seven"].segments[0], "paper").stats
    assert (shown(fresh)["matches"], shown(fresh)["total"]) == (str(stats.matches[1]), str(stats.totals[1]))
    page.locator("#tab-segment").click()
    fresh.settle()
    teach(fresh, page.go_back)
    assert (title(fresh), page.locator("#learn-order-2").is_checked()) == ("3 Clip", True)
    teach(fresh, page.reload)
    assert (title(fresh), page.locator("#learn-order-2").is_checked()) == ("3 Clip", True)


def test_a_tokenizer_and_the_case_change_the_tokens(driver: Driver):
    page = enter(driver, "tokens", "tokenise").page
    tokens = page.locator(".learn-tokens").first.locator(".learn-token")
    assert tokens.all_inner_texts() == ["Hello,", "world!", "The", "cat's", "here."]
    teach(driver, lambda: page.locator("#learn-tokenizer").select_option("13a"))
    assert tokens.all_inner_texts() == ["Hello", ",", "world", "!", "The", "cat's", "here", "."]
    assert page.locator(".learn-tokens").first.locator(".learn-cut").all_inner_texts() == [",", "!", "."]
    teach(driver, lambda: page.locator("#learn-case").select_option("lower"))
    assert page.locator(".learn-tokens").first.locator(".learn-changed").all_inner_texts() == ["hello", "the"]
    recipe = LESSONS["tokens"].recipe.replace(tokenizer="13a", case="lower")
    go(driver, "combine")
    assert shown(driver)["score"] == score_sentence(*LESSONS["tokens"].segments[0], recipe).printed
    assert address(driver) == "#learn", "it is not the lesson any more that an address could name"


def test_the_window_slides_and_its_matches_light_up(driver: Driver):
    page = enter(driver, "missing", "ngrams").page
    teach(driver, lambda: page.locator("#learn-order-2").check())
    assert page.locator(".learn-gram").all_inner_texts() == ["the cat", "cat is", "is on", "on mat"]
    assert page.locator(".learn-gram[data-matched=no]").all_inner_texts() == ["on mat"]
    lit = page.locator("[data-window=reference] .learn-lit")
    assert (page.locator(".learn-window").all_inner_texts(), lit.all_inner_texts()) == (["the", "cat"],) * 2
    page.locator("#learn-slide-on").click()
    page.locator("#learn-slide-on").click()
    assert (page.locator(".learn-window").all_inner_texts(), lit.all_inner_texts()) == (["is", "on"],) * 2
    page.locator(".learn-gram").last.click()
    assert (page.locator(".learn-window").all_inner_texts(), lit.all_inner_texts()) == (["on", "mat"], [])
    assert page.locator("#learn-window").inner_text() == "4 of 4, “on mat”: in no reference"
    assert page.locator("#learn-slide-on").is_disabled()
    enter(driver, "hello", "ngrams")
    teach(driver, lambda: page.locator("#learn-order-3").check())
    assert "no window of 3 fits" in page.locator(".learn-said").inner_text()


def test_words_come_and_go_and_the_point_moves_along_the_curve(driver: Driver):
    page = enter(driver, "missing", "brevity").page
    point = page.locator(".learn-point")
    places = [point.get_attribute("cy")]
    for candidate, act in {
        "the cat on mat": lambda: page.get_by_role("button", name="Leave out is").click(),
        "the cat on mat now": lambda: [page.locator("#learn-word").fill("now"), page.locator("#learn-add").click()],
        "the cat on mat now now": lambda: page.locator("#learn-word").press("Enter"),
    }.items():
        teach(driver, act)
        one = score_sentence(candidate, "the cat is on the mat", "paper")
        assert shown(driver)["penalty"] == format_fraction(one.brevity_penalty)
        assert shown(driver)["c"] == str(one.stats.candidate_length)
        places.append(point.get_attribute("cy"))
    assert float(places[1]) > float(places[0]) == float(places[2]) > float(places[3])
    teach(driver, page.locator("#learn-reset").click)
    assert (address(driver), point.get_attribute("cy")) == ("#learn/missing/brevity", places[0])
    assert not page.locator("#learn-reset").is_visible()


def test_smoothing_is_chosen_and_every_segment_can_be_looked_at(driver: Driver):
    page = enter(driver, "hello", "combine").page
    assert "0" in page.locator(".learn-zero .learn-number").first.inner_text()
    teach(driver, page.locator("#learn-way-epsilon").click)
    assert shown(driver)["score"] == "31.62"
    assert page.evaluate("() => document.activeElement.id") == "learn-way-epsilon"
    assert page.locator(".learn-zero").count() == 0
    enter(driver, "corpus", "combine")
    assert shown(driver)["score"] == "57.89"
    teach(driver, lambda: page.locator("#learn-focus").select_option("1"))
    assert shown(driver)["score"] == "100.00"


def test_results_are_hidden_until_somebody_has_predicted_them(driver: Driver):
    page = enter(driver, "there", "tokenise").page
    page.locator("#learn-predict").check()
    given = {"c", "r", *(f"segment-{place}" for place in (1, 2))}
    for step in ALL_STEPS:
        go(driver, step)
        values = page.locator("#learn-step [data-learn]")
        visible = {one.get_attribute("data-learn") for one in values.all() if one.is_visible()}
        assert visible <= given, step
        assert not page.locator(".learn-said").is_visible()
        assert page.locator("#learn-status").inner_text().endswith(LESSON_STEPS[step].idea), "nor is it read out"
        assert not page.locator(".learn-lit").count()
        for _ in range(page.locator(".learn-reveal:visible").count()):
            page.locator(".learn-reveal:visible").first.press("Enter")
        assert page.locator(".learn-reveal:visible").count() == 0
        assert all(one.is_visible() for one in values.all())
        assert page.locator(".learn-said").is_visible()
    page.locator("#learn-predict").uncheck()
    assert page.locator(".learn-said").is_visible()


def test_any_result_can_be_taught_and_a_link_leads_to_its_step(local: Driver):
    page = local.write("שלום עולם טוב", ["שלום עולם", "hello world"]).page
    local.choose("order", "2")
    teach(local, page.locator("#teach").click)
    assert page.locator("#learn-lesson").input_value() == "own"
    one = score_sentence("שלום עולם טוב", ["שלום עולם", "hello world"], Recipe.named("paper").replace(order=2))
    go(local, "combine")
    assert shown(local)["score"] == one.printed
    assert page.locator(".learn-ways tbody tr").first.locator("td").count() == 3
    go(local, "clip")
    page.locator("#learn-share").click()
    page.get_by_text("Link copied; your texts are part of it.").wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "#s=" in link
    page.goto("about:blank")
    teach(local, lambda: page.goto(link))
    assert (title(local), shown(local)["matches"]) == ("3 Clip", str(one.stats.matches[0]))
    assert page.locator(".learn-slots strong").first.evaluate("(one) => getComputedStyle(one).direction") == "rtl"
    teach(local, page.locator("#learn-next").click)
    assert not address(local).startswith("#s="), "a link gives way when another step is shown"

    page.locator("#tab-segment").click()
    local.choose_recipe(Recipe.named("chrf"))
    teach(local, page.locator("#teach").click)
    expect(page.get_by_text("The recipe at hand is one of chrF: the paper's BLEU takes its place.")).to_be_visible()
    assert local.problem == ""
    expect(page.locator("#learn-step h2")).to_be_in_viewport()
    expect(page.locator("#learn-step")).to_be_focused()
    local.to_corpus().paste_lines(["a b c d", "e f g h"], ["a b c d", "e f g x"])
    page.locator("#base").select_option("paper")
    teach(local, page.locator("#teach").click)
    go(local, "corpus")
    assert shown(local)["result"] == score(["a b c d", "e f g h"], ["a b c d", "e f g x"], "paper").printed
    for mode in ("compare", "reconcile", "identify"):
        page.locator(f"#tab-{mode}").click()
        teach(local, page.locator("#teach").click)
        go(local, "corpus")
        assert shown(local)["result"] == score(["a b c d", "e f g h"], ["a b c d", "e f g x"], "paper").printed, mode
    local.to_corpus().paste_lines(["a"] * 13, ["a"] * 13)
    teach(local, page.locator("#teach").click)
    assert local.problem.startswith("lesson: expected 1 to 12 segments, which fit a screen, got 13.")
    expect(page.locator("#problem")).to_be_in_viewport()
    assert page.locator("#tab-corpus").get_attribute("aria-selected") == "true", "it is said where the texts are"


def test_a_built_in_step_has_a_short_link_and_other_texts_can_be_typed(driver: Driver):
    page = enter(driver, "seven", "clip").page
    page.locator("#learn-share").click()
    page.get_by_text("Link copied.", exact=True).wait_for()
    assert page.evaluate("() => navigator.clipboard.readText()").endswith("/#learn/seven/clip")
    go(driver, "tokenise")
    page.locator(".learn-own summary").click()
    page.locator("#learn-candidate").fill("a b c")
    page.locator("#learn-references").fill("a b d\n\na c")
    teach(driver, page.locator("#learn-use").click)
    assert shown(driver) == {"c": "3", "r1": "3", "r2": "2"}
    page.locator("#learn-candidate").evaluate("(box) => (box.value = 'a '.repeat(400))")
    page.locator(".learn-own summary").click()
    teach(driver, page.locator("#learn-use").click)
    assert driver.problem.startswith("lesson: expected texts of at most 600 characters")
    assert shown(driver)["c"] == "3", "what is shown stays"


def test_a_projector_shows_the_lesson_alone_and_large(served: Host, new_driver: MakeDriver):
    driver = new_driver(served, viewport={"width": 1920, "height": 1080}, reduced_motion="reduce").open()
    page = enter(driver, "seven", "clip").page
    size = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    small = page.locator(".learn-idea").evaluate(size)
    assert page.locator(".learn-ball").first.evaluate("(one) => getComputedStyle(one).animationName") == "none"
    page.keyboard.press("PageDown")
    assert title(driver) == "3 Clip", "elsewhere this key scrolls"
    page.locator("#learn-project").click()
    assert page.locator(".learn-idea").evaluate(size) > 1.4 * small
    assert not any(page.locator(part).is_visible() for part in (".private", ".help", "#tab-learn", "footer"))
    page.locator("#learn-step").focus()
    for step in ALL_STEPS[3:]:
        teach(driver, lambda: page.keyboard.press("PageDown"))
        assert address(driver) == f"#learn/seven/{step}"
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight"), "one screen to a step"
    page.locator("#learn-project").click()
    assert page.locator(".private").is_visible()
    page.emulate_media(reduced_motion="no-preference")
    go(driver, "clip")
    assert page.locator(".learn-ball").first.evaluate("(one) => getComputedStyle(one).animationName") == "learn-fall"


@pytest.mark.parametrize("look", [*LOOKS, "wide, every step"])
def test_axe_finds_nothing_in_any_step_and_nothing_is_wider_than_the_window(
    served: Host, new_driver: MakeDriver, axe_source: str, keep_picture, look: str
):
    driver = new_driver(served, **LOOKS.get(look, {})).open()
    page = driver.page
    driver.write("القطة على السجادة في البيت", ["القطة تجلس على السجادة", "كانت القطة على السجادة"])
    page.evaluate(axe_source)
    teach(driver, page.locator("#teach").click)
    for step in ["clip"] if look == "wide" else ALL_STEPS:
        go(driver, step)
        keep_picture(page, f"learn-{step}-{look}")
        check_with_axe(driver)
        assert page.evaluate(WIDER) == [True, []], step
    page.locator("#learn-predict").check()
    page.locator("#learn-project").click()
    check_with_axe(driver)
    for step in ["corpus"] if look == "wide" else ALL_STEPS:
        go(driver, step)
        assert page.evaluate(WIDER) == [True, []], step
