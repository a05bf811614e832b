"""Every option of every command either has an effect or is refused, whatever is read; the lists are click's own."""

import json
from functools import cache

import click
import pytest

from bleuprint.cli.call import Call, InputOptions, ScoreOptions, read_plain_score
from bleuprint.cli.commands import COMMANDS, cli
from bleuprint.recipes.registry import list_metrics
from command_line import DOCUMENTS, R1, A, B, read_texts
from packages import optional
from wmt_markup import as_xml

pa = optional("pyarrow")
feather = optional("pyarrow.feather")
parquet = optional("pyarrow.parquet")

OWN_PROCESS = ("accelerate", "selftest", "serve", "site", "completion")
"""What these take is tried where they run: test_acceleration, test_server, test_site, test_completion."""
EFFECT = "effect"


def options_of(command):
    with click.Context(cli) as context:
        found = cli.get_command(context, command)
    return {param.opts[0]: param for param in found.params if isinstance(param, click.Option)}


def fields_of(kind):
    return [param.opts[0] for param in options_of("score").values() if param.name in kind._fields]


# How a corpus is read: every command that reads one, every form, every option.

FIRST, SECOND = ["the cat is on mat", "a dog ran off now"], ["the cat is on the mat", "a dog ran"]
REFERENCE, OTHER = ["the cat is on the mat", "a dog ran off"], ["a cat sat on the mat", "the dog ran off now"]
READERS = {
    "score": ("score",),
    "score --by-document": ("score", "--by-document"),
    "segments": ("segments",),
    "explain --files": ("explain", "--files"),
    "explain --segment": ("explain", "--segment", "1"),
    "reconcile": ("reconcile", "--from", "nltk", "--to", "sacrebleu"),
    "identify": ("identify", "--reported", "30.12345", "--metric", "ter"),
}
DOCUMENT_READERS = ("score --by-document", "segments")
LINES, TABLES, MARKUP, ARROW = ("plain",), ("tsv", "csv"), ("sgml", "xml"), ("parquet", "arrow")
FORMS = (*LINES, *TABLES, "jsonl", *MARKUP, *ARROW)
READING = {
    "--input": FORMS,
    "--columns": TABLES,
    "--no-header": TABLES,
    "--documents": (*LINES, *TABLES, "jsonl"),
    "--system": MARKUP,
    "--translator": MARKUP,
    "--candidate-column": (*TABLES, "jsonl", *ARROW),
    "--reference-column": (*TABLES, "jsonl", *ARROW),
    "--document-column": (*TABLES, "jsonl", *ARROW),
    "--testset": (*LINES, *TABLES, "jsonl"),
}
"""Which option is for which form."""
VALUES = {
    "--columns": "reference,candidate,document,second,other,domain",
    "--documents": "other-documents.txt",
    "--system": "Y",
    "--translator": "B",
    "--candidate-column": "second",
    "--reference-column": "other",
    "--document-column": "domain",
    "--testset": "own/a-b",
}


COLUMNS = ("candidate", "reference", "document", "second", "other", "domain")


