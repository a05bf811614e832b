"""Before and without the engine: the first paint, loading, what is said when it fails, visits without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from bleuprint import explain
from page.counting import BULK, KERNEL, MISSING, RECIPES
from page.driver import Driver, Host, MakeDriver, expected
from page.hosts import SUBFOLDER, file_server, running
from page.looks import check_with_axe

FIRST = expected(explain("the cat is on mat", "the cat is on the mat", "paper").to_dict())
NOT_LOADED = r"Failed to load resource|could not be fetched|ERR_FAILED|net::|status of"


def wait_for_problem(driver: Driver) -> str:
    driver.page.locator("#problem").wait_for()
    return driver.problem


def test_the_first_paint_needs_no_script(host: Host, new_driver: MakeDriver):
    driver = new_driver(host, java_script_enabled=False)
    driver.page.goto(host.url)
    shown = {name: " ".join(driver.page.get_by_test_id(name).inner_text().split()) for name in FIRST}
    assert shown == FIRST
    assert driver.page.locator("#candidate-count").inner_text() == "5 tokens, 17 of 50,000 characters"
    assert driver.page.locator("#reference-1-count").inner_text() == "6 tokens, 21 of 50,000 characters"
    assert "Step by step" in driver.page.locator("#derivation-html").inner_text()
    assert driver.page.locator("#texts-html .bp-token").first.is_visible()
    assert driver.page.locator("#dialects-html tbody tr").count() > 5
    assert "needs JavaScript" in driver.page.locator("noscript").inner_text()


def test_the_first_example_is_not_computed_again(served: Host, new_driver: MakeDriver):
    driver = new_driver(served)
    asked = []
    driver.page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    driver.open()
    assert asked == []
    assert driver.page.locator("#candidate-count").inner_text() == "5 tokens, 17 of 50,000 characters"


def test_while_python_loads_that_is_shown_texts_and_recipe_can_be_chosen_and_axe_finds_nothing(
    static: Host, new_driver: MakeDriver, axe_source: str
):
    driver, held = new_driver(static), []
    page, said = driver.page, driver.page.locator("#outdated")
    page.route("**/snapshot.bin", lambda route: held.append(route))
    with page.expect_request("**/snapshot.bin"):
        page.goto(static.url)
    page.locator("#engine").wait_for()
    assert page.get_by_label("Loading Python").is_visible()
    page.evaluate(axe_source)
    check_with_axe(driver)

    page.locator("#lowercase").check()
    driver.select("base", "sacrebleu")
    page.locator("#candidate").fill("The Cat")
    said.get_by_text(
        "this is not the result of the texts and options as they are now. Python is still loading."
    ).wait_for()
    held.pop().continue_()
    shown = explain("The Cat", "the cat is on the mat", "sacrebleu").to_dict()
    assert driver.await_engine().settle().read() == expected(shown)
    assert not page.locator("#engine").is_visible()
    assert not said.is_visible()


def test_what_loaded_before_the_page_listened_is_shown_too(static: Host, new_driver: MakeDriver):
    """Python begins to load before the page's own scripts have come."""
    page, held, scripts = new_driver(static).page, [], []
    page.route("**/snapshot.bin", lambda route: held.append(route))
    page.route("**/engine.js", lambda route: scripts.append(route))
    counted = page.expect_event("requestfinished", lambda request: request.url.endswith("asm.wasm"))
    with page.expect_request("**/engine.js"), counted:
        page.goto(static.url, wait_until="commit")
    page.wait_for_timeout(300)
    scripts.pop().continue_()
    page.get_by_label("Loading Python").wait_for()
    assert held, "and nothing more is told until this file has come"


def test_an_export_before_python_is_there_says_so(served: Host, new_driver: MakeDriver):
    driver, held = new_driver(served), []
    driver.page.route("**/engine-served.js", lambda route: held.append(route))
    driver.page.goto(served.url)
    driver.page.locator(".export[data-format=json]").click()
    assert wait_for_problem(driver) == "Python is still loading. Try again in a moment."
    held.pop().continue_()
    driver.await_engine()
    driver.page.locator("#problem").wait_for(state="hidden")


def report_unhandled(route: Route) -> None:
    """Let the worker say on the console which of its promises failed without anybody noticing."""
    report = "addEventListener('unhandledrejection', ({ reason }) => console.log(`unhandled: ${reason}`));\n"
    answer = route.fetch()
    route.fulfill(response=answer, body=report + answer.text())


