"""The command line: every command and format, the same numbers as the library, and errors on one line."""

import json
import lzma
import os
import pty
import re
import resource
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.cli import corpus
from bleuprint.cli.commands import COMMANDS
from bleuprint.lessons.worked_examples import EXAMPLES
from command_line import CORPUS, DOCUMENTS, JSONL, PROGRAM, R1, R2, A, B, read_table, read_texts, start, start_unread
from packages import optional
from strategies import CORPUS_DIALECTS

pa = optional("pyarrow")
parquet = optional("pyarrow.parquet")


def example_corpus():
    candidates, *references = read_texts(A, R1, R2)
    return candidates, list(zip(*references, strict=True))


# Law 11: the command line and the library agree.


@pytest.mark.parametrize("dialect", CORPUS_DIALECTS)
def test_law_11_score_as_json_is_the_score_as_data(dialect, output):
    data = json.loads(output("score", A, R1, R2, "--recipe", dialect, "--format", "json"))
    assert data == {"recipe": dialect} | bp.score(*example_corpus(), dialect).to_dict()


def test_law_11_documents_as_json_are_their_scores_as_data(output):
    data = json.loads(output("score", A, R1, R2, "--documents", DOCUMENTS, "--by-document", "--format", "json"))
    scores = bp.score_documents(*example_corpus(), read_texts(DOCUMENTS)[0])
    assert data["documents"] == {name: score.to_dict() for name, score in scores.items()}


def test_law_11_score_as_text_is_the_printed_score(output):
    first, *notes = str(bp.score(*example_corpus())).split("\n")
    assert output("score", A, R1, R2).split("\n") == [first, f"candidate: {A}, references: {R1}, {R2}", *notes, ""]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [((A, R1), f"candidate: {A}, reference: {R1}"),
     ((R1, A), f"candidate: {R1}, reference: {A}"),
     (("-", R1), f"candidate: standard input, reference: {R1}"),
     ((JSONL,), f"candidates and references: {JSONL}"),
     ((A, "--testset", CORPUS / "testset.toml/de-en"), f"candidate: {A}, references: {CORPUS}/testset.toml/de-en")],
)  # fmt: skip
def test_a_score_as_text_says_which_file_is_what(arguments, line, output):
    stdin = Path(A).read_bytes()
    for more in (), ("--confidence", "0.9", "--resamples", "100"), ("--fail-under", "1"):
        assert output("score", *arguments, *more, stdin=stdin).split("\n")[1] == line
    assert line in output("score", *arguments, "-m", "bleu", "-m", "chrf", stdin=stdin).split("\n")
    assert len(output("score", *arguments, "--brief", stdin=stdin).split("\n")) == 2


