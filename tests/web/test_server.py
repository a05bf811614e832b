"""The local server, running: page, bridge and API, who may ask, how much, and what happens when it is too much."""

import contextlib
import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.cli import main
from bleuprint.errors import BleuprintError
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.recipes.registry import list_metrics
from bleuprint.web import answers, api, bridge, listening, page, server
from bleuprint.web.limits import ServerLimits
from strategies import CORPUS_DIALECTS

PROGRAM = Path(sys.executable).parent / "bleuprint"
SCORE, EXPLAIN, DIALECT_LIST, BRIDGE = "/api/v1/score", "/api/v1/explain", "/api/v1/dialects", "/bridge"
COMPARE = "/api/v1/compare"
RECONCILE, GROUPS, IDENTIFY = "/api/v1/reconcile", "/api/v1/dialect-groups", "/api/v1/identify"
SEGMENT = {"candidate": "the cat is on mat", "references": ["the cat is on the mat"], "recipe": "paper"}
QUESTION = {"action": "explain", **SEGMENT, "recipe": {"base": "paper"}}
PARTS = {"message", "where", "fix", "suggestion", "index", "reference_index"}
PROGRAM_WITH_LIMITS = """
import told_work
from bleuprint.web import limits, listening, server

listener = listening.open_socket("127.0.0.1", 0)
url = listening.address_of(listener, "127.0.0.1")
app = server.make_app(limits=limits.ServerLimits(%s), work=told_work.answer)
listening.serve(listener, app, lambda: print(url, flush=True))
"""
"""A server with limits of its own, whose bridge does what it is told (told_work.py)."""
SMALL = {
    "idle_seconds": 1,
    "body_bytes": 100_000,
    "body_seconds": 0.5,
    "workers": 1,
    "waiting": 2,
    "compute_seconds": 60,
    "worker_bytes": 512 * 2**20,
}
"""Little of everything, and impatient with clients; not with work, which takes its time on a busy machine."""
SUPPORT = Path(__file__).parents[1] / "support"


@contextlib.contextmanager
def running(*command):
    """Start a server; give its process and its address, and end it."""
    environment = {**os.environ, "PYTHONPATH": str(SUPPORT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            line = process.stdout.readline()
            found = re.search(r"http://\S+", line)
            assert found, line + process.stderr.read()
            yield process, found[0]
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def address():
    with running(PROGRAM, "serve", "--port", "0") as (_, url):
        yield url


@pytest.fixture(scope="module")
def client(address):
    with httpx.Client(base_url=address, timeout=30) as client:
        yield client


def limited(limits):
    """Start a server with limits."""
    settings = ", ".join(f"{name}={value}" for name, value in limits.items())
    return running(sys.executable, "-c", PROGRAM_WITH_LIMITS % settings)


@pytest.fixture(scope="module")
def small():
    with limited(SMALL) as (_, url), httpx.Client(base_url=url, timeout=30) as client:
        yield client


def error_of(response, status):
    assert response.status_code == status, response.text[:1000]
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    error = response.json()["error"]
    assert set(error) == PARTS
    assert error["message"].endswith(error["fix"])
    return error


# The page


def test_the_page_is_the_one_that_the_package_renders(client):
    response = client.get("/")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.text == page.render_page("served")


def test_every_file_that_the_page_names_is_there_with_its_type(client):
    types = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}
    named = re.findall(r"(?:src|href)=\"(static/[^\"#]+)", page.render_page("served"))
    assert named
    for name in {*named, *(f"static/{name}" for name in page.page_files())}:
        response = client.get(name)
        assert response.status_code == 200, name
        assert response.headers["content-type"].startswith(types[name.rpartition(".")[2]])


@pytest.mark.parametrize("path", ["/", "/static/icon.svg"])
def test_an_unchanged_file_is_not_sent_twice(client, path):
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"other"'}).content == first.content


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/static/page.css", "/static/help.html"])
def test_files_are_compressed_for_those_who_can_read_them(client, path):
    packed, plain = (client.get(path, headers={"Accept-Encoding": way}) for way in ("gzip, br", "identity"))
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) == len(plain.content)
    for response in (packed, plain):
        assert response.headers["vary"] == "Accept-Encoding"
        way = response.request.headers["accept-encoding"]
        head = client.head(path, headers={"Accept-Encoding": way})
        assert head.headers["content-length"] == response.headers["content-length"]


def test_the_icon_is_found_where_browsers_look_first(client):
    assert client.get("/favicon.ico").headers["content-type"].startswith("image/svg+xml")


@pytest.mark.parametrize("path", ["static/../page.py", "static/%2e%2e/page.py", "static/%2Fetc%2Fpasswd", "static/"])
def test_no_other_file_can_be_had(address, path):
    status, _, body = raw(address, f"GET /{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert status == 404
    assert set(json.loads(body)["error"]) == PARTS


def connect(address, text):
    """Open a connection and send bytes as they are."""
    url = httpx.URL(address)
    connection = socket.create_connection((url.host, url.port), timeout=20)
    connection.sendall(text.encode("latin-1"))
    return connection


def read_all(connection):
    """Give all bytes that come until the server closes the connection."""
    received = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while chunk := connection.recv(65536):
            received += chunk
    return bytes(received)


def read_answer(connection):
    """Read until the server closes the connection; give status, headers and body of the answer."""
    head, _, body = read_all(connection).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, body


def raw(address, text):
    """Send bytes as they are; give status, headers and body of the answer."""
    with connect(address, text) as connection:
        return read_answer(connection)


def head_of(path, *headers):
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, "", ""])


