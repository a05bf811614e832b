"""How much does a browser fetch before the page has its first score? Beside an older commit, by the same measure.

Run: .venv/bin/python bench/page_weight.py [COMMIT]   (needs chromium)

A browser without a cache opens the served page, somebody types, and the score of what was typed is shown. All that was
fetched by then is the shell: the page, its styles and its scripts, each compressed by gzip on its own, as hosts send
them. The answers of the engine are not counted, nor the icon. Unless another COMMIT is named, it is the one before the
page got marked texts, trials and lessons.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from earlier import ROOT, unpack
from machine import CHROMIUM, describe
from page_speed import FLAGS, started
from playwright.sync_api import Request, sync_playwright

BEFORE = "47e51b6"
MOST = 1.10
"""How much heavier than the older one the shell should be at most."""
KINDS = ("document", "stylesheet", "script", "fetch")
RUN = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
sys.path.insert(0, sys.argv[1])
import bleuprint
assert bleuprint.__file__.startswith(sys.argv[1]), bleuprint.__file__
del sys.argv[1]
from bleuprint.cli import run_program
run_program()
"""
"""The command as some sources have it, whatever is installed."""


@contextmanager
def sources_of(commit: str) -> Iterator[Path]:
    """Unpack the sources as they were at a commit; without a kernel, which the page does not send."""
    with tempfile.TemporaryDirectory() as folder:
        yield unpack(commit, Path(folder), "src") / "src"


def served_from(source: Path) -> AbstractContextManager[str]:
    """Run `bleuprint serve` of some sources."""
    return started(sys.executable, "-c", RUN, str(source), "serve", "--port", "0")


def weigh(source: Path) -> dict[str, int]:
    """Give the compressed size of each file that is fetched until the first score that was asked for is shown."""
    fetched: list[Request] = []
    with served_from(source) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False, args=FLAGS)
        page = browser.new_page()
        page.on("requestfinished", lambda request: fetched.append(request))
        page.goto(url)
        page.locator("body[data-ready=yes]").wait_for()
        page.locator("#candidate").fill("the cat sat on the mat")
        page.locator("body[data-complete]").wait_for()
        shell = [one.response() for one in fetched if one.method == "GET" and one.resource_type in KINDS]
        bodies = {one.url.rpartition("/")[2] or "index.html": one.body() for one in shell if one}
        browser.close()
    return {name: len(gzip.compress(data, mtime=0)) for name, data in bodies.items()}


def show(name: str, now: Mapping[str, int], before: Mapping[str, int]) -> str:
    """Write a row of the table: names that end alike, or all."""
    sums = [sum(size for file, size in files.items() if file.endswith(name)) / 1000 for files in (before, now)]
    counts = [sum(file.endswith(name) for file in files) for files in (before, now)]
    return f"| {name or 'all'} | {counts[0]} | {sums[0]:.1f} kB | {counts[1]} | {sums[1]:.1f} kB |"


def main(commit: str) -> None:
    """Weigh both and print a table."""
    print(describe(chromium=True), end="\n\n")
    with sources_of(commit) as source:
        before = weigh(source)
    now = weigh(ROOT / "src")
    print(f"| gzip | files at {commit} | weight at {commit} | files now | weight now |\n|---|---|---|---|---|")
    for name in (".html", ".css", ".js", ""):
        print(show(name, now, before))
    weight, most = sum(now.values()), MOST * sum(before.values())
    share = weight / sum(before.values()) - 1
    print(f"\n{share:+.0%}; {MOST - 1:+.0%} would be {most / 1000:.1f} kB: {'met' if weight <= most else 'not met'}\n")
    for name, size in sorted(now.items(), key=lambda item: -item[1]):
        print(f"- {name} {size / 1000:.1f} kB")


if __name__ == "__main__":
    main(*sys.argv[1:2] or [BEFORE])
