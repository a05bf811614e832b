"""Test sets by name: what folders and sacreBLEU's list have, held to what sacreBLEU makes of the same files."""

import copy
import hashlib
import importlib.util
import json
import pickle
import subprocess
import sys

import pytest
from sacrebleu.dataset import DATASETS

import bleuprint as bp
from bleuprint.errors import BleuprintError, FileError, MissingPackageError, ShapeError
from bleuprint.io import sacrebleu_sets
from bleuprint.io.providers import find_here, list_sets
from bleuprint.io.testset import split_name
from score_values import values_of
from testset_files import FILES, SETS, add_to_sacrebleu, pack


def read(path):
    with open(path, encoding="utf-8", newline="\n") as file:  # noqa: PTH123, as sacreBLEU reads
        return [line.rstrip() for line in file]


@pytest.mark.parametrize("name", SETS)
def test_what_is_fetched_is_what_sacrebleu_makes_of_it(testset_home, testset_server, monkeypatch, name):
    dataset = add_to_sacrebleu(monkeypatch, testset_server, name)
    theirs = copy.copy(dataset)
    theirs._outdir, theirs._rawdir = str(testset_home / "theirs"), str(testset_home / "theirs" / "raw")
    found = bp.testset(name, "en-de")
    assert found.sources == read(theirs.get_source_file("en-de"))
    columns = [read(file) for file in theirs.get_reference_files("en-de")]
    assert list(map(sorted, found.references)) == list(map(sorted, zip(*columns, strict=True)))
    fields = dict(zip(theirs.fieldnames("en-de"), theirs.get_files("en-de"), strict=True))
    domain = "domain" if "domain" in fields else "genre"
    for field, own in {"docid": found.documents, "origlang": found.origin, domain: found.domain}.items():
        assert own == (read(fields[field]) if field in fields else None)
    assert {path.name for path in (testset_home / "sacrebleu" / name).iterdir()} - {".usual-references.en-de"} == {
        path.name for path in (testset_home / "theirs").iterdir()
    }


def test_a_set_that_could_not_be_fetched_leaves_nothing(testset_home, testset_server, monkeypatch):
    add_to_sacrebleu(monkeypatch, testset_server, "plain")
    del testset_server.files["set.tgz"]
    with pytest.raises(FileError, match="404 Not Found"):
        bp.testset("plain/en-de")
    assert list(testset_home.iterdir()) == []


def test_references_that_are_usual_come_from_the_table(testset_home, testset_server, monkeypatch):
    add_to_sacrebleu(monkeypatch, testset_server, "xml")
    found = bp.testset("xml/en-de")
    assert found.reference_names == ("A",)
    assert found.references == [["Eins & zwei"], ["Drei"], ["Vier Leute"]]
    assert (found.documents, found.origin, found.domain) == (
        ["d1", "d1", "d2"], ["en", "en", "de"], ["news", "news", "social"],
    )  # fmt: skip
    chosen = bp.testset("xml/en-de", references=["B", "A"])
    assert chosen.references[0] == ["Ein und zwei", "Eins & zwei"]
    assert chosen.label != found.label
    assert chosen.label == bp.testset("xml/en-de", references=["A", "B"]).label
    with pytest.raises(FileError, match="Unknown reference 'C'"):
        bp.testset("xml/en-de", references=["C"])


def test_it_is_fetched_once_and_then_read_where_it_is(testset_home, testset_server, monkeypatch):
    add_to_sacrebleu(monkeypatch, testset_server, "sgml")
    first = bp.testset("sgml/en-de")
    monkeypatch.delitem(DATASETS, "sgml")
    again = bp.testset("sgml/en-de")
    assert (first.references, first.label) == (again.references, again.label)
    assert len(testset_server.asked) == 1


def test_sacrebleu_scores_with_what_was_fetched(testset_home, testset_server, monkeypatch):
    """The same files serve both tools."""
    add_to_sacrebleu(monkeypatch, testset_server, "plain")
    (testset_home / "out.txt").write_text("Eins und drei\nDrei\n", encoding="utf-8")
    bp.testset("plain/en-de")
    references = str(testset_home / "sacrebleu" / "plain" / "plain.en-de.ref")
    command = [sys.executable, "-m", "sacrebleu", references, "-i", str(testset_home / "out.txt"), "-b", "-w", "12"]
    theirs = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert bp.score(["Eins und drei", "Drei"], bp.testset("plain/en-de").references).score == pytest.approx(theirs)


