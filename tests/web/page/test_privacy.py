"""Nothing leaves: no request to another origin (every test watches that), and none gets out if a script tries."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bleuprint import explain, score_sentence
from page.conftest import SharedContext
from page.driver import Driver, Host, expected
from page.hosts import SUBFOLDER

# Tries every way out that a script has short of leaving the page, and waits for none of them.
PROBE = """(address) => {
    const make = (name, values) => Object.assign(document.createElement(name), values);
    const tries = {
        fetch: () => { fetch(address + "fetch", { mode: "no-cors" }).catch(() => {}); },
        post: () => { fetch(address + "post", { method: "POST", body: "x", mode: "no-cors" }).catch(() => {}); },
        keepalive: () => { fetch(address + "keep", { keepalive: true, mode: "no-cors" }).catch(() => {}); },
        xhr: () => { const request = new XMLHttpRequest(); request.open("GET", address + "xhr"); request.send(); },
        socket: () => { new WebSocket(address.replace("http", "ws") + "socket"); },
        events: () => { new EventSource(address + "events"); },
        module: () => { import(address + "module.js").catch(() => {}); },
        beacon: () => { navigator.sendBeacon(address + "beacon", "x"); },
        image: () => { new Image().src = address + "image.png"; },
        script: () => { document.head.append(make("script", { src: address + "a.js" })); },
        style: () => { document.head.append(make("link", { rel: "stylesheet", href: address + "a.css" })); },
        prefetch: () => { document.head.append(make("link", { rel: "prefetch", href: address + "prefetch" })); },
        frame: () => { document.body.append(make("iframe", { src: address + "frame" })); },
        object: () => { document.body.append(make("object", { data: address + "object" })); },
        audio: () => { new Audio(address + "audio.mp3").play().catch(() => {}); },
        font: () => { new FontFace("x", `url(${address}font)`).load().catch(() => {}); },
        worker: () => { new Worker(address + "worker.js"); },
        form: () => {
            const form = make("form", { action: address + "form", method: "post" });
            document.body.append(form);
            form.submit();
        },
    };
    const tried = [];
    for (const [name, attempt] of Object.entries(tries)) {
        try { attempt(); } catch { /* refused at once, or not there in a worker */ }
        tried.push(name);
    }
    return tried;
}"""


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A socket on another port of this machine: another origin that would take anything."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as opened:
        opened.settimeout(1.0)
        yield opened


def arrived(listener: socket.socket) -> list[bytes]:
    """What came in: the first line of every connection.

    Chromium opens a connection for a navigation (a frame, a form) before it asks the policy, and sends nothing over it.
    """
    found = []
    while True:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            return found
        with connection:
            connection.settimeout(0.3)
            with suppress(TimeoutError):
                found += [line for line in connection.recv(200).split(b"\r\n")[:1] if line]


def address_of(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}/"


def probe(driver: Driver, listener: socket.socket) -> list[str]:
    return list(driver.page.evaluate(PROBE, address_of(listener)))


# The browser reports a blocked request, too, as one that was made: the watch cannot be asked here, the socket can.
@pytest.fixture
def probed(host: Host, shared: SharedContext) -> Iterator[Driver]:
    page = shared.new_page(host)
    yield Driver(page, host).open()
    shared.close([page])


def test_a_script_in_the_worker_or_in_the_page_gets_nothing_out(probed: Driver, listener: socket.socket):
    assert len(probed.page.workers) == (probed.host.name == "static")
    for worker in probed.page.workers:
        worker.evaluate(PROBE, address_of(listener))
        assert arrived(listener) == []
    assert "beacon" in probe(probed, listener)
    assert arrived(listener) == []
    assert probed.page.url == probed.host.url


def test_the_probe_itself_does_get_through_without_the_policy(served: Host, browser, listener: socket.socket):
    context = browser.new_context(bypass_csp=True)
    driver = Driver(context.new_page(), served).open()
    probe(driver, listener)
    lines = b"\n".join(arrived(listener))
    for name in (b"/fetch", b"/xhr", b"/beacon", b"/image", b"/socket"):
        assert name in lines
    context.close()


def test_the_policy_is_on_every_response_of_the_server(served: Host, browser):
    context = browser.new_context()
    page = context.new_page()
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    driver = Driver(page, served).open().write("a b", ["a b"])
    driver.page.goto(f"{served.url}missing")
    assert len(answers) > 8
    for answer in answers:
        assert answer.headers["content-security-policy"].startswith("default-src 'none'"), answer.url
        assert answer.headers["x-content-type-options"] == "nosniff"
    context.close()


def test_the_page_says_that_nothing_leaves_and_what_is_typed_is_kept_nowhere(driver: Driver):
    text = driver.page.locator(".private").inner_text()
    assert "Nothing you type" in text
    assert driver.page.locator(".private").is_visible()
    driver.write("a secret text", ["another secret"])
    stored = "() => [document.cookie, localStorage.length, sessionStorage.length, location.href]"
    assert driver.page.evaluate(stored) == ["", 0, 0, driver.host.url]


@pytest.mark.extended
def test_the_static_page_works_in_a_machine_without_any_network(site: Path, chromium: str, without_network: list[str]):
    program = Path(__file__).with_name("without_network.py")
    inside = 'ip link set lo up && exec "$@"'
    command = [
        *without_network,
        "sh",
        "-c",
        inside,
        "sh",
        sys.executable,
        str(program),
        str(site / SUBFOLDER),
        chromium,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["network"] == "none"
    score = score_sentence("the cat is on the mat", ["there is a cat on the mat"], "paper")
    assert report["shown"] == expected(explain(score).to_dict())
