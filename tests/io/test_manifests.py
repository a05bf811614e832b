"""Manifests: test sets of one's own, in every form, from the web or beside them."""

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.errors import FileError, ShapeError
from bleuprint.io.manifest import FETCHED
from bleuprint.io.providers import list_sets
from loopback_files import serving
from testset_files import FILES, XML, pack

ROOT = Path(__file__).parents[2]
WMT25 = [
    {"doc_id": "en-cs_#_a", "src_text": "A\n\nB", "refs": {"refA": {"ref": "C\n\nD"}}, "domain": "news"},
    {"doc_id": "en-cs_#_b", "src_text": "E", "refs": {"refA": {"ref": "F"}}, "domain": "speech"},
]
for row in WMT25:
    row |= {"src_lang": "en", "tgt_lang": "cs_CZ"}


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "none"))
    monkeypatch.setenv("BLEUPRINT_TESTSETS", str(tmp_path))
    return tmp_path


def write(home, text, **files):
    (home / "own.toml").write_text(text, encoding="utf-8")
    for name, content in files.items():
        (home / name.replace("_", ".")).write_text(content, encoding="utf-8")
    return home / "own.toml"


def test_files_with_a_text_per_line(home):
    text = """
    [pairs.en-de]
    source = "src.txt"
    references = { A = "a.txt", B = "b.txt" }
    document = "docs.txt"
    origin = "origin.txt"
    domain = "domain.txt"
    [pairs.en-fr]
    references = "a.txt"
    """
    write(home, text, src_txt="s\nt\n", a_txt="a \nb\n", b_txt="c\nd\n", docs_txt="x\nx\n", origin_txt="en\nde\n",
          domain_txt="news\nnews\n")  # fmt: skip
    found = bp.testset("own/en-de")
    assert (found.sources, found.references) == (["s", "t"], [["a", "c"], ["b", "d"]])
    assert (found.documents, found.origin, found.domain) == (["x", "x"], ["en", "de"], ["news", "news"])
    assert bp.testset("own/en-de", references=["B"]).references == [["c"], ["d"]]
    lone = bp.testset("own/en-fr")
    assert (lone.references, lone.reference_names, lone.sources) == ([["a"], ["b"]], ("",), None)
    assert (list_sets()["own"].pairs, list_sets()["own"].here) == ({"en-de", "en-fr"}, {"en-de", "en-fr"})


def test_the_jsonl_of_wmt25(home):
    text = """
    [pairs.en-cs_CZ]
    format = "jsonl"
    file = "wmt25.jsonl"
    source = "src_text"
    references = ["refs.refA.ref"]
    document = "doc_id"
    domain = "domain"
    """
    write(home, text, wmt25_jsonl="\n".join(map(json.dumps, WMT25)))
    found = bp.testset("own/en-cs_CZ")
    assert (found.sources, found.references) == (["A\n\nB", "E"], [["C\n\nD"], ["F"]])
    assert (found.documents, found.domain) == (["en-cs_#_a", "en-cs_#_b"], ["news", "speech"])


@pytest.mark.parametrize(("form", "mark"), [("tsv", "\t"), ("csv", ",")])
def test_tables(home, form, mark):
    rows = [["id", "en", "de", "other"], ["1", "a b", "c", "d"], ["2", "e", "f", "g"]]
    text = f"""
    [pairs.en-de]
    format = "{form}"
    file = "table.{form}"
    source = "en"
    references = ["de", "other"]
    """
    write(home, text, **{f"table_{form}": "\n".join(map(mark.join, rows))})
    found = bp.testset("own/en-de")
    assert (found.sources, found.references) == (["a b", "e"], [["c", "d"], ["f", "g"]])
    assert found.reference_names == ("1", "2")


def test_the_xml_of_wmt(home):
    text = """
    [pairs.en-de]
    format = "xml"
    file = "all.xml"
    [pairs.de-de]
    format = "xml"
    file = "all.xml"
    references = "B"
    """
    write(home, text, all_xml=XML)
    found = bp.testset("own/en-de")
    assert found.sources == ["One & two", "Three", "Four"]
    assert (found.reference_names, found.references[0]) == (("A", "B"), ["Eins & zwei", "Ein und zwei"])
    assert (found.documents, found.origin) == (["d1", "d1", "d2"], ["en", "en", "de"])
    assert found.domain == ["news", "news", "social"]
    assert bp.testset("own/de-de").references == [["Ein und zwei"], ["Drei!"], ["Vier"]]


def test_sgml(home):
    write(home, '[pairs.en-de]\nformat = "sgml"\nfile = "ref.sgm"\n', ref_sgm=FILES["set/ref.sgm"])
    found = bp.testset("own/en-de")
    assert (found.references, found.domain) == ([["Eins &amp; zwei"], ["Drei"]], ["news", "news"])


