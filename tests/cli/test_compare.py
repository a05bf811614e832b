"""``bleuprint compare``: the library's numbers in every format, labels from files, and refusals on one line."""

import csv
import gzip
import io
import json

import pytest

import bleuprint as bp
from command_line import DOCUMENTS, JSONL, R1, R2, A, B, read_texts
from packages import optional
from refusals import refuse
from wmt_markup import as_xml

pa = optional("pyarrow")
feather = optional("pyarrow.feather")
parquet = optional("pyarrow.parquet")

SYSTEMS = ("-r", R1, "-r", R2, "-s", f"a={A}", "-s", f"b={B}", "--resamples", 200)


def compare(**options):
    a, b, *references = read_texts(A, B, R1, R2)
    return bp.compare({"a": a, "b": b}, list(zip(*references, strict=True)), resamples=200, **options)


def test_json_is_the_librarys(output):
    made = compare(labels={"document": read_texts(DOCUMENTS)[0]})
    options = ("--by", "document", "--by", "length", "--documents", DOCUMENTS, "--examples", 2, "--focus", "b", "a")
    printed = output("compare", *SYSTEMS, *options, "--format", "json")
    assert json.loads(printed) == made.to_dict(by=["document", "length"], examples=2, focus=("b", "a"))


def test_text_is_what_print_shows(output):
    assert output("compare", *SYSTEMS) == f"{compare()}\n"


def test_settings_reach_the_comparison(output):
    options = ("--seed", 7, "--confidence", 0.9, "--test", "bootstrap", "--baseline", "b", "--threads", 2)
    expected = compare(seed=7, confidence=0.9, test="bootstrap", baseline="b")
    assert json.loads(output("compare", *SYSTEMS, *options, "--format", "json")) == expected.to_dict()
    assert expected.settings.level == 0.1


def test_several_recipes(output):
    printed = output("compare", *SYSTEMS, "--recipe", "nltk", "--recipe", "paper", "-n", 2, "-n", 4, "--format", "json")
    names = [entry["recipe"] for entry in json.loads(printed)["recipes"]]
    assert names == ["nltk N=2", "nltk N=4", "paper N=2", "paper N=4"]


def test_one_system_without_a_name_takes_its_files(output):
    printed = output("compare", "-r", R1, "-s", A, "--resamples", 100)
    assert "candidate-a.txt has BLEU-4" in printed


@pytest.mark.parametrize("sign", [*"=+-@\t\r\n", *"＝＋－＠"])
def test_no_name_is_a_formula_in_csv_and_every_name_is_itself_in_tsv(sign, output, tmp_path):
    name = f"{sign}1+1"
    labels = tmp_path / "labels.jsonl"
    labels.write_text((json.dumps({"part": name}) + "\n") * 60, encoding="utf-8")
    printed = output("compare", *SYSTEMS, "--labels", labels, "--by", "part", "--format", "csv")
    assert {row["group"] for row in csv.DictReader(io.StringIO(printed, newline=""))} == {"", f"'{name}"}
    if sign.isspace():
        return  # TSV has no cells with these
    documents, segments = tmp_path / "documents.txt", tmp_path / "segments.tsv"
    documents.write_text(f"{name}\n" * 60, encoding="utf-8")
    segments.write_text(output("segments", A, R1, "--documents", documents), encoding="utf-8")
    printed = output("compare", *SYSTEMS, "--labels", segments, "--by", "document", "--format", "json")
    [parts] = json.loads(printed)["recipes"][0]["breakdowns"]
    assert [group["name"] for group in parts["groups"]] == [name]


def test_labels_come_from_jsonl_and_tsv(output, tmp_path):
    by_jsonl = output("compare", *SYSTEMS, "--labels", JSONL, "--by", "document", "--format", "csv")
    documents = read_texts(DOCUMENTS)[0]
    table = tmp_path / "labels.tsv"
    rows = [f"{name}\t{len(name)}\tx\ty" for name in documents]
    table.write_text("\n".join(["document\tletters\ttwice\ttwice", *rows]), encoding="utf-8")
    assert output("compare", *SYSTEMS, "--labels", table, "--by", "document", "--format", "csv") == by_jsonl
    printed = output("compare", *SYSTEMS, "--labels", table, "--by", "letters", "--format", "csv")
    groups = {row["group"] for row in csv.DictReader(io.StringIO(printed)) if row["kind"] == "by letters"}
    assert groups == {str(len(name)) for name in documents}
    numbers = tmp_path / "labels.jsonl"
    numbers.write_text("\n".join(json.dumps({"size": place % 2}) for place in range(60)), encoding="utf-8")
    printed = output("compare", *SYSTEMS, "--labels", numbers, "--by", "size", "--format", "csv")
    assert {row["group"] for row in csv.DictReader(io.StringIO(printed)) if row["group"]} == {"0", "1"}


