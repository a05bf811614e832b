"""Errors are data: the place, the name that was meant, the kind of advice; every edge has words of its own for them."""

import pickle
import re
import sys

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.cli import main
from bleuprint.cli.commands import COMMANDS
from bleuprint.cli.wording import translate
from bleuprint.compat import accelerate
from bleuprint.errors import BleuprintError, FileError, InputTypeError, Location, nearest, quote
from bleuprint.io.columnar import ColumnNames
from bleuprint.numbers import as_whole_number
from bleuprint.text.formats import ListedLines, assemble_corpus, split_lines
from bleuprint.web.answers import RequestError
from bleuprint.web.bridge import handle
from memory_use import MIB, peak_of

FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
COMMAND = re.compile(rf"bleuprint ({'|'.join(COMMANDS)})\b")


def refusal_of(call):
    with pytest.raises(BleuprintError) as caught:
        call()
    return caught.value


# The parts of a message


@pytest.mark.parametrize(
    ("message", "options", "text"),
    [
        ("expected a cat, got 'cta'.", {"location": Location("pet")}, "pet: expected a cat, got 'cta'."),
        ("Unknown pet 'cta'.", {"location": Location("pet")}, "Unknown pet 'cta'."),
        ("Unknown pet 'cta'.", {"location": Location("pets", 2)}, "pets[2]: Unknown pet 'cta'."),
        ("Unknown pet 'cta'.", {"where": "pets.txt, line 3"}, "pets.txt, line 3: Unknown pet 'cta'."),
        (
            "Unknown pet 'cta'.",
            {"suggestion": "cat", "fix": "Take one."},
            "Unknown pet 'cta'. Did you mean 'cat'? Take one.",
        ),
    ],
)
def test_an_error_prints_its_location_the_problem_the_suggestion_and_the_fix(message, options, text):
    assert str(BleuprintError(message, **options)) == text


def test_front_ends_translate_the_location_and_the_names_in_backticks():
    error = BleuprintError("expected x.", 'Omit `documents`, or pass `form="plain"`.', location=Location("form"))

    def rename(name, value):
        return f"--{name} {value}".rstrip()

    assert str(error.translated(lambda location: f"--{location.argument}", rename)) == (
        "--form: expected x. Omit --documents, or pass --form plain."
    )
    assert str(error.reworded(where="line 2").translated(str, rename)).startswith("line 2: ")


@pytest.mark.parametrize(
    ("location", "written"),
    [
        (Location("seed"), "seed"),
        (Location("candidates", 16), "candidates[16]"),
        (Location("candidates", 16, system="ours"), "system 'ours', candidates[16]"),
        (Location("references", 16, 1), "references[16][1]"),
        (Location("references", None, 1, 3), "references[1], token 3"),
        (Location("recipe", option="char_order"), "recipe, char_order"),
    ],
)
def test_a_location_is_written_as_in_python(location, written):
    error = BleuprintError("a", location=location)
    assert (error.where, error.index, error.reference_index) == (written, location.position, location.reference)


ELEMENTS = {
    "a candidate": (["a", None], ["a", "a"], 1, None),
    "a reference": (["a", "a"], ["a", ["a", 5]], 1, 1),
    "no reference": (["a", "a"], ["a", []], 1, None),
    "a surrogate": (["a"], [["a", "\ud800"]], 0, 1),
    "another number": (["a"], ["a", "b"], None, None),
}


@pytest.mark.parametrize(("candidates", "references", "index", "reference_index"), ELEMENTS.values(), ids=ELEMENTS)
def test_an_error_about_an_element_has_its_index(candidates, references, index, reference_index):
    for error in (
        refusal_of(lambda: bp.score(candidates, references)),
        refusal_of(lambda: bp.compare({"x": candidates, "y": ["a"] * len(candidates)}, references)),
    ):
        assert (error.index, error.reference_index) == (index, reference_index)