def test_a_file_name_may_have_bytes_that_are_no_utf_8(tmp_path):
    odd = os.fsencode(tmp_path) + b"/\xff.txt"
    Path(os.fsdecode(odd)).write_bytes(Path(A).read_bytes())
    done = subprocess.run([PROGRAM, "score", odd, R1], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[1] == f"candidate: {tmp_path}/\\udcff.txt, reference: {R1}"


def test_a_file_name_cannot_add_a_line(output, tmp_path):
    odd = tmp_path / "a\nb\x1b[31m.txt"
    odd.write_bytes(Path(A).read_bytes())
    assert output("score", odd, R1).split("\n")[1] == f"candidate: {tmp_path}/a␊b␛[31m.txt, reference: {R1}"


def test_law_11_score_as_tsv_has_all_digits_and_counts(output):
    recipes = ("sacrebleu", "nltk-method2")
    rows = read_table(output("score", A, R1, "--recipe", recipes[0], "--recipe", recipes[1], "--format", "tsv"))
    for row, recipe in zip(rows, recipes, strict=True):
        score = bp.score(*read_texts(A, R1), recipe)
        assert (row["recipe"], row["document"], row["signature"]) == (recipe, "", score.signature)
        numbers = [score.score, score.fraction, score.brevity_penalty]
        assert [float(row[name]) for name in ("score", "fraction", "brevity_penalty")] == numbers
        assert [int(row[f"matches_{n}"]) for n in range(1, 5)] == list(score.stats.matches)
        assert [int(row[f"totals_{n}"]) for n in range(1, 5)] == list(score.stats.totals)


def test_law_11_segments_as_tsv_are_the_rows_of_the_statistics(output):
    rows = read_table(output("segments", A, R1, R2, "--recipe", "nltk"))
    table = bp.statistics(*example_corpus(), "nltk")
    assert [[int(row[name]) for name in table.columns] for row in rows] == [list(stats.to_row()) for stats in table]
    assert [float(row["score"]) for row in rows] == list(bp.score_segments(*example_corpus(), "nltk").scores)
    assert [int(row["segment"]) for row in rows] == list(range(1, 61))


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("recipe", ["nltk", "ter", "nltk-method6"])
def test_law_11_segments_as_parquet_are_those_of_tsv(recipe, output, run, tmp_path):
    call = ("segments", JSONL, "--recipe", recipe)
    target = tmp_path / "segments.parquet"
    assert output(*call, "--format", "parquet", "--output", target) == ""
    table = parquet.read_table(target)
    rows = read_table(output(*call))
    signature = {row.pop("signature") for row in rows}
    assert {table.schema.metadata[b"signature"].decode()} == signature
    assert table.column_names == list(rows[0])
    for name in table.column_names:
        kind = str if name in ("document", "remark") else float
        assert table[name].to_pylist() == [kind(row[name]) for row in rows], name
    assert pa.types.is_float64(table["score"].type)
    assert pa.types.is_int64(table["candidate_length"].type)
    refused = run(*call, "--format", "parquet")
    assert (refused.code, refused.out) == (2, "")
    assert "--output" in refused.err


def test_law_11_segments_as_jsonl_are_the_scores_as_data(output):
    rows = [json.loads(line) for line in output("segments", JSONL, "--format", "jsonl").splitlines()]
    given = [json.loads(line) for line in read_texts(JSONL)[0]]
    assert [row.pop("segment") for row in rows] == list(range(1, 61))
    assert [row.pop("document") for row in rows] == [row["document"] for row in given]
    scores = bp.score_segments([row["candidate"] for row in given], [row["references"] for row in given])
    assert rows == [score.to_dict() for score in scores]


def test_law_11_explain_as_json_is_the_explanation_as_data(output):
    candidates, references = example_corpus()
    known = {
        ("the cat is on mat", "the cat is on the mat"): bp.explain("the cat is on mat", ["the cat is on the mat"]),
        ("--segment", 47, B, R1): bp.explain(read_texts(B)[0][46], read_texts(R1)[0][46]),
        ("--files", A, R1, R2): bp.explain(candidates, references),
    }
    for arguments, explanation in known.items():
        assert json.loads(output("explain", *arguments, "--format", "json")) == explanation.to_dict()


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("kind", ["lines", "parquet", "testset"])
def test_law_11_intervals_are_those_of_a_comparison(kind, output, tmp_path):
    candidates, references = example_corpus()
    files = [A, R1, R2]
    if kind == "parquet":
        files = [tmp_path / "corpus.parquet"]
        parquet.write_table(pa.table({"candidate": candidates, "references": list(map(list, references))}), files[0])
    if kind == "testset":
        files = [A, "--testset", f"{Path(A).parent / 'testset.toml'}/de-en"]
    recipes = {"sacrebleu N=2": bp.Recipe.named("sacrebleu").replace(order=2), "sacrebleu N=4": "sacrebleu"}
    recipes |= {"chrf": "chrf", "ter": "ter"}
    settings = {"confidence": 0.9, "resamples": 300, "seed": 7}
    options = [part for name, value in settings.items() for part in (f"--{name}", value)]
    call = ("score", *files, "-m", "bleu", "-n", 2, "-n", 4, "-m", "chrf", "-m", "ter", *options)
    made = bp.compare({"a": candidates}, references, recipes, **settings)
    expected = {result.name: result.system("a").interval._asdict() for result in made.results}
    data = json.loads(output(*call, "--format", "json"))["scores"]
    assert {entry["recipe"]: entry["interval"] for entry in data} == {
        name: interval | settings for name, interval in expected.items()
    }
    rows = read_table(output(*call, "--format", "tsv"))
    assert [{name: float(row[name]) for name in ("low", "high", "standard_error")} for row in rows] == [
        expected[row["recipe"]] for row in rows
    ]
    low, high = (expected["ter"][end] for end in ("low", "high"))
    for form in ("text", "markdown", "latex"):
        assert f"{low:.2f} to {high:.2f}" in output(*call, "--format", form)
    alone = output("score", *files, *options).splitlines()
    first = expected["sacrebleu N=4"]
    assert alone[-2] == (
        f"  90 % interval: {first['low']:.2f} to {first['high']:.2f}, standard error {first['standard_error']:.2f} "
        "(300 resamples, seed 7)"
    )
    assert alone[-1].startswith("  note: 60 segments make a small test set")


# Commands and formats.


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--recipe", "nltk", "--recipe", "sacrebleu"], ["nltk", "sacrebleu"]),
        (["-n", 1, "-n", 4], ["sacrebleu N=1", "sacrebleu N=4"]),
        (["--weights", "1", "--weights", "0.3,0.7"], ["sacrebleu 1", "sacrebleu 0.3,0.7"]),
        (
            ["--weights", "0.12345671,1", "--weights", "0.12345672,1"],
            ["sacrebleu 0.12345671,1", "sacrebleu 0.12345672,1"],
        ),
        (["--recipe", "nltk", "--recipe", "paper", "-n", 2, "-n", 3],
         ["nltk N=2", "nltk N=3", "paper N=2", "paper N=3"]),
    ],
)  # fmt: skip
def test_several_recipes_give_a_table_with_a_row_and_a_signature_each(arguments, names, output):
    data = json.loads(output("score", A, R1, *arguments, "--format", "json"))
    assert [entry["recipe"] for entry in data["scores"]] == names
    text = output("score", A, R1, *arguments)
    for entry in data["scores"]:
        assert re.search(rf"^{re.escape(entry['recipe'])} +{entry['score']:.2f} ", text, re.MULTILINE)
        assert f"\n{entry['recipe']}: {entry['signature']}\n" in text
    brief = output("score", A, R1, *arguments, "--brief")
    assert brief.split() == [f"{entry['score']:.2f}" for entry in data["scores"]]


def test_every_axis_has_a_flag(output):
    flags = {
        "--tokenizer": "intl", "--case": "lower", "--order": "3", "--smoothing": "floor(0.2)",
        "--reference-length": "shortest", "--segment-totals": "at-least-1", "--absent-order": "drop",
        "--unmatched-order": "skip", "--nothing-matches": "smoothed",
    }  # fmt: skip
    data = json.loads(output("score", A, R1, *(part for flag in flags.items() for part in flag), "--format", "json"))
    changes = {flag.removeprefix("--").replace("-", "_"): value for flag, value in flags.items()} | {"order": 3}
    assert data["signature"] == str(bp.Recipe.named("sacrebleu").replace(**changes))