def as_sgml(kind, names, texts):
    documents = [
        f'<doc docid="d" sysid="{name}"><seg id="1">{own[0]}</seg><seg id="2">{own[1]}</seg></doc>'
        for name, own in zip(names, texts, strict=True)
    ]
    return f"<{kind}>" + "\n".join(documents) + f"</{kind}>"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The same corpus in every form, and the same again under names that say nothing."""
    folder = tmp_path_factory.mktemp("corpus")
    columns = {
        "candidate": FIRST, "reference": REFERENCE, "document": ["d", "e"], "second": SECOND, "other": OTHER,
        "domain": ["f", "f"],
    }  # fmt: skip
    rows = list(zip(*columns.values(), strict=True))
    versions = {
        ("ref", "A"): dict(enumerate(REFERENCE)), ("ref", "B"): dict(enumerate(OTHER)),
        ("hyp", "X"): dict(enumerate(FIRST)), ("hyp", "Y"): dict(enumerate(SECOND)),
    }  # fmt: skip
    texts = {
        "c.txt": "\n".join(FIRST),
        "r.txt": "\n".join(REFERENCE),
        "documents.txt": "d\ne",
        "other-documents.txt": "f\nf",
        "t.tsv": "\n".join(map("\t".join, rows)),
        "t.csv": "\n".join(map(",".join, rows)),
        "t.jsonl": "\n".join(
            json.dumps({"references" if key == "reference" else key: cell for key, cell in zip(columns, row)})
            for row in rows
        ),
        "c.sgm": as_sgml("tstset", "XY", (FIRST, SECOND)),
        "r.sgm": as_sgml("refset", "AB", (REFERENCE, OTHER)),
        "t.xml": as_xml({"d": versions}),
    }
    for name, text in texts.items():
        (folder / name).write_text(text + "\n", encoding="utf-8")
    parquet.write_table(pa.table(columns), folder / "t.parquet")
    feather.write_feather(pa.table(columns), folder / "t.arrow", compression="uncompressed")
    for file in list(folder.iterdir()):
        # a form that the name does not tell, and for plain text one that it tells wrongly
        (folder / (f"{file.name}.tsv" if file.suffix == ".txt" else f"{file.name}.odd")).write_bytes(file.read_bytes())
    write_testset(folder / "sets", ["d", "e"], A=OTHER)
    return folder


def write_testset(folder, documents, **references):
    """Write the test set own/a-b, as sacreBLEU keeps its sets."""
    columns = {"src": documents, "docid": documents, **{f"ref-{name}": texts for name, texts in references.items()}}
    (folder / "own").mkdir(parents=True)
    for field, texts in columns.items():
        (folder / "own" / f"own.a-b.{field}").write_text("\n".join(texts) + "\n", encoding="utf-8")


def files_of(form):
    """Name the files of a corpus."""
    return {
        "plain": ("c.txt", "r.txt"), "tsv": ("t.tsv",), "csv": ("t.csv",), "jsonl": ("t.jsonl",),
        "sgml": ("c.sgm", "r.sgm"), "xml": ("t.xml",), "parquet": ("t.parquet",), "arrow": ("t.arrow",),
    }[form]  # fmt: skip


@pytest.fixture
def outcome(run, corpus, monkeypatch):
    """Run a command beside the corpus, each call once."""
    monkeypatch.chdir(corpus)
    monkeypatch.setenv("SACREBLEU", str(corpus / "sets"))
    return cache(run)


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reader", READERS)
def test_every_option_of_reading_has_an_effect_or_is_refused(reader, form, outcome):
    command, files = READERS[reader], files_of(form)
    for option, forms in READING.items():
        if option == "--no-header":  # changes nothing for these files: the next test is about it
            continue
        named, value = files, (option, VALUES.get(option, form))
        beside = () if option == "--system" or form not in MARKUP else ("--system", "X")
        beside += ("--columns", ",".join(COLUMNS)) if form in TABLES and option != "--columns" else ()
        needed = ("--documents", "documents.txt") if form == "plain" and "--by-document" in command else ()
        if option == "--input":
            named = tuple(f"{name}.tsv" if form == "plain" else f"{name}.odd" for name in files)
        means_documents = option in ("--documents", "--document-column")
        brings = option == "--testset"  # references and documents
        own = (*named[: 1 if brings and form == "plain" else None], *beside, *(() if brings else needed))
        given = outcome(*command, *own, *value)
        if form in forms and (reader in DOCUMENT_READERS or not means_documents):
            assert (given.code, given.err) == (0, ""), option
            assert given.out
            assert given.out != outcome(*command, *named, *beside, *needed).out, f"{option} changes nothing"
        else:
            assert (given.code, given.out) == (2, ""), option
            assert option in given.err


@pytest.mark.parametrize("reader", READERS)
def test_a_header_is_no_segment_unless_somebody_says_so(reader, run, tmp_path):
    file = tmp_path / "systems.tsv"
    file.write_text("id\tsrc\tmt\tref\n1\ta\tthe cat\tthe cat\n", encoding="utf-8")
    command = (*READERS[reader], file, "--columns", "document,source,candidate,reference")
    refused = run(*command)
    assert (refused.code, refused.out) == (2, "")
    assert "line 1" in refused.err
    assert "--no-header" in refused.err
    assert run(*command, "--no-header").code == 0
    missing = run(*READERS[reader], file, "--no-header", "--candidate-column", "mt", "--reference-column", "ref")
    assert (missing.code, missing.out) == (2, "")
    assert "--columns" in missing.err


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("form", ["plain", "parquet"])
@pytest.mark.parametrize("option", [option for option in READING if option != "--input"])
def test_an_empty_value_is_none_that_means_anything(form, option, outcome):
    given = outcome("segments", *files_of(form), option, "")
    assert (given.code, given.out) == (2, "")
    assert option in given.err


def test_the_options_of_reading_are_all_of_them():
    assert list(READING) == fields_of(InputOptions)
    reading = {command for command in COMMANDS if "--input" in options_of(command)}
    assert reading == {arguments[0] for arguments in READERS.values()}
    for command in reading:
        assert set(READING) <= set(options_of(command))


# What changes the recipe does so in every command that takes one.

RECIPES = {
    "bleu": {
        "--recipe": "paper", "--order": "2", "--weights": "0.5,0.5", "--tokenizer": "char", "--case": "lower",
        "--smoothing": "floor(0.1)", "--reference-length": "shortest", "--segment-totals": "at-least-1",
        "--absent-order": "one", "--unmatched-order": "smallest-float", "--nothing-matches": "smoothed",
        "--brevity": "coco", "--across-orders": "mean",
    },
    "chrf": {
        "--recipe": "chrf++", "--case": "lower", "--char-order": "4", "--word-order": "1", "--beta": "1.5",
        "--whitespace": "kept", "--candidate-totals": "always", "--unmatched-segment": "reference-dropped",
        "--averaging": "each-order",
    },
    "ter": {
        "--recipe": "torchmetrics-ter", "--case": "mixed", "--normalized": "yes", "--asian": "yes",
        "--punctuation": "remove", "--reference-preparation": "once", "--shifted": "reference", "--longest-shift": "9",
        "--empty-candidate": "no-edits",
    },
}  # fmt: skip
"""What changes the default recipe of each metric."""
RECIPE_OPTIONS = {"--metric", *(option for options in RECIPES.values() for option in options)}
TAKE_RECIPES = [("score", A, R1), ("segments", A, R1), ("explain", "a b c", "a b d"), ("compare", "-s", A, "-r", R1)]


@pytest.mark.parametrize("metric", RECIPES)
@pytest.mark.parametrize("command", TAKE_RECIPES, ids=lambda command: command[0])
def test_every_option_of_a_recipe_changes_it(command, metric, output):
    usual = output(*command, "-m", metric)
    for option, value in RECIPES[metric].items():
        chosen = () if option == "--recipe" else ("-m", metric)
        assert output(*command, *chosen, option, value) != usual, option


@pytest.mark.parametrize("command", TAKE_RECIPES, ids=lambda command: command[0])
def test_the_options_of_a_recipe_are_all_of_them(command):
    flags = {f"--{field.replace('_', '-')}" for metric in list_metrics() for field in metric.axes}
    assert flags | {"--metric", "--recipe", "--order"} == RECIPE_OPTIONS
    assert set(options_of(command[0])) >= RECIPE_OPTIONS


@pytest.mark.parametrize("metric", RECIPES)
@pytest.mark.parametrize("command", TAKE_RECIPES, ids=lambda command: command[0])
def test_an_axis_that_no_chosen_metric_has_is_refused(command, metric, run):
    for other in set(RECIPES) - {metric}:
        for option in set(RECIPES[other]) - set(RECIPES[metric]):
            given = run(*command, "-m", metric, option, RECIPES[other][option])
            assert (given.code, given.out) == (2, "")
            assert option in given.err


# All others.

COMPARE = ("compare", "-r", R1, "-s", f"a={A}", "-s", f"b={B}")
JSON = ("--format", "json")
USES = {
    ("score", "--by-document"): [
        (("score", A, R1, "--documents", DOCUMENTS, "--by-document"), ("score", A, R1), EFFECT),
        (("score", A, R1, "--by-document"), (), "--by-document"),
    ],
    ("score", "--by"): [
        *((("score", "domains.jsonl", "--by", "domain", *form), ("score", "domains.jsonl", *form), EFFECT)
          for form in ((), JSON, ("--format", "tsv"), ("--format", "markdown"), ("--format", "latex"))),
        (("score", A, R1, "--by", "domain"), (), "--by"),
        (("score", "domains.jsonl", "--by", "domain", "--brief"), (), "--brief"),
        (("score", "domains.jsonl", "--by", "domain", "--fail-under", "1", "--format", "junit"), (), "--by"),
    ],
    ("score", "--confidence"): [
        *((("score", A, R1, "--confidence", "0.95", *form), ("score", A, R1, *form), EFFECT)
          for form in ((), JSON, ("--format", "tsv"), ("--format", "markdown"), ("--format", "latex"), ("-m", "chrf"))),
        (("score", A, R1, "--confidence", "0.9"), ("score", A, R1, "--confidence", "0.95"), EFFECT),
        (("score", A, R1, "--confidence", "2"), (), "--confidence"),
        (("score", A, R1, "--confidence", "0.95", "--brief"), (), "--brief"),
        (("score", A, R1, "--confidence", "0.95", "--fail-under", "1", "--format", "junit"), (), "--confidence"),
    ],
    ("score", "--resamples"): [
        (("score", A, R1, "--confidence", "0.95", "--resamples", "100"), ("score", A, R1, "--confidence", "0.95"),
         EFFECT),
        (("score", A, R1, "--resamples", "100"), (), "--resamples"),
    ],
    ("score", "--seed"): [
        (("score", A, R1, "--confidence", "0.95", "--seed", "1"), ("score", A, R1, "--confidence", "0.95"), EFFECT),
        (("score", A, R1, "--seed", "1"), (), "--seed"),
    ],
    ("score", "--fail-under"): [
        (("score", A, R1, "--fail-under", "40"), ("score", A, R1), EFFECT),
        (("score", A, R1, "-m", "ter", "--fail-under", "40"), (), "--fail-under"),
    ],
    ("score", "--fail-over"): [
        (("score", A, R1, "-m", "ter", "--fail-over", "50"), ("score", A, R1, "-m", "ter"), EFFECT),
        (("score", A, R1, "--fail-over", "50"), (), "--fail-over"),
    ],
    ("score", "--brief"): [
        (("score", A, R1, "--brief"), ("score", A, R1), EFFECT),
        (("score", A, R1, "--brief", *JSON), (), "--brief"),
        (("score", A, R1, "--documents", DOCUMENTS, "--by-document", "--brief"), (), "--by-document"),
    ],
    ("score", "--on-error"): [
        (("score", "bad.parquet", "--on-error", "skip"), ("score", "bad.parquet"), EFFECT),
        (("score", A, R1, "--on-error", "skip"), (), "--on-error"),
        (("score", A, R1, "--on-error", "fail"), (), "--on-error"),
    ],
    ("explain", "--files"): [(("explain", "--files", A, R1), ("explain", "--texts", A, R1), EFFECT)],
    ("explain", "--texts"): [
        (("explain", "--texts", A, R1), ("explain", A, R1), EFFECT),
        (("explain", "--texts", "--files", A, R1), (), "--texts"),
        (("explain", "--texts", "--segment", "1", A, R1), (), "--texts"),
    ],
    ("explain", "--segment"): [
        (("explain", "--segment", "2", A, R1), ("explain", "--segment", "1", A, R1), EFFECT),
        (("explain", "--segment", "1", "--files", A, R1), (), "--files"),
    ],
    ("explain", "--ngrams"): [
        (("explain", "a b c", "a b d", "--ngrams", "1"), ("explain", "a b c", "a b d"), EFFECT),
        (("explain", "a b", "a c", "--ngrams", "1", *JSON), (), "--ngrams"),
        (("explain", "--files", A, R1, "--ngrams", "1"), (), "--ngrams"),
    ],
    ("reconcile", "--from"): [
        (("reconcile", A, R1, "--from", "nltk", "--to", "paper"),
         ("reconcile", A, R1, "--from", "sacrebleu", "--to", "paper"), EFFECT),
        (("reconcile", A, R1, "--from", "nltk"), (), "--from"),
        (("reconcile", A, R1, "--from", "nltk", "--all"), (), "--all"),
        (("reconcile", A, R1, "--from", "nltk", "--to", "ter"), (), "--from"),
    ],
    ("reconcile", "--to"): [
        (("reconcile", A, R1, "--from", "nltk", "--to", "paper"),
         ("reconcile", A, R1, "--from", "nltk", "--to", "sacrebleu"), EFFECT),
        (("reconcile", A, R1, "--to", "nltk"), (), "--from"),
        (("reconcile", A, R1, "--to", "nltk", "--all"), (), "--all"),
    ],
    ("reconcile", "--metric"): [
        (("reconcile", A, R1, "--all", "--metric", "ter"), ("reconcile", A, R1, "--all"), EFFECT),
        (("reconcile", A, R1, "--from", "nltk", "--to", "paper", "--metric", "bleu"), (), "--all"),
    ],
    ("identify", "--metric"): [
        (("identify", A, R1, "--reported", "30.0", "--metric", "ter"),
         ("identify", A, R1, "--reported", "30.0"), EFFECT),
    ],
    ("reconcile", "--all"): [
        (("reconcile", A, R1, "--all"), ("reconcile", A, R1, "--from", "nltk", "--to", "paper"), EFFECT),
    ],
    ("identify", "--reported"): [
        (("identify", A, R1, "--reported", "30.0"), ("identify", A, R1, "--reported", "31.0"), EFFECT),
        (("identify", R1, "--reported", "30.0", "--reported-tsv", "reported.tsv"), (), "--reported"),
    ],
    ("identify", "--reported-tsv"): [
        (("identify", R1, "--reported-tsv", "reported.tsv"), ("identify", A, R1, "--reported", "31.0"), EFFECT),
    ],
    ("identify", "--also"): [
        (("identify", A, R1, "--reported", "30.0", "--also", B, "30.0"),
         ("identify", A, R1, "--reported", "30.0"), EFFECT),
    ],
    ("recipes", "--diff"): [
        (("recipes", "--diff", "nltk", "paper"), ("recipes",), EFFECT),
        (("recipes", "paper", "--diff", "nltk", "paper"), (), "--diff"),
        (("recipes", "--diff", "nltk", "chrf"), (), "--diff"),
    ],
    ("recipes", "--tokenizers"): [
        (("recipes", "--tokenizers"), ("recipes",), EFFECT),
        (("recipes", "--tokenizers", "--diff", "nltk", "paper"), (), "--diff"),
        (("recipes", "--tokenizers", "paper"), (), "--diff"),
    ],
    ("exercise", "--seed"): [
        (("exercise", "--seed", "2"), ("exercise",), EFFECT),
        (("exercise", "--seed", "-1"), (), "--seed"),
    ],
    ("exercise", "--level"): [
        (("exercise", "--level", "2"), ("exercise",), EFFECT),
        (("exercise", "--level", "7"), (), "--level"),
    ],
    ("exercise", "--only"): [
        *((("exercise", "--only", part, "--format", form), ("exercise", "--format", form), EFFECT)
          for part in ("worksheet", "solution") for form in ("text", "markdown", "latex", "html", "json")),
        (("exercise", "--only", "answers"), (), "--only"),
    ],
    ("testsets", "--pair"): [
        (("testsets", "--pair", "a-b"), ("testsets",), EFFECT),
        (("testsets", "own", "--pair", "a-b"), (), "--pair"),
        (("testsets", "--pair", "a-bb"), (), "Did you mean 'a-b'"),
    ],
    ("testsets", "--fetch"): [
        (("testsets", "packed/a-b", "--fetch"), ("testsets", "own/a-b"), EFFECT),
        (("testsets", "packed/a-b"), (), "--fetch"),
        (("testsets", "--fetch"), (), "--fetch"),
    ],
    ("testsets", "--echo"): [
        (("testsets", "own/a-b", "--echo", "reference:A"), ("testsets", "own/a-b"), EFFECT),
        (("testsets", "own", "--echo", "reference"), (), "--echo"),
        (("testsets", "own/a-b", "--echo", "reference", "--fetch"), (), "--echo"),
        (("testsets", "own/a-b", "--echo", "reference", *JSON), (), "--echo"),
    ],
    ("compare", "--testset"): [
        (("compare", *COMPARE[3:], "--testset", "own/a-b", "--translator", "A"), COMPARE, EFFECT),
        ((*COMPARE, "--testset", "own/a-b"), (), "--testset"),
        (COMPARE[:1] + COMPARE[3:], (), "--reference"),
    ],
    ("compare", "--translator"): [
        (("compare", *COMPARE[3:], "--testset", "own/a-b", "--translator", "A"),
         ("compare", *COMPARE[3:], "--testset", "own/a-b", "--translator", "B"), EFFECT),
        ((*COMPARE, "--translator", "A"), (), "--translator"),
    ],
    ("compare", "--reference"): [(COMPARE, ("compare", "-r", B, *COMPARE[3:]), EFFECT)],
    ("compare", "--system"): [(COMPARE, COMPARE[:-2], EFFECT)],
    ("compare", "--corpus"): [
        (("compare", "--corpus", "both.tsv", "-s", "first", "-s", "second"),
         ("compare", "--corpus", "both.tsv", "-s", "first"), EFFECT),
        (("compare", "--corpus", A, "-s", "a"), (), A),
    ],
    ("compare", "--baseline"): [
        ((*COMPARE, "--baseline", "a"), COMPARE, EFFECT),
        ((*COMPARE[:-2], "--baseline", "a"), (), "--baseline"),
    ],
    ("compare", "--fail-if-worse"): [
        ((*COMPARE, "--baseline", "b", "--fail-if-worse"), (*COMPARE, "--baseline", "b"), EFFECT),
        ((*COMPARE, "--fail-if-worse"), (), "--fail-if-worse"),
    ],
    ("compare", "--margin"): [
        ((*COMPARE, "--baseline", "a", "--fail-if-worse", "--margin", "25"), (*COMPARE, "--baseline", "a"), EFFECT),
        ((*COMPARE, "--baseline", "a", "--margin", "25"), (), "--margin"),
    ],
    ("compare", "--test"): [
        ((*COMPARE, "--test", "bootstrap"), COMPARE, EFFECT),
        ((*COMPARE[:-2], "--test", "bootstrap"), (), "--test"),
    ],
    ("compare", "--resamples"): [((*COMPARE, "--resamples", "100"), COMPARE, EFFECT)],
    ("compare", "--confidence"): [((*COMPARE, "--confidence", "0.9"), COMPARE, EFFECT)],
    ("compare", "--seed"): [((*COMPARE, "--seed", "1"), COMPARE, EFFECT)],
    ("compare", "--by"): [
        ((*COMPARE, "--by", "length", *form), (*COMPARE, *form), EFFECT)
        for form in ((), JSON, ("--format", "csv"), ("--format", "markdown"), ("--format", "latex"))
    ],
    ("compare", "--documents"): [
        ((*COMPARE, "--by", "document", "--documents", DOCUMENTS), COMPARE, EFFECT),
        ((*COMPARE, "--documents", DOCUMENTS), (), "--documents"),
        ((*COMPARE, "--documents", DOCUMENTS, "--by", "length"), (), "--documents"),
        ((*COMPARE, "--documents", DOCUMENTS, "--by", "length", "--html", "x.html"), (), "--documents"),
    ],
    ("compare", "--labels"): [
        ((*COMPARE, "--by", "domain", "--labels", "labels.tsv"), COMPARE, EFFECT),
        ((*COMPARE, "--labels", "labels.tsv"), (), "--labels"),
        ((*COMPARE, "--labels", "labels.tsv", "--by", "length"), (), "--labels"),
        ((*COMPARE, "--labels", "labels.tsv", "--by", "length", "--html", "x.html"), (), "--labels"),
    ],
    ("compare", "--agreement"): [
        *(((*COMPARE, "-m", "bleu", "-m", "ter", "--agreement", *form),
           (*COMPARE, "-m", "bleu", "-m", "ter", *form), EFFECT)
          for form in ((), JSON, ("--format", "csv"), ("--format", "markdown"), ("--format", "latex"))),
        ((*COMPARE, "--agreement"), (), "--agreement"),
        ((*COMPARE, "-m", "bleu", "-m", "ter", "--agreement", "--baseline", "a", "--fail-if-worse", "--format",
          "junit"), (), "--agreement"),
    ],
    ("compare", "--source"): [
        *(((*COMPARE, "--source", R1, "--examples", "1", *form), (*COMPARE, "--examples", "1", *form), EFFECT)
          for form in ((), JSON, ("--format", "markdown"), ("--format", "latex"))),
        ((*COMPARE, "--source", R1), (), "--source"),
    ],
    ("compare", "--scores"): [
        *(((*COMPARE, "--scores", "comet=comet.tsv", *form), (*COMPARE, *form), EFFECT)
          for form in ((), JSON, ("--format", "csv"), ("--format", "markdown"), ("--format", "latex"))),
        ((*COMPARE, "--scores", "comet"), (), "--scores"),
    ],
    ("compare", "--lower-is-better"): [
        ((*COMPARE, "--scores", "comet=comet.tsv", "--lower-is-better", "comet"),
         (*COMPARE, "--scores", "comet=comet.tsv"), EFFECT),
        ((*COMPARE, "--lower-is-better", "comet"), (), "--lower-is-better"),
    ],
    ("compare", "--examples"): [
        *(((*COMPARE, "--examples", "1", *form), (*COMPARE, *form), EFFECT)
          for form in ((), JSON, ("--format", "markdown"), ("--format", "latex"))),
        ((*COMPARE, "--examples", "1", "--format", "csv"), (), "--examples"),
    ],
    ("compare", "--focus"): [
        ((*COMPARE, "--examples", "1", "--focus", "a", "b"),
         (*COMPARE, "--examples", "1", "--focus", "b", "a"), EFFECT),
        ((*COMPARE, "--focus", "a", "b"), (), "--focus"),
        ((*COMPARE, "--focus", "a", "b", *JSON), (), "--focus"),
    ],
}  # fmt: skip
SHARED = ("--format", "--output", "--threads", "--html")
"""These show in where and how a result is written, or how fast it comes."""


PACKED = """
files = [{ file = "packed.txt" }]
pairs.a-b.references = "packed.txt"
"""


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """Files that some of the calls read."""
    monkeypatch.chdir(tmp_path)
    parquet.write_table(pa.table({"candidate": ["a b", None], "reference": ["a b", "c"]}), "bad.parquet")
    segments = len(read_texts(R1)[0])
    (tmp_path / "labels.tsv").write_text("domain\n" + "news\n" * segments, encoding="utf-8")
    (tmp_path / "both.tsv").write_text("first\tsecond\treference\n" + "a b\ta c\ta d\n" * 9, encoding="utf-8")
    (tmp_path / "domains.jsonl").write_text(
        '{"candidate": "a b", "references": ["a b"], "domain": "x"}\n' * 2, encoding="utf-8"
    )
    (tmp_path / "comet.tsv").write_text("a\tb\n" + "0.5\t0.25\n" * segments, encoding="utf-8")
    (tmp_path / "reported.tsv").write_text(f"{A}\t30.0\n", encoding="utf-8")
    write_testset(tmp_path / "sets", ["d"] * segments, A=read_texts(R1)[0], B=read_texts(B)[0])
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sets"))
    monkeypatch.setenv("BLEUPRINT_TESTSETS", str(tmp_path))
    (tmp_path / "packed.toml").write_text(PACKED, encoding="utf-8")
    (tmp_path / "packed.txt").write_text("a\n", encoding="utf-8")
    return tmp_path


def tried_together():
    """List the cases of each option; those of test sets, which are stored, one by one."""
    for (command, _), cases in USES.items():
        yield from ([case] for case in cases) if command == "testsets" else [cases]


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("cases", list(tried_together()))
def test_every_other_option_has_an_effect_or_is_refused(cases, run, beside):
    once = cache(run)
    for given, usual, expected in cases:
        outcome = run(*given)
        if expected == EFFECT:
            assert (outcome.code, outcome.err) == (0, ""), given
            assert outcome.out, given
            assert outcome.out != once(*usual).out, given
        else:
            assert (outcome.code, outcome.out) == (2, ""), given
            assert expected in outcome.err, given
            assert not (beside / "x.html").exists(), given


TAKE_FILES = [
    (command, option)
    for command in COMMANDS
    for option, param in options_of(command).items()
    if param.metavar == "FILE"
]


@pytest.mark.parametrize(("command", "option"), TAKE_FILES)
def test_an_empty_name_does_not_pass_for_no_file(command, option, run):
    refused = run(command, option, "")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"bleuprint: {option} is empty.")


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize(
    ("option", "arguments"),
    [("--output", ("score", "nosuch", "nosuch")), ("--html", ("compare", "-r", "nosuch", "-s", "nosuch"))],
)
def test_where_no_file_can_be_is_said_before_any_is_read(option, arguments, run, tmp_path):
    for place in (tmp_path, f"{tmp_path}/nosuch/x", f"{tmp_path}/new/"):
        outcome = run(*arguments, option, place)
        assert outcome.code == 2
        assert str(place) in outcome.err
        assert option in outcome.err
    assert not list(tmp_path.iterdir())


def test_the_other_options_are_all_of_them():
    shared = {*READING, *RECIPE_OPTIONS, *SHARED, "--help"}
    for command in set(COMMANDS) - set(OWN_PROCESS):
        own = {option for option in options_of(command) if option not in shared or (command, option) in USES}
        assert own == {option for name, option in USES if name == command}, command


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("command", sorted(set(COMMANDS) - set(OWN_PROCESS)))
def test_every_format_is_written_and_goes_to_a_file(command, run, output, beside):
    calls = {
        "score": (A, R1), "segments": (A, R1), "explain": ("a b c", "a b d"), "compare": COMPARE[1:],
        "reconcile": (A, R1, "--all"), "identify": (A, R1, "--reported", "30.0", "--metric", "ter"), "recipes": (),
        "testsets": (), "exercise": (),
    }  # fmt: skip
    gated = {"score": ("--fail-under", "1"), "compare": ("--baseline", "b", "--fail-if-worse")}
    results = set()
    forms = [form for form in options_of(command)["--format"].type.choices if form != "parquet"]
    for form in forms:
        call = (*calls[command], "--format", form, *(gated[command] if form == "junit" else ()))
        printed = output(command, *call)
        assert output(command, *call, "--output", f"out.{form}") == ""
        assert (beside / f"out.{form}").read_text(encoding="utf-8") == printed
        results.add(printed)
    assert len(results) == len(forms)
    if "--threads" in options_of(command):
        assert output(command, *calls[command], "--threads", "1") == output(command, *calls[command])
        assert "threads" in run(command, *calls[command], "--threads", "0").err


# The plainest command line is read without click, to the same values.

PLAIN = [
    ["a", "b"],
    ["a"],
    ["-", "b", "c"],
    ["a", "b", "--brief"],
    ["-b", "a", "b"],
    ["a", "--recipe", "paper", "b"],
    ["a", "b", "--recipe", "paper", "--tokenizer", "char"],
    ["a", "b", "-t", "char", "-b"],
    ["a", "b", "-b", "--brief"],
    ["a", "b", "--recipe", "-"],
    ["a", "--testset", "wmt22/en-de"],
    ["a", "--testset", "wmt22/en-zh", "--translator", "B", "-b"],
    ["a", "b", "--testset", "wmt22/en-de"],
]
LEFT_TO_CLICK = [
    ["a", "b", "--recipe"],
    ["a", "b", "--recipe", "paper", "--recipe", "nltk"],
    ["a", "b", "--recipe", "--brief"],
    ["a", "b", "--recipe=paper"],
    ["a", "--testset=wmt22/en-de"],
    ["a", "--testset", "wmt22/en-de", "--translator", "A", "--translator", "B"],
    ["a", "b", "-tchar"],
    ["a", "b", "-t", "13a", "--tokenizer", "char"],
    ["a", "b", "-bt", "char"],
    ["--", "a", "-b"],
    ["a", "b", "--format", "json"],
    ["a", "b", "--threads", "1"],
    ["a", ""],
    ["a", "b", "--help"],
    [],
]


@pytest.mark.parametrize("words", PLAIN)
def test_a_plain_line_is_read_as_click_reads_it(words, monkeypatch):
    read = []
    monkeypatch.setattr("bleuprint.cli.score_command.score_files", lambda *given: read.append(given))
    cli.main(["score", *words], standalone_mode=False)
    assert read == [read_plain_score(["score", *words])]
    assert [type(value) for value in read[0]] == [Call, ScoreOptions]


@pytest.mark.parametrize("words", LEFT_TO_CLICK)
def test_what_is_not_plain_is_left_to_click(words):
    assert read_plain_score(["score", *words]) is None


@pytest.mark.parametrize("words", [[], ["segments", "a", "b"], ["--version"], ["a", "score"]])
def test_other_commands_are_left_to_click(words):
    assert read_plain_score(words) is None


def test_a_shell_that_completes_a_line_asks_click(monkeypatch):
    monkeypatch.setenv("_BLEUPRINT_COMPLETE", "bash_complete")
    assert read_plain_score(["score", "a", "b"]) is None