def test_documents_and_labels_have_the_index_of_the_segment():
    assert refusal_of(lambda: bp.score_documents(["a", "b"], ["a", "b"], ["d", []])).index == 1
    labels = {"domain": ["news", 5]}
    assert refusal_of(lambda: bp.compare({"x": ["a", "b"]}, ["a", "b"], labels=labels)).index == 1


def test_errors_keep_their_data_in_copies():
    found = refusal_of(lambda: bp.score(["a", {}], ["a", "b"]))
    named = refusal_of(lambda: bp.Recipe.of("sacrbleu"))
    status = RequestError(413, "body", "expected less, got more.", "Send less.", {"A": "b"})
    for error in (found, named, status, found.reworded(where="line 2")):
        twin = pickle.loads(pickle.dumps(error))
        assert type(twin) is type(error)
        assert (str(twin), twin.__dict__) == (str(error), error.__dict__)


def test_other_words_leave_the_data_as_it_is():
    error = refusal_of(lambda: bp.score(["a"], [["a", {}]]))
    changed = error.reworded(where="line 1", fix="Correct it.")
    assert (changed.where, changed.fix, changed.message) == ("line 1", "Correct it.", error.message)
    assert (changed.index, changed.reference_index, type(changed)) == (0, 1, InputTypeError)


# What was meant


def read(name, text, **choices):
    return assemble_corpus(name, (), lambda _: ListedLines(split_lines(text)), **choices)


SGML = '<tstset sysid="Online-A"><doc docid="d"><seg id="1">a</seg></doc></tstset>'
MEANT = {
    "recipe": (lambda: bp.Recipe.of("sacrbleu"), "sacrebleu"),
    "recipe in upper case": (lambda: bp.Recipe.of("NLTK"), "nltk"),
    "a metric for a recipe": (lambda: bp.Recipe.of("BLEU"), "sacrebleu"),
    "tokenizer": (lambda: bp.Recipe.of("paper").replace(tokenizer="whitespaces"), "whitespace"),
    "axis": (lambda: bp.Recipe.of("paper").replace(tokeniser="13a"), "tokenizer"),
    "choice": (lambda: bp.Recipe.of("paper").replace(case="lowered"), "lower"),
    "smoothing": (lambda: bp.Recipe.of("paper").replace(smoothing="epsilom"), "epsilon"),
    "table column": (lambda: bp.statistics(["a"], ["a"], "paper").column("candidate_lenght"), "candidate_length"),
    "system": (lambda: bp.compare({"ours": ["a"]}, ["a"], baseline="our"), "ours"),
    "test": (lambda: bp.compare({"x": ["a"]}, ["a"], test="randomization"), "randomisation"),
    "format": (lambda: read("a", "a", form="jsnl"), "jsonl"),
    "column of TSV": (lambda: read("a.tsv", "candidat\treference\na\tb\n"), "candidat"),
    "system of SGML": (lambda: read("a.sgm", SGML, system="Online-B"), "Online-A"),
    "column of Parquet": (lambda: ColumnNames("candidates").within(["candidate", "reference"], "a"), "candidate"),
    "tool": (lambda: accelerate("sacrebleo"), "sacrebleu"),
    "beginning of a name": (lambda: bp.Recipe(tok="13a"), "tokenizer"),
    "single letter": (lambda: bp.Recipe(n=2), None),
    "nothing near": (lambda: bp.Recipe.of("comet"), None),
    "no name": (lambda: bp.Recipe.of("paper").replace(case=5), None),
}  # fmt: skip


@pytest.mark.parametrize(("call", "meant"), MEANT.values(), ids=MEANT)
def test_a_misspelt_name_gets_the_nearest(call, meant):
    error = refusal_of(call)
    assert error.suggestion == meant
    assert (f"Did you mean {meant!r}?" in str(error)) == (meant is not None)


