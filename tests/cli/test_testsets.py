"""Test sets on the command line: scores that say their set, candidates in every form, lists and texts."""

import hashlib
import io
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.cli.testset_reading import showing_downloads
from bleuprint.io import archives
from bleuprint.io.testset import hash_references
from imported_modules import HEAVY, imports_of
from packages import optional
from testset_files import XML, add_to_sacrebleu
from wmt22_texts import FOLDER, OFFICIAL, find_texts

parquet = optional("pyarrow.parquet")

REFERENCES = ["the cat is on the mat", "a dog ran off", "it rains"]
TEXTS = ["the cat is on mat", "a dog ran off now", "it rains"]
DOCUMENTS = ["d", "d", "e"]
SET = ("--testset", "own/a-b")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The set own/a-b as sacreBLEU keeps it, and candidates for it in every form."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sets"))
    monkeypatch.setenv("BLEUPRINT_TESTSETS", str(tmp_path / "none"))
    monkeypatch.setenv("MT_METRICS_EVAL", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "sets" / "own"
    folder.mkdir(parents=True)
    fields = {"src": ["S", "T", "U"], "ref": REFERENCES, "docid": DOCUMENTS, "origlang": ["en", "de", "en"]}
    for field, texts in fields.items():
        (folder / f"own.a-b.{field}").write_text("\n".join(texts) + "\n", encoding="utf-8")
    rows = list(zip(TEXTS, DOCUMENTS, strict=True))
    forms = {
        "c.txt": "\n".join(TEXTS),
        "c.tsv": "\n".join(["candidate\tdocument", *map("\t".join, rows)]),
        "c.csv": "\n".join(["candidate,document", *map(",".join, rows)]),
        "c.jsonl": "\n".join(json.dumps({"candidate": text}) for text in TEXTS),
        "wmt.jsonl": "\n".join(json.dumps({"doc_id": name, "hypothesis": text}) for text, name in rows),
        "named.jsonl": "\n".join(json.dumps({"output": {"de": text}}) for text in TEXTS),
        "named.tsv": "\n".join(["output", *TEXTS]),
        "bare.tsv": "\n".join(TEXTS),
    }
    for name, text in forms.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    return tmp_path


READ = [
    ("c.txt",), ("c.tsv",), ("c.csv",), ("c.jsonl",), ("wmt.jsonl",),
    ("named.jsonl", "--candidate-column", "output.de"), ("named.tsv", "--candidate-column", "output"),
    ("bare.tsv", "--columns", "candidate"), ("bare.tsv", "--input", "plain"),
]  # fmt: skip


@pytest.mark.parametrize("reading", READ, ids=" ".join)
def test_candidates_in_every_form_score_as_their_texts(own, output, reading):
    found = json.loads(output("score", *reading, *SET, "--format", "json"))
    expected = bp.score(TEXTS, REFERENCES)
    label = bp.testset("own/a-b").label
    assert found["score"] == expected.score
    assert found["signature"] == f"{expected.signature}|{label}"


def test_every_command_says_the_set(own, output):
    label = bp.testset("own/a-b").label
    for command in (
        ("score", "c.txt"), ("score", "c.txt", "--by-document", "--format", "tsv"), ("segments", "c.txt"),
        ("segments", "c.txt", "--format", "jsonl"), ("segments", "c.txt", "--format", "markdown"),
        ("explain", "--files", "c.txt"), ("explain", "--segment", "2", "c.txt"),
        ("explain", "--files", "c.txt", "--format", "json"), ("reconcile", "--from", "nltk", "--to", "paper", "c.txt"),
        ("reconcile", "--all", "c.txt", "--format", "json"), ("compare", "-s", "c.txt"),
        ("compare", "-s", "c.txt", "--format", "json"), ("compare", "-s", "c.txt", "--format", "csv"),
    ):  # fmt: skip
        assert f"|{label}" in output(*command, *SET), command
    number = f"{bp.score(TEXTS, REFERENCES).score:.2f}"
    assert "1. sacrebleu" in output("identify", "c.txt", "--reported", number, *SET)


def test_documents_and_labels_are_those_of_the_set(own, output):
    found = json.loads(output("score", "c.txt", *SET, "--by-document", "--format", "json"))
    expected = bp.score_documents(TEXTS, REFERENCES, DOCUMENTS)
    assert {name: own["score"] for name, own in found["documents"].items()} == {
        name: score.score for name, score in expected.items()
    }
    compared = json.loads(output("compare", "-s", "c.txt", *SET, "--by", "origin", "--by", "document", *JSON))
    groups = [[group["name"] for group in part["groups"]] for part in compared["recipes"][0]["breakdowns"]]
    assert groups == [["en", "de"], ["d", "e"]]


JSON = ("--format", "json")


REFUSED = {
    ("score", "c.txt", "c.txt", *SET): "--testset",
    ("score", "c.txt", "--testset", "own"): "--testset",
    ("compare", "-s", "a=-", "--source", "-", "--html", "x.html", *SET): "tandard input",
    ("score", "short.txt", *SET): "short.txt",
    ("score", "long.txt", *SET): "long.txt",
    ("score", "wrong.jsonl", *SET): "wrong.jsonl, line 2",
    ("score", "c.txt", *SET, "--candidate-column", "x"): "--candidate-column",
    ("segments", "c.txt", *SET, "--documents", "c.txt"): "--documents",
    ("score", "c.xml", *SET): "c.xml",
    ("score", "c.parquet", *SET): "c.parquet",
    ("score", "c.txt", *SET, "--on-error", "skip"): "--on-error",
    ("score", "c.txt", *SET, "--translator", "C"): "reference",
    ("explain", "a", *SET): "--testset",
    ("testsets", "nosuch"): "'nosuch'",
    ("testsets", "own/a-c"): "Did you mean 'a-b'?",
    ("testsets", "own/a-b", "--echo", "docs"): "'docs'",
    ("testsets", "wmt22/en-de", "--echo", "refernce"): "Did you mean 'reference'?",
}


@pytest.mark.parametrize(("arguments", "named"), REFUSED.items(), ids=lambda value: str(value)[:60])
def test_what_does_not_fit_is_refused(own, run, arguments, named):
    (own / "short.txt").write_text("a\nb\n", encoding="utf-8")
    (own / "long.txt").write_text("a\nb\nc\nd\n", encoding="utf-8")
    rows = [{"candidate": "a", "document": name} for name in "dee"]
    (own / "wrong.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert named in outcome.err


def test_a_set_is_listed_shown_and_printed(own, output):
    listed = output("testsets").splitlines()
    assert listed[0] == "name\tpairs\there\tdescription"
    assert "own\t1\t1\t" in listed
    assert [line.split("\t")[0] for line in output("testsets", "--pair", "a-b").splitlines()[1:]] == ["own"]
    assert output("testsets", "own") == "name\there\nown/a-b\tyes\n"
    [shown] = json.loads(output("testsets", "own", *JSON))["testsets"]
    assert shown == {"name": "own", "description": "", "pairs": ["a-b"], "here": ["a-b"]}
    found = json.loads(output("testsets", "own/a-b", *JSON))
    assert (found["segments"], found["fields"]) == (3, ["source", "reference", "document", "origin"])
    assert found["references_sha256"] == bp.testset("own/a-b").references_sha256
    assert "segments\t3\n" in output("testsets", "own/a-b")
    assert output("testsets", "own/a-b", "--echo", "source") == "S\nT\nU\n"
    assert (
        output("testsets", "own/a-b", "--echo", "origin", "--echo", "reference").splitlines()[1] == "de\ta dog ran off"
    )


def test_a_text_that_does_not_fit_on_a_line_is_not_printed_as_two(own, run):
    manifest = 'pairs.a-b = { format = "jsonl", file = "lines.jsonl", references = "text" }'
    (own / "lines.toml").write_text(manifest, encoding="utf-8")
    (own / "lines.jsonl").write_text('{"text": "a"}\n{"text": "b\\nc"}\n', encoding="utf-8")
    outcome = run("testsets", "lines.toml/a-b", "--echo", "reference")
    assert (outcome.code, outcome.out) == (2, "")
    assert "lines/a-b, reference, segment 2" in outcome.err


def test_scoring_fetches_a_set_that_is_known_and_says_so(testset_server, testset_home, run, monkeypatch):
    add_to_sacrebleu(monkeypatch, testset_server, "plain")
    (testset_home / "out.txt").write_text("Eins und drei\nDrei\n", encoding="utf-8")
    outcome = run("score", str(testset_home / "out.txt"), "--testset", "plain/en-de", "--brief")
    assert (outcome.code, outcome.err) == (0, "fetching plain.set.tgz\n")
    again = run("score", str(testset_home / "out.txt"), "--testset", "plain/en-de", "--brief")
    assert (again.out, again.err) == (outcome.out, "")
    assert run("testsets", "plain", "--fetch").out == "name\there\nplain/en-de\tyes\n"


def test_offline_it_says_what_to_put_where(testset_server, testset_home, run, monkeypatch):
    dataset = add_to_sacrebleu(monkeypatch, testset_server, "plain")
    content = testset_server.files.pop("set.tgz")
    (testset_home / "out.txt").write_text("a\nb\n", encoding="utf-8")
    arguments = ("score", str(testset_home / "out.txt"), "--testset", "plain/en-de", "--brief")
    outcome = run(*arguments)
    assert outcome.code == 2
    target = testset_home / "sacrebleu/plain/raw/plain.set.tgz"
    assert "404 Not Found" in outcome.err
    assert f"{target} (MD5 {hashlib.md5(content).hexdigest()})" in outcome.err
    target.parent.mkdir(parents=True)
    target.write_bytes(content)
    dataset.data = ["http://127.0.0.1:9/set.tgz"]
    assert run(*arguments).code == 0


def put_into_metrics_folder(own):
    for folder in ("sources", "references"):
        (own / "metrics/own" / folder).mkdir(parents=True)
    (own / "sets/own/own.a-b.src").rename(own / "metrics/own/sources/a-b.txt")
    (own / "sets/own/own.a-b.ref").rename(own / "metrics/own/references/a-b.refA.txt")


def describe_in_manifest(own):
    text = '[pairs.a-b]\nreferences = "../sets/own/own.a-b.ref"\n'
    (own / "manifests/own.toml").write_text(text, encoding="utf-8")


PLACES = {
    "sacreBLEU's folder": lambda own: None,
    "mt-metrics-eval's": put_into_metrics_folder,
    "a manifest": describe_in_manifest,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_score_on_a_set_imports_nothing_heavy(own, place, monkeypatch):
    """Also if there are manifests of other sets, which come first."""
    monkeypatch.setenv("BLEUPRINT_TESTSETS", str(own / "manifests"))
    monkeypatch.setenv("MT_METRICS_EVAL", str(own / "metrics"))
    (own / "manifests").mkdir()
    (own / "manifests/another.toml").write_text('[pairs.a-b]\nreferences = "a.txt"\n', encoding="utf-8")
    PLACES[place](own)
    assert imports_of("score", str(own / "c.txt"), *SET) & HEAVY <= {
        "hashlib",
        "json",
    }  # for the hash of the references


@settings(max_examples=200)
@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=3)))
def test_the_hash_is_that_of_the_documented_lines(references):
    lines = [json.dumps(sorted(texts), ensure_ascii=False, separators=(",", ":")) + "\n" for texts in references]
    assert hash_references(references) == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_two_systems_are_compared_on_a_set(own, output):
    (own / "other.txt").write_text("the cat\na dog\nit rains\n", encoding="utf-8")
    found = json.loads(output("compare", "-s", "a=c.txt", "-s", "b=other.txt", *SET, *JSON, "--resamples", "100"))
    systems = [system["score"] for system in found["recipes"][0]["systems"]]
    assert all(score["signature"].endswith(bp.testset("own/a-b").label) for score in systems)
    assert [score["score"] for score in systems] == [
        bp.score(texts, REFERENCES).score for texts in (TEXTS, ["the cat", "a dog", "it rains"])
    ]