def test_by_document_adds_a_table_of_documents_in_their_order(output):
    documents = list(dict.fromkeys(read_texts(DOCUMENTS)[0]))
    text = output("score", JSONL, "--by-document")
    assert re.findall(r"^(\w+) +\d+\.\d\d ", text, re.MULTILINE) == ["sacrebleu", *documents]
    rows = read_table(output("score", JSONL, "--by-document", "--format", "tsv"))
    assert [row["document"] for row in rows] == ["", *documents]
    assert "documents" not in json.loads(output("score", A, R1, "--format", "json"))


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [(["-", R1, R2], A), ([A, "-", R2], R1), (["-", "--input", "jsonl"], JSONL)],
    ids=["candidate", "reference", "everything"],
)
def test_standard_input_is_a_file_like_any_other(arguments, stdin, output):
    named = [stdin if argument == "-" else argument for argument in arguments]
    by_name = output("score", *named).replace(stdin, "standard input")
    assert output("score", *arguments, stdin=Path(stdin).read_bytes()) == by_name


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", A, R1),
        ("score", A, R1, "--format", "json"),
        ("score", A, R1, "--recipe", "nltk", "--recipe", "paper"),
        ("segments", A, R1),
        ("segments", A, R1, "--format", "jsonl"),
        ("explain", "a b", "a c"),
        ("explain", "a b", "a c", "--format", "html"),
        ("explain", "\x1b[31mred", "a c", "-t", "whitespace", "--format", "html"),
        ("recipes",),
        ("recipes", "--diff", "nltk", "sacrebleu", "--format", "json"),
    ],
    ids=lambda arguments: " ".join(Path(part).name for part in arguments),
)
def test_output_goes_to_a_file_as_it_would_be_printed(arguments, output, tmp_path):
    target = tmp_path / "out"
    assert output(*arguments, "--output", target) == ""
    assert target.read_text("utf-8") == output(*arguments)
    assert list(tmp_path.iterdir()) == [target]


def test_explain_lists_as_many_ngrams_as_asked(output):
    text = " ".join("abcdefghijkl")
    for limit, shown in ((3, 3), ("all", 12)):
        listed = re.findall(r"^ +[a-l] +1 +1 +1 +1$", output("explain", text, text, "--ngrams", limit), re.MULTILINE)
        assert len(listed) == shown


def test_recipes_lists_shows_and_compares(output):
    listed = output("recipes")
    assert all(re.search(rf"^{re.escape(name)}  ", listed, re.MULTILINE) for name in bp.Recipe.dialects())
    assert [entry["name"] for entry in json.loads(output("recipes", "--format", "json"))] == list(bp.Recipe.dialects())
    assert str(bp.Recipe.named("nltk")) in output("recipes", "nltk")
    data = json.loads(output("recipes", "--diff", "nltk", "sacrebleu", "--format", "json"))
    assert list(data["axes"]) == ["tokenizer", "smoothing", "segment_totals", "unmatched_order"]
    assert data["axes"]["tokenizer"] == ["whitespace", "13a"]
    assert output("recipes", "--diff", "huggingface", "bleuscore") == "huggingface and bleuscore are the same recipe.\n"
    assert output("recipes", "--diff", "chrf", "chrf++").splitlines()[:3] == [
        "word_order: the highest order of word n-grams; 0 for none, 2 for chrF++",
        "  chrf: 0",
        "  chrf++: 2",
    ]


def test_the_signature_that_one_call_prints_is_the_recipe_of_another(output):
    line = output("score", A, R1, "--recipe", "nltk-method4")
    signature = re.search(r"bleuprint:1\|\S+", line)[0]
    assert output("score", A, R1, "--recipe", signature) == line


def test_selftest_passes_and_names_every_example(output):
    text = output("selftest")
    assert all(f"ok   {example.name}: " in text for example in EXAMPLES)
    assert text.endswith(f"{sum(len(example.expected) for example in EXAMPLES)} numbers checked, 0 wrong\n")


def test_selftest_fails_loudly_when_a_digit_differs(run, monkeypatch):
    monkeypatch.setitem(EXAMPLES[0].expected, "BLEU", "57.90")
    code, text, _ = run("selftest")
    assert code == 1
    assert "FAIL brevity: " in text
    assert "BLEU = 57.89  <-- must be 57.90" in text
    assert text.endswith(" 1 wrong\n")


def test_version_names_the_engine(output):
    assert output("--version") == f"bleuprint {bp.__version__}, engine: {bp.engine()}\n"


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_every_command_has_help(command, output):
    text = output(*filter(None, [command]), "--help")
    assert text.startswith(f"Usage: bleuprint {command or '[OPTIONS]'}")
    assert text == output(*filter(None, [command]), "-h")
    assert "..." not in text.replace("]...", "").replace("W,W,...", "").replace(",...,", ""), "nothing is cut"