# Every response


@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("GET", "/", {}, 200),
        ("HEAD", "/", {}, 200),
        ("GET", "/static/icon.svg", {}, 200),
        ("GET", "/favicon.ico", {}, 200),
        ("GET", "/openapi.json", {}, 200),
        ("GET", DIALECT_LIST, {}, 200),
        ("POST", SCORE, {"json": SEGMENT}, 200),
        ("POST", BRIDGE, {"json": QUESTION}, 200),
        ("POST", RECONCILE, {"json": {**SEGMENT, "recipe": 1}}, 422),
        ("POST", IDENTIFY, {"json": SEGMENT, "headers": {"Origin": "http://evil.example"}}, 403),
        ("GET", GROUPS, {}, 405),
        ("POST", SCORE, {"json": {}}, 422),
        ("POST", SCORE, {"content": "{", "headers": {"Content-Type": "application/json"}}, 400),
        ("POST", SCORE, {"content": "{}"}, 415),
        ("POST", SCORE, {"json": SEGMENT, "headers": {"Origin": "http://evil.example"}}, 403),
        ("GET", "/", {"headers": {"Host": "evil.example"}}, 421),
        ("GET", "/docs", {}, 404),
        ("GET", "/redoc", {}, 404),
        ("GET", "/static/nothing.js", {}, 404),
        ("GET", SCORE, {}, 405),
        ("DELETE", "/", {}, 405),
    ],
)
def test_every_response_carries_the_policy(client, method, path, options, status):
    response = client.request(method, path, **options)
    assert response.status_code == status
    for name, value in answers.HEADERS.items():
        assert response.headers.get_list(name) == [value]
    if status >= 400:
        error_of(response, status)


def test_a_wrong_method_is_told_which_are_right(client):
    assert client.get(SCORE).headers["allow"] == "POST"


# The API and the bridge


def test_the_api_scores_as_the_library_does(client):
    texts = SEGMENT["candidate"], SEGMENT["references"]
    assert client.post(SCORE, json=SEGMENT).json() == bp.score_sentence(*texts, recipe="paper").to_dict()
    assert client.post(SCORE, json={"candidate": "a b", "references": "a b"}).json()["signature"] == str(
        bp.Recipe.named("sacrebleu-sentence")
    )


def test_the_api_explains_as_the_library_does(client):
    expected = bp.explain(SEGMENT["candidate"], SEGMENT["references"], recipe="paper").to_dict()
    assert client.post(EXPLAIN, json=SEGMENT).json() == json.loads(json.dumps(expected))


def test_a_corpus_may_have_missing_references_and_a_signature_as_recipe(client):
    candidates, references = ["the cat sat", "it sleeps"], [["the cat sat", None], "it sleeps well"]
    signature = str(bp.Recipe.named("nltk").replace(order=2))
    data = {"candidates": candidates, "references": references, "recipe": signature}
    expected = bp.score(candidates, references, recipe=signature)
    assert client.post(SCORE, json=data).json() == json.loads(json.dumps(expected.to_dict()))
    assert client.post(EXPLAIN, json=data).json() == json.loads(json.dumps(bp.explain(expected).to_dict()))


def test_tokens_may_be_sent_where_the_recipe_reads_tokens(client):
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized", order=2)
    data = {"candidate": ["a", 1, "b"], "references": [["a", 1, "c"]], "recipe": str(recipe)}
    assert client.post(SCORE, json=data).json()["matches"] == [2, 1]
    assert client.post(SCORE, json={**data, "recipe": "paper"}).status_code == 422


def test_a_text_too_long_to_be_scored_at_once_gets_the_same_answer(client):
    candidate, reference = "the cat is on the mat . " * 2000, "the cat sat on the mat . " * 2000
    expected = bp.score_sentence(candidate, reference).to_dict()
    answer = client.post(SCORE, json={"candidate": candidate, "references": reference})
    assert answer.json() == json.loads(json.dumps(expected))


@given(
    st.lists(st.tuples(st.text(), st.lists(st.text(), min_size=1, max_size=3)), min_size=1, max_size=4),
    st.sampled_from(CORPUS_DIALECTS),
)
@settings(max_examples=40)
def test_answers_to_random_texts_are_as_documented(client, corpus, recipe):
    data = {"candidates": [c for c, _ in corpus], "references": [r for _, r in corpus], "recipe": recipe}
    score = client.post(SCORE, json=data)
    assert score.json()["score"] == bp.score(data["candidates"], data["references"], recipe).score
    jsonschema.validate(client.post(EXPLAIN, json=data).json(), api.explanation_schema())