@pytest.mark.parametrize(
    ("pair", "options", "tokenizer"),
    [
        ("en-zh", (), "zh"),
        pytest.param("en-ja_JP", (), "ja-mecab", marks=pytest.mark.needs("MeCab")),
        pytest.param("en-ko", ("-m", "bleu"), "ko-mecab", marks=pytest.mark.needs("mecab_ko")),
        ("en-zh", ("--tokenizer", "char"), "char"),
        ("en-zh", ("--recipe", "sacrebleu"), "13a"),
        ("en-zh", ("-m", "chrf"), None),
        ("zh-en", (), "13a"),
    ],
)
def test_texts_are_split_as_sacrebleu_does_for_the_target(own, output, pair, options, tokenizer):
    for field, text in {"src": "a", "ref": "\u4f60\u597d\u4e16\u754c"}.items():
        (own / "sets" / "own" / f"own.{pair}.{field}").write_text(f"{text}\n", encoding="utf-8")
    (own / "one.txt").write_text("\u4f60\u597d\n", encoding="utf-8")
    for command in (("score",), ("segments",), ("explain", "--files"), ("compare", "-s")):
        found = output(*command, "one.txt", "--testset", f"own/{pair}", *options)
        assert (f"|tok:{tokenizer}" in found) == (tokenizer is not None), command