@pytest.mark.parametrize("form", ["markdown", "latex", "csv"])
def test_other_formats_hold_both_scores(output, form, tmp_path):
    target = tmp_path / "table"
    assert output("compare", *SYSTEMS, "--format", form, "--output", target) == ""
    assert all(f"{score:.2f}"[:4] in target.read_text(encoding="utf-8") for score in (52.84, 28.74))


def test_refusals_are_one_line_and_leave_no_file(run, tmp_path):
    short, odd, bad = tmp_path / "short.txt", tmp_path / "odd.tsv", tmp_path / "bad.jsonl"
    short.write_text("one line\n")
    odd.write_text("domain\tsize\nnews\n")
    bad.write_text("[1]\n" * 60)
    gap, null = tmp_path / "gap.tsv", tmp_path / "null.jsonl"
    gap.write_text("domain\tsize\nnews\t1\n" + "\t1\n" * 59)
    null.write_text('{"domain": null}\n' + '{"domain": "news"}\n' * 59)
    target = tmp_path / "target"
    for arguments, message in (
        (("-r", R1, "-s", f"a={A}", "-s", f"a={B}"), "'a'"),
        (("-r", R1, "-s", "=x"), "NAME=FILE"),
        (("-r", R1, "-s", f"a={short}"), "short.txt"),
        (("-r", R1, "-r", short, "-s", f"a={A}"), "short.txt"),
        (("-r", "-", "-s", "a=-"), "tandard input"),
        (("-r", R1, "-s", f"a={JSONL}"), "--corpus"),
        (("-r", R1, "-s", "a=missing.txt"), "missing.txt"),
        (("-r", R1), "--system NAME=FILE"),
        (("-r", R1, "-s", A, B), "-s before every system"),
        (("-s", f"a={A}"), "--reference FILE"),
        ((*SYSTEMS, "--baseline", "c"), "'c'"),
        ((*SYSTEMS, "--seed", "-1"), "--seed"),
        ((*SYSTEMS, "--confidence", "2"), "--confidence"),
        ((*SYSTEMS, "--by", "domain"), "'domain'"),
        ((*SYSTEMS, "--by", "domain", "--documents", DOCUMENTS), "document, length, frequency"),
        ((*SYSTEMS, "--by", "document", "--documents", short), "short.txt"),
        ((*SYSTEMS, "--by", "domain", "--labels", odd), "odd.tsv, line 2"),
        ((*SYSTEMS, "--by", "domain", "--labels", bad), "bad.jsonl, line 1"),
        ((*SYSTEMS, "--by", "domain", "--labels", gap), "gap.tsv, line 3"),
        ((*SYSTEMS, "--by", "domain", "--labels", null), "null.jsonl, line 1"),
        ((*SYSTEMS, "--by", "domain", "--labels", short), "60 segments"),
        ((*SYSTEMS, "--examples", 1, "--focus", "a", "a"), "--focus"),
        ((*SYSTEMS, "--examples", 1, "--focus", "a", "c"), "--focus"),
    ):
        outcome = run("compare", *arguments, "--output", target)
        assert (outcome.code, outcome.out) == (2, ""), arguments
        assert message in outcome.err
        assert outcome.err.count("\n") == 1
        assert not target.exists()


# Systems in one file.