@pytest.mark.parametrize(
    ("request_", "meant"),
    [
        ({"action": "explian"}, "explain"),
        ({"action": "export", "candidate": "a", "references": ["a"], "format": "markdwon"}, "markdown"),
        ({"action": "recipe", "recipe": {"base": "papr"}}, "paper"),
    ],
)
def test_the_page_is_told_what_was_meant(request_, meant):
    error = handle(request_)["error"]
    assert error["suggestion"] == meant
    assert f"Did you mean {meant!r}?" in error["message"]


def complaint(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["bleuprint", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scor", "a"), "Did you mean 'score'?"),
        (("zzz",), "'zzz'"),
        (("score", "a", "--recpe", "x"), "'--recipe'"),
        (("score", "a", "--tok", "x"), "--tokenizer"),
        (("score", "r", "-i", "a"), "bleuprint score OUT REFERENCE"),
        (("score", "a", "r", "--lowercase"), "--case lower"),
        (("score", "ours.tsv"), "--candidate-column and --reference-column"),
        (("score", "ours.jsonl"), "ours.jsonl, line 1"),
        (("score", "a", "--by-doc"), "--by-document"),
        (("score", "a", "--case", "lowe"), "Did you mean 'lower'?"),
        (("score", "a", "--input", "xlm"), "Did you mean 'xml'?"),
        (("score", "a", "a", "--recipe", "papre"), "Did you mean 'paper'?"),
    ],
)
def test_commands_options_and_choices_get_the_nearest(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours.tsv").write_text("hyp\tref\na\ta\n")
    (tmp_path / "ours.jsonl").write_text('{"hyp": "a", "ref": "a"}\n')
    assert message in complaint(monkeypatch, capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("identify", "a", "b", "--reported", "abc"), "--reported"),
        (("identify", "a", "b", "--reported", "33,8"), "33.80"),
        (("identify", "a", "b", "--reported", "1", "--also", "c", "x"), "--also"),
        (("identify", "a", "b", "--reported", "-3"), "--reported"),
    ],
)
def test_a_number_on_the_command_line_is_refused_by_its_option(monkeypatch, capsys, arguments, message):
    assert message in complaint(monkeypatch, capsys, *arguments)


def test_what_is_too_long_for_a_name_is_not_compared():
    assert nearest("a" * 65, ["a" * 64]) is None
    assert nearest("a" * 63, ["a" * 64]) == "a" * 64
    assert nearest("aaaa", [*(f"{n:04}" for n in range(1000)), "aaab"]) is None


# Words of each edge


