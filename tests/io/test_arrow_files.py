"""Parquet and Arrow files on the command line: files, folders and patterns, read in batches."""

import pytest

pytest.importorskip("pyarrow")

import json
import socket
import struct

import pyarrow as pa
from click.testing import CliRunner
from pyarrow import parquet

import bleuprint as bp
from bleuprint.cli.commands import cli
from bleuprint.cli.wording import translate
from bleuprint.errors import FileError
from bleuprint.io import opening
from bleuprint.io.columnar import ColumnNames, find_columnar, stream_columnar
from bleuprint.io.paths import columnar_form
from bleuprint.text.formats.sources import LONGEST_LINE

pytestmark = pytest.mark.needs("pyarrow")


CANDIDATES = ["the cat is on mat", "a dog ran", "it purrs, loudly.", "x y z w"] * 5
REFERENCES = [["the cat is on the mat"], ["a dog ran off", "the dog ran"], ["it purrs loudly."], ["x y z w v"]] * 5
DOCUMENTS = ["one", "one", "two", "two"] * 5
TABLE = pa.table({"candidate": CANDIDATES, "references": REFERENCES, "document": DOCUMENTS, "other": [1] * 20})
EXPECTED = bp.score(CANDIDATES, REFERENCES)


def write_stream(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)


def write_file(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)


WRITERS = {
    "data.parquet": lambda table, path: parquet.write_table(table, path, row_group_size=7),
    "data.arrow": write_file,
    "data.arrows": write_stream,
}


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)))


def run_loudly(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=False)


def score_of(*arguments):
    done = run("score", *arguments, "--format", "json")
    assert done.exit_code == 0, done.exception
    return json.loads(done.output)


@pytest.mark.parametrize("name", WRITERS)
def test_a_table_scores_as_its_texts(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](TABLE, path)
    scored = score_of(path, "--by-document")
    assert scored["score"] == EXPECTED.score
    assert scored["segments"] == 20
    by_document = bp.score_documents(CANDIDATES, REFERENCES, DOCUMENTS)
    assert {key: found["score"] for key, found in scored["documents"].items()} == {
        key: found.score for key, found in by_document.items()
    }
    assert [note["text"] for note in scored["notes"]] == [note.text for note in EXPECTED.notes]


def test_folders_patterns_and_several_files_are_one_corpus(tmp_path):
    folder = tmp_path / "parts" / "system=x"
    folder.mkdir(parents=True)
    for place in range(4):
        parquet.write_table(TABLE[5 * place : 5 * place + 5], folder / f"part-{place}.parquet")
    (folder / "_SUCCESS").write_text("")
    (folder / ".part-0.parquet.crc").write_text("")
    (folder / "_metadata.parquet").write_text("")
    files = sorted(folder.glob("part-*.parquet"))
    for given in ([tmp_path / "parts"], [str(folder / "part-*.parquet")], files):
        assert score_of(*given)["score"] == EXPECTED.score
    assert find_columnar([str(tmp_path / "parts")], "parquet") == list(map(str, files))
    assert columnar_form(str(tmp_path / "parts")) == "parquet"
    assert columnar_form(str(tmp_path)) == "parquet"
    assert columnar_form("some.txt") == columnar_form(str(tmp_path / "nothing")) == ""


@pytest.mark.parametrize("name", WRITERS)
def test_a_url_goes_to_pyarrow_as_it_is(tmp_path, name):
    path = tmp_path / f"a table {name}"
    WRITERS[name](TABLE, path)
    assert score_of(path.as_uri())["score"] == EXPECTED.score


@pytest.mark.parametrize("url", ["nosuch://bucket/a.parquet", "nosuch://bucket/a.arrow?region=b"])
def test_a_url_that_pyarrow_does_not_know_is_named_as_it_was_given(url):
    with pytest.raises(FileError) as refused:
        run_loudly("score", url)
    assert refused.value.where == url
    assert refused.value.message.endswith(f"{url[-20:]}'.")


