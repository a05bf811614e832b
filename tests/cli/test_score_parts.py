"""``score --by``: the parts of a corpus by any column, in every form and format."""

import pytest

pytest.importorskip("pyarrow")

import json
import subprocess

import pyarrow as pa
from pyarrow import feather, parquet

import bleuprint as bp
from bleuprint.cli.printing import deliver_views
from bleuprint.render import text as text_writer
from bleuprint.render.blocks import Item, Items
from command_line import PROGRAM, read_table

pytestmark = pytest.mark.needs("pyarrow")


CANDIDATES = ["the cat sat on the mat", "it rained all day long", "nobody came to us", "a dog ran off now", "we went"]
REFERENCES = [
    "the cat sat on a mat",
    "it was raining all day",
    "nobody came to see us",
    "a dog ran off",
    "we went home",
]
DOMAINS, YEARS = ["news", "chat", "news", "chat", "news"], [2024, 2023, 2023, 2024, 2024]
FORMS = ("tsv", "csv", "jsonl", "parquet", "arrow")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The same corpus in every form."""
    monkeypatch.chdir(tmp_path)
    columns = {"candidate": CANDIDATES, "reference": REFERENCES, "domain": DOMAINS, "year": YEARS}
    rows = list(zip(*columns.values(), strict=True))
    for form, mark in (("tsv", "\t"), ("csv", ",")):
        lines = [mark.join(map(str, row)) for row in [tuple(columns), *rows]]
        (tmp_path / f"t.{form}").write_text("\n".join(lines) + "\n")
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    text = "".join(json.dumps({**row, "references": [row["reference"]]}) + "\n" for row in objects)
    (tmp_path / "t.jsonl").write_text(text)
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    feather.write_feather(pa.table(columns), tmp_path / "t.arrow", compression="uncompressed")
    return tmp_path


def expected(labels, recipe="sacrebleu"):
    parts = {}
    for candidate, reference, label in zip(CANDIDATES, REFERENCES, labels, strict=True):
        parts.setdefault(str(label), []).append((candidate, reference))
    return {name: (bp.score(*zip(*own, strict=True), recipe).score, len(own)) for name, own in parts.items()}


def found(parts):
    return {name: (score["score"], score["segments"]) for name, score in parts.items()}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_parted_by_its_columns_under_every_recipe(form, files, output):
    flags = ("-m", "bleu", "-m", "chrf", "--by", "domain", "--by", "year", "--format", "json")
    entries = json.loads(output("score", f"t.{form}", *flags))["scores"]
    for entry, recipe in zip(entries, ("sacrebleu", "chrf"), strict=True):
        assert found(entry["by"]["domain"]) == expected(DOMAINS, recipe)
        assert found(entry["by"]["year"]) == expected(YEARS, recipe)
        assert list(entry["by"]["domain"]) == ["news", "chat"], "in the order of their first segments"
        assert {score["level"] for score in entry["by"]["year"].values()} == {"part"}


def test_batches_of_one_part_add_up(files, output, monkeypatch):
    monkeypatch.setattr("bleuprint.cli.scoring.stream_files.__defaults__", ((), 2))
    assert found(json.loads(output("score", "t.jsonl", "--by", "domain", "--format", "json"))["by"]["domain"]) == (
        expected(DOMAINS)
    )


def test_tables_say_how_many_segments_a_part_has(files, output):
    score, size = expected(DOMAINS)["chat"]
    for form, row in (("text", "chat"), ("markdown", "| chat"), ("latex", "chat")):
        text = output("score", "t.tsv", "--by", "domain", "--format", form)
        [line] = [line for line in text.splitlines() if line.startswith(f"{row} ")]
        assert line.replace("|", " ").replace("&", " ").split()[1:3] == [f"{score:.2f}", str(size)]


def test_tsv_names_the_column_and_the_part(files, output):
    rows = read_table(output("score", "t.tsv", "--by", "domain", "--by", "year", "--format", "tsv"))
    assert [(row["by"], row["part"], row["segments"]) for row in rows] == [
        ("", "", "5"), ("domain", "news", "3"), ("domain", "chat", "2"), ("year", "2024", "3"), ("year", "2023", "2"),
    ]  # fmt: skip
    assert float(rows[2]["score"]) == expected(DOMAINS)["chat"][0]


def test_documents_may_stand_beside_other_columns(files, output):
    flags = ("score", "t.tsv", "--document-column", "domain", "--by-document", "--by", "year")
    data = json.loads(output(*flags, "--format", "json"))
    assert (found(data["documents"]), found(data["by"]["year"])) == (expected(DOMAINS), expected(YEARS))
    assert output(*flags) == output(*flags[:4], "--by", "document", "--by", "year")


def test_a_test_set_is_parted_by_its_fields(files, output, run, monkeypatch):
    (files / "sets" / "own").mkdir(parents=True)
    fields = {"src": REFERENCES, "ref": REFERENCES, "docid": DOMAINS, "origlang": [str(year) for year in YEARS]}
    for field, lines in fields.items():
        (files / "sets" / "own" / f"own.a-b.{field}").write_text("\n".join(lines) + "\n")
    (files / "c.txt").write_text("\n".join(CANDIDATES) + "\n")
    monkeypatch.setenv("SACREBLEU", str(files / "sets"))
    flags = ("score", "c.txt", "--testset", "own/a-b", "--by", "origin", "--by", "document", "--format", "json")
    data = json.loads(output(*flags))
    assert (found(data["by"]["origin"]), found(data["documents"])) == (expected(YEARS), expected(DOMAINS))
    assert all("|testset:own/a-b|" in score["signature"] for score in data["by"]["origin"].values())
    refused = run("score", "c.txt", "--testset", "own/a-b", "--by", "domain")
    assert refused.code == 2
    assert "document, origin" in refused.err


def test_intervals_are_those_of_the_whole(files, output):
    flags = ("score", "t.tsv", "--by", "domain", "--confidence", "0.95", "--resamples", "100", "--format", "json")
    data = json.loads(output(*flags))
    assert data["interval"]["low"] <= data["score"] <= data["interval"]["high"]
    assert "interval" not in data["by"]["domain"]["news"]


@pytest.mark.parametrize("form", FORMS)
def test_a_column_that_is_not_there_is_named_with_the_nearest(form, files, run):
    refused = run("score", f"t.{form}", "--by", "domains")
    assert (refused.code, refused.out) == (2, "")
    assert "domains" in refused.err
    assert "Did you mean 'domain'?" in refused.err


GAPS = {
    "g.jsonl": ('{"candidate": "a", "references": ["a"], "domain": null}', "line 1"),
    "h.jsonl": ('{"candidate": "a", "references": ["a"], "domain": ["x"]}', "line 1"),
    "empty.jsonl": ('{"candidate": "a", "references": ["a"], "domain": ""}', "line 1"),
    "empty.tsv": ("candidate\treference\tdomain\na\ta\tx\na\ta\t", "line 3"),
    "empty.csv": ("candidate,reference,domain\na,a,x\na,a,", "line 3"),
    "g.tsv": ("candidate\treference\tdomain\na\ta", "line 2"),
    "d.tsv": ("candidate\treference\tdomain\tdomain\na\ta\tx\ty", "columns"),
}


@pytest.mark.parametrize("name", GAPS)
def test_a_segment_without_a_part_is_refused(name, files, run):
    text, place = GAPS[name]
    (files / name).write_text(text + "\n")
    refused = run("score", name, "--by", "domain")
    assert (refused.code, refused.out) == (2, "")
    assert f"{name}, {place}" in refused.err
    assert "'domain'" in refused.err


def test_a_null_in_a_column_of_parquet_is_refused(files, run):
    parquet.write_table(
        pa.table({"candidate": ["a"], "reference": ["a"], "domain": pa.array([None], pa.string())}), "n.parquet"
    )
    assert "n.parquet, row 0" in run("score", "n.parquet", "--by", "domain").err
    parquet.write_table(pa.table({"candidate": ["a", "a"], "reference": ["a", "a"], "domain": ["x", ""]}), "e.parquet")
    assert "e.parquet, row 1" in run("score", "e.parquet", "--by", "domain").err


def test_a_column_of_lists_parts_nothing_and_is_named_itself(files, run):
    parquet.write_table(pa.table({"candidate": ["a"], "reference": ["a"], "topics": [["x"]]}), "l.parquet")
    assert "'topics'" in run("score", "l.parquet", "--by", "topics").err


MANY = text_writer.MOST_ROWS + 1
NAMES = ["中文", "e\u0301", "a\x1bb", "[bold]", "\u202e", *map(str, range(MANY - 5))]


@pytest.fixture
def many_parts(tmp_path):
    file = tmp_path / "t.jsonl"
    rows = ({"candidate": f"a b c {name}", "reference": "a b c d", "part": name} for name in NAMES)
    file.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("metrics", [("bleu",), ("bleu", "ter")])
def test_a_table_of_very_many_parts_is_the_one_of_few(metrics, many_parts, output, monkeypatch):
    flags = [flag for metric in metrics for flag in ("-m", metric)]
    long = output("score", many_parts, *flags, "--by", "part")
    monkeypatch.setattr(text_writer, "MOST_ROWS", MANY)
    assert long == output("score", many_parts, *flags, "--by", "part")
    assert len([line for line in long.split("\n") if line.startswith(tuple(NAMES[:2]))]) == 2 * len(metrics)


def test_long_tables_go_to_a_file_and_to_a_reader_that_leaves(many_parts, output, tmp_path):
    printed = output("score", many_parts, "--by", "part")
    assert output("score", many_parts, "--by", "part", "--output", tmp_path / "o") == ""
    assert (tmp_path / "o").read_text(encoding="utf-8") == printed
    with subprocess.Popen([PROGRAM, "score", many_parts, "--by", "part"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == printed.split("\n")[0] + "\n"
        process.stdout.close()
        assert process.wait(60) == 0


def test_what_is_laid_out_is_printed_before_the_rest_is_made(capsys):
    printed = []

    def blocks():
        for text in ("one", "two"):
            yield Items([Item(text)] * MANY)
            printed.append(capsys.readouterr().out)

    deliver_views(text_writer.view(blocks()), None)
    assert printed == ["• one\n" * MANY, "\n" + "• two\n" * MANY]