@pytest.mark.parametrize(
    "broken",
    [b"", pack(FILES)[:-50], b"<html>moved</html>", pack({"set/x": "y"})],
    ids=["empty", "cut off", "a page", "another archive"],
)
def test_a_broken_set_is_never_used(testset_home, testset_server, monkeypatch, broken):
    dataset = add_to_sacrebleu(monkeypatch, testset_server, "sgml", broken)
    for _ in range(2):
        with pytest.raises(FileError):
            bp.testset("sgml/en-de")
        assert find_here(split_name("sgml/en-de")) is None
    testset_server.files["set.tgz"] = pack(FILES)
    dataset.md5 = [hashlib.md5(pack(FILES)).hexdigest()]
    assert len(bp.testset("sgml/en-de")) == 2


def test_texts_that_sacrebleu_could_not_finish_are_not_used(testset_home, testset_server, monkeypatch):
    add_to_sacrebleu(monkeypatch, testset_server, "sgml", pack({"set/src.sgm": FILES["set/src.sgm"]}))
    with pytest.raises(FileError, match=r"sacreBLEU cannot read the files: .*ref\.sgm"):
        bp.testset("sgml/en-de")
    assert sorted(path.name for path in (testset_home / "sacrebleu" / "sgml").iterdir()) == ["raw"]


def test_every_set_of_the_table_has_what_fetching_needs():
    """Addresses of the web, and a checksum for each."""
    assert len(DATASETS) > 60
    for dataset in DATASETS.values():
        assert all(address.startswith("https://") for address in dataset.data)
        assert len(dataset.md5) == len(dataset.data)
        assert all(len(digits) == 32 for digits in dataset.md5)


def test_the_table_is_listed_with_what_is_here(testset_home):
    folder = testset_home / "sacrebleu" / "wmt22"
    write(folder, {"wmt22.en-de.src": "a\n", "wmt22.en-de.ref-A": "b\n"})
    known = list_sets()
    assert set(DATASETS) == set(known)
    assert (known["wmt22"].here, known["wmt22"].pairs) == ({"en-de"}, set(DATASETS["wmt22"].langpairs))
    assert known["wmt22"].description == DATASETS["wmt22"].description


# Folders that are there already, without sacreBLEU.