def test_columns_are_chosen_by_name(tmp_path):
    path = tmp_path / "data.parquet"
    table = pa.table({"mt": CANDIDATES, "a": [own[0] for own in REFERENCES], "b": [None] * 20, "doc": [1, 2] * 10})
    parquet.write_table(table.set_column(2, "b", pa.array([own[-1] for own in REFERENCES])), path)
    flags = ("--candidate-column", "mt", "--reference-column", "a", "--reference-column", "b")
    assert score_of(path, *flags)["score"] == EXPECTED.score
    assert set(score_of(path, *flags, "--document-column", "doc", "--by-document")["documents"]) == {"1", "2"}


def test_several_recipes_are_counted_in_one_pass(tmp_path):
    path = tmp_path / "data.parquet"
    parquet.write_table(TABLE, path)
    scored = score_of(path, "--recipe", "nltk", "--recipe", "paper", "-n", 2, "-n", 4, "--case", "lower")
    for found in scored["scores"]:
        assert found["score"] == bp.score(CANDIDATES, REFERENCES, found["signature"]).score


def test_other_commands_read_tables_too(tmp_path):
    path = tmp_path / "data.parquet"
    parquet.write_table(TABLE, path)
    done = run("segments", path)
    assert done.exit_code == 0, done.exception
    rows = [line.split("\t") for line in done.output.splitlines()]
    assert [row[1] for row in rows[1:]] == DOCUMENTS
    assert [float(row[2]) for row in rows[1:]] == list(bp.score_segments(CANDIDATES, REFERENCES).scores)


def broken(tmp_path):
    path = tmp_path / "broken.parquet"
    table = pa.table({"candidate": ["a b c d", None, "b", "c"], "reference": ["a b c d", "a", None, None]})
    parquet.write_table(table, path, row_group_size=2)
    return path


def test_malformed_rows_are_refused_with_file_and_row(tmp_path):
    path = broken(tmp_path)
    done = run("score", path)
    assert isinstance(done.exception, bp.BleuprintError)
    assert f"3 malformed rows: 1 with a null candidate ({path}, row 1)" in str(done.exception)
    assert f"({path}, row 2; {path}, row 3)" in str(done.exception)
    assert "--on-error skip" in str(translate(done.exception))
    assert isinstance(run("segments", path).exception, bp.BleuprintError)


def test_skipped_rows_are_said_beside_the_score(tmp_path):
    done = run("score", broken(tmp_path), "--on-error", "skip")
    assert done.exit_code == 0
    assert done.output.startswith("BLEU-4 = 100.00 ")
    assert "note: 3 malformed rows left out: 1 with a null candidate" in done.output


def test_batches_are_small_whatever_the_file_has(tmp_path):
    for name, write in WRITERS.items():
        write(TABLE, tmp_path / name)
        form = columnar_form(name)
        parts = [part for part, _ in stream_columnar([str(tmp_path / name)], form, ColumnNames(), batch=2)]
        assert max(part.batch.num_rows for part in parts) <= 2
        assert [part.first_row for part in parts] == [
            sum(part.batch.num_rows for part in parts[:place]) for place in range(len(parts))
        ]
        assert sum(part.batch.num_rows for part in parts) == 20
        assert "other" not in parts[0].batch.schema.names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["data.parquet", "--candidate-column", "nope"], "There is no column 'nope'"),
        (["none.parquet"], r"No such file: none\.parquet"),
        (["no*.parquet"], r"no\*\.parquet: There is no parquet file"),
        (["broken.parquet"], r"broken\.parquet: Cannot read the parquet file"),
        (["broken.arrow"], r"broken\.arrow: Cannot read the arrow file"),
        (["data.parquet", "--columns", "a,b"], "--columns"),
        (["text.txt", "text.txt", "--candidate-column", "a"], "--candidate-column"),
        (["text.txt", "text.txt", "--on-error", "skip"], "--on-error"),
        (["empty.parquet"], r"empty\.parquet"),
        (["plain.parquet", "--by", "referense"], r"Did you mean 'references'\?"),
        (["plain.parquet", "--by-document"], "--by-document"),
        (["numbers.parquet", "--candidate-column", "other"], "column 'other'.* Arrow's type int64"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    parquet.write_table(TABLE, "data.parquet")
    parquet.write_table(TABLE, "numbers.parquet")
    parquet.write_table(TABLE[:0], "empty.parquet")
    parquet.write_table(TABLE.drop_columns("document"), "plain.parquet")
    for name in ("broken.parquet", "broken.arrow", "text.txt"):
        (tmp_path / name).write_text("text\n")
    done = run("score", *arguments)
    assert isinstance(done.exception, bp.BleuprintError)
    with pytest.raises(bp.BleuprintError, match=message):
        raise done.exception


TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.list_(pa.string())]
TEXT_TYPES += [pa.list_(pa.list_(pa.string())), pa.dictionary(pa.int32(), pa.string())]