CANDIDATES, REFERENCES = (
    ["The cat sat.", "It purred.", "Rain"],
    [["the cat sat."], ["It purred!", "It slept"], ["Rain"]],
)
CORPUS = {"candidates": CANDIDATES, "references": REFERENCES}
ONE = {"candidate": "The cat sat.", "references": ["the cat sat .", "A cat"]}
SYSTEMS = {"a": CANDIDATES, "b": ["A", "b", "c d"]}


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        (
            RECONCILE,
            {**CORPUS, "from": "nltk", "to": "mteval-v14"},
            lambda: bp.reconcile(CANDIDATES, REFERENCES, "nltk", "mteval-v14"),
        ),
        (
            RECONCILE,
            {**ONE, "from": str(bp.Recipe.named("paper")), "to": "sacrebleu-sentence"},
            lambda: bp.reconcile("The cat sat.", ONE["references"], "paper", "sacrebleu-sentence"),
        ),
        (
            COMPARE,
            {"systems": SYSTEMS, "references": REFERENCES, "resamples": 200},
            lambda: bp.compare(SYSTEMS, REFERENCES, resamples=200),
        ),
        (
            COMPARE,
            {
                "systems": SYSTEMS,
                "references": REFERENCES,
                "recipe": "paper",
                "baseline": "b",
                "test": "bootstrap",
                "resamples": 100,
                "confidence": 0.9,
                "seed": 7,
            },
            lambda: bp.compare(
                SYSTEMS, REFERENCES, "paper", baseline="b", test="bootstrap", resamples=100, confidence=0.9, seed=7
            ),
        ),
        (GROUPS, CORPUS, lambda: group_dialects(CANDIDATES, REFERENCES)),
        (GROUPS, ONE, lambda: group_dialects("The cat sat.", ONE["references"])),
        (
            IDENTIFY,
            {**CORPUS, "reported": "17.10"},
            lambda: bp.identify(CANDIDATES, REFERENCES, "17.10"),
        ),
        (
            IDENTIFY,
            {**ONE, "reported": 0.5},
            lambda: bp.identify(["The cat sat."], [ONE["references"]], 0.5),
        ),
        (
            IDENTIFY,
            {"systems": SYSTEMS, "references": REFERENCES, "reported": {"b": "0", "a": "33"}},
            lambda: bp.identify(SYSTEMS, REFERENCES, {"a": "33", "b": "0"}),
        ),
    ],
)
def test_the_api_compares_reconciles_and_identifies_as_the_library_does(client, path, data, expected):
    answer = client.post(path, json=data)
    assert answer.json() == json.loads(json.dumps(expected().to_dict()))


@pytest.mark.parametrize(
    ("path", "data", "where"),
    [
        (COMPARE, CORPUS, "body"),
        (COMPARE, {"systems": SYSTEMS, "references": REFERENCES, "baseline": "c"}, "baseline"),
        (COMPARE, {"systems": SYSTEMS, "references": REFERENCES, "baseline": 1}, "baseline"),
        (COMPARE, {"systems": SYSTEMS, "references": REFERENCES, "resamples": 10_001}, "resamples"),
        (COMPARE, {"systems": SYSTEMS, "references": REFERENCES, "resamples": 99}, "resamples"),
        (COMPARE, {"systems": SYSTEMS, "references": REFERENCES, "seed": -1}, "seed"),
        (COMPARE, {"systems": SYSTEMS, "references": REFERENCES, "test": None}, "test"),
        (COMPARE, {"systems": dict.fromkeys("abcdefghijk", CANDIDATES), "references": REFERENCES}, "systems"),
        (COMPARE, {"systems": {"a": CANDIDATES[:1]}, "references": REFERENCES}, "system 'a', candidates"),
        (RECONCILE, CORPUS, "body"),
        (RECONCILE, {**CORPUS, "from": "nltk", "to": "no-such"}, "recipe"),
        (RECONCILE, {**CORPUS, "from": "nltk", "to": None}, "to"),
        (RECONCILE, {**CORPUS, "candidates": "a", "from": "nltk", "to": "paper"}, "candidates"),
        (RECONCILE, {**CORPUS, "candidates": ["a"], "from": "nltk", "to": "paper"}, "references"),
        (GROUPS, {**CORPUS, "recipe": "paper"}, "body"),
        (GROUPS, {"candidates": [], "references": []}, "candidates"),
        (IDENTIFY, CORPUS, "body"),
        (IDENTIFY, {**CORPUS, "reported": "17,1"}, "reported"),
        (IDENTIFY, {**CORPUS, "reported": None}, "reported"),
        (IDENTIFY, {**CORPUS, "reported": {"a": "1"}}, "reported"),
        (IDENTIFY, {"systems": SYSTEMS, "references": REFERENCES, "reported": "1"}, "reported"),
        (IDENTIFY, {"systems": SYSTEMS, "references": REFERENCES, "reported": {"a": "1"}}, "reported"),
    ],
)
def test_what_cannot_be_compared_reconciled_or_identified_says_where(client, path, data, where):
    assert error_of(client.post(path, json=data), 422)["where"] == where