@pytest.fixture
def corpora(tmp_path):
    """Both systems and both references in every form that holds them all."""
    texts = dict(zip(("a", "b", "r1", "r2"), read_texts(A, B, R1, R2), strict=True))
    texts = {name: [text or "." for text in lines] for name, lines in texts.items()}
    texts["document"] = read_texts(DOCUMENTS)[0]
    rows = [dict(zip(texts, cells, strict=True)) for cells in zip(*texts.values(), strict=True)]
    named = {("hyp", "a"): "a", ("hyp", "b"): "b", ("ref", "1"): "r1", ("ref", "2"): "r2"}
    documents = {}
    for place, row in enumerate(rows):
        for key, column in named.items():
            documents.setdefault(row["document"], {}).setdefault(key, {})[place] = row[column]
    (tmp_path / "all.xml").write_text(as_xml(documents), encoding="utf-8")
    lines = ["\t".join(["a", "b", "reference", "reference", "document"]), *("\t".join(row.values()) for row in rows)]
    (tmp_path / "all.tsv").write_text("\n".join(lines), encoding="utf-8")
    objects = [{**row, "references": [row["r1"], row["r2"]]} for row in rows]
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, objects)), encoding="utf-8")
    with (tmp_path / "all.csv.gz").open("wb") as packed:
        stream = io.StringIO()
        csv.writer(stream).writerows([texts, *zip(*texts.values(), strict=True)])
        packed.write(gzip.compress(stream.getvalue().encode("utf-8")))
    parquet.write_table(pa.Table.from_pylist(objects), tmp_path / "all.parquet")
    feather.write_feather(pa.Table.from_pylist(objects), tmp_path / "all.arrow", compression="uncompressed")
    return tmp_path, texts


IN_ONE_FILE = {
    "all.xml": (),
    "all.tsv": ("-s", "a", "-s", "b"),
    "all.csv.gz": ("-s", "a", "-s", "b=b", "-r", "r1", "-r", "r2"),
    "all.jsonl": ("-s", "a=a", "-s", "b"),
    "all.parquet": ("-s", "a", "-s", "b"),
    "all.arrow": ("-s", "a", "-s", "b", "-r", "r1", "-r", "r2"),
}


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("name", IN_ONE_FILE)
def test_systems_in_one_file_compare_as_in_files_of_their_own(name, corpora, output):
    folder, texts = corpora
    references = list(zip(texts["r1"], texts["r2"], strict=True))
    systems = {name: texts[name] for name in ("a", "b")}
    made = bp.compare(systems, references, resamples=100, labels={"document": texts["document"]})
    call = ("compare", "--corpus", folder / name, *IN_ONE_FILE[name], "--resamples", 100, "--by", "document")
    assert json.loads(output(*call, "--format", "json")) == made.to_dict(by=["document"])


@pytest.mark.needs("pyarrow")
def test_of_one_file_some_systems_references_and_columns_are_chosen(corpora, output):
    folder, texts = corpora
    made = bp.compare({"ours": texts["b"]}, texts["r2"], resamples=100)
    one = ("compare", "--resamples", 100, "--format", "json", "-s", "ours=b")
    assert json.loads(output(*one, "--corpus", folder / "all.xml", "-r", "2")) == made.to_dict()
    assert json.loads(output(*one, "--corpus", folder / "all.jsonl", "-r", "r2")) == made.to_dict()
    for name in ("all.jsonl", "all.parquet"):
        found = json.loads(output(*one, "--corpus", folder / name, "-r", "r2", "--by", "r1"))
        [breakdown] = found["recipes"][0]["breakdowns"]
        assert {group["name"] for group in breakdown["groups"]} == set(texts["r1"])


@pytest.mark.needs("pyarrow")
def test_what_one_file_does_not_hold_is_refused(corpora, run):
    folder, _ = corpora
    (folder / "ragged.tsv").write_text("a\treference\nx\ty\nz\n", encoding="utf-8")
    (folder / "gaps.jsonl").write_text(
        '{"a": "x", "reference": "y"}\n{"a": null, "reference": "y"}\n', encoding="utf-8"
    )
    (folder / "holes.jsonl").write_text(
        '{"a": "x", "reference": "y"}\n{"a": "x", "reference": null}\n', encoding="utf-8"
    )
    (folder / "broken.jsonl").write_text(
        '{"a": "x", "reference": "y", "d": 1}\n{"a": "x", "reference": "y", "d": "\\ud800"}\n', encoding="utf-8"
    )
    (folder / "bare.tsv").write_text("a\treference\n", encoding="utf-8")
    for name, arguments, message in (
        ("all.xml", ("-s", "c"), "'c'"),
        ("all.xml", ("-r", "3"), "--reference"),
        ("all.xml", ("--by", "domain"), "document, length, frequency"),
        ("all.tsv", (), "--system"),
        ("all.tsv", ("-s", "c"), "'c'"),
        ("all.tsv", ("-s", "reference"), "'reference'"),
        ("all.csv.gz", ("-s", "a"), "'reference'"),
        ("all.parquet", ("-s", "a", "-s", "bb"), "'bb'"),
        ("all.jsonl", ("-s", "a", "--by", "references"), "row 1"),
        ("broken.jsonl", ("-s", "a", "--by", "d"), "broken.jsonl, row 2"),
        ("ragged.tsv", ("-s", "a"), "ragged.tsv, line 3"),
        ("gaps.jsonl", ("-s", "a"), "system 'a', segment 2, candidate"),
        ("holes.jsonl", ("-s", "a"), "segment 2, references"),
        ("bare.tsv", ("-s", "a"), "at least one segment"),
        ("none.tsv", ("-s", "a"), "none.tsv"),
    ):
        outcome = run("compare", "--corpus", folder / name, *arguments)
        assert (outcome.code, outcome.out) == (2, ""), name
        assert message in outcome.err


