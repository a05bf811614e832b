"""What does the kernel do for the static page? Its modes in Chromium, with the kernel and with Python, side by side.

    .venv/bin/python bench/browser_kernel.py [--rounds 5] | tee bench/results/browser_kernel.md

2,000 segments of WMT22 English to German (made text where that is not), as a visitor does it: files are chosen, a
button is pressed, the result is there. Both pages are open in one browser and work in turns; on the one the kernel does
not come. Where Python alone takes minutes it is not asked. What is downloaded before the first score is weighed against
the site of the commit before the kernel came, which is built from the repository's history. A second table says where
corpus mode's counting takes its time (browser_stages.py).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import texts
from earlier import unpack
from machine import CHROMIUM, describe
from page_speed import FLAGS, make_text, served_folder, time_calls
from playwright.sync_api import Browser, Page, Route, sync_playwright

import bleuprint as bp
from bleuprint.web.requests import MOST_BY_KERNEL, MOST_BY_PYTHON
from bleuprint.web.site import LATER, build_site

SEGMENTS = 2_000
RESAMPLES = 10_000
UNHEARD_OF = "99.9876"
"""A number that nothing gives, so that unusual recipes and accidents are tried as well."""
BEFORE = "b526d3d^"
"""The commit before the kernel came to the browser."""
COUNT = """async ([recipe, segments, chunk]) => {
  const { call } = await import(new URL("static/engine-static.js", document.baseURI));
  const rows = [];
  const start = performance.now();
  for (let at = 0; at < segments.length; at += chunk)
    rows.push(...(await call({ action: "corpus-count", recipe, segments: segments.slice(at, at + chunk) })).rows);
  return [performance.now() - start, rows];
}"""
"""Count a corpus as the page's corpus mode does: milliseconds, and the rows."""
STAGES = """([program, requests, rounds]) => {
  const names = self.pyodide.toPy({});
  self.pyodide.runPython(program, { globals: names });
  return names.get("time_stages")(self.pyodide.toPy(requests), rounds).toJs({ dict_converter: Object.fromEntries });
}"""
"""Time the stages within the worker's Python."""
LOADED = "() => performance.getEntriesByType('resource').map((one) => one.name)"


class Corpus(NamedTuple):
    """What is scored: the files of the systems and of their references."""

    title: str
    candidates: list[list[str]]
    references: list[str]

    @property
    def segments(self) -> list[list[Any]]:
        """The first system's, as the page holds them."""
        return [[one, [other]] for one, other in zip(self.candidates[0], self.references, strict=True)]


def read_corpus(systems: int) -> Corpus:
    """Read so many systems of WMT22, or make some."""
    files = sorted(texts.WMT.glob("generaltest2022.en-de.hyp.*.de"))[:systems]
    if len(files) < systems:
        made = [texts.made_corpus(SEGMENTS, length=15 + number) for number in range(systems)]
        return Corpus("made text", [candidates for candidates, _ in made], made[0][1])
    references = texts.read_lines(texts.WMT / "generaltest2022.en-de.ref.A.de")
    return Corpus(
        "WMT22 English to German",
        [texts.read_lines(file)[:SEGMENTS] for file in files],
        references[:SEGMENTS],
    )


def open_page(browser: Browser, url: str, *, kernel: bool, python: bool = False) -> Page:
    """Open the page, and wait until everything is there; its Python can be called where that is wanted."""
    page = browser.new_context(service_workers="block").new_page()
    page.set_default_timeout(300_000)
    if not kernel:
        page.route("**/kernel.wasm", lambda route: route.abort())
    if python:
        page.context.route("**/worker.js", show_python)
    page.goto(url)
    page.locator("#counter:not(:empty)").wait_for()
    assert ("as WebAssembly)" in page.locator("#counter").inner_text()) is kernel
    return page


def show_python(route: Route) -> None:
    """Let a worker's Python be called from outside."""
    answer, before = route.fetch(), "archives = loadArchives(pyodide);"
    assert before in answer.text()
    route.fulfill(response=answer, body=answer.text().replace(before, f"self.pyodide = pyodide; {before}"))


def as_file(name: str, lines: list[str]) -> dict[str, Any]:
    """Make a file to choose."""
    return {"name": name, "mimeType": "text/plain", "buffer": ("\n".join(lines) + "\n").encode()}


def give_texts(page: Page, corpus: Corpus) -> None:
    """Choose the first system's file and that of the references."""
    page.locator("#tab-corpus").click()
    page.locator("#corpus-files").set_input_files(
        [as_file("system-1.txt", corpus.candidates[0]), as_file("reference.txt", corpus.references)]
    )
    page.locator("#corpus-list li").nth(1).wait_for()