@pytest.mark.parametrize("kind", TEXT_TYPES, ids=str)
def test_a_text_is_no_longer_than_a_line_of_a_text_file(tmp_path, kind):
    half = "a" * (LONGEST_LINE // 2)
    for text, fits in ((half, True), (2 * half, True), (2 * half + "a", False)):
        cells = [text, "b", half]
        for _ in range(str(kind).count("list<")):
            cells = [[cell] for cell in cells]
        table = pa.table({"candidate": ["x"] * 3, "references": pa.array(cells, kind)})
        write_file(table, tmp_path / "a.arrow")
        batches = stream_columnar([str(tmp_path / "a.arrow")], "arrow", ColumnNames())
        if fits:
            assert sum(part.batch.num_rows for part, _ in batches) == 3
        else:
            with pytest.raises(FileError, match=r"a\.arrow, column 'references': expected texts of at most"):
                list(batches)


def test_too_little_memory_is_no_fault_of_the_file(tmp_path):
    """An Arrow file says how long its buffers are when they are unpacked."""
    table = pa.table({"candidate": ["a" * 1000], "references": ["b" * 1000]})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema, options=options) as w:
        w.write_table(table)
    content = (tmp_path / "a.arrow").read_bytes()
    assert content.count(struct.pack("<q", 1000)) >= 2
    (tmp_path / "a.arrow").write_bytes(content.replace(struct.pack("<q", 1000), struct.pack("<q", 1 << 56)))
    with pytest.raises(MemoryError):
        list(stream_columnar([str(tmp_path / "a.arrow")], "arrow", ColumnNames()))


def test_a_missing_file_is_an_error_of_files(tmp_path):
    with pytest.raises(FileError, match="No such file"):
        list(stream_columnar([str(tmp_path / "x.arrow")], "arrow", ColumnNames()))


def damage(path, before, after, width="<i"):
    """Put other numbers in the place of a run of numbers in a file, wherever it stands."""
    pack = [b"".join(struct.pack(width, number) for number in numbers) for numbers in (before, after)]
    memory = path.read_bytes()
    assert pack[0] in memory
    path.write_bytes(memory.replace(*pack))


CANDIDATE_OFFSETS, LIST_OFFSETS, DOCUMENT_OFFSETS = [0, 20, 50, 90], [0, 2, 4, 6], [0, 8, 20, 33]
THREE_TEXTS = ["a" * 9 + " " + "b" * 10, "cc d e f g h i j k l m n o p q", "the cat is on the mat and it purrs a lot"]


