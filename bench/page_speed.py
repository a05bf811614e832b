"""How fast is the page? Headline for 50,000 + 50,000 characters, and a corpus of 2,000 segments, on both hosts.

Run: .venv/bin/python bench/page_speed.py   (needs chromium, node and npm)
"""

from __future__ import annotations

import functools
import http.server
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from machine import CHROMIUM, describe
from playwright.sync_api import Page, sync_playwright

from bleuprint.web.site import build_site

FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
TIMED_CALL = """async ([engine, request]) => {
  const module = await import(new URL(`static/engine-${engine}.js`, location.href));
  const start = performance.now();
  const answer = await module.call(request);
  return [performance.now() - start, answer.ok];
}"""


def make_text(seed: int, characters: int) -> str:
    """Write words with frequencies as in natural text."""
    generator = random.Random(seed)
    words = [f"w{int(generator.paretovariate(0.9)) % 5000}" for _ in range(characters)]
    return " ".join(words)[:characters]


@contextmanager
def started(*command: str) -> Iterator[str]:
    """Start a program that serves the page and says where."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield re.search(r"http://\S+", process.stdout.readline())[0]  # type: ignore[index]
        finally:
            process.terminate()


def served() -> AbstractContextManager[str]:
    """Run `bleuprint serve`."""
    return started(str(Path(sys.executable).parent / "bleuprint"), "serve", "--port", "0")


@contextmanager
def static() -> Iterator[str]:
    """Build the site and serve it by a plain static server."""
    with tempfile.TemporaryDirectory() as folder, served_folder(build_site(Path(folder, "site")).directory) as url:
        yield url


@contextmanager
def served_folder(folder: Path) -> Iterator[str]:
    """Serve a folder by a plain static server."""
    handler = functools.partial(QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """A plain static server that does not log, nor minds a browser that leaves before everything has come."""

    def handle(self) -> None:
        """Answer for as long as somebody listens."""
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def time_calls(page: Page, engine: str, request: dict[str, object], rounds: int) -> float:
    """Give the median of some calls, in milliseconds; the first one warms up."""
    times = []
    for _ in range(rounds + 1):
        milliseconds, ok = page.evaluate(TIMED_CALL, [engine, request])
        assert ok
        times.append(milliseconds)
    return statistics.median(times[1:])


def time_corpus(page: Page) -> float:
    """Score 2,000 segments of about 20 tokens in corpus mode, from the click to the result, in seconds."""
    files = [
        {
            "name": f"{side}.txt",
            "mimeType": "text/plain",
            "buffer": "\n".join(make_text(5000 * side + n, 110) for n in range(2000)).encode(),
        }
        for side in (1, 2)
    ]
    page.get_by_role("tab", name="Corpus").click()
    page.locator("#corpus-files").set_input_files(files)
    start = page.evaluate("performance.now()")
    page.get_by_role("button", name="Score the corpus").click()
    page.locator("body[data-corpus]").wait_for(timeout=120_000)
    return (page.evaluate("performance.now()") - start) / 1000


def main() -> None:
    """Measure both hosts."""
    print(describe(chromium=True))
    request = {"action": "explain", "candidate": make_text(1, 50_000), "references": [make_text(2, 50_000)]}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False, args=FLAGS)
        for engine, host in (("served", served), ("static", static)):
            with host() as url:
                page = browser.new_page()
                page.goto(url)
                page.locator("body[data-ready=yes]").wait_for(timeout=120_000)
                headline = time_calls(page, engine, request, 5)
                print(f"{engine}: headline for 50,000 + 50,000 characters {headline:.0f} ms (median of 5)")
                print(f"{engine}: corpus of 2,000 segments {time_corpus(page):.1f} s")
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
