"""Options that mean nothing for a command or for what it reads are refused; all commands read the same tables alike."""

import json

import click
import pytest
from click.testing import CliRunner
from click.types import FloatParamType, IntParamType

import bleuprint as bp
from bleuprint.cli.commands import COMMANDS, cli, in_our_words
from bleuprint.cli.wording import in_words_of_the_command_line
from bleuprint.errors import FileError, RecipeError
from bleuprint.text.formats import ListedLines, assemble_corpus
from command_line import DOCUMENTS, JSONL, R1, A, B
from packages import optional

pa = optional("pyarrow")
parquet = optional("pyarrow.parquet")

REPORTED = ("--reported", "30.0")
TEXTS = ["the cat is on mat", "a dog ran off", "it purrs, loudly."]
REFERENCES = [["the cat is on the mat"], ["a dog ran off", "the dog ran"], ["it purrs loudly."]]


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=False)


def refusal(*arguments):
    with pytest.raises(FileError) as refused:
        run(*arguments)
    return in_words_of_the_command_line(refused.value)


@pytest.mark.parametrize(
    ("arguments", "where", "message"),
    [
        (("identify", A, R1, *REPORTED, "--candidate-column", "x"), "--candidate-column", "Parquet or Arrow files"),
        (("identify", A, R1, *REPORTED, "--document-column", "x"), "--document-column", "score --by-document"),
        (("identify", A, R1, *REPORTED, "--documents", DOCUMENTS), "--documents", "score --by-document"),
        (("identify", A, R1, *REPORTED, "--system", "x"), "--system", "expected SGML or XML"),
        pytest.param(
            ("identify", A, R1, *REPORTED, "--input", "parquet"), A, "a readable parquet file",
            marks=pytest.mark.needs("pyarrow"),
        ),
        (("reconcile", A, R1, "--all", "--documents", DOCUMENTS), "--documents", "score --by-document"),
        (("reconcile", A, R1, "--all", "--reference-column", "x"), "--candidate-column", "Parquet or Arrow files"),
        (("score", A, R1, "--documents", DOCUMENTS), "--documents", "Say --by-document"),
        (("score", A, R1, "--document-column", "x"), "--document-column", "Say --by-document"),
        (("score", A, R1, "--by-document", "--document-column", "x"), "--candidate-column", "Parquet or Arrow files"),
        (("segments", JSONL, "--documents", DOCUMENTS, "--document-column", "x"), "--documents and", "one of the"),
        (("score", A, R1, "--columns", " , "), "--columns", "For example: candidate,reference"),
        (("score", A, R1, "--system", ""), "--system", "expected SGML or XML"),
        (("segments", A, R1, "--candidate-column", "x"), "--candidate-column", "Parquet or Arrow files"),
        (("explain", "a", "a", "--candidate-column", "x"), "explain", "got texts with --candidate-column. Say"),
        (("explain", "a", "a", "--reference-column", "x"), "explain", "got texts with --reference-column"),
        (("explain", "a", "a", "--document-column", "x"), "explain", "got texts with --document-column"),
        (("explain", "a", "a", "--input", "parquet"), "explain", "got texts with --input"),
        (("explain", "a", "a", "--ngrams", "3", "--format", "json"), "--ngrams", "got --format json, which has all"),
        (("explain", "--files", A, R1, "--ngrams", "3"), "--ngrams", "choose a segment with --segment K"),
        (("explain", "--files", A, R1, "--document-column", "x"), "--document-column", "score --by-document"),
        (("compare", "-r", R1, "-s", A, "--labels", JSONL), "--labels", "--by NAME, or --html FILE for a report,"),
        (("compare", "-r", R1, "-s", A, "--documents", DOCUMENTS), "--documents", "--by document, or --html FILE,"),
        (("compare", "-r", R1, "-s", f"a={A}", "-s", f"b={B}", "--focus", "a", "b"), "--focus", "--examples N, or"),
    ],
)  # fmt: skip
def test_an_option_that_means_nothing_is_refused_and_says_what_it_belongs_to(arguments, where, message):
    found = refusal(*arguments)
    assert found.where.startswith(where)
    assert message in str(found)


def test_a_form_that_lines_cannot_have_is_refused():
    with pytest.raises(FileError, match=r"form: expected 'auto', 'plain', .* or 'xml', got 'parquet'"):
        assemble_corpus("a", ["b"], lambda _: ListedLines(["a"]), form="parquet")


def write(path, **columns):
    parquet.write_table(pa.table(columns), path)
    return path