def time_button(page: Page, button: str, mark: str) -> float:
    """Press a button and wait for its result: seconds, by the page's own clock."""
    return float(
        page.evaluate(
            """([button, mark]) => new Promise((done, fail) => {
                const before = document.body.dataset[mark];
                const start = performance.now();
                new MutationObserver(() => {
                    const problem = document.getElementById("problem");
                    if (!problem.hidden) fail(new Error(problem.textContent));
                    if (document.body.dataset[mark] !== before) done((performance.now() - start) / 1000);
                }).observe(document.body, { subtree: true, attributes: true });
                document.getElementById(button).click();
            })""",
            [button, mark],
        )
    )


def score_corpus(page: Page) -> float:
    """Score in corpus mode."""
    page.locator("#tab-corpus").click()
    return time_button(page, "corpus-run", "corpus")


def identify(page: Page, number: str) -> float:
    """Identify a number."""
    page.locator("#tab-identify").click()
    page.locator("#mode-identify:not([inert]) #reported").fill(number)
    return time_button(page, "identify-run", "worked")


def compare(page: Page, corpus: Corpus) -> float:
    """Compare all systems."""
    page.locator("#tab-compare").click()
    page.locator("#mode-compare:not([inert]) #rival-files").wait_for()
    if page.locator("#rivals fieldset").count() < len(corpus.candidates) - 1:
        others = [as_file(f"system-{place}.txt", own) for place, own in enumerate(corpus.candidates[1:], start=2)]
        page.locator("#rival-files").set_input_files(others)
        page.locator("#rivals fieldset").nth(len(others) - 1).wait_for()
        page.locator("#resamples").fill(str(RESAMPLES))
    return time_button(page, "compare-run", "worked")


def weigh_download(browser: Browser, site: Path) -> int:
    """Load a site until it can compute; weigh what came by then, as gzip packs it."""
    with served_folder(site) as url:
        page = browser.new_context(service_workers="block").new_page()
        page.goto(url)
        page.locator("body[data-ready=yes]").wait_for(timeout=120_000)
        paths = {urlsplit(name).path.removeprefix("/") for name in page.evaluate(LOADED)} | {"index.html"}
        # What a worker loads is not in the page's list: all of Python that is not expressly for later.
        paths |= {f"pyodide/{file.name}" for file in (site / "pyodide").iterdir()}
        paths |= {"snapshot.bin", "manifest.json", "static/worker.js"}
        page.context.close()
    early = [path for path in paths if path not in (*LATER, "kernel.wasm") and (site / path).is_file()]
    return sum(len(gzip.compress((site / path).read_bytes(), mtime=0)) for path in early)


@contextmanager
def earlier_site() -> Iterator[Path]:
    """Build the site of the commit before the kernel came, with the packages of this environment."""
    with tempfile.TemporaryDirectory() as folder:
        sources, site = Path(folder, "sources"), Path(folder, "site")
        unpack(BEFORE, sources, "src")
        program = f"from bleuprint.web.site import build_site; build_site({str(site)!r})"
        paths = [str(sources / "src"), *(path for path in sys.path if "site-packages" in path)]
        # Without the hooks of an editable installation, which would bring the sources of today.
        command = [sys.executable, "-S", "-c", program]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
        yield site


def take_turns(rounds: int, *works: Callable[[], float]) -> list[float]:
    """Give the median of each work, after a first time that warms up."""
    times: list[list[float]] = [[] for _ in works]
    for turn in range(rounds + 1):
        for own, work in zip(times, works, strict=True):
            value = work()
            if turn:
                own.append(value)
    return [statistics.median(own) for own in times]


def show(title: str, goal: str, kernel: str, python: str, met: bool) -> None:
    """Print a row of the table."""
    verdict = "no goal" if goal == "none" else "met" if met else "**missed**"
    print(f"| {title} | {goal} | {kernel} | {python} | {verdict} |", flush=True)