@pytest.mark.parametrize("command", [None, "score", "explain", "compare", "reconcile", "identify"])
def test_the_example_in_the_help_of_a_command_runs(command, output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("out", "ours", "theirs", "ref"):
        Path(f"{name}.txt").write_text("the cat is on the mat\n", "utf-8")
    [example] = re.findall(r"For example: bleuprint (.*?)\n\n", output(*filter(None, [command]), "--help"), re.DOTALL)
    words = shlex.split(example)
    assert command in (None, words[0])
    assert output(*words)


def test_a_call_without_a_command_points_to_the_commands(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "Commands:\n" in out
    assert [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines() if line[2:3].strip()] == [
        *COMMANDS
    ]


# Texts or files.


def test_explain_takes_file_names_for_texts_only_when_told(run, output, monkeypatch):
    monkeypatch.chdir(CORPUS)
    names = ("candidate-a.txt", "reference-1.txt")
    code, _, err = run("explain", *names)
    assert code == 2
    assert re.search("--files .* --segment K .* --texts", err)
    assert "1 token" in output("explain", *names, "--texts", "--tokenizer", "whitespace")
    assert "60 segments" in output("explain", *names, "--files")


@pytest.mark.parametrize("text", ["a b c d " * 40, "中" * 120, "a/" * 120], ids=["long", "long in bytes", "slashes"])
def test_explain_takes_texts_that_no_file_could_be_named(text, output):
    assert output("explain", text, text).startswith("BLEU-4 = ")


@pytest.mark.parametrize("flag", ["--files", "--segment=1"])
def test_texts_and_files_exclude_each_other(flag, run):
    assert run("explain", A, R1, "--texts", flag).code == 2


# Errors.


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with good and bad files, in which the calls below are made."""
    monkeypatch.chdir(tmp_path)
    files = {
        "a.txt": b"a b c d\ne f g h\n",
        "short.txt": b"a b c d\n",
        "empty.txt": b"",
        "latin.txt": b"fine\n\xe9\n",
        "utf16.txt": "a\nb\n".encode("utf-16"),
        "bad.gz": b"a\n",
        "header.tsv": b"candidate\ttranslation\na\tb\n",
        "ragged.tsv": b"candidate\treference\na\n",
        "domain.jsonl": b'{"candidate": "a", "references": "b", "domain": "news"}\n',
        "good.jsonl": b'{"candidate": "a", "references": ["b"]}\n',
        "bad.jsonl": b"{\n",
        "keys.jsonl": b'{"translation": "a"}\n',
        "blank.jsonl": b'{"candidate": "a", "references": ["b"]}\n\n',
        "none.jsonl": b'{"candidate": null, "references": ["b"]}\n',
        "only-none.jsonl": b'{"candidate": "a", "references": [null]}\n',
        "no-references.jsonl": b'{"candidate": "a", "references": []}\n',
        "number.jsonl": b'{"candidate": 1.5, "references": ["b"]}\n',
        "tokens.jsonl": b'{"candidate": ["a"], "references": [["a"]]}\n',
        "surrogate.jsonl": b'{"candidate": "\\ud800", "references": ["b"]}\n',
        "surrogate-token.jsonl": b'{"candidate": ["\\ud800"], "references": [["b"]]}\n',
        "document.jsonl": b'{"candidate": "a", "references": ["b"], "document": "\\ud800"}\n',
        "half.jsonl": b'{"candidate": "a", "references": "b", "document": "d"}\n{"candidate": "", "references": ""}\n',
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "dir").mkdir()
    return tmp_path


BAD_CALLS = {
    "nosuch": "nosuch",
    "scor a b": "Did you mean 'score'?",
    "--nosuch": "--nosuch",
    "score": "CANDIDATE",
    "completion": "bash",
    "recipes nltkk": "Did you mean 'nltk'?",
    "score a.txt": "a.txt",
    "score nosuch.txt a.txt": "nosuch.txt",
    "score a.txt nosuch.txt": "nosuch.txt",
    "score a.txt a.txt -m bleu chrf": "-m bleu -m chrf",
    "segments a.txt a.txt -m chrf BLEU": "-m chrf -m bleu",
    "score a.txt a.txt --recipe nltk paper": "--recipe paper",
    "compare -r a.txt -s a.txt -m bleu ter": "-m bleu -m ter",
    "score a.txt a.txt -m bleu,chrf": "-m bleu -m chrf",
    "score a.txt a.txt --recipe nltk,paper": "Repeat --recipe",
    "score dir a.txt": "Is a directory",
    "score a.txt short.txt": "short.txt",
    "score empty.txt empty.txt": "empty.txt",
    "score a.txt latin.txt": "latin.txt, line 2",
    "score utf16.txt a.txt": "utf16.txt, line 1",
    "score bad.gz a.txt": "bad.gz",
    "score - -": "",
    "score header.tsv": "reference",
    "score ragged.tsv": "ragged.tsv, line 2",
    "score good.jsonl a.txt": "good.jsonl",
    "score a.txt good.jsonl": "good.jsonl",
    "score bad.jsonl": "bad.jsonl, line 1",
    "score keys.jsonl": "keys.jsonl, line 1",
    "score blank.jsonl": "blank.jsonl, line 2",
    "score none.jsonl": "none.jsonl, line 1, candidate",
    "score only-none.jsonl": "only-none.jsonl, line 1",
    "score no-references.jsonl": "no-references.jsonl, line 1",
    "score number.jsonl": "1.5",
    "score tokens.jsonl": "pretokenized",
    "score surrogate.jsonl": "U+D800",
    "score document.jsonl --by-document": "document.jsonl, line 1",
    "score half.jsonl": "half.jsonl, line 2",
    "score good.jsonl --tokenizer pretokenized": "good.jsonl, line 1",
    "score a.txt a.txt --recipe nosuch": "'nosuch'",
    "score a.txt a.txt --recipe bleuprint:1|tok:13a": "--recipe",
    "score a.txt a.txt --recipe nltk --recipe nosuch": "'nosuch'",
    "score a.txt a.txt --tokenizer nosuch": "'nosuch'",
    "score a.txt a.txt --recipe BLEU+tok.nosuch+x": "--recipe",
    "score a.txt a.txt --smoothing nosuch": "'nosuch'",
    "score a.txt a.txt --smoothing epsilon(2)": "epsilon(2)",
    "score a.txt a.txt --case upper": "mixed, lower, lower-ascii",
    "score a.txt a.txt --order 0": "--order",
    "score a.txt a.txt --order four": "'four'",
    "score a.txt a.txt -m chrf --beta x": "--beta",
    "score a.txt a.txt --fail-under": "See: bleuprint score --help",
    "identify a.txt a.txt --also b": "See: bleuprint identify --help",
    "score a.txt a.txt --by-document=x": "--by-document",
    "compare -r a.txt -s a.txt --examples -1": "--examples",
    "serve --port 70000": "70000",
    "score a.txt a.txt -m bleu -m bleu": "--metric",
    "score a.txt a.txt --recipe nltk --recipe nltk": "'nltk'",
    "score a.txt a.txt -m bleu --recipe sacrebleu": "--metric and --recipe",
    "score a.txt a.txt -n 4 -n 4": "--order",
    "score a.txt a.txt --weights 1,1 --weights 1.0,1": "--weights",
    "score a.txt a.txt --by-document --by document": "--by and --by-document",
    "score good.jsonl --by x --by x": "--by",
    "identify a.txt a.txt --reported 1 -m bleu -m bleu": "--metric",
    "identify a.txt a.txt --reported 1 --also a.txt 2": "'a.txt' appears twice",
    "score good.xml --system x --translator A --translator A": "--translator",
    "compare -s a.txt --testset x/y --translator A --translator A": "--translator",
    "compare -r a.txt -s a.txt --by length --by length": "--by",
    "compare -r a.txt -s ours=a.txt -s theirs=a.txt --examples 1 --focus our theirs": "Did you mean 'ours'?",
    "score a.txt a.txt --documents a.txt --by docment": "Did you mean 'document'?",
    "score a.txt a.txt --by docment": "Did you mean 'document'?",
    "score domain.jsonl --by domian": "Did you mean 'domain'?",
    "score a.txt a.txt --order 2 --weights 1,1": "--weights",
    "score a.txt a.txt --weights 1;2": "--weights",
    "score a.txt a.txt --weights 0,0": "--weights",
    "score a.txt a.txt --weights=-1,2": "--weights",
    "score a.txt a.txt -m chrf --word-order 0 --word-order 2": "--word-order",
    "explain a b -t 13a --tokenizer char": "--tokenizer",
    "score a.txt a.txt --by-document": "--by-document",
    "score a.txt a.txt --by-document --documents short.txt": "short.txt",
    "score a.txt a.txt --input yaml": "'yaml'",
    "score a.txt a.txt --format html": "'html'",
    "score a.txt a.txt --output nosuch/out": "nosuch/out",
    "score a.txt a.txt --output dir": "dir",
    "segments a.txt short.txt": "short.txt",
    "segments a.txt a.txt --recipe nltk --recipe paper": "nltk, paper",
    "explain a": "reference",
    "explain a.txt": "--texts",
    "explain a.txt a.txt": "--texts",
    "explain a b -n 1 -n 2": "N=1",
    "explain a b --ngrams some": "--ngrams",
    "explain a b --ngrams -1": "--ngrams",
    "explain a b --tokenizer pretokenized": "candidate",
    "explain --segment 0 a.txt a.txt": "--segment",
    "explain --segment 3 a.txt a.txt": "--segment",
    "explain --segment one a.txt a.txt": "--segment",
    "explain --segment 1 surrogate-token.jsonl --tokenizer pretokenized": "line 1, candidate, token 1",
    "explain --files a.txt": "a.txt",
    "recipes nosuch": "'nosuch'",
    "recipes --diff nltk": "--diff",
    "recipes --diff nltk nosuch": "--diff",
    "recipes nltk --diff nltk paper": "--diff",
    "selftest more": "more",
    "recipes paper nltk": "nltk",
}
"""Calls with the option, the file or the value that the error names, or a suggestion."""


@pytest.mark.parametrize(("call", "named"), BAD_CALLS.items(), ids=BAD_CALLS)
def test_an_error_is_one_line_that_says_what_is_wrong(call, named, run, folder):
    before = sorted(folder.rglob("*"))
    code, out, err = run(*call.split())
    assert (code, out) == (2, "")
    assert re.fullmatch(r"bleuprint: \S.*\n", err)
    assert named in err
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("call", ["score a.txt short.txt", "score document.jsonl --by-document", "segments bad.jsonl"])
def test_an_error_leaves_the_old_output_and_no_other_file(call, run, folder):
    target = folder / "out"
    target.write_text("old", encoding="utf-8")
    before = sorted(folder.rglob("*"))
    assert run(*call.split(), "--output", target).code == 2
    assert target.read_text("utf-8") == "old"
    assert sorted(folder.rglob("*")) == before


def test_tokens_are_read_from_jsonl_for_a_pretokenized_recipe(output, run, folder):
    assert output("score", "tokens.jsonl", "--tokenizer", "pretokenized", "-n", 1, "-b") == "100.00\n"
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    code, _, err = run("score", "tokens.jsonl", "--recipe", recipe, "--recipe", "nltk")
    assert code == 2
    assert "pretokenized" in err


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_tokens_that_json_lacks_are_explained_all_the_same(form, output, tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"candidate": [Infinity, 1], "references": [[1]]}\n', encoding="utf-8")
    assert "inf" in output("explain", "--segment", 1, file, "--tokenizer", "pretokenized", "--format", form)


def test_names_of_documents_show_as_they_are(output, tmp_path):
    file, names = tmp_path / "a.jsonl", ["[bold]x[/bold]", "[/]", ":smile:", "tab\tin it"]
    rows = [{"candidate": "a b", "references": "a b", "document": name} for name in names]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    text = output("score", file, "--by-document")
    assert all(name in text for name in names[:3])
    table = read_table(output("score", file, "--by-document", "--format", "tsv"))
    assert [row["document"] for row in table] == ["", *names[:3], "tab in it"]


# Long input.


@pytest.fixture
def long_corpus(tmp_path):
    files = [tmp_path / name for name in ("candidate", "reference")]
    for file, step in zip(files, (1, 2), strict=True):
        lines = (" ".join("abcdefgh"[(line * n * step) % 8] for n in range(1, line % 9)) for line in range(5000))
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return files


@pytest.mark.parametrize("command", ["score", "segments"])
def test_a_long_corpus_gives_the_same_numbers_in_chunks_of_any_size(command, long_corpus, output, monkeypatch):
    outputs = []
    for size in (7, 2000, 10_000):
        monkeypatch.setattr(corpus, "CHUNK", size)
        outputs.append(output(command, *long_corpus, "--recipe", "nltk", "--format", "tsv"))
    assert len(set(outputs)) == 1
    texts = read_texts(*long_corpus)
    expected = {
        "score": lambda: [bp.score(*texts, "nltk").score],
        "segments": lambda: bp.score_segments(*texts, "nltk").scores,
    }
    assert [float(row["score"]) for row in read_table(outputs[0])] == list(expected[command]())


# The program itself.


def test_what_nobody_foresaw_does_not_end_as_a_failed_gate(run, monkeypatch):
    def stumble(*_given, **_named):
        raise ZeroDivisionError("nobody foresaw this")

    monkeypatch.setattr("bleuprint.cli.scoring.score_files", stumble)
    outcome = run("score", A, R1)
    assert (outcome.code, outcome.out) == (70, "")
    *traceback, last = outcome.err.splitlines()
    assert traceback[-1] == "ZeroDivisionError: nobody foresaw this"
    assert last.startswith("bleuprint: this is a defect of bleuprint")


def test_too_little_memory_is_an_error_on_one_line(tmp_path):
    """Under a limit of the system, as `ulimit -v` sets it."""
    lines = tmp_path / "lines.xz"
    lines.write_bytes(lzma.compress(b"a" * (1 << 24) + b"\n") * 64)
    limit = 1 << 29
    result = start(
        "segments", lines, lines, capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert (result.returncode, result.stdout) == (2, b"")
    assert re.fullmatch(rb"bleuprint: Not enough memory [^\n]+\n", result.stderr)


@pytest.mark.parametrize(
    ("arguments", "stream"),
    [
        (("score", A, R1, "--brief", "--output", "/dev/stdout"), "stdout"),
        (("segments", A, R1, "-o", "/proc/self/fd/1"), "stdout"),
        (("exercise", "-o", "/dev/stderr"), "stderr"),
        (("compare", "-r", R1, "-s", f"a={A}", "-s", f"b={B}", "--resamples", 100, "--html", "/dev/fd/2"), "stderr"),
    ],
)
def test_an_output_that_is_open_already_goes_on_where_it_stands(arguments, stream, tmp_path):
    log = tmp_path / "log"
    log.write_text("old\n", encoding="utf-8")
    before = log.stat().st_ino
    with log.open("ab") as file:
        other = {"stdout", "stderr"} - {stream}
        done = start(*arguments, **{stream: file}, **dict.fromkeys(other, subprocess.PIPE))
    assert done.returncode == 0
    assert log.stat().st_ino == before
    old, *new = log.read_text("utf-8").splitlines()
    assert (old, bool(new)) == ("old", True)


def test_the_program_and_the_module_are_the_same_door(output):
    module = subprocess.run([sys.executable, "-m", "bleuprint", "score", A, R1], capture_output=True, check=True)
    assert (
        start("score", A, R1, capture_output=True, check=True).stdout
        == module.stdout
        == output("score", A, R1).encode()
    )


@pytest.mark.parametrize(
    "call", [("score", A, "nosuch"), ("explain", os.fsdecode(b"\xff"), "a"), ("score", os.fsdecode(b"\xff"), A)]
)
def test_the_program_complains_without_a_traceback(call):
    result = start(*call, capture_output=True)
    assert (result.returncode, result.stdout) == (2, b"")
    assert re.fullmatch(rb"bleuprint: [^\n]+\n", result.stderr)


UNICODE = ("explain", "naïve 中文", "naïve 日本", "--tokenizer", "char", "--format")


LOCALES = [{}, {"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}, {"PYTHONIOENCODING": "ascii"}]


@pytest.mark.parametrize("env", LOCALES, ids=str)
@pytest.mark.parametrize("form", ["text", pytest.param("json", marks=pytest.mark.extended)])
def test_the_locale_changes_nothing(env, form, output):
    result = start(*UNICODE, form, env=env, capture_output=True)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode("utf-8") == output(*UNICODE, form)


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_an_output_encoding_that_lacks_a_sign_is_no_reason_to_crash(form):
    """On Windows a pipe has the encoding of the old code page unless told otherwise."""
    result = start(*UNICODE, form, env={"PYTHONIOENCODING": "cp1252"}, capture_output=True)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("env", [{}, {"FORCE_COLOR": ""}, {"TERM": "dumb"}], ids=str)
@pytest.mark.parametrize(
    "arguments",
    [("explain", "a b", "a c"), pytest.param(("score", A, R1, "-n", 1, "-n", 2), marks=pytest.mark.extended)],
)
def test_piped_output_is_plain(arguments, env, output):
    result = start(*arguments, env=env, capture_output=True, check=True)
    assert b"\x1b" not in result.stdout
    assert result.stdout.decode("utf-8") == output(*arguments)


def test_colour_goes_where_force_color_asks_for_it_and_into_no_file(output, monkeypatch, tmp_path):
    plain = output("explain", "a b", "a c")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    coloured = output("explain", "a b", "a c")
    assert coloured.startswith("\x1b[1mBLEU-4 = 50.00\x1b[0m")
    assert re.sub(r" +\n", "\n", re.sub(r"\x1b\[[\d;]*m", "", coloured)) == plain
    assert output("explain", "a b", "a c", "--output", tmp_path / "file") == ""
    assert (tmp_path / "file").read_text(encoding="utf-8") == plain


WITHOUT_KERNEL = "import sys; sys.modules['bleuprint._kernel'] = None; from bleuprint.cli import main; main()"


def test_who_waits_for_the_slow_engine_hears_of_the_fast_one(tmp_path):
    long, short = tmp_path / "long", tmp_path / "short"
    for file, lines in ((long, 10_000), (short, 9_999)):
        file.write_text("a\n" * lines, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "BLEUPRINT_ENGINE"}

    def call(*arguments, **env):
        command = [sys.executable, "-c", WITHOUT_KERNEL, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment | env)
        return done.stdout, done.stderr

    advice = "install a C++20 compiler"
    assert advice in call("--version")[0]
    score, hint = call("score", long, long, "-b", "-n", "1")
    assert score == "100.00\n"
    assert hint.startswith("bleuprint: hint: 10,000 segments were counted by the engine python (no compiled kernel:")
    assert advice in hint
    assert call("score", short, short, "-b", "-n", "1") == ("100.00\n", "")
    chosen = call("score", long, long, "-b", "-n", "1", BLEUPRINT_ENGINE="python")
    assert chosen == ("100.00\n", ""), "who chose it knows"


PRINTING = [("score", A, R1), ("explain", "a", "a"), ("selftest",), ("--help",), ("score", "--help"), ("--version",)]


@pytest.mark.parametrize("arguments", [*PRINTING, ("segments", A, R1)])
def test_a_reader_that_leaves_is_no_error(arguments):
    result = start_unread(*arguments)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", PRINTING)
def test_a_full_disk_is_an_error_on_one_line(arguments):
    with Path("/dev/full").open("wb") as full:
        result = start(*arguments, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert re.fullmatch(rb"bleuprint: Standard output [^\n]+ 'No space left on device'\. [^\n]+\n", result.stderr)


def start_without(streams, *arguments, **options):
    """Start the program with streams closed, as ``>&-`` does it."""
    closed = " ".join(f"{number}>&-" for number in streams)
    return subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", PROGRAM, *arguments], timeout=60, **options)


@pytest.mark.parametrize("arguments", PRINTING)
def test_a_closed_standard_output_is_an_error_on_one_line(arguments):
    result = start_without([1], *arguments, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert re.fullmatch(rb"bleuprint: Standard output [^\n]+ 'Bad file descriptor'\. [^\n]+\n", result.stderr)


@pytest.mark.parametrize("streams", [[1], [2], [1, 2], [0, 1, 2]])
def test_a_file_is_written_whatever_streams_are_closed(streams, tmp_path, output):
    result = start_without(streams, "score", A, R1, "-o", tmp_path / "out", capture_output=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert (tmp_path / "out").read_text("utf-8") == output("score", A, R1)


def test_a_closed_standard_input_is_an_error_on_one_line():
    result = start_without([0], "score", "-", R1, capture_output=True)
    assert (result.returncode, result.stdout) == (2, b"")
    assert re.fullmatch(rb"bleuprint: standard input[^\n]+'Bad file descriptor'[^\n]+\n", result.stderr)


def test_a_complaint_that_nobody_can_read_is_left_to_the_exit_code():
    result = start_without([2], "score", "nosuch", R1, capture_output=True)
    assert (result.returncode, result.stdout, result.stderr) == (2, b"", b"")
    read, write = os.pipe()
    os.close(read)
    try:
        assert start("score", "nosuch", R1, stdout=subprocess.DEVNULL, stderr=write).returncode == 2
    finally:
        os.close(write)


@pytest.mark.parametrize("command", ["score", "segments"], ids=["without click", "with click"])
def test_ctrl_c_ends_the_program_with_130(command):
    text = b"a b c\n" * 100_000  # far more than a pipe holds: once it is written, the program is reading
    with subprocess.Popen(
        [PROGRAM, command, "-", R1],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Also if the tests were started with SIGINT ignored, as in the background of a shell.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        process.stdin.write(text)
        process.send_signal(signal.SIGINT)
        with suppress(BrokenPipeError):
            for _ in range(200):  # Python may handle the signal only when its read returns
                process.stdin.write(text)
        assert process.wait(60) == 130
        assert process.stdout.read() + process.stderr.read().strip() == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "x" * 300, R1),
        ("score", A, "x" * 300),
        pytest.param(("segments", "x" * 300 + ".parquet"), marks=pytest.mark.needs("pyarrow")),
        ("explain", "--files", "x" * 300, R1),
        ("identify", "x" * 300, R1, "--reported", "1.0"),
        ("compare", "-r", R1, "-s", "x" * 300),
        ("compare", "-r", R1, "-s", A, "--html", "x" * 300),
        ("score", A, R1, "-o", "x" * 300),
        ("site", "x" * 300),
    ],
)
def test_a_name_that_is_too_long_is_named_itself(arguments, run):
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert re.fullmatch(r"bleuprint: [^\n]*x{300}[^\n]+File name too long[^\n]+\n", outcome.err)


def test_a_long_text_is_not_taken_for_a_file(output):
    assert "100" in output("explain", "x " * 300, "x " * 300)


def watch(*arguments, stream, code=0):
    """Run the program with one of its streams on a terminal, and give what that terminal saw."""
    ours, theirs = pty.openpty()
    other = {"stdout": "stderr", "stderr": "stdout"}[stream]
    options = {stream: theirs, other: subprocess.DEVNULL, "env": os.environ | {"TERM": "xterm-256color"}}
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], **options)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 10_000):
            seen += part
    except OSError:  # Linux: the other end was closed
        pass
    finally:
        os.close(ours)
    assert process.wait(60) == code
    return seen


def test_a_terminal_gets_colour():
    assert b"\x1b[" in watch("explain", "a b", "a c", stream="stdout")


STEERING = ("\x1bc", "\x07", "\x9b", "\r", "\u202e", "\u2066")
ODD = "x{}x{}x{}x{}x{}x{}x".format(*STEERING)
"""A text that clears the screen, rings, begins a sequence, overwrites its line, and turns the order around."""


@pytest.fixture
def odd_files(tmp_path, monkeypatch):
    """Files whose texts and names would steer a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BLEUPRINT_TESTSETS", str(tmp_path))
    manifest = f'description = {json.dumps(ODD)}\n[pairs.a-b]\nreferences = "r.txt"\n'
    row = {"candidate": "a b", "reference": "a b", "document": ODD}
    files = {"r.txt": ODD, "odd.toml": manifest, "c.jsonl": json.dumps(row), ODD: "a b"}
    for name, text in files.items():
        Path(name).write_text(text + "\n", encoding="utf-8", newline="")


@pytest.mark.parametrize(
    ("arguments", "as_is"),
    [
        (("testsets",), True),
        (("testsets", "odd/a-b", "--echo", "reference"), True),
        (("segments", "c.jsonl"), True),
        (("score", "c.jsonl", "--by", "document", "--format", "tsv"), True),
        (("score", "c.jsonl", "--by", "document"), False),
        (("score", ODD, ODD), False),
        *(
            (("compare", "-r", ODD, "-s", f"{ODD}={ODD}", "--resamples", "100", "--format", form), form != "text")
            for form in ("text", "csv", "markdown")
        ),
        (("explain", "--texts", ODD, ODD), False),
    ],
)
def test_no_text_steers_a_terminal_and_no_pipe_changes_one(arguments, as_is, odd_files):
    seen = watch(*arguments, stream="stdout").decode().replace("\r\n", "\n")  # which the terminal made of "\n"
    assert [mark for mark in STEERING if mark in seen] == []
    piped = start(*arguments, capture_output=True, check=True).stdout.decode()
    written = [mark for mark in STEERING if mark in piped]
    if as_is:
        assert set(STEERING) - set(written) <= {"\r"}  # TSV and Markdown have a space in its place
    assert "\u202e" in written


def test_no_file_name_steers_a_terminal_by_an_error(odd_files):
    seen = watch("score", f"{ODD}.txt", ODD, stream="stderr", code=2).decode().removesuffix("\r\n")
    assert [mark for mark in STEERING if mark in seen] == []
    assert "x.txt" in seen


def test_only_a_terminal_and_long_input_get_a_progress_bar(tmp_path):
    file = tmp_path / "a"
    file.write_text("a\n" * 40_000, encoding="utf-8")
    assert b"counting: 32,768 segments" in watch("score", file, file, stream="stderr")
    assert watch("score", A, R1, stream="stderr") == b""
    assert start("score", file, file, capture_output=True, check=True).stderr == b""


@pytest.mark.parametrize("texts", [["a.txt", "no such file"], ["some words", "a.txt"], ["-", "a b"]])
def test_explain_never_takes_the_name_of_a_file_for_a_text(texts, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("a b\n", encoding="utf-8")
    code, _, err = run("explain", *texts)
    assert (code, "--texts" in err) == (2, True)
    assert run("explain", "--texts", "--", *texts)[0] == 0


def test_a_header_named_again_is_not_scored(run, tmp_path):
    file = tmp_path / "a.tsv"
    file.write_text("candidate\treference\na b c d\ta b c d\n", encoding="utf-8")
    refused = run("score", file, "--columns", "candidate,reference")
    assert (refused.code, "--columns" in refused.err) == (2, True)
    assert run("score", file, "--brief").out == "100.00\n"


def test_errors_in_files_name_the_file_and_the_line(run, tmp_path):
    jsonl, tsv = tmp_path / "a.jsonl", tmp_path / "a.tsv"
    jsonl.write_text(
        '{"candidate": "a", "references": ["a"]}\n{"candidate": 5, "references": ["a"]}\n', encoding="utf-8"
    )
    tsv.write_text("candidate\treference\na\tb\nc\t\n", encoding="utf-8")
    assert f"{jsonl}, line 2, candidate" in run("score", jsonl).err
    assert f"{tsv}, line 3" in run("score", tsv).err
    plain = tmp_path / "a.txt"
    plain.write_text("a b\n", encoding="utf-8")
    assert f"{plain}, line 1" in run("score", plain, plain, "-t", "pretokenized").err


@pytest.mark.parametrize("options", [["--by-document"], ["--format", "json"]])
def test_brief_is_for_the_corpus_as_text(options, run):
    assert run("score", A, R1, "--documents", DOCUMENTS, "--brief", *options).code == 2


def test_documents_have_their_reasons_in_text(output):
    text = output("score", A, R1, "--documents", DOCUMENTS, "--by-document")
    assert "   • museum: the document has only 10 tokens" in text
    assert "   • museum: 10 of 10 candidates are in a script without spaces" in text


def test_long_names_of_documents_stay_apart(output, tmp_path):
    names = [f"{'a-rather-long-name-of-a-document-' * 4}{n}" for n in range(3)]
    file = tmp_path / "a.jsonl"
    rows = [{"candidate": "a b", "references": "a b", "document": name} for name in names]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    text = "".join(line.split(" ")[0] for line in output("score", file, "--by-document").splitlines())
    assert all(name in text for name in names)


def test_a_text_that_begins_with_a_hyphen_gets_a_hint(run):
    assert "goes after --" in run("explain", "-5 degrees", "minus five degrees").err


def test_segments_carry_the_recipe(output):
    table = read_table(output("segments", A, R1))
    assert {row["signature"] for row in table} == {str(bp.Recipe.named("sacrebleu-sentence"))}


def test_recipes_names_the_dialect_of_a_signature(output):
    assert output("recipes", "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0").startswith(
        "this is sacrebleu\n"
    )
    assert "no dialect has this recipe" in output("recipes", str(bp.Recipe.named("nltk").replace(order=3)))


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("score", "c.txt", "r.txt", "-o", "c.txt"), "--output"),
        (("segments", "c.txt", "r.txt", "-o", "./r.txt"), "--output"),
        (("compare", "-r", "r.txt", "-s", "ours=c.txt", "-o", "c.txt"), "--output"),
        (("compare", "-r", "r.txt", "-s", "c.txt", "--html", "r.txt"), "--html"),
    ],
)
def test_a_file_that_was_read_is_never_written_over(arguments, option, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    for name in ("c.txt", "r.txt"):
        (tmp_path / name).write_text("a b c d\n", encoding="utf-8")
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"{option} " in outcome.err
    assert "overwrite" in outcome.err
    assert {(tmp_path / name).read_text("utf-8") for name in ("c.txt", "r.txt")} == {"a b c d\n"}
