"""The static site: built whole, served from a subfolder by a plain file server, opened in a real Chromium."""

import gzip
import itertools
import json
import math
import random
import re
import shutil
import socket
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner

from bleuprint.cli.commands import cli
from bleuprint.errors import FileError
from bleuprint.web import pyodide_files
from bleuprint.web import site as site_module
from bleuprint.web.bridge import handle
from bleuprint.web.page import POLICY_STATIC
from bleuprint.web.site import MARKER, build_site
from page.hosts import QUICKLY_PACKED, SUBFOLDER, find_chromium

pytestmark = pytest.mark.extended


CAT = {"candidate": "the cat is on mat", "references": ["the cat is on the mat"], "recipe": {"base": "paper"}}
CALL = """
async (request) => (await import(new URL("static/engine-static.js", document.baseURI))).call(request)
"""
IS_KEPT = "navigator.serviceWorker.getRegistration().then((found) => Boolean(found?.active))"
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def folder(site):
    return site / SUBFOLDER


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), chromium_sandbox=False, args=FLAGS)
        yield browser
        browser.close()


class Handler(SimpleHTTPRequestHandler):
    """Files with their usual types and no other header; a test may put something else in the place of a file."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012
        ".html": "text/html",
        ".js": "text/javascript",
        ".css": "text/css",
        ".svg": "image/svg+xml",
        ".json": "application/json",
        ".wasm": "application/wasm",
        ".zip": "application/zip",
        "": "application/octet-stream",
    }

    def do_GET(self):
        name = unquote(urlsplit(self.path).path).removeprefix(f"/{SUBFOLDER}/")
        host = self.server.host
        host.asked.append(name)
        if name in host.stalled:
            host.closed.wait(30)
            self.close_connection = True
        elif name in host.missing:
            self.send_error(404)
        elif name in host.edits:
            self._send(host.edits[name](host.read(name)), self.guess_type(name or "index.html"))
        elif name in host.types:
            self._send(host.read(name), host.types[name])
        else:
            super().do_GET()

    def _send(self, data, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_arguments):
        pass


class Server(ThreadingHTTPServer):
    """Closes what is open when it closes; connections that are kept alive would go on answering."""

    daemon_threads = True

    def __init__(self, *arguments):
        self.connections = []
        super().__init__(*arguments)

    def process_request(self, request, client_address):
        self.connections.append(request)
        super().process_request(request, client_address)

    def handle_error(self, *_arguments):
        """Browsers break connections off."""

    def server_close(self):
        super().server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class Host:
    """A plain static file server on its own port."""

    def __init__(self, root, port=0):
        self.root, self.asked, self.closed = root, [], threading.Event()
        self.missing, self.stalled, self.edits, self.types = set(), set(), {}, {}
        self.server = Server(("127.0.0.1", port), partial(Handler, directory=str(root)))
        self.server.host = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.address = f"{self.origin}/{SUBFOLDER.replace(' ', '%20')}/"

    def read(self, name):
        return (self.root / SUBFOLDER / (name or "index.html")).read_bytes()

    def close(self):
        self.closed.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def host(site):
    host = Host(site)
    yield host
    host.close()


@pytest.fixture
def context(browser):
    context = browser.new_context()
    yield context
    context.close()


def wait_for(page, expression, seconds=60):
    """Poll, because under a strict policy Playwright's own waiting for functions never ends."""
    until = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < until, f"{expression} did not come true; the page says: {problem_of(page)!r}"
        time.sleep(0.05)


def problem_of(page):
    return page.locator("#problem").text_content()


def open_ready(context, host):
    page = context.new_page()
    page.goto(host.address)
    wait_for(page, "document.body.dataset.ready === 'yes'")
    return page


def open_broken(context, host, seconds=30):
    """Open a page whose engine cannot start; give what it says."""
    page = context.new_page()
    page.goto(host.address)
    page.locator("#problem:not([hidden])").wait_for(timeout=seconds * 1000)
    return problem_of(page)


# What is built