@pytest.mark.complains(NOT_LOADED)
@pytest.mark.parametrize(
    ("blocked", "words"),
    [
        ("**/package.zip", "package.zip"),
        *(
            pytest.param(f"**/{name.rpartition('/')[2]}", name, marks=pytest.mark.extended)
            for name in (
                "pyodide/pyodide.asm.wasm",
                "snapshot.bin",
                "pyodide/python_stdlib.zip",
                "pyodide/pyodide.js",
                "static/worker.js",
                "manifest.json",
            )
        ),
    ],
)
def test_an_engine_that_cannot_load_says_why_and_so_does_every_button(
    static: Host, new_driver: MakeDriver, blocked: str, words: str
):
    driver = new_driver(static)
    driver.page.context.route(blocked, lambda route: route.abort())
    if "worker" not in blocked:
        driver.page.context.route("**/worker.js", report_unhandled)
    said: list[str] = []
    driver.page.on("console", lambda message: said.append(message.text))
    driver.page.goto(static.url)
    problem = wait_for_problem(driver)
    assert problem.startswith("Python could not be loaded: ")
    assert words in problem
    assert not driver.page.locator("#engine").is_visible()
    assert driver.read() == FIRST
    assert not [text for text in said if "unhandled" in text]

    # Every button still says why.
    driver.page.locator(".export[data-format=json]").click()
    assert words in driver.problem
    driver.page.locator("#tab-corpus").click()
    driver.page.locator("#corpus-run").click()
    driver.page.locator("#tab-segment").click()
    driver.page.locator("#candidate").fill("another text")
    driver.page.wait_for_timeout(300)
    assert words in driver.problem


@pytest.mark.complains(NOT_LOADED)
@pytest.mark.parametrize(
    ("cut", "words"),
    [(True, "pyodide/pyodide.asm.wasm is not the file of this site: "), (False, "WebAssembly does not start: ")],
    ids=["too short", "of the right size"],
)
def test_a_broken_webassembly_file_says_so(static: Host, site: Path, new_driver: MakeDriver, cut: bool, words: str):
    size = 6 if cut else (site / SUBFOLDER / "pyodide/pyodide.asm.wasm").stat().st_size
    driver = new_driver(static)
    driver.page.context.route("**/pyodide.asm.wasm", lambda route: route.fulfill(status=200, body=bytes(size)))
    driver.page.goto(static.url)
    assert words in wait_for_problem(driver)


@pytest.mark.complains(NOT_LOADED)
def test_a_server_that_is_gone_or_fails_is_a_clear_problem_and_the_page_recovers(served: Host, new_driver: MakeDriver):
    driver = new_driver(served).open()
    for text, answer, words in (
        ("the cat", lambda route: route.abort(), "bleuprint serve"),
        ("a cat", lambda route: route.fulfill(status=503, body='{"error": {"message": "Too busy."}}'), "Too busy."),
        ("no cat", lambda route: route.fulfill(status=502, body="<html>bad</html>"), "502"),
    ):
        driver.page.route("**/bridge", answer)
        driver.page.locator("#candidate").fill(text)
        expect(driver.page.locator("#problem:visible")).to_contain_text(words)
        driver.page.unroute("**/bridge")
    driver.page.locator("#candidate").fill("the cat is on mat")
    assert driver.settle().problem == ""
    assert driver.read() == FIRST


@pytest.mark.extended  # the visits without a network of the site's own tests, by the page's driver
def test_after_the_first_visit_it_works_without_the_host(site: Path, new_driver: MakeDriver):
    with running(file_server(site)) as address:
        host = Host("static", f"{address}{SUBFOLDER.replace(' ', '%20')}/")
        driver = new_driver(host, service_workers="allow").open()
        driver.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    again = Driver(driver.page.context.new_page(), host).open()
    again.write("the cat is on the mat", ["the cat is on the mat"])
    assert again.read()["bleu-100"] == "100.00"


def show_python(route: Route) -> None:
    """Let a test call the worker's Python."""
    answer, before = route.fetch(), "archives = loadArchives(pyodide);"
    assert before in answer.text()
    route.fulfill(response=answer, body=answer.text().replace(before, f"self.pyodide = pyodide; {before}"))


