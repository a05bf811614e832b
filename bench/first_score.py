"""How long until the page shows the first score that somebody asked for? Beside an older commit, in turns.

Run: .venv/bin/python bench/first_score.py [--rounds 9] [--commit COMMIT]   (needs chromium, node and npm)

A browser without a cache opens the page; as soon as it can compute, somebody changes the candidate, and the new score
is shown. The time counts from navigation, over loopback: what downloads take, the sizes of bench/page_weight.py and
bench/static_site.py tell. Unless another COMMIT is named, it is the one before the page got marked texts, trials and
lessons.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from earlier import ROOT
from machine import CHROMIUM, describe
from page_speed import FLAGS, served_folder
from page_weight import BEFORE, MOST, RUN, served_from, sources_of
from playwright.sync_api import Browser, sync_playwright

TYPE_WHEN_READY = """
new MutationObserver(() => {
  const { dataset } = document.body ?? {};
  const candidate = document.getElementById("candidate");
  if (dataset?.ready === "yes" && !window.typedAfter) {
    window.typedAfter = performance.now();
    window.shownBefore = dataset.shown;
    candidate.value = "the cat sat on the mat";
    candidate.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (window.typedAfter && !window.shownAfter && dataset.shown !== window.shownBefore) {
    window.shownAfter = performance.now();
  }
}).observe(document, {
  subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready", "data-shown"],
});
"""
"""Runs in the page before its own scripts; ``performance.now()`` counts from navigation."""


@contextmanager
def site_of(source: Path) -> Iterator[str]:
    """Build the static page of some sources, and serve it by a plain static server."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", RUN, str(source), "site", str(Path(folder, "site"))]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with served_folder(Path(folder, "site")) as url:
            yield url


def time_first_score(browser: Browser, url: str) -> float:
    """Open the page as somebody does who was never here, and give the milliseconds until the score is shown."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(TYPE_WHEN_READY)
    page.goto(url)
    page.locator("body[data-ready=yes]").wait_for(timeout=60_000)
    while not page.evaluate("window.shownAfter"):
        page.wait_for_timeout(20)
    milliseconds = float(page.evaluate("window.shownAfter"))
    context.close()
    return milliseconds


def main(rounds: int, commit: str) -> None:
    """Measure both pages on both hosts and print a table."""
    print(describe(chromium=True) + f"; median of {rounds} rounds", end="\n\n")
    print(f"| host | at {commit} | now | ratio | at most | verdict |\n|---|---|---|---|---|---|")
    with sources_of(commit) as before, sync_playwright() as playwright:
        for name, host in (("served", served_from), ("static", site_of)):
            times: tuple[list[float], list[float]] = [], []
            with ExitStack() as stack:
                urls = [stack.enter_context(host(source)) for source in (before, ROOT / "src")]
                for _ in range(rounds):
                    for url, found in zip(urls, times, strict=True):
                        browser = playwright.chromium.launch(
                            executable_path=CHROMIUM, chromium_sandbox=False, args=FLAGS
                        )
                        found.append(time_first_score(browser, url))
                        browser.close()
            then, now = map(statistics.median, times)
            verdict = "met" if now <= MOST * then else "**missed**"
            print(f"| {name} | {then:,.0f} ms | {now:,.0f} ms | {now / then:.2f} | {MOST:.2f} | {verdict} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--commit", default=BEFORE)
    options = parser.parse_args()
    main(options.rounds, options.commit)
