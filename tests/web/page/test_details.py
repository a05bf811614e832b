"""Below the headline: the derivation with the user's own numbers, texts with their marks, n-gram tables, dialects."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bleuprint import Recipe, explain, score_sentence
from page.driver import Driver, Host, MakeDriver, token

CANDIDATE = "the cat the the sat on a mat"
REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]
MARKED = """(side) => [...document.querySelectorAll(`[data-side="${side}"] .bp-token`)]
    .flatMap((token, place) => (token.classList.contains("bp-here") ? [place] : []))"""


def marked(driver: Driver) -> dict[str, list[int]]:
    """The places of the tokens that are marked, on each side."""
    driver.await_scripts()
    sides = ["candidate", *(f"reference-{number}" for number in range(len(driver.references())))]
    return {side: driver.page.evaluate(MARKED, side) for side in sides}


def ngram(driver: Driver, order: int, text: str):
    if order > 1:
        driver.page.locator(f"#ngrams-html details[data-order='{order}']").evaluate("(one) => (one.open = true)")
    return driver.page.locator(f".bp-ngram[data-order='{order}']").get_by_text(text, exact=True)


def test_the_four_steps_carry_the_users_own_numbers_and_the_picture_of_losses_adds_up(driver: Driver):
    driver.write("the cat is on mat", ["the cat is on the mat"])
    steps = driver.page.locator("#derivation-html li")
    assert [title.strip() for title in steps.locator("h4").all_inner_texts()] == [
        "Tokenise", "Clip", "Brevity penalty", "Combine",
    ]  # fmt: skip
    said = steps.first.inner_text()
    assert "tokenizer whitespace" in said
    assert "str." not in said, "the page does not speak Python"
    picture = driver.page.locator(".bp-losses > svg")
    widths = picture.locator("rect").evaluate_all("(all) => all.map((one) => +one.getAttribute('width'))")
    assert sum(widths) == pytest.approx(600, abs=0.1)
    points = [float(text) for text in driver.page.locator(".bp-losses .bp-legend strong").all_inner_texts()]
    assert sum(points) == pytest.approx(100, abs=0.05)
    assert picture.get_attribute("role") == "img"
    assert "brevity" in (picture.get_attribute("aria-label") or "")

    lines = driver.page.locator("#derivation-html :is(mtr, math:not(:has(mtr)))")
    formulas = ["".join(text.split()) for text in lines.all_text_contents()]
    assert formulas[:4] == ["p1=55=1.0000", "p2=34=0.7500", "p3=23=0.6667", "p4=12=0.5000"]
    assert formulas[4] == "BP=e1−r/c=e1−6/5=0.8187"
    assert formulas[-1] == "BLEU-4=BP·mean=0.8187·0.7071=0.5789"
    signs = driver.page.locator("#derivation-html mtable").last.locator("mtr mtd:last-child > mo:first-child").all()
    assert len({sign.bounding_box()["x"] for sign in signs}) == 1, "equations stand below each other at ="
    assert driver.page.locator("#derivation-html math").first.evaluate("(math) => math.namespaceURI").endswith("MathML")


PLACES = [
    (1, "the", {"candidate": [0, 2, 3], "reference-0": [0, 4], "reference-1": [5]}),
    (1, "sat", {"candidate": [4], "reference-0": [], "reference-1": []}),
    (1, "there", {"candidate": [], "reference-0": [], "reference-1": [0]}),
    (2, "the cat", {"candidate": [0, 1], "reference-0": [0, 1], "reference-1": []}),
    (3, "on the mat", {"candidate": [], "reference-0": [3, 4, 5], "reference-1": [4, 5, 6]}),
]


def test_pointing_at_an_ngram_and_tabbing_to_it_marks_its_places(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    for order, text, places in PLACES:
        button = ngram(driver, order, text)
        button.hover()
        assert marked(driver) == places
        driver.page.locator("h1").hover()
        assert not any(marked(driver).values())

        # Tab to it from the control before it.
        button.focus()
        driver.page.keyboard.press("Shift+Tab")
        assert marked(driver) != places
        driver.page.keyboard.press("Tab")
        assert button.evaluate("(one) => one === document.activeElement")
        assert marked(driver) == places
        driver.page.locator("#candidate").focus()
        assert not any(marked(driver).values())


def test_a_pointer_that_passes_leaves_the_mark_of_what_has_the_focus(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    button = ngram(driver, 1, "the")
    button.focus()
    places = marked(driver)
    assert places["candidate"] == [0, 2, 3]
    style = driver.page.locator(".bp-here").first.evaluate("(one) => getComputedStyle(one).outlineStyle")
    assert style != "none", "the mark can be seen"
    driver.page.locator("#ngrams-html").get_by_text("sat", exact=True).hover()
    assert marked(driver)["candidate"] == [4]
    driver.page.locator("h1").hover()
    assert marked(driver) == places


ROWS = """() => [...document.querySelectorAll("#ngrams-html tr.bp-here")]
    .map((row) => row.cells[0].textContent.trim())"""


def shading(driver: Driver, name: str):
    return driver.page.get_by_role("radio", name=name, exact=True)


def test_pointing_at_a_token_marks_its_places_and_its_row_and_the_order_shown_says_how_much_of_it(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    token(driver, "reference-1", 5).hover()
    assert marked(driver) == {"candidate": [0, 2, 3], "reference-0": [0, 4], "reference-1": [5]}
    assert driver.page.evaluate(ROWS) == ["the"]
    ngram(driver, 1, "sat").hover()
    assert driver.page.evaluate(ROWS) == ["sat"]

    # By keyboard: a text is one stop of the tab key, and the arrows go through it.
    driver.page.locator(".bp-shading :checked").focus()
    driver.page.locator("h1").hover()
    driver.page.keyboard.press("Tab")
    for key, places in {"ArrowRight": [1], "ArrowLeft": [0, 2, 3], "End": [7], "Home": [0, 2, 3]}.items():
        driver.page.keyboard.press(key)
        assert marked(driver)["candidate"] == places
    driver.page.keyboard.press("Tab")
    assert marked(driver) == {"candidate": [0, 2, 3], "reference-0": [0, 4], "reference-1": [5]}, "the first reference"

    shading(driver, "2-grams").check()
    driver.page.locator("#texts-html").get_by_text("part of a 2-gram that counts").wait_for()
    token(driver, "reference-0", 0).hover()
    assert marked(driver) == {"candidate": [0, 1], "reference-0": [0, 1], "reference-1": []}
    token(driver, "reference-0", 5).hover()
    assert marked(driver)["reference-0"] == [4, 5], "the last one reaches no further"
    ngram(driver, 2, "the cat")
    token(driver, "candidate", 0).hover()
    assert driver.page.evaluate(ROWS) == ["the cat"]


def test_the_texts_are_shaded_by_one_order(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    evidence = explain(score_sentence(CANDIDATE, REFERENCES, "paper")).evidence
    read = "(all) => all.map((one) => [one.className.split(' ')[1].slice(3), +one.dataset.match])"
    for order in (1, 2, 3, 4):
        shading(driver, f"{order}-grams").check()
        driver.page.locator("#texts-html").get_by_text(f"part of a {order}-gram that counts").wait_for()
        views = [evidence.candidate_view_of(order), *evidence.reference_views_of(order)]
        for side, view in zip(["candidate", "reference-0", "reference-1"], views, strict=True):
            shown = driver.page.locator(f"[data-side={side}] .bp-token").evaluate_all(read)
            assert shown == [[part.status, part.longest_match] for part in view]
    assert shading(driver, "4-grams").evaluate("(one) => one === document.activeElement")
    driver.choose("order", "2")
    assert shading(driver, "longest").is_checked(), "there are no 4-grams any more"
    shading(driver, "2-grams").check()
    driver.page.locator("#candidate").fill("the cat")
    assert shading(driver.settle(), "2-grams").is_checked()


def test_an_ngram_of_characters_is_marked_in_the_texts(driver: Driver):
    driver.write("on a mat", ["on the mat"]).select("base", "chrf")
    third = driver.settle().page.locator("#ngrams-html details[data-order='3']")
    third.evaluate("(one) => (one.open = true)")
    third.get_by_role("button", name="mat", exact=True).hover()
    lit = "() => [...CSS.highlights.get('bp-here')].map(String)"
    assert driver.await_scripts().page.evaluate(lit) == list("matmat")
    driver.page.locator("h1").hover()
    assert driver.page.evaluate("() => CSS.highlights.has('bp-here')") is False
    driver.page.locator(".bp-shading").get_by_label("3", exact=True).check()
    driver.page.locator("#texts-html").get_by_text("part of 3 characters that count together").wait_for()
    assert driver.page.locator("[data-side=candidate] .bp-matched").all_inner_texts() == ["mat"]

    # A character of a text has no element of its own.
    point_at(driver, "[data-side=candidate] .bp-matched", 0)
    assert driver.page.evaluate(lit) == list("matmat"), "with the two after it, as 3 are shaded"
    assert driver.page.evaluate(ROWS) == ["mat"]
    driver.page.locator(".bp-shading").get_by_label("longest").check()
    driver.page.locator("#texts-html").get_by_text("the number is the length").wait_for()
    point_at(driver, "[data-side^=reference] .bp-run >> text=mat", 1)
    assert driver.page.evaluate(lit) == list("aaa")
    assert driver.page.evaluate(ROWS) == ["a"]


POINT = """(run, place) => {
    const walker = document.createTreeWalker(run, NodeFilter.SHOW_TEXT), range = new Range();
    const node = walker.nextNode();
    range.setStart(node, place);
    range.setEnd(node, place + 1);
    const { x, y, width, height } = range.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


def point_at(driver: Driver, run: str, place: int) -> None:
    """Point at the middle of a character."""
    driver.page.locator(run).scroll_into_view_if_needed()
    driver.page.mouse.move(*driver.page.locator(run).evaluate(POINT, place))


def test_an_alignment_goes_from_right_to_left_where_its_words_do(driver: Driver):
    driver.select("base", "ter")
    for reference, candidate, turned in [
        ("the cat sat. here", "the dog sat. here", False), ("אכל הילד תפוח.", "אכל ילד תפוח.", True),
    ]:  # fmt: skip
        driver.settle().write(candidate, [reference])
        words = driver.page.locator(".bp-alignment tbody tr")
        assert words.locator("td:first-child").all_inner_texts() == reference.split()
        places = [word.bounding_box()["x"] for word in words.all()]
        assert places == sorted(places, reverse=turned)


def test_the_numbers_of_a_scale_do_not_overlap(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open()
    driver.select("base", "ter")
    driver.settle().write("a b c", ["d e f"])
    ticks = driver.page.locator("#dialects-html .bp-dots").first.locator(".bp-tick")
    assert "100.2" in ticks.all_text_contents()
    for width in (360, 718, 1249, 1400):
        driver.page.set_viewport_size({"width": width, "height": 800})
        boxes = [tick.bounding_box() for tick in ticks.all() if tick.is_visible()]
        shared = [left["x"] + left["width"] - right["x"] for left, right in pairwise(boxes) if right["x"] > left["x"]]
        assert max(shared) < 0, width


def test_a_very_long_word_breaks_wherever_it_stands(served: Host, new_driver: MakeDriver):
    driver = new_driver(served, viewport={"width": 360, "height": 640}).open()
    for name in ("paper", "chrf", "ter"):
        driver.select("base", name)
        driver.settle().write("a" * 400 + " b c d", ["a" * 400 + " b c e d"])
        assert driver.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), name


def test_a_word_of_an_alignment_is_marked_wherever_it_stands(driver: Driver):
    driver.write("on the mat the cat sat", ["the cat sat on the mat"]).select("base", "ter")
    driver.settle().page.locator("#what-if-html .bp-word", has_text="sat").wait_for()
    framed = "(all) => all.filter((one) => one.matches('.bp-here')).map((one) => one.textContent)"
    alignment, words, moves = (
        driver.page.locator(place) for place in (".bp-alignment td", "#what-if-html .bp-word", ".bp-move [data-word]")
    )
    alignment.get_by_text("cat", exact=True).first.hover()
    driver.await_scripts()
    assert alignment.evaluate_all(framed) == ["cat", "cat"]
    assert words.evaluate_all(framed) == ["cat"]
    assert moves.evaluate_all(framed) == ["cat"] * 2
    assert driver.page.locator(".bp-alignment tr.bp-here").count() == 1
    words.nth(1).focus()
    driver.page.locator("h1").hover()
    assert words.evaluate_all(framed) == ["the", "the"]
    assert set(alignment.evaluate_all(framed)) == {"the"}


def test_the_texts_stand_under_the_headline_and_signature_and_exports_at_the_end(driver: Driver):
    for name in ("paper", "chrf", "ter"):
        driver.select("base", name)
        driver.settle()
        order = [".bp-score", ".bp-texts", ".bp-orders, .bp-losses", ".bp-derivation", ".bp-dialects",
                 "[data-testid=signature]", "#share", ".help"]  # fmt: skip
        tops = [driver.page.locator(one).first.bounding_box()["y"] for one in order]
        assert tops == sorted(tops), name


def test_every_token_carries_its_status_and_longest_match_and_the_four_kinds_differ_by_more_than_colour(driver: Driver):
    driver.write(CANDIDATE, REFERENCES)
    evidence = explain(score_sentence(CANDIDATE, REFERENCES, "paper")).evidence
    read = "(all) => all.map((one) => [one.textContent, one.className.split(' ')[1].slice(3), +one.dataset.match])"
    for side, view in {"candidate": evidence.candidate_view, "reference-0": evidence.reference_views[0]}.items():
        tokens = driver.page.locator(f"[data-side={side}] .bp-token").evaluate_all(read)
        assert tokens == [[part.token, part.status, part.longest_match] for part in view]
    statuses = {part.status for view in (evidence.candidate_view, *evidence.reference_views) for part in view}
    assert statuses == {"matched", "clipped", "unmatched", "missed"}

    shape = """(one) => { const style = getComputedStyle(one), after = getComputedStyle(one, "::after");
        return [style.borderBottomStyle, style.fontStyle, style.textDecorationLine, style.textDecorationStyle,
                after.content].join(" "); }"""
    shapes = [driver.page.locator(f"#texts-html p .bp-{kind}").first.evaluate(shape) for kind in statuses]
    assert len(set(shapes)) == 4, shapes

    # So are the rows of the tables named.
    rows = {row[0]: row[1:] for row in driver.table("#ngrams-html [data-order='1'] .bp-ngram-page")}
    assert rows["the"] == ["3", "2", "1", "2", "2", "clipped"]
    assert rows["sat"] == ["1", "0", "0", "0", "0", "not in a reference"]
    assert rows["is"] == ["0", "1", "1", "1", "0", "missed"]
    assert rows["cat"] == ["1", "1", "1", "1", "1", ""]


def test_tables_of_ngrams_turn_their_pages(driver: Driver):
    words = [f"w{number}" for number in range(120)]
    driver.write(" ".join(words), [" ".join(words)])
    first = driver.page.locator("#ngrams-html details[data-order='1']")
    seen = [row[0] for row in driver.table("#ngrams-html [data-order='1'] .bp-ngram-page")]
    assert first.locator(".bp-pages span").inner_text() == "1–50 of 120"
    assert first.get_by_role("button", name="Previous").is_disabled()
    for shown in ("51–100 of 120", "101–120 of 120"):
        first.get_by_role("button", name="Next").click()
        first.locator(".bp-pages").get_by_text(shown).wait_for()
        seen += [row[0] for row in driver.table("#ngrams-html [data-order='1'] .bp-ngram-page")]
    assert seen == words
    assert first.get_by_role("button", name="Next").is_disabled()
    # By keyboard the focus stays in the table.
    first.get_by_role("button", name="Previous").focus()
    driver.page.keyboard.press("Enter")
    first.locator(".bp-pages").get_by_text("51–100 of 120").wait_for()
    assert first.evaluate("(one) => one.contains(document.activeElement)")
    for place, shown in ((110, "101–120 of 120"), (7, "1–50 of 120")):
        token(driver, "reference-0", place).hover()
        first.locator(".bp-pages").get_by_text(shown).wait_for()
        assert driver.page.evaluate(ROWS) == [f"w{place}"], "its row stood on another page"


def test_a_long_text_shows_its_first_tokens_and_all_on_demand(driver: Driver):
    words = " ".join(f"w{number}" for number in range(2_000))
    driver.write(words, ["w1"])
    tokens = driver.page.locator("[data-side=candidate] .bp-token")
    assert tokens.count() == 1_500
    driver.page.get_by_role("button", name="Show 500 more tokens").click()
    tokens.nth(1_999).wait_for()
    assert tokens.count() == 2_000


@pytest.mark.parametrize(
    "names", [["sacrebleu-sentence"], pytest.param(["huggingface", "bleuscore"], marks=pytest.mark.extended)]
)
def test_a_row_of_the_dialects_switches_the_recipe(driver: Driver, names: list[str]):
    driver.write(CANDIDATE, REFERENCES)
    for name in names:
        driver.page.get_by_role("button", name=name, exact=True).click()
        assert driver.settle().signature == str(Recipe.named(name))
        assert driver.page.locator("#base").input_value() == name
        assert driver.page.locator("#result").evaluate("(one) => one === document.activeElement")


def test_an_answer_that_comes_late_does_not_replace_a_newer_one(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open()
    held = []

    def hold(route) -> None:
        if '"slow text"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    driver.page.route("**/bridge", hold)
    driver.page.locator("#candidate").fill("slow text")
    driver.page.evaluate("() => new Promise((done) => setTimeout(done, 250))")
    driver.write("the cat is on the mat", ["the cat is on the mat"])
    assert held
    for route in held:
        route.continue_()
    driver.page.evaluate("() => new Promise((done) => setTimeout(done, 250))")
    assert driver.settle().read()["bleu-100"] == "100.00"