def test_the_dialects_are_listed_with_recipes_that_parse(client):
    listed = client.get(DIALECT_LIST).json()
    assert [(entry["metric"], entry["name"]) for entry in listed] == [
        (metric.key, name) for metric in list_metrics() for name in metric.dialects
    ]
    for entry in listed:
        recipe = bp.Recipe.named(entry["name"])
        assert bp.Recipe.parse(entry["signature"]) == recipe
        assert entry["tool"] == recipe.metric.dialects[entry["name"]].tool
        assert entry["choices"] == {field: recipe.choice(field) for field in recipe.metric.axes}


def test_the_bridge_gives_what_the_page_would_compute_itself(client):
    assert client.post(BRIDGE, json=QUESTION).json() == json.loads(json.dumps(bridge.handle(QUESTION)))
    refused = client.post(BRIDGE, json={"action": "nonsense"})
    assert (refused.status_code, refused.json()) == (200, bridge.handle({"action": "nonsense"}))
    assert client.post(BRIDGE, json=[]).json()["ok"] is False


def test_the_bridge_is_not_part_of_the_documented_api(client):
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {SCORE, EXPLAIN, COMPARE, DIALECT_LIST, RECONCILE, GROUPS, IDENTIFY}
    assert document["info"]["version"] == bp.__version__


# Errors


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ([], "body"),
        (None, "body"),
        ({"candidate": "a"}, "body"),
        ({**SEGMENT, "candidates": ["a"]}, "body"),
        ({**SEGMENT, "refernces": "a"}, "body"),
        ({**SEGMENT, "recipe": None}, "recipe"),
        ({**SEGMENT, "recipe": "no-such"}, "recipe"),
        ({**SEGMENT, "candidate": 7}, "candidate"),
        ({**SEGMENT, "references": []}, "references"),
        ({**SEGMENT, "references": [None]}, "references"),
        ({"candidates": [], "references": []}, "candidates"),
        ({"candidates": ["a", "b"], "references": ["a"]}, "references"),
        ({"candidates": ["a"], "references": [{"a": 1}]}, "references[0]"),
        ({**SEGMENT, "candidate": "\ud800"}, "candidate"),
    ],
)
def test_a_body_that_cannot_be_scored_says_where(client, data, where):
    for path in (SCORE, EXPLAIN):
        response = client.post(path, content=json.dumps(data), headers={"Content-Type": "application/json"})
        assert error_of(response, 422)["where"] == where


def test_the_words_are_those_of_the_library(client):
    with pytest.raises(BleuprintError) as refused:
        bp.score(["a", "b"], ["a"])
    answer = client.post(SCORE, json={"candidates": ["a", "b"], "references": ["a"]})
    assert error_of(answer, 422)["message"] == str(refused.value)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"NaN", b'{"a": ' + b"9" * 5000 + b"}"])
def test_what_is_not_json_is_a_bad_request(client, body):
    for path in (SCORE, EXPLAIN, BRIDGE, RECONCILE, GROUPS, IDENTIFY):
        assert error_of(client.post(path, content=body, headers={"Content-Type": "application/json"}), 400)


LONG = "x" * 3000


@pytest.mark.parametrize(
    "request_",
    [
        ("POST", SCORE, {"json": {**SEGMENT, "recipe": LONG}}),
        ("POST", SCORE, {"json": {**SEGMENT, "recipe": f"bleuprint:1|tok:{LONG}"}}),
        ("POST", SCORE, {"json": {**SEGMENT, "recipe": str(bp.Recipe.named("paper")).replace("whitespace", LONG)}}),
        ("POST", SCORE, {"json": {**SEGMENT, "recipe": str(bp.Recipe.named("paper")).replace("uniform", LONG)}}),
        ("POST", SCORE, {"json": {**SEGMENT, "recipe": str(bp.Recipe.named("paper")).replace("mixed", LONG)}}),
        ("POST", SCORE, {"json": {**SEGMENT, "recipe": f"nrefs:1|case:{LONG}"}}),
        ("POST", SCORE, {"json": {**SEGMENT, LONG: 1}}),
        ("POST", SCORE, {"json": {**SEGMENT, "references": {LONG: 1}}}),
        ("POST", SCORE, {"json": {**SEGMENT, "candidate": [LONG]}}),
        ("POST", SCORE, {"json": LONG}),
        ("POST", BRIDGE, {"json": {"action": LONG}}),
        ("POST", BRIDGE, {"json": {**QUESTION, "recipe": {"base": LONG}}}),
        ("POST", BRIDGE, {"json": {**QUESTION, "recipe": {"smoothing": LONG}}}),
        ("POST", SCORE, {"content": LONG, "headers": {"Content-Type": "application/json"}}),
        ("POST", SCORE, {"content": "{}", "headers": {"Content-Type": LONG}}),
        ("POST", SCORE, {"json": SEGMENT, "headers": {"Origin": f"http://{LONG}"}}),
        ("GET", "/", {"headers": {"Host": LONG}}),
        ("GET", f"/{LONG}", {}),
    ],
)
def test_an_error_quotes_at_most_80_characters_of_what_came(client, request_):
    method, path, options = request_
    response = client.request(method, path, **options)
    assert set(response.json()["error"]) == PARTS
    assert max(map(len, re.findall("x+", response.text))) <= 80