def fetching(server, content, digits=None):
    url = server.url("set.tgz", content) + "?download=1"
    return f"""
    name = "fetched/set"
    files = [{{ address = "{url}", sha256 = "{digits or hashlib.sha256(content).hexdigest()}" }}]
    [pairs.en-de]
    source = "set/src.txt"
    references = "set/ref.txt"
    """


def test_what_a_manifest_names_is_fetched_once_checked_and_unpacked(home):
    with serving() as server:
        write(home, fetching(server, pack(FILES)))
        assert list_sets()["fetched/set"].here == set()
        found = bp.testset("fetched/set/en-de")
        assert found.references == [["Eins\u00a0und zwei"], ["Drei"]]
        assert bp.testset(f"{home}/own.toml/en-de").name == found.name == "fetched/set/en-de"
        assert list_sets()["fetched/set"].here == {"en-de"}
        assert len(server.asked) == 1
        other = pack({**FILES, "set/ref.txt": "changed\nDrei\n"})
        write(home, fetching(server, other))
        assert bp.testset("fetched/set/en-de").references == [["changed"], ["Drei"]]


@pytest.mark.parametrize("broken", [b"<html>", pack(FILES)[:-40]])
def test_what_is_not_what_it_should_be_is_not_used(home, broken):
    with serving() as server:
        for digits in (hashlib.sha256(pack(FILES)).hexdigest(), hashlib.sha256(broken).hexdigest()):
            write(home, fetching(server, broken, digits))
            with pytest.raises(FileError):
                bp.testset("fetched/set/en-de")
            assert not (home / "fetched/set/set").exists()
            assert not (home / "fetched/set" / FETCHED).exists()


def test_an_archive_beside_the_manifest(home):
    (home / "set.tgz").write_bytes(pack(FILES))
    digits = hashlib.sha256(pack(FILES)).hexdigest()
    text = 'files = [{{ file = "set.tgz", sha256 = "{}" }}]\npairs.en-de.references = "set/ref.txt"\n'
    write(home, text.format(digits))
    assert len(bp.testset("own/en-de")) == 2
    write(home, text.format("0" * 64))
    with pytest.raises(FileError, match=rf"with the SHA-256 0+, got '{digits[:20]}"):
        bp.testset("own/en-de")


def test_an_archive_that_cannot_be_unpacked_leaves_no_folder(home):
    (home / "set.tgz").write_bytes(b"no archive")
    write(home, '[[files]]\nfile = "set.tgz"\n[pairs.en-de]\nreferences = "set/ref.txt"\n')
    with pytest.raises(FileError, match="It cannot be unpacked"):
        bp.testset("own/en-de")
    assert sorted(path.name for path in home.iterdir()) == ["own.toml", "set.tgz"]


def test_rows_of_a_pair_are_chosen_by_what_they_have(home):
    rows = [
        {"ref": "a", "ok": True, "n": 1},
        {"ref": "b", "ok": False, "n": 1},
        {"ref": "c", "ok": True, "n": 2},
        {"ref": "d"},
    ]
    text = """
    [pairs.a-b]
    format = "jsonl"
    file = "rows.jsonl"
    where = { ok = true, n = 1 }
    references = "ref"
    [pairs.b-a]
    format = "jsonl"
    file = "rows.jsonl"
    where = { n = true }
    references = "ref"
    """
    write(home, text, rows_jsonl="\n".join(map(json.dumps, rows)))
    assert bp.testset("own/a-b").references == [["a"]]
    with pytest.raises(ShapeError, match="There are no segments in reference"):
        _ = bp.testset("own/b-a").references