def read_scores(path, *options):
    """Score a table with every command that reads it; all must agree."""
    whole = json.loads(run("score", path, "--format", "json", *options).output)
    rows = [json.loads(line) for line in run("segments", path, "--format", "jsonl", *options).output.splitlines()]
    explained = json.loads(run("explain", "--files", path, "--format", "json", *options).output)
    first = json.loads(run("explain", "--segment", 1, path, "--format", "json", *options).output)
    assert len(rows) == whole["segments"]
    assert [sum(row["matches"][n] for row in rows) for n in range(4)] == whole["matches"]
    assert explained["score"] == pytest.approx(whole["score"], abs=0)
    assert first["score"] == rows[0]["score"]
    return whole, rows


@pytest.mark.needs("pyarrow")
def test_every_command_reads_token_lists(tmp_path):
    tokens = [text.split() for text in TEXTS]
    path = write(tmp_path / "a.parquet", candidate=tokens, references=[[t.split() for t in own] for own in REFERENCES])
    recipe = bp.Recipe.named("sacrebleu").replace(tokenizer="pretokenized")
    whole, _ = read_scores(path, "--tokenizer", "pretokenized")
    assert whole["score"] == bp.score(tokens, [[t.split() for t in own] for own in REFERENCES], recipe).score
    lone = write(tmp_path / "b.parquet", candidate=tokens, reference=[own[0].split() for own in REFERENCES])
    alone, _ = read_scores(lone, "--tokenizer", "pretokenized")
    assert alone["score"] == bp.score(tokens, [[own[0].split()] for own in REFERENCES], recipe).score


@pytest.mark.needs("pyarrow")
def test_a_null_in_a_column_that_nobody_asked_for_stops_no_command(tmp_path):
    columns = {"candidate": TEXTS, "references": REFERENCES, "document": ["d", None, "e"], "other": [None, 1, None]}
    path = write(tmp_path / "a.parquet", **columns)
    whole, rows = read_scores(path)
    assert whole["score"] == bp.score(TEXTS, REFERENCES).score
    assert [row["document"] for row in rows] == ["d", "", "e"]
    for arguments in (("segments", path, "--document-column", "document"), ("score", path, "--by-document")):
        assert "row 1: expected a name under 'document', as other rows have one, got null" in str(refusal(*arguments))


@pytest.mark.needs("pyarrow")
def test_every_command_refuses_a_column_of_another_type(tmp_path):
    path = write(tmp_path / "a.parquet", candidate=[1, 2], reference=["a", "b"])
    messages = set()
    for command in (("score",), ("segments",), ("explain", "--files"), ("reconcile", "--all"), ("identify", *REPORTED)):
        with pytest.raises(bp.BleuprintError) as refused:
            run(*command, path)
        messages.add(str(refused.value))
    assert len(messages) == 1
    assert "column 'candidate': expected strings (or bytes that are UTF-8), got Arrow's type int64" in messages.pop()


@pytest.mark.needs("pyarrow")
def test_identify_reads_tables(tmp_path):
    path = write(tmp_path / "a.parquet", hyp=TEXTS, references=REFERENCES)
    other = write(tmp_path / "b.parquet", hyp=TEXTS[::-1], references=REFERENCES)
    numbers = [f"{bp.score(texts, REFERENCES).score:.2f}" for texts in (TEXTS, TEXTS[::-1])]
    flags = ("--reported", numbers[0], "--also", other, numbers[1], "--candidate-column", "hyp", "--format", "json")
    found = json.loads(run("identify", path, *flags).output)
    expected = bp.identify({"a": TEXTS, "b": TEXTS[::-1]}, REFERENCES, dict(zip("ab", numbers, strict=True))).to_dict()
    assert found["findings"] == expected["findings"]
    assert expected["findings"]


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("names", [["d", "e", "d", "e"], [7, 8, 7, 8]], ids=["texts", "numbers"])
def test_documents_of_a_table_score_as_they_do_alone_whatever_their_column_is_called(tmp_path, names):
    texts, references = [*TEXTS, None], [*REFERENCES, ["a reference of a null"]]
    path = write(tmp_path / "a.parquet", candidate=texts, references=references, segments=names)
    flags = ("--by-document", "--document-column", "segments", "--on-error", "skip", "--format", "json")
    found = json.loads(run("score", path, *flags).output)
    expected = bp.score_documents(TEXTS, REFERENCES, list(map(str, names[:3])))
    assert found["documents"] == {name: score.to_dict() for name, score in expected.items()}
    assert "skipped-rows" in [note["code"] for note in found["notes"]]