def test_an_argument_is_a_flag_on_the_command_line_and_its_advice_names_flags():
    error = refusal_of(lambda: read("a.txt", "a", columns=["candidate"]))
    said = translate(error)
    assert (error.where, said.where) == ("columns", "--columns")
    assert all(argument in error.fix for argument in ("`columns`", '`form="tsv"`'))
    assert all(flag in said.fix for flag in ("--columns", "--input tsv"))
    assert "`" not in said.fix
    assert type(said) is FileError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("score a a --weights 0", "--weights"),
        ("score a a --order 0", "--order"),
        ("score a a -m chrf --char-order 0", "--char-order"),
        ("score a a -m chrf --beta -1", "--beta"),
        ("score a a --smoothing floor(x)", "--smoothing"),
        ("score a a --smoothing exp(2)", "--smoothing"),
        ("score a a --recipe sacreblue", "--recipe"),
        ("score a a --recipe sacrebleu@1", "--recipe"),
        ("reconcile a a --from nltkk --to paper", "--from"),
        ("reconcile a a --from nltk --to papre", "--to"),
        ("reconcile a a --to nltk --from bleuprint:3|x:y", "--from"),
        ("identify a a --reported 5 -m blue", "Did you mean 'bleu'?"),
        ("identify a a --reported 5 -m chfr", "Did you mean 'chrf'?"),
        ("identify a a --reported 5 -m chrf+", "Did you mean 'chrf++'?"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_said_in_flags(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("a b c\n")
    assert message in complaint(monkeypatch, capsys, *arguments.split())


JSONL = {
    "a mapping": '{"candidate": "a", "references": {"x": "a"}}',
    "null": '{"candidate": null, "references": ["a"]}',
    "no reference": '{"candidate": "a", "references": []}',
    "tokens": '{"candidate": ["a"], "references": ["a"]}',
    "no object": "[1]",
}
FILES = {
    "two tables": [("a.tsv", "candidate\treference\n"), ("b.tsv", "x\ty\n")],
    "no references": [("a.txt", "a\n")],
    "text beside SGML": [("a.sgm", SGML), ("b.txt", "a\n")],
    "columns": [("a.tsv", "x\ty\na\tb\n")],
    "two systems": [("a.xml", '<d><doc id="d"><hyp system="A"><seg id="1">a</seg></hyp><hyp system="B"/>'
                              '<hyp system="B"><seg id="1">b</seg></hyp></doc></d>')],
    "systems alone": [("a.sgm", SGML)],
    "references alone": [("a.sgm", SGML.replace("tstset", "refset"))],
    "lengths": [("a.txt", "a\n"), ("b.txt", "a\nb\n")],
} | {name: [("a.jsonl", f"{line}\n")] for name, line in JSONL.items()}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_the_command_line_never_reads_an_argument_of_python(monkeypatch, capsys, tmp_path, name):
    files = [tmp_path / file for file, _ in FILES[name]]
    for path, (_, text) in zip(files, FILES[name], strict=True):
        path.write_text(text, encoding="utf-8")
    message = complaint(monkeypatch, capsys, "score", *files)
    assert not re.search(r"\w=[\w\"(]|bleuprint\.|\[\d+\]:", message.replace('="', ""))


def test_every_command_names_the_line_and_the_side_of_a_segment(monkeypatch, capsys, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"candidate": "a", "references": ["a"]}\n{"candidate": "a", "references": ["a", 5]}\n', "utf-8")
    for command in (("score",), ("segments",), ("explain", "--files"), ("reconcile", "--all"), ("identify",)):
        rest = ("--reported", "5") if command == ("identify",) else ()
        message = complaint(monkeypatch, capsys, *command, path, *rest)
        assert message.startswith(f"bleuprint: {path}, line 2, reference 2: expected a text, got 5. ")


def test_a_long_text_is_quoted_without_a_copy_of_its_words():
    text = "a " * MIB
    assert quote(text, 20) == "'a a a a... a a a '"
    assert peak_of(quote, text) < MIB


# Whole numbers


@pytest.mark.parametrize("number", [4, np.int64(4), np.uint8(4)])
def test_whole_numbers_of_any_make_are_taken(number):
    assert type(as_whole_number(number)) is int
    recipe = bp.Recipe.of("sacrebleu").replace(order=number)
    assert recipe.order == 4
    texts = ["the cat is on the mat", "a b c d"], ["the cat is on mat", "a b c d"]
    assert bp.score(*texts, threads=number).score == bp.score(*texts).score
    systems = {"x": texts[0], "y": texts[1]}
    plain = bp.compare(systems, texts[1], resamples=400, seed=4)
    drawn = bp.compare(systems, texts[1], resamples=np.int64(400), seed=number, threads=number)
    assert drawn.to_dict(examples=number) == plain.to_dict(examples=4)
    assert bp.Recipe.of("sacrebleu").sacrebleu_signature(number).startswith("nrefs:4|")
    assert bp.self_bleu(texts[0], threads=number).mean == bp.self_bleu(texts[0]).mean


@pytest.mark.parametrize("value", [True, np.bool_(True), 4.0, np.float64(4), "4", None, np.array([4, 4])])
def test_what_is_no_whole_number_is_none(value):
    assert as_whole_number(value) is None
    assert refusal_of(lambda: bp.compare({"x": ["a"]}, ["a"], seed=value)).location == Location("seed")
