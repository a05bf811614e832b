"""Drives the page as a person does: through its boxes, buttons and choices, and reads what it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from bleuprint import Recipe
from bleuprint.metrics.bleu.recipe import AXES, SMOOTHINGS
from bleuprint.wording import format_fraction, format_score

PATIENCE = 45.0
READ = """() => Object.fromEntries([...document.querySelectorAll("[data-testid]")]
    .map((element) => [element.dataset.testid, element.textContent.replace(/\\s+/g, " ").trim()]))"""
# The page waits 150 ms after a key; a later timer of the same page fires after that one, however slow the machine.
TYPED = "() => new Promise((done) => setTimeout(done, 170))"
SETTLED = """async (patience) => {
    const end = performance.now() + patience;
    await new Promise((done) => setTimeout(done, 170));
    for (;;) {
        const state = {
            busy: document.getElementById("result").getAttribute("aria-busy") === "true",
            coming: Number(document.body.dataset.coming ?? 0) > 0,
            problem: !document.getElementById("problem").hidden,
            shown: document.body.dataset.shown ?? "", complete: document.body.dataset.complete ?? "",
        };
        if (!state.busy && !state.coming && (state.problem || state.shown === state.complete)) return null;
        if (performance.now() > end) return state;
        await new Promise((done) => setTimeout(done, 10));
    }
}"""
# One call that waits inside the page. Measured on four tests, it costs as much as asking from outside again and again.
CHANGED = """async ([name, before, patience]) => {
    const end = performance.now() + patience;
    while ((document.body.dataset[name] ?? "") === before && document.getElementById("problem").hidden) {
        if (performance.now() > end) return false;
        await new Promise((done) => setTimeout(done, 10));
    }
    return true;
}"""

# Not as a person does it, which takes the page through three results instead of one.
RESET = """() => {
    if (location.hash.startsWith("#s=") || !document.getElementById("problem").hidden) return false;
    document.getElementById("tab-segment").click();
    document.querySelector(".lesson").click();
    return true;
}"""
# What pasting does to boxes, in one go. Playwright's fill may take a result for each, and takes seconds for 1000 lines.
PASTE = """(texts) => {
    for (const [name, text] of Object.entries(texts)) {
        const box = document.getElementById(name);
        if (!box?.checkVisibility() || box.disabled || box.readOnly) throw new Error(`nobody can write into ${name}`);
        box.focus();
        box.value = text;
        box.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
    }
}"""
# The buttons are pressed one by one where they are tried themselves.
FIT = """(count) => {
    const boxes = document.getElementById("references").getElementsByTagName("textarea");
    while (boxes.length < count) document.getElementById("add-reference").click();
    while (boxes.length > count) [...document.querySelectorAll("#references .remove")].at(-1).click();
}"""
CONTROLS = """(names) => Object.fromEntries(names.map((name) => {
    const control = document.getElementById(name);
    return [name, control.value || (name === "weights" && control.placeholder) || ""];
}))"""


class Host(NamedTuple):
    """Where the page is served from, and by which of the two."""

    name: str
    url: str

    @property
    def origin(self) -> str:
        return "/".join(self.url.split("/")[:3])


class Driver:
    """One open page."""

    def __init__(self, page: Page, host: Host) -> None:
        self.page, self.host = page, host

    def open(self, fragment: str = "") -> Driver:
        self.page.goto(self.host.url + fragment)
        return self.await_engine().settle()

    def await_engine(self) -> Driver:
        self.page.locator("body[data-ready=yes]").wait_for(timeout=1000 * PATIENCE)
        return self

    def reset(self) -> Driver:
        """Go back to the first example, as the page opens; open it anew if that is not enough."""
        if self.page.evaluate(RESET):
            return self.settle()
        self.page.goto("about:blank")
        return self.open()

    def settle(self) -> Driver:
        """Wait until what is shown belongs to what the form says, or a problem is shown instead."""
        state = self.page.evaluate(SETTLED, 1000 * PATIENCE)
        assert state is None, f"the page did not come to rest: {state}"
        return self

    def await_scripts(self) -> Driver:
        """Wait for what comes when it is first used; what was done before it is there has its effect then."""
        self.page.locator("body:not([data-coming]), body[data-coming='0']").wait_for()
        return self

    def read(self) -> dict[str, str]:
        """Read every element that carries a data-testid, spaces made single."""
        return {name: _single(text) for name, text in self.page.evaluate(READ).items()}

    @property
    def signature(self) -> str:
        return self.page.get_by_test_id("signature").inner_text()

    @property
    def problem(self) -> str:
        """The problem shown, or an empty text."""
        problem = self.page.locator("#problem")
        return problem.inner_text() if problem.is_visible() else ""

    def references(self) -> list[str]:
        return [box.input_value() for box in self.page.locator("#references textarea").all()]

    def write(self, candidate: str, references: Sequence[str]) -> Driver:
        """Fill in the boxes, adding and removing references as needed."""
        self.fit_references(len(references))
        boxes = {f"reference-{number}": text for number, text in enumerate(references, start=1)}
        self.page.evaluate(PASTE, {"candidate": candidate, **boxes})
        return self.settle()

    def type(self, candidate: str, references: Sequence[str]) -> Driver:
        """Type the texts key by key."""
        self.fit_references(len(references))
        boxes = ["#candidate", *(f"#reference-{number}" for number in range(1, len(references) + 1))]
        for box, text in zip(boxes, [candidate, *references], strict=True):
            self.page.locator(box).fill("")
            self.page.locator(box).press_sequentially(text)
        return self.settle()

    def fit_references(self, count: int) -> None:
        self.page.evaluate(FIT, count)

    def unfold(self) -> None:
        """Open what is folded on a narrow screen."""
        self.page.locator(".fold").evaluate_all("(all) => all.forEach((one) => (one.open = true))")

    def show_choices(self) -> None:
        self.unfold()
        if not self.page.locator("#all-choices").evaluate("(details) => details.open"):
            self.page.locator("#all-choices > summary").click()
        self.page.locator("#weights").wait_for(state="attached")

    def select(self, name: str, choice: str) -> None:
        """Choose from a list, which has the focus then, as it has when a person does it."""
        self.unfold()
        self.page.locator(f"#{name}").focus()
        self.page.locator(f"#{name}").select_option(choice)

    def choose(self, field: str, choice: str, settle: bool = True) -> Driver:
        """Choose on one axis of the recipe, by its control."""
        self.show_choices()
        if field == "smoothing":
            kind, _, value = choice.removesuffix(")").partition("(")
            self.select("smoothing", kind)
            if value and float(value) != SMOOTHINGS[kind][0]:
                self.settle()  # the box of the value is open only to a smoothing that has one
                self.page.locator("#smoothing-value").fill(value)
        elif field in ("weights", "order"):
            self.page.locator(f"#{field}").fill(choice)
        else:
            self.select(field, choice)
        return self.settle() if settle else self

    def choose_recipe(self, recipe: Recipe) -> Driver:
        """State a recipe with the controls: its dialect, or the paper's with its choices changed one by one."""
        base = recipe.names[0] if recipe.names else "paper"
        self.select("base", base)
        for field in Recipe.named(base).differing_axes(recipe):
            uniform = field == "weights" and recipe.choice(field) == "uniform"
            control, choice = ("order", str(recipe.order)) if uniform else (field, recipe.choice(field))
            self.choose(control, choice, settle=False)
        return self.settle()

    def controls(self) -> dict[str, str]:
        """Read what the controls of the recipe show, by axis; for weights the box, or what stands in for it."""
        self.show_choices()
        shown: dict[str, str] = self.page.evaluate(CONTROLS, [*AXES, "order", "smoothing-value"])
        value = shown.pop("smoothing-value")
        shown["smoothing"] += f"({value})" if value else ""
        return shown

    def to_corpus(self) -> Driver:
        self.page.locator("#tab-corpus").click()
        return self.await_scripts()

    def paste_lines(self, candidates: Sequence[str], references: Sequence[str]) -> Driver:
        for name in ("#corpus-candidate", "#corpus-reference"):
            expect(self.page.locator(name)).to_be_editable()
        texts = {"corpus-candidate": "\n".join(candidates), "corpus-reference": "\n".join(references)}
        self.page.evaluate(PASTE, texts)
        return self

    def score_corpus(self) -> Driver:
        """Press the button and wait for the corpus' result or for a problem."""
        return self.await_corpus(lambda: self.page.locator("#corpus-run").click())

    def await_corpus(self, act: Callable[[], object]) -> Driver:
        return self.await_change("corpus", act)

    def await_change(self, name: str, act: Callable[[], object]) -> Driver:
        """Do something, and wait until the page counts one more of what came of it, or shows a problem."""
        before = self.page.evaluate("(name) => document.body.dataset[name] ?? ''", name)
        act()
        return self.await_other(name, before)

    def await_other(self, name: str, before: str) -> Driver:
        """Wait until the page's count of something is another one than before, or a problem is shown."""
        assert self.page.evaluate(CHANGED, [name, before, 1000 * PATIENCE]), f"data-{name} stayed {before!r}"
        return self

    def table(self, selector: str) -> list[list[str]]:
        """Read the body of a table."""
        rows = "(table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
        return [[_single(cell) for cell in row] for row in self.page.locator(f"{selector} table").evaluate(rows)]