@pytest.mark.skipif(not OFFICIAL, reason=f"the WMT22 texts are not there: {FOLDER}")
@pytest.mark.parametrize(("pair", "usual"), [("en-de", "A"), ("en-zh", "A"), ("cs-en", "B")])
def test_published_scores_of_wmt22_by_name(own, output, pair, usual):
    """The usual reference and the tokenizer are those of the organisers, who took sacreBLEU's."""
    folder = own / "sets" / "wmt22"
    folder.mkdir()
    texts = find_texts(pair, "ref")
    for name, path in texts.items():
        (folder / f"wmt22.{pair}.ref-{name}").write_bytes(path.read_bytes())
    (folder / f"wmt22.{pair}.src").write_bytes(texts[usual].read_bytes())  # there are no sources, and none is read
    system, file = next(iter(find_texts(pair, "hyp").items()))
    every = [word for name in texts for word in ("--translator", name)]
    scores = {
        metric: json.loads(output("score", str(file), "--testset", f"wmt22/{pair}", *choice, *JSON))["score"]
        for metric, choice in {f"bleu-{usual}": (), "bleu-all": every}.items()
    }
    assert scores == pytest.approx({metric: OFFICIAL[pair, system][metric] for metric in scores}, rel=0, abs=1e-9)


# WMT25: documents as segments, in one file for all pairs