PAIR = '\n[pairs.en-de]\nreferences = "a.txt"\n'
FAULTS = {
    "not TOML": ("name = ", "own.toml"),
    "nested too deep": ("name = " + "[" * 100_000, "own.toml"),
    "number too long": ("name = " + "1" * 5000, "own.toml"),
    "a description that is no text": (f"description.a = 1{PAIR}", "own.toml, description"),
    "unknown key": (f"nane = 'x'{PAIR}", "own.toml"),
    "bad name": (f"name = '../x'{PAIR}", "own.toml, name"),
    "no pairs": ("name = 'x'", "own.toml, pairs"),
    "unknown key of a pair": (f"{PAIR}sauce = 'a.txt'", "own.toml, pairs.en-de"),
    "unknown form": (f"{PAIR}format = 'xlm'", "own.toml, pairs.en-de"),
    "where without rows": (f"{PAIR}where = {{ a = 1 }}", "own.toml, pairs.en-de"),
    "no references": ("[pairs.en-de]\nsource = 'a.txt'", "own.toml, pairs.en-de"),
    "no file": ('[pairs.en-de]\nreferences = "none.txt"', "own.toml, pairs.en-de"),
    "no table": (f"{PAIR}format = 'jsonl'", "own.toml, pairs.en-de"),
    "wrong key": (
        "[pairs.en-de]\nformat = 'jsonl'\nfile = 'a.jsonl'\nreferences = 'reff'",
        "a.jsonl, line 1",
    ),
    "wrong translator": (
        "[pairs.en-de]\nformat = 'xml'\nfile = 'a.xml'\nreferences = 'C'", "own.toml, pairs.en-de",
    ),
    "no checksum": (f"files = [{{ address = 'https://a/b' }}]{PAIR}", "own.toml, files, sha256"),
    "short checksum": (f"files = [{{ address = 'https://a/b', sha256 = 'abc' }}]{PAIR}", "own.toml, files, sha256"),
    "address and file": (f"files = [{{ address = 'https://a', file = 'b' }}]{PAIR}", "own.toml, files"),
    "no name at the end": (
        f"files = [{{ address = 'https://a/b/', sha256 = '{'0' * 64}' }}]{PAIR}", "own.toml, files",
    ),
    "dots at the end": (
        f"files = [{{ address = 'https://a/..', sha256 = '{'0' * 64}' }}]{PAIR}", "own.toml, files",
    ),
    "one name twice": (
        f"files = [{{ address = 'https://a/b', sha256 = '{'0' * 64}' }}, "
        f"{{ address = 'https://c/b?x', sha256 = '{'1' * 64}' }}]{PAIR}",
        "own.toml, files",
    ),
    "file missing": (f"files = [{{ file = 'none.tgz' }}]{PAIR}", "own.toml, files"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "where"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_with_a_manifest_is_said(home, text, where):
    path = write(home, text, a_txt="a\n", a_jsonl='{"ref": "a"}', a_xml=XML)
    with pytest.raises(FileError) as caught:
        _ = bp.testset(f"{path}/en-de").references
    assert Path(caught.value.where).name == where


MALFORMED = (
    "https://[::1/a.txt", "https://[v1.x]:y/a.txt", "https://a..b/a.txt", f"https://{'a' * 64}/a.txt", "https://h:b/a.txt",
    "https://h:99999/a.txt", "https:///a.txt", "https://h/é.txt", "https://h/a b.txt", "https://h/a\\tb.txt", "ftp://h/a.txt",
    "file:///a.txt", "a.txt", "",
)  # fmt: skip


@pytest.mark.parametrize("address", MALFORMED)
def test_a_malformed_address_names_its_manifest_and_its_key(address, home, run):
    write(home, f'files = [{{ address = "{address}", sha256 = "{"0" * 64}" }}]\n{PAIR}')
    for arguments in (("testsets", "own/en-de", "--fetch"), ("score", home / "own.toml", "--testset", "own/en-de")):
        refused = run(*arguments)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.startswith(f"bleuprint: {home / 'own.toml'}, files, address: ")
    assert "own.toml, files, address: " in run("testsets").err


def test_the_manifest_of_the_documentation_is_read(home):
    page = (ROOT / "docs/testsets.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    entry = tomllib.loads(shown)["files"][0]
    content = pack({
        "ours/en-de.en": "a\n", "ours/en-de.A.de": "b\n", "ours/en-de.B.de": "c\n", "ours/en-de.docs": "d\n",
        "ours/wmt25.jsonl": "\n".join(map(json.dumps, WMT25)), "ours/wmttest.en-ja.all.xml": XML,
    })  # fmt: skip
    with serving() as server:
        text = shown.replace(entry["address"], server.url("set.tgz", content))
        write(home, text.replace(entry["sha256"], hashlib.sha256(content).hexdigest()))
        assert bp.testset("ours/en-de").references == [["b", "c"]]
        assert bp.testset("ours/en-cs_CZ").references == [["C\n\nD"], ["F"]]
        assert bp.testset("ours/en-ja").references[1] == ["Drei"]


ARCHIVE = """
[[files]]
file = "set.tar.gz"
{sha}
[pairs.en-de]
references = ["set/ref.txt"]
"""


def test_an_archive_that_was_replaced_is_checked_and_unpacked_again(home):
    archive = home / "set.tar.gz"
    archive.write_bytes(pack({"set/ref.txt": "one\n"}))
    manifest = write(home, ARCHIVE.format(sha=f'sha256 = "{hashlib.sha256(archive.read_bytes()).hexdigest()}"'))
    assert bp.testset(f"{manifest}/en-de").references == [["one"]]
    archive.write_bytes(pack({"set/ref.txt": "two\n"}))
    with pytest.raises(FileError, match="with the SHA-256"):
        _ = bp.testset(f"{manifest}/en-de").references
    write(home, ARCHIVE.format(sha=""))
    assert bp.testset(f"{manifest}/en-de").references == [["two"]]
    archive.write_bytes(pack({"set/ref.txt": "six\n"}))
    assert bp.testset(f"{manifest}/en-de").references == [["six"]], "without a checksum it is the file as it is now"


def test_manifests_of_one_name_in_two_folders_have_their_own_texts(home):
    paths = []
    for folder, text in (("p", "one\n"), ("q", "two\n")):
        (home / folder).mkdir()
        (home / folder / "set.tar.gz").write_bytes(pack({"set/ref.txt": text}))
        paths.append(home / folder / "own.toml")
        paths[-1].write_text(ARCHIVE.format(sha=""), encoding="utf-8")
    found = [bp.testset(f"{path}/en-de").references for path in (*paths, *paths)]
    assert found == [[["one"]], [["two"]]] * 2


# Manifests come first, whatever their files are called and however they write their names.


@pytest.mark.parametrize("written", ['"ours"', "'ours'", '"\\u006furs"', '"""\\\n  ours"""'])
def test_a_manifest_that_calls_itself_so_comes_before_folders(written, home, monkeypatch):
    monkeypatch.setenv("SACREBLEU", str(home))
    write(home, f'name = {written}\n[pairs.en-de]\nreferences = "a.txt"\n', a_txt="of the manifest\n")
    (home / "ours").mkdir()
    for field in ("src", "ref"):
        (home / f"ours/ours.en-de.{field}").write_text("of the folder\n", encoding="utf-8")
    assert bp.testset("ours/en-de").references == [["of the manifest"]]


# What is wrong with one manifest is no matter of the others.

PLAIN = '[pairs.en-de]\nreferences = "a.txt"\n'


def test_a_broken_manifest_stops_no_other_set(home, run):
    write(home, PLAIN, a_txt="a\nb\n")
    (home / "aaa.toml").write_text("name = [", encoding="utf-8")
    assert bp.testset("own/en-de").references == [["a"], ["b"]]
    listed = run("testsets")
    assert listed.code == 0
    assert "own\t1\t1\t" in listed.out
    assert "bleuprint: passed over: " in listed.err
    assert "aaa.toml: expected a manifest in TOML" in listed.err


def test_a_broken_manifest_is_told_where_it_is_meant_or_may_be(home):
    write(home, PLAIN, a_txt="a\n")
    (home / "aaa.toml").write_text("name = [", encoding="utf-8")
    with pytest.raises(FileError, match=r"aaa\.toml: expected a manifest in TOML"):
        bp.testset("aaa/en-de")
    with pytest.raises(FileError, match=r"aaa\.toml cannot be read, and may have it"):
        bp.testset("other/en-de")


def test_a_pair_that_a_manifest_lacks_is_answered_with_those_it_has(home):
    path = write(home, PLAIN, a_txt="a\n")
    for name in ("own", str(path)):
        with pytest.raises(FileError, match=r"Unknown pair of .* 'en-fr'\. .*Its pairs are en-de\."):
            bp.testset(f"{name}/en-fr")


@pytest.mark.parametrize("text", ["", "a\nb\n"], ids=["empty", "of another length"])
def test_nobody_is_sent_to_fetch_files_of_their_own(text, home, run):
    write(home, f'{PLAIN}document = "docs.txt"\n', a_txt=text and "a\n", docs_txt=text)
    with pytest.raises(ShapeError, match="Look at your files: each has a line for every segment") as refused:
        assert bp.testset("own/en-de").documents is None
    assert "fetch the set" not in str(refused.value)
    echoed = run("testsets", "own/en-de", "--echo", "reference", "--echo", "document")
    assert (echoed.code, "fetch the set" in echoed.err) == (2, False)


WRONG_NAMES = {
    "pair": ('[pairs."en de"]\nreferences = "a.txt"\n', "own.toml, pairs: "),
    "path": ('[pairs."../x"]\nreferences = "a.txt"\n', "own.toml, pairs: "),
    "reference": ('[pairs.en-de]\nreferences = {"a|b" = "a.txt"}\n', "pairs.en-de: expected references by names of"),
}


@pytest.mark.parametrize("case", WRONG_NAMES)
def test_names_in_a_manifest_are_names(case, home):
    text, message = WRONG_NAMES[case]
    path = write(home, text, a_txt="a\n")
    with pytest.raises(FileError, match=re.escape(message)):
        bp.testset(f"{path}/en-de")