SEVERAL = {
    "segments {a} {r} -m chrf -m ter": "--metric: expected one recipe for this command, got chrf, ter.",
    "segments {a} {r} -m chrf --recipe ter": "--metric and --recipe: expected one recipe for this command",
    "segments {a} {r} --recipe nltk --recipe paper": "--recipe: expected one recipe for this command, got nltk, paper.",
    "segments {a} {r} --recipe nltk -n 2 -n 3": "--order: expected one recipe for this command",
    "compare --corpus {tsv}": "got none. Columns have texts of many kinds: say -s COLUMN for each system.",
    "compare -r {r} -s {a} -s b={a} --baseline b --fail-if-worse --margin -1": "got '-1'. For example: --margin 0.5 or "
    "--margin ter=1.",
    "score {a} {r} -m ter --fail-over x": "got 'x'. For example: --fail-over 60 or --fail-over ter=60.",
    "score {a} {r} --fail-under x": "got 'x'. For example: --fail-under 30 or --fail-under chrf=50.",
}


@pytest.mark.parametrize("call", SEVERAL)
def test_messages_name_the_flags_that_were_given_and_those_that_help(call, run, tmp_path):
    table = tmp_path / "c.tsv"
    table.write_text("x\ty\treference\na\tb\tc\n", encoding="utf-8")
    refused = run(*call.format(a=A, r=R1, tsv=table).split())
    assert (refused.code, refused.out) == (2, "")
    assert SEVERAL[call] in refused.err


ODD_NUMBERS = ("1_0", "\uff11", "\u0663")


def list_numbers():
    """Name every option that click makes a number of."""
    for command in COMMANDS:
        for param in cli.get_command(None, command).params:
            if isinstance(param.type, IntParamType | FloatParamType):
                yield command, param.opts[0], param


@pytest.mark.parametrize("odd", ODD_NUMBERS)
def test_what_only_python_takes_for_a_number_is_none(odd):
    numbers = list(list_numbers())
    assert {"--seed", "--confidence", "--resamples", "--order", "--beta", "--threads", "--port", "--examples"} <= {
        option for _, option, _ in numbers
    }
    for _, _, param in numbers:
        assert param.type.convert("10", param, None) == 10
        with pytest.raises(bp.BleuprintError, match=f"expected a number in the digits 0 to 9, got '{odd}'"):
            param.type.convert(odd, param, None)


@pytest.mark.parametrize(
    ("limits", "inside", "outside", "wanted"),
    [
        (click.IntRange(1, 5), "5", "6", "a whole number, at least 1 and at most 5"),
        (click.IntRange(1, min_open=True), "2", "1", "a whole number, above 1"),
        (click.FloatRange(max=1, max_open=True), "0.5", "1", "a number, below 1"),
    ],
)
def test_a_number_beyond_limits_is_refused_and_they_are_kept(limits, inside, outside, wanted):
    option = click.Option(["--size"], type=limits)
    kind = in_our_words(option)
    assert vars(kind) == vars(limits)
    assert kind.convert(inside, option, None) == float(inside)
    with pytest.raises(bp.BleuprintError, match=f"--size: expected {wanted}, got '{outside}'"):
        kind.convert(outside, option, None)
    assert in_our_words(click.Option(["--size"], type=click.IntRange(0, 5, clamp=True))).convert("9", option, None) == 5


@pytest.mark.parametrize("odd", ODD_NUMBERS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("score", A, R1, "--fail-under"),
        ("score", A, R1, "--fail-over"),
        ("score", A, R1, "--weights"),
        ("score", A, R1, "--confidence"),
        ("score", A, R1, "--char-order"),
        ("identify", A, R1, "--reported"),
        ("identify", A, R1, *REPORTED, "--also", B),
        ("compare", "-r", R1, "-s", f"a={A}", "-s", f"b={B}", "--baseline", "a", "--fail-if-worse", "--margin"),
        ("exercise", "--seed"),
    ],
)
def test_it_is_refused_by_the_option_that_it_was_given_to(arguments, odd, run):
    outcome = run(*arguments, odd)
    assert (outcome.code, outcome.out) == (2, "")
    assert arguments[-2 if arguments[-1] == B else -1] in outcome.err
    assert f"got {odd!r}" in outcome.err


@pytest.mark.parametrize("smoothing", ["epsilon(1_0)", "epsilon(\uff11)"])
def test_so_it_is_inside_a_choice(smoothing):
    with pytest.raises(RecipeError, match="expected a number, got"):
        bp.Recipe.named("nltk-method1").replace(smoothing=smoothing)