class Fetches(HTMLParser):
    """The addresses that a browser fetches for a document."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attributes):
        names = {"href"} if tag == "link" else {"src", "srcset", "action", "data", "poster", "formaction"}
        self.addresses += [value for name, value in attributes if name in names]


def test_the_folder_holds_all_that_is_needed(folder):
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {
        "index.html", "manifest.json", "package.zip", "snapshot.bin", "service-worker.js", "LICENSES.txt", "_headers",
        ".nojekyll", "robots.txt", MARKER, "pyodide/pyodide.js", "pyodide/pyodide.asm.js", "pyodide/pyodide.asm.wasm",
        "kernel.wasm",
        "pyodide/python_stdlib.zip", "static/app.js", "static/engine-static.js", "static/worker.js",
    } <= files  # fmt: skip
    assert not [path for path in files if path.endswith(".mjs")]
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in [folder, *folder.rglob("*")])


def test_the_page_names_only_relative_addresses(folder):
    fetches = Fetches()
    fetches.feed((folder / "index.html").read_text(encoding="utf-8"))
    assert "static/app.js" in fetches.addresses
    assert not [address for address in fetches.addresses if urlsplit(address).scheme or address.startswith("/")]
    for script in (folder / "static").glob("*.js"):
        addresses = re.findall(r"https?://[\w./-]+", script.read_text(encoding="utf-8"))
        assert not [address for address in addresses if not address.startswith("http://www.w3.org/")], script.name


def test_headers_and_licences(folder):
    path, *lines = (folder / "_headers").read_text(encoding="utf-8").splitlines()
    assert path == "/*"
    assert dict(line.strip().split(": ", 1) for line in lines) == {
        "Content-Security-Policy": f"{POLICY_STATIC}; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    licences = (folder / "LICENSES.txt").read_text(encoding="utf-8")
    for part in (
        "bleuprint 0.", "Apache License", "jinja2 3.", "markupsafe 3.", "Pallets",
        f"Pyodide {pyodide_files.PYODIDE_VERSION}",
        "Mozilla Public License Version 2.0", "CPython 3.14", "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2",
        "Libraries inside kernel.wasm", "wasi-libc", "LLVM Exceptions to the Apache 2.0 License",
    ):  # fmt: skip
        assert part in licences, part


def test_the_libraries_inside_pyodide_are_named_with_their_versions(folder):
    """Another Pyodide brings other libraries; then the list must be made anew."""
    licences = (folder / "LICENSES.txt").read_text(encoding="utf-8")
    binary = (folder / "pyodide/pyodide.asm.wasm").read_bytes()
    for name, trace in {
        "zlib 1.3.1": b"deflate 1.3.1 Copyright", "bzip2 1.0.6": b"1.0.6, 6-Sept-2010", "liblzma 5.2.2": b"5.2.2\x00",
        "Zstandard 1.5.7": b"1.5.7\x00", "SQLite 3.39.0": b"3.39.0\x00", "libffi": b"ffi_prep_cif",
        "Expat 2.7.3": b"expat_2.7.3", "libmpdec 2.5.1": b"2.5.1\x00", "HACL*": b"_hacl/Hacl_Hash_SHA3.c",
        "hiwire": b"hiwire_", "compiler-rt": b"lib/compiler-rt/", "libc++abi": b"lib/libcxxabi/",
    }.items():  # fmt: skip
        assert name in licences, name
        assert trace in binary, name


def test_the_package_is_bytecode_without_what_the_browser_never_runs(folder):
    import zipfile

    for name in ("package.zip", "pyodide/python_stdlib.zip"):
        with zipfile.ZipFile(folder / name) as archive:
            names = archive.namelist()
            assert not [entry for entry in names if entry.endswith((".py", ".so"))]
            flags = {archive.read(entry)[4:8] for entry in names if entry.endswith(".pyc")}
            assert flags == {b"\1\0\0\0"}, "bytecode is used without looking for its source"
    with zipfile.ZipFile(folder / "package.zip") as archive:
        names = archive.namelist()
    assert {"bleuprint/web/bridge.pyc", "jinja2/environment.pyc", "markupsafe/_native.pyc"} <= set(names)
    assert not [entry for entry in names if entry.startswith(("bleuprint/cli/", "bleuprint/web/static/"))]
    assert not {"bleuprint/web/server.pyc", "bleuprint/web/site.pyc"} & set(names)


def test_two_builds_are_equal_even_from_an_empty_cache(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(pyodide_files, "EFFORT", QUICKLY_PACKED)
    again = build_site(tmp_path / "again")
    contents = {path: (folder / path).read_bytes() for path in again.sizes}
    assert {path: (again.directory / path).read_bytes() for path in again.sizes} == contents
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "cache"], "nothing is left beside the folder"


# What is refused


@pytest.fixture
def instant_files(monkeypatch):
    """Build a site of two files, because these tests look at folders only."""
    monkeypatch.setattr(pyodide_files, "require_tools", lambda: None)
    monkeypatch.setattr(site_module, "collect_files", lambda: {"index.html": b"new", MARKER: b"", "a/b": b"c"})


def test_an_empty_folder_is_filled_and_an_older_site_needs_force(instant_files, tmp_path):
    target = tmp_path / "site"
    target.mkdir()
    build_site(target)
    (target / "index.html").write_bytes(b"old")
    with pytest.raises(FileError, match="an older site"):
        build_site(target)
    assert (target / "index.html").read_bytes() == b"old"
    (target / "leftover").touch()
    build_site(target, force=True)
    assert sorted(path.name for path in target.iterdir()) == [MARKER, "a", "index.html"]
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_with_other_files_is_never_touched(instant_files, tmp_path, force):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(FileError, match="a folder with other files"):
        build_site(tmp_path, force=force)
    with pytest.raises(FileError, match="got a file"):
        build_site(tmp_path / "thesis.txt", force=force)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_failing_build_leaves_the_older_site(instant_files, tmp_path, monkeypatch):
    build_site(tmp_path / "site")
    rename = Path.rename

    def refuse(self, target):
        if self.name == "made":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(FileError, match="No space left on device"):
        build_site(tmp_path / "site", force=True)
    assert (tmp_path / "site/index.html").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_snapshot_that_would_not_fit_is_refused(folder, tmp_path, monkeypatch):
    shutil.copy(pyodide_files.HERE / "snapshot.mjs", tmp_path)
    (tmp_path / "snapshot.py").write_text("import sys\n\ndef warm_up():\n    sys.large = bytearray(40_000_000)\n")
    pyodide = pyodide_files.provide_pyodide()
    monkeypatch.setattr(pyodide_files, "HERE", tmp_path)
    with pytest.raises(FileError, match=r"snapshot\.mjs.*\d+ bytes do not fit the memory that Python starts with"):
        pyodide_files.take_snapshot(pyodide, (folder / "package.zip").read_bytes())


def test_missing_tools_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileError, match="missing: node, npm"):
        build_site(tmp_path / "site")
    assert not list(tmp_path.iterdir())


def test_a_registry_that_cannot_be_reached_is_one_line(tmp_path, monkeypatch):
    for tool in ("node", "npm"):
        (tmp_path / tool).write_text("#!/bin/sh\necho 'npm error network unreachable' >&2\nexit 1\n")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(FileError, match=r"npm pack pyodide@.*network unreachable"):
        build_site(tmp_path / "site")
    assert not list((tmp_path / "cache/bleuprint").iterdir())


def test_the_command_says_what_it_wrote(instant_files, tmp_path):
    result = CliRunner().invoke(cli, ["site", str(tmp_path / "site")])
    assert result.exit_code == 0, result.output
    assert "3 files" in result.output
    assert "http.server" in result.output
    assert isinstance(CliRunner().invoke(cli, ["site", str(tmp_path / "site")]).exception, FileError)
    assert CliRunner().invoke(cli, ["site", str(tmp_path / "site"), "--force"]).exit_code == 0


def test_a_site_without_the_kernel_is_warned_about(instant_files, tmp_path, monkeypatch):
    slow = CliRunner().invoke(cli, ["site", str(tmp_path / "slow")])
    assert slow.exit_code == 0
    assert "3 files" in slow.stdout
    assert slow.stderr.startswith("bleuprint: warning: ")
    assert "make wasm" in slow.stderr
    files = {**site_module.collect_files(), "kernel.wasm": b"\0asm"}
    monkeypatch.setattr(site_module, "collect_files", lambda: files)
    assert CliRunner().invoke(cli, ["site", str(tmp_path / "fast")]).stderr == ""


# What a browser does with it


def random_requests():
    dice = random.Random(3)
    for recipe in ("paper", "sacrebleu", "nltk"):
        for length in (1, 4, 30):
            texts = [" ".join(dice.choices(["a", "b", "c", "ü,", "猫"], k=length + extra)) for extra in (0, 1, 3)]
            yield {"candidate": texts[0], "references": texts[1:], "recipe": {"base": recipe}}


def assert_alike(left, right, where="answer"):
    """Equal, but for the last bits of floats: in the browser another libm is at work."""
    if isinstance(left, float) and isinstance(right, float):
        assert math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-12), where
    elif isinstance(left, dict) and isinstance(right, dict):
        assert left.keys() == right.keys(), where
        for key, value in left.items():
            assert_alike(value, right[key], f"{where}.{key}")
    elif isinstance(left, list) and isinstance(right, list):
        assert len(left) == len(right), where
        for place, value in enumerate(left):
            assert_alike(value, right[place], f"{where}[{place}]")
    else:
        assert type(left) is type(right), where
        assert left == right, where


def test_the_engine_answers_what_the_library_answers(context, host):
    asked, said = [], []
    context.on("request", lambda request: asked.append(request.url))
    context.on("console", lambda message: said.append(message.text))
    page = open_ready(context, host)
    for request in random_requests():
        for action in ("explain", "details", "dialects"):
            answer = page.evaluate(CALL, {"action": action, **request})
            assert answer == handle({"action": action, **request}), (action, request)
        exported = {"action": "export", "format": "json", **request}
        assert_alike(json.loads(page.evaluate(CALL, exported)["text"]), json.loads(handle(exported)["text"]))
    assert page.evaluate(CALL, {"action": "nonsense"})["ok"] is False
    wait_for(page, IS_KEPT)
    assert asked
    outside = [address for address in asked if not address.startswith((host.origin, f"blob:{host.origin}"))]
    assert not outside
    assert not said


def without_steps(answer):
    """Leave out how much to ask for in one call, which hangs on who counts."""
    following = answer["next"]
    return answer | {"next": following and {name: value for name, value in following.items() if name != "step"}}


def test_every_action_works_before_the_archives_are_there(context, host):
    host.stalled |= {"package.zip", "pyodide/python_stdlib.zip"}
    page = open_ready(context, host)
    for request in random_requests():
        for action in ("explain", "details", "dialects", "recipe"):
            assert page.evaluate(CALL, {"action": action, **request}) == handle({"action": action, **request})
        for name in ("json", "csv", "markdown"):
            assert page.evaluate(CALL, {"action": "export", "format": name, **request})["ok"]
    counted = {"recipe": {"base": "nltk"}}
    files = [{"name": name, "text": "the cat is on mat\n\nu\u0301 猫\n"} for name in ("a.txt", "b.txt")]
    counted |= page.evaluate(CALL, {"action": "corpus-read", "files": files, **counted})
    counted |= page.evaluate(CALL, {"action": "corpus-count", **counted})
    assert page.evaluate(CALL, {"action": "corpus-result", **counted}) == handle({"action": "corpus-result", **counted})
    segments = counted["segments"]
    asked = {"recipe": {"base": "nltk"}, "segments": segments, "systems": [{"name": "b", "text": "the cat\n\nu"}]}
    asked |= {"more": ["chrf++", "ter"], "resamples": "100"}
    read = page.evaluate(CALL, {"action": "compare-read", **asked})
    asked |= {name: read[name] for name in ("names", "candidates", "references", "baseline")}
    asked["tables"] = page.evaluate(CALL, {"action": "compare-count", **asked})["tables"]
    asked |= {"scores": [], "extremes": []}
    for name, tables in zip(("nltk", "chrf++", "ter"), asked["tables"], strict=True):
        one = {**asked, "recipe": {"base": name}, "tables": tables, "start": 0, "count": read["resamples"]}
        asked["scores"].append(page.evaluate(CALL, {"action": "compare-draw", **one})["scores"])
        asked["extremes"].append([page.evaluate(CALL, {"action": "compare-swap", **one})["extreme"]])
    assert page.evaluate(CALL, {"action": "compare-result", **asked}) == handle({"action": "compare-result", **asked})
    for name in ("json", "csv", "markdown"):  # the report waits for the archives
        assert page.evaluate(CALL, {"action": "compare-export", "format": name, **asked})["ok"]
    for wanted in (
        {"from": "nltk", "to": "mteval-v14", "segments": segments},
        {"all": True, "most_references": 1, "segments": segments},
    ):
        asked = wanted | page.evaluate(CALL, {"action": "reconcile-count", **wanted})
        shown = page.evaluate(CALL, {"action": "reconcile-result", **asked})
        assert shown == handle({"action": "reconcile-result", **asked})
        assert page.evaluate(CALL, {"action": "reconcile-export", "format": "html", **asked})["ok"]
    asked = {"action": "identify-read", "segments": segments, "reported": "3.1"}
    asked |= {**page.evaluate(CALL, asked), "scores": []}
    answer = asked
    while answer["next"]:
        start, until, step = (answer["next"][name] for name in ("from", "until", "step"))
        asked["scores"] += [None] * (start - len(asked["scores"]))
        for part in range(start, until, step):
            some = {"action": "identify-part", "part": part, "count": min(step, until - part)}
            asked["scores"] += page.evaluate(CALL, {**asked, **some})["scores"]
        result = {**asked, "action": "identify-result"}
        answer = page.evaluate(CALL, result)
        assert without_steps(answer) == without_steps(handle(result))
    assert page.evaluate(CALL, {"action": "example", "mode": "compare"}) == handle(
        {"action": "example", "mode": "compare"}
    )
    assert page.evaluate(CALL, {**asked, "action": "identify-export", "format": "html"})["ok"]
    assert {"package.zip", "pyodide/python_stdlib.zip"} <= set(host.asked)


def test_an_import_waits_for_the_archives(context, host):
    gate = threading.Event()
    for name in ("package.zip", "pyodide/python_stdlib.zip"):
        host.edits[name] = lambda data: (gate.wait(20), data)[1]
    host.edits["static/worker.js"] = lambda data: data.replace(
        b'pyodide.pyimport("bleuprint.web.bridge").handle_json',
        b"""() => pyodide.runPython("import cProfile, bleuprint.io; '[1]'")""",
    )
    page = open_ready(context, host)
    page.evaluate(f"(request) => {{ ({CALL})(request).then((answer) => (window.came = answer)); }}", {})
    time.sleep(0.5)
    assert page.evaluate("window.came === undefined")
    gate.set()
    wait_for(page, "window.came")
    assert page.evaluate("window.came") == [1]


def test_several_calls_may_be_under_way(context, host):
    page = open_ready(context, host)
    requests = [{"action": "explain", **request} for request in random_requests()]
    program = f"(requests) => Promise.all(requests.map({CALL}))"
    assert page.evaluate(program, requests) == [handle(request) for request in requests]


def test_any_text_reaches_python_as_it_is(context, host):
    page = open_ready(context, host)
    text = "\ud83d\ude00 a\u0000b \u2028 </script> \\u0041 \U0001f600 é e\u0301"
    text = text.encode("utf-16", "surrogatepass").decode("utf-16")
    request = {"action": "explain", "candidate": text, "references": [text], "recipe": {"base": "paper"}}
    assert page.evaluate(CALL, request) == handle(request)
    lone = {"action": "explain", "candidate": "LONE b", "references": ["b"], "recipe": {"base": "paper"}}
    program = f"(request) => ({CALL})({{ ...request, candidate: request.candidate.replace('LONE', '\\ud800') }})"
    answer = page.evaluate(program, lone)
    assert answer == handle({**lone, "candidate": "\ud800 b"}), "half a character is refused in the same words"
    assert not answer["ok"]
    assert page.evaluate(CALL, request)["ok"]


def test_progress_grows_to_the_whole(context, host):
    host.edits["static/app.js"] = lambda _: (
        b"import { start } from './engine-static.js';\n"
        b"window.seen = []; start((progress) => seen.push(progress)).then(() => (document.body.dataset.ready = 'yes'));"
    )
    seen = open_ready(context, host).evaluate("window.seen")
    total = json.loads((host.root / SUBFOLDER / "manifest.json").read_text(encoding="utf-8"))["total"]
    assert {progress["total"] for progress in seen} == {total}
    loaded = [progress["loaded"] for progress in seen]
    assert loaded == sorted(loaded)
    steps = [after - before for before, after in itertools.pairwise([0, *loaded])]
    assert max(steps) < total / 5, "it grows piece by piece, in as many as the network makes of it"
    assert seen[-1] == {"loaded": total, "total": total, "stage": "ready"}
    stages = ["downloading", "starting Python", "ready"]
    assert set(stages) >= {progress["stage"] for progress in seen}


def test_it_works_without_a_network_after_the_first_visit(context, site):
    host = Host(site)
    page = open_ready(context, host)
    wait_for(page, IS_KEPT)
    host.close()
    before = len(host.asked)
    for address in (host.address, f"{host.address}index.html", f"{host.address}?from=mail#state"):
        page.goto("about:blank")
        page.goto(address)
        wait_for(page, "document.body.dataset.ready === 'yes'")
        assert page.evaluate(CALL, {"action": "explain", **CAT}) == handle({"action": "explain", **CAT})
    assert len(host.asked) == before


def test_a_new_version_replaces_the_old_one(context, site, tmp_path):
    host = Host(site)
    page = open_ready(context, host)
    wait_for(page, IS_KEPT)
    first = page.evaluate("caches.keys()")
    assert len(first) == 1
    shutil.copytree(site, tmp_path / "newer")
    newer = tmp_path / "newer" / SUBFOLDER
    page_text = (newer / "index.html").read_bytes()
    (newer / "index.html").write_bytes(page_text.replace(b"<title>", b"<title>Newer: "))
    names = [path for path in newer.rglob("*") if path.is_file()]
    files = {path.relative_to(newer).as_posix(): path.read_bytes() for path in names}
    (newer / "service-worker.js").write_bytes(site_module._service_worker(files))
    port = host.server.server_port
    host.close()
    host = Host(tmp_path / "newer", port)
    page.reload()
    assert not page.title().startswith("Newer: "), "the visit that finds a new version still shows the old one"
    wait_for(page, f"caches.keys().then((names) => names.length === 1 && names[0] !== {json.dumps(first[0])})")
    wait_for(page, "document.body.dataset.ready === 'yes'")
    assert page.evaluate(CALL, {"action": "explain", **CAT})["ok"], "an open page goes on"
    page.reload()
    assert page.title().startswith("Newer: ")
    wait_for(page, "document.body.dataset.ready === 'yes'")
    host.close()


# What a browser cannot do with it


PROBE = """
const target = "127.0.0.1:PORT/?WHERE";
const attempts = [
  () => fetch(`http://${target}-fetch`, { mode: "no-cors" }),
  () => { const request = new XMLHttpRequest(); request.open("GET", `http://${target}-xhr`); request.send(); },
  () => new WebSocket(`ws://${target}-socket`),
  () => new EventSource(`http://${target}-events`),
  () => navigator.sendBeacon(`http://${target}-beacon`, "text"),
  () => { new Image().src = `http://${target}-image`; },
  () => import(`http://${target}-import`),
  () => new Worker(`http://${target}-worker`),
];
for (const attempt of attempts) {
  try {
    Promise.resolve(attempt()).catch(() => {});
  } catch {}
}
"""


@contextmanager
def listening():
    """A socket that counts who comes."""
    came = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                connection.settimeout(2)
                try:
                    came.append(connection.recv(200).split(b"\r\n")[0].decode("latin-1"))
                except OSError:
                    came.append("a connection")
                connection.close()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1], came
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def probe(context, host, *, policy=True):
    """Open the page with a probe in its script and in its worker; list what got out."""
    with listening() as (port, came):
        for name, where in (("static/app.js", "page"), ("static/worker.js", "worker")):
            text = PROBE.replace("PORT", str(port)).replace("WHERE", where).encode()
            host.edits[name] = lambda data, text=text: b"{" + text + b"}\n" + data
        if not policy:
            host.edits[""] = lambda data: re.sub(rb"<meta http-equiv=[^>]*>", b"", data)
        open_ready(context, host)
        time.sleep(1)
    return came


def test_nothing_gets_out_although_the_host_sends_no_policy(context, host):
    assert probe(context, host) == []


def test_the_probe_would_notice_a_page_without_a_policy(context, host):
    came = " ".join(probe(context, host, policy=False))
    for way in ("fetch", "xhr", "socket", "events", "beacon", "image", "import"):
        assert f"page-{way}" in came
    for way in ("fetch", "xhr", "socket"):
        assert f"worker-{way}" in came


def test_the_probe_would_notice_a_worker_without_a_policy(context, host):
    host.edits["static/engine-static.js"] = lambda data: data.replace(
        b"new Worker(address,", b'new Worker(new URL("worker.js", import.meta.url),'
    )
    came = " ".join(probe(context, host))
    assert "page" not in came
    for way in ("fetch", "xhr", "socket"):
        assert f"worker-{way}" in came, "a worker from an address does not have the page's policy"


# What the page says when something is wrong


@pytest.mark.parametrize(
    "name",
    [
        "pyodide/pyodide.asm.wasm", "package.zip", "pyodide/pyodide.asm.js", "manifest.json",
        # fetched as the first two are
        pytest.param("snapshot.bin", marks=pytest.mark.extended),
        pytest.param("pyodide/python_stdlib.zip", marks=pytest.mark.extended),
    ],
)  # fmt: skip
def test_a_missing_file_is_named(context, host, name):
    host.missing.add(name)
    said = open_broken(context, host)
    assert said.endswith(f"{name} could not be fetched: the host answered with status 404.")


def test_a_missing_worker_is_named(context, host):
    host.missing.add("static/worker.js")
    assert "static/worker.js: " in open_broken(context, host)


@pytest.mark.parametrize("name", ["snapshot.bin", "package.zip"])
def test_a_page_in_the_place_of_a_file_is_noticed(context, host, name):
    host.edits[name] = lambda _: b"got <!doctype html>not"
    assert f"{name} is not the file of this site: " in open_broken(context, host)


def test_a_snapshot_that_is_damaged_is_named(context, host):
    host.edits["snapshot.bin"] = lambda data: data[:5000] + bytes(len(data) - 5000)
    assert "snapshot.bin could not be unpacked. Was it changed" in open_broken(context, host)


def test_a_snapshot_of_another_pyodide_is_told(context, host):
    def rename_build(data):
        memory = bytearray(gzip.decompress(data))
        memory[16:48] = bytes(32)
        packed = gzip.compress(bytes(memory), compresslevel=1)
        host.edits["manifest.json"] = lambda text: text.replace(str(len(data)).encode(), str(len(packed)).encode())
        return packed

    changed = rename_build(host.read("snapshot.bin"))
    host.edits["snapshot.bin"] = lambda _: changed
    assert "Python does not start from snapshot.bin: Snapshot build id mismatch" in open_broken(context, host)


def test_a_script_with_a_wrong_type_is_named(context, host):
    host.types["pyodide/pyodide.js"] = "text/plain"
    said = open_broken(context, host)
    assert "pyodide/pyodide.js could not be run as a script (the host calls it text/plain)" in said


def test_a_wrong_type_of_other_files_does_no_harm(context, host):
    host.types |= dict.fromkeys(("pyodide/pyodide.asm.wasm", "package.zip"), "application/octet-stream")
    assert open_ready(context, host).evaluate(CALL, {"action": "explain", **CAT})["ok"]


def test_blocked_webassembly_is_told(context, host):
    host.edits[""] = lambda data: data.replace(b"&#39;wasm-unsafe-eval&#39;", b"").replace(b"'wasm-unsafe-eval'", b"")
    assert "WebAssembly does not start: " in open_broken(context, host)


def test_a_host_that_falls_silent_is_given_up(context, host):
    host.stalled.add("pyodide/pyodide.asm.wasm")
    host.edits["static/engine-static.js"] = lambda data: data.replace(b"PATIENCE = 60_000", b"PATIENCE = 3_000")
    assert "Nothing happened for 3 seconds. Reload to try again." in open_broken(context, host)