# What was translated.


@pytest.mark.needs("pyarrow")
def test_sources_stand_beside_what_they_became(corpora, output, run):
    folder, texts = corpora
    sources = [f"quelle {place}" for place in range(60)]
    (folder / "source.txt").write_text("\n".join(sources), encoding="utf-8")
    made = bp.compare({"a": texts["a"]}, texts["r1"], resamples=100, sources=sources).to_dict(examples=1)
    [first] = made["recipes"][0]["influences"]["a"]["raising"]
    assert first["source"] == sources[first["segment"] - 1]
    rows = [{"a": one, "reference": two, "of": three} for one, two, three in zip(texts["a"], texts["r1"], sources)]
    (folder / "with.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    parquet.write_table(pa.Table.from_pylist(rows), folder / "with.parquet")
    options = ("--resamples", 100, "--examples", 1, "--format", "json", "-s", "a")
    for name in ("with.jsonl", "with.parquet"):
        assert json.loads(output("compare", "--corpus", folder / name, "--source", "of", *options)) == made
    (folder / "a").write_text("\n".join(texts["a"]), encoding="utf-8")
    (folder / "r").write_text("\n".join(texts["r1"]), encoding="utf-8")
    files = ("compare", "-r", folder / "r", *options[:-1], f"a={folder / 'a'}", "--source")
    assert json.loads(output(*files, folder / "source.txt")) == made
    (folder / "short.txt").write_text("quelle", encoding="utf-8")
    assert "short.txt" in run(*files, folder / "short.txt").err
    assert run("compare", "--corpus", folder / "all.xml", "--source", "x", "--examples", 1).code == 2


def test_the_sources_of_markup_come_along(output, run, tmp_path):
    file = tmp_path / "all.xml"
    parts = {"src": ["quelle", "fluss"], "ref": ["it is a deep well", "the river"], "hyp": ["it is a deep well", "x y"]}
    inner = "".join(
        f'<{tag}><p><seg id="{number}">{text}</seg></p></{tag}>'
        for tag, texts in parts.items()
        for number, text in enumerate(texts)
    )
    call = ("compare", "--corpus", file, "--resamples", 100, "--examples", 1, "--format", "json")
    file.write_text(f'<dataset><doc id="d">{inner}</doc></dataset>', encoding="utf-8")
    shown = json.loads(output(*call))["recipes"][0]["influences"]["all.xml"]
    assert [one["source"] for one in [*shown["raising"], *shown["lowering"]]] == ["quelle", "fluss"]
    twice = inner.replace("<src>", '<src><p><seg id="0">quelle</seg></p></src><src>', 1)
    file.write_text(f'<dataset><doc id="d">{twice}</doc></dataset>', encoding="utf-8")
    assert (run(*call).code, "segment '0'" in run(*call).err) == (2, True)
    for unseen in (call[:5], ("score", file)):
        assert run(*unseen).code == 0, "nobody minds faults in sources that nobody sees"


def test_sources_are_checked():
    refuse(lambda: bp.compare({"a": ["x", "y"]}, ["x", "y"], sources=["q"]), argument="sources", index=None)
    refuse(lambda: bp.compare({"a": ["x", "y"]}, ["x", "y"], sources=["q", None]), argument="sources", index=1)
