"""Firefox and WebKit, as Debian has them, behind the few verbs that a journey through the page needs.

Playwright drives builds of its own of these two. Here the installed Firefox is spoken to in WebDriver BiDi, and
WebKitGTK's own browser through its driver.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from selenium.common.exceptions import ElementNotInteractableException, TimeoutException
from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.websocket_connection import WebSocketConnection
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

PATIENCE = 90
CLICKABLE = 30
"""Seconds that a click waits for what it is meant for: some controls come with a script of their own."""
CENTRE = """async (selector, patience) => {
    const end = performance.now() + patience;
    const find = () => document.querySelector(selector);
    while (!find()?.checkVisibility() || find().disabled)
        if (performance.now() > end) throw new Error(`${selector} cannot be clicked`);
        else await new Promise((done) => setTimeout(done, 10));
    const place = () => {
        find().scrollIntoView({ block: "center", behavior: "instant" });
        const box = find().getBoundingClientRect();
        return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    };
    // What is above it may still be growing: it can be hit once it stays where it is.
    for (let before = place(); ; ) {
        await new Promise((done) => setTimeout(done, 30));
        const now = place();
        if (String(now) === String(before)) return now;
        if (performance.now() > end) throw new Error(`${selector} does not stay in its place`);
        before = now;
    }
}"""


Wait = Callable[[], object]
"""Waits inside a page, and asserts that it ends: what does not answer at all is the browser."""


class Tab(Protocol):
    """One open page of some browser."""

    def go(self, address: str, wait: Wait = lambda: None) -> None:
        """Open an address, wait until it is loaded, and then for what else it needs."""

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function of JavaScript in the page, wait for what it promises, and give that."""

    def click(self, selector: str) -> None:
        """Click on the first element that is meant, as with a mouse."""

    def press(self, keys: str) -> None:
        """Press keys, one after the other, where the focus is."""

    def upload(self, selector: str, *files: Path) -> None:
        """Choose files in a control."""


class Firefox:
    """A tab of Firefox; what is said is WebDriver BiDi (w3.org/TR/webdriver-bidi)."""

    def __init__(self, connection: WebSocketConnection) -> None:
        self.connection = connection
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        answer = self.connection.send_cmd(method, parameters)
        assert "error" not in answer, f"{method}: {answer}"
        return dict(answer["result"])

    def go(self, address: str, wait: Wait = lambda: None) -> None:
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")
        wait()

    def call(self, function: str, *arguments: Any) -> Any:
        written = json.dumps(list(arguments))
        answer = self.send(
            "script.callFunction",
            functionDeclaration=f"async () => JSON.stringify(await ({function})(...{written}) ?? null)",
            awaitPromise=True,
            target={"context": self.context},
            userActivation=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def click(self, selector: str) -> None:
        x, y = self.call(CENTRE, selector, 1000 * CLICKABLE)
        move = {"type": "pointerMove", "x": x, "y": y}
        moves = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "actions": moves})

    def press(self, keys: str) -> None:
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": strokes})

    def _act(self, source: dict[str, Any]) -> None:
        self.send("input.performActions", context=self.context, actions=[source])

    def upload(self, selector: str, *files: Path) -> None:
        found = self.send("browsingContext.locateNodes", context=self.context,
                          locator={"type": "css", "value": selector})  # fmt: skip
        element = {"sharedId": found["nodes"][0]["sharedId"]}
        self.send("input.setFiles", context=self.context, element=element, files=[str(file) for file in files])


@contextmanager
def firefox(profile: Path) -> Iterator[Tab]:
    """Start Firefox without a window, on a profile of its own."""
    command = [found("firefox-esr"), "--headless", "--remote-debugging-port=0", "--profile", str(profile)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = iter(process.stderr.readline, "")
            address = next(filter(None, (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in said)))
            connection = WebSocketConnection(f"{address.group(1)}/session", PATIENCE, 0.02)
            yield Firefox(connection)
            connection.close()
        finally:
            process.terminate()


class WebKit:
    """A tab of WebKitGTK's browser."""

    def __init__(self, start: Callable[[], WebKitGTK]) -> None:
        self.start, self.driver = start, start()

    def go(self, address: str, wait: Wait = lambda: None) -> None:
        try:
            self.driver.get(address)
            wait()
        except TimeoutException:  # now and then this browser stops for good on its way from one page to another
            self.driver.quit()
            self.driver = self.start()
            self.driver.get(address)
            wait()

    def call(self, function: str, *arguments: Any) -> Any:
        program = f"""const done = arguments[arguments.length - 1];
            (async () => JSON.stringify(await ({function})(...{json.dumps(list(arguments))}) ?? null))()
                .then(done, (error) => done(JSON.stringify({{ thrown: String(error) }})));"""
        answer = json.loads(self.driver.execute_async_script(program))
        assert not (isinstance(answer, dict) and "thrown" in answer), answer
        return answer

    def click(self, selector: str) -> None:
        self.call(CENTRE, selector, 1000 * CLICKABLE)
        # A click that WebKit refuses was not made: what it is meant for was out of sight at that moment.
        patient = WebDriverWait(self.driver, CLICKABLE, 0.05, [ElementNotInteractableException])
        patient.until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector).click() is None)

    def press(self, keys: str) -> None:
        self.driver.switch_to.active_element.send_keys(keys)

    def upload(self, selector: str, *files: Path) -> None:
        self.driver.find_element(By.CSS_SELECTOR, selector).send_keys("\n".join(map(str, files)))


@contextmanager
def webkit(_profile: Path) -> Iterator[Tab]:
    """Start WebKitGTK's browser on a screen that nobody sees."""
    (browser,) = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
    options = Options()
    options.binary_location = str(browser)
    options.add_argument("--automation")
    with screen() as display:

        def start() -> WebKitGTK:
            driver = WebKitGTK(options, service=Service(found("WebKitWebDriver"), env={"DISPLAY": display}))
            driver.set_script_timeout(PATIENCE)
            driver.set_page_load_timeout(PATIENCE)
            return driver

        tab = WebKit(start)
        try:
            yield tab
        finally:
            tab.driver.quit()


@contextmanager
def screen() -> Iterator[str]:
    """A screen in memory, and its name."""
    command = [found("Xvfb"), "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield f":{process.stdout.readline().strip()}"
        finally:
            process.terminate()


def found(program: str) -> str:
    path = shutil.which(program)
    assert path, f"expected {program}, got no such program. On Debian: make browsers"
    return path


BROWSERS: dict[str, Callable[[Path], AbstractContextManager[Tab]]] = {"firefox": firefox, "webkit": webkit}
"""How each is started, given a folder for what it keeps."""