def write(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def without_sacrebleu(testset_home, monkeypatch):
    monkeypatch.setattr(sacrebleu_sets, "find_package", lambda _: None)
    return testset_home


CACHE = {
    "a_b.en-de.src": "s1\ns2\n", "a_b.en-de.ref": "r1\nr2\n", "a_b.en-de.docid": "d\nd\n",
    "a_b.en-de.origlang": "en\nde\n", "a_b.en-de.System": "x\ny\n",
    "a_b.en-ja_JP.src": "a\n", "a_b.en-ja_JP.ref": "b\n", "raw/a_b.xx-yy.src": "no set\n",
}  # fmt: skip


def test_the_cache_of_sacrebleu_is_read_without_sacrebleu(without_sacrebleu):
    write(without_sacrebleu / "sacrebleu" / "a" / "b", CACHE)
    found = bp.testset("a/b", "en-de")
    assert (found.sources, found.references) == (["s1", "s2"], [["r1"], ["r2"]])
    assert (found.documents, found.origin, found.domain) == (["d", "d"], ["en", "de"], None)
    assert found.fields == ["source", "reference", "document", "origin"]
    assert {name: known.here for name, known in list_sets().items()} == {"a/b": {"en-de", "en-ja_JP"}}


def test_numbered_references_all_count_and_named_ones_are_chosen(without_sacrebleu):
    folder = without_sacrebleu / "sacrebleu" / "s"
    write(folder, {"s.a-b.src": "s\n", "s.a-b.ref-0": "x\n", "s.a-b.ref-1": "y\n"})
    assert bp.testset("s/a-b").references == [["x", "y"]]
    write(folder, {"s.c-d.src": "s\n", "s.c-d.ref-A": "x\n", "s.c-d.ref-B": "y\n"})
    with pytest.raises(FileError, match="s/c-d has several references: 'A' and"):
        bp.testset("s/c-d")
    assert bp.testset("s/c-d", references=["B"]).references == [["y"]]


METRICS = {
    "sources/en-de.txt": "s1\ns2\n", "references/en-de.refA.txt": "r1\nr2\n",
    "documents/en-de.docs": "news\td1\nsocial d2\n", "references/en-dex.refA.txt": "another pair\n",
}  # fmt: skip


def test_the_folder_of_mt_metrics_eval_is_read(without_sacrebleu):
    write(without_sacrebleu / "metrics" / "wmt22", METRICS)
    found = bp.testset("wmt22/en-de")
    assert (found.sources, found.references, found.reference_names) == (["s1", "s2"], [["r1"], ["r2"]], ("refA",))
    assert (found.documents, found.domain, found.origin) == (["d1", "d2"], ["news", "social"], None)
    (without_sacrebleu / "metrics/wmt22/documents/en-de.docs").write_text("news d1\nsocial\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"en-de\.docs, line 2: expected a domain and a document, got 'social'"):
        _ = bp.testset("wmt22/en-de").documents


def test_files_of_unequal_length_or_none_are_refused(without_sacrebleu):
    folder = without_sacrebleu / "sacrebleu" / "s"
    write(
        folder,
        {"s.a-b.src": "s\nt\n", "s.a-b.ref-0": "x\ny\n", "s.a-b.ref-1": "x\n", "s.c-d.src": "s\n", "s.c-d.ref": ""},
    )
    with pytest.raises(ShapeError, match="reference 0 has 2 and reference 1 has 1 lines"):
        _ = bp.testset("s/a-b").references
    with pytest.raises(ShapeError, match="There are 1 references but 2 lines of source"):
        _ = bp.testset("s/a-b", references=["1"]).sources
    with pytest.raises(ShapeError, match="There are no segments in reference"):
        _ = bp.testset("s/c-d").references


def test_a_name_that_is_none_gets_the_nearest_and_says_what_brings_more(without_sacrebleu):
    write(without_sacrebleu / "sacrebleu" / "a" / "b", CACHE)
    with pytest.raises(FileError, match=r"Unknown pair of a/b 'en-dd'\. Did you .* Its pairs are en-de, en-ja_JP\."):
        bp.testset("a/b/en-dd")
    with pytest.raises(FileError, match=r"Unknown test set 'c'\..*pip install \"bleuprint\[testsets"):
        bp.testset("c/en-de")


@pytest.mark.parametrize(
    "name", ["", "wmt22", "/en-de", "../x/en-de", "a/./en-de", "a b/en-de", "a/..", "a//en-de", None]
)
def test_what_can_be_no_name_is_refused_before_it_becomes_a_path(testset_home, name):
    with pytest.raises(FileError, match=r"^test set: expected .*For example wmt22/en-de"):
        bp.testset(name)


# Signatures


def test_a_signature_with_a_test_set_still_says_its_recipe(without_sacrebleu):
    write(without_sacrebleu / "sacrebleu" / "a" / "b", CACHE)
    found = bp.testset("a/b/en-de")
    lines = "".join(json.dumps([text], separators=(",", ":")) + "\n" for text in ("r1", "r2"))
    assert found.label == f"testset:a/b/en-de|refhash:{hashlib.sha256(lines.encode()).hexdigest()[:16]}"
    for recipe in ("sacrebleu", "chrf++", "ter"):
        plain = bp.score(["r1", "x"], found.references, recipe)
        score = plain.on_testset(found.label)
        assert (score, *values_of(score)) == (plain, *values_of(plain))
        assert score.signature == f"{plain.signature}|{found.label}"
        assert score.to_dict()["signature"] == score.signature
        assert bp.Recipe.parse(str(score)) == bp.Recipe.parse(score.signature) == bp.Recipe.named(recipe)
    assert plain.on_testset("") is plain
    with pytest.raises(bp.BleuprintError, match="every key once"):
        bp.Recipe.parse(f"{score.signature}|testset:twice/a-b")


def test_other_references_have_another_hash(without_sacrebleu):
    write(without_sacrebleu / "sacrebleu" / "a" / "b", CACHE)
    before = bp.testset("a/b/en-de").label
    write(without_sacrebleu / "sacrebleu" / "a" / "b", {"a_b.en-de.ref": "r1\nr3\n"})
    assert bp.testset("a/b/en-de").label != before


def test_a_test_set_is_a_value_that_does_not_hang_on_its_files(without_sacrebleu):
    write(without_sacrebleu / "sacrebleu" / "a" / "b", CACHE)
    found = bp.testset("a/b/en-de")
    twin = pickle.loads(pickle.dumps(found))
    assert twin == found
    assert hash(twin) == hash(found)
    twin = pickle.loads(pickle.dumps(twin))
    for file in (without_sacrebleu / "sacrebleu" / "a" / "b").glob("*.*"):
        file.unlink()
    assert (twin.references, twin.documents, twin.label) == ([["r1"], ["r2"]], ["d", "d"], found.label)
    assert twin != "a/b/en-de"


PROGRAM = """
import sys
import bleuprint as bp
found = bp.testset("wmt22/en-de")
assert (found.reference_names, found.references, found.documents) == (("A",), [["a"]], None), found.reference_names
found.label
print(*sorted({"sacrebleu", "urllib.request", "ssl", "tarfile", "zipfile", "tomllib", "click"} & set(sys.modules)))
"""


def modules_of_a_process():
    return subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout.split()


def test_a_set_that_is_there_costs_no_more_than_reading_it(testset_home):
    """Which of several references count is asked for once; then nothing is imported that fetches or makes texts."""
    folder = testset_home / "sacrebleu" / "wmt22"
    write(folder, {"wmt22.en-de.src": "s\n", "wmt22.en-de.ref-A": "a\n", "wmt22.en-de.ref-B": "b\n"})
    assert "sacrebleu" in modules_of_a_process()
    assert modules_of_a_process() == []
    [note] = folder.glob(".usual*")
    note.write_text(note.read_text(encoding="utf-8").replace("__init__", "another"), encoding="utf-8")
    assert "sacrebleu" in modules_of_a_process()
    note.write_text("{", encoding="utf-8")
    assert "sacrebleu" in modules_of_a_process()


def test_another_table_of_sacrebleu_is_asked_anew(testset_home, testset_server, monkeypatch):
    dataset = add_to_sacrebleu(monkeypatch, testset_server, "xml")
    assert bp.testset("xml/en-de").reference_names == ("A",)
    dataset.kwargs["refs"] = ["B"]
    assert bp.testset("xml/en-de").reference_names == ("A",)  # the table's file is what it was
    monkeypatch.setattr(sacrebleu_sets.SacrebleuSets, "_state", "a newer one")
    assert bp.testset("xml/en-de").reference_names == ("B",)


def test_a_sacrebleu_that_cannot_be_imported_is_named(testset_home, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.dataset", None)
    with pytest.raises(MissingPackageError, match=r"sacreBLEU cannot be imported: .*pip install"):
        bp.testset("wmt22/en-de")


def test_a_sacrebleu_without_kinds_of_sets_is_none(without_sacrebleu, tmp_path, monkeypatch):
    (tmp_path / "old" / "sacrebleu").mkdir(parents=True)
    (tmp_path / "old" / "sacrebleu" / "__init__.py").touch()
    spec = importlib.util.spec_from_file_location("sacrebleu", tmp_path / "old" / "sacrebleu" / "__init__.py")
    monkeypatch.setattr(sacrebleu_sets, "find_package", lambda _: spec)
    assert not sacrebleu_sets.SacrebleuSets().is_installed
    assert list_sets() == {}


@pytest.mark.parametrize("label", ["wmt22/en-de", "testset:a|refhash:xyz", "testset:a b|refhash:0123456789abcdef", 7])
def test_only_labels_of_test_sets_go_into_signatures(label):
    texts = ["a b c d"]
    results = [
        bp.score(texts, texts),
        bp.compare({"a": texts}, texts, resamples=100),
        bp.reconcile(texts, texts, "nltk", "paper"),
        bp.identify(texts, texts, "100.0"),
    ]
    for result in results:
        with pytest.raises(BleuprintError, match="is not the label of a test set"):
            result.on_testset(label)


def test_a_reading_of_a_number_has_the_label_where_it_is_of_the_whole_set():
    label = "testset:own/a-b|refhash:0123456789abcdef"
    texts = [["the cat sat on the mat", "a cat sat on a mat"], ["it rains", "it is raining"]]
    candidates = ["the cat sat on a mat", "it rains"]
    printed = [f"{bp.score(candidates, references).score:.2f}" for references in (texts, [[one] for one, _ in texts])]
    found = [bp.identify(candidates, texts, number).on_testset(label) for number in printed]
    readings = [reading for one in found for finding in one.findings for reading in finding.readings]
    assert {bool(one.applied or one.accident): one.signature.endswith(f"|{label}") for one in readings} == {
        True: False, False: True,
    }  # fmt: skip
