"""How long until the static page can compute? From navigation to a callable engine, in a real Chromium over loopback.

    python bench/static_site.py [RUNS]

Builds the site into a temporary folder and serves it with a plain file server. Cold: a new browser profile for every
run, so nothing is cached. Again: the same profile visits once more, with the service worker's copy. Then two calls of
the engine with the longest texts the page takes. What a loopback does not show: the time to download (see the sizes).
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from machine import CHROMIUM, describe
from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from bleuprint.web import pyodide_files
from bleuprint.web.site import LATER, build_site

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NOTE_READY = """
new MutationObserver((_, observer) => {
  if (document.body?.dataset.ready !== "yes") return;
  window.readyAfter = performance.now();
  observer.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
"""
"""Runs in the page before its own scripts; ``performance.now()`` counts from navigation."""
CALL = """
async (text) => {
  const engine = await import(new URL("static/engine-static.js", document.baseURI));
  const started = performance.now();
  const answer = await engine.call(
    { action: "explain", candidate: text, references: [[...text].reverse().join("")], recipe: { base: "paper" } });
  return answer.ok ? performance.now() - started : answer.error.message;
}
"""


class QuietHandler(SimpleHTTPRequestHandler):
    """A plain file server: no special headers, no compression."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def main(runs: int) -> None:
    """Build, measure, print."""
    print(describe(chromium=True))
    with tempfile.TemporaryDirectory() as scratch:
        site = build_site(Path(scratch, "site"))
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=scratch))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/site/"
        with sync_playwright() as playwright:
            found = [_measure(playwright, address, Path(scratch, f"profile-{run}")) for run in range(runs)]
        server.shutdown()
        _describe(site.directory, site.sizes)
    for name, unit in (("cold", "s"), ("again", "s"), ("first call", "ms"), ("second call", "ms")):
        times = [run[name] for run in found]
        shown = ", ".join(f"{value:.2f}" if unit == "s" else f"{value:.0f}" for value in times)
        print(f"{name}: median {statistics.median(times):.2f} {unit} of {runs} runs ({shown})")


def _measure(playwright: Playwright, address: str, profile: Path) -> dict[str, float]:
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=CHROMIUM, chromium_sandbox=False, args=FLAGS
    )
    cold = _visit(context, address)
    found = {"cold": _ready(cold)}
    text = " ".join(f"w{number * 7919 % 997}" for number in range(20_000))[:50_000]
    found["first call"], found["second call"] = (float(cold.evaluate(CALL, text)) for _ in range(2))
    _wait_for(cold, "navigator.serviceWorker.ready.then((registration) => registration.active !== null)")
    cold.close()
    found["again"] = _ready(_visit(context, address))
    context.close()
    return found


def _visit(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.add_init_script(NOTE_READY)
    page.goto(address)
    return page


def _ready(page: Page) -> float:
    _wait_for(page, "window.readyAfter")
    return float(page.evaluate("window.readyAfter")) / 1000


def _wait_for(page: Page, expression: str) -> None:
    """Poll: under a strict policy Playwright's own waiting for functions never ends."""
    until = time.monotonic() + 60
    while not page.evaluate(expression):
        if time.monotonic() > until:
            raise TimeoutError(page.locator("#problem").inner_text())
        time.sleep(0.02)


def _describe(directory: Path, sizes: Mapping[str, int]) -> None:
    def packed(paths: Iterable[str]) -> float:
        return sum(len(gzip.compress((directory / path).read_bytes(), mtime=0)) for path in paths) / 1e6

    print(f"site: {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB, {packed(sizes):.1f} MB as gzip; ", end="")
    first = packed(path for path in sizes if path not in LATER)
    print(f"before the start at most {first:.1f} MB of that; Pyodide {pyodide_files.PYODIDE_VERSION}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
