"""Downloads are used whole and checked, or not at all; what broke off is gone on with."""

import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from bleuprint.errors import FileError
from bleuprint.io import downloads
from bleuprint.io.downloads import Checksum, fetch_file
from loopback_files import serving

CONTENT = bytes(range(256)) * 4000
SHA256 = Checksum("sha256", hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def server(monkeypatch):
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with serving() as served:
        yield served


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def wait_until_open(folder, times):
    """Wait until this process has a folder open so many times."""
    for _ in range(3000):
        found = 0
        for handle in Path("/proc/self/fd").iterdir():
            with suppress(FileNotFoundError):  # closed since it was listed
                found += handle.readlink() == folder
        if found == times:
            return
        time.sleep(0.01)
    raise AssertionError(f"{folder} is not open {times} times")


@pytest.mark.parametrize("kind", ["sha256", "md5"])
def test_a_file_arrives_under_its_name_and_is_not_fetched_again(server, tmp_path, kind):
    checksum = Checksum(kind, hashlib.new(kind, CONTENT).hexdigest().upper())
    url, target, told = server.url("a.bin", CONTENT), tmp_path / "inside" / "a.bin", []
    fetch_file(url, target, checksum, lambda *what: told.append(what))
    assert target.read_bytes() == CONTENT
    assert names_in(target.parent) == ["a.bin"]
    assert told[-1] == ("a.bin", len(CONTENT), len(CONTENT))
    fetch_file(url, target, checksum)
    assert server.asked == [("/a.bin", None)]


def test_what_broke_off_is_never_used_and_gone_on_with(server, tmp_path):
    url, target = server.url("a.bin", CONTENT), tmp_path / "a.bin"
    server.cut_after["a.bin"] = 300_000
    with pytest.raises(FileError, match=r"The connection broke off after 300,000 of 1,024,000 bytes\..*put it"):
        fetch_file(url, target, SHA256)
    assert names_in(tmp_path) == ["a.bin.part"]
    server.cut_after.clear()
    fetch_file(url, target, SHA256)
    assert target.read_bytes() == CONTENT
    assert names_in(tmp_path) == ["a.bin"]
    assert server.asked == [("/a.bin", None), ("/a.bin", "bytes=300000-")]


def test_a_server_without_ranges_sends_it_anew(server, tmp_path):
    target = tmp_path / "a.bin"
    (tmp_path / "a.bin.part").write_bytes(CONTENT[:1000])
    server.takes_ranges = False
    fetch_file(server.url("a.bin", CONTENT), target, SHA256)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("begun", [b"another beginning", CONTENT + b"too long", b"x" * len(CONTENT)])
def test_a_beginning_of_something_else_is_thrown_away(server, tmp_path, begun):
    target = tmp_path / "a.bin"
    (tmp_path / "a.bin.part").write_bytes(begun)
    fetch_file(server.url("a.bin", CONTENT), target, SHA256)
    assert target.read_bytes() == CONTENT
    assert [wanted for _, wanted in server.asked] == [f"bytes={len(begun)}-", None]


def test_a_part_that_was_complete_is_taken(server, tmp_path):
    (tmp_path / "a.bin.part").write_bytes(CONTENT)
    fetch_file(server.url("a.bin", CONTENT), tmp_path / "a.bin", SHA256)
    assert names_in(tmp_path) == ["a.bin"]


def test_another_file_than_the_checksum_says_is_not_kept(server, tmp_path):
    url = server.url("a.bin", b"changed")
    with pytest.raises(FileError) as refused:
        fetch_file(url, tmp_path / "a.bin", SHA256)
    assert refused.value.where == url
    assert hashlib.sha256(b"changed").hexdigest() in refused.value.message
    assert SHA256.digits in refused.value.message
    assert names_in(tmp_path) == []


def test_a_wrong_file_under_the_name_is_replaced(server, tmp_path):
    (tmp_path / "a.bin").write_bytes(b"cut")
    fetch_file(server.url("a.bin", CONTENT), tmp_path / "a.bin", SHA256)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_without_a_network_it_says_what_to_put_where(server, tmp_path, monkeypatch):
    target = tmp_path / "a.bin"
    with pytest.raises(FileError, match=rf"The server answers 404 Not Found\..*as {target} \(SHA256"):
        fetch_file(server.url("none"), target, SHA256)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # where nobody listens
    with pytest.raises(FileError, match=rf"The server does not answer: .*refused.*put it there as {target}"):
        fetch_file("http://test.invalid/a.bin", target, SHA256)
    target.write_bytes(CONTENT)
    fetch_file("http://test.invalid/a.bin", target, SHA256)


@pytest.mark.parametrize("elsewhere", ["http://[::1/a.bin", "http://a..b/a.bin", "http://127.0.0.1:port/a.bin"])
def test_a_redirection_to_a_malformed_address_is_refused(elsewhere, server, tmp_path):
    server.redirects["a.bin"] = elsewhere
    with pytest.raises(FileError, match=f"^{server.url('a.bin')}: The server does not answer"):
        fetch_file(server.url("a.bin"), tmp_path / "a.bin", SHA256)
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("cut_after", [None, 0], ids=["no such file", "not one byte came"])
def test_where_nothing_came_no_folder_is_left(server, tmp_path, cut_after):
    url = server.url("none")
    if cut_after is not None:
        url = server.url("a.bin", CONTENT)
        server.cut_after["a.bin"] = cut_after
    with pytest.raises(FileError, match="put it there as"):
        fetch_file(url, tmp_path / "made/for/it/a.bin", SHA256)
    assert names_in(tmp_path) == []


def test_folders_that_were_there_stay_and_so_does_what_came(server, tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(FileError, match="404 Not Found"):
        fetch_file(server.url("none"), tmp_path / "mine/made/a.bin", SHA256)
    assert names_in(tmp_path) == ["mine"]
    assert names_in(tmp_path / "mine") == []
    server.cut_after["a.bin"] = 300_000
    with pytest.raises(FileError, match="The connection broke off"):
        fetch_file(server.url("a.bin", CONTENT), tmp_path / "mine/made/a.bin", SHA256)
    assert names_in(tmp_path / "mine/made") == ["a.bin.part"]


def test_who_waited_for_one_that_failed_has_a_folder_all_the_same(server, tmp_path):
    """The first leaves no folder behind, although the second waits for its lock on it."""
    server.gate.clear()
    none, url, target = server.url("none"), server.url("a.bin", CONTENT), tmp_path / "made/a.bin"
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(fetch_file, none, target, SHA256)
        assert server.was_asked.wait(30)
        second = pool.submit(fetch_file, url, target, SHA256)
        wait_until_open(target.parent, 2)
        server.gate.set()
        assert isinstance(first.exception(), FileError)
        assert second.result() is None
    assert target.read_bytes() == CONTENT


def test_who_comes_second_waits_and_finds_it_there(server, tmp_path):
    server.gate.clear()
    url, target = server.url("a.bin", CONTENT), tmp_path / "a.bin"
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(fetch_file, url, target, SHA256)
        assert server.was_asked.wait(30)
        second = pool.submit(fetch_file, url, target, SHA256)
        server.gate.set()
        assert (first.result(), second.result()) == (None, None)
    assert target.read_bytes() == CONTENT
    assert server.asked == [("/a.bin", None)]


def test_an_answer_without_end_is_cut(server, tmp_path, monkeypatch):
    monkeypatch.setattr(downloads, "MOST_BYTES", 100_000)
    with pytest.raises(FileError, match="expected a file of at most 100,000 bytes, got a longer one"):
        fetch_file(server.url("a.bin", CONTENT), tmp_path / "a.bin", SHA256)
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("length", ["9" * 5000, "\u00b2"])
def test_a_length_that_is_no_number_of_bytes_is_not_looked_at(server, tmp_path, length):
    server.said_length = length
    fetch_file(server.url("a.bin", CONTENT), tmp_path / "a.bin", SHA256)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_proxies_are_asked(server, tmp_path, monkeypatch):
    server.url("a.bin", CONTENT)
    monkeypatch.setenv("http_proxy", server.address)
    fetch_file("http://test.invalid/a.bin", tmp_path / "a.bin", SHA256)
    assert server.asked == [("http://test.invalid/a.bin", None)]


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://a/b", "/etc/passwd"])
def test_only_addresses_of_the_web_are_fetched(tmp_path, address):
    with pytest.raises(FileError, match="expected an address that begins with https:// or http://"):
        fetch_file(address, tmp_path / "a", SHA256)
    assert names_in(tmp_path) == []
