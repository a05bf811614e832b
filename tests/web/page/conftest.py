"""The page in a real browser, on both of its hosts: one browser, one context and one server per worker."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from bleuprint.web.pyodide_files import cache_folder
from page.driver import PATIENCE, Driver, Host, MakeDriver
from page.hosts import BROWSER_FLAGS, SUBFOLDER, file_server, find_chromium, running
from worker_sharing import locked, shared_folder

AXE = "4.14.0"
LOOK = {"viewport", "color_scheme", "reduced_motion"}
"""Settings that a page may have alone. Every other one takes a context of its own."""

expect.set_options(timeout=1000 * PATIENCE)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "complains(pattern): messages on the console that a test of the page expects")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave other looks and the static site, which needs npm and the WebAssembly build, to ``make test-all``."""
    for item in items:
        chosen = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        static = chosen.get("host") == "static" or {"site", "static"} & {*getattr(item, "fixturenames", ())}
        if static or chosen.get("look", "wide") != "wide":
            item.add_marker("extended")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The installed browser."""
    return find_chromium()


# Not for the whole session: while Playwright runs, its event loop is the thread's, and other tests may want their own.
@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False, args=list(BROWSER_FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="package")
def served() -> Iterator[Host]:
    """The page as ``bleuprint serve`` serves it."""
    command = [sys.executable, "-m", "bleuprint", "serve", "--port", "0"]
    with running(command) as line:
        yield Host("served", line)


@pytest.fixture(scope="package")
def static(site: Path) -> Iterator[Host]:
    """The static site behind a plain file server that sends no headers of ours."""
    with running(file_server(site)) as line:
        yield Host("static", f"{line}{SUBFOLDER.replace(' ', '%20')}/")


@pytest.fixture(params=["served", "static"])
def host(request: pytest.FixtureRequest) -> Host:
    """Each host in turn."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Host)
    return found


class Watch:
    """What a page did that it must not do; looked at when the test is over."""

    def __init__(self, page: Page, origin: str) -> None:
        self.foreign: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self._note_request(request.url, origin))
        page.on("websocket", lambda socket: self.foreign.append(socket.url))
        page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))

    def _note_request(self, url: str, origin: str) -> None:
        if not url.startswith((f"{origin}/", f"blob:{origin}/")):
            self.foreign.append(url)

    def check(self, allowed: str | None) -> None:
        """Complain, except about messages on the console that a test expects; then forget."""
        errors = [text for text in self.errors if not allowed or not re.search(allowed, text)]
        found = [self.foreign[:], self.dialogs[:], errors]
        for list_ in (self.foreign, self.dialogs, self.errors):
            list_.clear()
        assert found == [[], [], []], "a foreign request, a script of a text that ran, or an error on the console"


class SharedContext:
    """Where all pages without settings of their own are opened: Chromium takes longer for a context than for a page."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self.context = browser, make_context(browser)
        self.kept: set[Host] = set()

    def new_page(self, host: Host, **look: Any) -> Page:
        """Open a page. One of its host stays open beside it, and with it the process that both of them run in."""
        if host not in self.kept:
            self.kept.add(host)
            self.context.new_page().goto(f"{host.url}static/icon.svg")
        return self.new_blank(**look)

    def new_blank(self, viewport: ViewportSize | None = None, **media: Any) -> Page:
        """Open a page of no host, of another size or with another look than usual."""
        page = self.context.new_page()
        if viewport:
            page.set_viewport_size(viewport)
        if media:
            page.emulate_media(**media)
        return page

    def close(self, pages: Iterable[Page]) -> None:
        """Close pages, and with them contexts of their own; leave nothing that the next one could meet."""
        for page in pages:
            page.close() if page.context is self.context else page.context.close()
        self.context.unroute_all()
        assert self.context.cookies() == []


def make_context(browser: Browser, **options: Any) -> BrowserContext:
    # A service worker would hide requests from the test; the test of working offline allows it.
    settings = {"service_workers": "block", "viewport": {"width": 1280, "height": 900}, **options}
    context = browser.new_context(**settings)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(1000 * PATIENCE)
    return context


@pytest.fixture(scope="package")
def shared(browser: Browser) -> Iterator[SharedContext]:
    made = SharedContext(browser)
    yield made
    made.context.close()


@pytest.fixture(scope="package")
def pages(shared: SharedContext) -> list[tuple[Driver, Watch]]:
    """Every page that stays open, with its watch."""
    return []


@pytest.fixture
def new_driver(request: pytest.FixtureRequest, shared: SharedContext) -> Iterator[MakeDriver]:
    """Make new pages. No foreign request, no dialog, no error on the console, unless marked with ``complains``."""
    opened: list[tuple[Driver, Watch]] = []
    yield lambda host, **options: open_page(shared, host, opened, options)
    shared.close(driver.page for driver, _ in opened)
    check_all(request, opened)


@pytest.fixture
def driver(
    request: pytest.FixtureRequest, host: Host, shared: SharedContext, pages: list[tuple[Driver, Watch]]
) -> Iterator[Driver]:
    """The page as it is when it opens. One page serves many tests, as starting Python anew for each takes long."""
    found = next((driver for driver, _ in pages if driver.host == host), None)
    if found is None:
        found = open_page(shared, host, pages, {}).open()
    yield found.reset()
    check_all(request, pages)


@pytest.fixture
def fresh(host: Host, new_driver: MakeDriver) -> Driver:
    """A page of its own, on each host."""
    return new_driver(host).open()


@pytest.fixture
def local(served: Host, new_driver: MakeDriver) -> Driver:
    """A page of its own, on the host that is quick."""
    return new_driver(served).open()


def open_page(shared: SharedContext, host: Host, pages: list[tuple[Driver, Watch]], options: dict[str, Any]) -> Driver:
    own = options.keys() - LOOK
    page = make_context(shared.browser, **options).new_page() if own else shared.new_page(host, **options)
    driver = Driver(page, host)
    pages.append((driver, Watch(page, host.origin)))
    return driver


def check_all(request: pytest.FixtureRequest, pages: list[tuple[Driver, Watch]]) -> None:
    marker = request.node.get_closest_marker("complains")
    for _, watch in pages:
        watch.check(marker.args[0] if marker else None)


@pytest.fixture(scope="session")
def axe_source() -> str:
    """The source of axe-core, by npm once and then from the cache."""
    assert shutil.which("npm"), "expected npm, which brings axe-core. On Debian: apt-get install npm"
    folder = cache_folder() / f"axe-core-{AXE}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder.with_suffix(".lock")):
        if not folder.exists():
            scratch = folder.with_suffix(".part")
            command = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(scratch), f"axe-core@{AXE}"]
            subprocess.run(command, check=True, capture_output=True, timeout=120)
            scratch.rename(folder)
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots are kept."""
    given = os.environ.get("BLEUPRINT_SCREENSHOTS")
    folder = Path(given) if given else shared_folder(tmp_path_factory) / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def keep_picture(screenshots: Path) -> Callable[[Page, str], None]:
    """Keep a whole page for people to look at, if they say where; a test that looks at the picture itself takes one."""

    def keep(page: Page, name: str) -> None:
        if os.environ.get("BLEUPRINT_SCREENSHOTS"):
            page.screenshot(path=screenshots / f"{name}.png", full_page=True)

    return keep