# Who may ask


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1234", 200),
        ("127.0.0.1", 200),
        ("127.0.0.1:80", 200),
        ("[::1]", 200),
        ("[::1]:8765", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("evil.example:8765", 421),
        ("127.0.0.1.evil.example", 421),
        ("192.168.0.7", 421),
        ("0.0.0.0", 421),
        ("::1", 421),
        ("", 421),
        ("127.0.0.1:8931, evil", 421),
        ("localhost:1, localhost:1", 421),
        ("localhost:", 421),
        ("localhost:0", 421),
        ("localhost:65535", 200),
        ("localhost:65536", 421),
        ("localhost:http", 421),
        ("localhost:+80", 421),
        ("localhost:80:80", 421),
        ("localhost/", 421),
        ("user@localhost", 421),
        ("localhost:80@evil.example", 421),
        ("[::1", 421),
        ("[::1]8765", 421),
        ("[localhost]", 421),
        ("[127.0.0.1]", 421),
    ],
)
def test_only_this_machine_s_names_are_answered(address, host, status):
    for path in ("/", "/openapi.json", "/static/icon.svg"):
        answer = raw(address, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        assert answer[0] == status


def test_a_server_for_every_address_answers_to_addresses_and_its_own_name_but_not_to_other_names():
    with running(PROGRAM, "serve", "--host", "0.0.0.0", "--port", "0") as (_, url):
        hosts = [
            "192.168.0.7:80",
            "[fe80::1]",
            "127.0.0.1",
            socket.gethostname(),
            "evil.example",
            "1.2.3.4.evil.example",
            "192.168.0.7, evil.example",
            "[192.168.0.7]",
        ]
        statuses = [raw(url, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")[0] for host in hosts]
    assert statuses == [200, 200, 200, 200, 421, 421, 421, 421]


def test_a_request_without_host_or_with_two_is_refused(address):
    assert raw(address, "GET / HTTP/1.0\r\n\r\n")[0] == 421
    for hosts in (("evil.example", "localhost"), ("localhost", "evil.example"), ("localhost", "localhost")):
        lines = "".join(f"Host: {host}\r\n" for host in hosts)
        assert raw(address, f"GET / HTTP/1.1\r\n{lines}Connection: close\r\n\r\n")[0] == 421


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:8765", 200),
        ("http://LOCALHOST:8765", 200),
        ("https://localhost:8765", 200),  # behind a proxy that adds TLS
        ("ftp://localhost:8765", 403),
        ("chrome-extension://localhost:8765", 403),
        ("//localhost:8765", 403),
        ("localhost:8765", 403),
        ("http://localhost:8765/", 403),
        ("http://user@localhost:8765", 403),
        ("http://localhost:8765 http://localhost:8765", 403),
        ("http://127.0.0.1:8765", 403),
        ("http://localhost", 403),
        ("http://localhost:9999", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("", 403),
        ("http://[", 403),
    ],
)
@pytest.mark.parametrize("path", [SCORE, BRIDGE])
def test_only_the_server_s_own_page_may_write_to_it(client, path, origin, status):
    headers = {"Origin": origin, "Host": "localhost:8765"}
    data = SEGMENT if path == SCORE else QUESTION
    assert client.post(path, json=data, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost", "http://localhost", 200),
        ("localhost", "http://localhost:9999", 403),
        ("127.0.0.1:8765", "http://127.0.0.1:876", 403),
        ("127.0.0.1:8765", "http://127.0.0.1:87650", 403),
        ("[::1]:8765", "http://[::1]:8765", 200),
        ("[::1]:8765", "http://[::1]:8766", 403),
        ("[::1]:8765", "http://[::1]", 403),
    ],
)
def test_a_page_on_another_port_is_another_page(client, host, origin, status):
    assert client.post(SCORE, json=SEGMENT, headers={"Host": host, "Origin": origin}).status_code == status


def test_two_origins_are_none(client):
    headers = [("Host", "localhost:8765"), ("Origin", "http://evil.example"), ("Origin", "http://localhost:8765")]
    assert error_of(client.post(SCORE, json=SEGMENT, headers=headers), 403)["where"] == "Origin"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_cannot_send_a_body(client, kind):
    body = json.dumps(QUESTION)
    assert error_of(client.post(BRIDGE, content=body, headers={"Content-Type": kind}), 415)["where"] == "Content-Type"
    assert client.post(BRIDGE, content=body, headers={"Content-Type": "Application/JSON; charset=utf-8"}).is_success


# How much a request may bring


def test_a_body_over_the_limit_is_refused_whether_it_tells_its_length_or_not(client):
    size = ServerLimits().body_bytes
    headers = {"Content-Type": "application/json"}
    for path in (SCORE, BRIDGE):
        told = client.post(path, content=b" " * (size + 1), headers=headers)
        assert error_of(told, 413)["where"] == "the texts"
        streamed = client.post(path, content=(b" " * 65536 for _ in range(size // 65536 + 1)), headers=headers)
        assert error_of(streamed, 413)["where"] == "the texts"
    padded = json.dumps(SEGMENT).encode().ljust(size)
    assert client.post(SCORE, content=padded, headers=headers).status_code == 200


def test_a_length_that_is_announced_is_refused_before_it_is_sent(address):
    status, headers, _ = raw(address, head_of(SCORE, "Expect: 100-continue", "Content-Length: 99999999999"))
    assert (status, headers["connection"]) == (413, "close")


@pytest.mark.parametrize("length", ["Content-Length: 50", "Transfer-Encoding: chunked"])
def test_a_body_that_does_not_arrive_in_time_is_not_waited_for(small, length):
    status, headers, body = raw(str(small.base_url), head_of(SCORE, length))
    assert (status, headers["connection"], headers["x-content-type-options"]) == (408, "close", "nosniff")
    assert json.loads(body)["error"]["where"] == "body"


# What comes over a connection


GET = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def test_a_body_that_drips_is_not_waited_for(small):
    with connect(str(small.base_url), head_of(SCORE, "Content-Length: 100000")) as connection:
        connection.settimeout(0.05)
        received = b""
        with contextlib.suppress(OSError):
            for _ in range(400):
                connection.sendall(b" ")
                with contextlib.suppress(TimeoutError):
                    received += connection.recv(65536)
            pytest.fail("the connection is still open")
    assert b"408 Request Timeout" in received


def test_an_idle_connection_is_closed(small):
    with connect(str(small.base_url), GET.replace("Connection: close\r\n", "")) as connection:
        assert read_all(connection).startswith(b"HTTP/1.1 200 OK")


def test_more_connections_than_may_be_open_are_refused():
    with limited({**SMALL, "connections": 5}) as (_, url):
        with contextlib.ExitStack() as stack:
            for _ in range(5):
                stack.enter_context(connect(url, ""))
            wait_until(lambda: raw(url, GET)[0] == 503)
        wait_until(lambda: raw(url, GET)[0] == 200)


@pytest.mark.parametrize(
    "text",
    [
        "hello?\r\n\r\n",
        head_of(SCORE, "Content-Length: 2", "Content-Length: 2") + "{}",
        head_of(SCORE, "Content-Length: 2", "Content-Length: 4") + "{}",
        head_of(SCORE, "Content-Length: 2", "Transfer-Encoding: chunked") + "0\r\n\r\n",
        head_of(SCORE, "Content-Length: -2"),
        head_of(SCORE, "Content-Length: 2, 2") + "{}",
        head_of(SCORE, "Content-Length: 99999999999999999999999"),
        head_of(SCORE, "Transfer-Encoding: chunked") + "zz\r\n{}\r\n0\r\n\r\n",
        head_of(SCORE, "Transfer-Encoding: chunked") + "-2\r\n{}\r\n0\r\n\r\n",
        head_of(SCORE, "Transfer-Encoding: chunked") + "fffffffffffffffff\r\n{}",
        head_of(SCORE, "Transfer-Encoding: chunked") + "2\r\n{}x",
        head_of(SCORE, "Transfer-Encoding: gzip, chunked, gzip") + "2\r\n{}\r\n0\r\n\r\n",
    ],
)
def test_a_body_whose_end_is_in_doubt_is_refused(small, text):
    status, headers, _ = raw(str(small.base_url), text)
    assert (status, headers["connection"]) == (400, "close")


def test_a_compressed_body_is_refused_by_its_name(client):
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    response = client.post(SCORE, content=gzip.compress(json.dumps(SEGMENT).encode()), headers=headers)
    assert error_of(response, 415)["where"] == "Content-Encoding"


def wait_until(is_so):
    for _ in range(200):
        if is_so():
            return
        time.sleep(0.1)
    pytest.fail("waited in vain")


# What a request may cost


def test_a_client_that_leaves_does_no_harm(small):
    connect(str(small.base_url), head_of(SCORE, "Content-Length: 50")).close()
    connect(str(small.base_url), head_of(BRIDGE, "Content-Length: 16") + '{"seconds": 0.1}').close()
    assert small.post(SCORE, json=SEGMENT).status_code == 200
    assert small.post(BRIDGE, json={"seconds": 0}).status_code == 200


def has_ended(sign):
    """Whether work that writes a line every hundredth of a second writes none any more."""
    lines = sign.read_text()
    time.sleep(0.5)
    return sign.read_text() == lines


def test_work_ends_when_its_client_leaves(small, tmp_path):
    sign = tmp_path / "sign"
    text = json.dumps({"forever": str(sign)})
    with connect(str(small.base_url), head_of(BRIDGE, f"Content-Length: {len(text)}") + text):
        wait_until(sign.exists)
    assert small.post(BRIDGE, json={}).status_code == 200  # by the only worker there is
    assert has_ended(sign)


def test_work_that_waits_is_not_begun_when_its_client_has_left(small, tmp_path):
    signs = [tmp_path / name for name in ("first", "second")]
    texts = [json.dumps({"forever": str(sign)}) for sign in signs]
    first, second = (
        connect(str(small.base_url), head_of(BRIDGE, f"Content-Length: {len(text)}") + text) for text in texts
    )
    with first:
        wait_until(signs[0].exists)
        second.close()
        for _ in range(10):  # until the server has seen it
            assert raw(str(small.base_url), GET)[0] == 200
    assert small.post(BRIDGE, json={}).status_code == 200
    assert not signs[1].exists()


def test_work_that_takes_too_long_ends(tmp_path):
    sign = tmp_path / "sign"
    with limited({**SMALL, "compute_seconds": 3}) as (_, url), httpx.Client(base_url=url, timeout=30) as hasty:
        wait_until(lambda: hasty.post(BRIDGE, json={}).status_code == 200)  # then the worker has started
        worker = hasty.post(BRIDGE, json={}).json()["process"]
        slow = hasty.post(BRIDGE, json={"forever": str(sign)})
        assert error_of(slow, 503)["where"] == "server"
        assert slow.headers["retry-after"] == "10"
        assert hasty.post(BRIDGE, json={}).json()["process"] != worker
        assert has_ended(sign)


def test_a_worker_that_dies_is_replaced(small, tmp_path):
    worker = small.post(BRIDGE, json={}).json()["process"]
    begun = tmp_path / "begun"
    with ThreadPoolExecutor(1) as sender:
        asked = sender.submit(small.post, BRIDGE, json={"begun": str(begun), "until": str(tmp_path / "never")})
        wait_until(begun.exists)
        os.kill(worker, signal.SIGKILL)
        assert error_of(asked.result(), 503)["where"] == "server"
    assert small.post(BRIDGE, json={}).json()["process"] != worker


def test_a_worker_that_dies_while_it_waits_is_replaced(small):
    worker = small.post(BRIDGE, json={}).json()["process"]
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: not Path(f"/proc/{worker}").exists())
    assert small.post(BRIDGE, json={}).json()["process"] != worker


def test_more_memory_than_a_worker_may_have_is_refused(small):
    worker = small.post(BRIDGE, json={}).json()["process"]
    assert error_of(small.post(BRIDGE, json={"bytes": 600 * 2**20}), 413)["where"] == "texts"
    assert small.post(BRIDGE, json={"bytes": 100 * 2**20}).json()["process"] == worker


def test_more_than_can_wait_is_refused_at_once_and_the_rest_is_answered(small, tmp_path):
    enough = tmp_path / "enough"
    with ThreadPoolExecutor(12) as senders:
        asked = [senders.submit(small.post, BRIDGE, json={"until": str(enough)}) for _ in range(12)]
        wait_until(lambda: sum(one.done() for one in asked) == 9)
        refused = [one.result() for one in asked if one.done()]
        enough.touch()
        answered = [one.result() for one in asked if one.result() not in refused]
    assert [answer.status_code for answer in answered] == [200] * 3
    for answer in refused:
        assert answer.headers["retry-after"] == "1"
        assert error_of(answer, 503)["where"] == "server"
    assert small.post(BRIDGE, json={"seconds": 0}).status_code == 200


def test_small_requests_are_answered_while_workers_compute(small, tmp_path):
    begun, enough = tmp_path / "begun", tmp_path / "enough"
    with ThreadPoolExecutor(1) as sender:
        slow = sender.submit(small.post, BRIDGE, json={"begun": str(begun), "until": str(enough)})
        wait_until(begun.exists)
        assert small.post(SCORE, json=SEGMENT).status_code == 200
        assert small.get("/").status_code == 200
        assert not slow.done()
        enough.touch()
        assert slow.result().status_code == 200


@pytest.mark.parametrize(
    ("name", "choices", "at_once"),
    [
        ("paper", {}, True),
        ("ter", {}, True),
        ("paper", {"order": 100}, False),
        ("paper", {"tokenizer": "treebank"}, False),
    ],
)
def test_long_ngrams_and_other_programs_are_not_computed_between_other_requests(client, name, choices, at_once):
    request = {**SEGMENT, "recipe": str(bp.Recipe.named(name).replace(**choices))}
    assert (api.answer_at_once("score", json.dumps(request).encode()) is not None) is at_once
    assert client.post(SCORE, json=request).is_success


@pytest.mark.parametrize(
    "data",
    [
        {"candidate": "a b " * 4750, "references": ["c d " * 4750] * 4},
        {"candidates": ["a"] * 120_000, "references": ["b"] * 120_000},
    ],
)
def test_an_explanation_that_would_take_too_much_is_refused_before_it_is_made(client, data):
    recipe = str(bp.Recipe.named("paper").replace(order=100))
    error = error_of(client.post(EXPLAIN, json={**data, "recipe": recipe}), 422)
    assert error["where"] == "explanation"
    assert "lower N" in error["fix"]
    assert client.post(SCORE, json={**data, "recipe": recipe}).json()["label"] == "BLEU-100"


def test_a_long_segment_of_a_corpus_is_answered_because_its_ngrams_are_only_counted(client):
    data = {"candidates": ["a", "a b " * 23750], "references": ["a", "c d " * 23750]}
    recipe = str(bp.Recipe.named("paper").replace(order=100))
    answer = client.post(EXPLAIN, json={**data, "recipe": recipe}).json()
    assert [line["plain_matches"] for line in answer["arithmetic"]["orders"]] == [1, *[0] * 99]


def test_a_fault_is_an_answer_too_and_tells_nothing_of_the_input(small):
    response = small.post(BRIDGE, json={"fail": "a secret"})
    assert error_of(response, 500)["where"] == "server"
    assert "ZeroDivisionError" in response.text
    assert "secret" not in response.text
    assert response.headers["content-security-policy"] == page.POLICY_SERVED


def test_many_at_once_are_all_answered(client):
    def ask(_):
        return client.post(SCORE, json=SEGMENT).json()["score"]

    with ThreadPoolExecutor(16) as senders:
        assert set(senders.map(ask, range(300))) == {bp.score_sentence(**SEGMENT).score}


# The command


@pytest.fixture
def heeded():
    """Let programs heed a signal that whoever started the tests has told them to ignore, as nohup does."""
    before = {}
    yield lambda number: before.setdefault(number, signal.signal(number, signal.SIG_DFL))
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, *(pytest.param(other, marks=pytest.mark.extended) for other in (signal.SIGINT, signal.SIGHUP))],
)
def test_it_ends_quietly_and_leaves_nothing_behind(number, tmp_path, monkeypatch, heeded):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    heeded(number)
    with running(PROGRAM, "serve", "--port", "0") as (process, url):
        assert httpx.post(f"{url}{BRIDGE[1:]}", json=QUESTION, timeout=30).status_code == 200
        assert list(tmp_path.iterdir()), "the processes that compute are reached by a file"
        process.send_signal(number)
        assert process.wait(30) == 0
        assert process.stdout.read() + process.stderr.read() == ""
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_does_not_wait_for_a_computation(tmp_path):
    text = json.dumps({"begun": str(tmp_path / "begun"), "until": str(tmp_path / "never")})
    with limited(SMALL) as (process, url):
        with connect(url, head_of(BRIDGE, f"Content-Length: {len(text)}") + text):
            wait_until((tmp_path / "begun").exists)
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 0
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_one_line_and_exit_code_2(address, monkeypatch, capsys):
    port = str(httpx.URL(address).port)
    code, out, err = call(monkeypatch, capsys, "--port", port)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"bleuprint: --port: .*{port} on '127.0.0.1' .*\(Address already in use\).*--port 0.*\n", err)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "é..b", "a" * 64, ""])