MakeDriver = Callable[..., Driver]
"""Opens a page of its own: of a host, with settings of the browser's context."""


def expected(data: Mapping[str, Any]) -> dict[str, str]:
    """What the page must show for an explanation, given as ``bleuprint explain --format json`` prints it."""
    arithmetic = data["arithmetic"]
    rating, unrated = arithmetic["rating"], arithmetic["unrated"]
    shown = {
        "bleu-100": format_score(data["score"]),
        "bleu-1": format_fraction(data["fraction"]),
        "rating": f"{rating['band']} {rating['meaning']} ({rating['caveat']})"
        if rating
        else f"no rating: {unrated['reason']}",
        "brevity-penalty": format_fraction(arithmetic["brevity_penalty"]),
        "geometric-mean": format_fraction(arithmetic["geometric_mean"]),
        "cross-check": arithmetic["cross_check"]["verdict"],
        "notes": _single(" ".join(note["text"] for note in data["notes"])),
        "signature": data["recipe"]["signature"],
    }
    if unrated and unrated["code"] == "nltk-stops":
        shown |= {"bleu-100": "NLTK stops", "geometric-mean": "none"}
        del shown["bleu-1"]
    for line in arithmetic["orders"]:
        order = line["order"]
        shown[f"matches-{order}"], shown[f"totals-{order}"] = str(line["matches"]), str(line["total"])
        shown[f"p{order}"] = format_fraction(line["precision"]) if line["total"] else "none"
    return shown


def _single(text: str) -> str:
    return " ".join(text.split())


def token(driver: Driver, side: str, place: int):
    return driver.page.locator(f"[data-side={side}] .bp-token").nth(place)
