"""Words that run: shown commands print what the page says, shown Python gives what it says, links lead somewhere."""

import ast
import doctest
import importlib.util
import re
from pathlib import Path

import click
import pytest

import bleuprint as bp
from bleuprint.cli.commands import COMMANDS, cli
from bleuprint.findings.reconciliation import group_dialects

ROOT = Path(__file__).parent.parent


def load_tool(name: str):
    spec = importlib.util.spec_from_file_location(Path(name).name, ROOT / f"tools/{name}.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


make_docs = load_tool("make_docs")
PAGES = make_docs.pages()


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_generated_parts_and_outputs_are_fresh(page):
    assert page.read_text(encoding="utf-8") == make_docs.build(page), "run: make docs"


def test_every_generated_part_has_one_place():
    marks = [name for page in PAGES for name in re.findall(r"<!-- begin (.+) -->", page.read_text(encoding="utf-8"))]
    assert sorted(marks) == sorted(make_docs.TABLES)


@pytest.mark.needs("matplotlib")
def test_the_picture_of_throughput_is_drawn_from_the_stored_numbers():
    tool = load_tool("draw_throughput")
    assert tool.PICTURE.read_text(encoding="utf-8") == tool.build(), "run: make docs"
    assert [(panel.along, len(panel.columns)) for panel in tool.read_panels(tool.NUMBERS.read_text("utf-8"))] == [
        ("tokens per segment", 5),
        ("threads", 5),
    ]


NEEDS = {
    "docs/dialects.md": ["pycocoevalcap"],
    "docs/migrating.md": ["evaluate", "torchmetrics"],
    "docs/recipes.md": ["MeCab", "mecab_ko", "sentencepiece", "pycocoevalcap"],
    "docs/scaling.md": ["pyarrow", "polars", "duckdb"],
    "docs/training.md": ["torch"],
}
"""The packages that the examples of a document import."""


def with_needs(page: Path):
    return pytest.param(page, marks=[pytest.mark.needs(*NEEDS[name_of(page)])] if name_of(page) in NEEDS else [])


@pytest.mark.parametrize("page", [*map(with_needs, PAGES)], ids=[*map(name_of, PAGES)])
def test_python_examples_run_as_a_reader_pastes_them(page, monkeypatch):
    """From top to bottom in one session, in which nothing was imported before."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name_of(page), str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    shown = sum(block.count(">>> ") for block in blocks)
    assert len(test.examples) == shown, "every line of a Python block is an example that runs"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files_of_the_project(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_every_column_of_a_table_has_a_heading():
    """A reader who hears the page is told what a cell is; axe asks for it when the site is built, in the matrix."""
    pages = [*PAGES, *(ROOT / "bench/results").glob("*.md")]
    headings = [
        line for page in pages for line in re.findall(r"^(\|.*)\n\|[-:| ]+\|$", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(headings) > len(pages) / 2
    assert [heading for heading in headings if not all(cell.strip() for cell in heading.split("|")[1:-1])] == []


def test_what_the_documents_import_from_has_a_page_in_the_reference():
    """The site is built in the matrix only; what it would lack is seen here."""
    modules = load_tool("docs_site/reference").MODULES
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"(?:from|import) (bleuprint[.\w]*)", text))
    named |= {f"bleuprint.adapters.{name}" for name in re.findall(r"from bleuprint.adapters import (\w+)", text)}
    assert {"bleuprint.compat.nltk", "bleuprint.adapters.arrow"} <= named
    assert named - {*modules, "bleuprint.adapters"} == set()


def test_a_module_of_the_reference_says_which_of_its_names_are_public():
    """The others are helpers, which the reference leaves out."""
    for module in load_tool("docs_site/reference").MODULES:
        tree = ast.parse(Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8"))
        lists = [
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]
        ]
        assert len(lists) == 1, module
        assert lists[0], module
        assert len({*lists[0]}) == len(lists[0]), module


def test_every_document_has_one_place_in_the_navigation():
    placed = " ".join(load_tool("docs_site/navigation").CHAPTERS.values()).split()
    assert sorted(placed) == sorted(page.stem for page in (ROOT / "docs").glob("*.md"))


def test_a_stale_output_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ bleuprint score --brief a\n99.99\n```\n", encoding="utf-8")
    assert "99.99" not in make_docs.build(page)


def test_every_axis_tokenizer_smoothing_and_note_is_documented():
    recipes = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    for table in ("axes", "chrf-axes", "ter-axes", "tokenizers", "smoothings"):
        assert f"<!-- begin {table} -->" in recipes
    explaining = (ROOT / "docs/explaining.md").read_text(encoding="utf-8")
    source = "".join(
        (ROOT / f"src/bleuprint/{name}.py").read_text(encoding="utf-8")
        for name in ("metrics/bleu/notes", "metrics/chrf/notes", "metrics/ter/notes", "scoring/text_notes")
    )
    codes = set(re.findall(r'Note\("([a-z-]+)"', source))
    assert codes
    assert not {code for code in codes if f"`{code}`" not in explaining}


def keys_of(data: object) -> set[str]:
    if isinstance(data, list):
        return set().union(*map(keys_of, data))
    return set(data).union(*map(keys_of, data.values())) if isinstance(data, dict) else set()


@pytest.mark.parametrize(
    ("page", "make"),
    [
        ("formats", lambda: bp.score(["a b c d"], ["a b c e"])),
        ("formats", lambda: bp.score(["a b c d"], ["a b c e"], "chrf")),
        ("formats", lambda: bp.score(["a b c d"], ["a b c e"], "ter")),
        ("identifying", lambda: bp.identify("a b c d", "a b c e", "66.67")),
        ("reconciling", lambda: bp.reconcile(["a, b c d e"], ["a , b c d e"], "nltk", "sacrebleu")),
        ("reconciling", lambda: group_dialects(["a, b c d e"], ["a , b c d e"])),
    ],
    ids=["BLEU", "chrF", "TER", "identification", "reconciliation", "dialect groups"],
)
def test_every_key_of_a_result_is_documented(page, make):
    keys = keys_of(make().to_dict())
    assert len(keys) > 10
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    assert not {key for key in keys if f"`{key}`" not in text}


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize(
    "command",
    [
        ["score", "--format", "tsv"],
        ["score", "--format", "tsv", "--by", "document", "--confidence", "0.95", "--resamples", "100"],
        ["segments"],
    ],
    ids=["score", "parts", "segments"],
)
def test_every_column_of_a_printed_table_is_documented(command, metric, output):
    header = output(*command, ROOT / "examples/corpus.jsonl", "-m", metric).partition("\n")[0].split("\t")
    named = {re.sub(r"\d$", "1", column) for column in header}
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    assert not {column for column in named if f"`{column}`" not in text}


def test_one_version_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"version: {bp.__version__}\n" in citation
    assert f"## {bp.__version__}" in changelog


def test_every_flag_of_sacrebleu_stands_beside_ours():
    program = Path(importlib.util.find_spec("sacrebleu").origin).parent / "sacrebleu.py"  # importing it changes signals
    arguments = re.findall(r"add_argument\(((?:'[\w-]+'(?:, )?)+)", program.read_text(encoding="utf-8"))
    theirs = {flag for names in arguments for flag in re.findall(r"'([\w-]+)'", names)}
    assert len(theirs) > 60
    page = (ROOT / "docs/migrating.md").read_text(encoding="utf-8").partition("flag by flag")[2].partition("\n## ")[0]
    rows = [line.split(" | ", 1) for line in page.splitlines() if line.startswith("| `")]
    named = {flag for left, _ in rows for flag in re.findall(r"(?<![\w-])(--?[a-z][\w-]*|refs)", left, re.IGNORECASE)}
    assert named == theirs
    with click.Context(cli) as context:
        commands = [cli, *(cli.get_command(context, name) for name in COMMANDS)]
    ours = {flag for command in commands for param in command.params for flag in param.opts}
    shown = {flag for _, right in rows for flag in re.findall(r"(?<![\w-])--?[a-z][a-z-]*(?!\w)", right)}
    assert shown - ours == set()