def main() -> None:
    """Measure, check that both sides agree, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    corpus = read_corpus(6)
    where = describe(chromium=True).replace("\n", ".\n")
    print(f"# The kernel in the browser\n\n{where}.\n")
    print(
        f"The static page over loopback, {len(corpus.references):,} segments ({corpus.title}), one reference; "
        f"medians of {rounds} rounds after a first that warms up.\n"
    )
    print("| work | goal | with the kernel | Python alone, in the same browser | verdict |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = build_site(Path(folder, "site")).directory
        browser = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False, args=FLAGS)
        with earlier_site() as earlier, served_folder(site) as url, served_folder(earlier) as earlier_url:
            measure_counting(browser, url, earlier_url, corpus, rounds)
            measure_modes(browser, url, corpus, rounds)
            stages = time_stages(browser, url, corpus, rounds)
            now, before = weigh_download(browser, site), weigh_download(browser, earlier)
        browser.close()
    title = "downloaded before the first score, as gzip; beside it the site before the kernel came"
    grown = 100 * (now / before - 1)
    show(title, "at most + 3 %", f"{now / 1e6:.2f} MB ({grown:+.1f} %)", f"{before / 1e6:.2f} MB", grown <= 3)
    show_stages(stages)


def measure_counting(browser: Browser, url: str, earlier_url: str, corpus: Corpus, rounds: int) -> None:
    """Measure the counting with the kernel, by Python alone, and on the site before the kernel came, in turns."""
    quick, slow = open_page(browser, url, kernel=True), open_page(browser, url, kernel=False)
    earlier = browser.new_context(service_workers="block").new_page()
    earlier.set_default_timeout(300_000)
    earlier.goto(earlier_url)
    earlier.locator("body[data-ready=yes]").wait_for()
    request = [{"base": "sacrebleu"}, corpus.segments]
    works = [
        lambda page=page, most=most: page.evaluate(COUNT, [*request, most])
        for page, most in ((quick, MOST_BY_KERNEL), (slow, MOST_BY_PYTHON), (earlier, MOST_BY_PYTHON))
    ]
    rows = [work()[1] for work in works]
    assert rows[0] == rows[1] == rows[2]
    kernel, python, before = take_turns(4 * rounds, *(lambda work=work: float(work()[0]) for work in works))
    title = "corpus mode's counting; beside it the site before the kernel came"
    show(title, "20 × as fast", f"{kernel:.0f} ms, {before / kernel:.0f} ×", f"{before:.0f} ms", before >= 20 * kernel)
    show(
        "the same, beside Python alone today",
        "none",
        f"{kernel:.0f} ms, {python / kernel:.0f} ×",
        f"{python:.0f} ms",
        True,
    )
    for page in (quick, slow, earlier):
        page.context.close()


def measure_modes(browser: Browser, url: str, corpus: Corpus, rounds: int) -> None:
    """Measure what the page does with both engines in turns, or with the kernel alone."""
    quick, slow = open_page(browser, url, kernel=True), open_page(browser, url, kernel=False)
    for page in (quick, slow):
        give_texts(page, corpus)
    whole, python = take_turns(rounds, lambda: score_corpus(quick), lambda: score_corpus(slow))
    show("corpus mode, from the button to the result", "0.5 s", f"{whole:.2f} s", f"{python:.2f} s", whole < 0.5)
    usual = f"{bp.score(corpus.candidates[0], corpus.references).score:.2f}"
    (found,) = take_turns(rounds, lambda: identify(quick, usual))
    show("identify, a number that sacreBLEU gives", "2 s", f"{found:.2f} s", "not asked", found < 2)
    (found,) = take_turns(1, lambda: identify(quick, UNHEARD_OF))
    title = "identify, a number that nothing gives, so that all unusual recipes of all metrics are tried, and accidents"
    show(title, "none", f"{found:.2f} s", "not asked", True)
    (compared,) = take_turns(rounds, lambda: compare(quick, corpus))
    title = f"compare {len(corpus.candidates)} systems, all pairs, {RESAMPLES:,} resamples"
    show(title, "3 s", f"{compared:.2f} s", "not asked", compared < 3)
    long = {"action": "explain", "candidate": make_text(1, 50_000), "references": [make_text(2, 50_000)]}
    headline, python = (time_calls(page, "static", long, rounds) for page in (quick, slow))
    title = "headline for 50,000 + 50,000 characters"
    show(title, "60 ms", f"{headline:.0f} ms", f"{python:.0f} ms", headline < 60)
    for page in (quick, slow):
        page.context.close()


def time_stages(browser: Browser, url: str, corpus: Corpus, rounds: int) -> dict[str, float]:
    """Time what corpus mode's counting consists of, in a page with the kernel."""
    page = open_page(browser, url, kernel=True, python=True)
    form, segments = {"base": "sacrebleu"}, corpus.segments
    chunks = [segments[at : at + MOST_BY_KERNEL] for at in range(0, len(segments), MOST_BY_KERNEL)]
    requests = [json.dumps({"action": "corpus-count", "recipe": form, "segments": chunk}) for chunk in chunks]
    whole = min(page.evaluate(COUNT, [form, segments, MOST_BY_KERNEL])[0] for _ in range(4 * rounds))
    program = (Path(__file__).parent / "browser_stages.py").read_text()
    stages: dict[str, float] = dict(page.workers[0].evaluate(STAGES, [program, requests, 4 * rounds]))
    page.context.close()
    return {"from the page's call to its answer": whole, **stages}


def show_stages(stages: dict[str, float]) -> None:
    """Print where the time goes."""
    print("\nWhat the counting consists of, with the kernel; the least of some rounds each, as stages are short:\n")
    print("| stage | ms |\n|---|---|")
    for stage, milliseconds in stages.items():
        print(f"| {stage} | {milliseconds:.1f} |")


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"\nTook {time.monotonic() - started:.0f} s.")
