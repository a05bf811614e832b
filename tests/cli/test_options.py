"""Options that mean nothing for a command or for what it reads are refused; all commands read the same tables alike."""

import json

import click
import pytest
from click.testing import CliRunner
from click.types import FloatParamType, IntParamType

import bleuprint as bp
from bleuprint.cli.commands import COMMANDS, cli
from bleuprint.cli.wording import translate
from bleuprint.errors import FileError, Location, RecipeError
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
    with pytest.raises(bp.BleuprintError) as refused:
        run(*arguments)
    return translate(refused.value)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("identify", A, R1, *REPORTED, "--candidate-column", "x"), "--candidate-column"),
        (("identify", A, R1, *REPORTED, "--document-column", "x"), "--document-column"),
        (("identify", A, R1, *REPORTED, "--documents", DOCUMENTS), "--documents"),
        (("identify", A, R1, *REPORTED, "--system", "x"), "--system"),
        pytest.param(
            ("identify", A, R1, *REPORTED, "--input", "parquet"), A, marks=pytest.mark.needs("pyarrow"),
        ),
        (("reconcile", A, R1, "--all", "--documents", DOCUMENTS), "--documents"),
        (("reconcile", A, R1, "--all", "--reference-column", "x"), "--reference-column"),
        (("score", A, R1, "--documents", DOCUMENTS), "--by-document"),
        (("score", A, R1, "--document-column", "x"), "--by-document"),
        (("score", A, R1, "--by-document", "--document-column", "x"), "--document-column"),
        (("segments", JSONL, "--documents", DOCUMENTS, "--document-column", "x"), "--document-column"),
        (("score", A, R1, "--columns", " , "), "--columns"),
        (("score", A, R1, "--system", ""), "--system"),
        (("segments", A, R1, "--candidate-column", "x"), "--candidate-column"),
        (("explain", "a", "a", "--candidate-column", "x"), "--candidate-column"),
        (("explain", "a", "a", "--reference-column", "x"), "--reference-column"),
        (("explain", "a", "a", "--document-column", "x"), "--document-column"),
        (("explain", "a", "a", "--input", "parquet"), "--input"),
        (("explain", "a", "a", "--ngrams", "3", "--format", "json"), "--format json"),
        (("explain", "--files", A, R1, "--ngrams", "3"), "--segment K"),
        (("explain", "--files", A, R1, "--document-column", "x"), "--document-column"),
        (("compare", "-r", R1, "-s", A, "--labels", JSONL), "--by NAME"),
        (("compare", "-r", R1, "-s", A, "--documents", DOCUMENTS), "--by document"),
        (("compare", "-r", R1, "-s", f"a={A}", "-s", f"b={B}", "--focus", "a", "b"), "--examples N"),
    ],
)  # fmt: skip
def test_an_option_that_means_nothing_is_refused_and_says_what_it_belongs_to(arguments, named):
    assert named in str(refusal(*arguments))


def test_a_form_that_lines_cannot_have_is_refused():
    with pytest.raises(FileError) as refused:
        assemble_corpus("a", ["b"], lambda _: ListedLines(["a"]), form="parquet")
    assert refused.value.location == Location("form")


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
        assert refusal(*arguments).where == f"{path}, row 1"


@pytest.mark.needs("pyarrow")
def test_every_command_refuses_a_column_of_another_type(tmp_path):
    path = write(tmp_path / "a.parquet", candidate=[1, 2], reference=["a", "b"])
    messages = set()
    for command in (("score",), ("segments",), ("explain", "--files"), ("reconcile", "--all"), ("identify", *REPORTED)):
        with pytest.raises(bp.BleuprintError) as refused:
            run(*command, path)
        messages.add(str(refused.value))
    assert len(messages) == 1
    assert "'candidate'" in messages.pop()


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
    "segments {a} {r} -m chrf -m ter": "chrf, ter",
    "segments {a} {r} -m chrf --recipe ter": "chrf, ter",
    "segments {a} {r} --recipe nltk --recipe paper": "nltk, paper",
    "segments {a} {r} --recipe nltk -n 2 -n 3": "nltk N=2, nltk N=3",
    "compare --corpus {tsv}": "--system",
    "compare -r {r} -s {a} -s b={a} --baseline b --fail-if-worse --margin -1": "--margin 0.5 or --margin ter=1",
    "score {a} {r} -m ter --fail-over x": "--fail-over 60 or --fail-over ter=60",
    "score {a} {r} --fail-under x": "--fail-under 30 or --fail-under chrf=50",
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
    with click.Context(cli) as context:
        for command, option, param in numbers:
            given = ("10",) if param.multiple else "10"
            assert param.type_cast_value(context, given) in (10, (10,)), command
            with pytest.raises(bp.BleuprintError, match=option):
                param.type_cast_value(context, (odd,) if param.multiple else odd)


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
    assert repr(odd) in outcome.err


@pytest.mark.parametrize("smoothing", ["epsilon(1_0)", "epsilon(\uff11)"])
def test_so_it_is_inside_a_choice(smoothing):
    with pytest.raises(RecipeError):
        bp.Recipe.named("nltk-method1").replace(smoothing=smoothing)