def test_a_host_that_does_not_exist_is_one_line(host, monkeypatch, capsys):
    code, out, err = call(monkeypatch, capsys, "--host", host)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"bleuprint: --host.*{re.escape(host[:20])}.*\n", err)


def call(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["bleuprint", "serve", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code, *capsys.readouterr()


@pytest.fixture
def served(monkeypatch):
    """Run the command without serving: it says that it is ready, and ends."""
    hosts = []

    def serve(listener, app, announce):
        announce()
        listener.close()

    monkeypatch.setattr(listening, "serve", serve)
    monkeypatch.setattr(server, "make_app", hosts.append)
    return hosts


def test_another_host_than_this_machine_is_warned_about(served, monkeypatch, capsys):
    code, out, err = call(monkeypatch, capsys, "--host", "0.0.0.0", "--port", "0")
    assert (code, served) == (0, [["0.0.0.0"]])
    assert re.search(r"http://127\.0\.0\.1:\d+/", out)
    assert re.fullmatch(r"bleuprint: warning: --host 0\.0\.0\.0 lets every machine .* without a password .*\n", err)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_this_machine_is_not_warned_about(served, monkeypatch, capsys, host):
    code, out, err = call(monkeypatch, capsys, "--host", host, "--port", "0")
    assert (code, err) == (0, "")
    assert re.search(rf"http://{re.escape(host)}:\d+/", out)


def test_the_browser_is_opened_when_asked_for(served, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    _, out, _ = call(monkeypatch, capsys, "--port", "0")
    assert opened == []
    _, out, _ = call(monkeypatch, capsys, "--port", "0", "--open")
    assert opened == re.findall(r"http://\S+", out)


@pytest.mark.parametrize("package", ["fastapi", "uvicorn"])
def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys, package):
    for name in ("server", "listening"):
        monkeypatch.delitem(sys.modules, f"bleuprint.web.{name}")
        monkeypatch.delattr(f"bleuprint.web.{name}")
    monkeypatch.setitem(sys.modules, package, None)
    code, out, err = call(monkeypatch, capsys)
    assert (code, out) == (2, "")
    assert err.endswith('pip install "bleuprint[serve]"\n')
    assert err.count("\n") == 1


def test_a_key_that_stands_twice_is_refused(client):
    body = '{"candidate": "a", "candidate": "b", "references": ["a"]}'
    error = error_of(client.post(SCORE, content=body, headers={"content-type": "application/json"}), 400)
    assert "candidate" in error["message"]
