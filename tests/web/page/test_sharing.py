"""What a result can be taken away as: a link, a file, a printed page, a signature."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from bleuprint import Recipe, explain, score_sentence
from bleuprint.render import render
from bleuprint.render.json import render_json
from bleuprint.web.limits import MOST_CHARACTERS
from bleuprint.web.site import SNAPSHOT
from page.driver import PASTE, Driver, Host, MakeDriver, expected
from page.links import FOLLOW, first_alone, fragment

OWN = Recipe.named("paper").replace(tokenizer="13a", case="lower", weights=[0.5, 0.5], smoothing="floor(0.25)")
CANDIDATE, REFERENCES = "The cat 🙂 <b>sat</b>, שלום", ["the cat sat", "A cat\nsat", ""]


def clipboard(driver: Driver) -> str:
    return str(driver.page.evaluate("() => navigator.clipboard.readText()"))


def test_a_link_restores_everything(host: Host, new_driver: MakeDriver):
    driver = new_driver(host).open()
    driver.write(CANDIDATE, REFERENCES).choose_recipe(OWN)
    shown, controls = driver.read(), driver.controls()
    assert shown["signature"] == str(OWN)
    driver.page.locator("#share").click()
    driver.page.get_by_text("Link copied; your texts are part of it.").wait_for()
    link = clipboard(driver)
    assert link == driver.page.url
    assert link.startswith(f"{host.url}#s=")

    driver.page.goto("about:blank")
    driver.page.goto(link)
    driver.await_engine()
    assert driver.settle().read() == shown
    assert driver.page.locator("#candidate").input_value() == CANDIDATE
    assert driver.references() == REFERENCES
    assert driver.controls() == controls


def test_a_link_with_full_boxes_works(driver: Driver):
    text = "wörd " * (MOST_CHARACTERS // 5)
    driver.write(text, [text])
    assert driver.problem == ""
    assert driver.read()["totals-1"] == "10000"
    driver.page.locator("#share").click()
    driver.page.get_by_text("Link copied").wait_for()
    link = driver.page.url
    driver.page.goto("about:blank")
    driver.page.goto(link)
    driver.await_engine()
    assert driver.settle().read()["bleu-100"] == "100.00"
    assert driver.page.locator("#candidate").input_value() == text


LINES = (["The cat 🙂 <b>sat</b>", "", "שלום a b c d"], ["the cat sat", "x", "שלום a b c d e"])


def open_link(driver: Driver, link: str) -> Driver:
    """Open a link to a corpus, and wait until it is scored."""
    driver.page.goto("about:blank")
    driver.page.goto(link)
    driver.await_engine().page.locator("body[data-corpus]").wait_for()
    return driver


def share(driver: Driver) -> str:
    driver.page.locator("#share").click()
    driver.page.get_by_text("Link copied; your texts are part of it.").wait_for()
    assert clipboard(driver) == driver.page.url
    return driver.page.url


@pytest.mark.extended  # odd lines in the link that the tests of a corpus follow
def test_a_link_restores_pasted_lines_of_a_corpus(host: Host, new_driver: MakeDriver):
    recipe = Recipe.named("nltk").replace(case="lower")
    driver = new_driver(host).open().choose_recipe(recipe).to_corpus().paste_lines(*LINES).score_corpus()
    shown, controls, table = driver.read(), driver.controls(), driver.table(".bp-segments")
    assert shown["signature"] == str(recipe)
    open_link(driver, share(driver))
    assert driver.read() == shown
    assert driver.table(".bp-segments") == table
    assert driver.controls() == controls
    assert driver.page.locator("#corpus-candidate").input_value() == "\n".join(LINES[0])
    assert driver.page.locator("#corpus-reference").input_value() == "\n".join(LINES[1])
    assert driver.page.locator("#tab-corpus").get_attribute("aria-selected") == "true"


def test_a_link_restores_the_files_of_a_corpus(host: Host, new_driver: MakeDriver):
    driver = new_driver(host).open().to_corpus()
    texts = {"<i>a</i>.txt": "\ufeffthe cat is on mat\r\nit rains\r\n", "b.txt": "the cat is on the mat\nit rains"}
    files = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in texts.items()]
    driver.page.locator("#corpus-files").set_input_files(files)
    driver.page.locator("#corpus-list li").nth(1).wait_for()
    shown = driver.score_corpus().read()
    open_link(driver, share(driver))
    assert driver.read() == shown
    assert driver.page.locator("#corpus-list li").all_inner_texts() == list(texts)
    assert driver.page.locator("#corpus-candidate").is_disabled()
    assert driver.page.locator("#corpus-clear").is_visible()


@pytest.mark.extended  # so are long files where they are missed after a reload
def test_texts_that_do_not_fit_a_link_are_said_to(host: Host, new_driver: MakeDriver):
    driver = new_driver(host).open().to_corpus()
    driver.page.evaluate(PASTE, {"corpus-candidate": "word " * 160_000})
    driver.page.locator("#share").click()
    refusal = "No link was made: it carries the texts, at most 1,000,000 characters, and would need 1,066,"
    driver.page.get_by_text(refusal).wait_for()
    assert driver.page.url == f"{host.url}#corpus"
    driver.page.evaluate(PASTE, {"corpus-candidate": "word " * 140_000})
    share(driver)


def test_a_file_that_is_not_utf_8_is_in_no_link(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open().to_corpus()
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"\xff"}
    driver.page.locator("#corpus-files").set_input_files([file])
    driver.page.locator("#corpus-list li").wait_for()
    driver.page.locator("#share").click()
    driver.page.locator("#said", has_text="a.txt: expected UTF-8").wait_for()
    assert driver.page.url == f"{served.url}#corpus"


@pytest.mark.extended  # old links to every mode are opened so
def test_a_link_that_is_opened_in_the_same_tab(host: Host, new_driver: MakeDriver):
    driver = new_driver(host).open()
    files = [{"name": "candidate lines", "text": "a b c d"}, {"name": "reference lines", "text": "a b c d"}]
    corpus = {"files": files, "pasted": True, "recipe": {"base": "paper"}}
    driver.await_corpus(lambda: driver.page.goto(host.url + fragment(corpus)))
    assert driver.read()["bleu-100"] == "100.00"
    segment = {"candidate": "x", "references": ["y"], "recipe": {"base": "nltk"}}
    driver.page.goto(host.url + fragment(segment))
    driver.page.locator("#mode-segment").wait_for()
    assert driver.settle().read()["bleu-100"] == "0.00"
    assert driver.signature == str(Recipe.named("nltk"))


def test_until_a_link_is_read_the_result_is_not_the_one_that_was_asked_for(served: Host, new_driver: MakeDriver):
    driver, held = new_driver(served), []
    driver.page.route("**/links.js", lambda route: held.append(route))
    driver.page.goto(served.url + fragment({"candidate": "x", "references": ["y"], "recipe": {"base": "nltk"}}))
    driver.await_engine()
    expect(driver.page.locator("#result")).to_have_attribute("aria-busy", "true")
    held.pop().continue_()
    assert driver.settle().signature == str(Recipe.named("nltk"))


def test_a_corpus_link_that_is_left_before_it_is_scored_does_not_replace_the_segment(
    static: Host, new_driver: MakeDriver
):
    driver = new_driver(static)
    files = [{"name": "candidate lines", "text": "a b c d"}, {"name": "reference lines", "text": "a b c d"}]
    held: list[Route] = []
    driver.page.context.route(f"**/{SNAPSHOT}", lambda route: held.append(route))
    driver.page.goto(static.url + fragment({"files": files, "pasted": True, "recipe": {"base": "paper"}}))
    driver.page.locator("#tab-corpus[aria-selected=true]").wait_for()
    driver.page.locator("#tab-segment").click()
    for _ in range(200):
        if held:
            break
        driver.page.wait_for_timeout(50)
    held[0].continue_()
    driver.await_engine().settle()
    assert driver.page.locator("#candidate").input_value() == "the cat is on mat"
    assert driver.page.evaluate("() => document.body.dataset.corpus") is None


DAMAGED = [
    "#s=", "#s=%%%", "#s=AAAA", "#s=a",
    fragment(b"\xff\xfe"), fragment(None), fragment([]), fragment({}),
    fragment({"candidate": 1, "references": ["x"], "recipe": {"base": "paper"}}),
    fragment({"candidate": "x", "references": [], "recipe": {"base": "paper"}}),
    fragment({"candidate": "x", "references": ["x"] * 21, "recipe": {"base": "paper"}}),
    fragment({"candidate": "x", "references": [None], "recipe": {"base": "paper"}}),
    fragment({"candidate": "x", "references": ["x"], "recipe": None}),
    fragment({"files": [], "pasted": False, "recipe": {"base": "paper"}}),
    fragment({"files": [{"name": "a", "text": "x"}], "pasted": True, "recipe": {"base": "paper"}}),
    fragment({"files": [{"name": "a", "text": 1}], "pasted": False, "recipe": {"base": "paper"}}),
    fragment({"files": [None], "pasted": False, "recipe": {"base": "paper"}}),
    fragment({"files": [{"name": "a", "text": "x"}], "pasted": False}),
    fragment({"segments": [["x", ["x"]]], "recipe": {"base": "paper"}}),
    fragment({"mode": "learn", "candidate": "x", "references": ["x"], "recipe": {"base": "paper"}}),
    fragment({"candidate": "x", "references": ["x"], "recipe": {"base": "paper"}})[:-9],
]  # fmt: skip
SOME_AND_ALL = pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.extended)])


def check_first_example(driver: Driver) -> None:
    assert driver.read() == expected(explain("the cat is on mat", "the cat is on the mat", "paper").to_dict())
    assert driver.page.locator("#candidate").input_value() == "the cat is on mat"


SAID = "link: expected texts and a recipe behind #s=, got something damaged or cut short. Ask for the link again."


def check_said(driver: Driver) -> None:
    """What reads a link comes with the first one: the page says what it finds after that."""
    expect(driver.page.locator("#problem:visible")).to_have_text(SAID)


@pytest.mark.parametrize("damaged", first_alone(DAMAGED))
def test_a_damaged_link_says_so_and_the_page_opens_with_its_first_example(
    served: Host, new_driver: MakeDriver, damaged: str
):
    driver = new_driver(served).open(damaged)
    check_said(driver)
    check_first_example(driver)
    driver.page.reload()
    driver.await_engine()
    check_said(driver)
    check_first_example(driver)
    driver.page.locator("#candidate").fill("the cat")
    assert driver.settle().problem == ""


@SOME_AND_ALL
def test_a_damaged_link_is_told_by_a_page_that_is_open_and_changes_nothing(
    served: Host, new_driver: MakeDriver, every: int
):
    driver = new_driver(served).open()
    for damaged in DAMAGED[::every]:
        driver.page.evaluate("() => document.getElementById('problem').textContent = ''")
        driver.page.evaluate(FOLLOW, damaged)
        check_said(driver)
        driver.page.evaluate(FOLLOW, "#result")
        assert driver.page.locator("#candidate").input_value() == "the cat is on mat", damaged
    for name in ("corpsu", "constructor"):
        driver.page.evaluate(FOLLOW, f"#{name}")
        assert driver.problem == f"address: expected the name of a mode behind #, got “{name}”. Nothing was changed."
    check_first_example(driver.settle())
    driver.page.evaluate(FOLLOW, "#corpus")
    assert driver.page.locator("#tab-corpus").get_attribute("aria-selected") == "true"
    assert driver.problem == ""


RECIPES = [
    {"base": "nonsense"}, {"base": "bleuprint:1|N:x"}, {"base": "x" * 5000}, {"base": "paper", "order": "inf"},
    {"base": "paper", "order": "nan"}, {"base": "paper", "order": [4]}, {"base": "paper", "order": 1.5},
    {"base": "paper", "weights": 5}, {"base": "paper", "weights": ["a"]}, {"base": "paper", "weights": {"a": 1}},
    {"base": "paper", "weights": "nan"}, {"base": "paper", "smoothing": 5}, {"base": "paper", "smoothing": {}},
    {"base": "paper", "tokenizer": []}, {"base": "paper", "tokenizer": "pretokenized"},
    {"base": "paper", "case": {"x": 1}},
]  # fmt: skip


def check_problem(driver: Driver, recipe: dict[str, object]) -> None:
    """The page must say what it cannot use."""
    assert driver.problem, recipe
    assert "fault" not in driver.problem, recipe


def check_recovery(driver: Driver, recipe: dict[str, object]) -> None:
    driver.select("base", "sacrebleu")
    assert driver.settle().problem == "", recipe
    assert driver.signature == str(Recipe.named("sacrebleu")), recipe


@pytest.mark.parametrize("recipe", first_alone(RECIPES), ids=lambda recipe: str(recipe)[:50])
def test_a_link_with_a_recipe_that_is_none_is_a_clear_problem_and_the_page_recovers(
    served: Host, new_driver: MakeDriver, recipe: dict[str, object]
):
    driver = new_driver(served).open(fragment({"candidate": "a", "references": ["a"], "recipe": recipe}))
    check_problem(driver, recipe)
    check_recovery(driver, recipe)


@SOME_AND_ALL
def test_a_page_that_is_open_recovers_from_a_link_with_a_recipe_that_is_none(
    served: Host, new_driver: MakeDriver, every: int
):
    driver = new_driver(served).open()
    for place, recipe in enumerate(RECIPES[::every]):
        link = fragment({"candidate": str(place), "references": ["a"], "recipe": recipe})
        driver.page.evaluate("() => (document.getElementById('problem').textContent = '')")
        driver.page.evaluate(FOLLOW, link)
        expect(driver.page.locator("#problem:visible")).not_to_be_empty()
        check_problem(driver, recipe)
        assert driver.page.locator("#candidate").input_value() == str(place)
    check_recovery(driver, RECIPES[-1])


@pytest.mark.parametrize("host", ["static"], indirect=True)
def test_python_in_the_browser_says_what_it_cannot_use_in_a_link_and_the_page_recovers(driver: Driver):
    mecab = Recipe.named("paper").replace(tokenizer="ja-mecab").choice("tokenizer")
    for axis, choice, words in (
        ("order", "inf", "N: "),
        ("tokenizer", mecab, "ja-mecab"),
        ("tokenizer", "treebank", "treebank"),
    ):
        recipe = {"base": "paper", axis: choice}
        driver.page.evaluate(FOLLOW, fragment({"candidate": "a", "references": ["a"], "recipe": recipe}))
        expect(driver.page.locator("#problem:visible")).to_contain_text(words)
        check_recovery(driver, recipe)


@pytest.mark.extended
def test_a_link_with_a_recipe_that_is_none_does_not_stop_python_in_the_browser(static: Host, new_driver: MakeDriver):
    recipe = {"base": "paper", "order": "inf"}
    driver = new_driver(static).open(fragment({"candidate": "a", "references": ["a"], "recipe": recipe}))
    assert driver.problem
    assert "Python stopped" not in driver.problem


@pytest.mark.extended
def test_a_link_with_a_tokenizer_that_the_browser_cannot_run_says_so_and_the_page_recovers(
    static: Host, new_driver: MakeDriver
):
    driver = new_driver(static)
    for tokenizer in (Recipe.named("paper").replace(tokenizer="ja-mecab").choice("tokenizer"), "treebank"):
        recipe = {"base": "paper", "tokenizer": tokenizer}
        driver.open(fragment({"candidate": "a", "references": ["a"], "recipe": recipe}))
        assert tokenizer.partition("(")[0] in driver.problem
        driver.select("base", "sacrebleu")
        assert driver.settle().problem == ""
        assert driver.signature == str(Recipe.named("sacrebleu"))


def test_the_signature_is_copied(driver: Driver):
    driver.select("base", "nltk-method3")
    driver.settle().page.locator("#copy-signature").click()
    driver.page.get_by_text("Signature copied.").wait_for()
    assert clipboard(driver) == str(Recipe.named("nltk-method3"))
    assert Recipe.parse(clipboard(driver)) == Recipe.named("nltk-method3")


def test_without_a_clipboard_the_text_to_copy_is_shown(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open()
    driver.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    driver.page.locator("#copy-signature").click()
    shown = driver.page.get_by_text(f"Copy it from here: {Recipe.named('paper')}")
    shown.wait_for()
    assert shown.count() == 1


def test_the_exports_are_the_librarys(driver: Driver):
    candidate, references = "the cat 🙂 <b>sat</b> | שלום", ["the cat sat", "A cat sat"]
    driver.write(candidate, references).choose_recipe(OWN)
    explanation = explain(score_sentence(candidate, references, OWN))
    for format_, suffix, wanted in (
        ("json", "json", render_json(explanation.to_dict())),
        ("csv", "csv", render(explanation, "csv")),
        ("markdown", "md", render(explanation, "markdown")),
    ):
        with driver.page.expect_download() as downloading:
            driver.page.locator(f".export[data-format={format_}]").click()
        assert downloading.value.suggested_filename == f"bleuprint.{suffix}"
        assert Path(downloading.value.path()).read_bytes().decode("utf-8") == wanted


def test_print_shows_the_result_without_the_form(driver: Driver):
    driver.page.emulate_media(media="print")
    try:
        for gone in (".inputs", ".modes", "#print", ".help", "footer", "#copy-signature"):
            assert not driver.page.locator(gone).first.is_visible(), gone
        for kept in ("[data-testid=bleu-100]", "[data-testid=signature]", "#derivation-html", "#ngrams-html"):
            assert driver.page.locator(kept).is_visible(), kept
    finally:
        driver.page.emulate_media(media="screen")


TOO_WIDE = """() => {
    const edge = document.documentElement.clientWidth;
    const parts = [...document.querySelectorAll(".bp-explanation :is(table, svg, math), .bp-scroll")];
    return parts.filter((part) => part.checkVisibility() && (part.getBoundingClientRect().right > edge + 1
        || (getComputedStyle(part).overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1)))
        .map((part) => part.outerHTML.slice(0, 200));
}"""
BROKEN = """() => [...document.querySelectorAll(".bp-segment-page :is(th, td):not(.bp-snippet)")].filter((cell) => {
    const words = new Range();
    words.selectNodeContents(cell);
    return /^[\\d./]+$/.test(cell.textContent) && new Set([...words.getClientRects()].map(({ top }) => top)).size > 1;
}).map((cell) => cell.textContent)"""
"""Numbers that go on in another line."""
PAPER_WIDTH = 680
"""An A4 sheet between usual margins, in CSS pixels."""


@pytest.mark.parametrize("mode", ["segment", "corpus", "compare", "reconcile", "groups", "identify"])
def test_no_column_is_cut_off_in_print(served: Host, new_driver: MakeDriver, mode: str):
    driver = new_driver(served, viewport={"width": PAPER_WIDTH, "height": 900}).open()
    page = driver.page
    if mode == "segment":
        driver.write("the ferry leaves at noon " * 4, [f"the ferry {number} departs at noon" for number in range(12)])
        page.emulate_media(media="print")
        assert page.evaluate(TOO_WIDE) == []
        page.emulate_media(media="screen")
        driver.select("base", "chrf++")
        driver.settle()
    elif mode == "corpus":
        driver.to_corpus().choose("order", "9")
        driver.paste_lines(["the ferry leaves at noon from the old pier"] * 60, ["the ferry leaves at noon"] * 60)
        driver.score_corpus()
    else:
        page.locator(f"#tab-{'reconcile' if mode == 'groups' else mode}").click()
        if mode == "compare":
            driver.paste_lines(["a b c d e f"] * 3, ["a b c x e f"] * 3)
            page.locator("#rivals textarea").fill("a b c d\n" * 3)
        if mode == "identify":
            page.locator("#reported").fill("57.89")
        page.locator("#reconcile-all" if mode == "groups" else f"#{mode}-run").click()
        page.locator("body[data-worked]").wait_for()
    page.emulate_media(media="print")
    assert page.evaluate(TOO_WIDE) == []
    if mode == "corpus":
        assert page.get_by_text("60 segments; 1 to 50 are shown").is_visible(), "what is not printed is said"
        assert not page.get_by_role("button", name="Next").is_visible()
        assert not page.locator(".bp-find").is_visible()
        assert page.locator(".bp-bin svg").last.is_visible()
        assert page.evaluate(BROKEN) == []


def test_print_is_dark_on_white_also_where_the_screen_is_dark(served: Host, new_driver: MakeDriver):
    driver = new_driver(served, color_scheme="dark").open()
    colours = "(part) => [getComputedStyle(part).color, getComputedStyle(part).backgroundColor]"
    on_screen = driver.page.locator("#result").evaluate(colours)
    driver.page.emulate_media(media="print", color_scheme="dark")
    assert driver.page.locator("#result").evaluate(colours) == ["rgb(28, 39, 51)", "rgb(255, 255, 255)"] != on_screen


def test_the_print_button_prints(driver: Driver):
    driver.page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
    driver.page.locator("#print").click()
    driver.await_scripts()
    assert driver.page.evaluate("() => window.printed") == 1