@pytest.mark.parametrize("name", ["data.arrow", "data.arrows"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CANDIDATE_OFFSETS, [0, 20, 50, 120]),
        (CANDIDATE_OFFSETS, [0, 20, 50, 2_000_000_000]),
        (CANDIDATE_OFFSETS, [0, 20, 95, 90]),
        (CANDIDATE_OFFSETS, [0, -20, 50, 90]),
        (LIST_OFFSETS, [0, 2, 9, 6]),
        (LIST_OFFSETS, [0, 2, 1, 6]),
        (LIST_OFFSETS, [0, 2, 4, 8000]),
        (DOCUMENT_OFFSETS, [0, 8, 20, 90_000]),
    ],
    ids=str,
)
@pytest.mark.parametrize("command", [["score", "--by-document"], ["segments"]], ids=lambda command: command[0])
def test_offsets_that_leave_the_memory_of_a_file_are_refused(tmp_path, command, before, after, name):
    path = tmp_path / name
    lists = [[text] * 2 for text in THREE_TEXTS]
    documents = ["a" * 8, "b" * 12, "c" * 13]
    WRITERS[name](pa.table({"candidate": THREE_TEXTS, "references": lists, "document": documents}), path)
    assert run(*command, path).exit_code == 0
    damage(path, before, after)
    done = run(*command, path)
    assert isinstance(done.exception, FileError)
    assert f"{path}: Cannot read the arrow file" in str(done.exception)


@pytest.mark.parametrize("new", [pa.ipc.new_file, pa.ipc.new_stream], ids=lambda new: new.__name__)
@pytest.mark.parametrize("command", ["score", "segments"])
def test_a_negative_number_of_rows_is_refused(tmp_path, command, new):
    path = tmp_path / "data.arrow"
    table = pa.table({"candidate": ["a b c d e"] * 1031, "reference": ["a b c d e"] * 1031})
    with new(path, table.schema) as writer:
        writer.write_table(table)
    assert run(command, path).exit_code == 0
    damage(path, [1031], [-1031], "<q")
    done = run(command, path)
    assert isinstance(done.exception, FileError)
    assert f"{path}: Cannot read the arrow file: " in str(done.exception)
    assert "Array length is negative" in str(done.exception)


def test_a_name_of_a_column_that_is_not_utf8_is_refused(tmp_path):
    table = pa.table({"candidate": ["a"], "references": ["a"], "document": ["d"]})
    parquet.write_table(table, tmp_path / "good.parquet", compression="none", store_schema=False)
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes((tmp_path / "good.parquet").read_bytes().replace(b"document", b"doc\xffment"))
    with pytest.raises(FileError, match="Cannot read the parquet file"):
        run_loudly("score", damaged)


@pytest.mark.parametrize("name", ["data.parquet", "data.arrow", "data.arrows"])
def test_standard_input_may_be_a_table(tmp_path, name, output, run):
    WRITERS[name](TABLE, tmp_path / name)
    form = "parquet" if name.endswith("parquet") else "arrow"
    content = (tmp_path / name).read_bytes()
    for command in (["score"], ["segments"], ["score", "--by-document"]):
        by_name = output(*command, tmp_path / name).replace(str(tmp_path / name), "standard input")
        piped = output(*command, "-", "--input", form, stdin=content)
        assert piped.split() == by_name.split()  # long names of files are wrapped
    twice = run("score", "-", "-", "--input", form, stdin=content)
    assert (twice.code, twice.out) == (2, "")
    assert "Only one file can be read from standard input." in twice.err
    broken = run("score", "-", "--input", form, stdin=b"text")
    assert (broken.code, broken.out) == (2, "")
    assert f"standard input: Cannot read the {form} file" in broken.err
    lacking = run("score", "-", "--input", form, "--candidate-column", "nope", stdin=content)
    assert "standard input: There is no column 'nope'" in lacking.err


def test_a_machine_that_never_answers_is_given_up(run, monkeypatch):
    monkeypatch.setattr(opening, "LIMIT", 3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        url = f"gs://anonymous@bucket/a.parquet?scheme=http&endpoint_override={place}"
        done = run("score", url)
    assert (done.code, done.out) == (2, "")
    assert "Cannot open the file: no answer in 3 seconds." in done.err


def test_a_url_that_cannot_be_opened_says_why(run):
    done = run("score", "nothing://bucket/a.parquet")
    assert (done.code, done.out) == (2, "")
    assert "Cannot open the file: " in done.err
    assert "Unrecognized filesystem" in done.err