WMT25 = [
    {"doc_id": "en-cs_#_a", "src_lang": "en", "tgt_lang": "cs", "src_text": "A", "refs": {"refA": {"ref": "a b c d"}}},
    {"doc_id": "en-de_#_a", "src_lang": "en", "tgt_lang": "de", "src_text": "A", "refs": {"refA": {"ref": "e f g h"}}},
    {
        "doc_id": "en-de_#_b",
        "src_lang": "en",
        "tgt_lang": "de",
        "src_text": "B",
        "refs": {"refA": {"ref": "i j\n\nk l"}},
    },
    {"doc_id": "en-it_#_b", "src_lang": "en", "tgt_lang": "it", "src_text": "B", "refs": {}},
]
WMT25_MANIFEST = """
[pairs.en-de]
format = "jsonl"
file = "wmt25.jsonl"
where = { src_lang = "en", tgt_lang = "de" }
source = "src_text"
references = ["refs.refA.ref"]
document = "doc_id"
"""
OUTPUT = {"en-de_#_b": "i j\n\nk m", "en-cs_#_a": "x", "en-de_#_a": "e f g h", "en-it_#_b": "y"}
SAID = "bleuprint: system.jsonl: 2 of 4 rows are of wmt25/en-de, the others of other documents\n"


@pytest.fixture
def wmt25(own):
    (own / "wmt25.toml").write_text(WMT25_MANIFEST, encoding="utf-8")
    (own / "wmt25.jsonl").write_text("\n".join(map(json.dumps, WMT25)), encoding="utf-8")
    rows = [{"doc_id": name, "hypothesis": text} for name, text in OUTPUT.items()]
    (own / "system.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (own / "pair.jsonl").write_text("\n".join(map(json.dumps, rows[:1] + rows[2:3])), encoding="utf-8")
    return ("--testset", "wmt25.toml/en-de")


def test_documents_of_wmt25_are_found_by_their_names(wmt25, run):
    candidates, references = ["e f g h", "i j\n\nk m"], [["e f g h"], ["i j\n\nk l"]]
    outcome = run("score", "system.jsonl", *wmt25, *JSON)
    assert (outcome.code, outcome.err) == (0, SAID)
    assert json.loads(outcome.out)["score"] == bp.score(candidates, references).score
    assert run("score", "pair.jsonl", *wmt25, *JSON)[:3] == (0, outcome.out, "")
    compared = run("compare", "-s", "a=system.jsonl", "-s", "b=pair.jsonl", *wmt25, *JSON)
    scores = [system["score"]["score"] for system in json.loads(compared.out)["recipes"][0]["systems"]]
    assert scores == [bp.score(candidates, references).score] * 2


def test_a_document_without_a_candidate_is_refused(wmt25, run, own):
    rows = [{"doc_id": name, "hypothesis": "x"} for name in ("en-de_#_a", "en-cs_#_a")]
    (own / "short.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    outcome = run("score", "short.jsonl", *wmt25)
    assert (outcome.code, outcome.out) == (2, "")
    assert "'en-de_#_b'" in outcome.err


def test_an_error_about_a_document_names_its_line(wmt25, run, own):
    rows = [{"doc_id": name, "hypothesis": text} for name, text in {**OUTPUT, "en-de_#_a": None}.items()]
    (own / "null.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert "null.jsonl, line 3, candidate" in run("score", "null.jsonl", *wmt25).err


def test_a_set_of_several_pairs_is_unpacked_once(testset_server, testset_home, run, monkeypatch):
    dataset = add_to_sacrebleu(monkeypatch, testset_server, "plain")
    dataset.langpairs = {**dataset.langpairs, "de-en": dataset.langpairs["en-de"][::-1]}
    unpacked, unpack_really = [], archives.unpack
    monkeypatch.setattr(archives, "unpack", lambda *given: unpacked.append(given) or unpack_really(*given))
    assert run("testsets", "plain", "--fetch").out.splitlines()[1:] == ["plain/de-en\tyes", "plain/en-de\tyes"]
    assert (len(unpacked), len(testset_server.asked)) == (1, 1)
    assert bp.testset("plain/de-en").references == [[text] for text in bp.testset("plain/en-de").sources]


def test_a_manifest_by_its_path_shows_its_pairs(own, output):
    (own / "m.toml").write_text('pairs.a-b.references = "c.txt"\npairs.b-a.references = "c.txt"\n', encoding="utf-8")
    assert output("testsets", str(own / "m.toml")) == "name\there\nm/a-b\tyes\nm/b-a\tyes\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def fetch_and_fail():
    with showing_downloads() as tell:
        tell("a.tgz", 5_000_000, 10_000_000)
        tell("a.tgz", 7_500_000, None)
        raise KeyError


def test_who_watches_sees_how_far_it_is_and_the_line_ends_whatever_happens(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(KeyError):
        fetch_and_fail()
    assert sys.stderr.getvalue() == "\rfetching a.tgz: 5.0 MB of 10.0\rfetching a.tgz: 7.5 MB\n"


def sacrebleu(*arguments):
    command = [sys.executable, "-m", "sacrebleu", "-t", "wmt22", "-l", "en-zh", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_sacrebleu_and_we_say_the_same_of_one_folder(own, output):
    """Its command makes texts of raw files in its folder; we read them, with its usual reference and tokenizer."""
    raw = own / "sets" / "wmt22" / "raw"
    (raw / "wmt22-news-systems-1.1" / "xml").mkdir(parents=True)
    (raw / "wmt22.v1.1.tar.gz").write_bytes(b"unpacked already")
    path = raw / "wmt22-news-systems-1.1" / "xml" / "wmttest2022.en-zh.all.xml"
    path.write_text(XML.replace('lang="de"', 'lang="zh"').replace("Eins", "\u4f60\u597d\u4e16\u754c"), encoding="utf-8")
    (own / "out.txt").write_text("\u4f60\u597d & zwei\nDrei\nVier Leute\n", encoding="utf-8")
    theirs = float(sacrebleu("-i", "out.txt", "-b", "-w", "12"))
    ours = json.loads(output("score", "out.txt", "--testset", "wmt22/en-zh", *JSON))
    assert ours["score"] == pytest.approx(theirs, abs=1e-11)
    assert "|tok:zh|" in ours["signature"]
    names = {"src": "source", "ref:B": "reference:B", "docid": "document", "origlang": "origin", "domain": "domain"}
    shown = [word for field in names.values() for word in ("--echo", field)]
    assert output("testsets", "wmt22/en-zh", *shown) == sacrebleu("--echo", *names)


@pytest.mark.needs("pyarrow")
def test_reports_and_files_of_columns_say_the_set_too(own, output):
    label = f"|{bp.testset('own/a-b').label}"
    (own / "sets" / "own" / "own.a-c.src").write_text("S\n" * 8)
    (own / "sets" / "own" / "own.a-c.ref").write_text("the cat is on the mat\n" * 8)
    (own / "x.txt").write_text("the cat is on mat\n" * 8)
    longer = f"|{bp.testset('own/a-c').label}"
    gate = ("--baseline", "x", "--fail-if-worse", "--format", "junit", "--resamples", 100)
    systems = ("-s", "x=x.txt", "-s", "y=x.txt")
    report = output("compare", *systems, "--testset", "own/a-c", *gate)
    assert f'{longer}"' in report
    output("segments", "c.txt", *SET, "--format", "parquet", "-o", "s.parquet")
    assert parquet.read_schema("s.parquet").metadata[b"signature"].decode().endswith(label)
    for form in ("text", "markdown", "json", "html"):
        found = output("identify", "c.txt", *SET, "--reported", "70.0", "--format", form)
        assert label in found.replace("\\|", "|").replace("|<wbr>", "|")