STOP = """() => self.pyodide.runPython(`
    from array import array
    from bleuprint.native_kernel import find_kernel
    try:
        find_kernel().sum_rows(array("q", [2**62, 2**62]), 1)
    except OverflowError as error:
        said = str(error)
    said
`)"""


@pytest.mark.complains(r"kernel\.wasm|ERR_FAILED")
def test_the_kernel_counts_and_scores_to_the_last_bit_as_python_does_there(static: Host, new_driver: MakeDriver):
    answers = {}
    for name in ("browser", "python"):
        driver = new_driver(static)
        if name == "python":
            driver.page.route("**/kernel.wasm", lambda route: route.abort())
        driver.open()
        answers[name] = driver.page.evaluate(BULK, RECIPES)
        assert driver.page.locator("#counter").inner_text() == f"Counted by the engine {answers[name]['words']}."
    assert answers["browser"]["words"] == KERNEL
    assert answers["python"]["words"].startswith(MISSING)
    assert [answer for answer in answers["browser"]["answers"] if not answer["ok"]] == []
    assert answers["browser"]["answers"] == answers["python"]["answers"]


def test_a_kernel_that_stops_in_the_page_says_why_and_counts_on(static: Host, new_driver: MakeDriver):
    driver = new_driver(static)
    driver.page.context.route("**/worker.js", show_python)
    before = driver.open().page.evaluate(BULK, RECIPES[:1])
    (worker,) = driver.page.workers
    assert worker.evaluate(STOP) == "a sum has more than 64 bits"
    assert driver.page.evaluate(BULK, RECIPES[:1]) == before
    assert before["words"] == KERNEL


@pytest.mark.extended
@pytest.mark.parametrize(
    ("body", "why"),
    [(b"\0asm but no module", "is not the file of this site"), (None, "expected magic word")],
    ids=["another size", "damaged"],
)
def test_a_kernel_that_is_damaged_leaves_counting_to_python(static: Host, new_driver: MakeDriver, body, why):
    def damage(route: Route) -> None:
        route.fulfill(body=body or bytes(len(route.fetch().body())), content_type="application/wasm")

    driver = new_driver(static)
    driver.page.route("**/kernel.wasm", damage)
    driver.open()
    driver.page.locator("#counter:not(:empty)").wait_for()
    assert "python (no kernel as WebAssembly: " in driver.page.locator("#counter").inner_text()
    assert why in driver.page.locator("#counter").inner_text()
    driver.write("the cat", ["the cat sat"])
    assert driver.problem == ""


def watch_memory(route: Route) -> None:
    """Let the worker keep what memory its instances of WebAssembly have."""
    keep = """self.memories = [];
        const note = (instance) => (instance.exports.memory && self.memories.push(instance.exports.memory), instance);
        const { Instance, instantiate } = WebAssembly;
        WebAssembly.Instance = function (...given) { return note(new Instance(...given)); };
        WebAssembly.instantiate = async (...given) => note(await instantiate(...given));\n"""
    answer = route.fetch()
    route.fulfill(response=answer, body=keep + answer.text())


RUNS = """async (runs) => {
  const { call, counter } = await import(new URL("static/engine-static.js", document.baseURI));
  await counter;
  const segments = [["the cat is on mat", ["the cat is on the mat"]], ["c d e a b", ["a b c d e", "x"]]];
  for (let run = 0; run < runs; run += 1) {
    const recipe = { base: ["sacrebleu", "chrf", "ter"][run % 3] };
    const { rows, plain } = await call({ action: "corpus-count", recipe, segments });
    const { ok } = await call({ action: "corpus-result", recipe, segments, rows, plain, documents: null });
    if (!ok) throw new Error("a corpus was refused");
  }
}"""


@pytest.mark.extended
def test_memory_does_not_grow_over_a_thousand_corpora(static: Host, new_driver: MakeDriver):
    driver = new_driver(static)
    driver.page.context.route("**/worker.js", watch_memory)
    driver.open().page.evaluate(RUNS, 30)
    (worker,) = driver.page.workers
    sizes = "() => self.memories.map((memory) => memory.buffer.byteLength)"
    before = worker.evaluate(sizes)
    assert len(before) == 2, "Python's and the kernel's"
    driver.page.evaluate(RUNS, 1000)
    assert worker.evaluate(sizes) == before
