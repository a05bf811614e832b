"""A journey through the page in Firefox and in WebKit, on both hosts; all of its behaviours are tried in Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium")

from bleuprint import Recipe, compare, explain, identify, reconcile, score, score_sentence
from bleuprint.render.json import render_json
from bleuprint.wording import format_score
from page.browsers import BROWSERS, Tab
from page.counting import BULK, KERNEL, MISSING, RECIPES
from page.driver import PATIENCE, READ, SETTLED, Host, expected
from page.hosts import SUBFOLDER, file_server, running

pytestmark = [
    pytest.mark.extended,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # Selenium about itself
]
EXAMPLES = Path(__file__).parents[3] / "examples"
A, B, R1 = (
    (EXAMPLES / name).read_text(encoding="utf-8").splitlines()[:9]
    for name in ("candidate-a.txt", "candidate-b.txt", "reference-1.txt")
)
DOWN, RIGHT, TAB = "\ue015", "\ue014", "\ue004"
"""Keys, as WebDriver names them."""
FIRST = expected(explain("the cat is on mat", "the cat is on the mat", "paper").to_dict())
ATTACK = "<img src=x onerror=alert(1)> <b>cat</b> {{ 7*7 }} & 🙂 שלום"


class Journey:
    """The page as a person meets it, through whatever browser."""

    def __init__(self, tab: Tab, host: Host) -> None:
        self.tab, self.host = tab, host

    def open(self, fragment: str = "") -> Journey:
        self.tab.go("about:blank")
        self.tab.go(self.host.url + fragment, lambda: self.wait_for("document.body.dataset.ready === 'yes'"))
        return self.settle()

    def wait_for(self, expression: str) -> Journey:
        """Wait until it holds, inside the page: its policy forbids to hand it a text to evaluate."""
        self.tab.call(f"""async (patience) => {{
            for (const end = performance.now() + patience; !({expression}); )
                if (performance.now() > end) throw new Error("this did not come true");
                else await new Promise((done) => setTimeout(done, 10));
        }}""", 1000 * PATIENCE)  # fmt: skip
        return self

    def settle(self) -> Journey:
        assert self.tab.call(SETTLED, 1000 * PATIENCE) is None, "the page did not come to rest"
        return self

    def read(self) -> dict[str, str]:
        return dict(self.tab.call(READ))

    def text(self, selector: str) -> str:
        return str(self.tab.call("(selector) => document.querySelector(selector).innerText", selector))

    def texts(self, selector: str) -> list[str]:
        return list(self.tab.call("(one) => [...document.querySelectorAll(one)].map((el) => el.textContent)", selector))

    def write(self, selector: str, text: str) -> Journey:
        """Click into a box and type over what it holds."""
        self.wait_for(f"document.querySelector('{selector}')").tab.click(selector)
        self.tab.call("(selector) => document.querySelector(selector).select()", selector)
        self.tab.press(text)
        return self

    def put(self, selector: str, value: str) -> Journey:
        """Choose from a list, which a browser without a window cannot open, or put many lines into a box at once."""
        putting = """(selector, value) => {
            const control = document.querySelector(selector);
            control.value = value;
            for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
        }"""
        self.wait_for(f"document.querySelector('{selector}')").tab.call(putting, selector, value)
        return self

    def act(self, mark: str, doing: Callable[[], object]) -> Journey:
        """Do something that the page marks when it is done, or shows a problem."""
        before = self.tab.call(f"() => document.body.dataset.{mark} ?? ''")
        doing()
        return self.wait_for(
            f"!document.getElementById('problem').hidden || (document.body.dataset.{mark} ?? '') !== {before!r}"
        )

    def paste(self, candidates: list[str], references: list[str]) -> Journey:
        self.put("#corpus-candidate", "\n".join(candidates))
        return self.put("#corpus-reference", "\n".join(references))


@pytest.fixture(scope="module", params=BROWSERS)
def tab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with BROWSERS[request.param](tmp_path_factory.mktemp(request.param)) as opened:
        yield opened


@pytest.fixture
def journey(tab: Tab, host: Host) -> Journey:
    return Journey(tab, host).open()


def shown_for(*arguments: Any) -> dict[str, str]:
    return expected(explain(score_sentence(*arguments)).to_dict())


def test_the_first_example_is_there_and_nothing_came_from_elsewhere(journey: Journey):
    assert journey.read() == FIRST
    loaded = journey.tab.call("() => performance.getEntriesByType('resource').map((one) => one.name)")
    assert loaded
    assert [one for one in loaded if not one.startswith((journey.host.origin, f"blob:{journey.host.origin}"))] == []


def test_typed_texts_are_scored_while_typing(journey: Journey):
    journey.write("#candidate", "the cat").settle()
    assert journey.read() == shown_for("the cat", ["the cat is on the mat"], "paper")
    journey.tab.press(" sat on the mat")
    journey.tab.press(TAB)
    assert journey.settle().read() == shown_for("the cat sat on the mat", ["the cat is on the mat"], "paper")


def test_a_second_reference(journey: Journey):
    journey.tab.click("#add-reference")
    journey.write("#reference-2", "on mat").settle()
    assert journey.read() == shown_for("the cat is on mat", ["the cat is on the mat", "on mat"], "paper")
    journey.tab.click("#references .remove")
    assert journey.settle().read() == shown_for("the cat is on mat", ["on mat"], "paper")


def test_a_recipe_is_chosen_by_keyboard_and_by_list(journey: Journey):
    journey.tab.call("() => document.getElementById('base').focus()")
    journey.tab.press(DOWN)
    assert journey.settle().read()["signature"] == str(Recipe.named("sacrebleu"))
    journey.tab.click("#all-choices > summary")
    journey.put("#tokenizer", "char").settle()
    recipe = Recipe.named("sacrebleu").replace(tokenizer="char")
    assert journey.read() == shown_for("the cat is on mat", ["the cat is on the mat"], recipe)


def test_a_bad_value_is_a_clear_problem_and_the_page_recovers(journey: Journey):
    journey.write("#order", "0").settle()
    assert "expected" in journey.text("#problem")
    assert journey.write("#order", "2").settle().read() == shown_for(
        "the cat is on mat", ["the cat is on the mat"], Recipe.named("paper").replace(order=2)
    )


def test_texts_stay_text(journey: Journey):
    journey.put("#candidate", ATTACK).put("#reference-1", ATTACK).settle()
    assert journey.read() == shown_for(ATTACK, [ATTACK], "paper")
    assert journey.texts("[data-side=candidate] .bp-token") == ATTACK.split()
    assert journey.tab.call("() => document.querySelectorAll('img, b, [onerror]').length") == 0


def test_an_ngram_under_the_mouse_marks_its_places(journey: Journey):
    journey.tab.click(".bp-ngram")
    journey.wait_for("document.querySelector('.bp-here')")
    marked = journey.texts(".bp-token.bp-here, .bp-ngram.bp-here")
    assert marked == [journey.texts(".bp-ngram")[0]] * len(marked)
    assert len(marked) >= 2


def test_a_link_restores_everything(journey: Journey):
    journey.put("#candidate", ATTACK).put("#base", "nltk-method3").settle()
    shown = journey.read()
    assert shown["signature"] == str(Recipe.named("nltk-method3"))
    journey.tab.click("#share")
    journey.wait_for("location.hash.startsWith('#s=')")
    journey.open(journey.tab.call("() => location.hash"))
    assert journey.read() == shown
    assert journey.tab.call("() => document.getElementById('candidate').value") == ATTACK


def test_the_export_is_the_librarys(journey: Journey):
    journey.tab.call("""() => {
        HTMLAnchorElement.prototype.click = function () { window.offered = this.download; };
        URL.createObjectURL = (blob) => { window.made = blob.text(); return "blob:none"; };
    }""")
    journey.tab.click(".export[data-format=json]")
    journey.wait_for("window.offered")
    assert journey.tab.call("() => window.offered") == "bleuprint.json"
    wanted = explain(score_sentence("the cat is on mat", ["the cat is on the mat"], "paper"))
    assert journey.tab.call("() => window.made") == render_json(wanted.to_dict())


def test_pasted_lines_and_files_of_a_corpus(journey: Journey, tmp_path: Path):
    journey.tab.click("#tab-corpus")
    journey.wait_for("document.querySelector('#corpus-run')")
    journey.paste(A, R1).act("corpus", lambda: journey.tab.click("#corpus-run"))
    wanted = expected(explain(score(A, R1)).to_dict())
    assert journey.read() == wanted
    assert journey.tab.call("() => document.querySelector('.bp-segments table').tBodies[0].rows.length") == len(A)
    if journey.host.name == "static":
        journey.wait_for("document.querySelector('#counter').textContent")  # the kernel comes beside the first scores
        assert journey.text("#counter") == f"Counted by the engine {KERNEL}."
    files = tmp_path / "candidate.txt", tmp_path / "reference.txt"
    for file, lines in zip(files, (B, R1), strict=True):
        file.write_text("\n".join(lines), encoding="utf-8")
    journey.tab.upload("#corpus-files", *files)
    journey.wait_for("document.querySelectorAll('#corpus-list li').length === 2")
    journey.act("corpus", lambda: journey.tab.click("#corpus-run"))
    assert journey.read() == expected(explain(score(B, R1)).to_dict())


def test_the_kernel_counts_and_scores_to_the_last_bit_as_python_does_there(
    tab: Tab, site: Path, static: Host, tmp_path: Path
):
    shutil.copytree(site, tmp_path / "site")
    (tmp_path / "site" / SUBFOLDER / "kernel.wasm").unlink()
    answers = {}
    with running(file_server(tmp_path / "site")) as address:
        without = Host("static", f"{address}{SUBFOLDER.replace(' ', '%20')}/")
        for name, host in {"browser": static, "python": without}.items():
            answers[name] = Journey(tab, host).open().tab.call(BULK, RECIPES)
    assert answers["browser"]["words"] == KERNEL
    assert answers["python"]["words"].startswith(MISSING)
    assert [answer for answer in answers["browser"]["answers"] if not answer["ok"]] == []
    assert answers["browser"]["answers"] == answers["python"]["answers"]


def test_systems_are_compared(journey: Journey):
    journey.tab.click("#tab-compare")
    journey.wait_for("document.querySelector('#rivals textarea')")
    journey.paste(A, R1).put("#rivals textarea", "\n".join(B))
    journey.write("#first-name", "a").write("#rivals [data-field=name]", "b")
    journey.put("#base", "sacrebleu").act("worked", lambda: journey.tab.click("#compare-run"))
    assert journey.read()["compared"] == compare({"a": A, "b": B}, R1, resamples=1000).result().summary


def test_two_recipes_are_reconciled_and_a_number_is_identified(journey: Journey):
    journey.tab.click("#tab-reconcile")
    journey.tab.click("[name=source][value=corpus]")
    journey.wait_for("document.querySelector('#reconcile-run')")
    journey.paste(A, R1).act("worked", lambda: journey.tab.click("#reconcile-run"))
    assert journey.read()["reconciled"] == reconcile(A, R1, "nltk", "sacrebleu").summary
    journey.tab.click("#tab-identify")
    number = format_score(score(A, R1, "nltk-method2").score)
    journey.write("#reported", number).act("worked", lambda: journey.tab.click("#identify-run"))
    journey.wait_for("document.querySelector('[data-testid=identified]')")
    assert journey.read()["identified"] == identify(A, R1, number).summary


def test_tabs_switch_with_the_arrow_keys(journey: Journey):
    journey.tab.click("#tab-segment")
    for name in ("corpus", "compare"):
        journey.tab.press(RIGHT)
        assert journey.tab.call("() => document.activeElement.id") == f"tab-{name}"
        assert journey.tab.call("(id) => document.getElementById(id).checkVisibility()", f"mode-{name}") is True
